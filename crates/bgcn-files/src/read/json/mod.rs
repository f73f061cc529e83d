//! Graphs as JSON: node-link as NetworkX writes it, the same as D3 reads it, and the elements of Cytoscape.
//!
//! ```json
//! {"directed": false, "nodes": [{"id": "a", "label": "x", "v": [0.5, 1]}, …],
//!  "links": [{"source": "a", "target": "b", "weight": 2}, …]}
//! ```
//!
//! `edges` may stand for `links`. Where no node has an id, edges name their ends by place, counted from 0. Attributes
//! of nodes become columns; a list of numbers becomes one column per number, `v.0`, `v.1`, ….

mod table;
mod value;

pub(super) use table::table;

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use self::value::{Object, Value, object, read};
use super::ReadOptions;
use super::attributed::Attributed;
use super::collect::{Collector, Edge};
use super::table::lines::shortened;
use super::table::respelled::Rounded;
use bgcn_core::data::BadInput;

/// The nodes and edges of a file, as it holds them.
struct Elements<'v> {
    nodes: Vec<&'v Object>,
    edges: Vec<&'v Object>,
    /// Whether 1 and "1" are the same node, as in the elements of Cytoscape.
    loose: bool,
}

/// Reads a file that is in memory already; `file` gives it its name.
pub(super) fn from_bytes(file: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Attributed, BadInput> {
    let value = read(file, bytes)?;
    let elements = elements(file, &value)?;
    let mut to = Collector::new(file, options);
    if let Value::Object(top) = &value {
        let directed = top.iter().any(|(key, value)| key == "directed" && *value == Value::Bool(true));
        to.directed(directed);
    }
    let mut ids = Ids { file, kinds: HashMap::new(), loose: elements.loose };
    let by_place = !elements.nodes.iter().any(|node| get(node, "id").is_some());
    let lists = lists(&elements.nodes);
    for (i, node) in elements.nodes.iter().enumerate() {
        let place = format!("node {i}");
        let id = match get(node, "id") {
            Some(id) => ids.text(id, &place)?,
            None if by_place => i.to_string(),
            None => {
                let found = format!("a node without an id, with {}", keys(node));
                return Err(bad(file, &place, found, "every node has one, or none has").next("Give it an id."));
            }
        };
        let a = to.node(&id, &place)?;
        node.iter().filter(|(key, _)| key != "id").try_for_each(|(key, value)| cell(&mut to, a, key, value, &lists))?;
    }
    for (i, edge) in elements.edges.iter().enumerate() {
        let place = format!("edge {i}");
        let end = |name: &str, ids: &mut Ids<'_>| match get(edge, name) {
            Some(Value::Whole(number)) if by_place => Ok(number.clone()),
            Some(end) if by_place => {
                let found = format!("{name} is {}, and nodes have no ids", end.kind());
                Err(bad(file, &place, found, "without ids, edges name nodes by their place")
                    .next("Give nodes an \"id\"."))
            }
            Some(end) => ids.text(end, &place),
            None => {
                let found = format!("an edge without {name}, with {}", keys(edge));
                Err(bad(file, &place, found, "edges have source and target"))
            }
        };
        let (source, target) = (end("source", &mut ids)?, end("target", &mut ids)?);
        let mut weight = None;
        for (key, value) in edge.iter().filter(|(key, _)| !["source", "target", "id", "key"].contains(&&key[..])) {
            if to.is_weight(key) {
                weight = match value {
                    Value::Null => None,
                    other => to.weight(&other.text().unwrap_or_else(|| other.kind().into()), &place)?,
                };
            }
        }
        to.edge(Edge { source, target, place, weight })?;
    }
    let mut numbers: Vec<&str> = ids.kinds.iter().filter(|(_, text)| !**text).map(|(id, _)| id.as_str()).collect();
    numbers.sort_unstable();
    let rounded = Rounded::of(numbers.into_iter());
    if let Some(found) = rounded.certain() {
        return Err(bad(file, "", found, Rounded::ALLOWED).next("Export the graph again, with ids as text."));
    }
    rounded.doubtful().iter().for_each(|said| to.remark(said));
    to.finish()
}

/// Writes an attribute of node `a` into its columns.
fn cell(
    to: &mut Collector<'_>,
    a: u32,
    key: &str,
    value: &Value,
    lists: &BTreeMap<&str, Option<usize>>,
) -> Result<(), BadInput> {
    let place = format!("node {a}");
    match (value, lists.get(key)) {
        (Value::Null, None) => {
            to.column(key);
            Ok(())
        }
        (Value::Null, Some(_)) => Ok(()),
        (_, Some(None)) => {
            to.remark(&format!(
                "the attribute {key:?} is not one text or number, nor always as many numbers; left out"
            ));
            Ok(())
        }
        (Value::List(items), Some(Some(_))) => items.iter().enumerate().try_for_each(|(i, item)| {
            let column = to.column(&format!("{key}.{i}"));
            to.set(a, column, &item.text().unwrap_or_default(), &place)
        }),
        (value, _) => {
            let column = to.column(key);
            to.set(a, column, &value.text().unwrap_or_default(), &place)
        }
    }
}

