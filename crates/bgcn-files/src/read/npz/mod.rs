//! Graphs in `.npz` files. The arrays of a file decide which of four layouts it has.
//!
//! | layout | arrays |
//! |---|---|
//! | `sparse_graph` | `adj_data`, `adj_indices`, `adj_indptr`, `adj_shape`, … (Shchur et al., 2018) |
//! | `edge_index` | `edge_index`, `x`, `y`, masks, as PyTorch Geometric calls them |
//! | `edges` | `edges`, `node_features`, `node_labels`, masks (Platonov et al., 2023) |
//! | `scipy` | `format`, `shape`, `data`, …: one matrix, saved by `scipy.sparse.save_npz` |
//!
//! A directed graph becomes undirected. Where A is symmetric each edge counts once. A remark names arrays that
//! are not used, and everything that is left out.

mod edge_index;
mod edges;
mod labels;
mod npy;
mod scipy;
mod sparse_graph;
mod split;
pub(crate) mod zip;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;

use self::zip::Archive;
use super::adjacency::Adjacency;
use super::array::{Array, Unfit};
use super::{ReadOptions, content};
use bgcn_core::data::{BadInput, Dataset, DenseRows, Error, Features, NodeIds, SparseRows};

/// Reads the file at `path`. Of the options, those on weights and the kind of labels are used.
pub fn read(path: &Path, options: &ReadOptions) -> Result<Dataset, Error> {
    options.check()?;
    let (bytes, _) = content::open(path)?;
    Ok(from_bytes(path, &bytes, options)?)
}

/// Reads a file that is in memory already; `file` gives it its name.
pub fn from_bytes(file: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Dataset, BadInput> {
    let npz = Npz {
        file,
        archive: Archive::open(file, bytes)?,
        options,
        used: RefCell::default(),
        remarks: RefCell::default(),
    };
    let mut data = npz.layout()?(&npz)?;
    let unused: Vec<&str> = npz.archive.names().filter(|name| !npz.used.borrow().contains(*name)).collect();
    if !unused.is_empty() {
        npz.remark(format!("not used: {}", unused.join(", ")));
    }
    data.remarks = npz.remarks.take();
    Ok(data)
}

/// An open file, the arrays used so far, and the remarks.
struct Npz<'a> {
    file: &'a Path,
    archive: Archive<'a>,
    options: &'a ReadOptions,
    used: RefCell<BTreeSet<String>>,
    remarks: RefCell<Vec<String>>,
}

/// How to read a layout.
type Layout = for<'a, 'b> fn(&'b Npz<'a>) -> Result<Dataset, BadInput>;

impl<'a> Npz<'a> {
    /// The one layout whose arrays are there.
    fn layout(&self) -> Result<Layout, BadInput> {
        let layouts: [(&str, Layout); 4] = [
            ("adj_data", sparse_graph::read),
            ("edge_index", edge_index::read),
            ("edges", edges::read),
            ("format", scipy::read),
        ];
        let sparse_graph = ["adj_indices", "adj_indptr", "adj_shape"].iter().any(|name| self.has(name));
        let has = |mark: &str| self.has(mark) || (mark == "adj_data" && sparse_graph);
        let found: Vec<&(&str, Layout)> = layouts.iter().filter(|(mark, _)| has(mark)).collect();
        match found[..] {
            [(_, layout)] => Ok(*layout),
            [] => {
                let there = self.archive.names().take(20).collect::<Vec<_>>().join(", ");
                Err(BadInput::new(self.file, "", format!("the arrays {there}"))
                    .allowed("edges are in edge_index, edges, adj_data, … or a matrix of scipy.sparse.save_npz")
                    .next("Save them so: numpy.savez(\"graph.npz\", edge_index=…, x=…, y=…)."))
            }
            [(one, _), (other, _), ..] => Err(BadInput::new(self.file, "", format!("both {one} and {other}"))
                .allowed("a file holds one graph")
                .next("Save it without one of them.")),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.archive.names().any(|there| there == name)
    }

    fn bad(&self, name: &str, found: impl Into<String>, allowed: impl Into<String>) -> BadInput {
        BadInput::new(self.file, format!("array {name}"), found).allowed(allowed)
    }

    fn at<'b>(&'b self, name: &'b str) -> impl Fn(Unfit) -> BadInput + 'b {
        move |unfit| unfit.at(self.file, format!("array {name}"))
    }

    fn remark(&self, remark: impl AsRef<str>) {
        self.remarks.borrow_mut().push(format!("{}: {}", content::name(self.file), remark.as_ref()));
    }

    /// The array counts as looked at.
    fn uses(&self, name: &str) {
        self.used.borrow_mut().insert(name.into());
    }

    fn optional(&self, name: &str) -> Result<Option<Array<'a>>, BadInput> {
        self.uses(name);
        self.archive.get(name)?.map(|bytes| npy::array(bytes).map_err(self.at(name))).transpose()
    }

