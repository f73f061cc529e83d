//! Which two columns of an edge list are the nodes, where no option and no known words say so.
//!
//! * Two columns are the nodes. So are the first two of three where the third is a weight.
//! * Columns of fractions, dates, attributes or row numbers are no nodes, nor are those that are called like weights.
//! * Of the others, two are the nodes that are called like a pair (sender and receiver, user_a and user_b), that alone
//!   hold the nodes of the other files, or that share values with each other as no other two do.
//!
//! Where this does not decide, or a further column of text may be the kind of the edge, the file is refused.

use super::header::{Head, is_index_word, is_number, plain_word};
use super::lines::Table;
use super::roles::{
    counts_up, holds_attributes, holds_weights, is_weight_word, is_whole_column, pairs, shortened_list,
};
use super::times::is_time;
use bgcn_core::data::Error;
use std::collections::HashSet;

/// Rows that are compared.
const ROWS: usize = 100_000;

/// Share of values in common from which two columns can be the nodes, and how many times that of any others.
const SHARED: f64 = 0.05;
const CLEAR: f64 = 3.0;

/// What rows are called that are numbered or named themselves.
const OF_ROWS: &str = "edge edgeid edgeno edgenumber eid link linkid relid relationid row rowid rownumber rowno line nr no \
                       number index idx serial transactionid txid txnid eventid recordid timestamp time date datetime \
                       day created createdat year";

/// What the file has, and what is known of its columns.
pub(super) struct Guess<'g, 'a> {
    pub(super) table: &'g Table<'a>,
    pub(super) head: &'g Head<'a>,
    /// The column of weights that is asked for.
    pub(super) weight: Option<usize>,
    /// Whether a threshold is set, so that some column is a weight.
    pub(super) weighted: bool,
    /// Tables with a row per node.
    pub(super) beside: &'g [&'g Table<'a>],
}

/// A column that may hold nodes.
struct Candidate {
    at: usize,
    values: HashSet<String>,
    is_text: bool,
    /// Whether hardly a value repeats.
    differs: bool,
}

impl Guess<'_, '_> {
    /// The two columns.
    pub(super) fn ends(&self) -> Result<[usize; 2], Error> {
        let (table, named) = (self.table, self.head.names());
        let index = |i: usize| named.is_some_and(|names| is_index_word(&names[i]));
        let free: Vec<usize> = (0..table.width).filter(|&i| Some(i) != self.weight && !index(i)).collect();
        match free[..] {
            [] | [_] => {
                let next = "Keep the two columns that name the nodes, separated by commas, tabs, semicolons or spaces.";
                let found = format!("{} columns: {}", table.width, shortened_list(&self.head.words));
                let bad = table.bad(self.head.row.line, found).allowed("an edge is two nodes");
                return Err(bad.next(next).into());
            }
            [a, b] => return Ok([a, b]),
            [a, b, c] if table.width == 3 && (self.weighted || holds_attributes(table, self.head, c)) => {
                return Ok([a, b]);
            }
            _ => {}
        }
        let candidates = self.candidates(&free);
        match self.by_words(&candidates).or_else(|| self.by_nodes(&candidates)) {
            Some(ends) => Ok(ends),
            None => self.by_sharing(&free, &candidates),
        }
    }

    /// The columns that can hold nodes.
    fn candidates(&self, free: &[usize]) -> Vec<Candidate> {
        let cells = columns(self.table, self.head.is_apart(), ROWS);
        let candidate = |&at: &usize| {
            let known: Vec<&String> = cells[at].iter().filter(|cell| !cell.is_empty()).collect();
            let share = |is: &dyn Fn(&str) -> bool| {
                known.iter().filter(|cell| is(cell)).count() as f64 / known.len().max(1) as f64
            };
            let fraction = |cell: &str| cell.parse::<f64>().is_ok_and(|number| number.fract() != 0.0);
            let other = share(&|cell| cell.starts_with('{') || is_time(cell) || fraction(cell));
            let called = self.head.names().map(|names| plain_word(&names[at]));
            let of_rows = |word: &String| OF_ROWS.split_ascii_whitespace().any(|own| own == word);
            if known.is_empty() || other > 0.1 || called.is_some_and(|word| of_rows(&word) || is_weight_word(&word)) {
                return None;
            }
            let (is_text, rows) = (share(&|cell| is_number(cell)) < 0.5, known.len());
            let values: HashSet<String> = known.into_iter().cloned().collect();
            Some(Candidate { at, is_text, differs: rows > 2 && values.len() as f64 > 0.9 * rows as f64, values })
        };
        free.iter().filter_map(candidate).collect()
    }

    /// The only two that are called like a pair of nodes; no column but a row's id may stand beside them.
    fn by_words(&self, candidates: &[Candidate]) -> Option<[usize; 2]> {
        let names = self.head.names()?;
        let places: Vec<usize> = candidates.iter().map(|candidate| candidate.at).collect();
        let [pair] = pairs(names, &places)[..] else { return None };
        let others = places.iter().filter(|at| !pair.contains(at));
        others.map(|&at| plain_word(&names[at])).all(|word| word == "id").then_some(pair)
    }

