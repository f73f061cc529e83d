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

use crate::setting::words;

words! {
    /// What happens to the features before the network reads them.
    pub enum Scaling {
        /// Every row divided by its sum, as Kipf and Welling do: for counts and words.
        UnitRows = "unit_rows",
        /// Every column standardised, skewed ones after a logarithm; columns of 0 and 1 stay: for measured quantities.
        Standard = "standard",
        /// Every column minus its mean, divided by its standard deviation.
        ZScore = "z_score",
        /// Nothing.
        AsIs = "as_is",
    }
}
