//! Tables with a row per node: labels, features, or both in one.
//!
//! The id stands in the column that is asked for, else see [`super::ids`]; the label likewise, see [`super::label`].
//! A column that is asked for has texts to show beside the ids.
//! What remains are features, see [`super::columns`].

use super::choice::{NEXT, choose};
use super::chunks::whole;
use super::columns::{Cells, Column};
use super::header::{
    Head, Verdict, is_id_word, is_index_word, is_label_word, is_missing, is_number, is_whole, plain_word,
};
use super::lines::{Table, shortened};
use super::names::Names;
use super::respelled::{Respelled, is_grouped, is_no_id, is_shortened};
use super::roles::{column, index_column};
use crate::read::ReadOptions;
use bgcn_core::data::{BadInput, Error};
use std::borrow::Cow;

/// Bytes that a row takes until its node has a number, a label and a name of its own.
const ROW: u64 = 200;
/// Cells that are looked at to tell columns apart.
const SAMPLED: usize = 2_000_000;

/// What a table is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Labels,
    Features,
    /// Features, and the label where a column is called so.
    Nodes,
}

/// A table with a row per node. The first row is left out where it is a header or could be one.
pub(super) struct NodeTable<'a, 't> {
    pub(super) table: &'t Table<'a>,
    pub(super) head: Head<'a>,
    pub(super) id: usize,
    pub(super) label: Option<usize>,
    /// The texts that are shown beside the ids, where the table has the column that is asked for.
    pub(super) name: Option<usize>,
    others: Vec<usize>,
    /// Whether all ids are numbers written as 1.0.
    floats: bool,
    /// The ids of the rows, all different unless rows repeat.
    pub(super) names: Names,
    /// Of each row: the place of its id in `names`, and its line.
    pub(super) rows: Vec<(u32, usize)>,
    pub(super) remarks: Vec<String>,
}

impl<'a, 't> NodeTable<'a, 't> {
    /// Reads the ids, all but the verdict on the first row. `edges`: the nodes of the edge list.
    pub(super) fn read(table: &'t Table<'a>, used: Use, options: &ReadOptions, edges: &Names) -> Result<Self, Error> {
        let options = &*table.options(options);
        let asked = [&options.id_column, &options.label_column, &options.name_column];
        let by_name = asked.iter().any(|column| {
            let name = column.as_deref().filter(|column| !is_whole(column));
            name.is_some_and(|name| table.first().is_ok_and(|(_, words)| place_of(&words, name).is_some()))
        });
        let numbered =
            options.id_column.as_deref().and_then(|id| id.parse::<usize>().ok()).map_or(0, |id| id.max(1) - 1);
        let known = |words: &[Cow<'_, str>]| {
            if words.get(numbered).is_some_and(|word| is_grouped(word)) {
                return Some(Verdict::Data);
            }
            let values = words.get(1..).unwrap_or_default();
            let label =
                |word: &Cow<'_, str>| is_label_word(word) || (used == Use::Labels && plain_word(word) == "value");
            let first = words.first().is_some_and(|word| is_id_word(word) || is_index_word(word));
            (first || (used != Use::Features && values.iter().any(label))).then_some(Verdict::Known)
        };
        let head = Head::look(table, options.header, by_name, &[numbered], known)?;
        if table.width < 2 {
            let (allowed, next) = match used {
                Use::Labels => {
                    ("labels have two: node, label", "Check the delimiter, or say that row i is node i: `no_ids`.")
                }
                _ => {
                    let next = "Check the delimiter, leave the file out if there are no features, or say that row i is \
                                node i: `no_ids`.";
                    ("a node and its features", next)
                }
            };
            return Err(table
                .bad(head.row.line, format!("{} columns", table.width))
                .allowed(allowed)
                .next(next)
                .into());
        }
        let mut read = Self {
            table,
            head,
            id: 0,
            label: None,
            name: name_column(table, options),
            others: Vec::new(),
            floats: false,
            names: Names::new(),
            rows: Vec::new(),
            remarks: Vec::new(),
        };
        read.id = match &options.id_column {
            Some(asked) => column(table, &read.head, asked, "id")?,
            None => read.guessed_id(used, edges)?,
        };
        read.label = read.label_column(used, options)?;
        read.settle_others(used);
        read.read_ids(used)?;
        Ok(read)
    }

