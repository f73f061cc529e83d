//! Node classification that does not take the graph for granted.
//!
//! The observed graph is one draw from a random-graph model. Infer that model, draw graphs from it,
//! train graph networks with Monte Carlo dropout on the draws, and average: the system of "Bayesian
//! graph convolutional neural networks for semi-supervised classification" (AAAI 2019).
//!
//! The modules follow the estimator, in order.

mod checked;
pub mod data;
pub mod files;
pub mod graph;
pub mod graph_model;
pub mod kernels;
pub mod metrics;
pub mod network;
pub mod posterior;
pub mod prelude;
pub mod rng;
pub mod run;

pub use checked::Checked;
pub use kernels::cpu::class as processor_class;
