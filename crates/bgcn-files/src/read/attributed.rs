//! Graphs whose nodes carry attributes as text: what GraphML, GEXF and JSON files hold.

use super::ReadOptions;
use super::content::{name as shown, stem};
use super::table::choice::{NEXT, choose};
use super::table::columns::{self, Cells, Found};
use super::table::header::{is_label_word, plain_word};
use super::table::label::{differ, proposal};
use super::table::labels::Words;
use bgcn_core::data::{BadInput, Dataset, Error, Labels, NodeIds};
use bgcn_core::graph::Graph;
use std::borrow::Cow;
use std::path::Path;

/// A graph whose nodes carry attributes, as its file has it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Attributed {
    /// The nodes as the file names them, all different.
    pub(super) ids: Vec<String>,
    /// The names of the attributes, in the order of the file, all different.
    pub(super) columns: Vec<String>,
    /// A row per node with a cell per attribute; empty where the node has no such attribute.
    pub(super) cells: Vec<Vec<String>>,
    /// The edges in the order of the file, as places in `ids`.
    pub(super) edges: Vec<(u32, u32)>,
    /// The weight of each edge, NaN for an edge without; empty where no edge has one.
    pub(super) weights: Vec<f64>,
    /// Whether edges have a direction.
    pub(super) directed: bool,
    /// What was left out, a sentence each.
    pub(super) remarks: Vec<String>,
}

impl Attributed {
    /// The dataset: one attribute is the label, the others are features.
    ///
    /// The label is the attribute that is asked for, or the one called label, class, y, category or target. One whose
    /// values hardly repeat names the nodes: it is left out.
    pub(super) fn dataset(mut self, file: &Path, options: &ReadOptions) -> Result<Dataset, Error> {
        let name = shown(file);
        let nodes = self.ids.len();
        let label = self.label_column(file, options)?;
        let texts = options.name_column.as_ref().map(|asked| self.attribute(file, asked)).transpose()?;
        let mut remarks = std::mem::take(&mut self.remarks);
        let free: Vec<usize> = (0..self.columns.len()).filter(|&at| ![label, texts].contains(&Some(at))).collect();
        let is_name = |&at: &usize| is_label_word(&self.columns[at]) && differ(&self.column(at));
        let (names, usual): (Vec<usize>, Vec<usize>) = free.iter().partition(|at| is_name(at));
        for column in names.into_iter().map(|at| &self.columns[at]) {
            remarks.push(format!("{name}: hardly a value of {column:?} repeats, so it is left out as a name"));
        }
        let columns = choose(options, &self.columns, &free, &usual)
            .map_err(|unknown| BadInput::new(file, "", unknown.found).allowed(unknown.allowed).next(NEXT))?;
        if label.is_none() && !self.columns.is_empty() {
            let attributes = usual.iter().map(|&at| (self.columns[at].as_str(), self.column(at)));
            let next = proposal(attributes, "`label_column` names the attribute that is the label");
            remarks.push(format!("{name}: no attribute is called label or class; {next}"));
        }
        let cells = Table { file, cells: &self.cells };
        let node_of: Vec<u32> = (0..nodes as u32).collect();
        let Found { features, names, blanks } = columns::read(&cells, &columns, &node_of, nodes, &mut remarks)?;
        let labels = match label {
            None => Labels::none(nodes),
            Some(at) => {
                let words = self.column(at).into_iter().enumerate().map(|(a, word)| (a as u32, a, word)).collect();
                let words = Words { words, listed: None, values: false };
                words.labels(nodes, options.label_kind, &name, &|row, found| cells.bad(row, found), &mut remarks)?
            }
        };
        let edges = self.kept_edges(file, options, &mut remarks)?;
        let built = Graph::build(nodes, &edges)?;
        if built.graph.edges() == 0 {
            let bad = BadInput::new(file, "", "no edges between different nodes").allowed("a graph needs edges");
            return Err(bad.next("Save the graph with its edges.").into());
        }
        if self.directed {
            let both = built.merged.reciprocal;
            remarks.push(format!("{name}: directions are dropped; {both} edges were given in both directions"));
        }
        Ok(Dataset {
            features,
            feature_names: names,
            labels,
            blanks,
            node_names: texts.map_or_else(Vec::new, |at| self.cells.iter().map(|row| row[at].clone()).collect()),
            ids: NodeIds::from_names(self.ids),
            remarks,
            ..Dataset::of_graph(stem(file), built)
        })
    }

