//! The stochastic block model: every node has one label, and the labels of two nodes give the probability of an edge.
//! Paper: named among the random-graph models that p(λ | G_obs) may be about.
//! Differs: from the paper's `mmsbm`, in one label per node instead of memberships, and in a full K×K matrix instead of
//! a diagonal and one background: blocks may also avoid each other, or themselves.
//! Symbols: z_a the label, p(z_a = k) ∝ p_ak^κ around the network's belief p_a; `q` [n, k] its posterior; `b` [k, k],
//! symmetric; p(y_ab = 1) = B_{z_a z_b}.

mod infer;
mod params;
mod sample;

pub use params::{Draw, SbmParams};

use super::blocks::labels::LabelPosterior;
use crate::checked::Checked;
use crate::graph_model::blocks::pairs::BlockBelief;
use crate::graph_model::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

/// The block model of one observed graph: where inference stands.
#[derive(Clone, Debug)]
pub struct Sbm<'g> {
    params: Checked<SbmParams>,
    posterior: LabelPosterior<'g>,
}

impl GraphModel for Sbm<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.posterior.restart(belief)
    }

    fn infer(&mut self, iterations: usize, _stream: Stream) -> Result<Report, Error> {
        Ok(self.posterior.infer(iterations))
    }

    fn sample(&self, stream: Stream, into: &mut GraphBuffer) {
        self.draw(stream, into);
    }

    /// Averaged over q: Σ_kl q_ak q_bl B_kl, which is how often graphs drawn with `sampled` labels have the edge.
    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b { 0.0 } else { self.posterior.blocks().probability(self.row(a), self.row(b), |rate| rate) }
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(BlockBelief::new(self.posterior.q(), self.posterior.blocks())))
    }

    /// q and B.
    fn parameters(&self) -> Option<Parameters> {
        Some(self.posterior.blocks().parameters("q", self.posterior.q()))
    }
}
