//! Graphs in `.npz` files, in the layout of the SparseGraph collection (Shchur et al., 2018).
//!
//! | arrays | hold |
//! |---|---|
//! | `adj_data`, `adj_indices`, `adj_indptr`, `adj_shape` | A as compressed sparse rows; every 1 is an edge |
//! | `attr_data`, `attr_indices`, `attr_indptr`, `attr_shape` | X as compressed sparse rows, or |
//! | `attr_matrix` | X in full; without either, nodes have no features |
//! | `labels` | classes as numbers from 0, negative where unknown; may be absent |
//! | `node_names`, `class_names` | text; may be absent |
//!
//! Other arrays are not looked at. A directed graph becomes undirected. Where A is symmetric each edge counts once.

mod npy;
pub(in crate::data) mod zip;

use std::path::Path;

use self::zip::Archive;
use super::array::{Array, Unfit};
use super::csr::Csr;
use crate::data::{BadInput, Dataset, DenseRows, Error, Features, Labels, NodeIds};
use crate::graph::{Built, Graph, Merged};

/// Reads the file at `path`.
pub fn read(path: &Path) -> Result<Dataset, Error> {
    let bytes = std::fs::read(path).map_err(Error::io("reading", path))?;
    Ok(from_bytes(path, &bytes)?)
}

/// Reads a file that is in memory already; `file` gives it its name.
pub fn from_bytes(file: &Path, bytes: &[u8]) -> Result<Dataset, BadInput> {
    let npz = Npz { file, archive: Archive::open(file, bytes)? };
    let Built { graph, merged } = npz.graph()?;
    let nodes = graph.nodes();
    Ok(Dataset {
        name: file.file_stem().map_or_else(|| "npz".into(), |stem| stem.to_string_lossy().into_owned()),
        graph,
        merged,
        edges_published: merged.given,
        features: npz.features(nodes)?,
        labels: npz.labels(nodes)?,
        ids: npz.ids(nodes)?,
        fixed_split: None,
        truth: None,
        remarks: Vec::new(),
        feature_names: Vec::new(),
    })
}

struct Npz<'a> {
    file: &'a Path,
    archive: Archive<'a>,
}

/// The four arrays of a sparse matrix.
struct Sparse<'a> {
    shape: (usize, usize),
    indptr: Array<'a>,
    indices: Array<'a>,
    data: Array<'a>,
}

impl<'a> Sparse<'a> {
    fn csr(&self) -> Csr<'a, '_> {
        let (rows, columns) = self.shape;
        Csr { rows, columns, indptr: &self.indptr, indices: &self.indices, data: &self.data }
    }
}

impl<'a> Npz<'a> {
    fn bad(&self, name: &str, found: impl Into<String>, allowed: impl Into<String>) -> BadInput {
        BadInput::new(self.file, format!("array {name}"), found).allowed(allowed)
    }

    fn at<'b>(&'b self, name: &'b str) -> impl Fn(Unfit) -> BadInput + 'b {
        move |unfit| unfit.at(self.file, format!("array {name}"))
    }

