//! One's own data: an edge list, and optionally features, labels, a split, in CSV or similar text files.
//!
//! Nodes are named by any text and numbered by first appearance in labels, then nodes, then features, then edges. Each
//! module documents its part: `text` the encoding, `lines` comments, delimiters and quotes, `header` the first row,
//! `edges` and `nodes` the columns, `columns` what becomes a feature, `overlap` what must fit together.

mod beside;
mod chunks;
pub(super) mod columns;
mod edges;
mod features;
mod folder;
pub(crate) mod header;
pub(super) mod labels;
pub(crate) mod lines;
mod names;
pub(super) mod nodes;
mod overlap;
mod split;
#[cfg(test)]
mod tests;
pub(crate) mod text;

pub use super::options::{FeatureForm, LabelKind, Options};
pub use split::read as read_split;

use super::content::{self, Content};
use crate::data::{BadInput, Dataset, EdgeTruth, Error, Features, Labels, NodeIds};
use crate::graph::{Built, Graph};
use columns::Found;
use edges::Edges;
use features::Triplets;
use header::is_missing;
use labels::Words;
use lines::Table;
use names::Names;
use nodes::{NodeTable, Use};
use overlap::Overlap;
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use text::Text;

/// The files of a dataset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    /// Two nodes per row.
    pub edges: PathBuf,
    /// A node and its features, or triplets; X = I without.
    pub features: Option<PathBuf>,
    /// A node and its label.
    pub labels: Option<PathBuf>,
    /// A node with its features and its label.
    pub nodes: Option<PathBuf>,
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
        Ok(folder::find(dir)?.0)
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

