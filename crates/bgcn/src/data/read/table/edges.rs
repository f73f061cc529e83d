//! Edge lists: two nodes per row, or three columns with a weight that only a threshold can use.

use super::lines::{Header, Row, Table, plain_word};
use super::names::Names;
use crate::data::Error;
use crate::graph::Graph;
use std::borrow::Cow;

/// Words that two columns of nodes are called, as [`plain_word`]s.
const HEADERS: [[&str; 2]; 13] = [
    ["source", "target"],
    ["source", "destination"],
    ["sourceid", "targetid"],
    ["src", "dst"],
    ["from", "to"],
    ["fromid", "toid"],
    ["fromnodeid", "tonodeid"],
    ["id1", "id2"],
    ["node1", "node2"],
    ["nodeid1", "nodeid2"],
    ["head", "tail"],
    ["citing", "cited"],
    ["cited", "citing"],
];

/// The header of an edge list, if it has one.
fn header<'a>(table: &Table<'a>) -> Result<Option<Header<'a>>, Error> {
    table.header(2, |words| {
        let words: Vec<String> = words.iter().take(2).map(|word| plain_word(word)).collect();
        HEADERS.iter().any(|known| words == known)
    })
}

/// An edge list as it stands in the file.
pub(super) struct Edges<'a> {
    pub(super) header: Option<Header<'a>>,
    pub(super) list: Vec<(u32, u32)>,
}

/// Reads an edge list. With a threshold it has weights, and rows below the threshold give nodes but no edge.
pub(super) fn read<'a>(table: &Table<'a>, names: &mut Names<'a>, threshold: Option<f64>) -> Result<Edges<'a>, Error> {
    check_width(table, threshold)?;
    let header = header(table)?;
    let mut edges = Vec::new();
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(header.is_some())) {
        table.split(row, &mut fields)?;
        let keep = match threshold {
            Some(threshold) => weight(table, row, &fields[2])? >= threshold,
            None => true,
        };
        let [a, b] = ends(table, row, &mut fields)?.map(|name| names.node(name));
        if keep {
            edges.push((a, b));
        }
    }
    if edges.is_empty() {
        let (found, next) = match threshold {
            None => ("no edges".to_owned(), "Write one edge per line, as in source,target."),
            Some(t) => (format!("no edge of weight {t} or more"), "Lower the threshold."),
        };
        return Err(crate::data::BadInput::new(table.path(), "", found)
            .allowed("a graph needs edges")
            .next(next)
            .into());
    }
    Ok(Edges { header, list: edges })
}

/// Reads an edge list whose nodes are known already: `observed` says whether they must be edges of the graph.
pub(super) fn read_truth(
    table: &Table<'_>,
    names: &Names<'_>,
    graph: &Graph,
    observed: bool,
) -> Result<Vec<(u32, u32)>, Error> {
    check_width(table, None)?;
    let header = header(table)?;
    if let Some(header) = &header {
        header.check(table, |name| names.get(name).is_some())?;
    }
    let mut edges = Vec::new();
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(header.is_some())) {
        table.split(row, &mut fields)?;
        let pair = ends(table, row, &mut fields)?;
        if let Some(stranger) = pair.iter().find(|name| names.get(name).is_none()) {
            let bad = table.bad(row.line, format!("node {stranger:?} is not in the graph"));
            return Err(bad.allowed("only its nodes can be joined").next("Are all files from one folder?").into());
        }
        let [a, b] = pair.each_ref().map(|name| names.get(name).expect("known, as checked above"));
        if a == b || graph.has_edge(a, b) != observed {
            let is = if observed { "not in" } else { "in" };
            let bad = table.bad(row.line, format!("the edge {:?}–{:?} is {is} the edge list", pair[0], pair[1]));
            let allowed = "spurious edges are in the edge list, missing edges are not";
            return Err(bad.allowed(allowed).next("Are all files from one folder?").into());
        }
        edges.push((a.min(b), a.max(b)));
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

fn check_width(table: &Table<'_>, threshold: Option<f64>) -> Result<(), Error> {
    let first = table.rows().next().expect("a table has a first row");
    let bad = |found: String| table.bad(first.line, found).allowed("an edge is two nodes");
    let found = match (table.width, threshold) {
        (2, None) | (3, Some(_)) => return Ok(()),
        (2, Some(_)) => bad("a weight threshold is set, but there is no column of weights".into())
            .next("Remove the threshold, or add a third column."),
        (3, None) => bad("a third column; edges with weights are not supported".into()).next(
            "Remove the column (a column of row numbers, too), or keep edges by their weight with --weight-threshold.",
        ),
        (width, _) => bad(format!("{width} columns"))
            .next("Keep the two columns that name the nodes, separated by commas, tabs, semicolons or spaces."),
    };
    Err(found.into())
}

fn weight(table: &Table<'_>, row: Row<'_>, field: &str) -> Result<f64, Error> {
    let weight = field.parse().ok().filter(|weight: &f64| weight.is_finite());
    weight.ok_or_else(|| {
        let bad = table.bad(row.line, format!("the weight {field:?} is not a number"));
        bad.allowed("a weight is finite and written as 0.5").next("Correct it, or remove the row.").into()
    })
}

#[inline]
fn ends<'a>(table: &Table<'a>, row: Row<'a>, fields: &mut [Cow<'a, str>]) -> Result<[Cow<'a, str>; 2], Error> {
    let pair = [std::mem::take(&mut fields[0]), std::mem::take(&mut fields[1])];
    if pair.iter().any(|name| name.is_empty()) {
        let bad = table.bad(row.line, "an edge with an empty end").allowed("both ends are named");
        return Err(bad.next("Fill in the node, or remove the row.").into());
    }
    Ok(pair)
}
