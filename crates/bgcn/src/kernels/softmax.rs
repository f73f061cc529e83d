//! Softmax of rows, with an exponential the compiler can vectorise.

use super::Matrix;
use super::cpu::{by_width, dispatched, fma};
use super::rows::{RowsMut, for_rows};

/// out_r = softmax(z_r) for the given rows (ascending). The largest is taken out first, so nothing overflows.
pub fn softmax(rows: &[u32], z: &Matrix, out: &mut Matrix) {
    assert_eq!((z.rows(), z.columns()), (out.rows(), out.columns()), "softmax into another shape");
    let work = rows.len() * z.stride() * 16;
    for_rows(rows, RowsMut::of(out), work, &|rows, out| by_width!(z.stride(), softmax_w(rows, z, out)));
}

dispatched! {
    fn softmax_w / softmax_body(rows: &[u32], z: &Matrix, out: RowsMut<'_>)
}

#[inline(always)]
fn softmax_body<const W: usize, const FMA: bool>(rows: &[u32], z: &Matrix, mut out: RowsMut<'_>) {
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

/// e^x for x ≤ 0 to 2 units in the last place; below −87 it stays at e^−87 ≈ 1.6e-38. NaN stays NaN.
///
/// x = n ln 2 + r with |r| ≤ ½ ln 2; e^r by its Taylor polynomial of degree 7, 2^n by writing the exponent bits.
#[inline(always)]
fn exp<const FMA: bool>(x: f32) -> f32 {
    /// Adding it rounds to whole numbers and leaves them in the low bits.
    const ROUND: f32 = 12_582_912.0; // 1.5 · 2²³
    /// ln 2 as a short number, whose multiples are exact, and the rest.
    const LN_2: (f32, f32) = (0.693_359_4, -2.121_944_4e-4);
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = fma::<FMA>(x, std::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = fma::<FMA>(-n, LN_2.1, fma::<FMA>(-n, LN_2.0, x));
    let mut e = 1.0 / 5040.0;
    for coefficient in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        e = fma::<FMA>(e, r, coefficient);
    }
    e * f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000))
}

#[cfg(test)]
mod tests {
    use super::super::cpu::tests::at_every_level;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_exponential_is_good_to_two_units_in_the_last_place() {
        for i in 0..=870_000u32 {
            let x = -(i as f32) / 10_000.0;
            let (fast, exact) = (exp::<false>(x), f64::from(x).exp());
            assert!((f64::from(fast) / exact - 1.0).abs() < 2.4e-7, "e^{x}: {fast}, not {exact}");
        }
        assert!(exp::<false>(f32::NAN).is_nan());
        assert!(exp::<false>(f32::NEG_INFINITY) < 1e-37);
    }

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
