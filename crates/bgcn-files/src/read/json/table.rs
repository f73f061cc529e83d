//! Features, labels or nodes as JSON, made into the text of a table.
//!
//! | JSON | becomes |
//! |---|---|
//! | `{id: [column, …]}` | pairs: the columns are 1 for that node |
//! | `{id: [value, …]}`, equally many | a row of values |
//! | `{id: {column: value}}` | a row; where most columns of a node are absent and all values are numbers, triplets |
//! | `{column: {id: value}}` | the same, as pandas writes a data frame: where the inner keys are the nodes |
//! | `{id: value}` | a column |
//! | `[{column: value}, …]` | rows with the id in a column |
//!
//! Without ids, a list of any of these has an entry per node, in order. Lists of whole numbers that are all different
//! and equally many could be columns or values: they are refused.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use super::value::{Object, Value, read};
use super::{bad, get};
use crate::read::ReadOptions;
use crate::read::content::name;
use crate::read::table::header::is_id_word;
use crate::read::table::names::Names;
use crate::read::table::order::Order;
use crate::read::table::text::{Made, Origin, Text};
use bgcn_core::data::{BadInput, Error};
use bgcn_core::memory;

/// Bytes of memory for every byte of a file: values, and the text that they become.
const READING: u64 = 32;

const NEXT: &str = "Write {id: [columns]} or {id: {column: value}}.";

/// The table that a file in memory is, beside a graph of these nodes; `order`: entries have no ids.
pub(in crate::read) fn table(
    file: &Path,
    bytes: &[u8],
    nodes: &Names,
    order: Option<&Order>,
    options: &ReadOptions,
) -> Result<Text, Error> {
    let much = memory::allow(bytes.len() as u64 * READING);
    much.map_err(|much| bad(file, "", much.to_string(), "JSON is read whole").next("Save the table as CSV."))?;
    let mut remarks = Vec::new();
    let entries = match (read(file, bytes)?, order) {
        (Value::List(items), Some(order)) => {
            let (ids, said) = order.ids(file, items.len(), options)?;
            remarks.push(said);
            ids.into_iter().zip(items).collect()
        }
        (Value::List(items), None) if items.iter().any(|item| matches!(item, Value::Object(_))) => {
            return Ok(records(file, &items, options)?);
        }
        (Value::Object(entries), None) => by_node(file, entries, nodes, &mut remarks)?,
        (Value::Object(_), Some(_)) => {
            let bad = bad(file, "", "`no_ids` was given, but entries have keys", "keys are the ids of nodes");
            return Err(bad.next("Leave the option out, or save a list.").into());
        }
        (other, _) => {
            let found = format!("JSON that is {}", other.kind());
            let bad = bad(file, "", found, "entries have the id of their node as key; `no_ids` reads lists in order");
            return Err(bad.next(NEXT).into());
        }
    };
    // No node is called like the column of ids.
    let title = if get(&entries, "id").is_some() { "id of the node" } else { "id" };
    let first = entries.iter().map(|(_, value)| value).find(|value| !matches!(value, Value::Null));
    let (text, from) = match first {
        Some(Value::List(_)) => lists(file, title, &entries)?,
        Some(Value::Object(_)) => objects(file, title, &entries, &mut remarks)?,
        _ => scalars(file, title, &entries)?,
    };
    let made = Made { from, header: true, id: Some(title.to_owned()) };
    Ok(Text::made(file, text, made, remarks))
}

/// Entries by the id of their node, turned round where the keys are columns.
fn by_node(file: &Path, entries: Object, nodes: &Names, remarks: &mut Vec<String>) -> Result<Object, BadInput> {
    let has = |key: &str| matches!(get(&entries, key), Some(Value::List(_)));
    if has("nodes") && (has("links") || has("edges")) {
        return Err(bad(file, "", "a graph", "a table of nodes is needed").next("Name the file as the edges."));
    }
    if has("data") && (has("columns") || get(&entries, "schema").is_some()) {
        let found = "a data frame that pandas wrote with another orient";
        let next = "Save it with to_json(orient=\"index\").";
        return Err(bad(file, "", found, "entries have the id of their node as key").next(next));
    }
    let known = |entries: &Object| 2 * entries.iter().filter(|(key, _)| nodes.get(key).is_some()).count();
    let inner = |value: &Value| matches!(value, Value::Object(cells) if known(cells) > cells.len());
    if known(&entries) >= entries.len() || !entries.iter().all(|(_, value)| inner(value)) {
        return Ok(entries);
    }
    remarks.push(format!("{}: keys are columns, and the nodes are inside, as pandas writes a data frame", name(file)));
    let mut turned = Object::new();
    let mut place: HashMap<String, usize> = HashMap::new();
    for (column, value) in entries {
        let Value::Object(cells) = value else { continue };
        for (id, cell) in cells {
            let at = *place.entry(id).or_insert_with_key(|id| {
                turned.push((id.clone(), Value::Object(Object::new())));
                turned.len() - 1
            });
            if let Value::Object(row) = &mut turned[at].1 {
                row.push((column.clone(), cell));
            }
        }
    }
    Ok(turned)
}

