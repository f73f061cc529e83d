//! The graphs that networks are trained on: draws of the graph model, alone or together with the observed edges.
//! Paper: G_iv ~ p(G | λ_v).
//! Differs: with `Kept`, the draw is joined with G_obs: what was observed is believed, what was not may be missing. The observed graph
//! then speaks for the single nodes and the drawn one for their communities.

use super::ObservedEdges;
use crate::graph::Graph;
use crate::graph_model::{GraphBuffer, GraphModel};
use crate::rng::Stream;

/// The last draw, and the memory for the next.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    buffer: GraphBuffer,
    union: Graph,
    edges: ObservedEdges,
}

impl Drawn {
    pub(super) fn new(edges: ObservedEdges) -> Self {
        Self { buffer: GraphBuffer::default(), union: Graph::empty(0), edges }
    }

    /// Draws from the model of `observed`.
    pub(super) fn draw(&mut self, model: &dyn GraphModel, observed: &Graph, stream: Stream) -> &Graph {
        model.sample(stream, &mut self.buffer);
        if self.edges == ObservedEdges::Kept {
            self.union.assign_union(self.buffer.graph(), observed);
        }
        self.graph()
    }

    /// The last draw.
    pub(super) fn graph(&self) -> &Graph {
        match self.edges {
            ObservedEdges::Kept => &self.union,
            ObservedEdges::Redrawn => self.buffer.graph(),
        }
    }
}
