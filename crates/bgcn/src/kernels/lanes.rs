//! Eight single-precision numbers that move together: portable arrays, or one AVX register.
//!
//! Both do the same operations in the same order and fuse nothing, so they compute the same bytes.

/// Numbers in a vector.
pub(crate) const LANES: usize = 8;

/// Eight numbers.
pub(crate) trait Lanes: Copy {
    fn splat(x: f32) -> Self;
    fn load(from: &[f32; LANES]) -> Self;
    fn store(self, to: &mut [f32; LANES]);
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// ((x0 + x4) + (x2 + x6)) + ((x1 + x5) + (x3 + x7)).
    fn sum(self) -> f32;
}

/// Any processor.
#[derive(Clone, Copy)]
pub(crate) struct Portable([f32; LANES]);

impl Lanes for Portable {
    #[inline(always)]
    fn splat(x: f32) -> Self {
        Self([x; LANES])
    }

    #[inline(always)]
    fn load(from: &[f32; LANES]) -> Self {
        Self(*from)
    }

    #[inline(always)]
    fn store(self, to: &mut [f32; LANES]) {
        *to = self.0;
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|l| self.0[l] + other.0[l]))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|l| self.0[l] - other.0[l]))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(std::array::from_fn(|l| self.0[l] * other.0[l]))
    }

    #[inline(always)]
    fn sum(self) -> f32 {
        let t: [f32; 4] = std::array::from_fn(|l| self.0[l] + self.0[l + 4]);
        (t[0] + t[2]) + (t[1] + t[3])
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::Avx;

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{LANES, Lanes};
    use std::arch::x86_64::*;

    /// One AVX register. Use it only inside functions compiled for AVX2, behind a check that the processor has it.
    #[derive(Clone, Copy)]
    pub(crate) struct Avx(__m256);

    // SAFETY, for every block below: arithmetic on registers touches no memory, loads and stores get whole arrays of
    // eight, and the callers in this folder reach this type only after finding AVX2 at run time.
    impl Lanes for Avx {
        #[inline(always)]
        fn splat(x: f32) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_set1_ps(x) })
        }

        #[inline(always)]
        fn load(from: &[f32; LANES]) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_loadu_ps(from.as_ptr()) })
        }

        #[inline(always)]
        fn store(self, to: &mut [f32; LANES]) {
            // SAFETY: see above.
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_add_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_sub_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: see above.
            Self(unsafe { _mm256_mul_ps(self.0, other.0) })
        }

        #[inline(always)]
        fn sum(self) -> f32 {
            // SAFETY: see above.
            unsafe {
                let four = _mm_add_ps(_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }
    }
}

/// Asks for the cache line at `at`; harmless anywhere.
#[inline(always)]
pub(crate) fn prefetch(slice: &[f32], at: usize) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: prefetching reads nothing and may name any address; SSE is part of x86-64.
    #[allow(unsafe_code)]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch(slice.as_ptr().wrapping_add(at).cast::<i8>(), _MM_HINT_T0);
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
