//! The mixed-membership stochastic block model with a full block matrix.
//! Paper: the general model of which its assortative one (`mmsbm`) is a special case.
//! Differs: from `mmsbm`, in a free rate for every two communities instead of one background: communities may also
//! avoid each other, or themselves. The prior of the memberships is centred on the network's belief.
//! Symbols: `pi` [n, k], rows sum to 1, prior Dir(1 + κ p_a); `b` [k, k], symmetric, in (0, 1); p(y_ab = 1) = pi_aᵀ B
//! pi_b.

mod convergence;
mod gradient;
mod infer;
mod params;
#[cfg(test)]
mod proof;
mod sample;

pub use crate::graph_model::mmsbm::Draw;
pub use params::MmsbParams;

use super::BlockMatrix;
use super::blocks::matrix::BlockPrior;
use super::blocks::memberships::Memberships;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::blocks::pairs::BlockBelief;
use crate::graph_model::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use gradient::Gradient;
use std::sync::Arc;

/// The block model of one observed graph: where inference stands, and the memory it uses.
#[derive(Clone, Debug)]
pub struct Mmsb<'g> {
    graph: &'g Graph,
    params: Checked<MmsbParams>,
    pi: Memberships,
    b: BlockMatrix,
    /// B given everyone's strongest community.
    hard: BlockMatrix,
    /// p, where the prior of pi is centred.
    belief: Memberships,
    prior: BlockPrior,
    /// Iterations since the start.
    t: usize,
    gradient: Gradient,
}

impl GraphModel for Mmsb<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.begin(belief)
    }

    fn infer(&mut self, iterations: usize, _stream: Stream) -> Result<Report, Error> {
        self.run(iterations)
    }

    fn sample(&self, stream: Stream, into: &mut GraphBuffer) {
        self.draw(stream, into);
    }

    /// pi_aᵀ B pi_b.
    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b { 0.0 } else { self.probability(a, b) }
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(BlockBelief::new(&self.pi, &self.b)))
    }

    /// pi and B.
    fn parameters(&self) -> Option<Parameters> {
        Some(self.b.parameters("pi", &self.pi))
    }
}