    fn column(&self, at: usize) -> Vec<Cow<'_, str>> {
        self.cells.iter().map(|row| Cow::Borrowed(row[at].as_str())).collect()
    }

    fn bad(&self, file: &Path, found: String) -> BadInput {
        BadInput::new(file, "", found).allowed(format!("attributes are {}", self.columns.join(", ")))
    }

    /// The attribute that is asked for.
    fn attribute(&self, file: &Path, asked: &str) -> Result<usize, Error> {
        let found = self.columns.iter().position(|column| column == asked || plain_word(column) == plain_word(asked));
        let next = "Name one of them, as the file spells it.";
        found.ok_or_else(|| self.bad(file, format!("nodes have no attribute {asked:?}")).next(next).into())
    }

    fn label_column(&self, file: &Path, options: &ReadOptions) -> Result<Option<usize>, Error> {
        if let Some(asked) = &options.label_column {
            return self.attribute(file, asked).map(Some);
        }
        let called = |at: &usize| is_label_word(&self.columns[*at]) && !differ(&self.column(*at));
        match (0..self.columns.len()).filter(called).collect::<Vec<_>>()[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            [a, b, ..] => {
                let found = format!("both {:?} and {:?} can be the label", self.columns[a], self.columns[b]);
                Err(self.bad(file, found).next("Name the label: `label_column`.").into())
            }
        }
    }

    /// The edges whose weight is large enough, where weights are asked for.
    fn kept_edges(
        &self,
        file: &Path,
        options: &ReadOptions,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<(u32, u32)>, Error> {
        let name = shown(file);
        let Some(keep) = options.kept_weights() else {
            if self.weights.iter().any(|&weight| weight != 1.0 && !weight.is_nan()) {
                let how = "`weight_threshold` keeps edges by weight";
                let zeros = self.weights.iter().filter(|&&weight| weight == 0.0).count();
                let some = if zeros > 0 { format!(", {zeros} of them 0,") } else { String::new() };
                remarks.push(format!("{name}: the weights of the edges{some} are ignored; {how}"));
            }
            return Ok(self.edges.clone());
        };
        if self.weights.is_empty() {
            let bad = BadInput::new(file, "", "a weight is asked for, but edges have none");
            return Err(bad.allowed("edges have an attribute weight then").next("Leave out the option.").into());
        }
        let kept: Vec<(u32, u32)> =
            self.edges.iter().zip(&self.weights).filter(|&(_, &weight)| keep(weight)).map(|(&edge, _)| edge).collect();
        if kept.len() < self.edges.len() {
            remarks.push(format!("{name}: {} edges are left out by their weight", self.edges.len() - kept.len()));
        }
        Ok(kept)
    }
}

/// The cells of all nodes.
struct Table<'a> {
    file: &'a Path,
    cells: &'a [Vec<String>],
}

impl Cells for Table<'_> {
    fn visit(&self, each: &mut dyn FnMut(usize, &[Cow<'_, str>]) -> Result<(), Error>) -> Result<(), Error> {
        self.cells.iter().enumerate().try_for_each(|(node, row)| {
            let fields: Vec<Cow<'_, str>> = row.iter().map(|cell| Cow::Borrowed(cell.as_str())).collect();
            each(node, &fields)
        })
    }

    fn bad(&self, row: usize, found: String) -> BadInput {
        BadInput::new(self.file, format!("node {}", row + 1), found)
    }

    fn has_free_commas(&self) -> bool {
        true
    }

    fn name(&self) -> String {
        shown(self.file)
    }
}
