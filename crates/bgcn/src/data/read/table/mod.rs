//! One's own data: an edge list, and optionally features, labels, a split, in CSV or similar text files.
//!
//! Nodes are named by any text and numbered by first appearance in labels, then features, then edges. Each module
//! documents its file's form; `lines` what is common to all: encoding, comments, delimiters, quotes, headers.

mod edges;
mod features;
mod labels;
pub(crate) mod lines;
mod names;
mod split;
#[cfg(test)]
mod tests;

pub use super::options::{FeatureForm, LabelKind, Options};
pub use split::read as read_split;

use crate::data::{BadInput, Dataset, EdgeTruth, Error, Features, Labels, NodeIds};
use crate::graph::{Built, Graph};
use lines::{Table, Text};
use names::Names;
use std::path::{Path, PathBuf};

/// The files of a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Two nodes per row.
    pub edges: PathBuf,
    /// A node and its features, or triplets; X = I without.
    pub features: Option<PathBuf>,
    /// A node and its label.
    pub labels: Option<PathBuf>,
    /// A node and train, validation or test: becomes the fixed split.
    pub split: Option<PathBuf>,
    /// Observed edges that are noise: ground truth of generated data.
    pub spurious: Option<PathBuf>,
    /// True edges that were taken away: ground truth of generated data.
    pub missing: Option<PathBuf>,
}

impl Files {
    /// Finds the files of a dataset in a folder by their names.
    pub fn in_folder(dir: &Path) -> Result<Self, Error> {
        let entries = std::fs::read_dir(dir).map_err(Error::io("reading the folder", dir))?;
        let mut present: Vec<String> =
            entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned())).collect();
        present.sort();
        let find = |stem: &str, extensions: &[&str]| -> Result<Option<PathBuf>, Error> {
            let names: Vec<String> = extensions.iter().map(|extension| format!("{stem}.{extension}")).collect();
            let found: Vec<&String> = names.iter().filter(|name| present.contains(name)).collect();
            match found[..] {
                [] => Ok(None),
                [name] => Ok(Some(dir.join(name))),
                [a, b, ..] => Err(Error::Request(format!(
                    "reading the folder {}: both {a} and {b} are there, but one file is needed. Remove or rename \
                     the other.",
                    dir.display()
                ))),
            }
        };
        let text = ["csv", "tsv", "txt"];
        let Some(edges) = find("edges", &["csv", "tsv", "txt", "edges"])? else {
            let listed =
                if present.is_empty() { "nothing".to_owned() } else { present[..present.len().min(12)].join(", ") };
            return Err(Error::NotFound(format!(
                "reading the folder {}: no edge list. Looked for edges.csv, edges.tsv, edges.txt and edges.edges (and, \
                 optionally, features, labels and split with .csv, .tsv or .txt); the folder holds {listed}. Rename \
                 the edge list.",
                dir.display()
            )));
        };
        Ok(Self {
            edges,
            features: find("features", &text)?,
            labels: find("labels", &text)?,
            split: find("split", &text)?,
            spurious: find("spurious", &["csv"])?,
            missing: find("missing", &["csv"])?,
        })
    }

    /// The folder's name, or the edge list's where it is not just called "edges".
    fn name(&self) -> String {
        let stem = self.edges.file_stem().unwrap_or_default().to_string_lossy();
        let full = self.edges.canonicalize().unwrap_or_else(|_| self.edges.clone());
        match full.parent().and_then(Path::file_name) {
            Some(folder) if stem == "edges" => folder.to_string_lossy().into_owned(),
            _ => stem.into_owned(),
        }
    }
}