    fn body(&self) -> impl Iterator<Item = super::lines::Row<'a>> + use<'a> {
        self.table.rows().skip(usize::from(self.head.is_apart()))
    }

    /// Some cells of a column.
    pub(super) fn cells(&self, column: usize) -> Vec<Cow<'a, str>> {
        self.samples(&[column]).pop().unwrap_or_default()
    }

    /// Some cells of several columns, the same rows of all.
    pub(super) fn samples(&self, columns: &[usize]) -> Vec<Vec<Cow<'a, str>>> {
        let rows = (SAMPLED / columns.len().max(1)).clamp(50, 1000);
        let mut samples = vec![Vec::new(); columns.len()];
        let mut fields = Vec::new();
        for row in self.body().take(rows) {
            if self.table.split(row, &mut fields).is_ok() {
                let cells = columns.iter().map(|&column| std::mem::take(&mut fields[column]));
                samples.iter_mut().zip(cells).for_each(|(sample, cell)| sample.push(cell));
            }
        }
        samples
    }

    /// Whether a column is one of row numbers or row names beside the ids.
    pub(super) fn is_index(&self, column: usize) -> bool {
        column != self.id && self.head.names().is_some_and(|names| is_index_word(&names[column]))
    }

    /// The columns that are neither id nor label.
    fn settle_others(&mut self, used: Use) {
        let name = self.table.name();
        let named = [Some(self.id), self.label, self.name];
        let others = (0..self.table.width).filter(|&i| !named.contains(&Some(i)));
        let (index, others): (Vec<usize>, Vec<usize>) = others.partition(|&i| self.is_index(i));
        if let Some(&i) = index.first() {
            self.remarks.push(format!("{name}: {} is left out", index_column(&self.head.words[i])));
        }
        self.others = others;
        if used == Use::Labels && !self.others.is_empty() {
            let names = self.names_of_columns();
            let names: Vec<String> = self.others.iter().map(|&at| shortened(&names[at])).collect();
            self.remarks.push(format!("{name}: ignored columns: {}", names.join(", ")));
            self.others.clear();
        }
    }

    /// Leaves out a column of features that is called like a label, for labels come from elsewhere.
    pub(super) fn leave_out_labels(&mut self) {
        let Some(words) = self.head.names() else { return };
        let (labels, others): (Vec<usize>, Vec<usize>) = self.others.iter().partition(|&&i| is_label_word(&words[i]));
        for i in labels {
            let word = shortened(&self.head.words[i]);
            self.remarks
                .push(format!("{}: column {word:?} is left out, labels come from another file", self.table.name()));
        }
        self.others = others;
    }

    fn read_ids(&mut self, used: Use) -> Result<(), Error> {
        self.table.ask(ROW)?;
        let mut fields = Vec::new();
        for row in self.body() {
            self.table.split(row, &mut fields)?;
            let id = std::mem::take(&mut fields[self.id]);
            if self.rows.is_empty() {
                self.floats = !self.table.has_quotes() && id.contains('.') && is_number(&id) && whole(&id).is_some();
            }
            let id = self.checked(id, row.line, used)?;
            let place = self.names.node(&id);
            self.rows.push((place, row.line));
        }
        let names = std::mem::replace(&mut self.names, Names::new());
        let respelled = Respelled::of(self.table, names, &mut self.remarks)?;
        self.names = respelled.names;
        self.rows.iter_mut().for_each(|(place, _)| *place = respelled.places[*place as usize]);
        Ok(())
    }

    fn checked(&self, id: Cow<'a, str>, line: usize, used: Use) -> Result<Cow<'a, str>, Error> {
        if id.is_empty() || (is_no_id(&id) && !self.table.quotes(&id)) {
            let what = if used == Use::Labels { "a label without a node" } else { "features without a node" };
            let found = if id.is_empty() { what.to_owned() } else { format!("{what}, whose id is {id:?}") };
            let bad = self.table.bad(line, found).allowed(format!("column {} names the node", self.id + 1));
            return Err(bad.next("Fill in the node, quote its name, or remove the row.").into());
        }
        // `Respelled` refuses what lost digits.
        if !self.floats || is_shortened(&id) {
            return Ok(id);
        }
        whole(&id).map(Cow::Owned).ok_or_else(|| {
            let bad = self.table.bad(line, format!("the id {id:?} among numbers such as 1.0"));
            bad.allowed("ids are whole numbers, or text").next("Write all ids alike.").into()
        })
    }

    /// Decides about a first row that is still open; `elsewhere`: whether a name is a node of another file.
    pub(super) fn settle(&mut self, used: Use, elsewhere: impl Fn(&str) -> bool) -> Result<(), Error> {
        if self.head.verdict != Verdict::Open {
            let is_node = |word: &str| self.names.get(word).is_some() || elsewhere(word);
            self.remarks.extend(self.head.lost(self.table, &[self.id], is_node));
            return self.head.check(self.table, &[self.id], is_node);
        }
        let word = self.head.words[self.id].clone();
        let known = |name: &str| self.names.get(name).is_some() || elsewhere(name);
        let found = self.names.iter().filter(|name| elsewhere(name)).count();
        let recurs = |&column: &usize| self.cells(column).contains(&self.head.words[column]);
        let columns: Vec<usize> = self.label.iter().chain(&self.others).copied().collect();
        let strange = !known(&word) && 2 * found >= self.names.len() && !columns.iter().any(recurs);
        if strange {
            self.head.verdict = Verdict::Strange;
            return Ok(());
        }
        self.head.verdict = Verdict::Data;
        let id = self.checked(word, self.head.row.line, used)?;
        let mut names = Names::new();
        let first = names.node(&id);
        let places: Vec<u32> = self.names.iter().map(|name| names.node(name)).collect();
        self.rows.iter_mut().for_each(|(place, _)| *place = places[*place as usize]);
        self.rows.insert(0, (first, self.head.row.line));
        self.names = names;
        Ok(())
    }

    /// The number of each row's node among all nodes; nodes not yet known are numbered in this order.
    pub(super) fn number(&self, names: &mut Names) -> Vec<u32> {
        let places: Vec<u32> = self.names.iter().map(|name| names.node(name)).collect();
        self.rows.iter().map(|&(place, _)| places[place as usize]).collect()
    }

    /// The labels: node, line, label. A node that has two is an error.
    pub(super) fn labels(&self, node_of: &[u32]) -> Result<Vec<(u32, usize, Cow<'a, str>)>, Error> {
        let Some(label) = self.label else { return Ok(Vec::new()) };
        let mut first: Vec<Option<usize>> = vec![None; self.names.len()];
        let mut words: Vec<(u32, usize, Cow<'a, str>)> = Vec::with_capacity(self.rows.len());
        let mut fields = Vec::new();
        for ((row, &(place, line)), &node) in self.body().zip(&self.rows).zip(node_of) {
            self.table.split(row, &mut fields)?;
            let word = std::mem::take(&mut fields[label]);
            match first[place as usize] {
                None => {
                    first[place as usize] = Some(words.len());
                    words.push((node, line, word));
                }
                Some(at) if words[at].2 == word => {}
                Some(at) => {
                    let (_, other_line, other) = &words[at];
                    let name = self.names.name(place);
                    let found = format!("node {name:?} has the label {word:?}, but {other:?} on line {other_line}");
                    let bad = self.table.bad(line, found).allowed("a node has one label");
                    return Err(bad.next("Remove one of the rows.").into());
                }
            }
        }
        Ok(words)
    }

    /// The texts to show beside the ids of all `nodes`; none where the table does not have them.
    pub(super) fn texts(&self, node_of: &[u32], nodes: usize) -> Result<Vec<String>, Error> {
        let Some(column) = self.name else { return Ok(Vec::new()) };
        let mut texts = vec![String::new(); nodes];
        let mut fields = Vec::new();
        for (row, &node) in self.body().zip(node_of) {
            self.table.split(row, &mut fields)?;
            let word = std::mem::take(&mut fields[column]);
            match texts.get_mut(node as usize) {
                Some(text) if text.is_empty() && !is_missing(&word) => *text = word.into_owned(),
                _ => {}
            }
        }
        Ok(texts)
    }

    /// Refuses a second row of features for a node.
    pub(super) fn refuse_repetition(&self) -> Result<(), Error> {
        let mut seen = vec![0; self.names.len()];
        for &(place, line) in &self.rows {
            let before = std::mem::replace(&mut seen[place as usize], line);
            if before > 0 {
                let found = format!("node {:?} has features on line {before} already", self.names.name(place));
                return Err(self
                    .table
                    .bad(line, found)
                    .allowed("each node has one row")
                    .next("Remove one of them.")
                    .into());
            }
        }
        Ok(())
    }

    /// What the columns are called.
    fn names_of_columns(&self) -> Vec<String> {
        let name = |at: usize| match self.head.names() {
            Some(names) if !names[at].is_empty() => names[at].to_string(),
            _ => format!("column {}", at + 1),
        };
        (0..self.table.width).map(name).collect()
    }

    /// The columns of features, as the options choose them. A file that was written by `data convert` holds no others.
    pub(super) fn columns(&self, options: &ReadOptions) -> Result<Vec<Column>, Error> {
        let free: Vec<usize> = (0..self.table.width).filter(|&i| i != self.id && Some(i) != self.label).collect();
        let mut columns = choose(options, &self.names_of_columns(), &free, &self.others).map_err(|unknown| {
            Error::from(self.table.bad(self.head.row.line, unknown.found).allowed(unknown.allowed).next(NEXT))
        })?;
        let all = self.table.says("all columns");
        columns.iter_mut().for_each(|column| column.forced |= all);
        Ok(columns)
    }

    /// Whether its columns have names.
    pub(super) fn is_named(&self) -> bool {
        self.head.is_apart()
    }

    /// What the user should know.
    pub(super) fn remarks(&mut self) -> Vec<String> {
        let mut remarks: Vec<String> = self.head.remark(self.table).into_iter().collect();
        remarks.append(&mut self.remarks);
        remarks
    }
}

/// The column of texts that is asked for, by an option or by a comment such as `# names: title`, where a table has it.
fn name_column(table: &Table<'_>, options: &ReadOptions) -> Option<usize> {
    let asked = options.name_column.as_deref().or_else(|| table.comment("names:").map(|(_, name)| name))?;
    let named = table.first().ok().and_then(|(_, words)| place_of(&words, asked));
    let number = || asked.parse::<usize>().ok().filter(|number| (1..=table.width).contains(number));
    named.or_else(|| number().map(|number| number - 1))
}

/// Where a column of this name stands.
fn place_of(words: &[Cow<'_, str>], name: &str) -> Option<usize> {
    words.iter().position(|word| word == name || (!word.is_empty() && plain_word(word) == plain_word(name)))
}

impl Cells for NodeTable<'_, '_> {
    fn visit(&self, each: &mut dyn FnMut(usize, &[Cow<'_, str>]) -> Result<(), Error>) -> Result<(), Error> {
        let mut fields = Vec::new();
        self.body().try_for_each(|row| {
            self.table.split(row, &mut fields)?;
            each(row.line, &fields)
        })
    }

    fn bad(&self, row: usize, found: String) -> BadInput {
        self.table.bad(row, found)
    }

    fn has_free_commas(&self) -> bool {
        self.table.has_free_commas()
    }

    fn name(&self) -> String {
        self.table.name()
    }
}
