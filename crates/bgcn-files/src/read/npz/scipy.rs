//! One matrix, saved by `scipy.sparse.save_npz`: an adjacency matrix without features and labels.
//!
//! | arrays | hold |
//! |---|---|
//! | `format` | `csr`, `csc` or `coo` |
//! | `shape` | the two sides |
//! | `data` | the entries |
//! | `indices`, `indptr` | where they are, in csr and csc |
//! | `row`, `col` | where they are, in coo |

use super::super::adjacency::ask;
use super::super::csr::Csr;
use super::Npz;
use bgcn_core::data::{BadInput, Dataset};

pub(super) fn read(npz: &Npz<'_>) -> Result<Dataset, BadInput> {
    // Says whether scipy had a matrix or an array, which does not matter here.
    npz.uses("_is_array");
    let format = npz.required("format")?.strings().map_err(npz.at("format"))?;
    let nodes = npz.square("shape")?;
    let edges = match &format[..] {
        [format] if format == "csr" => compressed(npz, nodes)?,
        [format] if format == "csc" => {
            compressed(npz, nodes)?.into_iter().map(|(b, a, weight)| (a, b, weight)).collect()
        }
        [format] if format == "coo" => coordinates(npz, nodes)?,
        _ => {
            let found = format!("{:?}", format.join(", "));
            return Err(npz.bad("format", found, "csr, csc and coo are read").next("Call .tocsr() before saving."));
        }
    };
    npz.graph("data", nodes, edges, true)
}

fn compressed(npz: &Npz<'_>, nodes: usize) -> Result<Vec<(u32, u32, f64)>, BadInput> {
    let (indptr, indices, data) = (npz.required("indptr")?, npz.required("indices")?, npz.required("data")?);
    let matrix = Csr { rows: nodes, columns: nodes, indptr: &indptr, indices: &indices, data: &data };
    matrix.entries().map_err(npz.at("data"))
}

/// Entries at the same place add up.
fn coordinates(npz: &Npz<'_>, nodes: usize) -> Result<Vec<(u32, u32, f64)>, BadInput> {
    let ends = |name: &str| npz.required(name)?.positions(nodes).map_err(npz.at(name));
    let (rows, columns) = (ends("row")?, ends("col")?);
    let data = npz.required("data")?.doubles().map_err(npz.at("data"))?;
    if rows.len() != columns.len() || rows.len() != data.len() {
        let found = format!("{} rows, {} columns and {} values", rows.len(), columns.len(), data.len());
        return Err(npz.bad("data", found, "there must be as many of each"));
    }
    ask(data.len()).map_err(|much| npz.at("data")(much.into()))?;
    let entries = rows.into_iter().zip(columns).zip(data);
    let mut edges: Vec<(u32, u32, f64)> = entries.map(|((a, b), weight)| (a, b, weight)).collect();
    edges.sort_by_key(|&(a, b, _)| (a, b));
    edges.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0.0 };
        same
    });
    Ok(edges)
}
