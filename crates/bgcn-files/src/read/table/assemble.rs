//! From the tables of all files to nodes, edges, labels and features, free of their text.

use super::chunks::too_many;
use super::columns::{self, Found};
use super::coverage::Coverage;
use super::edges::{self, Edges};
use super::features::{self, Form, Triplets};
use super::header::{self, is_missing};
use super::labels::Words;
use super::lines::Table;
use super::names::Names;
use super::nodes::{NodeTable, Use};
use super::order::Order;
use super::overlap::Overlap;
use super::pairs;
use super::text::{Opened, Text};
use super::{Files, ReadOptions, shown};
use bgcn_core::data::{Error, Features, Labels};
use std::borrow::Cow;
use std::path::PathBuf;

/// What the files hold, free of their text.
pub(super) struct Assembled {
    pub(super) ids: Vec<String>,
    pub(super) node_names: Vec<String>,
    pub(super) edges: Vec<(u32, u32)>,
    pub(super) labels: Labels,
    pub(super) features: Features,
    pub(super) feature_names: Vec<String>,
    pub(super) blanks: Vec<(u32, u32)>,
}

/// Features as they stand in their file.
enum Rows<'a, 't> {
    Dense(NodeTable<'a, 't>),
    Triplets(&'t Table<'a>, Triplets<'a>),
}

impl Rows<'_, '_> {
    fn has(&self, name: &str) -> bool {
        match self {
            Self::Dense(rows) => rows.names.get(name).is_some(),
            Self::Triplets(_, rows) => rows.names.get(name).is_some(),
        }
    }
}

/// All tables but the split and the ground truth, as they stand in their files.
struct Tables<'a, 't> {
    edges_table: &'t Table<'a>,
    edges: Edges<'a>,
    labels: Option<NodeTable<'a, 't>>,
    nodes: Option<NodeTable<'a, 't>>,
    rows: Option<Rows<'a, 't>>,
}

/// Which node each row is, by its number among all nodes; empty where there is no such table.
struct Numbers {
    labels: Vec<u32>,
    nodes: Vec<u32>,
    rows: Vec<u32>,
}

/// Reads all files but the edges, the split and the ground truth.
pub(super) fn assemble(
    edges_text: Text,
    files: &Files,
    options: &ReadOptions,
    remarks: &mut Vec<String>,
) -> Result<Assembled, Error> {
    let edges_table = Table::new(&edges_text)?;
    // A table of features that is asked for its label is a table of nodes.
    let both = options.label_column.is_some() && files.labels.is_none() && files.nodes.is_none();
    let (features, nodes) = match (&files.features, &files.nodes) {
        (Some(features), None) if both => (None, Some(features)),
        (features, nodes) => (features.as_ref(), nodes.as_ref()),
    };
    let open = |path: Option<&PathBuf>| path.map(|path| Opened::read(path)).transpose();
    let opened = [open(files.labels.as_ref())?, open(nodes)?, open(features)?];
    let edges = edges_beside(&edges_table, &opened, options)?;
    let order = options.no_ids.then(|| Order::of_numbers(&edges_table, &edges.names)).transpose()?;
    let beside =
        |opened: Option<Opened>| opened.map(|opened| opened.beside(&edges.names, order.as_ref(), options)).transpose();
    let [labels, nodes, features] = opened.map(beside);
    let texts = [labels?, nodes?, features?];
    let [labels, nodes, features] = texts.each_ref().map(|text| text.as_ref().map(Table::new).transpose());
    let (labels, nodes, features) = (labels?, nodes?, features?);
    let given = [labels.as_ref(), nodes.as_ref(), features.as_ref()];
    let mut tables = Tables::read(&edges_table, edges, given, options)?;
    tables.settle()?;
    for table in [labels.as_ref(), nodes.as_ref(), features.as_ref(), Some(&edges_table)].into_iter().flatten() {
        remarks.extend(table.remarks.iter().cloned());
    }
    remarks.extend(tables.remarks()?);
    let has_columns = matches!((&tables.rows, &tables.nodes), (Some(Rows::Dense(_)), _) | (None, Some(_)));
    if !options.columns.is_empty() && !has_columns {
        let text = "`columns` was given, but there is no table of features with columns. Leave it out.";
        return Err(Error::Request(text.into()));
    }
    if tables.labels.is_none() && tables.nodes.is_none() && tables.rows.is_none() {
        return tables.edges_alone();
    }
    tables.assembled(options, remarks)
}

/// The edges, whose columns the tables with a row per node may tell.
fn edges_beside<'a>(
    table: &Table<'a>,
    opened: &[Option<Opened>; 3],
    options: &ReadOptions,
) -> Result<Edges<'a>, Error> {
    let texts = opened.iter().flatten().filter_map(Opened::text).filter(|_| !options.no_ids);
    let tables = texts.map(Table::new).collect::<Result<Vec<_>, Error>>()?;
    edges::read(table, options, &tables.iter().collect::<Vec<_>>())
}

