//! The identity of a result: the recipe, the data, and the version of the arithmetic.

use super::Recipe;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Raised whenever a golden fit changes a byte or a recipe has other settings, so that no table mixes results of
/// different programs.
pub const RESULTS_EPOCH: u32 = 5;

impl Recipe {
    /// The settings as JSON with sorted keys and no white space: the same text for the same recipe.
    pub fn canonical(&self) -> String {
        let settings: serde_json::Map<String, Value> = self.settings().into_iter().collect();
        Value::Object(settings).to_string()
    }

    /// A short hash of the settings and [`RESULTS_EPOCH`].
    pub fn hash(&self) -> String {
        let text = format!("{RESULTS_EPOCH}\n{}", self.canonical());
        Sha256::digest(text.as_bytes()).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }
}
