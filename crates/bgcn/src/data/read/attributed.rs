//! Graphs whose nodes carry attributes as text: what GraphML, GEXF and JSON files hold.

use super::Options;
use crate::data::{Dataset, Error};
use std::path::Path;

/// A graph whose nodes carry attributes, as its file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attributed {
    /// The nodes as the file names them, all different.
    pub(super) ids: Vec<String>,
    /// The names of the attributes, in the order of the file, all different.
    pub(super) columns: Vec<String>,
    /// A row per node with a cell per attribute; empty where the node has no such attribute.
    pub(super) cells: Vec<Vec<String>>,
    /// The edges in the order of the file, as places in `ids`.
    pub(super) edges: Vec<(u32, u32)>,
    /// The weight of each edge, NaN for an edge without; empty where no edge has one.
    pub(super) weights: Vec<f64>,
    /// Whether edges have a direction.
    pub(super) directed: bool,
    /// What was left out, a sentence each.
    pub(super) remarks: Vec<String>,
}

impl Attributed {
    /// The dataset: one attribute is the label, the others are features.
    pub(super) fn dataset(self, file: &Path, options: &Options) -> Result<Dataset, Error> {
        let _ = (file, options);
        todo!("{self:?}")
    }
}
