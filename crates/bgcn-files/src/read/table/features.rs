//! Features as triplets `id,column,value` of the non-zeros, or pairs `id,column` of value 1; dense tables are read in
//! [`super::nodes`].
//!
//! Columns are counted from 0 where all of them are whole numbers; otherwise they are names, numbered in sorted order. A
//! row `id,,` says that a node has only zeros. A comment `# columns 1433` above the first row gives d; without it d is
//! the largest column plus one, or where few of so many are used the number of those. The columns of pairs are called
//! like categories, `column=7`: later data may lack some of them.

use super::header::{Head, Verdict, is_id_word, is_index_word, is_missing, is_number, is_whole, plain_word};
use super::ids::Respelled;
use super::lines::Table;
use super::names::Names;
use super::text::Origin;
use crate::read::ReadOptions;
use bgcn_core::data::{Error, Features, SparseRows};
use std::borrow::Cow;

/// How a file of features is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// A row per node.
    Rows,
    /// A row per value: `id,column,value`.
    Triplets,
    /// A row per value that is 1: `id,column`.
    Pairs,
}

/// Columns of which at most one in so many is used are numbered by use, beyond the first thousand.
const UNUSED: usize = 10;

/// The non-zeros of X as they stand in the file.
pub(super) struct Triplets<'a> {
    head: Head<'a>,
    /// The nodes of the rows, and the line of the first row of each.
    pub(super) names: Names,
    pub(super) lines: Vec<usize>,
    columns: usize,
    column_names: Vec<String>,
    /// Node, column, value.
    entries: Vec<(u32, u32, f32)>,
    /// Whether a node without a row has zeros only.
    pub(super) pairs: bool,
    pub(super) remarks: Vec<String>,
}

