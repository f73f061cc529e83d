//! Graphs with features and few labels: [`Dataset`], splits, the built-in sets, the generator.
//!
//! Every reader gives a [`Dataset`]; nothing after this module depends on where it came from.

mod blanks;
mod dataset;
mod describe;
mod features;
pub mod generate;
mod hash;
mod ids;
mod karate;
mod labels;
mod part;
pub mod scaling;
pub mod split;
pub mod wide;

pub use crate::error::{BadInput, Error};
pub use dataset::{Dataset, DatasetBuilder, EdgeTruth};
pub use describe::Description;
pub use features::{DenseRows, FeatureRows, Features, SparseRows};
pub use generate::demo;
pub use hash::CITATION_CLASSES;
pub use ids::{NodeIds, first_repeat};
pub use karate::karate;
pub use labels::Labels;
pub use scaling::{FeatureKind, Scaler, Scaling};
pub use split::{Split, SplitKind};
