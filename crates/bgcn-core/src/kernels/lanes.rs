//! Eight single-precision numbers that move together: portable arrays, or one AVX register.
//!
//! Both do the same operations in the same order and fuse nothing, so they compute the same bytes.

/// Numbers in a vector.
pub(super) const LANES: usize = 8;

/// Instructions that this processor has, and the vectors made with them.
///
/// A vector of more than portable code is made only by a value of this kind, which proves that its instructions exist.
pub(super) trait Simd: Copy {
    type Lanes: Lanes;
    fn splat(self, x: f32) -> Self::Lanes;
    fn load(self, from: &[f32; LANES]) -> Self::Lanes;
}

/// Eight numbers.
pub(super) trait Lanes: Copy {
    fn store(self, to: &mut [f32; LANES]);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)).
    fn sum(self) -> f32;
    /// The sums of eight vectors, each in the order of `sum`.
    fn sums(of: [Self; LANES]) -> Self;
    fn over(self, other: Self) -> Self;
    /// The larger, number by number; `least` where `self` is not a number.
    fn at_least(self, least: Self) -> Self;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(super) struct Portable;

impl Simd for Portable {
    type Lanes = [f32; LANES];

    #[inline(always)]
    fn splat(self, x: f32) -> [f32; LANES] {
        [x; LANES]
    }

    #[inline(always)]
    fn load(self, from: &[f32; LANES]) -> [f32; LANES] {
        *from
    }
}

impl Lanes for [f32; LANES] {
    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] + other[l])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] - other[l])
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] * other[l])
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        let t: [f32; 4] = std::array::from_fn(|l| self[l] + self[l + 4]);
        (t[0] + t[2]) + (t[1] + t[3])
    }

    #[inline(always)]
    fn sums(of: [Self; LANES]) -> Self {
        std::array::from_fn(|l| of[l].sum())
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        std::array::from_fn(|l| self[l] / other[l])
    }

    #[inline(always)]
    fn at_least(self, least: Self) -> Self {
        std::array::from_fn(|l| if self[l] > least[l] { self[l] } else { least[l] })
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LANES, Lanes, Simd};
    use crate::kernels::cpu::Avx2;
    use std::arch::x86_64::*;

    /// One register. Only [`Avx2`] makes it, so a processor that has one has AVX2.
    #[derive(Clone, Copy)]
    pub(in crate::kernels) struct Register(__m256);

    impl Simd for Avx2 {
        type Lanes = Register;

        #[inline(always)]
        fn splat(self, x: f32) -> Register {
            // SAFETY: `self` proves AVX2.
            Register(unsafe { _mm256_set1_ps(x) })
        }

        #[inline(always)]
        fn load(self, from: &[f32; LANES]) -> Register {
            // SAFETY: `self` proves AVX2; `from` has the eight numbers that are read, at any alignment.
            Register(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }
    }

    // The methods use AVX alone, which is part of AVX2.
    impl Lanes for Register {
        #[inline(always)]
        fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: `self` proves AVX2; `to` has room for the eight numbers that are written, at any alignment.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: `self` proves AVX2.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: `self` proves AVX2.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: `self` proves AVX2.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn sum(self) -> f32 {
            // SAFETY: `self` proves AVX2.
            unsafe {
                let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }

        #[inline(always)]
        fn sums(of: [Self; LANES]) -> Self {
            // SAFETY: a register proves AVX2.
            unsafe {
                let [a, b, c, d, e, f, g, h] = of;
                let halves = |x: Self, y: Self| {
                    let (low, high) =
                        (_mm256_permute2f128_ps::<0x20>(x.0, y.0), _mm256_permute2f128_ps::<0x31>(x.0, y.0));
                    _mm256_add_ps(low, high) // four numbers of x, four of y
                };
                let quarters = |x, y| _mm256_add_ps(_mm256_shuffle_ps::<0x44>(x, y), _mm256_shuffle_ps::<0xee>(x, y));
                let (ae, bf, cg, dh) = (halves(a, e), halves(b, f), halves(c, g), halves(d, h));
                let (x, y) = (quarters(ae, bf), quarters(cg, dh));
                Self(_mm256_add_ps(_mm256_shuffle_ps::<0x88>(x, y), _mm256_shuffle_ps::<0xdd>(x, y)))
            }
        }

        #[inline(always)]
        fn over(self, other: Self) -> Self {
            // SAFETY: `self` proves AVX2.
            Self(unsafe { _mm256_div_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn at_least(self, least: Self) -> Self {
            // SAFETY: `self` proves AVX2. The second operand is taken where the first is not a number.
            Self(unsafe { _mm256_max_ps(self.0, least.0) })
        }
    }
}

/// `fn name(arguments) = of_width | of_any_width, by stride`: calls `of_width::<S, C>(simd, arguments)` with the best
/// instructions of this processor for rows of C = 1 to 4 vectors, else `of_any_width(arguments)`.
macro_rules! by_lanes {
    (fn $name:ident($($arg:ident: $type:ty),*) = $of_width:ident | $of_any_width:ident, $stride:expr) => {
        fn $name($($arg: $type),*) {
            #[inline(always)]
            fn by_width<S: Simd>(simd: S, $($arg: $type),*) {
                match $stride / LANES {
                    1 => $of_width::<S, 1>(simd, $($arg),*),
                    2 => $of_width::<S, 2>(simd, $($arg),*),
                    3 => $of_width::<S, 3>(simd, $($arg),*),
                    4 => $of_width::<S, 4>(simd, $($arg),*),
                    _ => $of_any_width($($arg),*),
                }
            }
            #[cfg(target_arch = "x86_64")]
            {
                use $crate::kernels::cpu::Avx2;
                #[target_feature(enable = "avx2")]
                fn avx2(proof: Avx2, $($arg: $type),*) {
                    by_width(proof, $($arg),*);
                }
                if let Some(proof) = Avx2::in_use() {
                    // SAFETY: there is a proof of AVX2, the only thing the function requires.
                    return unsafe { avx2(proof, $($arg),*) };
                }
            }
            by_width($crate::kernels::lanes::Portable, $($arg),*);
        }
    };
}

pub(super) use by_lanes;

/// Asks for the cache line at `at`; harmless anywhere.
#[inline(always)]
pub(super) fn prefetch(slice: &[f32], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing and may name any address; SSE is part of x86-64.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(at).cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
