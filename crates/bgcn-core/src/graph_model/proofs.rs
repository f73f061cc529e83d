//! What the tests of every graph model need: frequencies of draws against their probabilities, and graphs with planted
//! blocks.

use super::{GraphBuffer, GraphModel};
use crate::graph::Graph;
use crate::rng::{For, Random as _, Seed, Stream};
use proptest::prelude::*;

const DRAWS: u32 = 40_000;

/// Frequencies of every pair over 40,000 draws within 5.5 standard errors of `p`: under 1 false alarm in 10,000 seeds
/// for the 300 pairs of a test. The number of edges, of which the mean and variance are known too, likewise.
pub(super) fn assert_frequencies(n: usize, draw: impl FnMut(Stream, &mut GraphBuffer), p: impl Fn(u32, u32) -> f64) {
    let [found, squares] = assert_pairs(n, draw, &p);
    let probabilities = || (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))).map(|(a, b)| p(a, b));
    let (mean, variance) = (probabilities().sum::<f64>(), probabilities().map(|p| p * (1.0 - p)).sum::<f64>());
    let draws = f64::from(DRAWS);
    assert!((found - mean).abs() < 5.5 * (variance / draws).sqrt() + 1e-3, "{found} edges, not {mean}");
    // The variance of a sample variance of nearly normal counts is 2 σ⁴ / draws.
    let spread = squares - found * found;
    assert!((spread - variance).abs() < 5.5 * variance * (2.5 / draws).sqrt() + 1e-2, "{spread}, not {variance}");
}

/// The frequencies alone, for draws whose pairs depend on each other; the means of the number of edges and of its
/// square.
pub(super) fn assert_pairs(
    n: usize,
    mut draw: impl FnMut(Stream, &mut GraphBuffer),
    p: impl Fn(u32, u32) -> f64,
) -> [f64; 2] {
    let mut buffer = GraphBuffer::default();
    let (mut hits, mut sum, mut squares) = (vec![0u32; n * n], 0.0, 0.0);
    for i in 0..DRAWS {
        draw(Seed::new(11).at(For::Graph, [0, i, 0]), &mut buffer);
        for (a, b) in buffer.graph().edge_list() {
            hits[a as usize * n + b as usize] += 1;
        }
        let edges = buffer.graph().edges() as f64;
        sum += edges;
        squares += edges * edges;
    }
    let draws = f64::from(DRAWS);
    for (a, b) in (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))) {
        let p = p(a, b);
        let found = f64::from(hits[a as usize * n + b as usize]) / draws;
        let allowed = 5.5 * (p * (1.0 - p) / draws).sqrt() + 1e-4;
        assert!((found - p).abs() < allowed, "{a}-{b}: {found}, not {p}");
    }
    [sum / draws, squares / draws]
}

/// Draws are simple graphs, and the same again from the same stream.
pub(super) fn assert_simple_and_repeatable(model: &dyn GraphModel, n: usize) {
    let (mut buffer, mut again) = (GraphBuffer::default(), GraphBuffer::default());
    for i in 0..3 {
        let stream = || Seed::new(5).at(For::Graph, [0, i, 0]);
        model.sample(stream(), &mut buffer);
        let edges: Vec<_> = buffer.graph().edge_list().collect();
        // from_edges drops loops and merges repetitions, so equality means there were none.
        assert_eq!(&Graph::from_edges(n, &edges).unwrap(), buffer.graph());
        model.sample(stream(), &mut again);
        assert_eq!(buffer.graph(), again.graph());
    }
    for (a, b) in (0..n as u32).flat_map(|b| (0..=b).map(move |a| (a, b))) {
        let p = model.edge_probability(a, b);
        assert!((0.0..=1.0).contains(&p) && (a != b || p == 0.0));
        assert_eq!(p, model.edge_probability(b, a));
    }
}

/// Nodes a with label a mod k; pairs joined with probability `inside` or `across` blocks, and the node after the last
/// alone.
pub(super) fn planted(n: u32, k: u32, inside: f64, across: f64) -> Graph {
    let mut random = Seed::new(8).at(For::Generate, [0; 3]);
    let pairs = (0..n).flat_map(|b| (0..b).map(move |a| (a, b)));
    let edges: Vec<_> = pairs.filter(|(a, b)| random.unit() < if a % k == b % k { inside } else { across }).collect();
    Graph::from_edges(n as usize + 1, &edges).unwrap()
}

/// A belief that knows `right` of the nodes of [`planted`] and guesses the others; twice as sure of one label as of the
/// next.
pub(super) fn weak_belief(n: u32, k: u32, right: f64) -> Vec<f32> {
    let mut random = Seed::new(9).at(For::Generate, [0; 3]);
    let mut rows = Vec::new();
    for a in 0..=n {
        let label = if random.unit() < right { a % k } else { random.below(u64::from(k)) as u32 };
        rows.extend((0..k).map(|i| if i == label { 2.0 } else { 1.0 } / (k + 1) as f32));
    }
    rows
}

/// How many of the first `n` nodes have label a mod k.
pub(super) fn recovered(labels: &[u32], n: u32, k: u32) -> usize {
    (0..n).filter(|&a| labels[a as usize] == a % k).count()
}

/// A graph of fewer than 25 nodes, some isolated, with a belief [n, k] over up to four communities.
pub(super) fn small_case() -> impl Strategy<Value = (Graph, usize, Vec<f32>)> {
    let raw = prop::collection::vec((0u32..25, 0u32..25), 0..60);
    (1usize..25, 1usize..5, raw, prop::collection::vec(1e-3f32..1.0, 100)).prop_map(|(n, k, raw, rows)| {
        let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
        (Graph::from_edges(n, &edges).unwrap(), k, rows[..n * k].iter().map(|p| p.powi(3)).collect())
    })
}
