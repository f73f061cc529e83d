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
//! short way to it. `bgcn-core` computes, over arrays; `bgcn-files` reads and writes; this crate is the way to both.

pub mod graph_fit;
mod model_folder;
pub mod prelude;
mod record;
mod request;
mod run;

pub use bgcn_core::{
    Checked, Error, ErrorKind, graph, graph_model, links, metrics, network, on_threads, posterior, processor_class,
    recipe, rng, setting,
};
pub use bgcn_files::files;
pub use request::{Job, Request, SplitChoice};
pub use run::Run;

/// What a run is stored as and shown by.
pub mod outputs {
    pub use crate::model_folder::*;
    pub use crate::posterior::MemoryNeed;
    pub use crate::record::{Config, DataRecord, Record, RunRecord, Source};
    pub use crate::run::*;
    pub use bgcn_core::memory::available as available_memory;
}

/// Graphs with features and few labels: [`Dataset`](data::Dataset), its readers and writers, splits, the built-in sets.
pub mod data {
    pub use bgcn_core::data::*;
    pub use bgcn_files::{
        BUILT_IN, Found, KNOWN, Known, KnownFile, Places, Shell, Source, cache_folder, fetch, find, known, load, read,
        spelled, write,
    };
}
