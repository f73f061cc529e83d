//! Numbers that start at a cache line, so that a row of 8 or 16 never straddles two.

use std::ops::{Deref, DerefMut};

/// One cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Line([f32; 16]);

/// A slice of `f32` whose first element is 64-byte aligned.
#[derive(Clone, Debug, Default)]
pub struct Aligned {
    lines: Vec<Line>,
    len: usize,
}

impl Aligned {
    /// `len` zeros.
    pub fn zeros(len: usize) -> Self {
        let mut zeros = Self::default();
        zeros.clear_to(len);
        zeros
    }

    /// Makes this `len` zeros, reusing memory.
    pub fn clear_to(&mut self, len: usize) {
        self.lines.clear();
        self.lines.resize(len.div_ceil(16), Line([0.0; 16]));
        self.len = len;
    }
}

impl Deref for Aligned {
    type Target = [f32];

    #[inline]
    fn deref(&self) -> &[f32] {
        assert!(self.len <= self.lines.len() * 16);
        // SAFETY: `Line` is `repr(C)` and holds 16 `f32` without padding, and the assertion above keeps the slice
        // inside the allocation.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts(self.lines.as_ptr().cast::<f32>(), self.len)
        }
    }
}

impl DerefMut for Aligned {
    #[inline]
    fn deref_mut(&mut self) -> &mut [f32] {
        assert!(self.len <= self.lines.len() * 16);
        // SAFETY: as above, and `self` is borrowed mutably for as long as the slice lives.
        #[allow(unsafe_code)]
        unsafe {
            std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast::<f32>(), self.len)
        }
    }
}

impl PartialEq for Aligned {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_at_a_cache_line_and_keeps_its_length() {
        for len in [0, 1, 15, 16, 17, 1000] {
            let mut numbers = Aligned::zeros(len);
            assert_eq!(numbers.len(), len);
            assert_eq!(numbers.as_ptr().align_offset(64), 0);
            numbers.iter_mut().enumerate().for_each(|(i, x)| *x = i as f32);
            assert!(numbers.iter().enumerate().all(|(i, x)| *x == i as f32));
        }
    }
}
