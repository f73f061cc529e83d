//! The trivial model: every draw is G_obs, so that a plain network runs through the same code.
//! Paper: what the GCNN rows of its tables do.
//! Differs: nothing.
//! Symbols: p(G | λ) = 1 for G = G_obs.

use super::registry::Settings;
use super::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::graph::Graph;
use crate::rng::Stream;
use std::sync::Arc;

/// The observed graph has no settings.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ObservedParams {}

impl Settings for ObservedParams {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn single_lambda(&self) -> Option<&'static str> {
        Some("the observed graph has no unknown parameters to sample")
    }

    fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error> {
        Ok(Box::new(Observed::new(graph)))
    }

    fn resume<'g>(&self, graph: &'g Graph, _parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        self.start(graph)
    }
}

/// A point mass on the observed graph.
#[derive(Clone, Copy, Debug)]
pub struct Observed<'g> {
    graph: &'g Graph,
}

impl<'g> Observed<'g> {
    /// The model of `graph`.
    pub fn new(graph: &'g Graph) -> Self {
        Self { graph }
    }
}

impl GraphModel for Observed<'_> {
    fn restart(&mut self, _belief: Belief<'_>) -> Result<(), Error> {
        Ok(())
    }

    fn infer(&mut self, _iterations: usize, _stream: Stream) -> Result<Report, Error> {
        Ok(Report::default())
    }

    fn sample(&self, _stream: Stream, into: &mut GraphBuffer) {
        into.copy_from(self.graph);
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        f64::from(u8::from(self.graph.has_edge(a, b)))
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        None
    }

    fn parameters(&self) -> Option<Parameters> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};

    #[test]
    fn every_draw_is_the_observed_graph() {
        let graph = Graph::from_edges(4, &[(0, 1), (1, 3)]).unwrap();
        let mut model = Observed::new(&graph);
        let mut buffer = GraphBuffer::default();
        assert_eq!(model.infer(10, Seed::new(1).at(For::Lambda, [0; 3])).unwrap().iterations, 0);
        for i in 0..3 {
            model.sample(Seed::new(1).at(For::Graph, [0, i, 0]), &mut buffer);
            assert_eq!(buffer.graph(), &graph);
        }
        assert_eq!([model.edge_probability(3, 1), model.edge_probability(0, 3)], [1.0, 0.0]);
    }
}
