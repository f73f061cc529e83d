//! Which column of a table with a row per node has the ids, where none is asked for.
//!
//! It is the first that is called id, node, name or something such as `company_id`, else the first of all, unless its
//! values are no nodes of the edges, or repeat, and another column's are and do not. Where two columns of ids fit, the
//! table is refused.

use super::header::{is_id_word, is_index_word, is_missing, plain_word};
use super::lines::shortened;
use super::names::Names;
use super::nodes::{NodeTable, Use};
use bgcn_core::data::Error;
use std::borrow::Cow;
use std::collections::HashSet;

/// Share of a column's cells that differ, and of those that are nodes, from which it can be the ids.
const DIFFERENT: f64 = 0.9;
const NODES: f64 = 0.5;

impl<'a> NodeTable<'a, '_> {
    /// The column of ids; `edges`: the nodes of the edge list.
    pub(super) fn guessed_id(&mut self, used: Use, edges: &Names) -> Result<usize, Error> {
        let Some(words) = self.head.names().map(<[_]>::to_vec) else { return Ok(0) };
        let first = self.first_called(&words, used, edges);
        let shown = self.name;
        let of_ids = |i: &usize| is_id_word(&words[*i]) && Some(*i) != shown;
        // A number of something can be a node's number by chance, so that columns of other names come last.
        let called: Vec<usize> = (0..self.table.width).filter(|i| *i == first || of_ids(i)).collect();
        let mut rivals = self.fitting(&called, edges);
        if rivals.is_empty() {
            rivals = self.fitting(&(0..self.table.width).filter(|i| Some(*i) != shown).collect::<Vec<_>>(), edges);
        } else if !rivals.contains(&first) {
            rivals.retain(of_ids);
        }
        // Names and row numbers stand back behind ids.
        let is_plain = |i: &usize| !["name", "index"].contains(&plain_word(&words[*i]).as_str()) && of_ids(i);
        if rivals.len() > 1 && rivals.iter().any(is_plain) {
            rivals.retain(is_plain);
        }
        rivals.dedup_by(|a, b| self.cells(*a) == self.cells(*b));
        match rivals[..] {
            [] => Ok(first),
            [one] => {
                if one != first {
                    let (file, word) = (self.table.name(), shortened(&words[one]));
                    self.remarks.push(format!("{file}: the ids are in column {word:?}, which the edges name"));
                }
                Ok(one)
            }
            [a, b, ..] => {
                let (a, b) = (shortened(&words[a]), shortened(&words[b]));
                let bad =
                    self.table.bad(self.head.row.line, format!("columns {a:?} and {b:?} both hold nodes of the edges"));
                let next = format!("Say which names the nodes of the rows: `id_column={a}` or `id_column={b}`.");
                Err(bad.allowed("one column names the node of a row").next(next).into())
            }
        }
    }

    /// The first column that is called like one of ids, else the first.
    fn first_called(&self, words: &[Cow<'a, str>], used: Use, edges: &Names) -> usize {
        let is_id = |i: &usize| is_id_word(&words[*i]) && !is_index_word(&words[*i]) && Some(*i) != self.name;
        if let Some(id) = (0..words.len()).find(is_id) {
            return id;
        }
        // A nameless first column is the id, or row numbers beside it: whichever are the nodes of the edge list.
        let wide = self.table.width > 2 || used != Use::Labels;
        if is_index_word(&words[0]) && wide && self.table.width > 1 {
            let known = |column| self.cells(column).iter().filter(|cell| edges.get(cell).is_some()).count();
            if known(1) > known(0) {
                return 1;
            }
        }
        0
    }

    /// The columns among these that name nodes of the edges, hardly one of them twice.
    fn fitting(&self, columns: &[usize], edges: &Names) -> Vec<usize> {
        let fits = |cells: &[Cow<'_, str>]| {
            let known: Vec<&Cow<'_, str>> = cells.iter().filter(|cell| !is_missing(cell)).collect();
            let different: HashSet<&Cow<'_, str>> = known.iter().copied().collect();
            let nodes = known.iter().filter(|cell| is_node(cell, edges)).count();
            let share = |part: usize| part as f64 / cells.len().max(1) as f64;
            share(different.len()) >= DIFFERENT && share(nodes) >= NODES
        };
        let samples = self.samples(columns);
        columns.iter().zip(samples).filter(|(_, cells)| fits(cells)).map(|(&column, _)| column).collect()
    }
}

/// Whether a cell is a node, also where numbers are written as 1.0.
fn is_node(cell: &str, edges: &Names) -> bool {
    let whole = || super::chunks::whole(cell).is_some_and(|whole| edges.get(&whole).is_some());
    edges.get(cell).is_some() || (cell.contains('.') && whole())
}
