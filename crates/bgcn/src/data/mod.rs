//! Graphs with features and few labels: [`Dataset`], its readers and writers, splits, the built-in sets, the generator.
//!
//! Every reader gives the same [`Dataset`]; nothing after this module knows where it came from.

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
pub mod split;
pub mod write;

pub use describe::Description;
pub use error::{BadInput, Error};
pub use features::{DenseRows, Features, SparseRows};
pub use generate::demo;
pub use ids::NodeIds;
pub use karate::karate;
pub use known::{KNOWN, Known, KnownFile, known};
pub use labels::Labels;
pub use places::{Places, cache_folder};
pub use read::{BUILT_IN, Found, find, load};
pub use split::{Split, SplitKind};

use crate::graph::{Graph, Merged};

/// A graph, what is known of its nodes, and where it came from.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// A short name for tables.
    pub name: String,
    /// The observed graph, G_obs.
    pub graph: Graph,
    /// What the edge list held beside the graph's edges.
    pub merged: Merged,
    /// Edges as their source counts them, before merging: citations, lines of a file.
    pub edges_published: usize,
    /// X [n, d].
    pub features: Features,
    /// Y, known for some nodes.
    pub labels: Labels,
    /// The nodes as the user wrote them.
    pub ids: NodeIds,
    /// The split that comes with the data, where there is one. Its training nodes are in their published order.
    pub fixed_split: Option<Split>,
    /// Which edges are wrong, where a generator knows.
    pub truth: Option<EdgeTruth>,
}

/// What a generator did to the edges after drawing them, as (smaller, larger), ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EdgeTruth {
    /// Observed edges that are noise.
    pub spurious: Vec<(u32, u32)>,
    /// True edges that were taken away.
    pub missing: Vec<(u32, u32)>,
}

impl Dataset {
    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.graph.nodes()
    }
}
