//! The stochastic block model: every node has one label, and the labels of two nodes give the probability of an edge.
//! Paper: named among the random-graph models that p(λ | G_obs) may be about.
//! Differs: from the paper's `mmsbm`, in one label per node instead of memberships, and in a full K×K matrix instead of
//! a diagonal and one background: blocks may also avoid each other, or themselves.
//! Symbols: z_a the label, p(z_a = k) ∝ p_ak^κ around the network's belief p_a; `q` [n, k] its posterior; `b` [k, k],
//! symmetric; p(y_ab = 1) = B_{z_a z_b}.

mod params;
#[cfg(test)]
mod tests;

pub use params::{Draw, SbmParams};

use super::blocks::label_model::{LabelModel, LabelParams};
use super::blocks::labels::Likelihood;
use crate::graph::Graph;

/// The block model of one observed graph.
pub type Sbm<'g> = LabelModel<'g, SbmParams>;

impl LabelParams for SbmParams {
    const LIKELIHOOD: Likelihood = Likelihood::Bernoulli;

    fn blocks(&self) -> &SbmParams {
        self
    }

    fn weights(&self, graph: &Graph) -> Vec<f32> {
        vec![1.0; graph.nodes()]
    }
}
