//! λ from the graph alone, where no network's belief can start it.
//! Paper: not in it; "a random start often fails" is why the paper starts from a network's output.
//! Differs: three named starts, then coordinate ascent ([`Ascent`]) in linear time.
//! Symbols: `pi` [n, k], rows sum to 1; K communities.
//!
//! Compared on ca-AstroPh (17,903 nodes, 196,972 links, K = 20), 1 % of the links and as many non-links held out, mean
//! of five hold-outs after 25 sweeps (`examples/held_out_links.rs`), log-likelihood per link / per non-link / over
//! both:
//!
//! ```text
//! agglomerate  -3.667  -0.0023  -1.8345
//! propagate    -3.861  -0.0022  -1.9316
//! random       -3.926  -0.0023  -1.9640
//! ```

mod agglomerate;
mod ascend;
mod propagate;

pub use ascend::Ascent;
pub(super) use ascend::multiplier;

use crate::graph::Graph;
use crate::rng::{Random, Stream};
use crate::setting::words;

/// How much of a node's membership a start gives to its own community; the rest is spread evenly, because a
/// membership near zero takes many rounds to grow.
const OWN: f32 = 0.6;

words! {
    /// Where first memberships come from.
    pub enum FromGraph {
        /// Communities merged while modularity grows (the best on ca-AstroPh).
        Agglomerate = "agglomerate",
        /// Labels spread along the links from far-apart nodes of high degree.
        Propagate = "propagate",
        /// A uniformly random point of the simplex for every node.
        Random = "random",
    }
}

impl FromGraph {
    /// Soft memberships [n, k], in O(N K + E) for a bounded number of rounds. All randomness comes from `stream`.
    pub fn memberships(self, graph: &Graph, k: usize, stream: Stream) -> Vec<f32> {
        let mut stream = stream;
        match self {
            Self::Agglomerate => soften(&agglomerate::labels(graph, k, &mut stream), k, &mut stream),
            Self::Propagate => soften(&propagate::labels(graph, k, &mut stream), k, &mut stream),
            Self::Random => soften(&vec![None; graph.nodes()], k, &mut stream),
        }
    }
}

/// Memberships [n, k] from labels; nodes without one get a random row.
fn soften(labels: &[Option<u32>], k: usize, stream: &mut Stream) -> Vec<f32> {
    let mut random = stream.fast();
    let mut pi = vec![(1.0 - OWN) / k as f32; labels.len() * k];
    for (row, label) in pi.chunks_exact_mut(k).zip(labels) {
        match label {
            Some(own) => row[*own as usize] += OWN,
            None => {
                row.iter_mut().for_each(|p| *p = -(1.0 - random.unit()).ln() as f32 + 1e-6);
                let total: f32 = row.iter().sum();
                row.iter_mut().for_each(|p| *p /= total);
            }
        }
    }
    pi
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    /// `k` cliques of `size` nodes in a ring, one link between neighbours.
    pub(super) fn cliques(k: u32, size: u32) -> Graph {
        let mut edges = Vec::new();
        for c in 0..k {
            edges.extend((0..size).flat_map(|i| (0..i).map(move |j| (c * size + i, c * size + j))));
            edges.push((c * size, (c + 1) % k * size + 1));
        }
        Graph::from_edges((k * size) as usize, &edges).unwrap()
    }

    #[test]
    fn cliques_in_a_ring_become_communities() {
        let graph = cliques(6, 10);
        for start in [FromGraph::Agglomerate, FromGraph::Propagate] {
            let pi = start.memberships(&graph, 6, Seed::new(1).at(For::Lambda, [0; 3]));
            let strongest = |a: usize| (0..6).max_by(|&x, &y| pi[a * 6 + x].total_cmp(&pi[a * 6 + y])).unwrap();
            let first: Vec<usize> = (0..6).map(|c| strongest(c * 10 + 5)).collect();
            for a in 0..60 {
                assert_eq!(strongest(a), first[a / 10], "{}: node {a}", start.name());
            }
            // Labels may spread over two cliques, up to their limit; merging keeps all apart.
            let apart = (0..6).all(|k| first.contains(&k));
            assert!(apart || start == FromGraph::Propagate, "{first:?}");
        }
    }

    proptest! {
        #[test]
        fn every_start_gives_distributions_on_any_graph(
            n in 0usize..40, k in 1usize..6, raw in prop::collection::vec((0u32..40, 0u32..40), 0..80),
        ) {
            let fit = |x: u32| x % n.max(1) as u32;
            let edges: Vec<_> = if n == 0 { Vec::new() } else { raw.iter().map(|&(a, b)| (fit(a), fit(b))).collect() };
            let graph = Graph::from_edges(n, &edges).unwrap();
            for start in FromGraph::ALL {
                let stream = || Seed::new(2).at(For::Lambda, [0; 3]);
                let pi = start.memberships(&graph, k, stream());
                prop_assert_eq!(pi.len(), n * k);
                for row in pi.chunks(k) {
                    prop_assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4 && row.iter().all(|p| *p > 0.0));
                }
                prop_assert_eq!(&pi, &start.memberships(&graph, k, stream()));
                prop_assert!(Ascent::default().run(&graph, k, &pi).is_ok());
            }
        }
    }
}
