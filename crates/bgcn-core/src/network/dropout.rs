//! Dropout: what each pass of a network leaves out.
//! Paper: the equation labelled BayesianNN, whose mean over S weights W_s is over dropout masks of a trained network
//! (Gal and Ghahramani, 2016); in training, the dropout of every layer's input.
//!
//! ```text
//! p(y | x, X, Y) ≈ 1/S Σ_s p(y | x, W_s),   W_s = the trained weights under mask s
//! ```
//!
//! Differs: nothing. The sum is taken in `posterior`, whose parts pass one stream of masks for each s.

use crate::kernels::{Mask, Rate};
use crate::rng::{Fast, Stream};

/// What is dropped from the inputs of the layers in one forward pass.
#[derive(Debug)]
pub enum Dropout<'a> {
    /// Nothing.
    Off,
    /// Each element with the network's rate, by bits from this stream: deterministic, whatever the number of threads.
    On(&'a mut Stream),
    /// All but the elements marked `true`: one list per mask of the network, in the order the network documents, each
    /// with the elements of all rows one after another (of sparse features: the stored ones). Panics in the forward
    /// pass when a list has another length.
    #[cfg_attr(not(test), allow(dead_code, reason = "gradients are checked under known masks"))]
    Given(&'a [Vec<bool>]),
}

/// A [`Dropout`] at work: where the masks of one forward pass come from.
#[derive(Debug)]
pub enum Masks<'a> {
    /// Nothing is dropped.
    Off,
    /// Bits from this generator, at this rate.
    On(Fast, Rate),
    /// Given lists.
    Given(&'a [Vec<bool>]),
}

impl<'a> Masks<'a> {
    /// Starts a forward pass.
    pub fn new(dropout: Dropout<'a>, rate: Rate) -> Self {
        match dropout {
            Dropout::Off => Self::Off,
            Dropout::On(stream) => Self::On(stream.fast(), rate),
            Dropout::Given(lists) => Self::Given(lists),
        }
    }

    /// Fills the mask of rows of `width` elements, each beginning on a new word; returns whether anything is dropped.
    pub fn draw(&mut self, rows: &[u32], (nodes, width): (usize, usize), mask: &mut Mask, index: usize) -> bool {
        let words = width.div_ceil(64);
        let range = |r: u32| r as usize * words..(r as usize + 1) * words;
        match self {
            Self::Off => return false,
            Self::On(random, rate) => mask.draw(nodes * words, rows.iter().map(|&r| range(r)), *rate, random),
            Self::Given(lists) => {
                assert_eq!(lists[index].len(), nodes * width, "mask {index} is not [{nodes}, {width}]");
                let rows = lists[index].chunks_exact(width);
                mask.assign(nodes * words, rows.enumerate().map(|(r, bits)| (range(r as u32), bits)));
            }
        }
        true
    }
}
