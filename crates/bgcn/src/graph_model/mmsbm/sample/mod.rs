//! p(G | λ): graphs drawn from the block model in O(N + edges drawn).
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm; the generative model of "Posterior inference for the MMSBM".
//! Differs: pairs that stay apart are skipped, not tried. Every pair is still an exact, independent Bernoulli variable.
//! Symbols: `p` of a pair; pairs are numbered, so that a set of exchangeable ones is a range of numbers.

mod hard;
mod mixed;

use super::{Draw, Lambda};
use crate::graph_model::GraphBuffer;
use crate::rng::{Fast, Random, Stream};
use hard::Hard;
use mixed::Mixed;

/// λ prepared for drawing: O(N K) once, then O(N + edges) for every graph.
#[derive(Clone, Debug)]
pub struct Sampler(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Hard(Hard),
    Mixed(Mixed),
}

impl Sampler {
    /// Prepares λ for graphs drawn with each node in its strongest community, or with mixed memberships.
    pub fn new(lambda: &Lambda, draw: Draw) -> Self {
        Self(match draw {
            Draw::Hard => Kind::Hard(Hard::new(lambda)),
            Draw::Mixed => Kind::Mixed(Mixed::new(lambda)),
        })
    }

    /// Draws a graph into `into`, reusing its memory. All randomness comes from `stream`.
    pub fn draw(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let mut random = Source::new(stream.fast());
        match &self.0 {
            Kind::Hard(hard) => into.fill(hard.nodes(), |edges| hard.draw(&mut random, edges)),
            Kind::Mixed(mixed) => into.fill_merging(mixed.nodes(), |edges| mixed.draw(&mut random, edges)),
        }
    }
}

/// Random numbers for walks. Logarithms are taken many at once: between two of a walk's unpredictable branches, each would
/// wait for the last.
struct Source {
    random: Fast,
    logs: [f64; 64],
    used: usize,
}

impl Source {
    fn new(random: Fast) -> Self {
        Self { random, logs: [0.0; 64], used: 64 }
    }

    /// ln u of a uniform u in (0, 1].
    #[inline]
    fn log(&mut self) -> f64 {
        if self.used == self.logs.len() {
            self.logs.fill_with(|| (1.0 - self.random.unit()).ln());
            self.used = 0;
        }
        self.used += 1;
        self.logs[self.used - 1]
    }

    /// Uniform in [0, 1).
    #[inline]
    fn unit(&mut self) -> f64 {
        self.random.unit()
    }
}

/// A walk through the pair numbers 0..end that stops at each with probability p, at the cost of the stops alone.
struct Walk {
    next: u64,
    end: u64,
    /// 1 / ln(1 − p).
    scale: f64,
}

impl Walk {
    fn new(end: u64, p: f64) -> Self {
        Self { next: 0, end, scale: (-p.clamp(0.0, 1.0)).ln_1p().recip() }
    }

    /// The next stop. The same gaps as [`Random::gap`], with its constant factor kept.
    #[inline]
    fn stop(&mut self, random: &mut Source) -> Option<u64> {
        let gap = random.log() * self.scale;
        // Not a number is 0 · ∞: then p is 0.
        if gap.is_nan() || gap >= (self.end - self.next) as f64 {
            self.next = self.end;
            return None;
        }
        // Below 2^63, as no graph has more pairs; the signed conversion is the cheap one.
        let stop = self.next + gap as i64 as u64;
        if stop >= self.end {
            self.next = self.end;
            return None;
        }
        self.next = stop + 1;
        Some(stop)
    }
}

/// How many pairs `n` items have.
const fn pairs(n: usize) -> u64 {
    let n = n as u64;
    if n < 2 { 0 } else { n * (n - 1) / 2 }
}

/// Turns ascending numbers into rows and columns of a grid, dividing only where a row ends.
struct Grid {
    width: u64,
    number: u64,
    row: u64,
    column: u64,
}

impl Grid {
    fn new(width: usize) -> Self {
        Self { width: width as u64, number: 0, row: 0, column: 0 }
    }

    /// Row and column of this number, which must not be below the last one.
    #[inline]
    fn at(&mut self, number: u64) -> (usize, usize) {
        self.column += number - self.number;
        self.number = number;
        if self.column >= self.width {
            self.row += self.column / self.width;
            self.column %= self.width;
        }
        (self.row as usize, self.column as usize)
    }

