//! p(W | Y, X, G): graph networks, trained on the labelled nodes of one graph after another.
//! Paper: "Graph convolutional neural networks", and the training steps inside Algorithm 1.
//! Differs: nothing in the mathematics. Training computes only the rows the loss depends on (see `Field`).
//! Symbols: `n` nodes, `d` features, `h` hidden units, `c` outputs; `x` [n, d], `z` [n, c] (before softmax).
//!
//! A network keeps no graph and has no mode: what it needs of a graph (`Operator`), the rows wanted and the
//! dropout are arguments of every call. A `Tape` holds what `backward` needs from `forward`, and its memory is reused.

pub(crate) mod chebnet;
pub(crate) mod dropout;
pub(crate) mod field;
pub(crate) mod gat;
pub(crate) mod gcn;
pub(crate) mod input;
mod langevin;
pub(crate) mod loss;
mod params;
pub(crate) mod pass;
#[cfg(test)]
mod tests;
pub(crate) mod train;
mod weights;

pub use params::{Kind, Params, Patience};

pub(crate) use crate::Error;
pub(crate) use chebnet::Chebnet;
pub(crate) use dropout::Dropout;
pub(crate) use field::Field;
pub(crate) use gat::Gat;
pub(crate) use gcn::Gcn;
pub(crate) use input::{Input, Product};
pub(crate) use langevin::Langevin;
pub(crate) use loss::{Loss, Targets};
pub(crate) use pass::{Network, Operator, Pass, Tape, build};
#[cfg(test)]
pub(crate) use tests::check;
pub(crate) use train::{Prepared, Start, Trainer};
pub(crate) use weights::{Shape, Tensor, Weights};
