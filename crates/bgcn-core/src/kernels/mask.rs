//! Dropout masks: one bit per element, kept where it is set.
//!
//! A word of 64 independent bits, each set with probability q = 0.b₁b₂…bₘ (binary), compares 64 random numbers with q
//! at once, digit by digit. A number is decided at its first digit that differs from q's, so half of the open ones are
//! decided by each random word: about 8 words on average, and one for q = ½.

use crate::rng::{Fast, Random as _};
use std::ops::Range;

const DIGITS: u32 = 24;

/// How much is dropped: p in [0, 1), known to 24 binary digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    p: f64,
    keep: u32,
}

impl Rate {
    /// Drops each element with probability `p`; `None` outside [0, 1).
    pub fn new(p: f64) -> Option<Self> {
        if !(0.0..1.0).contains(&p) {
            return None;
        }
        let keep = ((1.0 - p) * f64::from(1u32 << DIGITS)).round() as u32;
        Some(Self { p, keep: keep.max(1) })
    }

    /// What kept elements are multiplied by: 1 / (1 − p).
    pub fn scale(self) -> f32 {
        (1.0 / (1.0 - self.p)) as f32
    }

    /// 64 bits, each set with probability 1 − p.
    #[inline]
    pub fn word(self, random: &mut Fast) -> u64 {
        if self.keep == 1 << DIGITS {
            return u64::MAX;
        }
        // The digits of q from the first to the last: a bit is decided where its random digit differs.
        let (mut kept, mut open) = (0, u64::MAX);
        for digit in (self.keep.trailing_zeros()..DIGITS).rev() {
            let bits = random.next_u64();
            if self.keep >> digit & 1 == 1 {
                kept |= open & !bits;
                open &= bits;
            } else {
                open &= !bits;
            }
            if open == 0 {
                break;
            }
        }
        kept
    }
}

/// Bits in words; which words belong to a row is its owner's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mask {
    words: Vec<u64>,
}

impl Mask {
    /// Draws the given ranges of words, in the order given; of `words` in all, the others are unspecified.
    pub fn draw(&mut self, words: usize, ranges: impl Iterator<Item = Range<usize>>, rate: Rate, random: &mut Fast) {
        self.words.resize(words, 0);
        for range in ranges {
            for word in &mut self.words[range] {
                *word = rate.word(random);
            }
        }
    }

    /// Takes given bits: each row of them goes to its range of words.
    pub fn assign<'a>(&mut self, words: usize, rows: impl Iterator<Item = (Range<usize>, &'a [bool])>) {
        self.words.clear();
        self.words.resize(words, 0);
        for (range, bits) in rows {
            for (i, _) in bits.iter().enumerate().filter(|(_, kept)| **kept) {
                self.words[range.start + i / 64] |= 1 << (i % 64);
            }
        }
    }

    /// All words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bit `i` of the row whose words begin at `start`.
    #[inline]
    pub fn kept(&self, start: usize, i: usize) -> bool {
        self.words[start + i / 64] >> (i % 64) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};

    #[test]
    fn rates_outside_the_range_are_refused() {
        for p in [-0.1, 1.0, f64::NAN, f64::INFINITY] {
            assert!(Rate::new(p).is_none());
        }
    }

    // Five standard errors over 640,000 bits: a false alarm in about 1 of 2 million seeds for each rate.
    #[test]
    fn bits_are_kept_as_often_as_asked() {
        let mut random = Seed::new(3).at(For::Mask, [0; 3]).fast();
        for p in [0.0, 0.1, 0.25, 0.5, 0.6, 0.9] {
            let rate = Rate::new(p).unwrap();
            let kept: u32 = (0..10_000).map(|_| rate.word(&mut random).count_ones()).sum();
            let (mean, error) = (f64::from(kept) / 640_000.0, (p * (1.0 - p) / 640_000.0).sqrt());
            assert!((mean - (1.0 - p)).abs() <= 5.0 * error, "p = {p}: kept {mean}");
        }
    }

    #[test]
    fn given_bits_come_back() {
        let bits: Vec<bool> = (0..70).map(|i| i % 3 == 0).collect();
        let mut mask = Mask::default();
        mask.assign(3, [(1..3, &bits[..])].into_iter());
        assert!((0..70).all(|i| mask.kept(1, i) == bits[i]));
    }
}
