//! Which column of a table is the label, where none is asked for.
//!
//! It is the one called label, class, y, category or target; a file of labels with two columns needs no name for it. A
//! column whose values hardly repeat names things, and a number y beside a number x is a coordinate: these are no
//! labels. Without any, the column that looks like one is proposed.

use super::header::{is_label_word, is_missing, is_number, is_whole, plain_word};
use super::nodes::{NodeTable, Use};
use super::roles::{column, shortened_list};
use super::times::is_time;
use crate::read::ReadOptions;
use bgcn_core::data::Error;
use std::borrow::Cow;
use std::collections::HashSet;

/// Values at most that a column has which may be the label.
const VALUES: usize = 50;

impl NodeTable<'_, '_> {
    /// The column of labels.
    pub(super) fn label_column(&mut self, used: Use, options: &ReadOptions) -> Result<Option<usize>, Error> {
        let (table, head) = (self.table, &self.head);
        if used == Use::Features {
            return Ok(None);
        }
        if let Some(asked) = &options.label_column {
            let label = column(table, head, asked, "label")?;
            if label == self.id {
                let bad = table.bad(head.row.line, format!("column {asked:?} is the id and the label"));
                return Err(bad.allowed("these are two columns").next("Name another for one of them.").into());
            }
            return Ok(Some(label));
        }
        let free: Vec<usize> =
            (0..table.width).filter(|&i| i != self.id && Some(i) != self.name && !self.is_index(i)).collect();
        if let ([only], Use::Labels) = (&free[..], used) {
            return Ok(Some(*only));
        }
        let words = head.names().map(<[_]>::to_vec).unwrap_or_default();
        let called: Vec<usize> =
            free.iter().copied().filter(|&i| words.get(i).is_some_and(|w| is_label_word(w))).collect();
        let cells = |i: usize| self.cells(i);
        let place = place_of_x(&words);
        let (coordinates, called): (Vec<usize>, Vec<usize>) = called.into_iter().partition(|&i| {
            place.is_some_and(|x| plain_word(&words[i]) == "y" && are_coordinates(&cells(x), &cells(i)))
        });
        let (names, called): (Vec<usize>, Vec<usize>) = called.into_iter().partition(|&i| differ(&cells(i)));
        match called[..] {
            [one] => return Ok(Some(one)),
            [] if used == Use::Nodes => {
                let why = match (names.first(), coordinates.first()) {
                    (Some(&i), _) => format!("hardly a value of {:?} repeats, so it is no label", words[i]),
                    (None, Some(&i)) => format!("column {:?} is a coordinate beside x, and no label", words[i]),
                    (None, None) => "no column is called label or class".into(),
                };
                let named: Vec<usize> = free.iter().copied().filter(|&i| i < words.len()).collect();
                let others = named.iter().map(|&i| words[i].as_ref()).zip(self.samples(&named));
                let next = proposal(others, "`label_column` names the column of labels");
                self.remarks.push(format!("{}: {why}; {next}", table.name()));
                return Ok(None);
            }
            _ => {}
        }
        let found = format!("{} columns: {}", table.width, shortened_list(&head.words));
        let bad = table.bad(head.row.line, found).allowed("one column that is the label");
        Err(bad.next("Name its column: `label_column`, by name or by number from 1.").into())
    }
}

fn place_of_x(words: &[Cow<'_, str>]) -> Option<usize> {
    words.iter().position(|word| plain_word(word) == "x")
}

/// Whether x and y are places: numbers both, and y no code of a few whole numbers beside a measured x.
fn are_coordinates(x: &[Cow<'_, str>], y: &[Cow<'_, str>]) -> bool {
    let numbers = |cells: &[Cow<'_, str>]| cells.iter().all(|cell| is_number(cell) || is_missing(cell));
    let whole = |cells: &[Cow<'_, str>]| cells.iter().all(|cell| is_whole(cell) || is_missing(cell));
    let different = y.iter().collect::<HashSet<_>>().len();
    numbers(x) && numbers(y) && !(whole(y) && !whole(x) && 3 * different <= y.len())
}

/// Whether hardly a cell repeats: they name things.
pub(in crate::read) fn differ(cells: &[Cow<'_, str>]) -> bool {
    let known: Vec<&Cow<'_, str>> = cells.iter().filter(|cell| !is_missing(cell)).collect();
    let different: HashSet<&Cow<'_, str>> = known.iter().copied().collect();
    let numbers = known.iter().all(|cell| is_number(cell) && !is_whole(cell));
    known.len() > 2 && !numbers && different.len() as f64 > 0.8 * known.len() as f64
}

/// How to name the label; the column that is likely to be one is proposed: one with a few values whose name holds a word
/// such as target, else text, and of several the one that most nodes lack.
pub(in crate::read) fn proposal<'n, 'c>(
    columns: impl Iterator<Item = (&'n str, Vec<Cow<'c, str>>)>,
    otherwise: &str,
) -> String {
    let likely = |(name, cells): (&'n str, Vec<Cow<'c, str>>)| {
        let known: Vec<&Cow<'_, str>> = cells.iter().filter(|cell| !is_missing(cell)).collect();
        let different = known.iter().collect::<HashSet<_>>().len();
        let plain = plain_word(name);
        let is_called = ["label", "class", "target", "category"].iter().any(|word| plain.contains(word));
        let words = known.iter().all(|cell| !is_number(cell) && !is_time(cell));
        let few = (2..=VALUES).contains(&different) && 2 * different <= known.len();
        (few && (is_called || words)).then(|| ((is_called, cells.len() - known.len()), name))
    };
    let mut found: Vec<((bool, usize), &str)> = columns.filter_map(likely).collect();
    found.sort_by_key(|&(rank, _)| std::cmp::Reverse(rank));
    match found[..] {
        [(first, name), ..] if found.get(1).is_none_or(|&(second, _)| first > second) => {
            format!("is it `{name}`? `label_column={name}`")
        }
        _ => otherwise.into(),
    }
}
