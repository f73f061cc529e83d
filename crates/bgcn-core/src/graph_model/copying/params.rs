//! Settings of node copying, each default with its source.

use super::Copying;
use crate::Error;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::registry::Settings;
use crate::graph_model::{Array, Belief, GraphModel, Parameters};
use crate::setting::object;
use crate::setting::{self, COMMUNITIES, PROBABILITY, Range, Setting, setters, settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How a belief over classes becomes one class for each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assignment {
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
    pub(crate) copies: f64,
    pub(crate) assignment: Assignment,
}

pub(crate) const SETTINGS: &[Setting] = settings! {
    "communities": COMMUNITIES, "classes", "classes, or levels of a predicted number", "the data";
    "copy": PROBABILITY, "probability", "copy probability: that a node takes the neighbours of another of its class",
        "measured on citation graphs: docs/ablations.md";
    "copies": Range::Number(1.0, 100.0), "nodes",
        "copies per node: how many others a node takes the neighbours of; of 1.5 one always, another every second time",
        "as many as make about four neighbours, at least one: docs/ablations.md";
    "assignment": Range::Word(&["map", "sampled"]), "",
        "class assignment: each node's most likely class, or one sampled at every inference", "Regol et al. (2022)";
};

/// Neighbours that are enough to tell a class by.
const ENOUGH: f64 = 4.0; // measured: docs/ablations.md

impl CopyingParams {
    /// The defaults, for so many classes (or levels of a number).
    pub fn new(communities: usize) -> Self {
        Self { communities, copy: 0.8, copies: 1.0, assignment: Assignment::Map }
    }

    /// As many copies per node as give it four neighbours where degrees are average, at least one and at most four.
    pub fn for_mean_degree(self, degree: f64) -> Self {
        self.copies((ENOUGH / degree).clamp(1.0, ENOUGH))
    }

    setters! {
        /// ε, the copy probability, from 0 (every draw is the observed graph) to 1.
        copy: f64,
        /// Copies per node, from 1.
        copies: f64,
        /// How a belief becomes classes.
        assignment: Assignment,
    }

    /// How many classes.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("copying", SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }
}

impl Settings for CopyingParams {
    fn check(&self) -> Result<(), Error> {
        self.clone().check().map(drop)
    }

    fn communities(&self) -> usize {
        CopyingParams::communities(self)
    }

    fn single_lambda(&self) -> Option<&'static str> {
        let sampled = self.assignment == Assignment::Sampled;
        (!sampled)
            .then_some("several λ need copying.assignment sampled; the most likely classes are the same every time")
    }

    fn numbers_per_node(&self) -> usize {
        2 * self.communities
    }

    fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error> {
        let undecided = vec![1.0; graph.nodes() * self.communities];
        let belief = Belief { k: self.communities, rows: &undecided };
        Ok(Box::new(Copying::start(&self.clone().check()?, graph, belief)?))
    }

    fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        let k = self.communities;
        let rows = certain(parameters, k)?;
        Ok(Box::new(Copying::start(&self.clone().check()?, graph, Belief { k, rows: &rows })?))
    }

    fn table(&self) -> Map<String, Value> {
        object(self)
    }
}

/// The belief [n, k] that takes the saved classes for certain.
fn certain(parameters: &Parameters, k: usize) -> Result<Vec<f32>, Error> {
    let Some(Array::Labels(classes)) = parameters.arrays.get("classes") else {
        return Err(Error::start("the saved model has no classes"));
    };
    let mut rows = vec![0.0; parameters.nodes * k];
    for (a, (row, &class)) in rows.chunks_exact_mut(k).zip(classes).enumerate() {
        match row.get_mut(class as usize) {
            Some(p) => *p = 1.0,
            None => return Err(Error::start(format!("node {a} has the class {class}; there are {k}, from 0"))),
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_graphs_are_copied_more() {
        let copies = |degree| CopyingParams::new(3).for_mean_degree(degree).copies;
        assert_eq!([8.0, 4.0, 2.0, 0.5, 0.0].map(copies), [1.0, 1.0, 2.0, 4.0, 4.0]);
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
            let found = CopyingParams::new(3).copies(bad).check();
            assert!(found.unwrap_err().to_string().contains("copies"));
        }
        assert!(CopyingParams::new(0).check().unwrap_err().to_string().contains("communities"));
    }
}