/// Reads the files of a folder, and says which it leaves alone.
pub fn read_folder(dir: &Path, options: &Options) -> Result<Dataset, Error> {
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
/// neither of them, unless [`Options::allow_isolated`].
pub fn read(files: &Files, options: &Options) -> Result<Dataset, Error> {
    if let Some(threshold) = options.weight_threshold.filter(|t| !t.is_finite()) {
        return Err(Error::Request(format!("the weight threshold is {threshold}; it must be a finite number.")));
    }
    if content::kind(&files.edges)? != Content::Text {
        return beside::read(super::read_file(&files.edges, options)?, files, options);
    }
    let mut remarks = Vec::new();
    let part = assemble(files, options, &mut remarks)?;
    let built = Graph::build(part.ids.len(), &part.edges)?;
    if built.graph.edges() == 0 {
        let bad = BadInput::new(&files.edges, "", "every edge joins a node to itself").allowed("a graph needs edges");
        return Err(bad.next("Write one edge per line, as in source,target.").into());
    }
    let (given, ids) = (part.edges.len(), NodeIds::from_names(part.ids));
    drop(part.edges);
    let truth = truth(files, &ids, &built)?;
    let mut data = Dataset {
        name: files.name(),
        graph: built.graph,
        merged: built.merged,
        edges_published: given,
        features: part.features,
        feature_names: part.feature_names,
        labels: part.labels,
        ids,
        fixed_split: None,
        truth,
        remarks,
    };
    data.fixed_split = files.split.as_deref().map(|path| split::read(path, &data)).transpose()?;
    Ok(data)
}

/// What the files hold, free of their text.
struct Assembled {
    ids: Vec<String>,
    edges: Vec<(u32, u32)>,
    labels: Labels,
    features: Features,
    feature_names: Vec<String>,
}

/// Features as they stand in their file.
enum Rows<'a, 't> {
    Dense(NodeTable<'a, 't>),
    Triplets(Triplets<'a>),
}

impl Rows<'_, '_> {
    fn has(&self, name: &str) -> bool {
        match self {
            Self::Dense(rows) => rows.names.get(name).is_some(),
            Self::Triplets(rows) => rows.names.get(name).is_some(),
        }
    }
}

fn assemble(files: &Files, options: &Options, remarks: &mut Vec<String>) -> Result<Assembled, Error> {
    let open = |path: Option<&PathBuf>| path.map(|path| Text::read(path)).transpose();
    let edges_text = Text::read(&files.edges)?;
    // A table of features that is asked for its label is a table of nodes.
    let both = options.label_column.is_some() && files.labels.is_none() && files.nodes.is_none();
    let (features_path, nodes_path) = match (&files.features, &files.nodes) {
        (Some(features), None) if both => (None, Some(features)),
        (features, nodes) => (features.as_ref(), nodes.as_ref()),
    };
    let [labels_text, nodes_text, features_text] =
        [open(files.labels.as_ref())?, open(nodes_path)?, open(features_path)?];
    let table = |text| Option::map(text, Table::new).transpose();
    let edges_table = Table::new(&edges_text)?;
    let [labels_table, nodes_table, features_table] =
        [table(labels_text.as_ref())?, table(nodes_text.as_ref())?, table(features_text.as_ref())?];

    let mut edges = edges::read(&edges_table, options)?;
    let of = |table, used| Option::map(table, |table| NodeTable::read(table, used, options, &edges.names)).transpose();
    let mut labels = of(labels_table.as_ref(), Use::Labels)?;
    let mut nodes = of(nodes_table.as_ref(), Use::Nodes)?;
    let mut rows = match features_table.as_ref() {
        None => None,
        Some(table) if features::are_triplets(table, options.feature_form)? => {
            Some(Rows::Triplets(Triplets::read(table, options)?))
        }
        // Without labels elsewhere a column of features that is called label is one.
        Some(table) => {
            let used =
                if labels.is_none() && nodes.is_none() && has_label(table)? { Use::Nodes } else { Use::Features };
            Some(Rows::Dense(NodeTable::read(table, used, options, &edges.names)?))
        }
    };
    settle(&mut edges, &edges_table, &mut labels, &mut nodes, &mut rows, features_table.as_ref())?;

    if labels.is_none() && nodes.is_none() && rows.is_none() {
        remarks.extend(edges_table.remarks.iter().cloned());
        remarks.extend(edges.finish(&edges_table)?);
        let n = edges.names.len();
        let (labels, features) = (Labels::none(n), Features::Identity(n));
        let (ids, edges, feature_names) = (edges.names.into_strings(), edges.list, Vec::new());
        return Ok(Assembled { ids, edges, labels, features, feature_names });
    }
    let mut names = Names::new();
    let labels_of = labels.as_ref().map(|table| table.number(&mut names));
    let nodes_of = nodes.as_ref().map(|table| table.number(&mut names));
    let rows_of = rows.as_ref().map(|rows| match rows {
        Rows::Dense(table) => table.number(&mut names),
        Rows::Triplets(rows) => rows.number(&mut names),
    });
    for table in [&labels_table, &nodes_table, &features_table].into_iter().flatten() {
        remarks.extend(table.remarks.iter().cloned());
    }
    remarks.extend(edges_table.remarks.iter().cloned());
    remarks.extend(edges.finish(&edges_table)?);
    for table in [&mut labels, &mut nodes].into_iter().flatten() {
        remarks.extend(table.remarks());
    }
    if let Some(Rows::Dense(table)) = &mut rows {
        remarks.extend(table.remarks());
    }
    let edge_names = || shown(edges_table.path());
    let mut words = None;
    let dense = match &rows {
        Some(Rows::Dense(table)) => Some(table),
        _ => None,
    };
    let sources = [(&labels, &labels_of), (&nodes, &nodes_of)].into_iter();
    let sources = sources.filter_map(|(table, of)| Some((table.as_ref()?, of.as_ref()?)));
    for (table, of) in sources.chain(dense.zip(rows_of.as_ref())) {
        let found = table.labels(of)?;
        let is_labels = labels.is_some() && words.is_none();
        let named = |(node, _, word): &(u32, usize, Cow<'_, str>)| (!is_missing(word)).then(|| names.name(*node));
        let what = if is_labels { "labelled nodes" } else { "rows" };
        let known: Vec<&str> =
            if is_labels { found.iter().filter_map(named).collect() } else { table.names.iter().collect() };
        let one = Overlap { what, names: known, edges: &edges.names, edges_name: edge_names() };
        // A file that was written by `data convert` names every node, with edges or without.
        if (is_labels || nodes.is_some()) && !table.table.says("all nodes") {
            remarks.extend(one.check(table.table, options.allow_isolated)?);
        }
        if words.is_none() && table.label.is_some() {
            words = Some((table, Words::of(table.table, found)?));
        }
    }

    // All nodes of the edges that are not yet known come last.
    let places: Vec<u32> = edges.names.iter().map(|name| names.node(name)).collect();
    let n = names.len();
    let labels = match words {
        None => Labels::none(n),
        Some((table, words)) => {
            let bad = |line, found| table.table.bad(line, found);
            words.labels(n, options.label_kind, &table.table.name(), &bad, remarks)?
        }
    };
    let coverage = Coverage { names: &names, edges: &edges, edges_table: &edges_table, options };
    let labelled = labels_of.as_ref().map_or(0, |of| of.iter().max().map_or(0, |&most| most as usize + 1));
    let (features, feature_names) = match (rows, &nodes) {
        (Some(Rows::Triplets(rows)), _) => {
            let (of, table) = (rows_of.unwrap_or_default(), features_table.as_ref().expect("rows come from there"));
            let lines: Vec<(u32, usize)> = of.iter().copied().zip(rows.lines.iter().copied()).collect();
            coverage.check(table, &lines, labels_table.as_ref().map(|table| (table, labelled)))?;
            rows.by_node(&of, n)
        }
        (Some(Rows::Dense(table)), _) => {
            let of = rows_of.unwrap_or_default();
            table.refuse_repetition()?;
            let lines: Vec<(u32, usize)> = of.iter().copied().zip(table.rows.iter().map(|&(_, line)| line)).collect();
            coverage.check(table.table, &lines, labels_table.as_ref().map(|table| (table, labelled)))?;
            let Found { features, names } = columns::read(&table, &table.columns(), &of, n, remarks)?;
            (features, if table.is_named() { names } else { Vec::new() })
        }
        (None, Some(table)) => {
            let of = nodes_of.unwrap_or_default();
            table.refuse_repetition()?;
            let Found { features, names } = columns::read(table, &table.columns(), &of, n, remarks)?;
            if !matches!(features, Features::Identity(_)) {
                coverage.refuse_without_row(table.table, &of, None)?;
            }
            (features, if table.is_named() { names } else { Vec::new() })
        }
        (None, None) => (Features::Identity(n), Vec::new()),
    };
    let mut list = std::mem::take(&mut edges.list);
    drop(edges);
    list.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
    Ok(Assembled { ids: names.into_strings(), edges: list, labels, features, feature_names })
}

/// Whether a column is called like a label.
fn has_label(table: &Table<'_>) -> Result<bool, Error> {
    Ok(table.first()?.1.iter().skip(1).any(|word| header::is_label_word(word)))
}

/// Decides about the first rows of all files, each with the names of the others.
fn settle<'a>(
    edges: &mut Edges<'a>,
    edges_table: &Table<'a>,
    labels: &mut Option<NodeTable<'a, '_>>,
    nodes: &mut Option<NodeTable<'a, '_>>,
    rows: &mut Option<Rows<'a, '_>>,
    features_table: Option<&Table<'_>>,
) -> Result<(), Error> {
    let has = |table: &Option<NodeTable<'a, '_>>, name: &str| {
        table.as_ref().is_some_and(|table| table.names.get(name).is_some())
    };
    let in_rows = |rows: &Option<Rows<'a, '_>>, name: &str| rows.as_ref().is_some_and(|rows| rows.has(name));
    edges.settle(edges_table, |name| has(labels, name) || has(nodes, name) || in_rows(rows, name))?;
    let edge = |name: &str| edges.names.get(name).is_some();
    if let Some(table) = labels {
        table.settle(Use::Labels, |name| edge(name) || has(nodes, name) || in_rows(rows, name))?;
    }
    if let Some(table) = nodes {
        if labels.is_some() {
            table.label = None;
            table.leave_out_labels();
        }
        table.settle(Use::Nodes, |name| edge(name) || has(labels, name))?;
    }
    match rows {
        Some(Rows::Dense(table)) => {
            if labels.is_some() || nodes.is_some() {
                table.leave_out_labels();
            }
            table.settle(Use::Features, |name| edge(name) || has(labels, name))
        }
        Some(Rows::Triplets(rows)) => match features_table {
            Some(table) => rows.check(table, |name| edge(name) || has(labels, name)),
            None => Ok(()),
        },
        None => Ok(()),
    }
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

/// Which nodes occur where, to find those that are missing somewhere.
struct Coverage<'c, 'a> {
    names: &'c Names,
    edges: &'c Edges<'a>,
    edges_table: &'c Table<'a>,
    options: &'c Options,
}

impl Coverage<'_, '_> {
    /// `rows`: node and line of each row of features; the first so many nodes are in the labels.
    fn check(
        &self,
        table: &Table<'_>,
        rows: &[(u32, usize)],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<(), Error> {
        let nodes: Vec<u32> = rows.iter().map(|&(node, _)| node).collect();
        self.refuse_without_row(table, &nodes, labels)?;
        // Below a weight threshold an edge is not in the list, but its nodes occur all the same.
        if self.options.allow_isolated {
            return Ok(());
        }
        let labelled = labels.map_or(0, |(_, labelled)| labelled);
        let elsewhere = |a: u32| (a as usize) < labelled || self.edges.names.get(self.names.name(a)).is_some();
        let strangers: Vec<&(u32, usize)> = rows.iter().filter(|&&(node, _)| !elsewhere(node)).collect();
        let Some(&&(node, line)) = strangers.first() else { return Ok(()) };
        let more = if strangers.len() > 1 { format!(" ({} more)", strangers.len() - 1) } else { String::new() };
        let found = format!("node {:?} occurs neither in the edges nor in the labels{more}", self.names.name(node));
        let bad = table.bad(line, found).allowed("nodes with features occur there too");
        Err(bad.next("Correct the node, or allow isolated nodes (--allow-isolated).").into())
    }

    fn refuse_without_row(
        &self,
        table: &Table<'_>,
        nodes: &[u32],
        labels: Option<(&Table<'_>, usize)>,
    ) -> Result<(), Error> {
        let mut has_row = vec![false; self.names.len()];
        nodes.iter().for_each(|&node| has_row[node as usize] = true);
        let Some(a) = has_row.iter().position(|&has| !has) else { return Ok(()) };
        let more = has_row.iter().filter(|&&has| !has).count() - 1;
        let more = if more > 0 { format!(" (nor have {more} more)") } else { String::new() };
        let name = self.names.name(a as u32);
        let found = format!("node {name:?} has no row in {}{more}", table.path().display());
        let next = "Add the row (id,, in triplets if all are zero), or correct the node.";
        let bad = match labels.filter(|&(_, labelled)| a < labelled) {
            Some((labels, _)) => {
                let mut fields = Vec::new();
                let mut has = |row| labels.split(row, &mut fields).is_ok() && fields.iter().any(|field| field == name);
                labels.bad(labels.rows().find(|&row| has(row)).map_or(0, |row| row.line), found)
            }
            None => self.edges_table.bad(edges::line_of(self.edges_table, self.edges, name), found),
        };
        Err(bad.allowed("every node needs features").next(next).into())
    }
}
