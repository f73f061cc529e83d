//! Node classification that does not take the graph for granted.
//!
//! The observed graph is one draw from a random-graph model. Infer that model, draw graphs from it,
//! train graph networks with Monte Carlo dropout on the draws, and average: the system of "Bayesian
//! graph convolutional neural networks for semi-supervised classification" (AAAI 2019).
//!
//! A [`data::Dataset`] is built from borrowed arrays or read from files; a [`recipe::Plan`] holds the few settings that are
//! given, and resolves on the data to a complete [`recipe::Recipe`]; the [`posterior::Fit`] has probabilities, their
//! uncertainty, and what is believed of single edges.
//!
//! ```
//! use bgcn::prelude::*;
//! use std::ops::ControlFlow;
//!
//! // Two triangles joined by one edge; the first and the last node are labelled.
//! let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
//! let labels = [Some(0), None, None, None, None, Some(1)];
//! let data = Dataset::builder(6).edges(&edges).labels(&labels).build()?;
//! let fit = Plan::new().seed(1).fit(&data)?;
//! let posterior = fit.predictions.classes().expect("labels are classes");
//! assert_eq!(posterior.prediction(1), 0);
//! assert_eq!(posterior.prediction(4), 1);
//! // Without a fit: which edges look wrong?
//! let links = bgcn::links::judge_graph(&data, Default::default(), Seed::new(1), &|_| ControlFlow::Continue(()))?;
//! println!("{} – {} is spurious with probability {:.3}", links.edges[0].a, links.edges[0].b, links.edges[0].p_spurious());
//! # Ok::<(), Error>(())
//! ```
//!
//! Fits run on the rayon pool they are called in: `rayon::ThreadPoolBuilder` makes one of another size, and [`on_threads`] is a
//! short way to it. The modules follow the estimator, in order.

mod checked;
pub mod data;
mod error;
pub mod files;
pub mod graph;
pub mod graph_fit;
pub mod graph_model;
mod kernels;
pub mod links;
mod memory;
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

/// Carries out work on a pool of so many threads; 0 takes one per core. Results do not depend on the number.
pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| Error::Data(format!("starting {threads} threads: {error}; ask for fewer")))?;
    Ok(pool.install(work))
}