/// A list for each node: its columns, or its values.
fn lists(file: &Path, title: &str, entries: &Object) -> Result<(String, Origin), BadInput> {
    let mut lists: Vec<(&str, &[Value])> = Vec::with_capacity(entries.len());
    for (id, value) in entries {
        match value {
            Value::List(items) => lists.push((id, items)),
            Value::Null => lists.push((id, &[])),
            other => return Err(mixed(file, id, other, "lists")),
        }
    }
    let all = || lists.iter().flat_map(|&(id, items)| items.iter().map(move |item| (id, item)));
    if let Some((id, item)) = all().find(|(_, item)| item.text().is_none()) {
        return Err(mixed(file, id, item, "the items of lists"));
    }
    let is_column = |item: &Value| matches!(item, Value::Whole(number) if !number.starts_with('-'));
    let is_name = |item: &Value| matches!(item, Value::Text(_));
    let length = lists.first().map_or(0, |(_, items)| items.len());
    let other = lists.iter().find(|(_, items)| items.len() != length);
    let numbers = all().all(|(_, item)| is_column(item));
    if all().any(|(_, item)| is_name(item)) || (numbers && other.is_some()) {
        if let Some((id, item)) = all().find(|(_, item)| !is_name(item) && !is_column(item)) {
            return Err(mixed(file, id, item, "names of columns"));
        }
        let mut rows = Rows::titled([title, "column"]);
        for (id, items) in &lists {
            let cells: Vec<String> = items.iter().filter_map(Value::text).collect();
            cells.iter().for_each(|cell| rows.push([*id, cell]));
            if cells.is_empty() {
                rows.push([*id, ""]);
            }
        }
        return Ok((rows.text, Origin::Entries));
    }
    if let Some((id, items)) = other {
        let found = format!("{} values, but {length} for the first node", items.len());
        return Err(bad(file, &entry(id), found, "nodes have equally many values, or lists of columns").next(NEXT));
    }
    let repeats = |items: &[Value]| items.iter().filter_map(Value::text).collect::<HashSet<_>>().len() < items.len();
    if numbers && !lists.iter().any(|(_, items)| repeats(items)) {
        let found = format!("{length} whole numbers for each node, all different: columns, or values");
        let next = "Write columns as {id: {column: 1}}, and values as {id: {column: value}}.";
        return Err(bad(file, "", found, "columns are not equally many for all nodes").next(next));
    }
    let names: Vec<String> = (0..length).map(|column| column.to_string()).collect();
    let mut rows = Rows::titled(std::iter::once(title).chain(names.iter().map(String::as_str)));
    for (id, items) in &lists {
        let cells: Vec<String> = items.iter().filter_map(Value::text).collect();
        rows.push(std::iter::once(*id).chain(cells.iter().map(String::as_str)));
    }
    Ok((rows.text, Origin::Rows))
}

/// An object for each node, with its columns.
fn objects(
    file: &Path,
    title: &str,
    entries: &Object,
    remarks: &mut Vec<String>,
) -> Result<(String, Origin), BadInput> {
    let mut lines: Vec<(&str, &[(String, Value)])> = Vec::with_capacity(entries.len());
    for (id, value) in entries {
        match value {
            Value::Object(cells) => lines.push((id, cells)),
            Value::Null => lines.push((id, &[])),
            other => return Err(mixed(file, id, other, "objects")),
        }
    }
    let (columns, numbers) = columns(file, &lines)?;
    let filled: usize = lines.iter().map(|(_, cells)| cells.len()).sum();
    let all = lines.len().saturating_mul(columns.len());
    if !numbers || 2 * filled >= all {
        return Ok((dense(file, title, &columns, &lines)?, Origin::Rows));
    }
    remarks.push(format!("{}: columns that a node lacks are 0 for it", name(file)));
    let mut rows = Rows::titled([title, "column", "value"]);
    for (id, cells) in lines {
        let known = cells.iter().filter(|(_, cell)| !matches!(cell, Value::Null));
        let mut empty = true;
        for (column, cell) in known {
            let value = match cell {
                Value::Bool(truth) => u8::from(*truth).to_string(),
                cell => cell.text().unwrap_or_default(),
            };
            rows.push([id, column, &value]);
            empty = false;
        }
        if empty {
            rows.push([id, "", ""]);
        }
    }
    Ok((rows.text, Origin::Entries))
}

