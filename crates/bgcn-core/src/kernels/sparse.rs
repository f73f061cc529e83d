//! X W and Xᵀ D for features of any kind, with dropout on the stored entries inside the product.
//!
//! A mask has one bit per stored entry, each row starting on a new word; the loops visit the set bits only, so
//! dropping half of the entries halves the work.

use super::cpu::{by_width, dispatched, fma};
use super::rows::{RowsMut, for_rows, sum_rows};
use super::{Mask, Matrix};

/// X [n, d] by its stored entries.
#[derive(Clone, Debug, PartialEq)]
pub struct Entries {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) layout: Layout,
    /// Columns of the entries; of dense rows and of the identity: 0, 1, 2, … once.
    pub(crate) indices: Vec<u32>,
    /// One per entry; empty when all entries of a row are equal to its scale.
    pub(crate) values: Vec<f32>,
    /// One per row; empty when 1.
    pub(crate) scale: Vec<f32>,
}

/// Where the entries of a row are.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Layout {
    /// Entry and mask-word starts, n + 1 of each.
    Sparse { offsets: Vec<usize>, words: Vec<usize> },
    /// d values per row.
    Dense,
    /// One entry per row, on the diagonal.
    Identity,
}

struct Row<'a> {
    indices: &'a [u32],
    values: &'a [f32],
    scale: f32,
}

impl Entries {
    #[inline(always)]
    fn row(&self, r: u32) -> Row<'_> {
        let r = r as usize;
        let (indices, range) = match &self.layout {
            Layout::Sparse { offsets, .. } => {
                let range = offsets[r]..offsets[r + 1];
                (&self.indices[range.clone()], range)
            }
            Layout::Dense => (&self.indices[..], r * self.columns..(r + 1) * self.columns),
            Layout::Identity => (&self.indices[r..r + 1], r..r + 1),
        };
        let values = if self.values.is_empty() { &[][..] } else { &self.values[range] };
        Row { indices, values, scale: if self.scale.is_empty() { 1.0 } else { self.scale[r] } }
    }

    /// The mask words of row `r`.
    #[inline(always)]
    pub fn words(&self, r: u32) -> std::ops::Range<usize> {
        let r = r as usize;
        match &self.layout {
            Layout::Sparse { words, .. } => words[r]..words[r + 1],
            Layout::Dense => {
                let words = self.columns.div_ceil(64);
                r * words..(r + 1) * words
            }
            Layout::Identity => r..r + 1,
        }
    }

    /// How many mask words there are.
    pub fn all_words(&self) -> usize {
        if self.rows == 0 { 0 } else { self.words(self.rows as u32 - 1).end }
    }

    /// How many entries row `r` has.
    pub fn stored(&self, r: u32) -> usize {
        self.row(r).indices.len()
    }

    /// About how many entries `rows` of the rows hold.
    fn entries(&self, rows: usize) -> usize {
        let all = match &self.layout {
            Layout::Sparse { .. } | Layout::Identity => self.indices.len(),
            Layout::Dense => self.rows * self.columns,
        };
        all / self.rows.max(1) * rows
    }
}

/// Calls `visit(position, column)` for the kept entries of a row, in order.
#[inline(always)]
fn for_kept(indices: &[u32], words: Option<&[u64]>, mut visit: impl FnMut(usize, u32)) {
    match words {
        None => indices.iter().enumerate().for_each(|(i, &c)| visit(i, c)),
        Some(words) => {
            for (w, (indices, &word)) in indices.chunks(64).zip(words).enumerate() {
                let mut bits = word & (u64::MAX >> (64 - indices.len()));
                while bits != 0 {
                    let i = bits.trailing_zeros() as usize;
                    visit(w * 64 + i, indices[i]);
                    bits &= bits - 1;
                }
            }
        }
    }
}

/// Which rows of a product, what is dropped from X, and what the rows are multiplied by.
#[derive(Clone, Copy, Debug)]
pub struct Product<'a> {
    /// Ascending.
    pub rows: &'a [u32],
    /// The entries kept and what they are multiplied by; `None` keeps all.
    pub kept: Option<(&'a Mask, f32)>,
    /// f, one number per node; `None` is 1.
    pub factor: Option<&'a [f32]>,
}

impl<'a> Product<'a> {
    #[inline(always)]
    fn factor(&self, r: u32) -> f32 {
        self.factor.map_or(1.0, |f| f[r as usize]) * self.kept.map_or(1.0, |(_, scale)| scale)
    }

    #[inline(always)]
    fn words(&self, x: &Entries, r: u32) -> Option<&'a [u64]> {
        self.kept.map(|(mask, _)| &mask.words()[x.words(r)])
    }
}

