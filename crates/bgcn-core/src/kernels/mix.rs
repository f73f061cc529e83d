//! Sums over neighbours: s ∘ (A + I) x without stored values, by rows (gather) or by columns (scatter).

use super::Matrix;
use super::cpu::{by_width, dispatched};
use super::rows::{RowsMut, for_rows};
use crate::graph::{Graph, Normalized};
use std::ops::Range;

/// Compressed rows without values.
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    offsets: &'a [usize],
    columns: &'a [u32],
}

impl<'a> Pattern<'a> {
    /// How many nodes.
    pub fn nodes(self) -> usize {
        self.offsets.len() - 1
    }

    /// Row `r`.
    #[inline(always)]
    pub fn row(self, r: u32) -> &'a [u32] {
        &self.columns[self.offsets[r as usize]..self.offsets[r as usize + 1]]
    }

    /// Where row `r` is among all entries.
    #[inline(always)]
    pub fn range(self, r: u32) -> Range<usize> {
        self.offsets[r as usize]..self.offsets[r as usize + 1]
    }

    /// How many entries all rows hold.
    pub fn len(self) -> usize {
        self.columns.len()
    }

    /// About how many entries `rows` of the rows hold.
    pub(super) fn entries(self, rows: usize) -> usize {
        (self.columns.len() / self.nodes().max(1) + 1) * rows
    }
}

impl<'a> From<&'a Graph> for Pattern<'a> {
    fn from(graph: &'a Graph) -> Self {
        Self { offsets: graph.offsets(), columns: graph.targets() }
    }
}

impl<'a> From<&'a Normalized> for Pattern<'a> {
    fn from(a_hat: &'a Normalized) -> Self {
        Self { offsets: a_hat.offsets(), columns: a_hat.columns() }
    }
}

/// out_r = s_r Σ_c x_c over the columns c of row r, for the given rows (ascending); without `s`, s_r = 1.
pub fn gather(pattern: Pattern<'_>, rows: &[u32], s: Option<&[f32]>, x: &Matrix, out: &mut Matrix) {
    assert_eq!(x.stride(), out.stride(), "gather from width {} into {}", x.columns(), out.columns());
    let work = pattern.entries(rows.len()) * x.stride();
    let stride = x.stride();
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(stride, gather_w(pattern, rows, s, x.data(), out)));
}

dispatched! {
    fn gather_w<W, FMA>(pattern: Pattern<'_>, rows: &[u32], s: Option<&[f32]>, x: &[f32], out: RowsMut<'_>) {
        let mut out = out;
        let x = x.as_chunks::<W>().0;
        let blocks = out.blocks::<W>();
        for &r in rows {
            let factor = s.map_or(1.0, |s| s[r as usize]);
            for block in 0..blocks {
                let mut sum = [0.0; W];
                for &c in pattern.row(r) {
                    let row = &x[c as usize * blocks + block];
                    for j in 0..W {
                        sum[j] += row[j];
                    }
                }
                let out = out.block::<W>(r, blocks, block);
                for j in 0..W {
                    out[j] = factor * sum[j];
                }
            }
        }
    }
}

/// out_c += s_r x_r for every column c of the given rows r: the transpose of [`gather`], for few rows.
pub fn scatter_add(pattern: Pattern<'_>, rows: &[u32], s: &[f32], x: &Matrix, out: &mut Matrix) {
    assert_eq!(x.stride(), out.stride(), "scatter from width {} into {}", x.columns(), out.columns());
    by_width!(x.stride(), scatter_w(pattern, rows, s, x.data(), RowsMut::of(out)));
}

dispatched! {
    fn scatter_w<W, FMA>(pattern: Pattern<'_>, rows: &[u32], s: &[f32], x: &[f32], out: RowsMut<'_>) {
        let mut out = out;
        let x = x.as_chunks::<W>().0;
        let blocks = out.blocks::<W>();
        for &r in rows {
            for block in 0..blocks {
                let mut scaled = x[r as usize * blocks + block];
                scaled.iter_mut().for_each(|v| *v *= s[r as usize]);
                for &c in pattern.row(r) {
                    let out = out.block::<W>(c, blocks, block);
                    for j in 0..W {
                        out[j] += scaled[j];
                    }
                }
            }
        }
    }
}

/// Sets the given rows (ascending) to zero.
pub fn clear_rows(rows: &[u32], out: &mut Matrix) {
    by_width!(out.stride(), clear_w(rows, RowsMut::of(out)));
}

dispatched! {
    fn clear_w<W, FMA>(rows: &[u32], out: RowsMut<'_>) {
        let mut out = out;
        let blocks = out.blocks::<W>();
        for &r in rows {
            for block in 0..blocks {
                *out.block::<W>(r, blocks, block) = [0.0; W];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    fn dense(a_hat: &Normalized, x: &Matrix, rows: &[u32]) -> Vec<Vec<f32>> {
        let row = |&r: &u32| {
            let mut sum = vec![0.0; x.columns()];
            for &c in Pattern::from(a_hat).row(r) {
                for (sum, &x) in sum.iter_mut().zip(x.row(c as usize)) {
                    *sum += x;
                }
            }
            sum.iter().map(|v| v * a_hat.scale()[r as usize]).collect()
        };
        rows.iter().map(row).collect()
    }

    proptest! {
        #[test]
        fn gather_and_scatter_equal_plain_loops(
            edges in prop::collection::vec((0u32..30, 0u32..30), 0..100),
            width in 1usize..=70,
            kept in prop::collection::vec(any::<bool>(), 30),
        ) {
            let a_hat = Graph::from_edges(30, &edges).unwrap().normalized();
            let rows: Vec<u32> = (0..30).filter(|&r| kept[r as usize]).collect();
            let x: Vec<f32> = (0..30 * width).map(|i| ((i * 37 % 101) as f32 - 50.0) / 16.0).collect();
            let x = Matrix::from_rows(30, width, &x);
            at_every_level(|| {
                let mut out = Matrix::zeros(30, width);
                gather((&a_hat).into(), &rows, Some(a_hat.scale()), &x, &mut out);
                for (expected, &r) in dense(&a_hat, &x, &rows).iter().zip(&rows) {
                    prop_assert_eq!(out.row(r as usize), &expected[..]);
                }

                let mut back = Matrix::zeros(30, width);
                scatter_add((&a_hat).into(), &rows, a_hat.scale(), &x, &mut back);
                let mut expected = Matrix::zeros(30, width);
                for &r in &rows {
                    for &c in Pattern::from(&a_hat).row(r) {
                        for j in 0..width {
                            expected.row_mut(c as usize)[j] += a_hat.scale()[r as usize] * x.row(r as usize)[j];
                        }
                    }
                }
                prop_assert_eq!(&back, &expected);
                clear_rows(&rows, &mut back);
                prop_assert!((0..30).all(|r| !kept[r] || back.row(r).iter().all(|&v| v == 0.0)));
                prop_assert!((0..30).all(|r| kept[r] || back.row(r) == expected.row(r)));
                Ok(())
            })?;
        }
    }
}