/// Reads a dataset.
///
/// A node of the edge list or the labels without features is an error, as is a node with features that occurs in
/// neither of them, unless [`Options::allow_isolated`].
pub fn read(files: &Files, options: &Options) -> Result<Dataset, Error> {
    if let Some(threshold) = options.weight_threshold.filter(|t| !t.is_finite()) {
        return Err(Error::Request(format!("the weight threshold is {threshold}; it must be a finite number.")));
    }
    let open = |path: &Option<PathBuf>| path.as_deref().map(Text::read).transpose();
    let [labels_text, features_text] = [open(&files.labels)?, open(&files.features)?];
    let [spurious_text, missing_text] = [open(&files.spurious)?, open(&files.missing)?];
    let edges_text = Text::read(&files.edges)?;
    let table = |text| Option::map(text, Table::new).transpose();
    let [labels_table, features_table] = [table(labels_text.as_ref())?, table(features_text.as_ref())?];
    let [spurious_table, missing_table] = [table(spurious_text.as_ref())?, table(missing_text.as_ref())?];
    let edges_table = Table::new(&edges_text)?;

    let bytes = [labels_text.as_ref(), features_text.as_ref(), Some(&edges_text)].into_iter().flatten().map(Text::len);
    let mut names = Names::new(bytes.sum());
    let words = labels_table.as_ref().map(|table| labels::read(table, &mut names)).transpose()?;
    let rows =
        features_table.as_ref().map(|table| features::read(table, &mut names, options.feature_form)).transpose()?;
    let edges = edges::read(&edges_table, &mut names, options.weight_threshold)?;

    let labels_header = words.as_ref().and_then(|words| words.header.as_ref());
    let features_header = rows.as_ref().and_then(|rows| rows.header.as_ref());
    let tables = [labels_table.as_ref(), features_table.as_ref(), Some(&edges_table)];
    for (table, header) in tables.into_iter().zip([labels_header, features_header, edges.header.as_ref()]) {
        if let (Some(table), Some(header)) = (table, header) {
            header.check(table, |name| names.get(name).is_some())?;
        }
    }
    let n = names.len();
    let labels = match (&words, &labels_table) {
        (Some(words), Some(table)) => words.labels(table, n, options.label_kind)?,
        _ => Labels::none(n),
    };
    let features = match (rows, &features_table) {
        (Some(rows), Some(table)) => {
            let coverage = Coverage {
                features: table,
                lines: &rows.lines,
                labels: labels_table.as_ref(),
                labelled: words.as_ref().map_or(0, labels::Words::len),
                edges: &edges_table,
                pairs: &edges.list,
                weighted: options.weight_threshold.is_some(),
            };
            coverage.check(&names, options.allow_isolated)?;
            rows.by_node(n)
        }
        _ => Features::Identity(n),
    };
    let built = build(n, &edges.list, &files.edges)?;
    let truth = |table: &Option<Table<'_>>, observed| match table {
        Some(table) => edges::read_truth(table, &names, &built.graph, observed),
        None => Ok(Vec::new()),
    };
    let (spurious, missing) = (truth(&spurious_table, true)?, truth(&missing_table, false)?);
    let has_truth = files.spurious.is_some() || files.missing.is_some();
    let mut data = Dataset {
        name: files.name(),
        graph: built.graph,
        merged: built.merged,
        edges_published: edges.list.len(),
        features,
        labels,
        ids: NodeIds::from_names(names.into_strings()),
        fixed_split: None,
        remarks: Vec::new(),
        feature_names: Vec::new(),
        truth: has_truth.then_some(EdgeTruth { spurious, missing }),
    };
    data.fixed_split = files.split.as_deref().map(|path| split::read(path, &data)).transpose()?;
    Ok(data)
}

fn build(nodes: usize, edges: &[(u32, u32)], path: &Path) -> Result<Built, Error> {
    let built = Graph::build(nodes, edges)?;
    if built.graph.edges() == 0 {
        let bad = BadInput::new(path, "", "every edge joins a node to itself").allowed("a graph needs edges");
        return Err(bad.next("Write one edge per line, as in source,target.").into());
    }
    Ok(built)
}

/// Which nodes occur where, to find those that are missing somewhere.
struct Coverage<'a> {
    features: &'a Table<'a>,
    lines: &'a [usize],
    labels: Option<&'a Table<'a>>,
    labelled: usize,
    edges: &'a Table<'a>,
    pairs: &'a [(u32, u32)],
    weighted: bool,
}

impl Coverage<'_> {
    fn check(&self, names: &Names<'_>, allow_isolated: bool) -> Result<(), Error> {
        let has_row = |a: usize| self.lines.get(a).is_some_and(|&line| line > 0);
        if let Some(a) = (0..names.len()).find(|&a| !has_row(a)) {
            let name = names.name(a as u32);
            let (table, ids) = match self.labels {
                Some(labels) if a < self.labelled => (labels, 1),
                _ => (self.edges, 2),
            };
            let found = format!("node {name:?} has no row in {}", self.features.path().display());
            let bad = table.bad(table.line_of(name, ids), found).allowed("every node needs features");
            return Err(bad.next("Add the row (id,, in triplets if all are zero), or correct the node.").into());
        }
        // Below a weight threshold an edge is not in `pairs`, but its nodes occur all the same.
        if allow_isolated || self.weighted {
            return Ok(());
        }
        let mut elsewhere = vec![false; names.len()];
        elsewhere[..self.labelled].fill(true);
        self.pairs.iter().for_each(|&(a, b)| (elsewhere[a as usize], elsewhere[b as usize]) = (true, true));
        let Some(a) = elsewhere.iter().position(|&found| !found) else { return Ok(()) };
        let found = format!("node {:?} occurs neither in the edges nor in the labels", names.name(a as u32));
        let bad = self.features.bad(self.lines[a], found).allowed("nodes with features occur there too");
        Err(bad.next("Correct the node, or allow isolated nodes.").into())
    }
}