impl<'a, 't> Tables<'a, 't> {
    /// Reads labels, nodes and features where there are such tables.
    fn read(
        edges_table: &'t Table<'a>,
        edges: Edges<'a>,
        [labels, nodes, features]: [Option<&'t Table<'a>>; 3],
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        let mut asked = options.clone();
        let mut read = |table, used| -> Result<NodeTable<'a, 't>, Error> {
            let table = NodeTable::read(table, used, &asked, &edges.names)?;
            // The first table that has the column of names has them alone.
            asked.name_column = asked.name_column.take().filter(|_| table.name.is_none());
            Ok(table)
        };
        let nodes = nodes.map(|table| read(table, Use::Nodes)).transpose()?;
        let labels = labels.map(|table| read(table, Use::Labels)).transpose()?;
        let form = features.map_or(Ok(Form::Rows), |table| features::form(table, &edges.names, options))?;
        let rows = match features {
            None => None,
            Some(table) if form == Form::Pairs => {
                Some(Rows::Triplets(table, pairs::read(table, &edges.names, options)?))
            }
            Some(table) if form == Form::Triplets => Some(Rows::Triplets(table, Triplets::read(table, options)?)),
            // Without labels elsewhere a column of features that is called label is one.
            Some(table) => {
                let has_label = labels.is_none() && nodes.is_none() && has_label(table)?;
                Some(Rows::Dense(read(table, if has_label { Use::Nodes } else { Use::Features })?))
            }
        };
        match asked.name_column {
            Some(name) => Err(super::no_names(&name)),
            None => Ok(Self { edges_table, edges, labels, nodes, rows }),
        }
    }

