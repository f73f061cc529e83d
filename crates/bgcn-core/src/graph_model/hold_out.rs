//! Links that are held out from inference, to score a model by their likelihood.
//! Paper: not in it.

use super::Pair;
use crate::graph::Graph;
use crate::rng::{Random as _, Stream};

/// Links taken out of a graph, and as many pairs that were never linked.
#[derive(Clone, Debug)]
pub struct HoldOut {
    /// The graph without the links that were taken out.
    pub graph: Graph,
    /// The pairs inference does not see.
    pub pairs: Vec<Pair>,
}

impl HoldOut {
    /// Takes out `share` of the links (rounded), and picks as many pairs without one, where there are any.
    ///
    /// `share` outside [0, 1] counts as the nearer end.
    pub fn draw(graph: &Graph, share: f64, mut stream: Stream) -> Self {
        let mut edges: Vec<(u32, u32)> = graph.edge_list().collect();
        let count = (edges.len() as f64 * share.clamp(0.0, 1.0)).round() as usize;
        stream.shuffle(&mut edges);
        let mut pairs: Vec<Pair> = edges[..count].iter().map(|&(a, b)| Pair { a, b, linked: true }).collect();
        let n = graph.nodes() as u64;
        let free = n.saturating_mul(n.saturating_sub(1)) / 2 - edges.len() as u64;
        for _ in 0..(count as u64).min(free) {
            let (a, b) = loop {
                let (a, b) = (stream.below(n) as u32, stream.below(n) as u32);
                if a != b && !graph.has_edge(a, b) {
                    break (a, b);
                }
            };
            pairs.push(Pair { a, b, linked: false });
        }
        let graph = Graph::from_edges(graph.nodes(), &edges[count..]).expect("edges of a graph are inside it");
        Self { graph, pairs }
    }
}
