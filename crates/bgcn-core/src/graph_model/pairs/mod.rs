//! Edge probabilities p(y_ab = 1) by a graph model, averaged over inferences.
//! Paper: the edge study, "edges with the lowest and non-edges with the highest posterior probability".
//! Differs: ties break by node order; the best unobserved pairs are found by bounds instead of by visiting N² pairs,
//! and are still exact.
//! Symbols: λ_v the v-th inference of V; p = 1/V Σ_v p(y_ab = 1 | λ_v).

mod belief;
mod search;
mod weighted;

pub use belief::{Extremes, PairBelief};
pub(crate) use weighted::weighted;

use super::Error;
use crate::graph::Graph;
use serde::Serialize;
use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// A pair and the belief that it is joined; a < b.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BelievedPair {
    /// The smaller node.
    pub a: u32,
    /// The larger.
    pub b: u32,
    /// p(y_ab = 1), averaged.
    pub p: f64,
}

/// The average over several inferences of any model; memory is that of their rows, O(V N K).
#[derive(Clone, Debug, Default)]
pub struct EdgeBeliefs {
    inferences: Vec<Arc<dyn PairBelief>>,
}

impl EdgeBeliefs {
    /// No inference yet; every probability is 0.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an inference to the average. All must be about the same nodes; their communities may differ.
    pub fn add(&mut self, inference: Arc<dyn PairBelief>) -> Result<(), Error> {
        if let Some(first) = self.inferences.first()
            && first.nodes() != inference.nodes()
        {
            let found = format!("an inference about {} nodes joins ones about {}", inference.nodes(), first.nodes());
            return Err(Error::start(found));
        }
        self.inferences.push(inference);
        Ok(())
    }

    /// V, the inferences averaged.
    pub fn inferences(&self) -> usize {
        self.inferences.len()
    }

    /// p(y_ab = 1), averaged; 0 for a = b. Panics when a node does not exist.
    pub fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let sum = self.inferences.iter().fold(0.0, |sum, inference| sum + inference.probability(a, b));
        sum / self.inferences.len().max(1) as f64
    }

    /// The `count` edges of `graph` of lowest posterior probability, lowest first; O(E V K).
    pub fn least_likely_observed(&self, graph: &Graph, count: usize) -> Vec<BelievedPair> {
        self.assert_same_nodes(graph);
        let mut best = Best::new(count);
        for (a, b) in graph.edge_list() {
            // The smallest come first: negated, they are the largest.
            best.offer(BelievedPair { a, b, p: -self.edge_probability(a, b) });
        }
        let mut found = best.into_sorted();
        found.iter_mut().for_each(|pair| pair.p = -pair.p);
        found
    }

    /// The `count` pairs without an edge in `graph` of highest posterior probability, highest first.
    ///
    /// Exact, ties by node order. Visits pairs of node sets in the order of an upper bound, so the cost depends on how
    /// far the memberships of nodes differ; with many exact ties it grows with `count`, not with their number.
    pub fn most_likely_unobserved(&self, graph: &Graph, count: usize) -> Vec<BelievedPair> {
        self.assert_same_nodes(graph);
        search::Search::new(self, graph, count).run()
    }

    fn assert_same_nodes(&self, graph: &Graph) {
        let n = self.inferences.first().map_or(graph.nodes(), |inference| inference.nodes());
        assert_eq!(n, graph.nodes(), "beliefs about {n} nodes, a graph of {}", graph.nodes());
    }
}

/// Greatest belief first; ties by node order.
fn rank(x: &BelievedPair, y: &BelievedPair) -> Ordering {
    y.p.total_cmp(&x.p).then((x.a, x.b).cmp(&(y.a, y.b)))
}

/// A pair in the order of [`rank`]; the heap's top is the worst.
struct ByRank(BelievedPair);

impl PartialEq for ByRank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for ByRank {}
impl PartialOrd for ByRank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for ByRank {
    fn cmp(&self, other: &Self) -> Ordering {
        rank(&self.0, &other.0)
    }
}

/// The first `count` pairs by [`rank`] among those offered.
struct Best {
    count: usize,
    worst_first: BinaryHeap<ByRank>,
}

impl Best {
    fn new(count: usize) -> Self {
        Self { count, worst_first: BinaryHeap::new() }
    }

    /// Whether a pair like this would be kept.
    fn wants(&self, pair: &BelievedPair) -> bool {
        self.worst_first.len() < self.count || self.worst_first.peek().is_some_and(|worst| rank(pair, &worst.0).is_lt())
    }

    fn offer(&mut self, pair: BelievedPair) {
        if self.wants(&pair) {
            if self.worst_first.len() == self.count {
                self.worst_first.pop();
            }
            self.worst_first.push(ByRank(pair));
        }
    }

