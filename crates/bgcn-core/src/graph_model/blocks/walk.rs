//! Visiting pairs of nodes at random, at the cost of the pairs visited: what every block model draws its graphs with.
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm.
//! Differs: pairs that stay apart are skipped, not tried.
//! Symbols: `p` of a pair; pairs are numbered, so that a set of exchangeable ones is a range of numbers.

use crate::rng::{Fast, Random};

/// Random numbers for walks. Logarithms are taken many at once: between two of a walk's unpredictable branches, each
/// would wait for the last.
pub(crate) struct Source {
    random: Fast,
    logs: [f64; 64],
    used: usize,
}

impl Source {
    pub(crate) fn new(random: Fast) -> Self {
        Self { random, logs: [0.0; 64], used: 64 }
    }

    /// ln u of a uniform u in (0, 1].
    #[inline]
    pub(crate) fn log(&mut self) -> f64 {
        if self.used == self.logs.len() {
            self.logs.fill_with(|| (1.0 - self.random.unit()).ln());
            self.used = 0;
        }
        self.used += 1;
        self.logs[self.used - 1]
    }

    /// Uniform in [0, 1).
    #[inline]
    pub(crate) fn unit(&mut self) -> f64 {
        self.random.unit()
    }
}

/// A walk through the pair numbers 0..end that stops at each with probability p, at the cost of the stops alone.
pub(crate) struct Walk {
    next: u64,
    end: u64,
    /// 1 / ln(1 − p).
    scale: f64,
}

impl Walk {
    pub(crate) fn new(end: u64, p: f64) -> Self {
        Self { next: 0, end, scale: (-p.clamp(0.0, 1.0)).ln_1p().recip() }
    }

    /// The next stop: the gap to it is the failures before the next success of a coin, ⌊ln u / ln(1 − p)⌋.
    #[inline]
    pub(crate) fn stop(&mut self, random: &mut Source) -> Option<u64> {
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
pub(crate) const fn pairs(n: usize) -> u64 {
    let n = n as u64;
    if n < 2 { 0 } else { n * (n - 1) / 2 }
}

/// Turns ascending numbers into rows and columns of a grid, dividing only where a row ends.
pub(crate) struct Grid {
    width: u64,
    number: u64,
    row: u64,
    column: u64,
}

impl Grid {
    pub(crate) fn new(width: usize) -> Self {
        Self { width: width as u64, number: 0, row: 0, column: 0 }
    }

    /// Row and column of this number, which must not be below the last one.
    #[inline]
    pub(crate) fn at(&mut self, number: u64) -> (usize, usize) {
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
    /// Think of the items on a circle: row d holds the pairs (i, i + d + 1), and the first half of the distances, d < n
    /// / 2, meets every pair once (of the last distance, where n is even, the first half of the row). Both ends move
    /// through memory in order, and there is no root to take.
    #[inline]
    pub(crate) fn pair(&mut self, number: u64) -> (usize, usize) {
        let (distance, i) = self.at(number);
        let j = i + distance + 1;
        (i, if j >= self.width as usize { j - self.width as usize } else { j })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};
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
}
