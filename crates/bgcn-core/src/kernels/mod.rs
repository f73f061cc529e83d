//! The only place with SIMD or `unsafe`: sparse products, dropout, Adam, sums of the block model.
//!
//! Rows of a [`Matrix`] are padded to 8, 16, 32 or a multiple of 64 numbers and start on 64-byte boundaries where
//! they are that long, so that every inner loop has a constant width. Each kernel is written once,
//! portably, over `[f32; W]`, and compiled for every class of [`crate::processor_class`]; one is chosen at run time.
//! Plain loops in the tests compute the same without any of this.
#![allow(unsafe_code)] // target-feature calls and the 64-byte aligned buffer; each use states its proof

mod adam;
mod aligned;
mod attention;
mod chebyshev;
pub(crate) mod cpu;
mod dense;
mod elu;
mod exp;
mod lanes;
mod mask;
mod matrix;
mod mix;
pub(crate) mod mmsbm;
pub(crate) mod mmsbm_pairs;
pub(crate) mod mmsbm_step;
mod rows;
mod softmax;
mod sparse;

pub use adam::{Adam, adam_step};
pub use aligned::Aligned;
pub use attention::{Attention, Given, Sources, add_products, attend, d_mix, d_scores, d_sums, mix, scores};
pub use chebyshev::{Recurrence, View, recur, side_by_side};
pub use dense::{add_outer, relu_dropout, relu_gate, times};
pub use elu::{add_sum, elu_dropout, elu_gate};
pub use mask::{Mask, Rate};
pub use matrix::{Matrix, padded};
pub use mix::{Pattern, clear_rows, gather, scatter_add};
pub use softmax::softmax;
pub(crate) use sparse::Layout;
pub use sparse::{Entries, Product, add_transposed_product, product};