    /// The pair of two of `width` items with this number, below `pairs(width)`.
    ///
    /// Think of the items on a circle: row d holds the pairs (i, i + d + 1), and the first half of the distances, d < n / 2,
    /// meets every pair once (of the last distance, where n is even, the first half of the row). Both ends move
    /// through memory in order, and there is no root to take.
    #[inline]
    fn pair(&mut self, number: u64) -> (usize, usize) {
        let (distance, i) = self.at(number);
        let j = i + distance + 1;
        (i, if j >= self.width as usize { j - self.width as usize } else { j })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::rng::{For, Seed};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn pair_numbers_meet_every_pair_once() {
        for n in 0..40 {
            let mut grid = Grid::new(n);
            let found = (0..pairs(n)).map(|number| grid.pair(number));
            let found: BTreeSet<_> = found.map(|(i, j)| (i.min(j), i.max(j))).collect();
            let wanted: BTreeSet<_> = (0..n).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
            assert_eq!(found, wanted, "{n} items");
        }
    }

    #[test]
    fn numbers_may_be_skipped_up_to_the_largest_graph() {
        for n in [5usize, 1000, u32::MAX as usize - 1] {
            for number in [0, 3, pairs(n) / 3, pairs(n) - 1] {
                let (mut grid, mut fresh) = (Grid::new(n), Grid::new(n));
                grid.at(number / 2);
                let (row, column) = grid.at(number);
                assert_eq!((row as u64, column as u64), (number / n as u64, number % n as u64));
                let (i, j) = fresh.pair(number);
                assert!(i != j && i < n && j < n);
            }
        }
    }

    #[test]
    fn walks_stop_everywhere_or_nowhere_at_the_ends() {
        let mut random = Source::new(Seed::new(1).at(For::Graph, [0; 3]).fast());
        let mut stops = |p: f64| {
            let mut walk = Walk::new(5, p);
            std::iter::from_fn(|| walk.stop(&mut random)).collect::<Vec<_>>()
        };
        assert_eq!(stops(1.0), [0, 1, 2, 3, 4]);
        assert_eq!(stops(1.5), [0, 1, 2, 3, 4]);
        for never in [0.0, -0.5, f64::MIN_POSITIVE, f64::NAN] {
            assert_eq!(stops(never), [0u64; 0]);
        }
    }

    pub(super) fn lambda(k: usize, pi: &[f32], beta: &[f64], delta: f64) -> Lambda {
        Lambda::new(k, pi, beta.to_vec(), delta).unwrap()
    }

    /// Frequencies of every pair over 40,000 draws within 5.5 standard errors of `p`: under 1 false alarm in 10,000 seeds
    /// for the 300 pairs of a test. The number of edges, of which the mean and variance are known too, likewise.
    pub(super) fn assert_probabilities(lambda: &Lambda, draw: Draw, p: impl Fn(u32, u32) -> f64) {
        const DRAWS: u32 = 40_000;
        let n = lambda.n();
        let sampler = Sampler::new(lambda, draw);
        let mut buffer = GraphBuffer::default();
        let (mut hits, mut sum, mut squares) = (vec![0u32; n * n], 0.0, 0.0);
        for i in 0..DRAWS {
            sampler.draw(Seed::new(11).at(For::Graph, [0, i, 0]), &mut buffer);
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

    proptest! {
        #[test]
        fn draws_are_simple_graphs_and_repeat_with_their_stream(
            n in 1usize..60, k in 1usize..5, seed in 0u64..1000, strong in 0.0f64..1.0, delta in 0.0f64..1.0, mixed: bool,
        ) {
            let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
            let pi: Vec<f32> = (0..n * k).map(|_| random.gamma(0.3) as f32 + 1e-6).collect();
            let beta: Vec<f64> = (0..k).map(|_| strong * random.unit()).collect();
            let sampler = Sampler::new(&lambda(k, &pi, &beta, delta), if mixed { Draw::Mixed } else { Draw::Hard });
            let (mut buffer, mut again) = (GraphBuffer::default(), GraphBuffer::default());
            sampler.draw(Seed::new(seed).at(For::Graph, [0; 3]), &mut again);
            for _ in 0..2 {
                sampler.draw(Seed::new(seed).at(For::Graph, [0; 3]), &mut buffer);
                let edges: Vec<_> = buffer.graph().edge_list().collect();
                // from_edges drops loops and merges repetitions, so equality says there were none.
                prop_assert_eq!(&Graph::from_edges(n, &edges).unwrap(), buffer.graph());
                prop_assert_eq!(buffer.graph(), again.graph());
            }
        }
    }
}
