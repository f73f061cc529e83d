//! What describes a graph in a few numbers.

use super::Graph;
use serde::Serialize;

/// The degrees of a graph in a few numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DegreeSummary {
    /// Smallest.
    pub min: usize,
    /// Half of the nodes have at most this many neighbours.
    pub median: usize,
    /// 2E/N.
    pub mean: f64,
    /// 99 of 100 nodes have at most this many neighbours.
    pub p99: usize,
    /// Largest.
    pub max: usize,
}

impl Graph {
    /// Nodes by degree: entry d counts the nodes with d neighbours.
    pub fn degree_histogram(&self) -> Vec<usize> {
        let mut counts = Vec::new();
        for a in 0..self.nodes() as u32 {
            let d = self.degree(a);
            if d >= counts.len() {
                counts.resize(d + 1, 0);
            }
            counts[d] += 1;
        }
        counts
    }

    /// The degrees in a few numbers; all zero for a graph without nodes.
    pub fn degree_summary(&self) -> DegreeSummary {
        let counts = self.degree_histogram();
        let n = self.nodes();
        let quantile = |q: f64| {
            let rank = ((q * n as f64).ceil() as usize).max(1);
            let mut seen = 0;
            counts.iter().position(|&c| {
                seen += c;
                seen >= rank
            })
        };
        DegreeSummary {
            min: counts.iter().position(|&c| c > 0).unwrap_or(0),
            median: quantile(0.5).unwrap_or(0),
            mean: if n == 0 { 0.0 } else { 2.0 * self.edges() as f64 / n as f64 },
            p99: quantile(0.99).unwrap_or(0),
            max: counts.len().saturating_sub(1),
        }
    }

    /// Nodes without a neighbour.
    pub fn isolated(&self) -> usize {
        (0..self.nodes() as u32).filter(|&a| self.degree(a) == 0).count()
    }

    /// The share of edges that join equal classes, among edges whose two ends have one. `None` without such an edge.
    pub fn homophily(&self, class: impl Fn(u32) -> Option<u32>) -> Option<f64> {
        let (mut equal, mut known) = (0usize, 0usize);
        for (a, b) in self.edge_list() {
            if let (Some(x), Some(y)) = (class(a), class(b)) {
                known += 1;
                equal += usize::from(x == y);
            }
        }
        (known > 0).then(|| equal as f64 / known as f64)
    }
}

/// Closed share of connected triples (transitivity): 3 × triangles / paths of length two. 0 without such a path.
///
/// Each edge is followed from its end of smaller degree, so the cost is O(E · √E) at worst.
pub fn clustering(graph: &Graph) -> f64 {
    let rank = |a: u32| (graph.degree(a), a);
    let n = graph.nodes() as u32;
    let upward: Vec<Vec<u32>> =
        (0..n).map(|a| graph.neighbours(a).iter().copied().filter(|&b| rank(b) > rank(a)).collect()).collect();
    let mut mark = vec![u32::MAX; graph.nodes()];
    let mut triangles = 0u64;
    for a in 0..n {
        for &b in &upward[a as usize] {
            mark[b as usize] = a;
        }
        for &b in &upward[a as usize] {
            triangles += upward[b as usize].iter().filter(|&&c| mark[c as usize] == a).count() as u64;
        }
    }
    let paths: u64 = (0..n).map(|a| graph.degree(a) as u64).map(|d| d * d.saturating_sub(1) / 2).sum();
    if paths == 0 { 0.0 } else { 3.0 * triangles as f64 / paths as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle_with_tail() -> Graph {
        Graph::from_edges(5, &[(0, 1), (1, 2), (0, 2), (2, 3)]).unwrap()
    }

    #[test]
    fn degrees_of_a_triangle_with_a_tail() {
        let g = triangle_with_tail();
        assert_eq!(g.degree_histogram(), [1, 1, 2, 1]);
        assert_eq!(g.degree_summary(), DegreeSummary { min: 0, median: 2, mean: 1.6, p99: 3, max: 3 });
        assert_eq!(g.isolated(), 1);
        assert_eq!(clustering(&g), 3.0 / 5.0);
    }

    #[test]
    fn homophily_ignores_edges_with_an_unknown_end() {
        let classes = [Some(0), Some(0), Some(1), None, None];
        assert_eq!(triangle_with_tail().homophily(|a| classes[a as usize]), Some(1.0 / 3.0));
        assert_eq!(triangle_with_tail().homophily(|_| None), None);
    }
}