    /// Decides about the first rows of all files, each with the names of the others.
    fn settle(&mut self) -> Result<(), Error> {
        let Self { edges_table, edges, labels, nodes, rows } = self;
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
            Some(Rows::Triplets(table, rows)) => rows.check(table, |name| edge(name) || has(labels, name)),
            None => Ok(()),
        }
    }

    /// What was guessed and left out; an error where no edge is left.
    fn remarks(&mut self) -> Result<Vec<String>, Error> {
        let mut remarks = self.edges.finish(self.edges_table)?;
        let dense = match &mut self.rows {
            Some(Rows::Dense(table)) => Some(table),
            Some(Rows::Triplets(..)) | None => None,
        };
        for table in self.labels.iter_mut().chain(&mut self.nodes).chain(dense) {
            remarks.extend(table.remarks());
        }
        if let Some(Rows::Triplets(_, rows)) = &mut self.rows {
            remarks.append(&mut rows.remarks);
        }
        Ok(remarks)
    }

    /// A graph without features and labels: its names are numbered already.
    fn edges_alone(self) -> Result<Assembled, Error> {
        let (table, n) = (self.edges_table, self.edges.names.len());
        let (labels, features) = (Labels::none(n), Features::Identity(n));
        let ids = self.edges.names.into_strings().map_err(|much| too_many(table, n, much))?;
        let (node_names, feature_names, blanks) = Default::default();
        Ok(Assembled { ids, node_names, edges: self.edges.list, labels, features, feature_names, blanks })
    }

    fn assembled(mut self, options: &ReadOptions, remarks: &mut Vec<String>) -> Result<Assembled, Error> {
        let mut names = Names::new();
        let number = |table: &Option<NodeTable<'a, 't>>, names: &mut Names| {
            table.as_ref().map_or_else(Vec::new, |table| table.number(names))
        };
        let (labels, nodes) = (number(&self.labels, &mut names), number(&self.nodes, &mut names));
        let rows = match &self.rows {
            Some(Rows::Dense(table)) => table.number(&mut names),
            Some(Rows::Triplets(_, rows)) => rows.number(&mut names),
            None => Vec::new(),
        };
        let of = Numbers { labels, nodes, rows };
        let words = self.words(&of, &names, options, remarks)?;
        // All nodes of the edges that are not yet known come last.
        let places: Vec<u32> = self.edges.names.iter().map(|name| names.node(name)).collect();
        let labels = match words {
            None => Labels::none(names.len()),
            Some((table, words)) => {
                let bad = |line, found| table.bad(line, found);
                words.labels(names.len(), options.label_kind, &table.name(), &bad, remarks)?
            }
        };
        let node_names = self.node_names(&of, names.len())?;
        let Found { features, names: feature_names, blanks } = self.features(&of, &names, options, remarks)?;
        let (mut edges, table, n) = (std::mem::take(&mut self.edges.list), self.edges_table, names.len());
        drop(self);
        edges.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
        let ids = names.into_strings().map_err(|much| too_many(table, n, much))?;
        Ok(Assembled { ids, node_names, edges, labels, features, feature_names, blanks })
    }

    /// The texts to show beside the ids, of the table that has them.
    fn node_names(&self, of: &Numbers, nodes: usize) -> Result<Vec<String>, Error> {
        let dense = match &self.rows {
            Some(Rows::Dense(table)) => Some(table),
            _ => None,
        };
        let tables = [(self.nodes.as_ref(), &of.nodes), (self.labels.as_ref(), &of.labels), (dense, &of.rows)];
        for (table, of) in tables {
            if let Some(table) = table.filter(|table| table.name.is_some()) {
                return table.texts(of, nodes);
            }
        }
        Ok(Vec::new())
    }

    /// The labels as written, with their table. Nodes without edges are remarked, or refused where they are most.
    fn words(
        &self,
        of: &Numbers,
        names: &Names,
        options: &ReadOptions,
        remarks: &mut Vec<String>,
    ) -> Result<Option<(&'t Table<'a>, Words<'a>)>, Error> {
        let mut words = None;
        let dense = match &self.rows {
            Some(Rows::Dense(table)) => Some(table),
            _ => None,
        };
        let tables = [(self.labels.as_ref(), &of.labels), (self.nodes.as_ref(), &of.nodes), (dense, &of.rows)];
        for (table, of) in tables.into_iter().filter_map(|(table, of)| Some((table?, of))) {
            let found = table.labels(of)?;
            let is_labels = self.labels.is_some() && words.is_none();
            let named = |(node, _, word): &(u32, usize, Cow<'_, str>)| (!is_missing(word)).then(|| names.name(*node));
            let what = if is_labels { "labelled nodes" } else { "rows" };
            let known: Vec<&str> =
                if is_labels { found.iter().filter_map(named).collect() } else { table.names.iter().collect() };
            let edges_name = shown(self.edges_table.path());
            let overlap = Overlap { what, names: known, edges: &self.edges.names, edges_name, elsewhere: &|_| false };
            // A file that was written by `data convert` names every node, with edges or without.
            if (is_labels || self.nodes.is_some()) && !table.table.says("all nodes") {
                remarks.extend(overlap.check(table.table, options.allow_isolated)?);
            }
            if words.is_none() && table.label.is_some() {
                words = Some((table.table, Words::of(table.table, found)?));
            }
        }
        Ok(words)
    }

    /// The features of all nodes, the names of their columns, and empty cells.
    fn features(
        &mut self,
        of: &Numbers,
        names: &Names,
        options: &ReadOptions,
        remarks: &mut Vec<String>,
    ) -> Result<Found, Error> {
        let rows = self.rows.take();
        if let (Some(_), Some(table)) = (&rows, &self.nodes) {
            let others = table.columns(&ReadOptions::default())?;
            let others: Vec<&str> = others.iter().map(|column| column.name.as_str()).collect();
            let (name, list) = (table.table.name(), others.join(", "));
            let said = format!("{name}: ignored columns, for features come from another file: {list}");
            remarks.extend((!others.is_empty()).then_some(said));
        }
        let first = |of: &[u32]| of.iter().max().map_or(0, |&most| most as usize + 1);
        let (labelled, named) = (first(&of.labels), first(&of.labels).max(first(&of.nodes)));
        let coverage = Coverage { names, edges: &self.edges, edges_table: self.edges_table, options, named };
        let labels = self.labels.as_ref().map(|labels| (labels.table, labelled));
        let mut dense = |table: &NodeTable<'_, '_>, of: &[u32]| -> Result<Found, Error> {
            let found = columns::read(table, &table.columns(options)?, of, names.len(), remarks)?;
            Ok(Found { names: if table.is_named() { found.names } else { Vec::new() }, ..found })
        };
        match (rows, &self.nodes) {
            (Some(Rows::Triplets(table, rows)), _) => {
                if rows.pairs {
                    remarks.extend(coverage.check_pairs(table, &of.rows, labels)?);
                } else {
                    remarks.extend(coverage.check(table, &of.rows, labels)?);
                }
                let (features, names) = rows.by_node(&of.rows, names.len());
                Ok(Found { features, names, blanks: Vec::new() })
            }
            (Some(Rows::Dense(table)), _) => {
                table.refuse_repetition()?;
                let said = coverage.check(table.table, &of.rows, labels)?;
                let found = dense(&table, &of.rows)?;
                remarks.extend(said);
                Ok(found)
            }
            (None, Some(table)) => {
                table.refuse_repetition()?;
                let found = dense(table, &of.nodes)?;
                if !matches!(found.features, Features::Identity(_)) {
                    coverage.refuse_without_row(table.table, &of.nodes, None)?;
                }
                Ok(found)
            }
            (None, None) => {
                Ok(Found { features: Features::Identity(names.len()), names: Vec::new(), blanks: Vec::new() })
            }
        }
    }
}

/// Whether a column is called like a label.
fn has_label(table: &Table<'_>) -> Result<bool, Error> {
    Ok(table.first()?.1.iter().skip(1).any(|word| header::is_label_word(word)))
}
