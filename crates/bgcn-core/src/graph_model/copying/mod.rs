//! Node copying: a node could have had the neighbours of another node of its class.
//! Paper: one of the "other graph models" of its outlook. Regol, Pal, Zhang and Coates, "Node copying: a random graph
//! model for effective graph sampling" (Signal Processing, 2022).
//! Differs: the network's present belief gives the classes, any node of the class may be copied, the node itself
//! included, and on a sparse graph a node may take the neighbours of several others.
//! Symbols: ẑ `[n]` the assigned classes, ε (`copy`) the copy probability, z_a a node whose neighbours a takes, c
//! (`copies`) how many there are.
//!
//! ```text
//! z_a = a uniformly random node of class ẑ_a   with probability ε
//!       a itself                              otherwise               ⌊c⌋ times, once more with probability c − ⌊c⌋
//! a and b are joined in G where b is a neighbour of a z_a in G_obs, or a is one of a z_b
//!
//! r_ab = (1 − ε) y_ab + ε |N(b) ∩ class ẑ_a| / |class ẑ_a|      b is a neighbour of one z_a
//! q_ab = 1 − (1 − r_ab)^⌊c⌋ (1 − (c − ⌊c⌋) r_ab)               b is a neighbour of some z_a
//! p(y_ab = 1 | ẑ) = 1 − (1 − q_ab)(1 − q_ba)                    all z are independent
//! ```
//!
//! Degrees, hubs and ties between classes are those of the observed graph: nothing is assumed of them, and only the
//! classes are inferred. A draw costs O(N + its edges).

mod members;
mod pairs;
mod params;

pub use params::{Assignment, CopyingParams};

use super::{Array, Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::blocks::grouped::Grouped;
use crate::graph_model::blocks::memberships::strongest;
use crate::rng::{Random as _, Stream};
use std::sync::{Arc, OnceLock};

/// Node copying on one observed graph.
#[derive(Clone, Debug)]
pub struct Copying<'g> {
    graph: &'g Graph,
    params: Checked<CopyingParams>,
    /// ẑ `[n]`, and the nodes of each class.
    labels: Vec<u32>,
    classes: Grouped,
    /// The belief [n, k] that classes are drawn from; empty where they are not drawn.
    belief: Vec<f32>,
    /// The observed graph for the beliefs that outlive the model, copied when first asked for.
    shared: OnceLock<Arc<Graph>>,
}

impl<'g> Copying<'g> {
    /// The model of `graph` with classes from a belief over them.
    pub fn start(params: &Checked<CopyingParams>, graph: &'g Graph, belief: Belief<'_>) -> Result<Self, Error> {
        let (params, labels, classes) = (params.clone(), Vec::new(), Grouped::new(&[], 0));
        let mut model = Self { graph, params, labels, classes, belief: Vec::new(), shared: OnceLock::new() };
        model.restart(belief)?;
        Ok(model)
    }

    fn assign(&mut self, labels: Vec<u32>) {
        self.classes = Grouped::new(&labels, self.params.communities);
        self.labels = labels;
    }

    /// c: how often each node copies, and the chance that it does so once more.
    fn copies(&self) -> (u32, f64) {
        (self.params.copies as u32, self.params.copies.fract())
    }
}

impl GraphModel for Copying<'_> {
    /// The most likely classes, until an inference draws others.
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        let k = self.params.communities;
        members::check(belief, self.graph.nodes(), k)?;
        self.assign(belief.rows.chunks_exact(k).map(strongest).collect());
        self.belief.clear();
        if self.params.assignment == Assignment::Sampled {
            self.belief.extend_from_slice(belief.rows);
        }
        Ok(())
    }

    /// Draws the classes where they are to be drawn. There is nothing to iterate: the report has 0 iterations.
    fn infer(&mut self, _iterations: usize, mut stream: Stream) -> Result<Report, Error> {
        if self.params.assignment == Assignment::Sampled {
            let k = self.params.communities;
            self.assign(self.belief.chunks_exact(k).map(|row| members::pick(row, &mut stream)).collect());
        }
        Ok(Report::default())
    }

    fn sample(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let (mut random, copy) = (stream.fast(), self.params.copy);
        let (always, sometimes) = self.copies();
        into.fill_merging(self.graph.nodes(), |edges| {
            for (a, &class) in (0..).zip(&self.labels) {
                let times = always + u32::from(sometimes > 0.0 && random.unit() < sometimes);
                for _ in 0..times {
                    let copied = if random.unit() < copy {
                        let class = self.classes.block(class as usize);
                        class[random.below(class.len() as u64) as usize]
                    } else {
                        a
                    };
                    edges.extend(self.graph.neighbours(copied).iter().filter(|b| **b != a).map(|&b| (a, b)));
                }
            }
        });
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let kept = if self.graph.has_edge(a, b) { 1.0 - self.params.copy } else { 0.0 };
        let labels = &self.labels;
        let q = |a: u32, b: u32| {
            let class = labels[a as usize];
            let inside = self.graph.neighbours(b).iter().filter(|c| labels[**c as usize] == class).count();
            let r = kept + self.params.copy * inside as f64 / self.classes.block(class as usize).len() as f64;
            repeated(r, self.copies())
        };
        either(q(a, b), q(b, a))
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(pairs::Copied::of(self)))
    }

    /// ẑ as `classes` `[n]`.
    fn parameters(&self) -> Option<Parameters> {
        let classes = Array::Labels(self.labels.clone());
        let small = [("communities".to_owned(), self.params.communities.into())].into_iter().collect();
        Some(Parameters { nodes: self.graph.nodes(), small, arrays: [("classes".to_owned(), classes)].into() })
    }
}

/// The chance of an event that has the chance `r` each of so many times, and once more sometimes.
///
/// Rises with `r`, rounding included, which the bound of a search relies on: `powi` may round differently from call to
/// call, these multiplications do not.
fn repeated(r: f64, (always, sometimes): (u32, f64)) -> f64 {
    let r = r.min(1.0); // shares of a class are rounded, so that a node whose class is all neighbours would exceed 1
    let (mut none, mut square, mut times) = (1.0, 1.0 - r, always);
    while times > 0 {
        if times % 2 == 1 {
            none *= square;
        }
        square *= square;
        times /= 2;
    }
    1.0 - none * (1.0 - sometimes * r)
}

/// The chance of one of two independent events, or both.
fn either(p: f64, q: f64) -> f64 {
    1.0 - (1.0 - p) * (1.0 - q)
}

#[cfg(test)]
mod tests;
