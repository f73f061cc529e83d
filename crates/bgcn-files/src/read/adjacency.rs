//! From the entries of an adjacency matrix, or edges with weights, to a graph; what becomes of weights is a remark.
//!
//! A matrix has no edge where it is 0, whether the zero is stored or not. An edge that is listed is one whatever its
//! weight, 0 too.

use std::path::Path;

use super::ReadOptions;
use super::content::name;
use bgcn_core::data::BadInput;
use bgcn_core::graph::{Built, Graph, Merged};
use bgcn_core::memory::{self, TooMuch};

/// Nodes that a graph may have whatever its edges are, and for each of its edges. Beyond it a size in a damaged file
/// would ask for any amount of memory.
const NODES: usize = 10_000_000;
const NODES_PER_EDGE: usize = 1000;

/// Bytes that an edge takes while it becomes one of a graph: its ends three times, its weight twice.
const EDGE: u64 = 40;

/// Whether there is memory for so many edges.
pub(super) fn ask(edges: usize) -> Result<(), TooMuch> {
    memory::allow((edges as u64).saturating_mul(EDGE))
}

/// Edges by their ends, with weights.
pub(super) struct Adjacency<'a> {
    pub(super) file: &'a Path,
    /// The array or matrix, for messages.
    pub(super) place: &'a str,
    pub(super) nodes: usize,
    pub(super) edges: Vec<(u32, u32, f64)>,
    /// Whether they are the entries of a matrix.
    pub(super) matrix: bool,
}

impl Adjacency<'_> {
    /// The graph, with a sentence in `remarks` where weights are ignored or edges left out.
    ///
    /// A threshold keeps edges of at least that weight; a column of weights asked for keeps those above zero.
    /// Otherwise every edge counts. A symmetric matrix lists each edge twice, which counts once.
    pub(super) fn build(self, options: &ReadOptions, remarks: &mut Vec<String>) -> Result<Built, BadInput> {
        let Self { file, place, nodes, mut edges, matrix } = self;
        let bad = |found: String, allowed: &str| BadInput::new(file, place, found).allowed(allowed);
        if nodes > NODES.saturating_add(edges.len().saturating_mul(NODES_PER_EDGE)) {
            let found = format!("{nodes} nodes and {} edges", edges.len());
            return Err(bad(found, "a graph has more edges than that").next("Check the size of the matrix."));
        }
        if let Some(&(a, b, _)) = edges.iter().find(|(.., weight)| weight.is_nan()) {
            let found = format!("the edge of {a} and {b} has the weight NaN");
            return Err(bad(found, "weights are numbers").next("Remove the edge, or give it a weight."));
        }
        if matrix {
            let stored = edges.len();
            edges.retain(|&(.., weight)| weight != 0.0);
            match stored - edges.len() {
                0 => {}
                1 => remarks.push(format!("{}: 1 stored entry is 0, so that it is no edge", name(file))),
                zeros => {
                    remarks.push(format!("{}: {zeros} stored entries are 0, so that they are no edges", name(file)))
                }
            }
        }
        let given = edges.len();
        if let Some(keeps) = options.kept_weights() {
            edges.retain(|&(.., weight)| keeps(weight));
            if edges.len() < given {
                remarks.push(format!(
                    "{}: {} of {given} edges are left out, for their weight is {}",
                    name(file),
                    given - edges.len(),
                    options.weight_threshold.map_or("not above 0".into(), |least| format!("below {least}"))
                ));
            }
        } else {
            remarks.extend(ignored(file, &edges));
        }
        let pairs: Vec<(u32, u32)> = edges.iter().map(|&(a, b, _)| (a, b)).collect();
        drop(edges);
        let mut built = Graph::build(nodes, &pairs).map_err(|error| bad(error.to_string(), ""))?;
        if built.graph.edges() == 0 {
            let found = if given == 0 { "no edges" } else { "no edges between two nodes are left" };
            return Err(bad(found.into(), "a graph needs edges").next("Check the file and the weight threshold."));
        }
        let Merged { given, self_loops, duplicates, reciprocal } = built.merged;
        if duplicates == 0 && given == self_loops + 2 * reciprocal {
            // Symmetric: the second direction is how undirected graphs are stored, not a second citation.
            built.merged = Merged { given: self_loops + reciprocal, reciprocal: 0, ..built.merged };
        }
        Ok(built)
    }
}

