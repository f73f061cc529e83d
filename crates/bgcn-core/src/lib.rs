//! The estimator of "Bayesian graph convolutional neural networks for semi-supervised classification" (AAAI 2019), over
//! arrays: what is read or written is bytes, never a file.
//!
//! A [`data::Dataset`] is built from borrowed arrays; a [`recipe::Plan`] holds the few settings that are given, and resolves
//! on the data to a complete [`recipe::Recipe`]; the [`posterior::Fit`] has probabilities and their uncertainty, and
//! [`links`] judges single edges. The modules follow the estimator, in order. Programs use the crate `bgcn`, which adds files.

mod checked;
pub mod data;
mod error;
pub mod graph;
pub mod graph_model;
mod kernels;
pub mod links;
pub mod memory;
pub mod metrics;
pub mod network;
pub mod posterior;
pub mod recipe;
pub mod rng;
pub mod setting;

/// What the benchmarks measure. No part of the interface: it may change in any release.
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals {
    pub use crate::kernels::{Adam, Mask, Matrix, Rate, adam_step, gather, scatter_add};
    pub use crate::network::dropout::{Dropout, Masks};
    pub use crate::network::field::Field;
    pub use crate::network::input::{Input, Product};
    pub use crate::network::loss::Targets;
    pub use crate::network::pass::build;
    pub use crate::network::train::{Start, Trainer};
}

pub use checked::Checked;
pub use error::{Error, ErrorKind};
pub use kernels::cpu::class as processor_class;

/// Runs work on a pool of so many threads; 0 takes one per core. Results do not depend on the number.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Request(format!("starting {threads} threads: {error}; ask for fewer")))?;
    Ok(pool.install(work))
}