    /// The only two that hold nodes of the other files, unless a text stands beside them.
    fn by_nodes(&self, candidates: &[Candidate]) -> Option<[usize; 2]> {
        let ids: Vec<HashSet<String>> = self
            .beside
            .iter()
            .flat_map(|table| columns(table, false, ROWS))
            .map(|cells| (cells.len(), cells.into_iter().collect::<HashSet<String>>()))
            .filter(|(rows, values)| values.len() as f64 > 0.9 * *rows as f64)
            .map(|(_, values)| values)
            .collect();
        let share = |candidate: &Candidate| {
            let known = |ids: &HashSet<String>| candidate.values.intersection(ids).count();
            ids.iter().map(known).max().unwrap_or(0) as f64 / candidate.values.len().max(1) as f64
        };
        let (nodes, others): (Vec<&Candidate>, Vec<&Candidate>) = candidates.iter().partition(|one| share(one) > 0.5);
        let clear = others.iter().all(|other| !other.is_text && share(other) < 0.2);
        match nodes[..] {
            [a, b] if clear => Some([a.at, b.at]),
            _ => None,
        }
    }

    /// The two that share values as no others do.
    fn by_sharing(&self, free: &[usize], candidates: &[Candidate]) -> Result<[usize; 2], Error> {
        let (table, named) = (self.table, self.head.names().is_some());
        let usual = [free[0], free[1]];
        let third_is_weight = free.len() == 3 && table.width == 3 && holds_weights(table, self.head, free[2]);
        match candidates {
            [a, b] if [a.at, b.at] == usual && third_is_weight => Ok(usual),
            [a, b] if named && a.is_text == b.is_text && shared(a, b) >= SHARED => Ok([a.at, b.at]),
            [a, b, c] if free.len() == 3 => match [a, b, c].map(|one| one.is_text) {
                [false, true, true] if shared(b, c) >= SHARED || (!named && counts_up(table)) => Ok([b.at, c.at]),
                [true, true, false] if third_is_weight => Ok(usual),
                [true, false, false] if third_is_weight && shared(b, c) < SHARED => Ok(usual),
                [false, false, false] if third_is_weight => self.of_numbers([a, b, c]),
                _ => Err(self.unclear(free)),
            },
            _ => Err(self.unclear(free)),
        }
    }

    /// Of three columns of numbers the last is a weight, unless the other two share values and the first has none of
    /// them.
    fn of_numbers(&self, [a, b, c]: [&Candidate; 3]) -> Result<[usize; 2], Error> {
        let named = self.head.names().is_some();
        if !named && counts_up(self.table) && is_whole_column(self.table, c.at) {
            let found = "three columns of whole numbers, the first of which counts up";
            let bad = self.table.bad(self.head.row.line, found).allowed("an edge is two nodes");
            return Err(bad.next(WHICH).into());
        }
        let (ab, ac, bc) = (shared(a, b), shared(a, c), shared(b, c));
        if bc >= SHARED && bc >= CLEAR * ab.max(ac) {
            return Ok([b.at, c.at]);
        }
        // Neighbours of a node have its numbers, too, and many of them.
        let known = c.values.iter().filter(|value| a.values.contains(*value) || b.values.contains(*value)).count();
        let is_node = known as f64 > 0.9 * c.values.len() as f64 && 5 * c.values.len() >= a.values.len();
        let all_alike = named && ab >= SHARED && is_node;
        let is_row = ab < SHARED && a.differs && !c.differs && a.values.len() > 9;
        if all_alike || is_row { Err(self.unclear(&[a.at, b.at, c.at])) } else { Ok([a.at, b.at]) }
    }

    fn unclear(&self, free: &[usize]) -> Error {
        let list = shortened_list(&self.head.words);
        let found = match free.len() {
            3 if !holds_weights(self.table, self.head, free[2]) => format!("a third column that is no weight: {list}"),
            3 => format!("three columns, any two of which may be the nodes: {list}"),
            _ => format!("{} columns: {list}", self.table.width),
        };
        self.table.bad(self.head.row.line, found).allowed("an edge is two nodes").next(WHICH).into()
    }
}

const WHICH: &str = "Say which columns hold the nodes: `source_column=1` and `target_column=2`, by name or number.";

/// Share of the values of two columns that both have.
fn shared(a: &Candidate, b: &Candidate) -> f64 {
    let both = a.values.intersection(&b.values).count();
    both as f64 / (a.values.len() + b.values.len() - both).max(1) as f64
}

/// The cells of the first rows, column by column.
fn columns(table: &Table<'_>, below_header: bool, most: usize) -> Vec<Vec<String>> {
    let mut columns = vec![Vec::new(); table.width];
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(below_header)).take(most) {
        if table.split(row, &mut fields).is_ok() {
            columns.iter_mut().zip(&fields).for_each(|(column, field)| column.push(field.to_string()));
        }
    }
    columns
}
