//! From the tables of all files to nodes, edges, labels and features, free of their text.

use super::columns::{self, Found};
use super::coverage::Coverage;
use super::edges::{self, Edges};
use super::features::{self, Triplets};
use super::header::{self, is_missing};
use super::labels::Words;
use super::lines::Table;
use super::names::Names;
use super::nodes::{NodeTable, Use};
use super::overlap::Overlap;
use super::text::Text;
use super::{Files, ReadOptions, shown};
use bgcn_core::data::{Error, Features, Labels};
use std::borrow::Cow;
use std::path::PathBuf;

/// What the files hold, free of their text.
pub(super) struct Assembled {
    pub(super) ids: Vec<String>,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) labels: Labels,
    pub(super) features: Features,
    pub(super) feature_names: Vec<String>,
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

/// Reads all files but the split and the ground truth.
pub(super) fn assemble(files: &Files, options: &ReadOptions, remarks: &mut Vec<String>) -> Result<Assembled, Error> {
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
        Some(table) if features::are_triplets(table)? => Some(Rows::Triplets(Triplets::read(table, options)?)),
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
    if let (Some(_), Some(table)) = (&rows, &nodes)
        && !table.columns().is_empty()
    {
        let others: Vec<String> = table.columns().into_iter().map(|column| column.name).collect();
        let (name, others) = (table.table.name(), others.join(", "));
        remarks.push(format!("{name}: ignored columns, for features come from another file: {others}"));
    }
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
