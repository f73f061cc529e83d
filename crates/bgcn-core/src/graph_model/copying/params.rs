//! Settings of node copying.

use super::Copying;
use crate::Error;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::registry::Settings;
use crate::graph_model::{Array, Belief, GraphModel, Parameters};
use crate::setting::words;
use crate::setting::{self, COMMUNITIES, PROBABILITY, Range, table};

words! {
    /// How a belief over classes becomes one class for each node.
    pub enum Assignment {
        /// The most likely one.
        Map = "map",
        /// Drawn from the belief at every inference: each λ is another sample.
        Sampled = "sampled",
    }
}

/// Neighbours that are enough to tell a class by.
const ENOUGH: f64 = 4.0; // measured: docs/ablations.md

table! {
    /// Settings of node copying for so many classes (or levels of a number) and this mean degree, see
    /// [`CopyingParams::check`].
    #[serde(deny_unknown_fields)]
    pub struct CopyingParams(communities: usize, mean_degree: f64) {
        communities: usize = communities, COMMUNITIES, "classes", "classes, or levels of a predicted number",
            "the data";
        copy: f64 = 0.8, PROBABILITY, "probability",
            "copy probability: that a node takes the neighbours of another of its class",
            "measured on citation graphs: docs/ablations.md";
        copies: f64 = (ENOUGH / mean_degree).clamp(1.0, ENOUGH), Range::Number(1.0, 100.0), "nodes",
            "copies per node: how many others a node takes the neighbours of; 1.5: one copy, and a second with \
             probability 1/2",
            "as many as make about four neighbours, at least one: docs/ablations.md";
        assignment: Assignment = Assignment::Map, Range::Word(&Assignment::WORDS), "",
            "class assignment: each node's most likely class, or one sampled at every inference",
            "Regol et al. (2022)";
    }
}

impl CopyingParams {
    /// Accepts the settings, or names the one that is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("copying", Self::SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }
}

impl Settings for CopyingParams {
    fn check(&self) -> Result<(), Error> {
        self.clone().check().map(drop)
    }

    fn communities(&self) -> usize {
        self.communities
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
        let copies = |degree| CopyingParams::new(3, degree).copies;
        assert_eq!([8.0, 4.0, 2.0, 0.5, 0.0].map(copies), [1.0, 1.0, 2.0, 4.0, 4.0]);
    }
}
