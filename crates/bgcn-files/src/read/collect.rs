//! Nodes with attributes and edges between them, collected while a file is read.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::ReadOptions;
use super::attributed::Attributed;
use super::content::name;
use super::tidy::{Tidied, Words};
use bgcn_core::data::BadInput;
use bgcn_core::memory::{self, Growing, TooMuch};

/// Attributes at most that one node alone has.
const LONELY: usize = 1000;

/// Bytes that a text takes beside its letters.
const TEXT: u64 = 48;

/// What was read so far. Edges may come before their nodes.
pub(super) struct Collector<'a> {
    file: &'a Path,
    graph: Attributed,
    index: HashMap<String, u32>,
    columns: HashMap<String, usize>,
    /// Values that are not empty, by node and column.
    values: Vec<(u32, u32, String)>,
    /// By column: the last node that has a value, plus one, and how many have. The values of a node come together.
    uses: Vec<(u32, u32)>,
    /// Bytes that all of it takes, and the memory asked for.
    held: u64,
    memory: Growing,
    defaults: HashMap<usize, String>,
    edges: Vec<Edge>,
    /// Attributes of edges by name: those that are there, and the one that is the weight.
    edge_attributes: BTreeSet<String>,
    weight: &'a str,
    weight_asked: bool,
    tidied: Tidied,
}

/// An edge by the names of its ends.
pub(super) struct Edge {
    pub(super) source: String,
    pub(super) target: String,
    /// Where it is, such as "line 7".
    pub(super) place: String,
    pub(super) weight: Option<f64>,
}

impl<'a> Collector<'a> {
    pub(super) fn new(file: &'a Path, options: &'a ReadOptions) -> Self {
        Self {
            file,
            graph: Attributed::default(),
            index: HashMap::new(),
            columns: HashMap::new(),
            values: Vec::new(),
            uses: Vec::new(),
            held: 0,
            memory: Growing::default(),
            defaults: HashMap::new(),
            edges: Vec::new(),
            edge_attributes: BTreeSet::new(),
            weight: options.weight_column.as_deref().unwrap_or("weight"),
            weight_asked: options.weight_column.is_some(),
            tidied: Tidied::default(),
        }
    }

