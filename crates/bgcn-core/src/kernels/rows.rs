//! Work on some rows of a matrix, in parallel where it is much.
//!
//! The rows are split, never the sums inside one, and sums over rows go by fixed blocks in a fixed order: results
//! are the same for any number of threads.

use super::Matrix;

/// Multiply-adds below which splitting costs more than it gains: about 0.3 ms. Cora's largest products have 0.8 million
/// (GCN) and 3 million (ChebyNet).
pub(super) const GRAIN: usize = 1 << 22;

/// Blocks of a sum over rows that is split; fixed, because it decides the order of additions.
const BLOCKS: usize = 16;

/// Rows `first..` of a matrix, for writing.
pub(super) struct RowsMut<'a> {
    data: &'a mut [f32],
    first: usize,
    stride: usize,
}

impl<'a> RowsMut<'a> {
    pub(super) fn of(matrix: &'a mut Matrix) -> Self {
        let stride = matrix.stride();
        Self { data: matrix.data_mut(), first: 0, stride }
    }

    /// Blocks of W numbers per row.
    #[inline(always)]
    pub(super) fn blocks<const W: usize>(&self) -> usize {
        self.stride / W
    }

    /// The `block`-th W numbers of row `r`; `blocks` is the result of the method of that name.
    #[inline(always)]
    pub(super) fn block<const W: usize>(&mut self, r: u32, blocks: usize, block: usize) -> &mut [f32; W] {
        let at = (r as usize - self.first) * blocks + block;
        &mut self.data.as_chunks_mut::<W>().0[at]
    }

    /// Row `r` with its padding.
    #[inline(always)]
    pub(super) fn row(&mut self, r: u32) -> &mut [f32] {
        &mut self.data[(r as usize - self.first) * self.stride..][..self.stride]
    }

    fn split(self, row: usize) -> (Self, Self) {
        let (left, right) = self.data.split_at_mut((row - self.first) * self.stride);
        (
            Self { data: left, first: self.first, stride: self.stride },
            Self { data: right, first: row, stride: self.stride },
        )
    }
}

/// Calls `f` for all `rows` (ascending) of `out`, in pieces when `work` multiply-adds are many.
pub(super) fn for_rows(rows: &[u32], out: RowsMut<'_>, work: usize, f: &(impl for<'a> Fn(&[u32], RowsMut<'a>) + Sync)) {
    if work <= GRAIN || rows.len() < 2 {
        return f(rows, out);
    }
    let (low, high) = rows.split_at(rows.len() / 2);
    let (left, right) = out.split(high[0] as usize);
    rayon::join(|| for_rows(low, left, work / 2, f), || for_rows(high, right, work / 2, f));
}

/// Adds to `sum` what `f` adds for all `rows`: into one matrix, or when `work` is much into one per block of rows.
pub(super) fn sum_rows(rows: &[u32], sum: &mut Matrix, work: usize, f: &(impl Fn(&[u32], &mut Matrix) + Sync)) {
    // A block's own matrix must cost much less than its share of the work.
    if work <= GRAIN || work / BLOCKS < 4 * sum.data().len() {
        return f(rows, sum);
    }
    use rayon::prelude::*;
    let parts: Vec<Matrix> = rows
        .par_chunks(rows.len().div_ceil(BLOCKS))
        .map(|rows| {
            let mut part = Matrix::zeros(sum.rows(), sum.columns());
            f(rows, &mut part);
            part
        })
        .collect();
    for part in parts {
        sum.data_mut().iter_mut().zip(part.data()).for_each(|(s, p)| *s += p);
    }
}
