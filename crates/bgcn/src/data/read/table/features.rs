//! Features, in one of two forms: dense rows `id,f0,f1,…`, or triplets `id,column,value` of the non-zeros.
//!
//! Dense files become [`Features::Dense`], triplets [`Features::Sparse`], so what was written reads back equal.
//! In triplets, columns are counted from 0 where all of them are whole numbers; otherwise they are names, numbered in
//! sorted order. A row `id,,` says that a node has only zeros. A comment `# columns 1433` above the first row gives d;
//! without it d is the largest column plus one.

use super::FeatureForm;
use super::lines::{Header, Table, is_id_word, plain_word};
use super::names::Names;
use crate::data::{DenseRows, Error, Features, SparseRows};
use std::borrow::Cow;

/// Features by row of the file; [`Rows::by_node`] puts them in the order of the nodes.
pub(super) struct Rows<'a> {
    pub(super) header: Option<Header<'a>>,
    /// Line of each node's first row, by node; 0 for a node without one. May be shorter than there are nodes.
    pub(super) lines: Vec<usize>,
    content: Content,
}

enum Content {
    Dense { columns: usize, nodes: Vec<u32>, values: Vec<f32> },
    Sparse { columns: usize, entries: Vec<(u32, u32, f32)> },
}

/// Reads a file of features; nodes not yet known are numbered in its order.
pub(super) fn read<'a>(table: &Table<'a>, names: &mut Names<'a>, form: FeatureForm) -> Result<Rows<'a>, Error> {
    let header = table.header(1, |words| {
        let values = words.get(1..).unwrap_or_default();
        is_id_word(&words[0]) || (!values.is_empty() && values.iter().all(|word| word.parse::<f64>().is_err()))
    })?;
    let columns = |words: &[Cow<'_, str>]| words.iter().map(|word| plain_word(word)).collect::<Vec<_>>();
    let is_triplets = match form {
        FeatureForm::Dense => false,
        FeatureForm::Triplets => true,
        FeatureForm::Auto => header.as_ref().is_some_and(|header| {
            let words = columns(&header.words);
            words == ["id", "column", "value"] || words == ["id", "feature", "value"]
        }),
    };
    if table.width < 2 || (is_triplets && table.width != 3) {
        let first = table.rows().next().expect("a table has a first row");
        let allowed = if is_triplets { "triplets have three: id, column, value" } else { "a node and its features" };
        let bad = table.bad(first.line, format!("{} columns", table.width)).allowed(allowed);
        return Err(bad.next("Check the delimiter, or leave the file out if there are no features.").into());
    }
    if is_triplets { read_triplets(table, names, header) } else { read_dense(table, names, header) }
}

fn read_dense<'a>(table: &Table<'a>, names: &mut Names<'a>, header: Option<Header<'a>>) -> Result<Rows<'a>, Error> {
    let columns = table.width - 1;
    let (mut nodes, mut values, mut lines) = (Vec::new(), Vec::new(), Vec::new());
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(header.is_some())) {
        table.split(row, &mut fields)?;
        let node = node(table, row.line, std::mem::take(&mut fields[0]), names)?;
        if let Some(line) = note(&mut lines, node, row.line) {
            let bad = table.bad(row.line, format!("node {:?} has features on line {line} already", names.name(node)));
            return Err(bad.allowed("each node has one row").next("Remove one of them.").into());
        }
        nodes.push(node);
        for (column, field) in fields.iter().enumerate().skip(1) {
            values.push(value(table, row.line, column + 1, field)?);
        }
    }
    Ok(Rows { header, lines, content: Content::Dense { columns, nodes, values } })
}

fn read_triplets<'a>(table: &Table<'a>, names: &mut Names<'a>, header: Option<Header<'a>>) -> Result<Rows<'a>, Error> {
    let mut entries: Vec<(u32, Cow<'a, str>, f32, usize)> = Vec::new();
    let mut lines = Vec::new();
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(header.is_some())) {
        table.split(row, &mut fields)?;
        let node = node(table, row.line, std::mem::take(&mut fields[0]), names)?;
        note(&mut lines, node, row.line);
        let column = std::mem::take(&mut fields[1]);
        if column.is_empty() != fields[2].is_empty() {
            let bad = table.bad(row.line, "a column without a value, or a value without a column");
            return Err(bad
                .allowed("both are given, or neither for a node of zeros")
                .next("Fill in the other.")
                .into());
        }
        if !column.is_empty() {
            entries.push((node, column, value(table, row.line, 3, &fields[2])?, row.line));
        }
    }
    let (columns, mut entries) = number_columns(table, entries)?;
    entries.sort_by_key(|&(node, column, ..)| (node, column));
    if let Some(twice) = entries.windows(2).find(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
        let (node, column, _, line) = twice[1];
        let found = format!("column {column} of node {:?} is on line {} already", names.name(node), twice[0].3);
        return Err(table.bad(line, found).allowed("each value is given once").next("Remove one of the rows.").into());
    }
    let entries = entries.into_iter().map(|(node, column, value, _)| (node, column, value)).collect();
    Ok(Rows { header, lines, content: Content::Sparse { columns, entries } })
}

