//! From any list of edges to a simple undirected graph, in O(E log d) for the largest degree d.

use super::{Error, Graph};
use crate::memory;
use serde::Serialize;

/// What a list of edges held beside the edges of the graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Merged {
    /// Entries in the list.
    pub given: usize,
    /// Entries that join a node to itself; dropped.
    pub self_loops: usize,
    /// Entries that repeat an earlier one in the same direction; dropped.
    pub duplicates: usize,
    /// Entries whose opposite direction is there too; merged with it.
    pub reciprocal: usize,
}

/// A graph and what was merged to get it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Built {
    /// The simple graph.
    pub graph: Graph,
    /// What the list held beside it.
    pub merged: Merged,
}

impl Graph {
    /// The simple graph of any edge list: directions, repetitions and self-loops are merged or dropped.
    pub fn from_edges(nodes: usize, edges: &[(u32, u32)]) -> Result<Self, Error> {
        Ok(Self::build(nodes, edges)?.graph)
    }

    /// Like [`Graph::from_edges`], and counts what was merged.
    pub fn build(nodes: usize, edges: &[(u32, u32)]) -> Result<Built, Error> {
        Self::check_nodes(nodes)?;
        Self::check_memory(nodes, edges.len())?;
        let outside = |&(a, b): &(u32, u32)| a as usize >= nodes || b as usize >= nodes;
        if let Some(position) = edges.iter().position(outside) {
            let (a, b) = edges[position];
            return Err(Error::Request(format!(
                "edge {position} joins {a} and {b}, but the graph has {nodes} nodes, numbered from 0; check the number \
                 of nodes or the edge list"
            )));
        }

        let mut merged = Merged { given: edges.len(), ..Merged::default() };
        let mut out = rows_by_source(nodes, edges);
        merged.self_loops = edges.len() - out.neighbours.len();
        let listed = out.neighbours.len();
        out.offsets.windows(2).for_each(|bounds| out.neighbours[bounds[0]..bounds[1]].sort_unstable());
        out.merge_repeated();
        merged.duplicates = listed - out.neighbours.len();
        let mut graph = Self::empty(0);
        graph.assign_union(&out, &transpose(&out));
        graph.neighbours.shrink_to_fit();
        merged.reciprocal = out.neighbours.len() - graph.edges();
        Ok(Built { graph, merged })
    }

    /// Whether there is memory to build the graph: five row starts of each node, each edge four times, and a label.
    fn check_memory(nodes: usize, edges: usize) -> Result<(), Error> {
        let bytes = (nodes as u64).saturating_mul(48).saturating_add((edges as u64).saturating_mul(16));
        memory::allow(bytes).map_err(|much| {
            Error::Request(format!(
                "a graph of {nodes} nodes and {edges} edges: {much}; check the number of nodes, or take a machine with \
                 more memory"
            ))
        })
    }

    #[cfg(test)]
    fn keeps_invariants(&self) -> bool {
        (0..self.nodes() as u32).all(|a| {
            let row = self.neighbours(a);
            row.windows(2).all(|w| w[0] < w[1])
                && row.iter().all(|&b| b != a && self.neighbours(b).binary_search(&a).is_ok())
        })
    }
}

/// One row per first end, in list order, without self-loops.
fn rows_by_source(nodes: usize, edges: &[(u32, u32)]) -> Graph {
    let mut offsets = vec![0usize; nodes + 1];
    for &(a, b) in edges {
        offsets[a as usize + 1] += usize::from(a != b);
    }
    for i in 0..nodes {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets[..nodes].to_vec();
    let mut neighbours = vec![0u32; offsets[nodes]];
    for &(a, b) in edges {
        if a != b {
            neighbours[next[a as usize]] = b;
            next[a as usize] += 1;
        }
    }
    Graph { offsets, neighbours }
}

/// Rows by second end. Sources are visited in order, so the new rows come out sorted.
fn transpose(rows: &Graph) -> Graph {
    let nodes = rows.nodes();
    let mut offsets = vec![0usize; nodes + 1];
    for &b in &rows.neighbours {
        offsets[b as usize + 1] += 1;
    }
    for i in 0..nodes {
        offsets[i + 1] += offsets[i];
    }
    let mut next = offsets[..nodes].to_vec();
    let mut neighbours = vec![0u32; rows.neighbours.len()];
    for a in 0..nodes as u32 {
        for &b in rows.neighbours(a) {
            neighbours[next[b as usize]] = a;
            next[b as usize] += 1;
        }
    }
    Graph { offsets, neighbours }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    #[test]
    fn merges_and_counts_every_kind_of_repetition() {
        let built = Graph::build(4, &[(0, 1), (1, 0), (0, 1), (2, 2), (2, 0), (1, 0)]).unwrap();
        assert_eq!(built.graph.edge_list().collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        assert_eq!(built.merged, Merged { given: 6, self_loops: 1, duplicates: 2, reciprocal: 1 });
    }

    #[test]
    fn names_the_edge_that_leaves_the_graph() {
        let error = Graph::from_edges(3, &[(0, 1), (1, 3)]).unwrap_err().to_string();
        assert!(error.starts_with("edge 1 joins 1 and 3, but the graph has 3 nodes"), "{error}");
    }

    #[test]
    fn a_number_of_nodes_that_no_memory_holds_is_refused_before_it_is_taken() {
        if memory::available().is_some_and(|bytes| bytes < 100 << 30) {
            let error = Graph::from_edges(4_000_000_000, &[(0, 1)]).unwrap_err().to_string();
            assert!(error.starts_with("a graph of 4000000000 nodes and 1 edges: about 192.0 GB"), "{error}");
        }
    }

    #[test]
    fn no_nodes_and_no_edges_are_graphs_too() {
        assert_eq!(Graph::from_edges(0, &[]).unwrap(), Graph::empty(0));
        assert_eq!(Graph::from_edges(5, &[]).unwrap(), Graph::empty(5));
    }

    proptest! {
        #[test]
        fn equals_the_set_of_unordered_pairs(
            nodes in 1usize..30,
            raw in prop::collection::vec((0u32..30, 0u32..30), 0..200),
        ) {
            let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % nodes as u32, b % nodes as u32)).collect();
            let Built { graph, merged } = Graph::build(nodes, &edges).unwrap();
            let pairs: BTreeSet<_> = edges.iter().filter(|(a, b)| a != b).map(|&(a, b)| (a.min(b), a.max(b))).collect();
            let ordered: BTreeSet<_> = edges.iter().filter(|(a, b)| a != b).collect();
            prop_assert!(graph.keeps_invariants());
            prop_assert_eq!(graph.edge_list().collect::<Vec<_>>(), pairs.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(merged.self_loops, edges.iter().filter(|(a, b)| a == b).count());
            prop_assert_eq!(merged.duplicates, edges.len() - merged.self_loops - ordered.len());
            prop_assert_eq!(merged.reciprocal, ordered.len() - pairs.len());
        }

        #[test]
        fn order_and_direction_of_the_list_do_not_matter(
            raw in prop::collection::vec((0u32..20, 0u32..20, any::<bool>()), 0..80),
        ) {
            let edges: Vec<_> = raw.iter().map(|&(a, b, _)| (a, b)).collect();
            let mut turned: Vec<_> = raw.iter().map(|&(a, b, turn)| if turn { (b, a) } else { (a, b) }).collect();
            turned.reverse();
            prop_assert_eq!(Graph::from_edges(20, &edges).unwrap(), Graph::from_edges(20, &turned).unwrap());
        }
    }
}
