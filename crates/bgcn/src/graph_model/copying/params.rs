//! Settings of node copying, each default with its source.

use crate::checked::Checked;
use crate::graph_model::Error;
use serde::{Deserialize, Serialize};

/// How a belief over classes becomes one class for each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Classes {
    /// The most likely one.
    Map,
    /// Drawn from the belief at every inference: each λ is another sample.
    Sampled,
}

/// Settings of node copying; a consuming builder, see [`CopyingParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopyingParams {
    pub(crate) communities: usize,
    pub(crate) copy: f64,
    pub(crate) classes: Classes,
}

impl CopyingParams {
    /// The defaults, for so many classes (or levels of a number).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            copy: 0.8,             // a compromise of citation graphs: docs/ablations.md
            classes: Classes::Map, // the prototype
        }
    }

    /// ε, the chance that a node takes another's neighbours, from 0 (every draw is the observed graph) to 1.
    pub fn copy(mut self, copy: f64) -> Self {
        self.copy = copy;
        self
    }

    /// How a belief becomes classes.
    pub fn classes(mut self, classes: Classes) -> Self {
        self.classes = classes;
        self
    }

    /// How many classes.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        if self.communities == 0 {
            return Err(Error::setting("communities", 0, "it must be at least 1"));
        }
        if !(0.0..=1.0).contains(&self.copy) {
            return Err(Error::setting("copy", self.copy, "it is a probability, from 0 to 1; try 0.8"));
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
            assert!(CopyingParams::new(3).copy(good).check().is_ok());
        }
        for bad in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert!(CopyingParams::new(3).copy(bad).check().unwrap_err().to_string().contains("copy"));
        }
        assert!(CopyingParams::new(0).check().unwrap_err().to_string().contains("communities"));
    }
}
