//! Edge lists: which columns hold the two nodes, what else is there, and the rows.
//!
//! Columns are chosen by the options, else by known words of the header, else by what they hold, see [`super::ends`]. A
//! nameless column of row numbers is left out.

use super::chunks::{self, Parsed};
use super::header::{Head, Verdict, is_number, is_whole};
use super::lines::{Row, Table};
use super::names::Names;
use super::respelled::{self, Respelled};
use super::roles::{Roles, known_ends, likely, roles, words_of_pair};
use crate::read::ReadOptions;
use bgcn_core::data::{BadInput, Error};
use bgcn_core::graph::Graph;
use std::borrow::Cow;

/// An edge list as it stands in the file. Names are numbered by first appearance, the first row left out where it is a
/// header or could be one.
pub(super) struct Edges<'a> {
    pub(super) head: Head<'a>,
    roles: Roles,
    pub(super) names: Names,
    pub(super) list: Vec<(u32, u32)>,
    /// Rows whose weight was too small.
    light: usize,
    /// Rows whose weight is 0 and ignored.
    zeros: usize,
    remarks: Vec<String>,
}

/// Reads an edge list, all but the verdict on its first row; `beside`: tables with a row per node.
pub(super) fn read<'a>(table: &Table<'a>, options: &ReadOptions, beside: &[&Table<'_>]) -> Result<Edges<'a>, Error> {
    let asked = [&options.source_column, &options.target_column, &options.weight_column];
    let by_name = asked.iter().any(|column| column.as_deref().is_some_and(|column| !is_whole(column)));
    let known = |words: &[Cow<'_, str>]| match known_ends(words) {
        Some(_) => Some(Verdict::Known),
        None if words.iter().take(2).any(|word| respelled::is_grouped(word)) => Some(Verdict::Data),
        None => words_of_pair(words).then_some(Verdict::Likely),
    };
    let ids: &[usize] = if table.width > 1 { &[0, 1] } else { &[0] };
    let head = Head::look(table, options.header, by_name, ids, known)?;
    let mut remarks = Vec::new();
    let mut roles = roles(table, &head, options, beside, &mut remarks)?;
    let (text, line) = if head.is_apart() { table.after(head.row) } else { table.text() };
    roles.floats = floats(table, table.rows_of(text, line).next(), roles.ends);
    let Parsed { names, list, light, zeros } = chunks::parse(table, (text, line), roles)?;
    let mut edges = Edges { head, roles, names, list, light, zeros, remarks };
    edges.refuse_size_line(table, options)?;
    edges.refuse_two_sides(table)?;
    edges.leave_out_missing(table);
    let Respelled { names, places } = Respelled::of(table, edges.names, &mut edges.remarks)?;
    edges.names = names;
    edges.list.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
    Ok(edges)
}

/// Whether the ids of a row are whole numbers with a fraction of zeros.
fn floats<'a>(table: &Table<'a>, row: Option<Row<'a>>, ends: [usize; 2]) -> bool {
    let mut fields = Vec::new();
    let float = |id: &Cow<'_, str>| {
        id.contains('.') && is_number(id) && chunks::whole(id).is_some() && !respelled::is_shortened(id)
    };
    let Some(row) = row.filter(|_| !table.has_quotes()) else { return false };
    table.split(row, &mut fields).is_ok() && ends.iter().all(|&end| float(&fields[end]))
}

impl<'a> Edges<'a> {
    /// Decides about a first row that is still open, with what is known of all other nodes: `elsewhere`: whether a
    /// name is a node of another file.
    pub(super) fn settle(&mut self, table: &Table<'a>, elsewhere: impl Fn(&str) -> bool) -> Result<(), Error> {
        if self.head.verdict != Verdict::Open {
            let is_node = |word: &str| self.names.get(word).is_some() || elsewhere(word);
            self.remarks.extend(self.head.lost(table, &self.roles.ends, is_node));
            return self.head.check(table, &self.roles.ends, is_node);
        }
        let words = self.roles.ends.map(|end| self.head.words[end].clone());
        let recurs = words.iter().any(|word| self.names.get(word).is_some() || elsewhere(word));
        let strange = !recurs && (self.lonely_rows() == 0 || likely(&words) || self.has_other_ids(&words));
        self.head.verdict = if strange { Verdict::Strange } else { Verdict::Data };
        if !strange {
            let ends = self.roles.ends;
            let pair = chunks::ends(table, self.head.row, &mut self.head.words.clone(), ends, self.roles.floats)?;
            if let Some(end) = pair.iter().find(|end| respelled::is_no_id(end) && !table.quotes(end)) {
                self.remarks.push(respelled::missing(table, 1, end));
                return Ok(());
            }
            // The first row comes first: its names are numbered before all others.
            self.prepend(pair);
        }
        Ok(())
    }

