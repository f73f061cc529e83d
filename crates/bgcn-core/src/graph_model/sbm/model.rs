//! The block model as a [`GraphModel`]: what the estimator asks of it.

use super::Sbm;
use crate::graph_model::blocks::pairs::BlockBelief;
use crate::graph_model::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

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