    /// A word as it is read: ids that look alike are one.
    fn tidy<'t>(&mut self, word: &'t str) -> Cow<'t, str> {
        self.tidied.tidy(word, Words::AtSigns).map_or(Cow::Borrowed(word), Cow::Owned)
    }

    fn bad(&self, place: &str, found: impl Into<String>, allowed: impl Into<String>) -> BadInput {
        BadInput::new(self.file, place, found).allowed(allowed)
    }

    /// Counts so many texts and letters that are taken now.
    fn take(&mut self, texts: u64, letters: usize) -> Result<(), BadInput> {
        self.held += texts * TEXT + letters as u64;
        self.memory.reach(self.held).map_err(|much| self.too_much("nodes, attributes and edges", much))
    }

    fn too_much(&self, what: &str, much: TooMuch) -> BadInput {
        let bad = self.bad("", format!("{what}: {much}"), "a graph is held in memory");
        bad.next("Give features as triplets (id,column,value), or take a machine with more memory.")
    }

    /// A node of this id, without attributes.
    pub(super) fn node(&mut self, id: &str, place: &str) -> Result<u32, BadInput> {
        let id = &*self.tidy(id);
        self.take(4, 2 * id.len())?;
        let a = self.graph.ids.len() as u32;
        if id.is_empty() {
            return Err(self.bad(place, "a node without an id", "every node has one").next("Give it an id."));
        }
        if self.index.insert(id.to_owned(), a).is_some() {
            let found = format!("the node {id:?} again");
            return Err(self.bad(place, found, "every id is there once").next("Rename one of the two nodes."));
        }
        self.graph.ids.push(id.to_owned());
        Ok(a)
    }

    /// The column of this name, new where there is none.
    pub(super) fn column(&mut self, name: &str) -> usize {
        let name = &*self.tidy(name);
        if let Some(&column) = self.columns.get(name) {
            return column;
        }
        self.graph.columns.push(name.to_owned());
        self.uses.push((0, 0));
        self.columns.insert(name.to_owned(), self.graph.columns.len() - 1);
        self.graph.columns.len() - 1
    }

    /// What nodes without this attribute have.
    pub(super) fn default(&mut self, column: usize, value: &str) {
        let value = self.tidy(value).into_owned();
        self.defaults.entry(column).or_insert(value);
    }

    /// Gives node `a` an attribute, which it may not have yet.
    pub(super) fn set(&mut self, a: u32, column: usize, value: &str, place: &str) -> Result<(), BadInput> {
        let value = self.tidy(value).into_owned();
        if value.is_empty() {
            return Ok(());
        }
        self.take(1, value.len())?;
        let (last, count) = &mut self.uses[column];
        *count += 1;
        if std::mem::replace(last, a + 1) == a + 1 {
            let found = format!("a second value of {:?}", self.graph.columns[column]);
            return Err(self.bad(place, found, "a node has one").next("Remove one of the two."));
        }
        self.values.push((a, column as u32, value));
        Ok(())
    }

    /// Whether an attribute of edges is the weight; the others are mentioned at the end.
    pub(super) fn is_weight(&mut self, attribute: &str) -> bool {
        if !self.edge_attributes.contains(attribute) {
            self.edge_attributes.insert(attribute.to_owned());
        }
        attribute == self.weight
    }

    /// The number that a weight is.
    pub(super) fn weight(&self, text: &str, place: &str) -> Result<Option<f64>, BadInput> {
        match text.trim() {
            "" => Ok(None),
            word => match word.parse::<f64>() {
                Ok(weight) if !weight.is_nan() => Ok(Some(weight)),
                _ => Err(self.bad(place, format!("the weight {word:?}"), "weights are numbers")),
            },
        }
    }

    pub(super) fn edge(&mut self, edge: Edge) -> Result<(), BadInput> {
        let [source, target] = [&edge.source, &edge.target].map(|end| self.tidy(end).into_owned());
        self.take(4, source.len() + target.len() + edge.place.len())?;
        self.edges.push(Edge { source, target, ..edge });
        Ok(())
    }

    pub(super) fn directed(&mut self, directed: bool) {
        self.graph.directed |= directed;
    }

    /// Adds a remark once.
    pub(super) fn remark(&mut self, remark: &str) {
        let remark = format!("{}: {remark}", name(self.file));
        if !self.graph.remarks.contains(&remark) {
            self.graph.remarks.push(remark);
        }
    }

    /// The graph, all rows filled up and all edges between nodes that exist.
    pub(super) fn finish(mut self) -> Result<Attributed, BadInput> {
        if self.graph.ids.is_empty() {
            return Err(self.bad("", "no nodes", "a graph needs nodes and edges").next("Check the file."));
        }
        if self.edges.is_empty() {
            return Err(self.bad("", "no edges", "a graph needs edges").next("Check the file."));
        }
        if self.weight_asked && !self.edge_attributes.contains(self.weight) {
            let there: Vec<&str> = self.edge_attributes.iter().map(String::as_str).collect();
            let there = if there.is_empty() { "none".into() } else { there.join(", ") };
            let found = format!("edges have no attribute {:?}", self.weight);
            return Err(self.bad("", found, format!("their attributes: {there}")).next("Name one of them."));
        }
        self.fill_rows()?;
        let edges = std::mem::take(&mut self.edges);
        let weighted = edges.iter().any(|edge| edge.weight.is_some());
        for Edge { source, target, place, weight } in &edges {
            let end = |id: &String| {
                self.index.get(id).copied().ok_or_else(|| {
                    let found = format!("an edge of the node {id:?}");
                    self.bad(place, found, "there is no such node").next("Add the node, or remove the edge.")
                })
            };
            let pair = (end(source)?, end(target)?);
            self.graph.edges.push(pair);
            if weighted {
                self.graph.weights.push(weight.unwrap_or(f64::NAN));
            }
        }
        self.edge_attributes.remove(self.weight);
        if !self.edge_attributes.is_empty() {
            let others: Vec<String> = std::mem::take(&mut self.edge_attributes).into_iter().collect();
            self.remark(&format!("attributes of edges that are not used: {}", others.join(", ")));
        }
        self.leave_out_ids();
        self.graph.remarks.extend(self.tidied.remarks(&name(self.file)));
        Ok(self.graph)
    }

    /// Writes the values into rows, where attributes are those of many nodes and there is memory for all.
    fn fill_rows(&mut self) -> Result<(), BadInput> {
        let (nodes, columns) = (self.graph.ids.len(), self.graph.columns.len());
        let lonely = self.uses.iter().filter(|&&(_, count)| count == 1).count();
        if lonely > LONELY {
            let found = format!("{lonely} of {columns} attributes have a value at one node alone");
            let next =
                "Write what they name as values of one attribute, or give features as triplets: id,column,value.";
            return Err(self.bad("", found, format!("at most {LONELY} may")).next(next));
        }
        memory::allow(nodes as u64 * (columns as u64 + 1) * size_of::<String>() as u64)
            .map_err(|much| self.too_much(&format!("{columns} attributes of {nodes} nodes"), much))?;
        self.graph.cells = vec![vec![String::new(); columns]; nodes];
        for (a, column, value) in std::mem::take(&mut self.values) {
            self.graph.cells[a as usize][column as usize] = value;
        }
        for row in &mut self.graph.cells {
            for (&column, value) in &self.defaults {
                if row[column].is_empty() {
                    row[column].clone_from(value);
                }
            }
        }
        Ok(())
    }

    /// Leaves out attributes that repeat the ids.
    fn leave_out_ids(&mut self) {
        let Attributed { ids, columns, cells, .. } = &self.graph;
        let same = |&column: &usize| ids.iter().zip(cells).all(|(id, row)| row[column] == *id);
        let repeats: Vec<usize> = (0..columns.len()).filter(same).collect();
        for &column in repeats.iter().rev() {
            let name = self.graph.columns.remove(column);
            self.graph.cells.iter_mut().for_each(|row| drop(row.remove(column)));
            self.remark(&format!("the attribute {name:?} repeats the ids of the nodes and is left out"));
        }
    }

    /// Calls nodes by this attribute where their ids only count them, `n0`, `n1`, …, and all its values differ.
    pub(super) fn rename(graph: &mut Attributed, file: &Path, attributes: &[&str]) {
        let counted = graph.ids.iter().enumerate().all(|(i, id)| id.strip_prefix('n') == Some(&i.to_string()));
        let column = attributes.iter().find_map(|name| graph.columns.iter().position(|column| column == name));
        let Some(column) = column.filter(|_| counted) else { return };
        let values: BTreeSet<&String> = graph.cells.iter().map(|row| &row[column]).collect();
        if values.len() < graph.ids.len() || values.iter().any(|value| value.is_empty()) {
            return;
        }
        graph.ids = graph.cells.iter_mut().map(|row| row.remove(column)).collect();
        let called = graph.columns.remove(column);
        graph.remarks.push(format!("{}: nodes are called by their attribute {called:?}", name(file)));
    }
}

/// A value of a type that the file declares, as a cell; the error is what the type allows.
pub(super) fn typed(kind: &str, text: &str) -> Result<String, &'static str> {
    let word = text.trim();
    match kind {
        _ if word.is_empty() => Ok(String::new()),
        "boolean" => match &word.to_ascii_lowercase()[..] {
            "true" | "1" => Ok("true".into()),
            "false" | "0" => Ok("false".into()),
            _ => Err("true and false are allowed"),
        },
        "int" | "integer" | "long" | "short" | "byte" | "biginteger" => {
            // Some writers put 1.0 where they declare whole numbers.
            let whole = word.parse::<i128>().is_ok() || word.parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
            if whole { Ok(word.to_owned()) } else { Err("whole numbers are allowed") }
        }
        "float" | "double" | "bigdecimal" => {
            if word.parse::<f64>().is_ok() {
                Ok(word.to_owned())
            } else {
                Err("numbers are allowed")
            }
        }
        _ => Ok(text.to_owned()),
    }
}
