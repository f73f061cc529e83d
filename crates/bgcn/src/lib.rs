//! Node classification that does not take the graph for granted.
//!
//! The observed graph is one draw from a random-graph model. Infer that model, draw graphs from it,
//! train graph networks with Monte Carlo dropout on the draws, and average: the system of "Bayesian
//! graph convolutional neural networks for semi-supervised classification" (AAAI 2019).
//!
//! The modules follow the estimator, in order.

mod checked;
pub mod data;
mod error;
pub mod files;
pub mod graph;
pub mod graph_model;
mod kernels;
pub mod metrics;
pub mod network;
pub mod outputs;
pub mod posterior;
pub mod prelude;
pub mod recipe;
pub mod rng;
pub mod setting;

/// What the benchmarks measure. No part of the interface: it may change in any release.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::kernels::{Adam, Mask, Matrix, Rate, adam_step, gather, scatter_add};
    pub use crate::network::chebnet::Chebnet;
    pub use crate::network::field::Field;
    pub use crate::network::gat::Gat;
    pub use crate::network::gcn::Gcn;
    pub use crate::network::input::{Input, Masks, Product};
    pub use crate::network::loss::Targets;
    pub use crate::network::pass::{Dropout, Network};
    pub use crate::network::train::{Start, Trainer};
}

pub use checked::Checked;
pub use error::{Error, ErrorKind};
pub use kernels::cpu::class as processor_class;
