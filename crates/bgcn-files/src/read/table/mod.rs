//! One's own data: an edge list, and optionally features, labels, a split, in CSV or similar text files.
//!
//! Nodes are named by any text and numbered by first appearance in labels, then nodes, then features, then edges. Each
//! module documents its part: `text` the encoding, `lines` comments, `fields` delimiters and quotes, `header` the first row,
//! `edges`, `roles`, `ends`, `nodes`, `ids` and `label` the columns, `respelled` which ids are one, `order` files without
//! ids, `survey`, `columns` and `pairs` what becomes a feature, `overlap` what must fit together.

mod assemble;
mod beside;
pub(super) mod choice;
mod chunks;
pub(super) mod columns;
mod coverage;
mod edges;
mod ends;
mod features;
mod fields;
mod folder;
pub(crate) mod header;
mod ids;
pub(super) mod label;
pub(super) mod labels;
#[doc(hidden)]
pub mod lines;
pub(super) mod names;
mod naming;
pub(super) mod nodes;
pub(super) mod order;
mod overlap;
mod pairs;
pub(crate) mod respelled;
mod roles;
mod split;
pub(super) mod survey;
#[cfg(test)]
mod tests;
#[doc(hidden)]
pub mod text;
mod times;

pub use super::options::{LabelKind, ReadOptions};
pub use split::read_kind as split_kind;

use super::content::{self, Content, Opened};
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
/// A node of the edge list or the labels without features is an error. Nodes without an edge are a remark, and an error
/// where most nodes of a file have none, unless [`ReadOptions::allow_isolated`].
pub fn read(files: &Files, options: &ReadOptions) -> Result<Dataset, Error> {
    options.check()?;
    read_opened(content::open(&files.edges)?, files, options)
}

/// The same where the edges are in memory already.
pub(super) fn read_opened(edges: Opened, files: &Files, options: &ReadOptions) -> Result<Dataset, Error> {
    if files.labels.is_none() && files.features.is_none() && files.nodes.is_none() {
        options.refuse_no_ids("a file of edges alone")?;
    }
    let kind = edges.1;
    if kind != Content::Text {
        // Where a table has the features or the texts to show, its columns are meant.
        let mut of_graph = options.clone();
        if files.nodes.is_some() || files.features.is_some() {
            of_graph.columns.clear();
        }
        let beside = [&files.nodes, &files.features, &files.labels];
        of_graph.name_column.take_if(|_| beside.iter().any(|file| file.is_some()));
        return beside::read(super::read_graph(&files.edges, edges, &of_graph)?, kind, files, options);
    }
    let mut remarks = Vec::new();
    let part = assemble(Text::decode(&files.edges, edges.0)?, files, options, &mut remarks)?;
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
