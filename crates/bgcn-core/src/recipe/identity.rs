//! What tells one result from another: the recipe, the data, and the version of the arithmetic.

use super::Recipe;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// Goes up whenever a golden fit changes a byte, so that results of different programs never stand in one table.
pub const RESULTS_EPOCH: u32 = 4;

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