    fn optional(&self, name: &str) -> Result<Option<Array<'a>>, BadInput> {
        self.archive.get(name)?.map(|bytes| npy::array(bytes).map_err(self.at(name))).transpose()
    }

    fn required(&self, name: &str) -> Result<Array<'a>, BadInput> {
        self.optional(name)?.ok_or_else(|| {
            let there = self.archive.names().take(20).collect::<Vec<_>>().join(", ");
            let allowed = format!("the file has {there}");
            self.bad(name, "missing", allowed)
                .next("Save the graph in the SparseGraph layout: adj_data, adj_indices, …")
        })
    }

    fn sparse(&self, prefix: &str) -> Result<Sparse<'a>, BadInput> {
        let name = format!("{prefix}_shape");
        let sides = self.required(&name)?.positions(u32::MAX as usize).map_err(self.at(&name))?;
        let &[rows, columns] = &sides[..] else {
            return Err(self.bad(&name, format!("{} numbers", sides.len()), "two are needed"));
        };
        Ok(Sparse {
            shape: (rows as usize, columns as usize),
            indptr: self.required(&format!("{prefix}_indptr"))?,
            indices: self.required(&format!("{prefix}_indices"))?,
            data: self.required(&format!("{prefix}_data"))?,
        })
    }

    fn graph(&self) -> Result<Built, BadInput> {
        let adj = self.sparse("adj")?;
        let (rows, columns) = adj.shape;
        if rows != columns || rows == 0 {
            return Err(self.bad(
                "adj_shape",
                format!("{rows} by {columns}"),
                "an adjacency matrix is square and not empty",
            ));
        }
        let edges = adj.csr().edges().map_err(self.at("adj"))?;
        let mut built = Graph::build(rows, &edges).map_err(|e| self.bad("adj", e.to_string(), ""))?;
        let Merged { given, self_loops, duplicates, reciprocal } = built.merged;
        if duplicates == 0 && given == self_loops + 2 * reciprocal {
            // Symmetric: the second direction is how undirected graphs are stored, not a second citation.
            built.merged = Merged { given: self_loops + reciprocal, reciprocal: 0, ..built.merged };
        }
        Ok(built)
    }

    fn features(&self, nodes: usize) -> Result<Features, BadInput> {
        let (name, rows, features) = if self.archive.names().any(|name| name == "attr_data") {
            let attr = self.sparse("attr")?;
            ("attr_shape", attr.shape.0, Features::Sparse(attr.csr().features().map_err(self.at("attr"))?))
        } else if let Some(matrix) = self.optional("attr_matrix")? {
            let at = self.at("attr_matrix");
            let (rows, columns) = matrix.sides().map_err(&at)?;
            ("attr_matrix", rows, Features::Dense(DenseRows { columns, values: matrix.floats().map_err(&at)? }))
        } else {
            return Ok(Features::Identity(nodes));
        };
        if rows != nodes || features.columns() == 0 {
            let found = format!("{rows} rows of {} features", features.columns());
            return Err(self.bad(
                name,
                found,
                format!("the graph has {nodes} nodes, and each needs at least one feature"),
            ));
        }
        Ok(features)
    }

    fn labels(&self, nodes: usize) -> Result<Labels, BadInput> {
        let names = self.names("class_names")?;
        let Some(labels) = self.optional("labels")? else {
            if self.archive.names().any(|name| name == "labels_data") {
                let found = "a sparse matrix of labels, several per node";
                return Err(self
                    .bad("labels_data", found, "one class per node is allowed")
                    .next("Save an array `labels`"));
            }
            return Ok(Labels::Classes { names: names.unwrap_or_default(), of: vec![None; nodes] });
        };
        if labels.shape() != [nodes] {
            let found = format!("shape {:?}", labels.shape());
            return Err(self.bad("labels", found, format!("one class number for each of {nodes} nodes is needed")));
        }
        let numbers = labels.whole().map_err(self.at("labels"))?;
        // More classes than nodes would be a mistake, and a way to ask for any amount of memory.
        let bound = names.as_ref().map_or(nodes, Vec::len) as i64;
        if let Some(a) = numbers.iter().position(|&class| class >= bound) {
            let found = format!("class {} at node {a}", numbers[a]);
            let allowed = match names {
                Some(_) => format!("class_names has classes 0 to {}", bound - 1),
                None => format!("{nodes} nodes have classes 0 to {} at most", bound - 1),
            };
            return Err(self.bad("labels", found, allowed).next("Number the classes from 0, unknown ones -1"));
        }
        let of: Vec<Option<u32>> = numbers.iter().map(|&class| u32::try_from(class).ok()).collect();
        let classes = of.iter().flatten().max().map_or(0, |&class| class + 1);
        Ok(Labels::Classes { names: names.unwrap_or_else(|| (0..classes).map(|c| c.to_string()).collect()), of })
    }

    fn ids(&self, nodes: usize) -> Result<NodeIds, BadInput> {
        let Some(names) = self.names("node_names")? else {
            return Ok(NodeIds::Numbered(nodes));
        };
        if names.len() != nodes {
            let found = format!("{} names", names.len());
            return Err(self.bad("node_names", found, format!("the graph has {nodes} nodes")));
        }
        Ok(NodeIds::from_names(names))
    }

    /// An array of names, all different.
    fn names(&self, name: &str) -> Result<Option<Vec<String>>, BadInput> {
        let Some(bytes) = self.archive.get(name)? else {
            return Ok(None);
        };
        let names = npy::strings(self.file, &format!("array {name}"), bytes)?;
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
