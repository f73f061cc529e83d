//! Softmax of rows.

use super::Matrix;
use super::cpu::{by_width, dispatched};
use super::exp::exp;
use super::rows::{RowsMut, for_rows};

/// out_r = softmax(z_r) for the given rows (ascending). The largest is taken out first, so nothing overflows.
pub fn softmax(rows: &[u32], z: &Matrix, out: &mut Matrix) {
    assert_eq!((z.rows(), z.columns()), (out.rows(), out.columns()), "softmax into another shape");
    let work = rows.len() * z.stride() * 16;
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(z.stride(), softmax_w(rows, z, out)));
}

dispatched! {
    fn softmax_w<W, FMA>(rows: &[u32], z: &Matrix, out: RowsMut<'_>) {
        let mut out = out;
        let (columns, blocks) = (z.columns(), out.blocks::<W>());
        let data = z.data().as_chunks::<W>().0;
        for &r in rows {
            // The padding counts as −∞, so it neither is the largest nor adds to the sum.
            let block_of = |block: usize| {
                let mut values = data[r as usize * blocks + block];
                for (j, value) in values.iter_mut().enumerate() {
                    *value = if block * W + j < columns { *value } else { f32::NEG_INFINITY };
                }
                values
            };
            let largest = (0..blocks).map(|block| fold(block_of(block), f32::max)).fold(f32::NEG_INFINITY, f32::max);
            let mut sum = 0.0;
            for block in 0..blocks {
                let mut exps = block_of(block);
                for (j, value) in exps.iter_mut().enumerate() {
                    let e = exp::<FMA>(*value - largest);
                    *value = if block * W + j < columns { e } else { 0.0 };
                }
                sum += fold(exps, |a, b| a + b);
                *out.block::<W>(r, blocks, block) = exps;
            }
            for block in 0..blocks {
                out.block::<W>(r, blocks, block).iter_mut().for_each(|v| *v /= sum);
            }
        }
    }
}

/// All values joined, in halves: the first half with the second, and so on, several at a time.
#[inline(always)]
fn fold<const W: usize>(mut values: [f32; W], join: impl Fn(f32, f32) -> f32) -> f32 {
    let mut half = W / 2;
    while half > 0 {
        for j in 0..half {
            values[j] = join(values[j], values[j + half]);
        }
        half /= 2;
    }
    values[0]
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_equal_softmax_in_double_precision(width in 1usize..=130, scale in 0.1f32..200.0, seed in 0usize..100) {
            let number = |i: usize| scale * (((i * 13 + seed) % 29) as f32 / 14.0 - 1.0);
            let z = Matrix::from_rows(3, width, &(0..3 * width).map(number).collect::<Vec<_>>());
            at_every_level(|| {
                let mut out = Matrix::zeros(3, width);
                softmax(&[0, 2], &z, &mut out);
                prop_assert_eq!(out.row(1), &vec![0.0; width][..]);
                for r in [0, 2] {
                    let largest = z.row(r).iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    let exps: Vec<f64> = z.row(r).iter().map(|&v| f64::from(v - largest).exp()).collect();
                    let sum: f64 = exps.iter().sum();
                    for (fast, exact) in out.row(r).iter().zip(&exps) {
                        prop_assert!((f64::from(*fast) - exact / sum).abs() < 1e-6);
                    }
                    prop_assert!(out.data()[r * out.stride()..][width..out.stride()].iter().all(|&v| v == 0.0));
                }
                Ok(())
            })?;
        }
    }
}
