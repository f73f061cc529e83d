//! The mixed-membership block model as a [`GraphModel`]: what the estimator asks of it.

use super::Mmsb;
use crate::graph_model::blocks::pairs::BlockBelief;
use crate::graph_model::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

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