/// out_r = f_r Σ_c x_rc w_c over the kept entries, for the product's rows.
pub fn product(x: &Entries, how: &Product<'_>, w: &Matrix, out: &mut Matrix) {
    assert_eq!((x.columns, w.stride()), (w.rows(), out.stride()), "X W: columns of X, rows of W; widths");
    let (work, stride) = (x.entries(how.rows.len()) * w.stride(), w.stride());
    for_rows(how.rows, RowsMut::of(out), work, &|rows, out| {
        by_width!(stride, product_w(x, &Product { rows, ..*how }, w.data(), out))
    });
}

dispatched! {
    fn product_w<W, FMA>(x: &Entries, how: &Product<'_>, w: &[f32], out: RowsMut<'_>) {
        // The usual case apart, so that its loops need no multiplication to find a row.
        match out.blocks::<W>() {
            1 => product_rows::<W, FMA>(x, how, w, out, 1),
            blocks => product_rows::<W, FMA>(x, how, w, out, blocks),
        }
    }
}

#[inline(always)]
fn product_rows<const W: usize, const FMA: bool>(
    x: &Entries,
    how: &Product<'_>,
    w: &[f32],
    mut out: RowsMut<'_>,
    blocks: usize,
) {
    let w = w.as_chunks::<W>().0;
    for &r in how.rows {
        let row = x.row(r);
        let factor = row.scale * how.factor(r);
        for block in 0..blocks {
            let mut sum = [0.0f32; W];
            if row.values.is_empty() {
                for_kept(row.indices, how.words(x, r), |_, c| {
                    let w = &w[c as usize * blocks + block];
                    for j in 0..W {
                        sum[j] += w[j];
                    }
                });
            } else {
                for_kept(row.indices, how.words(x, r), |i, c| {
                    let (value, w) = (row.values[i], &w[c as usize * blocks + block]);
                    for j in 0..W {
                        sum[j] = fma::<FMA>(value, w[j], sum[j]);
                    }
                });
            }
            let out = out.block::<W>(r, blocks, block);
            for j in 0..W {
                out[j] = factor * sum[j];
            }
        }
    }
}

/// d_w_c += Σ_r f_r x_rc d_r over the kept entries of the product's rows: the transpose of [`product`].
pub fn add_transposed_product(x: &Entries, how: &Product<'_>, d: &Matrix, d_w: &mut Matrix) {
    assert_eq!((x.columns, d.stride()), (d_w.rows(), d_w.stride()), "Xᵀ D: columns of X, rows of dW; widths");
    let (work, stride) = (x.entries(how.rows.len()) * d.stride(), d.stride());
    if x.layout == Layout::Identity {
        // Each row has a column of its own, so rows may be split as in a forward product.
        return for_rows(how.rows, RowsMut::of(d_w), work, &|rows, d_w| {
            by_width!(stride, transposed_w(x, &Product { rows, ..*how }, d.data(), d_w))
        });
    }
    sum_rows(how.rows, d_w, work, &|rows, d_w| {
        by_width!(stride, transposed_w(x, &Product { rows, ..*how }, d.data(), RowsMut::of(d_w)))
    });
}

dispatched! {
    fn transposed_w<W, FMA>(x: &Entries, how: &Product<'_>, d: &[f32], d_w: RowsMut<'_>) {
        match d_w.blocks::<W>() {
            1 => transposed_rows::<W, FMA>(x, how, d, d_w, 1),
            blocks => transposed_rows::<W, FMA>(x, how, d, d_w, blocks),
        }
    }
}

