//! The graphs that networks are trained on: draws of the graph model, alone or together with the observed edges.
//! Paper: G_iv ~ p(G | λ_v).
//! Differs: with `Kept`, the draw is joined with G_obs: what was observed is believed, what was not may be missing. The observed graph
//! then speaks for the single nodes and the drawn one for their communities.

use super::{ObservedEdges, Plan};
use crate::graph::Graph;
use crate::graph_model::{GraphBuffer, GraphModel};
use crate::rng::Stream;

/// The last draw, and the memory for the next.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    buffer: GraphBuffer,
    union: Graph,
    /// Whether observed edges are kept in draws of each part of the model.
    kept: Vec<bool>,
    last_kept: bool,
}

impl Drawn {
    pub(super) fn new(plan: &Plan) -> Self {
        let kept = plan.edges_by_part().map(|edges| edges == ObservedEdges::Kept).collect();
        Self { buffer: GraphBuffer::default(), union: Graph::empty(0), kept, last_kept: false }
    }

    /// Draws from the model of `observed`: from one of its parts, or from whichever it picks.
    pub(super) fn draw(
        &mut self,
        part: Option<usize>,
        model: &dyn GraphModel,
        observed: &Graph,
        mut stream: Stream,
    ) -> &Graph {
        let part = part.unwrap_or_else(|| model.pick(&mut stream));
        self.last_kept = self.kept[part];
        model.sample_part(part, stream, &mut self.buffer);
        if self.last_kept {
            self.union.assign_union(self.buffer.graph(), observed);
        }
        self.graph()
    }

    /// The last draw.
    pub(super) fn graph(&self) -> &Graph {
        if self.last_kept { &self.union } else { self.buffer.graph() }
    }
}
