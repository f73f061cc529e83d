//! e^x and e^x − 1 in single precision, without a branch or a call, so that a loop over them becomes vector code.
//! Differs from the library's: x is held to −87 … 88, where the result is neither subnormal nor infinite; NaN stays
//! NaN. Method: x = m ln 2 + r with |r| ≤ ½ ln 2, and e^x − 1 = 2^m (e^r − 1) + (2^m − 1), which keeps every digit near
//! 0. `FMA`: whether the calling function was compiled for fused multiply-add; without, `mul_add` would be a
//! library call.

use super::cpu::fma;

/// (e^r − 1 − r) / r² on |r| ≤ ½ ln 2, interpolated at Chebyshev's points: e^r − 1 is right to 3·10⁻⁸ of itself.
const Q: [f32; 5] = [0.5, 0.166_665_76, 0.041_666_556, 0.008_363_203, 0.001_392_621_3];
/// ln 2 in two parts; the first has so few digits that a multiple of it by up to 8 bits is exact.
const LN_2: [f32; 2] = [0.693_359_4, -2.121_944_4e-4];
/// 1.5 · 2²³: a small number added to it is rounded to a whole one, which then sits in the lowest bits.
const ROUND: f32 = 12_582_912.0;

/// (2^m, e^r − 1) of x = m ln 2 + r.
#[inline(always)]
fn parts<const FMA: bool>(x: f32) -> (f32, f32) {
    // Comparisons with NaN are false, so NaN falls through both; `clamp` would do the same with a panic branch.
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = fma::<FMA>(x, std::f32::consts::LOG2_E, ROUND);
    let m = shifted - ROUND;
    let r = fma::<FMA>(m, -LN_2[1], fma::<FMA>(m, -LN_2[0], x));
    let q = Q[..4].iter().rev().fold(Q[4], |q, &c| fma::<FMA>(q, r, c));
    let power = f32::from_bits(shifted.to_bits().wrapping_sub(ROUND.to_bits()).wrapping_add(127) << 23);
    (power, fma::<FMA>(r * r, q, r))
}

/// e^x.
#[inline(always)]
pub(super) fn exp<const FMA: bool>(x: f32) -> f32 {
    let (power, small) = parts::<FMA>(x);
    fma::<FMA>(power, small, power)
}

/// e^x − 1, to full relative precision near 0.
#[inline(always)]
pub(super) fn exp_m1<const FMA: bool>(x: f32) -> f32 {
    let (power, small) = parts::<FMA>(x);
    fma::<FMA>(power, small, power - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Distance from the true value in units of the last place of a result of that size.
    fn ulps(found: f32, truth: f64) -> f64 {
        let place = f64::from(f32::from_bits((truth as f32).abs().to_bits() + 1)) - f64::from((truth as f32).abs());
        (f64::from(found) - truth).abs() / place
    }

    proptest! {
        #[test]
        fn both_are_within_two_units_of_the_last_place(x in -87f32..88.0, small in -0.5f32..0.5) {
            for x in [x, small, small * 1e-3, small * 1e-6] {
                let wide = f64::from(x);
                prop_assert!(ulps(exp::<true>(x), wide.exp()) < 2.0, "exp({x})");
                prop_assert!(ulps(exp::<false>(x), wide.exp()) < 2.0, "exp({x})");
                prop_assert!(ulps(exp_m1::<true>(x), wide.exp_m1()) < 2.0, "exp_m1({x})");
                prop_assert!(ulps(exp_m1::<false>(x), wide.exp_m1()) < 2.0, "exp_m1({x})");
            }
        }
    }

    #[test]
    fn the_ends_are_finite_and_nan_stays() {
        assert_eq!((exp::<true>(0.0), exp_m1::<true>(0.0)), (1.0, 0.0));
        assert_eq!(exp_m1::<true>(f32::NEG_INFINITY), -1.0);
        assert!(exp::<true>(f32::NEG_INFINITY) < 2e-38 && exp::<true>(f32::INFINITY).is_finite());
        assert!(exp::<true>(f32::NAN).is_nan() && exp_m1::<true>(f32::NAN).is_nan());
    }
}