#[inline(always)]
fn transposed_rows<const W: usize, const FMA: bool>(
    x: &Entries,
    how: &Product<'_>,
    d: &[f32],
    mut d_w: RowsMut<'_>,
    blocks: usize,
) {
    let d = d.as_chunks::<W>().0;
    for &r in how.rows {
        let row = x.row(r);
        let factor = row.scale * how.factor(r);
        for block in 0..blocks {
            let mut scaled = d[r as usize * blocks + block];
            scaled.iter_mut().for_each(|v| *v *= factor);
            if row.values.is_empty() {
                for_kept(row.indices, how.words(x, r), |_, c| {
                    let d_w = d_w.block::<W>(c, blocks, block);
                    for j in 0..W {
                        d_w[j] += scaled[j];
                    }
                });
            } else {
                for_kept(row.indices, how.words(x, r), |i, c| {
                    let (value, d_w) = (row.values[i], d_w.block::<W>(c, blocks, block));
                    for j in 0..W {
                        d_w[j] = fma::<FMA>(value, scaled[j], d_w[j]);
                    }
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    /// Random entries of each layout, with values or with one scale per row.
    fn entries(kind: u8, rows: usize, columns: usize, seed: usize) -> Entries {
        let value = |i: usize| ((i * 31 + seed) % 17) as f32 / 8.0 - 1.0;
        let counting = |n: usize| (0..n as u32).collect::<Vec<u32>>();
        let plain = |layout, indices, values| Entries { rows, columns, layout, indices, values, scale: Vec::new() };
        match kind {
            0 => plain(Layout::Dense, counting(columns), (0..rows * columns).map(value).collect()),
            1 => Entries { columns: rows, ..plain(Layout::Identity, counting(rows), Vec::new()) },
            _ => {
                let (mut offsets, mut words, mut indices) = (vec![0], vec![0], Vec::new());
                for r in 0..rows {
                    let step = 1 + (r + seed) % 5;
                    let filled = if (r + seed).is_multiple_of(4) { 0 } else { columns as u32 };
                    let start = indices.len();
                    indices.extend((0..filled).step_by(step));
                    offsets.push(indices.len());
                    words.push(words[r] + (indices.len() - start).div_ceil(64));
                }
                let values = if kind == 2 { (0..indices.len()).map(value).collect() } else { Vec::new() };
                let mut entries = plain(Layout::Sparse { offsets, words }, indices, values);
                if kind == 3 {
                    entries.scale = (0..rows).map(value).collect();
                }
                entries
            }
        }
    }

    /// drop(X) as a dense table.
    fn table(x: &Entries, how: &Product<'_>) -> Vec<Vec<f32>> {
        let mut table = vec![vec![0.0; x.columns]; x.rows];
        for &r in how.rows {
            let row = x.row(r);
            for (i, &c) in row.indices.iter().enumerate() {
                let kept = how.kept.is_none_or(|(mask, _)| mask.kept(x.words(r).start, i));
                let value = row.values.get(i).copied().unwrap_or(1.0) * row.scale;
                table[r as usize][c as usize] = if kept { value * how.factor(r) } else { 0.0 };
            }
        }
        table
    }

    proptest! {
        #[test]
        fn products_equal_plain_loops(
            kind in 0u8..4, n in 1usize..9, d in 1usize..150, width in 1usize..=70,
            seed in 0usize..100, dropped in any::<bool>(),
        ) {
            let x = entries(kind, n, d, seed);
            let mut mask = Mask::default();
            let bits: Vec<bool> = (0..x.all_words() * 64).map(|i| !(i * 7 + seed).is_multiple_of(3)).collect();
            mask.assign(x.all_words(), [(0..x.all_words(), &bits[..])].into_iter());
            let factor: Vec<f32> = (0..n).map(|r| 0.5 + r as f32).collect();
            let rows: Vec<u32> = (0..n as u32).filter(|r| (*r as usize + seed) % 3 != 1).collect();
            let how = Product { rows: &rows, kept: dropped.then_some((&mask, 2.0)), factor: Some(&factor) };
            let number = |i: usize| ((i * 13 + seed) % 29) as f32 / 16.0 - 1.0;
            let w = Matrix::from_rows(x.columns, width, &(0..x.columns * width).map(number).collect::<Vec<_>>());
            let d = Matrix::from_rows(n, width, &(0..n * width).map(number).collect::<Vec<_>>());
            at_every_level(|| {
                let (mut out, mut d_w) = (Matrix::zeros(n, width), w.clone());
                product(&x, &how, &w, &mut out);
                add_transposed_product(&x, &how, &d, &mut d_w);
                let x_table = table(&x, &how);
                let close = |a: f32, b: f32| (a - b).abs() <= 1e-4 * (1.0 + b.abs());
                for &r in &rows {
                    for j in 0..width {
                        let plain: f32 = x_table[r as usize].iter().enumerate().map(|(c, x)| x * w.row(c)[j]).sum();
                        prop_assert!(close(out.row(r as usize)[j], plain));
                    }
                }
                for c in 0..x.columns {
                    for j in 0..width {
                        let plain: f32 = x_table.iter().enumerate().map(|(r, x)| x[c] * d.row(r)[j]).sum();
                        prop_assert!(close(d_w.row(c)[j], plain + w.row(c)[j]));
                    }
                }
                let padding = (0..n).flat_map(|r| &out.data()[r * out.stride()..(r + 1) * out.stride()][width..]);
                prop_assert!(padding.copied().all(|v| v == 0.0));
                Ok(())
            })?;
        }
    }
}