/// How a file of features is laid out; `nodes` are those of the graph.
pub(super) fn form(table: &Table<'_>, nodes: &Names, options: &ReadOptions) -> Result<Form, Error> {
    let first = table.first()?.1;
    let words: Vec<String> = first.iter().map(|word| plain_word(word)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let is_second = |asked: &String| asked == "2" || plain_word(asked) == words[1];
    Ok(match words[..] {
        _ if table.is_made(Origin::Rows) || table.is_made(Origin::Lines) => Form::Rows,
        ["id", "column" | "feature", "value"] => Form::Triplets,
        ["id", "column"] => Form::Pairs,
        [_, _] if is_index_word(&first[0]) || options.id_column.as_ref().is_some_and(is_second) => Form::Rows,
        [_, _] if ids_repeat(table, nodes)? => Form::Pairs,
        _ => Form::Rows,
    })
}

/// Whether most ids of a table of two columns stand in several rows, each with another column.
fn ids_repeat(table: &Table<'_>, nodes: &Names) -> Result<bool, Error> {
    let (mut ids, mut pairs, mut rows) = (Names::new(), Names::new(), 0);
    let mut fields = Vec::new();
    for row in table.rows().skip(1) {
        table.split(row, &mut fields)?;
        let column = &fields[1];
        if is_missing(column) || (is_number(column) && (!is_whole(column) || column.starts_with('-'))) {
            return Ok(false);
        }
        ids.node(&fields[0]);
        pairs.node(row.text.trim_ascii());
        rows += 1;
    }
    let known = ids.iter().filter(|id| nodes.get(id).is_some()).count();
    Ok(3 * ids.len() <= 2 * rows && 4 * (rows - pairs.len()) <= rows && 2 * known > ids.len())
}

impl<'a> Triplets<'a> {
    /// Reads them; `nodes` are those of the graph.
    pub(super) fn read(table: &Table<'a>, form: Form, nodes: &Names, options: &ReadOptions) -> Result<Self, Error> {
        let options = &*table.options(options);
        let known = |words: &[Cow<'_, str>]| is_id_word(&words[0]).then_some(Verdict::Known);
        let mut head = Head::look(table, options.header, false, &[0], known)?;
        if head.verdict == Verdict::Open {
            let is_node = nodes.get(&head.words[0]).is_some();
            head.verdict = if is_node { Verdict::Data } else { Verdict::Strange };
        }
        let pairs = form == Form::Pairs;
        let (names, lines, entries) = entries(table, &head, pairs)?;
        let mut remarks: Vec<String> = head.remark(table).into_iter().collect();
        let Respelled { names, places } = Respelled::of(table, names, &mut remarks)?;
        let mut first = vec![usize::MAX; names.len()];
        places.iter().zip(lines).for_each(|(&place, line)| first[place as usize] = line.min(first[place as usize]));
        let (columns, mut column_names, mut entries) = number_columns(table, entries, &mut remarks)?;
        entries.iter_mut().for_each(|entry| entry.0 = places[entry.0 as usize]);
        entries.sort_by_key(|&(node, column, ..)| (node, column));
        if pairs {
            let given = entries.len();
            entries.dedup_by_key(|&mut (node, column, ..)| (node, column));
            if entries.len() < given {
                let again = given - entries.len();
                remarks.push(format!("{}: {again} pairs are given again and count once", table.name()));
            }
            if column_names.is_empty() {
                column_names = (0..columns).map(|column| column.to_string()).collect();
            }
            let word = head.names().map_or("column", |words| &words[1]);
            column_names.iter_mut().for_each(|name| *name = format!("{word}={name}"));
            let what = "a row for each column of a node, which is 1 there";
            remarks.push(format!("{}: {what}; {columns} columns", table.name()));
        }
        if let Some(twice) = entries.windows(2).find(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
            let (node, column, _, line) = twice[1];
            let found = format!("column {column} of node {:?} is on line {} already", names.name(node), twice[0].3);
            let bad = table.bad(line, found).allowed("each value is given once");
            return Err(bad.next("Remove one of the rows.").into());
        }
        let entries = entries.into_iter().map(|(node, column, value, _)| (node, column, value)).collect();
        Ok(Self { head, names, lines: first, columns, column_names, entries, pairs, remarks })
    }

    /// Refuses a header that could be data.
    pub(super) fn check(&self, table: &Table<'_>, elsewhere: impl Fn(&str) -> bool) -> Result<(), Error> {
        self.head.check(table, &[0], |word| self.names.get(word).is_some() || elsewhere(word))
    }

    /// The number of each node among all nodes; those not yet known are numbered in this order.
    pub(super) fn number(&self, names: &mut Names) -> Vec<u32> {
        self.names.iter().map(|name| names.node(name)).collect()
    }

    /// X for nodes 0..`nodes`, and the names of its columns where they have some.
    pub(super) fn by_node(self, node_of: &[u32], nodes: usize) -> (Features, Vec<String>) {
        let mut entries: Vec<(u32, u32, f32)> =
            self.entries.into_iter().map(|(node, column, value)| (node_of[node as usize], column, value)).collect();
        entries.sort_by_key(|&(node, column, _)| (node, column));
        let mut rows = SparseRows::new(self.columns);
        let mut row = Vec::new();
        let mut entries = entries.into_iter().peekable();
        for node in 0..nodes as u32 {
            row.clear();
            while let Some((_, column, value)) = entries.next_if(|entry| entry.0 == node) {
                row.push((column, value));
            }
            rows.push_row(&mut row);
        }
        (Features::Sparse(rows), self.column_names)
    }
}

/// An entry of a triplets file: node, column, value, line.
type Entry<C> = (u32, C, f32, usize);

/// The nodes of the rows, the line of the first row of each, and the entries.
fn entries<'a>(
    table: &Table<'a>,
    head: &Head<'a>,
    pairs: bool,
) -> Result<(Names, Vec<usize>, Vec<Entry<Cow<'a, str>>>), Error> {
    if table.width != if pairs { 2 } else { 3 } {
        let bad = table.bad(head.row.line, format!("{} columns", table.width));
        let next = "Check the delimiter, or leave the file out if there are no features.";
        return Err(bad.allowed("triplets have three: id, column, value").next(next).into());
    }
    let (mut names, mut lines, mut entries) = (Names::new(), Vec::new(), Vec::new());
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(head.is_apart())) {
        table.split(row, &mut fields)?;
        let id = std::mem::take(&mut fields[0]);
        if id.is_empty() {
            let bad = table.bad(row.line, "features without a node").allowed("the first column names the node");
            return Err(bad.next("Fill in the node, or remove the row.").into());
        }
        let node = names.node(&id);
        if node as usize == lines.len() {
            lines.push(row.line);
        }
        let column = std::mem::take(&mut fields[1]);
        if !pairs && column.is_empty() != fields[2].is_empty() {
            let bad = table.bad(row.line, "a column without a value, or a value without a column");
            let allowed = "both are given, or neither for a node of zeros";
            return Err(bad.allowed(allowed).next("Fill in the other.").into());
        }
        if !column.is_empty() {
            let value = if pairs { 1.0 } else { value(table, row.line, 3, &fields[2])? };
            entries.push((node, column, value, row.line));
        }
    }
    Ok((names, lines, entries))
}

