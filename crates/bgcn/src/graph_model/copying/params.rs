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
    #[serde(default = "once")]
    pub(crate) copies: Copies,
    pub(crate) classes: Classes,
}

/// How many nodes a node takes the neighbours of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Copies {
    /// As many as give it four neighbours where degrees are average, at least one and at most four.
    Auto,
    /// So many, at least 1; of 1.5, one always and another every second time.
    Fixed(f64),
}

/// What settings that do not name it were saved with: nodes used to copy once.
fn once() -> Copies {
    Copies::Fixed(1.0)
}

/// Neighbours that are enough to tell a class by.
const ENOUGH: f64 = 4.0; // measured: docs/ablations.md

impl Copies {
    /// On a graph of this mean degree.
    pub(super) fn at(self, mean_degree: f64) -> f64 {
        match self {
            Self::Fixed(copies) => copies,
            Self::Auto => (ENOUGH / mean_degree).clamp(1.0, ENOUGH),
        }
    }
}

impl CopyingParams {
    /// The defaults, for so many classes (or levels of a number).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            copy: 0.8,             // a compromise of citation graphs: docs/ablations.md
            copies: Copies::Auto,  // the same
            classes: Classes::Map, // the prototype
        }
    }

    /// ε, the chance that a node takes another's neighbours, from 0 (every draw is the observed graph) to 1.
    pub fn copy(mut self, copy: f64) -> Self {
        self.copy = copy;
        self
    }

    /// How many nodes a node takes the neighbours of.
    pub fn copies(mut self, copies: Copies) -> Self {
        self.copies = copies;
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
        if let Copies::Fixed(copies) = self.copies
            && !(1.0..=100.0).contains(&copies)
        {
            return Err(Error::setting("copies", copies, "it must be auto, or from 1 to 100; try 1"));
        }
        Ok(Checked::vouched_for(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_graphs_are_copied_more() {
        assert_eq!([8.0, 4.0, 2.0, 0.5, 0.0].map(|degree| Copies::Auto.at(degree)), [1.0, 1.0, 2.0, 4.0, 4.0]);
        assert_eq!(Copies::Fixed(1.5).at(9.0), 1.5);
    }

    #[test]
    fn settings_saved_without_copies_copy_once() {
        let params = CopyingParams::new(3).copy(0.7);
        let mut saved = serde_json::to_value(&params).unwrap();
        assert_eq!(serde_json::from_value::<CopyingParams>(saved.clone()).unwrap(), params);
        saved.as_object_mut().unwrap().remove("copies");
        assert_eq!(serde_json::from_value::<CopyingParams>(saved).unwrap(), params.copies(Copies::Fixed(1.0)));
    }

    #[test]
    fn probabilities_and_nothing_else_are_allowed() {
        for good in [0.0, 0.5, 1.0] {
            assert!(CopyingParams::new(3).copy(good).check().is_ok());
        }
        for bad in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert!(CopyingParams::new(3).copy(bad).check().unwrap_err().to_string().contains("copy"));
        }
        for bad in [f64::NAN, 0.9, f64::INFINITY] {
            let found = CopyingParams::new(3).copies(Copies::Fixed(bad)).check();
            assert!(found.unwrap_err().to_string().contains("copies"));
        }
        assert!(CopyingParams::new(0).check().unwrap_err().to_string().contains("communities"));
    }
}
