//! Memory for drawn graphs, used again for every draw.

use crate::graph::{Graph, Refill};

/// The last graph drawn, and the memory for the next.
#[derive(Clone, Debug)]
pub struct GraphBuffer {
    graph: Graph,
    edges: Vec<(u32, u32)>,
    memory: Refill,
}

impl Default for GraphBuffer {
    fn default() -> Self {
        Self { graph: Graph::empty(0), edges: Vec::new(), memory: Refill::default() }
    }
}

impl GraphBuffer {
    /// The last graph drawn; without nodes before the first draw.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Makes the buffer hold a copy of `graph`; free when it already does.
    pub(crate) fn copy_from(&mut self, graph: &Graph) {
        if self.graph != *graph {
            self.graph = graph.clone();
        }
    }

    /// Makes the buffer hold the graph of the edges that `list` appends: no loops, all within `nodes`, each once.
    pub(crate) fn fill(&mut self, nodes: usize, list: impl FnOnce(&mut Vec<(u32, u32)>)) {
        self.edges.clear();
        list(&mut self.edges);
        self.graph.refill(nodes, &self.edges, &mut self.memory);
    }

    /// Like [`GraphBuffer::fill`]; an edge may be listed twice.
    pub(crate) fn fill_merging(&mut self, nodes: usize, list: impl FnOnce(&mut Vec<(u32, u32)>)) {
        self.fill(nodes, list);
        self.graph.merge_repeated();
    }
}
