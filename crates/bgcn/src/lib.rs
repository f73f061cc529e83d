//! Node classification that does not take the graph for granted.
//!
//! The observed graph is one draw from a random-graph model. Infer that model, draw graphs from it,
//! train graph networks with Monte Carlo dropout on the draws, and average: the system of "Bayesian
//! graph convolutional neural networks for semi-supervised classification" (AAAI 2019).
//!
//! A [`Request`] names the data, the settings and the split; its [`Run`] has the predictions with
//! their uncertainty, and the edges with the probabilities that they are spurious.
//!
//! ```
//! use bgcn::{Dataset, Request, Source, SplitChoice, unwatched};
//! use std::sync::Arc;
//!
//! // Two triangles joined by one edge; the first and the last node are labelled.
//! let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5), (2, 3)];
//! let labels = [Some(0), None, None, None, None, Some(1)];
//! let data = Arc::new(Dataset::builder(6).edges(&edges).labels(&labels).build()?);
//! let run = Request::of_data(data, Source::default()).seed(1).split(SplitChoice::All).run(&unwatched)?;
//! let posterior = run.predictions().classes().expect("labels are classes");
//! assert_eq!((posterior.prediction(1), posterior.prediction(4)), (0, 1));
//! for edge in run.judge(&unwatched)?.observed().take(3) {
//!     println!("{:?} is spurious with probability {:.3}: {}", edge.names, edge.probability, edge.reasons);
//! }
//! # Ok::<(), bgcn::Error>(())
//! ```
//!
//! Fits run on the rayon pool they are called in: `rayon::ThreadPoolBuilder` makes one of another size, and
//! [`on_threads`] is a short way to it. `bgcn-core` computes, over arrays; `bgcn-files` reads and writes; this crate
//! joins both.

pub mod findings;
pub mod graph_fit;
pub mod graph_models;
mod record;
mod request;
mod run;

pub use bgcn_core::data::{
    Dataset, DatasetBuilder, FeatureRows, Features, Labels, NodeIds, Split, SplitKind, demo, karate,
};
pub use bgcn_core::graph::Graph;
pub use bgcn_core::network::Kind;
pub use bgcn_core::posterior::{Phase, Posterior, Predictions, Progress, Values, Watch, unwatched};
pub use bgcn_core::recipe::{Plan, Preset, Recipe};
pub use bgcn_core::rng::Seed;
pub use bgcn_core::{Error, ErrorKind, on_threads, processor_class};
pub use bgcn_files::{Places, Source, load, read::ReadOptions};
pub use record::{Config, DataRecord, Record, RunRecord};
pub use request::{Job, Request, SplitChoice};
pub use run::{Run, RunFiles, RunFolder};
