//! Random numbers: one seed, one independent stream for every use of it.
//!
//! A stream is keyed by (seed, trial, purpose, v, i, s), never by thread, so results do not depend on how
//! the work was spread. The distributions are our own: a dependency's update must not change a result.

mod alias;
mod chacha;

pub(crate) use alias::alias;
use chacha::ChaCha;

/// What a stream is for. The numbers are part of the meaning of a seed: never reuse or reorder them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum For {
    /// Drawing training, validation and test nodes.
    Split = 1,
    /// Generating a dataset; the indices tell its parts apart.
    Generate = 2,
    /// Initial weights of a network.
    Weights = 3,
    /// Dropout masks while training.
    Train = 4,
    /// Dropout masks while predicting.
    Mask = 5,
    /// Inference of the random-graph parameters.
    Lambda = 6,
    /// Drawing graphs.
    Graph = 7,
    /// Held-out links.
    HoldOut = 8,
    /// Attacks on a graph.
    Attack = 9,
    /// Decoy edges of the link model.
    Decoys = 10,
    /// Folds of the link model.
    Folds = 11,
}

/// The one number a run depends on, with the trial it is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seed {
    seed: u64,
    trial: u64,
}

impl Seed {
    /// The seed of a single run (trial 0).
    pub const fn new(seed: u64) -> Self {
        Self { seed, trial: 0 }
    }

    /// The same seed for the `trial`-th repetition.
    pub const fn trial(self, trial: u64) -> Self {
        Self { seed: self.seed, trial }
    }

    /// The same seed for another member of an average; of the first, the seed itself.
    pub(crate) const fn member(self, number: usize) -> Self {
        Self { seed: self.seed, trial: self.trial ^ ((number as u64) << 48) }
    }

    /// The number the user gave.
    pub const fn number(self) -> u64 {
        self.seed
    }

    /// The stream for one purpose and one (v, i, s) of the estimator.
    pub fn at(self, purpose: For, [v, i, s]: [u32; 3]) -> Stream {
        let halves = |number: u64| (number as u32, (number >> 32) as u32);
        let ((seed, seed_high), (trial, trial_high)) = (halves(self.seed), halves(self.trial));
        Stream(ChaCha::new([seed, seed_high, trial, trial_high, purpose as u32, v, i, s]))
    }
}