/// d, the names of the columns where they have some, and the entries with their columns as numbers.
fn number_columns(
    table: &Table<'_>,
    entries: Vec<Entry<Cow<'_, str>>>,
    remarks: &mut Vec<String>,
) -> Result<(usize, Vec<String>, Vec<Entry<u32>>), Error> {
    let are_numbers = entries.iter().all(|(_, column, ..)| column.bytes().all(|byte| byte.is_ascii_digit()));
    if !are_numbers {
        let mut sorted: Vec<String> = entries.iter().map(|(_, column, ..)| column.to_string()).collect();
        sorted.sort();
        sorted.dedup();
        let place = |column: &str| sorted.binary_search_by(|own| own.as_str().cmp(column)).expect("in the list") as u32;
        let entries = entries.iter().map(|(node, column, value, line)| (*node, place(column), *value, *line)).collect();
        return Ok((sorted.len(), sorted, entries));
    }
    let said = table.comment("columns ").and_then(|(_, number)| number.parse::<usize>().ok());
    let limit = said.map_or(u64::MAX, |said| said.min(u32::MAX as usize) as u64);
    let number = |(node, column, value, line): Entry<Cow<'_, str>>| {
        let Some(index) = column.parse().ok().filter(|&index: &u64| index < limit) else {
            let bad = table.bad(line, format!("column {column:?} is beyond the {limit} columns that are allowed"));
            let allowed = "columns are counted from 0, and a comment \"# columns N\" says how many there are";
            return Err(bad.allowed(allowed).next("Correct the column or the comment.").into());
        };
        Ok((node, index, value, line))
    };
    let entries = entries.into_iter().map(number).collect::<Result<Vec<Entry<u64>>, Error>>()?;
    let mut used: Vec<u64> = entries.iter().map(|&(_, column, ..)| column).collect();
    used.sort_unstable();
    used.dedup();
    let largest = used.last().map_or(0, |&largest| largest + 1) as usize;
    let columns = said.unwrap_or(largest);
    if said.is_some() || columns <= 100 * UNUSED + UNUSED * used.len() {
        let entries = entries.into_iter().map(|(node, column, value, line)| (node, column as u32, value, line));
        return Ok((columns, Vec::new(), entries.collect()));
    }
    let (first, last, many) = (used[0], used[used.len() - 1], used.len());
    let name = table.name();
    remarks.push(format!("{name}: of the columns {first} to {last} only {many} are used, and the others are left out"));
    let place = |column: u64| used.partition_point(|&other| other < column) as u32;
    let entries = entries.into_iter().map(|(node, column, value, line)| (node, place(column), value, line)).collect();
    Ok((used.len(), used.iter().map(u64::to_string).collect(), entries))
}

fn value(table: &Table<'_>, line: usize, column: usize, field: &str) -> Result<f32, Error> {
    field.parse().ok().filter(|value: &f32| value.is_finite()).ok_or_else(|| {
        let bad = table.bad(line, format!("column {column} holds {field:?}"));
        bad.allowed("features are finite numbers, written as 0.5").next("Replace it by a number; 0 for nothing.").into()
    })
}
