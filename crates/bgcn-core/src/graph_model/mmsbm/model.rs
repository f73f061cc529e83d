//! The block model as a [`GraphModel`]: what the estimator asks of it.

use super::{Mmsbm, Sampler, Start};
use crate::graph_model::{Belief, Error, GoOn, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

impl GraphModel for Mmsbm<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.start_again(Start::Belief(belief))
    }

    fn infer(&mut self, iterations: usize, stream: Stream) -> Result<Report, Error> {
        Mmsbm::infer(self, iterations, stream)
    }

    fn infer_watched(&mut self, iterations: usize, mut stream: Stream, go_on: GoOn<'_>) -> Result<Report, Error> {
        self.run(iterations, &mut stream, go_on)
    }

    fn sample(&self, stream: Stream, into: &mut GraphBuffer) {
        // Preparing costs O(N K), less than drawing: nothing is kept that inference would have to throw away.
        Sampler::new(&self.lambda, self.params.draw).draw(stream, into);
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        self.lambda.edge_probability(a, b)
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(self.lambda.clone()))
    }

    fn parameters(&self) -> Option<Parameters> {
        Some((&self.lambda).into())
    }
}
