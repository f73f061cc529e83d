//! One's own data: an edge list, and optionally features, labels, a split, in CSV or similar text files.
//!
//! Nodes are named by any text and numbered by first appearance in labels, then nodes, then features, then edges. Each
//! module documents its part: `text` the encoding, `lines` comments, `fields` delimiters and quotes, `header` the first row,
//! `edges`, `roles` and `nodes` the columns, `columns` what becomes a feature, `overlap` what must fit together.

mod assemble;
mod beside;
mod chunks;
pub(super) mod columns;
mod coverage;
mod edges;
mod features;
mod fields;
mod folder;
pub(crate) mod header;
pub(super) mod labels;
#[doc(hidden)]
pub mod lines;
mod names;
pub(super) mod nodes;
mod overlap;
mod roles;
mod split;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod text;

pub use super::options::{LabelKind, ReadOptions};
pub use split::read_kind as split_kind;

use super::content::{self, Content};
use assemble::assemble;
use bgcn_core::data::{BadInput, Dataset, EdgeTruth, Error, NodeIds};
use bgcn_core::graph::{Built, Graph};
use lines::Table;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use text::Text;

/// The files of a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Files {
    /// Two nodes per row.
    pub edges: PathBuf,
    /// A node and its features, or triplets; X = I without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<PathBuf>,
    /// A node and its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<PathBuf>,
    /// A node with its features and its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<PathBuf>,
    /// A node and train, validation or test: becomes the fixed split.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<PathBuf>,
    /// Observed edges that are noise: ground truth of generated data, found in folders alone.
    #[serde(skip)]
    pub spurious: Option<PathBuf>,
    /// True edges that were removed: ground truth of generated data, found in folders alone.
    #[serde(skip)]
    pub missing: Option<PathBuf>,
}

impl Files {
    pub(crate) fn paths_mut(&mut self) -> impl Iterator<Item = &mut PathBuf> {
        let Self { edges, features, labels, nodes, split, spurious, missing } = self;
        std::iter::once(edges).chain([features, labels, nodes, split, spurious, missing].into_iter().flatten())
    }

    /// The folder's name, or the edge list's where it is not just called "edges".
    fn name(&self) -> String {
        let stem = content::stem(&self.edges);
        let full = self.edges.canonicalize().unwrap_or_else(|_| self.edges.clone());
        match full.parent().and_then(Path::file_name) {
            Some(folder) if stem == "edges" => folder.to_string_lossy().into_owned(),
            _ => stem,
        }
    }
}

pub(super) use super::content::name as shown;

/// Reads the files of a folder; a remark names those that it ignores.
pub fn read_folder(dir: &Path, options: &ReadOptions) -> Result<Dataset, Error> {
    let (files, ignored) = folder::find(dir)?;
    let mut data = read(&files, options)?;
    if !ignored.is_empty() {
        let (few, more) = (ignored[..ignored.len().min(8)].join(", "), ignored.len().saturating_sub(8));
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        data.remarks.push(format!("files in the folder that are ignored: {few}{more}"));
    }
    Ok(data)
}

/// Reads a dataset.
///
/// A node of the edge list or the labels without features is an error, as is a node with features that occurs in
/// neither of them, unless [`ReadOptions::allow_isolated`].
pub fn read(files: &Files, options: &ReadOptions) -> Result<Dataset, Error> {
    options.check()?;
    if content::kind(&files.edges)? != Content::Text {
        return beside::read(files, options);
    }
    let mut remarks = Vec::new();
    let part = assemble(files, options, &mut remarks)?;
    let built = Graph::build(part.ids.len(), &part.edges)?;
    if built.graph.edges() == 0 {
        let bad = BadInput::new(&files.edges, "", "every edge joins a node to itself").allowed("a graph needs edges");
        return Err(bad.next("Write one edge per line, as in source,target.").into());
    }
    drop(part.edges);
    let ids = NodeIds::from_names(part.ids);
    let truth = truth(files, &ids, &built)?;
    let mut data = Dataset {
        features: part.features,
        feature_names: part.feature_names,
        labels: part.labels,
        ids,
        node_names: part.node_names,
        blanks: part.blanks,
        truth,
        remarks,
        ..Dataset::of_graph(files.name(), built)
    };
    data.fixed_split = files.split.as_deref().map(|path| split::read(path, &data)).transpose()?;
    Ok(data)
}

/// There is no column of texts to show beside the ids.
fn no_names(asked: &str) -> Error {
    let next = "Name a column by its header, or by its number from 1";
    Error::Request(format!("no table of nodes, labels or features has the column of names {asked:?}. {next}."))
}

/// Edges that are known to be wrong.
fn truth(files: &Files, ids: &NodeIds, built: &Built) -> Result<Option<EdgeTruth>, Error> {
    if files.spurious.is_none() && files.missing.is_none() {
        return Ok(None);
    }
    let index = ids.index();
    let read = |path: &Option<PathBuf>, observed: bool| -> Result<Vec<(u32, u32)>, Error> {
        let Some(path) = path else { return Ok(Vec::new()) };
        let text = Text::read(path)?;
        edges::read_truth(&Table::new(&text)?, |name| index.get(name).copied(), &built.graph, observed)
    };
    Ok(Some(EdgeTruth { spurious: read(&files.spurious, true)?, missing: read(&files.missing, false)? }))
}