    fn prepend(&mut self, pair: [Cow<'a, str>; 2]) {
        let mut names = Names::new();
        let first = pair.map(|name| names.node(&name));
        let places: Vec<u32> = self.names.iter().map(|name| names.node(name)).collect();
        self.list.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
        self.list.insert(0, (first[0], first[1]));
        self.names = names;
    }

    /// Rows that join two nodes which occur nowhere else in the list.
    fn lonely_rows(&self) -> usize {
        let mut degrees = vec![0u32; self.names.len()];
        self.list.iter().for_each(|&(a, b)| [a, b].iter().for_each(|&node| degrees[node as usize] += 1));
        self.list.iter().filter(|&&(a, b)| degrees[a as usize] == 1 && degrees[b as usize] == 1).count()
    }

    /// Whether all ids have a digit, and these words have none.
    fn has_other_ids(&self, words: &[Cow<'_, str>]) -> bool {
        let digit = |name: &str| name.bytes().any(|byte| byte.is_ascii_digit());
        !words.iter().any(|word| digit(word)) && self.names.iter().all(digit)
    }

    /// Leaves out the rows with an end that is a missing value, which would join all of them to one node.
    fn leave_out_missing(&mut self, table: &Table<'_>) {
        let missing: Vec<bool> =
            self.names.iter().map(|name| respelled::is_no_id(name) && !table.quotes(name)).collect();
        let Some(first) = missing.iter().position(|&missing| missing) else { return };
        let given = self.list.len();
        self.list.retain(|&(a, b)| !missing[a as usize] && !missing[b as usize]);
        let example = self.names.name(first as u32);
        self.remarks.push(respelled::missing(table, given - self.list.len(), example));
        let mut names = Names::new();
        let kept = self.names.iter().zip(&missing).map(|(name, missing)| (!missing).then(|| names.node(name)));
        let places: Vec<u32> = kept.map(Option::unwrap_or_default).collect();
        self.list.iter_mut().for_each(|(a, b)| (*a, *b) = (places[*a as usize], places[*b as usize]));
        self.names = names;
    }

    /// KONECT's first line `% bip` says that the columns count two kinds of nodes, so that an id means two nodes.
    fn refuse_two_sides(&self, table: &Table<'_>) -> Result<(), Error> {
        let Some((line, _)) = table.comment("bip ") else { return Ok(()) };
        let mut sources = vec![false; self.names.len()];
        self.list.iter().for_each(|&(a, _)| sources[a as usize] = true);
        let Some(&(_, both)) = self.list.iter().find(|&&(_, b)| sources[b as usize]) else { return Ok(()) };
        let both = self.names.name(both);
        let found = format!("\"bip\": the columns are nodes of two kinds, but {both:?} stands in both");
        let next = "Put a letter before the ids of each column, such as u1 and v1.";
        Err(table.bad(line, found).allowed("an id is one node").next(next).into())
    }

    /// A first row such as `5 4` above four edges among five nodes may be their numbers.
    fn refuse_size_line(&self, table: &Table<'_>, options: &ReadOptions) -> Result<(), Error> {
        let numbers: Option<Vec<usize>> = self.head.words.iter().map(|word| word.parse().ok()).collect();
        let Some(numbers) = numbers.filter(|_| self.head.verdict == Verdict::Data) else { return Ok(()) };
        let below = self.list.len() + self.light - 1;
        let (&[nodes, edges] | &[nodes, _, edges]) = &numbers[..] else { return Ok(()) };
        let square = numbers.len() == 2 || numbers[1] == nodes;
        let small = |name: &str| name.parse().is_ok_and(|id: usize| id <= nodes);
        let said = options.header != crate::read::Header::Auto || table.says("no header");
        if said || edges != below || below < 2 || !square || !self.names.iter().all(small) {
            return Ok(());
        }
        let found =
            format!("{:?} is an edge, or says that {nodes} nodes and {edges} edges follow", self.head.words.join(" "));
        let next = "Remove the line, or say which: `header=yes` leaves it out, `header=no` reads it as an edge.";
        Err(table.bad(self.head.row.line, found).allowed("a size that differs from data").next(next).into())
    }

    /// What the user should know; an error where no edge is left.
    pub(super) fn finish(&mut self, table: &Table<'_>) -> Result<Vec<String>, Error> {
        if self.list.is_empty() {
            let (found, next) = match (self.light, self.roles.threshold) {
                (0, _) => ("no edges".to_owned(), "Write one edge per line, as in source,target."),
                (_, Some(t)) => (format!("no edge of weight {t} or more"), "Lower the threshold."),
                (_, None) => ("no edge of a positive weight".to_owned(), "Leave out the column of weights."),
            };
            let bad = BadInput::new(table.path(), "", found).allowed("a graph needs edges");
            return Err(bad.next(next).into());
        }
        let mut remarks: Vec<String> = self.head.remark(table).into_iter().collect();
        remarks.append(&mut self.remarks);
        if self.zeros > 0 {
            let have = if self.zeros == 1 { "1 edge has" } else { &format!("{} edges have", self.zeros) };
            let how = "`weight_column` leaves out those whose weight is not positive";
            remarks.push(format!("{}: {have} the weight 0, and count as edges; {how}", table.name()));
        }
        if self.light > 0 {
            let least = self.roles.threshold.map_or("is not positive".to_owned(), |least| format!("is below {least}"));
            remarks.push(format!("{}: {} edges are left out, their weight {least}", table.name(), self.light));
        }
        Ok(remarks)
    }
}

/// Reads an edge list whose nodes are known already: `observed`: whether they must be edges of the graph.
pub(super) fn read_truth(
    table: &Table<'_>,
    number: impl Fn(&str) -> Option<u32>,
    graph: &Graph,
    observed: bool,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut found = read(table, &ReadOptions::default(), &[])?;
    found.settle(table, |name| number(name).is_some())?;
    let mut edges = Vec::with_capacity(found.list.len());
    for &(a, b) in &found.list {
        let pair = [a, b].map(|end| found.names.name(end));
        let line = || row_of(table, pair, &found.roles);
        if let Some(stranger) = pair.iter().find(|name| number(name).is_none()) {
            let bad = table.bad(line(), format!("node {stranger:?} is not in the graph"));
            return Err(bad.allowed("only its nodes can be joined").next("Are all files from one folder?").into());
        }
        let [a, b] = pair.map(|name| number(name).expect("known, as checked above"));
        if a == b || graph.has_edge(a, b) != observed {
            let is = if observed { "not in" } else { "in" };
            let bad = table.bad(line(), format!("the edge {:?}–{:?} is {is} the edge list", pair[0], pair[1]));
            let allowed = "spurious edges are in the edge list, missing edges are not";
            return Err(bad.allowed(allowed).next("Are all files from one folder?").into());
        }
        edges.push((a.min(b), a.max(b)));
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(edges)
}

/// The line of an edge.
fn row_of(table: &Table<'_>, pair: [&str; 2], roles: &Roles) -> usize {
    let mut fields = Vec::new();
    let mut rows = table.rows();
    let found = rows.find(|&row| {
        table.split(row, &mut fields).is_ok() && roles.ends.iter().zip(pair).all(|(&end, name)| fields[end] == name)
    });
    found.map_or(0, |row| row.line)
}

/// The line of the first row that has `name` at one of its ends.
pub(super) fn line_of(table: &Table<'_>, edges: &Edges<'_>, name: &str) -> usize {
    let ends = edges.roles.ends;
    let is = |field: &str| field == name || respelled::number(field).is_some_and(|number| number == name);
    let mut fields = Vec::new();
    let found =
        table.rows().find(|&row| table.split(row, &mut fields).is_ok() && ends.iter().any(|&end| is(&fields[end])));
    found.map_or(0, |row| row.line)
}
