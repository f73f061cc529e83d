//! Node copying: a node may as well have had the neighbours of another node of its class.
//! Paper: one of the "other graph models" of its outlook. Regol, Pal, Zhang and Coates, "Node copying: a random graph model for
//! effective graph sampling" (Signal Processing, 2022).
//! Differs: the network's present belief gives the classes, and any node of the class may be copied, the node itself included,
//! but nodes that are sure of their class rather than others.
//! Symbols: ẑ `[n]` the believed classes, c_a = p_a(ẑ_a)^s how sure of them, s (`sureness`); C_k the c_a of class k together;
//! ε (`copy`) the chance to copy, z_a the node whose neighbours a takes.
//!
//! ```text
//! z_a = a node b of class ẑ_a, with probability c_b / C_ẑa   with probability ε
//!       a itself                                            otherwise
//! a and b are joined in G where b is a neighbour of z_a in G_obs, or a is one of z_b
//!
//! q_ab = (1 − ε) y_ab + ε Σ_{e ∈ N(b) of class ẑ_a} c_e / C_ẑa   b is a neighbour of z_a
//! p(y_ab = 1 | ẑ) = 1 − (1 − q_ab)(1 − q_ba)                    z_a and z_b are independent
//! ```
//!
//! Degrees, hubs and ties between classes are those of the observed graph, whatever they are: nothing is assumed of them, and
//! there is nothing to infer but the classes. A draw costs O(N + its edges).

mod members;
mod pairs;
mod params;

pub use params::{Classes, CopyingParams};

use super::{Array, Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::memberships::strongest;
use crate::rng::{Random as _, Stream};
use members::Members;
use std::sync::{Arc, OnceLock};

/// Node copying on one observed graph.
#[derive(Clone, Debug)]
pub struct Copying<'g> {
    graph: &'g Graph,
    params: Checked<CopyingParams>,
    members: Members,
    /// The belief [n, k] that classes are drawn from; empty where they are not drawn.
    belief: Vec<f32>,
    /// The observed graph for the beliefs that outlive the model, copied when first asked for.
    shared: OnceLock<Arc<Graph>>,
}

impl<'g> Copying<'g> {
    /// The model of `graph` with classes from a belief over them.
    pub fn start(params: &Checked<CopyingParams>, graph: &'g Graph, belief: Belief<'_>) -> Result<Self, Error> {
        let (members, shared) = (Members::default(), OnceLock::new());
        let mut model = Self { graph, params: params.clone(), members, belief: Vec::new(), shared };
        model.restart(belief)?;
        Ok(model)
    }

    /// The model of `graph` at a λ that was kept.
    pub fn resume(params: &Checked<CopyingParams>, graph: &'g Graph, lambda: &Parameters) -> Result<Self, Error> {
        let k = params.communities;
        let (classes, weights) = members::saved(lambda, k)?;
        let mut members = Members::default();
        members.assign_weighted(k, classes.iter().copied(), weights.to_vec());
        Ok(Self { graph, params: params.clone(), members, belief: Vec::new(), shared: OnceLock::new() })
    }

    /// ẑ `[n]`, the class of each node.
    pub fn classes(&self) -> &[u32] {
        &self.members.labels
    }
}

impl GraphModel for Copying<'_> {
    /// The most likely classes, until an inference draws others.
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        let k = self.params.communities;
        members::check(belief, self.graph.nodes(), k)?;
        let classes = belief.rows.chunks_exact(k).map(strongest);
        self.belief.clear();
        if self.params.classes == Classes::Sampled {
            self.belief.extend_from_slice(belief.rows);
        }
        if self.params.classes == Classes::Sampled || self.params.sureness == 0.0 {
            self.members.assign(k, classes);
        } else {
            let sure = |row| members::sure(row, self.params.sureness);
            self.members.assign_weighted(k, classes, belief.rows.chunks_exact(k).map(sure).collect());
        }
        Ok(())
    }

    /// Draws the classes where they are to be drawn. There is nothing to iterate: the report always says 0.
    fn infer(&mut self, _iterations: usize, mut stream: Stream) -> Result<Report, Error> {
        if self.params.classes == Classes::Sampled {
            let k = self.params.communities;
            self.members.assign(k, self.belief.chunks_exact(k).map(|row| members::pick(row, &mut stream)));
        }
        Ok(Report::default())
    }

    fn sample(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let (mut random, copy) = (stream.fast(), self.params.copy);
        into.fill_merging(self.graph.nodes(), |edges| {
            for (a, &class) in (0..).zip(&self.members.labels) {
                let copied = if random.unit() < copy { self.members.draw(class, &mut random) } else { a };
                edges.extend(self.graph.neighbours(copied).iter().filter(|b| **b != a).map(|&b| (a, b)));
            }
        });
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let kept = if self.graph.has_edge(a, b) { 1.0 - self.params.copy } else { 0.0 };
        let Members { labels, weights, totals, .. } = &self.members;
        let q = |a: u32, b: u32| {
            let class = labels[a as usize];
            let inside = self.graph.neighbours(b).iter().map(|&e| e as usize).filter(|&e| labels[e] == class);
            let share = inside.map(|e| f64::from(weights[e])).sum::<f64>() / totals[class as usize];
            kept + self.params.copy * share
        };
        either(q(a, b), q(b, a))
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(pairs::Copied::of(self)))
    }

    /// ẑ as `classes` `[n]`, c as `sure` [n, 1].
    fn parameters(&self) -> Option<Parameters> {
        let classes = Array::Labels(self.members.labels.clone());
        let sure = Array::Rows { columns: 1, values: self.members.weights.clone() };
        let small = [("communities".to_owned(), self.params.communities.into())].into_iter().collect();
        let arrays = [("classes".to_owned(), classes), ("sure".to_owned(), sure)].into();
        Some(Parameters { nodes: self.graph.nodes(), small, arrays })
    }
}

/// The chance of one of two independent events, or both.
fn either(p: f64, q: f64) -> f64 {
    1.0 - (1.0 - p) * (1.0 - q)
}

#[cfg(test)]
mod tests;
