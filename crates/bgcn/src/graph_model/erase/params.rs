//! Settings of edge erasure, each default with its source.

use crate::checked::Checked;
use crate::graph_model::Error;
use serde::{Deserialize, Serialize};

/// Settings of edge erasure; a consuming builder, see [`EraseParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseParams {
    pub(crate) drop: f64,
}

impl Default for EraseParams {
    fn default() -> Self {
        Self { drop: 0.5 } // a choice of ours: the rate at which the paper drops inputs of the network
    }
}

impl EraseParams {
    /// The chance that an edge is left out, from 0 (every draw is the observed graph) to 1.
    pub fn drop(mut self, drop: f64) -> Self {
        self.drop = drop;
        self
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        if !(0.0..=1.0).contains(&self.drop) {
            return Err(Error::setting("drop", self.drop, "it is a probability, from 0 to 1; try 0.5"));
        }
        Ok(Checked::vouched_for(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_and_nothing_else_are_allowed() {
        for good in [0.0, 0.5, 1.0] {
            assert!(EraseParams::default().drop(good).check().is_ok());
        }
        for bad in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert!(EraseParams::default().drop(bad).check().unwrap_err().to_string().contains("drop"));
        }
    }
}