    fn into_sorted(self) -> Vec<BelievedPair> {
        self.worst_first.into_sorted_vec().into_iter().map(|pair| pair.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::mmsbm::Lambda;
    use crate::rng::{For, Random, Seed};
    use proptest::prelude::*;

    /// V inferences about n nodes: peaked, smooth, or from a few values only, which makes ties.
    fn beliefs(n: usize, k: usize, v: usize, kind: usize, seed: u64) -> EdgeBeliefs {
        let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
        let mut beliefs = EdgeBeliefs::new();
        for _ in 0..v {
            let mut pi = Vec::new();
            for _ in 0..n {
                let label = random.below(k as u64) as usize;
                pi.extend((0..k).map(|j| match kind {
                    0 => random.gamma(0.2) as f32 + 1e-6,
                    1 => random.gamma(2.0) as f32 + 1e-6,
                    2 => f32::from(j == label),
                    _ => 1.0 + 3.0 * f32::from(j == label),
                }));
            }
            // beta is below delta now and then.
            let beta = (0..k).map(|_| if kind == 3 { 0.25 } else { 0.5 * random.unit() }).collect();
            beliefs.add(Arc::new(Lambda::new(k, &pi, beta, 0.05).unwrap())).unwrap();
        }
        beliefs
    }

    fn random_graph(n: usize, p: f64, seed: u64) -> Graph {
        let mut random = Seed::new(seed).at(For::Graph, [0; 3]);
        let pairs = (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b)));
        let edges: Vec<_> = pairs.filter(|_| random.unit() < p).collect();
        Graph::from_edges(n, &edges).unwrap()
    }

    proptest! {
        #[test]
        fn searches_equal_sorting_every_pair(
            n in 2usize..90, k in 1usize..5, v in 1usize..4, kind in 0usize..4, count in 0usize..60, seed in 0u64..500,
        ) {
            let (beliefs, graph) = (beliefs(n, k, v, kind, seed), random_graph(n, 0.1, seed));
            let pairs = (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b)));
            let all = pairs.map(|(a, b)| BelievedPair { a, b, p: beliefs.edge_probability(a, b) });
            let (mut joined, mut apart): (Vec<_>, Vec<_>) = all.partition(|pair| graph.has_edge(pair.a, pair.b));
            apart.sort_by(rank);
            apart.truncate(count);
            prop_assert_eq!(beliefs.most_likely_unobserved(&graph, count), apart);
            joined.sort_by(|x, y| x.p.total_cmp(&y.p).then((x.a, x.b).cmp(&(y.a, y.b))));
            joined.truncate(count);
            prop_assert_eq!(beliefs.least_likely_observed(&graph, count), joined);
        }
    }

    #[test]
    fn the_average_is_that_of_the_inferences() {
        let one = Lambda::new(2, &[1.0, 1.0, 1.0, 3.0], vec![0.5, 0.1], 0.01).unwrap();
        let two = Lambda::new(1, &[1.0, 1.0], vec![0.3], 0.01).unwrap();
        let wanted = (one.edge_probability(0, 1) + 0.3) / 2.0;
        let mut beliefs = EdgeBeliefs::new();
        beliefs.add(Arc::new(one)).unwrap();
        beliefs.add(Arc::new(two)).unwrap();
        assert!((beliefs.edge_probability(0, 1) - wanted).abs() < 1e-15);
        assert_eq!((beliefs.edge_probability(1, 1), beliefs.inferences()), (0.0, 2));
        assert!(beliefs.add(Arc::new(Lambda::new(1, &[1.0], vec![0.3], 0.01).unwrap())).is_err());
    }

    // Five thousand million tied pairs: this ends only because they are not enumerated.
    #[test]
    fn ties_by_the_million_cost_no_more_than_the_pairs_asked_for() {
        let n = 100_000;
        let mut beliefs = EdgeBeliefs::new();
        beliefs.add(Arc::new(Lambda::new(1, &vec![1.0; n], vec![0.3], 0.01).unwrap())).unwrap();
        let graph = Graph::from_edges(n, &[(0, 1), (0, 3), (1, 2)]).unwrap();
        let found = beliefs.most_likely_unobserved(&graph, 100_000);
        let first: Vec<_> = found[..2].iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(first, [(0, 2), (0, 4)]);
        let rest: Vec<_> = found[99_997..].iter().map(|pair| (pair.a, pair.b)).collect();
        assert_eq!(rest, [(1, 3), (1, 4), (1, 5)]);
        assert!(EdgeBeliefs::new().most_likely_unobserved(&Graph::empty(3), 2).len() == 2);
    }
}