/// The attributes that are a list or an object anywhere: how many numbers each list has, none where they differ or
/// where there is something else.
fn lists<'v>(nodes: &[&'v Object]) -> BTreeMap<&'v str, Option<usize>> {
    let mut lists: BTreeMap<&str, Option<usize>> = BTreeMap::new();
    let mut plain: BTreeMap<&str, ()> = BTreeMap::new();
    for (key, value) in nodes.iter().flat_map(|node| node.iter()).filter(|(key, _)| key != "id") {
        let length = match value {
            Value::List(items) => {
                let numbers = items.iter().all(|item| matches!(item, Value::Whole(_) | Value::Real(_)));
                Some(items.len()).filter(|_| numbers && !items.is_empty())
            }
            Value::Object(_) => None,
            Value::Null => continue,
            _ => {
                plain.insert(key, ());
                continue;
            }
        };
        lists.entry(key).and_modify(|known| *known = known.filter(|_| *known == length)).or_insert(length);
    }
    lists.iter_mut().filter(|(key, _)| plain.contains_key(*key)).for_each(|(_, length)| *length = None);
    lists
}

/// Names of nodes as text; a number and a text that look alike are refused.
struct Ids<'a> {
    file: &'a Path,
    /// Whether an id is text, by how it looks.
    kinds: HashMap<String, bool>,
    loose: bool,
}

impl Ids<'_> {
    fn text(&mut self, id: &Value, place: &str) -> Result<String, BadInput> {
        let text = match id {
            Value::Real(number) if number.abs() >= 9_007_199_254_740_992.0 => {
                let found = format!("the id {number:e}, a number that is not whole to the last digit");
                return Err(bad(self.file, place, found, Rounded::ALLOWED).next("Write the ids as text."));
            }
            Value::Whole(_) | Value::Real(_) | Value::Text(_) => id.text().unwrap_or_default(),
            other => {
                let found = format!("an id that is {}", other.kind());
                return Err(bad(self.file, place, found, "ids are text or numbers").next("Write it as text."));
            }
        };
        let is_text = matches!(id, Value::Text(_));
        let before = *self.kinds.entry(text.clone()).or_insert(is_text);
        if before != is_text && !self.loose {
            let found = format!("{text} as a number and {text:?} as text");
            let allowed = "they could be one node or two";
            return Err(bad(self.file, place, found, allowed).next("Write all ids as text, or all as numbers."));
        }
        Ok(text)
    }
}

/// Where nodes and edges are.
fn elements<'v>(file: &Path, value: &'v Value) -> Result<Elements<'v>, BadInput> {
    let unknown = |found: String| {
        let allowed = "nodes and links (or edges) are needed, as networkx.node_link_data gives them";
        bad(file, "", found, allowed).next("Save the graph so, or as GraphML or CSV.")
    };
    let Value::Object(top) = value else {
        return Err(unknown(format!("JSON that is {}", value.kind())));
    };
    if let Some(Value::Object(inner)) = get(top, "elements") {
        let data = |name: &str| -> Result<Vec<&'v Object>, BadInput> {
            let items = objects(file, inner, name)?.unwrap_or_default();
            let each = |(i, item): (usize, &&'v Object)| match get(item, "data") {
                Some(Value::Object(data)) => Ok(data),
                _ => Err(bad(file, &format!("{name} {i}"), "no data", "elements of Cytoscape have data")),
            };
            items.iter().enumerate().map(each).collect()
        };
        return Ok(Elements { nodes: data("nodes")?, edges: data("edges")?, loose: true });
    }
    let (links, edges) = (objects(file, top, "links")?, objects(file, top, "edges")?);
    let edges = match (links, edges) {
        (Some(links), Some(edges)) if !links.is_empty() && !edges.is_empty() => {
            return Err(unknown("both links and edges".into()).next("Remove one of the two."));
        }
        (Some(links), None) => Some(links),
        (Some(links), Some(edges)) if edges.is_empty() => Some(links),
        (_, edges) => edges,
    };
    match (objects(file, top, "nodes")?, edges) {
        (Some(nodes), Some(edges)) => Ok(Elements { nodes, edges, loose: false }),
        _ => Err(unknown(format!("JSON with the keys {}", keys(top)))),
    }
}

/// A list of objects under a key, where it is there.
fn objects<'v>(file: &Path, top: &'v Object, name: &str) -> Result<Option<Vec<&'v Object>>, BadInput> {
    let Some(value) = get(top, name) else { return Ok(None) };
    let Value::List(items) = value else {
        return Err(bad(file, "", format!("{name} is {}", value.kind()), "a list is needed"));
    };
    let each = |(i, item): (usize, &'v Value)| {
        let found = || format!("entry {i} of {name} is {}", item.kind());
        object(item).ok_or_else(|| bad(file, "", found(), "objects are needed, as networkx.node_link_data gives them"))
    };
    items.iter().enumerate().map(each).collect::<Result<_, _>>().map(Some)
}

fn get<'v>(object: &'v Object, key: &str) -> Option<&'v Value> {
    object.iter().find(|(own, _)| own == key).map(|(_, value)| value)
}

fn keys(object: &Object) -> String {
    let keys: Vec<String> = object.iter().map(|(key, _)| shortened(key)).take(12).collect();
    if keys.is_empty() { "no keys".into() } else { keys.join(", ") }
}

fn bad(file: &Path, place: &str, found: impl Into<String>, allowed: &str) -> BadInput {
    BadInput::new(file, place, found).allowed(allowed)
}

#[cfg(test)]
mod tests;
