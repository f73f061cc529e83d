//! Arrays as PyTorch Geometric calls them.
//!
//! | arrays | hold |
//! |---|---|
//! | `edge_index` | \[2, m\] or \[m, 2\], numbers of nodes |
//! | `edge_weight` or `edge_attr` | \[m\] or \[m, 1\], weights; may be absent |
//! | `x` | \[n, d\], features; may be absent |
//! | `y` | \[n\] or \[n, 1\], classes or real values; may be absent |
//! | `train_mask`, `val_mask`, `test_mask` | \[n\] or \[n, sets\]; may be absent |
//! | `num_nodes` | n, where there are neither features nor labels |

use super::super::adjacency::ask;
use super::super::array::Array;
use super::Npz;
use bgcn_core::data::{BadInput, Dataset, Features};

pub(super) fn read(npz: &Npz<'_>) -> Result<Dataset, BadInput> {
    let index = npz.required("edge_index")?;
    let x = npz.first_of(&["x", "features"])?;
    let nodes = match nodes(npz, x.as_ref().map(|(_, x)| x))? {
        Some(nodes) => nodes,
        None => {
            let largest = index.positions(u32::MAX as usize - 1).map_err(npz.at("edge_index"))?.into_iter().max();
            let nodes = largest.map_or(0, |largest| largest as usize + 1);
            npz.remark(format!(
                "there are {nodes} nodes, for the largest number in edge_index is {}",
                nodes.max(1) - 1
            ));
            nodes
        }
    };
    let ends = pairs(npz, "edge_index", &index, nodes, true)?;
    let edges = with_weights(npz, ends)?;
    let data = npz.graph("edge_index", nodes, edges, false)?;
    npz.with_nodes(data, features(npz, &x, nodes)?, &["y", "labels"], &FEATURE_NAMES)
}

pub(super) const FEATURE_NAMES: [&str; 2] = ["feature_names", "attr_names"];

/// The features in an array, where there is one.
pub(super) fn features(npz: &Npz<'_>, x: &Option<(&str, Array<'_>)>, nodes: usize) -> Result<Features, BadInput> {
    match x {
        Some((name, x)) => npz.dense(name, x, nodes, true),
        None => Ok(Features::Identity(nodes)),
    }
}

/// How many nodes there are, where an array has one entry for each.
fn nodes(npz: &Npz<'_>, x: Option<&Array<'_>>) -> Result<Option<usize>, BadInput> {
    if let Some(&rows) = x.and_then(|x| x.shape().first()) {
        return Ok(Some(rows));
    }
    let number = npz.optional("num_nodes")?;
    if let Some(number) = number {
        let numbers = number.positions(u32::MAX as usize).map_err(npz.at("num_nodes"))?;
        return match numbers[..] {
            [nodes] => Ok(Some(nodes as usize)),
            _ => Err(npz.bad("num_nodes", format!("{} numbers", numbers.len()), "one is needed")),
        };
    }
    let per_node = npz.first_of(&["y", "labels", "train_mask", "test_mask"])?;
    Ok(per_node.and_then(|(_, array)| array.shape().first().copied()))
}

/// Pairs of nodes in two columns, or in `either` two rows or two columns: 2 by 2 is refused then, for both are
/// possible.
pub(super) fn pairs(
    npz: &Npz<'_>,
    name: &str,
    array: &Array<'_>,
    nodes: usize,
    either: bool,
) -> Result<Vec<(u32, u32)>, BadInput> {
    ask(array.len() / 2).map_err(|much| npz.at(name)(much.into()))?;
    let numbers = || array.positions(nodes).map_err(npz.at(name));
    match *array.shape() {
        [2, 2] if either => Err(npz
            .bad(name, "shape [2, 2]", "two edges may be in its rows or in its columns")
            .next("Save it as `edges`, one edge per row.")),
        [2, m] if either => {
            let numbers = numbers()?;
            Ok((0..m).map(|i| (numbers[i], numbers[m + i])).collect())
        }
        [_, 2] => Ok(numbers()?.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()),
        ref shape => {
            let allowed = if either { "two rows or two columns are needed" } else { "two columns are needed" };
            Err(npz.bad(name, format!("shape {shape:?}"), allowed))
        }
    }
}

/// Each edge with its weight, 1 without one.
pub(super) fn with_weights(npz: &Npz<'_>, pairs: Vec<(u32, u32)>) -> Result<Vec<(u32, u32, f64)>, BadInput> {
    let array = npz.first_of(&["edge_weight", "edge_weights", "edge_attr"])?;
    let weights = match &array {
        Some((name, array)) => match *array.shape() {
            [m] | [m, 1] if m == pairs.len() => array.doubles().map_err(npz.at(name))?,
            [m, several] if m == pairs.len() && *name == "edge_attr" => {
                npz.remark(format!("not used: edge_attr, {several} numbers per edge"));
                Vec::new()
            }
            ref shape => {
                let allowed = format!("one weight for each of {} edges is needed", pairs.len());
                return Err(npz.bad(name, format!("shape {shape:?}"), allowed));
            }
        },
        None => Vec::new(),
    };
    let weights = weights.into_iter().chain(std::iter::repeat(1.0));
    Ok(pairs.into_iter().zip(weights).map(|((a, b), weight)| (a, b, weight)).collect())
}
