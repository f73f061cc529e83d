//! Frequencies of drawn graphs against the probabilities they were drawn with: the proof of every sampler.

use super::GraphBuffer;
use crate::rng::{For, Seed, Stream};

/// Frequencies of every pair over 40,000 draws within 5.5 standard errors of `p`: under 1 false alarm in 10,000 seeds
/// for the 300 pairs of a test. The number of edges, of which the mean and variance are known too, likewise.
pub(super) fn assert_frequencies(
    n: usize,
    mut draw: impl FnMut(Stream, &mut GraphBuffer),
    p: impl Fn(u32, u32) -> f64,
) {
    const DRAWS: u32 = 40_000;
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
    let (mut mean, mut variance) = (0.0, 0.0);
    for b in 0..n as u32 {
        for a in 0..b {
            let p = p(a, b);
            let found = f64::from(hits[a as usize * n + b as usize]) / draws;
            let allowed = 5.5 * (p * (1.0 - p) / draws).sqrt() + 1e-4;
            assert!((found - p).abs() < allowed, "{a}-{b}: {found}, not {p}");
            mean += p;
            variance += p * (1.0 - p);
        }
    }
    let found = sum / draws;
    assert!((found - mean).abs() < 5.5 * (variance / draws).sqrt() + 1e-3, "{found} edges, not {mean}");
    // The variance of a sample variance of nearly normal counts is 2 σ⁴ / draws.
    let spread = squares / draws - found * found;
    assert!((spread - variance).abs() < 5.5 * variance * (2.5 / draws).sqrt() + 1e-2, "{spread}, not {variance}");
}
