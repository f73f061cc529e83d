//! Labels and features without ids: row i is node i of the graph, as the user says with `no_ids`.
//!
//! A table gets the ids as its last column, so that columns keep their numbers and rows their lines. Its rows must be
//! as many as there are nodes; the count decides on a header that is not known by its words.

use super::header::{Head, Verdict, is_label_word, is_number};
use super::lines::Table;
use super::names::Names;
use super::shown;
use super::text::{Made, Origin, Text};
use crate::read::{Header, ReadOptions};
use crate::write::quoted;
use bgcn_core::data::{BadInput, Error};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// The nodes of a graph in their order.
pub(in crate::read) struct Order {
    /// The file of the graph.
    file: PathBuf,
    nodes: Nodes,
}

enum Nodes {
    /// 0 or 1 to the largest.
    Counted {
        largest: usize,
        from_zero: bool,
    },
    Named(Vec<String>),
}

impl Order {
    /// The nodes of an edge list, which are numbers.
    pub(super) fn of_numbers(table: &Table<'_>, names: &Names) -> Result<Self, Error> {
        let number = |name: &str| name.parse::<usize>().ok().filter(|number| number.to_string() == name);
        if let Some(other) = names.iter().find(|name| number(name).is_none()) {
            let bad = BadInput::new(table.path(), "", format!("a node is called {other:?}"));
            let bad = bad.allowed("without ids in the other files, nodes are counted from 0 here");
            return Err(bad.next("Write the ids into the other files, and leave out `no_ids`.").into());
        }
        let largest = names.iter().filter_map(number).max().unwrap_or(0);
        let nodes = Nodes::Counted { largest, from_zero: names.get("0").is_some() };
        Ok(Self { file: table.path().to_owned(), nodes })
    }

    /// The nodes of a graph whose file has them all.
    pub(super) fn of_names(file: &Path, names: &Names) -> Self {
        Self { file: file.to_owned(), nodes: Nodes::Named(names.iter().map(str::to_owned).collect()) }
    }

    /// The nodes of so many rows, where they fit.
    fn fitting(&self, rows: usize, options: &ReadOptions) -> Option<Vec<String>> {
        match &self.nodes {
            Nodes::Named(names) => (names.len() == rows).then(|| names.clone()),
            Nodes::Counted { largest, from_zero } => {
                let more = options.allow_isolated && *from_zero && rows > *largest;
                let first = match rows {
                    rows if rows == largest + 1 || more => 0,
                    rows if rows == *largest && !from_zero => 1,
                    _ => return None,
                };
                Some((first..first + rows).map(|number| number.to_string()).collect())
            }
        }
    }

    /// The nodes of so many rows of the file at `path`, with a remark; an error where they are more or fewer.
    pub(in crate::read) fn ids(
        &self,
        path: &Path,
        rows: usize,
        options: &ReadOptions,
    ) -> Result<(Vec<String>, String), Error> {
        let (graph, count) = (shown(&self.file), self.count());
        let Some(ids) = self.fitting(rows, options) else {
            let bad = BadInput::new(path, "", format!("{rows} rows, but {graph} has {count}"));
            let bad = bad.allowed("without ids there is a row for each node, in their order");
            return Err(bad.next("Add or remove rows, or write the ids of the nodes.").into());
        };
        let (first, last) = (ids.first().map_or("", |id| id), ids.last().map_or("", |id| id));
        let said = format!("{}: the rows are the nodes {first} to {last} of {graph}, in this order", shown(path));
        Ok((ids, said))
    }

    fn count(&self) -> String {
        match &self.nodes {
            Nodes::Named(names) => format!("{} nodes", names.len()),
            Nodes::Counted { largest, from_zero: true } => format!("{} nodes, 0 to {largest}", largest + 1),
            Nodes::Counted { largest, .. } => format!("{largest} nodes, 1 to {largest}, or one more, from 0"),
        }
    }

    /// The table with a last column of ids.
    pub(super) fn numbered(&self, text: &Text, options: &ReadOptions) -> Result<Text, Error> {
        let path = text.path();
        if options.id_column.is_some() {
            let bad = BadInput::new(path, "", "`no_ids` and `id_column` were both given");
            return Err(bad.allowed("a table has ids or has none").next("Leave out one of the two.").into());
        }
        let table = Table::new(text)?;
        let header = self.has_header(&table, options)?;
        let rows = table.rows().count() - usize::from(header);
        let (ids, mut said) = self.ids(path, rows, options)?;
        if header {
            said += ", below a header";
        }
        let words = table.first()?.1;
        let title = ["node", "node id", "node in the order of the graph"]
            .into_iter()
            .find(|title| !words.iter().any(|word| word == title) && !ids.iter().any(|id| id == title));
        let title = title.unwrap_or("row of the file").to_owned();
        let cells = header.then(|| title.clone()).into_iter().chain(ids);
        let width = words.len() + 1;
        let made = Made { from: Origin::Lines, header, id: Some(if header { title } else { width.to_string() }) };
        let said = text.remarks().iter().cloned().chain([said]).collect();
        Ok(Text::made(path, with_last(text, &table, cells), made, said))
    }

    /// Whether the first row names the columns.
    fn has_header(&self, table: &Table<'_>, options: &ReadOptions) -> Result<bool, Error> {
        if options.header != Header::Auto || table.says("header") || table.says("no header") {
            return Ok(options.header == Header::Yes || table.says("header"));
        }
        let known = |words: &[Cow<'_, str>]| words.iter().any(|word| is_label_word(word)).then_some(Verdict::Known);
        let head = Head::look(table, Header::Auto, false, &[], known)?;
        if matches!(head.verdict, Verdict::Known | Verdict::AboveNumbers) {
            return Ok(true);
        }
        let rows = table.rows().count();
        let fits = |rows: usize| self.fitting(rows, options).is_some();
        if !fits(rows - 1) || head.words.iter().any(|word| is_number(word)) {
            return Ok(false);
        }
        let mut fields = Vec::new();
        let mut below = table.rows().skip(1);
        let recurs = below.any(|row| {
            let same = |(word, field): (&_, &_)| word == field;
            table.split(row, &mut fields).is_ok() && head.words.iter().zip(&fields).any(same)
        });
        if recurs || !fits(rows) {
            return Ok(!recurs);
        }
        let bad = table.bad(head.row.line, format!("{rows} rows, of which the first may be a header"));
        let bad = bad.allowed(format!("{} has {}", shown(&self.file), self.count()));
        Err(bad.next("Say which: `header=yes` or `header=no`.").into())
    }
}

/// The text with these cells at the end of its rows; all other lines stay.
fn with_last(text: &Text, table: &Table<'_>, mut cells: impl Iterator<Item = String>) -> String {
    let separator = table.separator();
    let mut rows = table.rows().map(|row| row.line).peekable();
    let mut out = String::with_capacity(text.as_str().len() * 2);
    for (line, number) in text.as_str().split('\n').zip(1..) {
        out.push_str(line.trim_end_matches('\r'));
        if rows.next_if_eq(&number).is_some() {
            let cell = cells.next().unwrap_or_default();
            out.push(separator);
            out.push_str(&match separator == ' ' && cell.contains(' ') {
                true => format!("\"{}\"", cell.replace('"', "\"\"")).into(),
                false => quoted(cell.into()),
            });
        }
        out.push('\n');
    }
    out
}
