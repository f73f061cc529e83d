//! Tables beside a graph that is no table: labels for a Matrix Market file, features for a GraphML file.
//!
//! The nodes are those of the graph, in its order. Rows of other nodes are left out and counted; they are an error where
//! most are strangers, or where the rows are counted from 1 and the nodes from 0.

use super::columns::{self, Found};
use super::features::{self, Form, Triplets};
use super::header::is_missing;
use super::labels::Words;
use super::lines::Table;
use super::names::Names;
use super::nodes::{NodeTable, Use};
use super::order::Order;
use super::overlap::Overlap;
use super::pairs;
use super::text::Text;
use super::{Files, ReadOptions, split};
use crate::read::content::Content;
use crate::read::matrix_market;
use bgcn_core::data::{BadInput, Dataset, Error, Features, NodeIds};
use std::path::Path;

/// Adds what the tables hold to a graph from a file of this kind.
pub(super) fn read(mut data: Dataset, kind: Content, files: &Files, options: &ReadOptions) -> Result<Dataset, Error> {
    let tables = [(&files.nodes, Use::Nodes), (&files.features, Use::Features), (&files.labels, Use::Labels)];
    let mut nodes = names(&data);
    let order = options.no_ids.then(|| Order::of_names(&files.edges, &nodes));
    let open = |path: &Path| Text::beside(path, &nodes, order.as_ref(), options);
    let given = tables.into_iter().filter_map(|(path, used)| Some((path.as_deref()?, used)));
    let texts = given.map(|(path, used)| Ok((open(path)?, used))).collect::<Result<Vec<_>, Error>>()?;
    let tables = texts.iter().map(|(text, used)| Ok((Table::new(text)?, *used))).collect::<Result<Vec<_>, Error>>()?;
    let mut asked = options.clone();
    asked.name_column.take_if(|_| !data.node_names.is_empty());
    let mut rows = Vec::new();
    for (table, used) in &tables {
        rows.push(Rows::read(table, *used, &nodes, &asked)?);
        asked.name_column.take_if(|_| rows.last().is_some_and(Rows::has_names));
    }
    if let Some(asked) = asked.name_column {
        return Err(super::no_names(&asked));
    }
    if kind == Content::MatrixMarket {
        let said = count_rows(&mut data, &rows, &files.edges, options)?;
        data.remarks.push(said);
        nodes = names(&data);
    }
    let graph = Graph { file: &files.edges, nodes: &nodes, options };
    rows.into_iter().try_for_each(|rows| rows.add(&mut data, &graph))?;
    if let Some(path) = &files.split {
        data.fixed_split = Some(split::read(path, &data)?);
    }
    Ok(data)
}

fn names(data: &Dataset) -> Names {
    let mut nodes = Names::new();
    for a in 0..data.nodes() as u32 {
        nodes.node(&data.ids.name(a));
    }
    nodes
}

/// Matrix Market counts rows from 1, and so do tables beside it, unless one of them has a node 0; a remark says which.
fn count_rows(data: &mut Dataset, rows: &[Rows<'_, '_>], graph: &Path, options: &ReadOptions) -> Result<String, Error> {
    let (name, n) = (super::shown(graph), data.nodes());
    if rows.is_empty() || options.no_ids {
        return Ok(matrix_market::counted(graph, n));
    }
    let (zero, last) = (rows.iter().find(|rows| rows.has("0")), rows.iter().find(|rows| rows.has(&n.to_string())));
    let Some(zero) = zero else {
        data.ids = NodeIds::from_names((1..=n).map(|row| row.to_string()).collect());
        return Ok(format!("{name}: nodes are called 1 to {n}, as the file counts rows; no table has a node 0"));
    };
    let zero = zero.table().name();
    if let Some(last) = last {
        let bad = BadInput::new(last.table().path(), "", format!("the node {n}, but {zero} has the node 0"));
        let bad = bad.allowed(format!("the {n} rows of {name} are 1 to {n}, or 0 to {}", n - 1));
        return Err(bad.next("Count from 1 in all tables, or from 0.").into());
    }
    let rows = "the file counts rows from 1";
    Ok(format!("{name}: nodes are called 0 to {}, for {zero} has a node 0, though {rows}", n - 1))
}

/// What tables are beside.
struct Graph<'g> {
    file: &'g Path,
    nodes: &'g Names,
    options: &'g ReadOptions,
}

/// The rows of a table beside a graph.
enum Rows<'a, 't> {
    Nodes(NodeTable<'a, 't>, Use),
    Entries(&'t Table<'a>, Triplets<'a>),
}

impl<'a, 't> Rows<'a, 't> {
    fn read(table: &'t Table<'a>, used: Use, nodes: &Names, options: &ReadOptions) -> Result<Self, Error> {
        let form = if used == Use::Features { features::form(table, nodes, options)? } else { Form::Rows };
        Ok(match form {
            Form::Rows => Self::Nodes(NodeTable::read(table, used, options, nodes)?, used),
            Form::Triplets => Self::Entries(table, Triplets::read(table, options)?),
            Form::Pairs => Self::Entries(table, pairs::read(table, nodes, options)?),
        })
    }

    fn table(&self) -> &'t Table<'a> {
        match self {
            Self::Nodes(rows, _) => rows.table,
            Self::Entries(table, _) => table,
        }
    }

    fn has_names(&self) -> bool {
        matches!(self, Self::Nodes(rows, _) if rows.name.is_some())
    }

    fn has(&self, name: &str) -> bool {
        match self {
            Self::Nodes(rows, _) => rows.names.get(name).is_some(),
            Self::Entries(_, rows) => rows.names.get(name).is_some(),
        }
    }

