//! Work on rows in fixed blocks, so that any number of threads adds the same numbers in the same order.

use rayon::prelude::*;
use std::ops::Range;

/// Below this many rows one thread is faster than waking others.
const PARALLEL_FROM: usize = 16_384;

/// Rows cut into blocks that depend on their number alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blocks {
    n: usize,
    rows: usize,
}

impl Blocks {
    /// At most 64 blocks, of at least 1024 rows.
    pub(crate) fn of(n: usize) -> Self {
        Self { n, rows: n.div_ceil(64).max(1024) }
    }

    pub(crate) fn count(self) -> usize {
        self.n.div_ceil(self.rows)
    }

    /// Rows in every block but the last.
    pub(crate) fn rows(self) -> usize {
        self.rows
    }

    pub(crate) fn parallel(self) -> bool {
        self.n >= PARALLEL_FROM
    }

    /// Calls `f(first row, rows, sums)` for every block; then adds the blocks' sums up, in order.
    ///
    /// `to` is [n, stride]; `partial` is scratch; the result has `width` numbers.
    pub(crate) fn sum_rows(
        self,
        (to, stride): (&mut [f32], usize),
        (partial, width): (&mut Vec<f64>, usize),
        f: impl Fn(usize, &mut [f32], &mut [f64]) + Sync,
    ) -> Vec<f64> {
        partial.clear();
        partial.resize(self.count() * width, 0.0);
        let size = self.rows * stride;
        if self.parallel() {
            let blocks = to.par_chunks_mut(size).zip(partial.par_chunks_mut(width)).enumerate();
            blocks.for_each(|(i, (to, sums))| f(i * self.rows, to, sums));
        } else {
            let blocks = to.chunks_mut(size).zip(partial.chunks_mut(width)).enumerate();
            blocks.for_each(|(i, (to, sums))| f(i * self.rows, to, sums));
        }
        add_up(partial, width)
    }

    /// The same without rows to write: `f(rows, sums)`.
    pub(crate) fn sum_parts(
        self,
        (partial, width): (&mut Vec<f64>, usize),
        f: impl Fn(Range<usize>, &mut [f64]) + Sync,
    ) -> Vec<f64> {
        partial.clear();
        partial.resize(self.count() * width, 0.0);
        let rows = |i: usize| i * self.rows..((i + 1) * self.rows).min(self.n);
        if self.parallel() {
            partial.par_chunks_mut(width).enumerate().for_each(|(i, sums)| f(rows(i), sums));
        } else {
            partial.chunks_mut(width).enumerate().for_each(|(i, sums)| f(rows(i), sums));
        }
        add_up(partial, width)
    }
}

fn add_up(partial: &[f64], width: usize) -> Vec<f64> {
    let mut total = vec![0.0; width];
    for sums in partial.chunks_exact(width) {
        total.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
    total
}
