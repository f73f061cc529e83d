//! The layout of the SparseGraph collection (Shchur et al., 2018), which [`write_npz`](crate::write::write_npz)
//! writes too.
//!
//! | arrays | hold |
//! |---|---|
//! | `adj_data`, `adj_indices`, `adj_indptr`, `adj_shape` | A as compressed sparse rows; what is not 0 is an edge |
//! | `attr_data`, `attr_indices`, `attr_indptr`, `attr_shape` | X as compressed sparse rows, or |
//! | `attr_matrix` | X in full; without either, nodes have no features |
//! | `labels` | classes as numbers from 0, negative where unknown; or real values; may be absent |
//! | `node_names`, `class_names`, `attr_names` | text; may be absent |
//! | `display_names` | texts to show beside the ids; may be absent |
//! | `idx_train`, `idx_val`, `idx_test` | a split, by the numbers of nodes; may be absent |
//! | `spurious`, `missing` | pairs of nodes, the truth about generated edges; may be absent |

use super::super::array::Array;
use super::super::csr::Csr;
use super::Npz;
use bgcn_core::data::{BadInput, Dataset, EdgeTruth, Features};

/// The four arrays of a sparse matrix.
struct Sparse<'a> {
    shape: (usize, usize),
    indptr: Array<'a>,
    indices: Array<'a>,
    data: Array<'a>,
}

impl<'a> Sparse<'a> {
    fn read(npz: &Npz<'a>, prefix: &str) -> Result<Self, BadInput> {
        Ok(Self {
            shape: npz.shape(&format!("{prefix}_shape"))?,
            indptr: npz.required(&format!("{prefix}_indptr"))?,
            indices: npz.required(&format!("{prefix}_indices"))?,
            data: npz.required(&format!("{prefix}_data"))?,
        })
    }

    fn csr(&self) -> Csr<'a, '_> {
        let (rows, columns) = self.shape;
        Csr { rows, columns, indptr: &self.indptr, indices: &self.indices, data: &self.data }
    }
}

pub(super) fn read(npz: &Npz<'_>) -> Result<Dataset, BadInput> {
    let nodes = npz.square("adj_shape")?;
    let adj = Sparse::read(npz, "adj")?;
    let data = npz.graph("adj", nodes, adj.csr().entries().map_err(npz.at("adj"))?, true)?;
    let features = features(npz, nodes)?;
    if !npz.has("labels") && npz.has("labels_data") {
        let found = "a sparse matrix of labels, several per node";
        return Err(npz.bad("labels_data", found, "one class per node is allowed").next("Save an array `labels`"));
    }
    let data = npz.with_nodes(data, features, &["labels"], &["attr_names"])?;
    Ok(Dataset { truth: truth(npz, nodes)?, ..data })
}

fn features(npz: &Npz<'_>, nodes: usize) -> Result<Features, BadInput> {
    if npz.has("attr_data") {
        let attr = Sparse::read(npz, "attr")?;
        npz.check_rows("attr_shape", attr.shape.0, attr.shape.1, nodes)?;
        return Ok(Features::Sparse(attr.csr().features().map_err(npz.at("attr"))?));
    }
    match npz.optional("attr_matrix")? {
        Some(matrix) => npz.dense("attr_matrix", &matrix, nodes, false),
        None => Ok(Features::Identity(nodes)),
    }
}

fn truth(npz: &Npz<'_>, nodes: usize) -> Result<Option<EdgeTruth>, BadInput> {
    let pairs = |name: &str| -> Result<Vec<(u32, u32)>, BadInput> {
        let Some(array) = npz.optional(name)? else { return Ok(Vec::new()) };
        match array.shape() {
            [_, 2] => {}
            shape => return Err(npz.bad(name, format!("shape {shape:?}"), "two columns are needed")),
        }
        let ends = array.positions(nodes).map_err(npz.at(name))?;
        let mut pairs: Vec<_> = ends.chunks_exact(2).map(|pair| (pair[0].min(pair[1]), pair[0].max(pair[1]))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    };
    if !npz.has("spurious") && !npz.has("missing") {
        return Ok(None);
    }
    Ok(Some(EdgeTruth { spurious: pairs("spurious")?, missing: pairs("missing")? }))
}
