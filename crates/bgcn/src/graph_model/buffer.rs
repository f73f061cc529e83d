//! Memory for drawn graphs, used again for every draw.

use crate::graph::Graph;

/// The last graph drawn, and the memory for the next.
#[derive(Clone, Debug)]
pub struct GraphBuffer {
    graph: Graph,
}

impl Default for GraphBuffer {
    fn default() -> Self {
        Self { graph: Graph::empty(0) }
    }
}

impl GraphBuffer {
    /// The last graph drawn; without nodes before the first draw.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Makes the buffer hold a copy of `graph`; free when it already does.
    pub fn copy_from(&mut self, graph: &Graph) {
        if self.graph != *graph {
            self.graph = graph.clone();
        }
    }
}