/// A source of random bits, with the few distributions this crate needs.
pub trait Random {
    /// 64 uniform bits.
    fn next_u64(&mut self) -> u64;

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    #[inline]
    fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Uniform in 0..n without bias. Panics when `n` is 0.
    #[inline]
    fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "below(0) has no value to return");
        let mut wide = u128::from(self.next_u64()) * u128::from(n);
        if (wide as u64) < n {
            let unfair = n.wrapping_neg() % n;
            while (wide as u64) < unfair {
                wide = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (wide >> 64) as u64
    }

    /// Two of them for one number of 64 bits, where n fits in 32.
    #[inline(always)]
    fn two_below(&mut self, n: u32) -> [u32; 2] {
        let bits = self.next_u64();
        let (x, y) = ((bits & 0xffff_ffff) * u64::from(n), (bits >> 32) * u64::from(n));
        // Fair but for the lowest products, which are few.
        if (x as u32) < n || (y as u32) < n {
            return [self.below(u64::from(n)) as u32, self.below(u64::from(n)) as u32];
        }
        [(x >> 32) as u32, (y >> 32) as u32]
    }

    /// Standard normal (polar method; the second value is thrown away to keep the stream stateless).
    fn normal(&mut self) -> f64 {
        loop {
            let (u, v) = (2.0 * self.unit() - 1.0, 2.0 * self.unit() - 1.0);
            let s = u * u + v * v;
            if s > 0.0 && s < 1.0 {
                return u * (-2.0 * s.ln() / s).sqrt();
            }
        }
    }

    /// Gamma(shape, 1) for shape > 0, by squeezing a transformed normal; small shapes by a power of a uniform.
    fn gamma(&mut self, shape: f64) -> f64 {
        if shape < 1.0 {
            let u = 1.0 - self.unit();
            return self.gamma(shape + 1.0) * u.powf(1.0 / shape);
        }
        let d = shape - 1.0 / 3.0;
        let c = 1.0 / (9.0 * d).sqrt();
        loop {
            let x = self.normal();
            let v = (1.0 + c * x).powi(3);
            if v > 0.0 {
                let u = 1.0 - self.unit();
                if u.ln() < 0.5 * x * x + d - d * v + d * v.ln() {
                    return d * v;
                }
            }
        }
    }

    /// Puts a slice in uniformly random order.
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

/// A cryptographic stream (ChaCha8): slow enough to matter only inside dropout, where [`Stream::fast`] takes over.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha<8>);

impl Stream {
    /// A fast generator seeded from this stream.
    pub fn fast(&mut self) -> Fast {
        Fast(std::array::from_fn(|_| self.next_u64()))
    }
}

impl Random for Stream {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// xoshiro256++: a few cycles per number.
#[derive(Clone, Debug)]
pub struct Fast([u64; 4]);

impl Random for Fast {
    #[inline]
    fn next_u64(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(mut draw: impl FnMut() -> f64) -> f64 {
        (0..200_000).map(|_| draw()).sum::<f64>() / 200_000.0
    }

    #[test]
    fn streams_differ_in_every_part_of_their_key() {
        let first = |seed: Seed, purpose, index| seed.at(purpose, index).next_u64();
        let s = Seed::new(7);
        let all = [
            first(s, For::Split, [0; 3]),
            first(Seed::new(8), For::Split, [0; 3]),
            first(s.trial(1), For::Split, [0; 3]),
            first(s, For::Graph, [0; 3]),
            first(s, For::Split, [1, 0, 0]),
            first(s, For::Split, [0, 1, 0]),
            first(s, For::Split, [0, 0, 1]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
        assert_eq!(all[0], first(s, For::Split, [0; 3]));
    }

    // From the crate rand_chacha 0.10, `ChaCha8Rng::from_seed` and `next_u64`: the meaning of a seed.
    #[test]
    fn streams_stay_what_they_were() {
        let positions = [0, 1, 7, 8, 31, 32, 33, 1000, 10_000];
        let golden = [
            (
                Seed::new(0).at(For::Split, [0; 3]),
                [
                    0xb0a4537b7f255c1c,
                    0xec6b2ca0c712e7ef,
                    0x242484c5192b51ea,
                    0x9b61100677a72154,
                    0x8db468098c83df22,
                    0xaf376a162271021c,
                    0x01c406cc821da095,
                    0x5d1629a9cf33727e,
                    0xe2b141e141c5139e,
                ],
            ),
            (
                Seed::new(7).at(For::Generate, [1, 2, 3]),
                [
                    0x33a3e81d11c7b30c,
                    0xa97a460938da5d2c,
                    0xe8b8f761abb564f5,
                    0x81c9bfb08ef69b93,
                    0xd5201e8b6c43a978,
                    0x58201f3637843651,
                    0xa40cd030c75787c9,
                    0xe1c9e236686d8352,
                    0xddcf7f01334366b7,
                ],
            ),
        ];
        for (mut stream, expected) in golden {
            let numbers: Vec<u64> = (0..=10_000).map(|_| stream.next_u64()).collect();
            assert_eq!(positions.map(|at| numbers[at]), expected);
        }
    }

    // Each mean below is checked at five standard errors of 200,000 draws: a false alarm in about 1 of 2 million seeds.
    #[test]
    fn distributions_have_their_means() {
        let mut r = Seed::new(1).at(For::Generate, [0; 3]).fast();
        let root = 200_000f64.sqrt();
        assert!((mean(|| r.unit()) - 0.5).abs() < 5.0 * 0.289 / root);
        assert!(mean(|| r.normal()).abs() < 5.0 / root);
        assert!((mean(|| r.normal().powi(2)) - 1.0).abs() < 5.0 * 2f64.sqrt() / root);
        for shape in [0.2f64, 1.0, 4.5] {
            assert!((mean(|| r.gamma(shape)) - shape).abs() < 5.0 * shape.sqrt() / root);
        }
        assert!((mean(|| r.below(10) as f64) - 4.5).abs() < 5.0 * 2.88 / root);
    }
}