    fn add(self, data: &mut Dataset, graph: &Graph<'_>) -> Result<(), Error> {
        data.remarks.extend(self.table().remarks.iter().cloned());
        match self {
            Self::Nodes(rows, used) => add_rows(data, rows, used, graph),
            Self::Entries(table, rows) => add_entries(data, table, rows, graph),
        }
    }
}

fn add_entries(data: &mut Dataset, table: &Table<'_>, rows: Triplets<'_>, graph: &Graph<'_>) -> Result<(), Error> {
    let nodes = graph.nodes;
    rows.check(table, |name| nodes.get(name).is_some())?;
    data.remarks.extend(rows.remarks.iter().cloned());
    let of = matched(table, &rows.names, data, graph)?;
    let of = every_row(table, &rows.lines, &of)?;
    let (all, without) = (nodes.len(), nodes.len() - of.len());
    if !rows.pairs || 2 * without > all {
        every_node(table, &of, nodes)?;
    } else if without > 0 {
        data.remarks.push(format!("{}: {without} of {all} nodes have no row and so zeros only", table.name()));
    }
    (data.features, data.feature_names) = rows.by_node(&of, data.nodes());
    data.blanks.clear();
    Ok(())
}

fn add_rows(data: &mut Dataset, mut rows: NodeTable<'_, '_>, used: Use, graph: &Graph<'_>) -> Result<(), Error> {
    let (table, nodes, options) = (rows.table, graph.nodes, graph.options);
    rows.settle(used, |name| nodes.get(name).is_some())?;
    data.remarks.extend(rows.remarks());
    let places = matched(table, &rows.names, data, graph)?;
    let of: Vec<Option<u32>> = rows.rows.iter().map(|&(place, _)| places[place as usize]).collect();
    // Strangers get other numbers, and what their rows hold is left out.
    let numbers: Vec<u32> =
        rows.rows.iter().zip(&of).map(|(&(place, _), node)| node.unwrap_or(u32::MAX - place)).collect();
    if rows.name.is_some() {
        data.node_names = rows.texts(&numbers, data.nodes())?;
    }
    if rows.label.is_some() {
        let words = rows.labels(&numbers)?.into_iter().filter(|&(node, ..)| (node as usize) < data.nodes()).collect();
        let words = Words::of(table, words)?;
        let bad = |line, found| table.bad(line, found);
        data.labels = words.labels(data.nodes(), options.label_kind, &table.name(), &bad, &mut data.remarks)?;
    }
    let columns = if used == Use::Labels { Vec::new() } else { rows.columns(options)? };
    if !columns.is_empty() {
        rows.refuse_repetition()?;
        let lines: Vec<usize> = rows.rows.iter().map(|&(_, line)| line).collect();
        let of = every_row(table, &lines, &of)?;
        every_node(table, &of, nodes)?;
        let Found { features, names, blanks } = columns::read(&rows, &columns, &of, data.nodes(), &mut data.remarks)?;
        data.feature_names = if rows.is_named() { names } else { Vec::new() };
        (data.features, data.blanks) = (features, blanks);
    }
    if matches!(data.features, Features::Identity(_)) {
        data.feature_names.clear();
    }
    Ok(())
}

/// The node of each name, where there is one.
fn matched(table: &Table<'_>, names: &Names, data: &mut Dataset, graph: &Graph<'_>) -> Result<Vec<Option<u32>>, Error> {
    let (nodes, file) = (graph.nodes, super::shown(graph.file));
    let all = names.iter();
    let places: Vec<Option<u32>> = all.clone().map(|name| nodes.get(name)).collect();
    let strangers: Vec<&str> = all.clone().filter(|name| nodes.get(name).is_none()).collect();
    if matches!(data.ids, NodeIds::Numbered(_)) && strangers == [data.nodes().to_string()] && names.get("0").is_none() {
        let found = format!("nodes 1 to {}, but {file} counts them from 0", data.nodes());
        let bad = table.bad(table.rows().next().map_or(1, |row| row.line), found);
        return Err(bad.allowed("both count from 0").next("Subtract 1 from the ids.").into());
    }
    let known: Vec<&str> = all.filter(|name| !is_missing(name)).collect();
    let overlap = Overlap { what: "rows", names: known, edges: nodes, edges_name: file, elsewhere: &|_| false };
    if let Some(said) = overlap.check(table, graph.options.allow_isolated)? {
        data.remarks.push(said.replace("have no edge", "are no nodes of the graph and left out"));
    }
    Ok(places)
}

/// The node of each row of features; rows of strangers are an error.
fn every_row(table: &Table<'_>, lines: &[usize], of: &[Option<u32>]) -> Result<Vec<u32>, Error> {
    let stranger = of.iter().position(Option::is_none);
    if let Some(row) = stranger {
        let bad = table.bad(lines[row], "features of a node that is not in the graph");
        return Err(bad
            .allowed("only its nodes can have features")
            .next("Correct the node, or remove the row.")
            .into());
    }
    Ok(of.iter().flatten().copied().collect())
}

/// Every node has features.
fn every_node(table: &Table<'_>, of: &[u32], nodes: &Names) -> Result<(), Error> {
    let mut has_row = vec![false; nodes.len()];
    of.iter().for_each(|&node| has_row[node as usize] = true);
    let Some(a) = has_row.iter().position(|&has| !has) else { return Ok(()) };
    let found = format!("no row for node {:?}", nodes.name(a as u32));
    let bad = BadInput::new(table.path(), "", found).allowed("every node needs features");
    Err(bad.next("Add the row, or leave the file out.").into())
}
