//! What happens to features before a network reads them, by their kind: words are divided by row sums, measured
//! columns are standardised.
//!
//! [`FeatureKind`] is the kind, [`Scaling`] is the setting, and a [`Scaler`] is what a fit finds: the means and
//! spreads of its columns, which later data is scaled by too.

mod align;
mod column;
mod kind;
mod scaler;
mod text;

pub(crate) use align::Aligned;
pub use kind::FeatureKind;
pub use scaler::Scaler;
pub use text::DefaultScaling;

use serde::{Deserialize, Serialize};

/// What happens to the features before the network reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// Every row divided by its sum, as Kipf and Welling do: for counts and words.
    UnitRows,
    /// Every column standardised, skewed ones after a logarithm; columns of 0 and 1 stay: for measured quantities.
    Standard,
    /// Every column minus its mean, divided by its standard deviation.
    ZScore,
    /// Nothing.
    AsIs,
}

impl Scaling {
    /// Every word for it, as in `features.scaling`.
    pub const WORDS: [&'static str; 4] = ["unit_rows", "standard", "z_score", "as_is"];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnitRows => "unit_rows",
            Self::Standard => "standard",
            Self::ZScore => "z_score",
            Self::AsIs => "as_is",
        }
    }
}
