//! Tables beside a graph that is no table: labels for a Matrix Market file, features for a GraphML file.
//!
//! The nodes are those of the graph, in its order. Rows of other nodes are left out and counted; they are an error where
//! most are strangers, or where the rows are counted from 1 and the nodes from 0.

use super::columns::{self, Found};
use super::features::{self, Triplets};
use super::header::is_missing;
use super::labels::Words;
use super::lines::Table;
use super::names::Names;
use super::nodes::{NodeTable, Use};
use super::overlap::Overlap;
use super::text::Text;
use super::{Files, ReadOptions, split};
use bgcn_core::data::{Dataset, Error, Features, NodeIds};
use std::path::Path;

/// Reads a graph and adds what the tables hold.
pub(super) fn read(files: &Files, options: &ReadOptions) -> Result<Dataset, Error> {
    let mut asked = options.clone();
    let tables = [(&files.nodes, Use::Nodes), (&files.features, Use::Features), (&files.labels, Use::Labels)];
    let tables: Vec<_> = tables.into_iter().filter_map(|(path, used)| Some((path.as_ref()?, used))).collect();
    // Names come from the tables where there are any.
    let names = asked.name_column.take_if(|_| !tables.is_empty());
    let mut data = crate::read::read_graph(&files.edges, &asked)?;
    if data.node_names.is_empty() {
        asked.name_column = names.or(asked.name_column);
    }
    for (path, used) in tables {
        let text = Text::read(path)?;
        add(&mut data, &Table::new(&text)?, used, &files.edges, &asked)?;
        asked.name_column.take_if(|_| !data.node_names.is_empty());
    }
    if let Some(asked) = asked.name_column.filter(|_| data.node_names.is_empty()) {
        return Err(super::no_names(&asked));
    }
    if let Some(path) = &files.split {
        data.fixed_split = Some(split::read(path, &data)?);
    }
    Ok(data)
}

fn add(data: &mut Dataset, table: &Table<'_>, used: Use, graph: &Path, options: &ReadOptions) -> Result<(), Error> {
    let mut nodes = Names::new();
    for a in 0..data.nodes() as u32 {
        nodes.node(&data.ids.name(a));
    }
    data.remarks.extend(table.remarks.iter().cloned());
    if used == Use::Features && features::are_triplets(table)? {
        let rows = Triplets::read(table, options)?;
        rows.check(table, |name| nodes.get(name).is_some())?;
        let of = matched(table, &rows.names, &nodes, data, graph, options)?;
        let of = every_row(table, &rows.lines, &of)?;
        every_node(table, &of, &nodes)?;
        (data.features, data.feature_names) = rows.by_node(&of, data.nodes());
        data.blanks.clear();
        return Ok(());
    }
    let mut rows = NodeTable::read(table, used, options, &nodes)?;
    rows.settle(used, |name| nodes.get(name).is_some())?;
    data.remarks.extend(rows.remarks());
    let places = matched(table, &rows.names, &nodes, data, graph, options)?;
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
    if used != Use::Labels && !rows.columns().is_empty() {
        rows.refuse_repetition()?;
        let lines: Vec<usize> = rows.rows.iter().map(|&(_, line)| line).collect();
        let of = every_row(table, &lines, &of)?;
        every_node(table, &of, &nodes)?;
        let Found { features, names, blanks } =
            columns::read(&rows, &rows.columns(), &of, data.nodes(), &mut data.remarks)?;
        data.feature_names = if rows.is_named() { names } else { Vec::new() };
        (data.features, data.blanks) = (features, blanks);
    }
    if matches!(data.features, Features::Identity(_)) {
        data.feature_names.clear();
    }
    Ok(())
}

/// The node of each name, where there is one.
fn matched(
    table: &Table<'_>,
    names: &Names,
    nodes: &Names,
    data: &mut Dataset,
    graph: &Path,
    options: &ReadOptions,
) -> Result<Vec<Option<u32>>, Error> {
    let all = names.iter();
    let places: Vec<Option<u32>> = all.clone().map(|name| nodes.get(name)).collect();
    let strangers: Vec<&str> = all.clone().filter(|name| nodes.get(name).is_none()).collect();
    if matches!(data.ids, NodeIds::Numbered(_)) && strangers == [data.nodes().to_string()] && names.get("0").is_none() {
        let found = format!("nodes 1 to {}, but {} counts them from 0", data.nodes(), super::shown(graph));
        let bad = table.bad(table.rows().next().map_or(1, |row| row.line), found);
        return Err(bad.allowed("both count from 0").next("Subtract 1 from the ids.").into());
    }
    let known: Vec<&str> = all.filter(|name| !is_missing(name)).collect();
    let overlap = Overlap { what: "rows", names: known, edges: nodes, edges_name: super::shown(graph) };
    if let Some(said) = overlap.check(table, options.allow_isolated)? {
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
    let bad = bgcn_core::data::BadInput::new(table.path(), "", found).allowed("every node needs features");
    Err(bad.next("Add the row, or leave the file out.").into())
}