/// The places of all columns in the order of the file, and whether there are numbers alone.
fn columns<'v>(
    file: &Path,
    lines: &[(&'v str, &'v [(String, Value)])],
) -> Result<(HashMap<&'v str, usize>, bool), BadInput> {
    let (mut columns, mut numbers) = (HashMap::new(), true);
    for (id, cells) in lines {
        for (column, cell) in *cells {
            if cell.text().is_none() {
                let found = format!("{column:?} is {}", cell.kind());
                return Err(bad(file, &entry(id), found, "columns hold one text or number").next(NEXT));
            }
            numbers &= !matches!(cell, Value::Text(_));
            let next = columns.len();
            columns.entry(column.as_str()).or_insert(next);
        }
    }
    if columns.is_empty() {
        return Err(bad(file, "", "no columns", "a node has columns").next("Leave the file out."));
    }
    Ok((columns, numbers))
}

/// A row for each of these, with all columns; those that it lacks are empty.
fn dense(
    file: &Path,
    title: &str,
    columns: &HashMap<&str, usize>,
    lines: &[(&str, &[(String, Value)])],
) -> Result<String, BadInput> {
    let cells = lines.len() as u64 * columns.len() as u64;
    let much = memory::allow(cells.saturating_mul(8));
    much.map_err(|much| bad(file, "", much.to_string(), "a table has a cell for each node and column").next(NEXT))?;
    let mut names = vec![""; columns.len()];
    columns.iter().for_each(|(column, &at)| names[at] = column);
    let mut rows = Rows::titled(std::iter::once(title).chain(names));
    for (id, cells) in lines {
        let mut row = vec![String::new(); columns.len()];
        cells.iter().for_each(|(column, cell)| row[columns[column.as_str()]] = cell.text().unwrap_or_default());
        rows.push(std::iter::once(*id).chain(row.iter().map(String::as_str)));
    }
    Ok(rows.text)
}

/// A text or number for each node.
fn scalars(file: &Path, title: &str, entries: &Object) -> Result<(String, Origin), BadInput> {
    let mut rows = Rows::titled([title, "value"]);
    for (id, value) in entries {
        let text = value.text().ok_or_else(|| mixed(file, id, value, "texts and numbers"))?;
        rows.push([id, text.as_str()]);
    }
    Ok((rows.text, Origin::Rows))
}

/// A list of objects that have their id among their columns.
fn records(file: &Path, items: &[Value], options: &ReadOptions) -> Result<Text, BadInput> {
    let mut lines: Vec<(&str, &[(String, Value)])> = Vec::with_capacity(items.len());
    for item in items {
        let Value::Object(cells) = item else { return Err(mixed(file, "", item, "objects")) };
        lines.push(("", cells));
    }
    let (columns, _) = columns(file, &lines)?;
    if options.id_column.is_none() && !columns.keys().any(|column| is_id_word(column)) {
        let mut names: Vec<&str> = columns.keys().copied().take(12).collect();
        names.sort_unstable();
        let bad = bad(file, "", format!("objects with the keys {}", names.join(", ")), "one of them is the id");
        return Err(bad.next("Name it: `id_column`, or say that the rows are in order: `no_ids`."));
    }
    // The first column, which has no title, is left out again.
    let text = dense(file, "", &columns, &lines)?;
    let text: Vec<&str> = text.lines().map(|line| line.split_once(',').map_or("", |(_, rest)| rest)).collect();
    let made = Made { from: Origin::Rows, header: true, id: None };
    Ok(Text::made(file, text.join("\n"), made, Vec::new()))
}

/// A value of another kind than those around it.
fn mixed(file: &Path, id: &str, value: &Value, others: &str) -> BadInput {
    bad(file, &entry(id), format!("{} among {others}", value.kind()), "all entries are alike").next(NEXT)
}

fn entry(id: &str) -> String {
    if id.is_empty() { String::new() } else { format!("entry {id:?}") }
}

/// The text of a table.
struct Rows {
    text: String,
}

impl Rows {
    fn titled<'c>(titles: impl IntoIterator<Item = &'c str>) -> Self {
        let mut rows = Self { text: String::new() };
        rows.push(titles);
        rows
    }

    /// A line of these cells; line breaks inside a cell become spaces.
    fn push<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        for (at, cell) in cells.into_iter().enumerate() {
            if at > 0 {
                self.text.push(',');
            }
            let cell = cell.replace(['\n', '\r', '\0'], " ");
            if cell.contains([',', '"']) || cell.starts_with(['#', '%']) || cell.trim() != cell {
                self.text.push('"');
                self.text.push_str(&cell.replace('"', "\"\""));
                self.text.push('"');
            } else {
                self.text.push_str(&cell);
            }
        }
        self.text.push('\n');
    }
}