    /// The first of these arrays that is there, with its name.
    fn first_of<'b>(&self, names: &[&'b str]) -> Result<Option<(&'b str, Array<'a>)>, BadInput> {
        let Some(&name) = names.iter().find(|name| self.has(name)) else { return Ok(None) };
        Ok(self.optional(name)?.map(|array| (name, array)))
    }

    fn required(&self, name: &str) -> Result<Array<'a>, BadInput> {
        self.optional(name)?.ok_or_else(|| {
            let there = self.archive.names().take(20).collect::<Vec<_>>().join(", ");
            let allowed = format!("the file has {there}");
            self.bad(name, "missing", allowed).next("Save all arrays of the layout.")
        })
    }

    /// The two sides of a matrix that is stored in parts.
    fn shape(&self, name: &str) -> Result<(usize, usize), BadInput> {
        let sides = self.required(name)?.positions(u32::MAX as usize).map_err(self.at(name))?;
        match sides[..] {
            [rows, columns] => Ok((rows as usize, columns as usize)),
            _ => Err(self.bad(name, format!("{} numbers", sides.len()), "two are needed")),
        }
    }

    /// The shape of an adjacency matrix, in nodes.
    fn square(&self, name: &str) -> Result<usize, BadInput> {
        match self.shape(name)? {
            (rows, columns) if rows == columns && rows > 0 => Ok(rows),
            (rows, columns) => {
                let found = format!("{rows} by {columns}");
                Err(self.bad(name, found, "an adjacency matrix is square and not empty"))
            }
        }
    }

    /// The graph alone, called like its file. `matrix`: whether edges are the entries of one.
    fn graph(&self, place: &str, nodes: usize, edges: Vec<(u32, u32, f64)>, matrix: bool) -> Result<Dataset, BadInput> {
        let place = format!("array {place}");
        let adjacency = Adjacency { file: self.file, place: &place, nodes, edges, matrix };
        let built = adjacency.build(self.options, &mut self.remarks.borrow_mut())?;
        let name = Some(content::stem(self.file)).filter(|stem| !stem.is_empty());
        Ok(Dataset::of_graph(name.unwrap_or_else(|| "npz".into()), built))
    }

    /// The graph with what its nodes have: features, the labels in one of these arrays, ids, and the split.
    fn with_nodes(
        &self,
        graph: Dataset,
        features: Features,
        labels: &[&str],
        feature_names: &[&str],
    ) -> Result<Dataset, BadInput> {
        let nodes = graph.nodes();
        let labels = self.labels(labels, nodes)?;
        Ok(Dataset {
            feature_names: self.feature_names(feature_names, features.columns())?,
            features,
            fixed_split: self.split(&labels, nodes)?,
            labels,
            ids: self.ids(nodes)?,
            node_names: self.texts("display_names", nodes)?,
            ..graph
        })
    }

    /// A matrix of features in full. Mostly zeros and nothing negative, as in bags of words, becomes sparse.
    fn dense(&self, name: &str, matrix: &Array<'a>, nodes: usize, thin: bool) -> Result<Features, BadInput> {
        let (rows, columns) = match matrix.shape() {
            &[rows] => (rows, 1),
            _ => matrix.sides().map_err(self.at(name))?,
        };
        self.check_rows(name, rows, columns, nodes)?;
        let values = matrix.floats().map_err(self.at(name))?;
        let zeros = values.iter().filter(|&&value| value == 0.0).count();
        if thin && zeros > values.len() / 4 * 3 && values.iter().all(|&value| value >= 0.0) {
            let mut sparse = SparseRows::new(columns);
            for row in values.chunks_exact(columns) {
                let filled = (0u32..).zip(row).filter(|&(_, &value)| value != 0.0);
                let mut entries: Vec<(u32, f32)> = filled.map(|(column, &value)| (column, value)).collect();
                sparse.push_row(&mut entries);
            }
            return Ok(Features::Sparse(sparse));
        }
        Ok(Features::Dense(DenseRows { columns, values }))
    }

    fn check_rows(&self, name: &str, rows: usize, columns: usize, nodes: usize) -> Result<(), BadInput> {
        if rows == nodes && columns > 0 {
            return Ok(());
        }
        let allowed = format!("the graph has {nodes} nodes, and each needs at least one feature");
        Err(self.bad(name, format!("{rows} rows of {columns} features"), allowed))
    }

    /// The names of the columns, where the first of these arrays is there.
    fn feature_names(&self, arrays: &[&str], columns: usize) -> Result<Vec<String>, BadInput> {
        let Some(name) = arrays.iter().find(|name| self.has(name)) else { return Ok(Vec::new()) };
        let names = self.text(name)?.unwrap_or_default();
        if names.len() != columns {
            let found = format!("{} names", names.len());
            return Err(self.bad(name, found, format!("there are {columns} features")));
        }
        Ok(names)
    }

    fn ids(&self, nodes: usize) -> Result<NodeIds, BadInput> {
        let Some(names) = self.names("node_names")? else {
            return Ok(NodeIds::Numbered(nodes));
        };
        self.one_each("node_names", names.len(), nodes)?;
        Ok(NodeIds::from_names(names))
    }

    /// Texts that are shown beside the ids.
    fn texts(&self, name: &str, nodes: usize) -> Result<Vec<String>, BadInput> {
        let Some(texts) = self.text(name)? else { return Ok(Vec::new()) };
        self.one_each(name, texts.len(), nodes).map(|()| texts)
    }

    fn one_each(&self, name: &str, found: usize, nodes: usize) -> Result<(), BadInput> {
        if found == nodes {
            return Ok(());
        }
        Err(self.bad(name, format!("{found} names"), format!("the graph has {nodes} nodes")))
    }

    /// An array of text, whole numbers written out.
    fn text(&self, name: &str) -> Result<Option<Vec<String>>, BadInput> {
        self.uses(name);
        let Some(bytes) = self.archive.get(name)? else { return Ok(None) };
        npy::strings(self.file, &format!("array {name}"), bytes).map(Some)
    }

    /// An array of names, all different.
    fn names(&self, name: &str) -> Result<Option<Vec<String>>, BadInput> {
        let Some(names) = self.text(name)? else { return Ok(None) };
        let mut sorted: Vec<&String> = names.iter().collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|w| w[0] == w[1]) {
            let found = format!("{:?} twice", twice[0].chars().take(80).collect::<String>());
            return Err(self.bad(name, found, "names must differ from each other"));
        }
        Ok(Some(names))
    }
}

#[cfg(test)]
mod tests;
