//! One step of a Chebyshev recurrence: out = a + t · L̃ x − b, with L̃ x = own · x − mix · s ∘ A(s ∘ x).

use super::cpu::{by_width, dispatched, fma};
use super::rows::{RowsMut, for_rows};
use super::{Matrix, Pattern, padded};

/// Some columns of a matrix, starting at a multiple of their padded width.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    data: &'a [f32],
    stride: usize,
    start: usize,
}

impl<'a> View<'a> {
    /// The `part`-th of the blocks of `columns` padded columns that stand side by side in `matrix`.
    pub fn part(matrix: &'a Matrix, part: usize, columns: usize) -> Self {
        let (stride, start) = (matrix.stride(), part * padded(columns));
        assert!(start + padded(columns) <= stride, "part {part} of width {columns} in rows of {stride}");
        Self { data: matrix.data(), stride, start }
    }

    /// All of a matrix.
    pub fn all(matrix: &'a Matrix) -> Self {
        Self { data: matrix.data(), stride: matrix.stride(), start: 0 }
    }

    #[inline(always)]
    fn block<const W: usize>(&self, r: u32, block: usize) -> &'a [f32; W] {
        &self.data.as_chunks::<W>().0[r as usize * (self.stride / W) + self.start / W + block]
    }
}

/// The right-hand side of a step.
#[derive(Clone, Copy, Debug)]
pub struct Recurrence<'a> {
    /// The pattern of A, without the diagonal.
    pub pattern: Pattern<'a>,
    /// s, one number per node.
    pub s: &'a [f32],
    /// The diagonal of L̃, times t.
    pub own: f32,
    /// The weight of the neighbours, times t.
    pub mix: f32,
    /// x.
    pub x: View<'a>,
    /// a; `None` is 0.
    pub plus: Option<View<'a>>,
    /// b; `None` is 0.
    pub minus: Option<View<'a>>,
}

/// Computes the step in the given rows (ascending) of `out`.
pub fn recur(how: &Recurrence<'_>, rows: &[u32], out: &mut Matrix) {
    let (stride, work) = (out.stride(), (how.pattern.entries(rows.len()) + rows.len()) * out.stride());
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(stride, recur_w(how, rows, out)));
}

dispatched! {
    fn recur_w<W, FMA>(how: &Recurrence<'_>, rows: &[u32], out: RowsMut<'_>) {
        let mut out = out;
        let blocks = out.blocks::<W>();
        for &r in rows {
            let mix = -how.mix * how.s[r as usize];
            for block in 0..blocks {
                let mut sum = [0.0f32; W];
                for &c in how.pattern.row(r) {
                    let (s, x) = (how.s[c as usize], how.x.block::<W>(c, block));
                    for j in 0..W {
                        sum[j] = fma::<FMA>(s, x[j], sum[j]);
                    }
                }
                let x = how.x.block::<W>(r, block);
                for j in 0..W {
                    sum[j] = fma::<FMA>(mix, sum[j], how.own * x[j]);
                }
                if let Some(plus) = &how.plus {
                    let plus = plus.block::<W>(r, block);
                    for j in 0..W {
                        sum[j] += plus[j];
                    }
                }
                if let Some(minus) = &how.minus {
                    let minus = minus.block::<W>(r, block);
                    for j in 0..W {
                        sum[j] -= minus[j];
                    }
                }
                *out.block::<W>(r, blocks, block) = sum;
            }
        }
    }
}

/// Copies matrices of equal width next to each other: part k of `out` becomes `parts[k]`, in the given rows
/// (ascending).
pub fn side_by_side(parts: &[Matrix], rows: &[u32], out: &mut Matrix) {
    let Some(first) = parts.first() else { return };
    let (stride, work) = (first.stride(), rows.len() * out.stride());
    assert!(parts.iter().all(|part| part.stride() == stride) && parts.len() * stride <= out.stride(), "parts must fit");
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(stride, beside_w(parts, rows, out)));
}

dispatched! {
    fn beside_w<W, FMA>(parts: &[Matrix], rows: &[u32], out: RowsMut<'_>) {
        let mut out = out;
        let blocks = out.blocks::<W>();
        for (k, part) in parts.iter().enumerate() {
            let (own, part) = (part.stride() / W, View::all(part));
            for &r in rows {
                for block in 0..own {
                    *out.block::<W>(r, blocks, k * own + block) = *part.block::<W>(r, block);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use crate::graph::Graph;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_step_equals_plain_loops(
            edges in prop::collection::vec((0u32..20, 0u32..20), 0..60),
            width in 1usize..=70,
            part in 0usize..3,
        ) {
            let graph = Graph::from_edges(20, &edges).unwrap();
            let l = graph.rescaled_laplacian();
            let columns = 3 * padded(width);
            let values: Vec<f32> = (0..20 * columns).map(|i| ((i * 37 % 101) as f32 - 50.0) / 16.0).collect();
            let wide = Matrix::from_rows(20, columns, &values);
            let [x, plus, minus] = [part, 0, 2].map(|part| View::part(&wide, part, width));
            let how = Recurrence {
                pattern: (&graph).into(), s: &l.scale, own: 2.0 * l.own, mix: 2.0 * l.mix, x, plus: Some(plus),
                minus: Some(minus),
            };
            let rows: Vec<u32> = (0..20).step_by(3).collect();
            at_every_level(|| {
                let mut out = Matrix::zeros(20, width);
                recur(&how, &rows, &mut out);
                let at = |r: u32, part: usize, j: usize| f64::from(wide.row(r as usize)[part * padded(width) + j]);
                for &r in &rows {
                    let s = |a: u32| f64::from(l.scale[a as usize]);
                    for j in 0..width {
                        let mixed: f64 = graph.neighbours(r).iter().map(|&c| s(c) * at(c, part, j)).sum();
                        let l_x = f64::from(l.own) * at(r, part, j) - f64::from(l.mix) * s(r) * mixed;
                        let expected = at(r, 0, j) + 2.0 * l_x - at(r, 2, j);
                        prop_assert!((f64::from(out.row(r as usize)[j]) - expected).abs() < 1e-4);
                    }
                }
                let mut joined = Matrix::zeros(20, columns);
                let parts: Vec<Matrix> = (0..3).map(|part| {
                    let mut one = Matrix::zeros(20, width);
                    (0..20).for_each(|r| one.row_mut(r).copy_from_slice(&wide.row(r)[part * padded(width)..][..width]));
                    one
                }).collect();
                side_by_side(&parts, &rows, &mut joined);
                for &r in &rows {
                    for (part, one) in parts.iter().enumerate() {
                        prop_assert_eq!(&joined.row(r as usize)[part * padded(width)..][..width], one.row(r as usize));
                    }
                }
                prop_assert!(joined.row(1).iter().all(|&v| v == 0.0));
                Ok(())
            })?;
        }
    }
}