/// An entry of a triplets file: node, column, value, line.
type Entry<C> = (u32, C, f32, usize);

/// d, and the entries with their columns as numbers.
fn number_columns(table: &Table<'_>, entries: Vec<Entry<Cow<'_, str>>>) -> Result<(usize, Vec<Entry<u32>>), Error> {
    let are_numbers = entries.iter().all(|(_, column, ..)| column.bytes().all(|byte| byte.is_ascii_digit()));
    let mut sorted: Vec<String> = Vec::new();
    if !are_numbers {
        sorted = entries.iter().map(|(_, column, ..)| column.to_string()).collect();
        sorted.sort();
        sorted.dedup();
    }
    let said = table.comment("columns ").and_then(|(_, number)| number.parse::<usize>().ok());
    let limit = said.unwrap_or(u32::MAX as usize).min(u32::MAX as usize);
    let mut largest = None;
    let number = |(node, column, value, line): Entry<Cow<'_, str>>| {
        let index = if are_numbers { column.parse().ok() } else { sorted.binary_search(&column.to_string()).ok() };
        let Some(index) = index.filter(|&index| index < limit) else {
            let bad = table.bad(line, format!("column {column:?} is beyond the {limit} columns that are allowed"));
            let allowed = "columns are counted from 0, and a comment \"# columns N\" says how many there are";
            return Err(bad.allowed(allowed).next("Correct the column or the comment.").into());
        };
        largest = largest.max(Some(index));
        Ok((node, index as u32, value, line))
    };
    let entries: Result<Vec<Entry<u32>>, Error> = entries.into_iter().map(number).collect();
    let entries = entries?;
    Ok((said.unwrap_or(largest.map_or(0, |column| column + 1)), entries))
}

impl Rows<'_> {
    /// X for nodes 0..`nodes`, each of which has a row.
    pub(super) fn by_node(self, nodes: usize) -> Features {
        match self.content {
            Content::Dense { columns, nodes: order, values } => {
                let mut sorted = vec![0.0; nodes * columns];
                for (row, &node) in values.chunks_exact(columns).zip(&order) {
                    sorted[node as usize * columns..][..columns].copy_from_slice(row);
                }
                Features::Dense(DenseRows { columns, values: sorted })
            }
            Content::Sparse { columns, entries } => {
                let mut rows = SparseRows::new(columns);
                let mut row = Vec::new();
                let mut entries = entries.into_iter().peekable();
                for node in 0..nodes as u32 {
                    row.clear();
                    while let Some((_, column, value)) = entries.next_if(|entry| entry.0 == node) {
                        row.push((column, value));
                    }
                    rows.push_row(&mut row);
                }
                Features::Sparse(rows)
            }
        }
    }
}

/// Remembers a node's first line; gives it back on the second.
fn note(lines: &mut Vec<usize>, node: u32, line: usize) -> Option<usize> {
    let node = node as usize;
    if node >= lines.len() {
        lines.resize(node + 1, 0);
    }
    if lines[node] > 0 {
        return Some(lines[node]);
    }
    lines[node] = line;
    None
}

fn node<'a>(table: &Table<'a>, line: usize, id: Cow<'a, str>, names: &mut Names<'a>) -> Result<u32, Error> {
    if id.is_empty() {
        let bad = table.bad(line, "features without a node").allowed("the first column names the node");
        return Err(bad.next("Fill in the node, or remove the row.").into());
    }
    Ok(names.node(id))
}

fn value(table: &Table<'_>, line: usize, column: usize, field: &str) -> Result<f32, Error> {
    field.parse().ok().filter(|value: &f32| value.is_finite()).ok_or_else(|| {
        let bad = table.bad(line, format!("column {column} holds {field:?}"));
        bad.allowed("features are finite numbers, written as 0.5").next("Replace it by a number; 0 for nothing.").into()
    })
}
