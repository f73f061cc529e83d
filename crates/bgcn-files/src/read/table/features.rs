//! Features as triplets `id,column,value` of the non-zeros; pairs `id,column` are read in [`super::pairs`], dense
//! tables in [`super::nodes`].
//!
//! Columns are counted from 0 where all of them are whole numbers; otherwise they are names, numbered in sorted order. A
//! row `id,,` says that a node has only zeros. A comment `# columns 1433` above the first row gives d; without it d is
//! the largest column plus one. Of more than [`WIDE`] columns those that are used are numbered anew.

use super::header::{Head, Verdict, is_id_word, plain_word};
use super::lines::Table;
use super::names::Names;
use super::pairs;
use super::respelled::Respelled;
use super::text::Origin;
use crate::read::ReadOptions;
use bgcn_core::data::wide::{self, WIDE};
use bgcn_core::data::{Error, Features, SparseRows};
use std::borrow::Cow;

/// Bytes that an entry takes until it is sorted.
const ENTRY: u64 = 150;

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

/// The non-zeros of X as they stand in the file.
pub(super) struct Triplets<'a> {
    pub(super) head: Head<'a>,
    /// The nodes of the rows, and the line of the first row of each.
    pub(super) names: Names,
    pub(super) lines: Vec<usize>,
    pub(super) columns: usize,
    pub(super) column_names: Vec<String>,
    /// Node, column, value.
    pub(super) entries: Vec<(u32, u32, f32)>,
    /// Whether a node without a row has zeros only.
    pub(super) pairs: bool,
    pub(super) remarks: Vec<String>,
}

/// How a file of features is laid out; `nodes` are those of the graph.
pub(super) fn form(table: &Table<'_>, nodes: &Names, options: &ReadOptions) -> Result<Form, Error> {
    if table.is_made(Origin::Entries) {
        return Ok(if table.width == 2 { Form::Pairs } else { Form::Triplets });
    }
    if table.is_made(Origin::Rows) || table.is_made(Origin::Lines) {
        return Ok(Form::Rows);
    }
    let words: Vec<String> = table.first()?.1.iter().map(|word| plain_word(word)).collect();
    Ok(match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["id", "column" | "feature", "value"] => Form::Triplets,
        ["id", "column"] => Form::Pairs,
        [_, _] if pairs::ids_repeat(table, nodes, options)? => Form::Pairs,
        _ => Form::Rows,
    })
}