/// The remark where not all weights are 1.
fn ignored(file: &Path, edges: &[(u32, u32, f64)]) -> Option<String> {
    let count = |which: &dyn Fn(f64) -> bool| {
        let chosen = edges.iter().filter(|(.., weight)| which(*weight));
        let mut pairs: Vec<(u32, u32)> = chosen.map(|&(a, b, _)| (a.min(b), a.max(b))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs.len()
    };
    let weighted = count(&|weight| weight != 1.0);
    if weighted == 0 {
        return None;
    }
    let some = |count: usize, what: &str| if count > 0 { format!(", {count} of them {what}") } else { String::new() };
    let mut odd = some(count(&|weight| weight == 0.0), "0") + &some(count(&|weight| weight < 0.0), "negative");
    odd.extend((!odd.is_empty()).then_some(','));
    let (weights, are) =
        if weighted == 1 { ("weight of 1 edge".into(), "is") } else { (format!("weights of {weighted} edges"), "are") };
    Some(format!("{}: the {weights}{odd} {are} ignored; `weight_threshold` keeps edges by weight", name(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(edges: &[(u32, u32, f64)], options: &ReadOptions) -> Result<(Built, Vec<String>), String> {
        let mut remarks = Vec::new();
        let adjacency =
            Adjacency { file: Path::new("of/a.mtx"), place: "", nodes: 4, edges: edges.to_vec(), matrix: false };
        adjacency.build(options, &mut remarks).map(|built| (built, remarks)).map_err(|bad| bad.to_string())
    }

    #[test]
    fn weights_are_ignored_with_a_remark_unless_asked_for() {
        let edges = [(0, 1, 2.0), (1, 0, 2.0), (1, 2, 1.0), (2, 3, -0.5)];
        let (built, remarks) = build(&edges, &ReadOptions::default()).unwrap();
        assert_eq!(built.graph.edges(), 3);
        let wanted = "a.mtx: the weights of 2 edges, 1 of them negative, are ignored; `weight_threshold` keeps edges \
                      by weight";
        assert_eq!(remarks, [wanted]);
        let threshold = ReadOptions { weight_threshold: Some(2.0), ..ReadOptions::default() };
        let (built, remarks) = build(&edges, &threshold).unwrap();
        assert_eq!(built.graph.edge_list().collect::<Vec<_>>(), [(0, 1)]);
        assert_eq!(remarks, ["a.mtx: 2 of 4 edges are left out, for their weight is below 2"]);
        let column = ReadOptions { weight_column: Some("weight".into()), ..ReadOptions::default() };
        assert_eq!(build(&edges, &column).unwrap().0.graph.edges(), 2);
        assert!(build(&[(0, 1, 1.0)], &ReadOptions::default()).unwrap().1.is_empty());
    }

    #[test]
    fn a_zero_is_an_edge_of_a_list_and_none_of_a_matrix() {
        let edges = vec![(0, 1, 0.0), (1, 2, 1.0), (2, 3, -2.0)];
        let (built, remarks) = build(&edges, &ReadOptions::default()).unwrap();
        assert_eq!(built.graph.edges(), 3);
        assert!(remarks[0].starts_with("a.mtx: the weights of 2 edges, 1 of them 0, 1 of them negative, are ignored;"));
        let mut remarks = Vec::new();
        let matrix = Adjacency { file: Path::new("of/a.mtx"), place: "", nodes: 4, edges, matrix: true };
        assert_eq!(matrix.build(&ReadOptions::default(), &mut remarks).unwrap().graph.edges(), 2);
        assert_eq!(remarks[0], "a.mtx: 1 stored entry is 0, so that it is no edge");
    }

    #[test]
    fn what_is_no_graph_is_refused() {
        let options = ReadOptions::default();
        assert!(build(&[(0, 1, f64::NAN)], &options).unwrap_err().contains("the weight NaN"));
        assert!(build(&[(0, 0, 1.0)], &options).unwrap_err().contains("no edges between two nodes"));
        assert!(build(&[], &options).unwrap_err().contains("no edges"));
        let huge =
            Adjacency { file: Path::new("a"), place: "", nodes: 4_000_000_000, edges: vec![(0, 1, 1.0)], matrix: true };
        assert!(huge.build(&options, &mut Vec::new()).unwrap_err().to_string().contains("4000000000 nodes"));
    }
}
