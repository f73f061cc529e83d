//! The layout of the heterophilous graphs of Platonov et al. (2023).
//!
//! | arrays | hold |
//! |---|---|
//! | `edges` | \[m, 2\], numbers of nodes |
//! | `node_features` | \[n, d\]; may be absent |
//! | `node_labels` | \[n\], classes or real values |
//! | `train_masks`, `val_masks`, `test_masks` | \[sets, n\]; the first set becomes the fixed split |

use super::Npz;
use super::edge_index::{FEATURE_NAMES, features, pairs, with_weights};
use bgcn_core::data::{BadInput, Dataset};

pub(super) fn read(npz: &Npz<'_>) -> Result<Dataset, BadInput> {
    let array = npz.required("edges")?;
    let x = npz.first_of(&["node_features", "features"])?;
    let nodes = match (&x, npz.first_of(&["node_labels", "labels"])?) {
        (Some((_, x)), _) => x.shape().first().copied(),
        (None, Some((_, labels))) => labels.shape().first().copied(),
        (None, None) => None,
    };
    let Some(nodes) = nodes else {
        let allowed = "features or labels say how many nodes there are";
        return Err(npz.bad("node_labels", "missing", allowed).next("Save node_features or node_labels."));
    };
    let data = npz.graph("edges", nodes, with_weights(npz, pairs(npz, "edges", &array, nodes, false)?)?, false)?;
    npz.with_nodes(data, features(npz, &x, nodes)?, &["node_labels", "labels"], &FEATURE_NAMES)
}