impl<'a> Triplets<'a> {
    /// Reads them.
    pub(super) fn read(table: &Table<'a>, options: &ReadOptions) -> Result<Self, Error> {
        let options = &*table.options(options);
        let known = |words: &[Cow<'_, str>]| is_id_word(&words[0]).then_some(Verdict::Known);
        let head = Head::look(table, options.header, false, &[0], known)?;
        if table.width != 3 {
            let bad = table.bad(head.row.line, format!("{} columns", table.width));
            let next = "Check the delimiter, or leave the file out if there are no features.";
            return Err(bad.allowed("triplets have three: id, column, value").next(next).into());
        }
        table.ask(ENTRY)?;
        let (mut names, mut lines) = (Names::new(), Vec::new());
        let mut entries: Vec<Entry<Cow<'a, str>>> = Vec::new();
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
            if column.is_empty() != fields[2].is_empty() {
                let bad = table.bad(row.line, "a column without a value, or a value without a column");
                let allowed = "both are given, or neither for a node of zeros";
                return Err(bad.allowed(allowed).next("Fill in the other.").into());
            }
            if !column.is_empty() {
                entries.push((node, column, value(table, row.line, 3, &fields[2])?, row.line));
            }
        }
        let mut remarks = Vec::new();
        let Respelled { names, places } = Respelled::of(table, names, &mut remarks)?;
        entries.iter_mut().for_each(|entry| entry.0 = places[entry.0 as usize]);
        let lines = first_lines(&places, &lines, names.len());
        let (Numbered { columns, names: column_names, remark, .. }, mut entries) = number_columns(table, entries)?;
        remarks.extend(remark);
        entries.sort_by_key(|&(node, column, ..)| (node, column));
        if let Some(twice) = entries.windows(2).find(|w| (w[0].0, w[0].1) == (w[1].0, w[1].1)) {
            let (node, column, _, line) = twice[1];
            let column = column_names.get(column as usize).cloned().unwrap_or_else(|| column.to_string());
            let found = format!("column {column} of node {:?} is on line {} already", names.name(node), twice[0].3);
            let bad = table.bad(line, found).allowed("each value is given once");
            return Err(bad.next("Remove one of the rows.").into());
        }
        let entries = entries.into_iter().map(|(node, column, value, _)| (node, column, value)).collect();
        Ok(Self { head, names, lines, columns: columns as usize, column_names, entries, pairs: false, remarks })
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

/// The line of the first row of each node, from those of its former names.
pub(super) fn first_lines(places: &[u32], lines: &[usize], nodes: usize) -> Vec<usize> {
    let mut first = vec![usize::MAX; nodes];
    places.iter().zip(lines).for_each(|(&node, &line)| first[node as usize] = first[node as usize].min(line));
    first
}

/// An entry of a triplets file: node, column, value, line.
type Entry<C> = (u32, C, f32, usize);

/// Columns as numbers.
struct Numbered {
    columns: u64,
    /// Empty where they have none.
    names: Vec<String>,
    remark: Option<String>,
    /// Of each entry.
    places: Vec<u64>,
}

impl Numbered {
    /// Whole numbers are the places of columns, but those of very many columns are names as all else is: sorted, a
    /// column for each that is used. `said`: how many columns there are.
    fn new(file: &str, words: &[&str], said: Option<u64>) -> Self {
        let digits = |word: &&&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let number = |word: &&str| Some(word).filter(digits).and_then(|word| word.parse().ok());
        let Some(numbers) = words.iter().map(number).collect::<Option<Vec<u64>>>() else {
            let (places, used) = ranked(words);
            let columns = said.filter(|&said| said <= WIDE as u64).unwrap_or(used.len() as u64);
            let names = if used.len() as u64 == columns { used } else { Vec::new() };
            return Self { columns, names, remark: None, places };
        };
        let columns = said.unwrap_or_else(|| numbers.iter().max().map_or(0, |&largest| largest.saturating_add(1)));
        // A number that is beyond what is said stays, to be refused.
        if columns <= WIDE as u64 || numbers.iter().any(|&number| number >= columns) {
            return Self { columns, names: Vec::new(), remark: None, places: numbers };
        }
        let (places, names) = ranked(&numbers);
        let remark = Some(wide::remark(file, names.len(), columns));
        Self { columns: names.len() as u64, names, remark, places }
    }
}

/// The place of each key among all that are there, and these in order.
fn ranked<K: Ord + Copy + ToString>(keys: &[K]) -> (Vec<u64>, Vec<String>) {
    let mut used = keys.to_vec();
    used.sort_unstable();
    used.dedup();
    let place = |key: &K| used.partition_point(|other| other < key) as u64;
    (keys.iter().map(place).collect(), used.iter().map(K::to_string).collect())
}

/// The columns, and the entries with their columns as numbers.
fn number_columns(table: &Table<'_>, entries: Vec<Entry<Cow<'_, str>>>) -> Result<(Numbered, Vec<Entry<u32>>), Error> {
    let said = table.comment("columns ").and_then(|(_, number)| number.parse().ok());
    let words: Vec<&str> = entries.iter().map(|(_, column, ..)| column.as_ref()).collect();
    let numbered = Numbered::new(&table.name(), &words, said);
    let number = |((node, column, value, line), &place): (Entry<Cow<'_, str>>, &u64)| {
        if place < numbered.columns {
            return Ok((node, place as u32, value, line));
        }
        let bad =
            table.bad(line, format!("column {column:?} is beyond the {} columns that are said", numbered.columns));
        let allowed = "columns are counted from 0, and a comment \"# columns N\" says how many there are";
        Err(bad.allowed(allowed).next("Correct the column or the comment.").into())
    };
    let entries = entries.into_iter().zip(&numbered.places).map(number).collect::<Result<_, Error>>()?;
    Ok((numbered, entries))
}

fn value(table: &Table<'_>, line: usize, column: usize, field: &str) -> Result<f32, Error> {
    field.parse().ok().filter(|value: &f32| value.is_finite()).ok_or_else(|| {
        let bad = table.bad(line, format!("column {column} holds {field:?}"));
        bad.allowed("features are finite numbers, written as 0.5").next("Replace it by a number; 0 for nothing.").into()
    })
}
