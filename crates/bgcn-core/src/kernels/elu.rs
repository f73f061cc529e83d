//! ELU with bias and dropout, its gradient, and sums of rows (the gradient of a bias).

use super::cpu::{by_width, dispatched};
use super::exp::exp_m1;
use super::rows::{RowsMut, for_rows, sum_rows};
use super::{Mask, Matrix};

/// h = elu(h + b) with elu(x) = x for x > 0, else e^x − 1; times the scale where kept and 0 where dropped.
///
/// `b` has one row. The words of a row of the mask are as in `relu_dropout`.
pub fn elu_dropout(rows: &[u32], b: &Matrix, kept: Option<(&Mask, f32)>, h: &mut Matrix) {
    assert_eq!((b.rows(), b.stride()), (1, h.stride()), "bias of {} columns for {}", b.columns(), h.columns());
    // A quarter of the grain of a product: an exponential costs about that many multiply-adds.
    let (work, stride) = (rows.len() * h.stride() * 16, h.stride());
    for_rows(rows, RowsMut::of(h), work, &|rows, h| by_width!(stride, elu_w(rows, b.data(), kept, h)));
}

dispatched! {
    fn elu_w<W, FMA>(rows: &[u32], b: &[f32], kept: Option<(&Mask, f32)>, h: RowsMut<'_>) {
        let mut h = h;
        let (b, blocks) = (b.as_chunks::<W>().0, h.blocks::<W>());
        for &r in rows {
            for (block, b) in b.iter().enumerate() {
                let factor = factors::<W>(kept, r as usize * blocks + block);
                let row = h.block::<W>(r, blocks, block);
                for j in 0..W {
                    let x = row[j] + b[j];
                    let low = exp_m1::<FMA>(x);
                    row[j] = factor[j] * if x > 0.0 { x } else { low };
                }
            }
        }
    }
}

/// d = d · elu' · scale where kept, else 0: the gradient through [`elu_dropout`], from its output `h`.
///
/// Below zero elu' = elu + 1; `h` holds elu · scale.
pub fn elu_gate(rows: &[u32], kept: Option<(&Mask, f32)>, h: &Matrix, d: &mut Matrix) {
    assert_eq!(h.stride(), d.stride(), "ELU gradient: widths {} and {}", h.columns(), d.columns());
    let (work, stride) = (rows.len() * h.stride() * 4, h.stride());
    for_rows(rows, RowsMut::of(d), work, &|rows, d| by_width!(stride, gate_w(rows, kept, h.data(), d)));
}

dispatched! {
    fn gate_w<W, FMA>(rows: &[u32], kept: Option<(&Mask, f32)>, h: &[f32], d: RowsMut<'_>) {
        let mut d = d;
        let (h, blocks) = (h.as_chunks::<W>().0, d.blocks::<W>());
        for &r in rows {
            for block in 0..blocks {
                let at = r as usize * blocks + block;
                let (factor, h, d) = (factors::<W>(kept, at), &h[at], d.block::<W>(r, blocks, block));
                for j in 0..W {
                    // A dropped element has h = 0, so its second factor is finite and the first is 0.
                    d[j] *= factor[j] + if factor[j] > 0.0 && h[j] < 0.0 { h[j] } else { 0.0 };
                }
            }
        }
    }
}

/// What dropout multiplies the elements of a block by.
#[inline(always)]
fn factors<const W: usize>(kept: Option<(&Mask, f32)>, block: usize) -> [f32; W] {
    let Some((mask, scale)) = kept else { return [1.0; W] };
    // Blocks are 64 wide wherever there are several, so a block never spans two words.
    let word = mask.words()[block];
    let mut factor = [0.0; W];
    for (half, factor) in factor.chunks_mut(32).enumerate() {
        let word = (word >> (32 * half)) as u32;
        for (j, factor) in factor.iter_mut().enumerate() {
            *factor = if word & (1 << j) != 0 { scale } else { 0.0 };
        }
    }
    factor
}

/// sum += Σ_r d_r over the given rows; `sum` has one row.
pub fn add_sum(rows: &[u32], d: &Matrix, sum: &mut Matrix) {
    assert_eq!((sum.rows(), sum.stride()), (1, d.stride()), "sum of rows of {} in {}", d.columns(), sum.columns());
    let (work, stride) = (rows.len() * d.stride(), d.stride());
    sum_rows(rows, sum, work, &|rows, sum| by_width!(stride, sum_w(rows, d.data(), RowsMut::of(sum))));
}

dispatched! {
    fn sum_w<W, FMA>(rows: &[u32], d: &[f32], sum: RowsMut<'_>) {
        let mut sum = sum;
        let (d, blocks) = (d.as_chunks::<W>().0, sum.blocks::<W>());
        for block in 0..blocks {
            let mut total = *sum.block::<W>(0, blocks, block);
            for &r in rows {
                let d = &d[r as usize * blocks + block];
                for j in 0..W {
                    total[j] += d[j];
                }
            }
            *sum.block::<W>(0, blocks, block) = total;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn elu_and_its_gradient_equal_plain_loops(
            width in 1usize..=130, bits in prop::collection::vec(any::<bool>(), 130 * 5),
        ) {
            let value = |i: usize| ((i * 37 % 101) as f32 - 50.0) / 20.0;
            let x = Matrix::from_rows(5, width, &(0..5 * width).map(value).collect::<Vec<_>>());
            let b = Matrix::from_rows(1, width, &(0..width).map(|i| value(i + 7)).collect::<Vec<_>>());
            let (words, rows) = (width.div_ceil(64), [0u32, 2, 4]);
            let mut mask = Mask::default();
            mask.assign(5 * words, (0..5).map(|r| (r * words..(r + 1) * words, &bits[r * width..(r + 1) * width])));
            at_every_level(|| {
                for kept in [None, Some((&mask, 2.5f32))] {
                    let (mut h, mut d, mut sum) = (x.clone(), x.clone(), Matrix::zeros(1, width));
                    elu_dropout(&rows, &b, kept, &mut h);
                    elu_gate(&rows, kept, &h, &mut d);
                    add_sum(&rows, &x, &mut sum);
                    for j in 0..width {
                        for &r in &rows {
                            let (r, pre) = (r as usize, x.row(r as usize)[j] + b.row(0)[j]);
                            let of = |(mask, scale): (&Mask, f32)| if mask.kept(r * words, j) { scale } else { 0.0 };
                            let factor = kept.map_or(1.0, of);
                            let elu = if pre > 0.0 { pre } else { pre.exp_m1() };
                            prop_assert!((h.row(r)[j] - factor * elu).abs() < 1e-6);
                            let slope = if pre > 0.0 { 1.0 } else { pre.exp() };
                            prop_assert!((d.row(r)[j] - x.row(r)[j] * factor * slope).abs() < 2e-6);
                        }
                        let total: f32 = rows.iter().map(|&r| x.row(r as usize)[j]).sum();
                        prop_assert!((sum.row(0)[j] - total).abs() < 1e-5);
                    }
                }
                Ok(())
            })?;
        }
    }
}
