//! Graphs with features and few labels: [`Dataset`], its readers and writers, splits, the built-in sets, the generator.
//!
//! Every reader gives the same [`Dataset`]; nothing after this module knows where it came from.

mod dataset;
mod describe;
mod error;
mod features;
pub mod fetch;
pub mod generate;
mod hash;
mod ids;
mod karate;
mod known;
mod labels;
mod part;
mod places;
pub mod read;
pub mod scaling;
pub mod split;
pub mod write;

pub use dataset::{Dataset, DatasetBuilder, EdgeTruth};
pub use describe::Description;
pub use error::{BadInput, Error};
pub use features::{DenseRows, FeatureRows, Features, SparseRows};
pub use generate::demo;
pub use ids::NodeIds;
pub use karate::karate;
pub use known::{KNOWN, Known, KnownFile, known};
pub use labels::Labels;
pub use places::{Places, cache_folder};
pub use read::{BUILT_IN, Found, find, load};
pub use scaling::{FeatureKind, Scaler, Scaling};
pub use split::{Split, SplitKind};
