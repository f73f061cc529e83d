//! A graph rebuilt in place, for draws that come by the thousand: no allocation once the memory has grown to size.
//!
//! Rows are filled by counting. In a graph too large for the caches that would miss one on every edge, so the edges are
//! first parted by the high bits of their ends, and each part is then filled while its rows are in cache.

use super::Graph;
use std::ops::Range;

/// Nodes in a part, as a power of two: its rows (mean degree 10) and counters stay within half a megabyte.
const PART_BITS: u32 = 12;
/// Graphs of at most this many nodes are filled directly: the second-level cache holds most of them.
const DIRECT: usize = 1 << 15;
/// More open parts than this would exhaust the address cache while parting; parts grow instead.
const MAX_PARTS_BITS: u32 = 10;

/// The memory that rebuilding a graph needs beside the graph itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Refill {
    /// Each edge from both ends, (end, other end), by part.
    parted: Vec<(u32, u32)>,
    /// Where the next entry of each part goes.
    part_next: Vec<usize>,
    /// Where the next neighbour of each node of a part goes.
    next: Vec<usize>,
    /// The rows being sorted.
    sorted: Vec<u32>,
}

impl Graph {
    /// Makes this the graph of `edges` on `nodes` nodes. The caller promises that no edge is a self-loop or leaves the
    /// graph, and calls [`Graph::merge_repeated`] next unless every pair is listed once.
    pub(crate) fn refill(&mut self, nodes: usize, edges: &[(u32, u32)], memory: &mut Refill) {
        self.offsets.clear();
        self.offsets.reserve(nodes + 1);
        self.offsets.push(0);
        self.neighbours.resize(2 * edges.len(), 0); // every place is overwritten below
        let bits = PART_BITS.max((usize::BITS - nodes.leading_zeros()).saturating_sub(MAX_PARTS_BITS));
        if nodes <= DIRECT {
            let both = || edges.iter().flat_map(|&(a, b)| [(a, b), (b, a)]);
            self.push_rows(0..nodes, both, &mut memory.next);
            self.sort_by_transposing(memory);
        } else {
            let parts = ((nodes - 1) >> bits) + 1;
            memory.part(parts, bits, edges);
            let mut start = 0;
            for part in 0..parts {
                let end = memory.part_next[part];
                let entries = &memory.parted[start..end];
                let range = part << bits..nodes.min((part + 1) << bits);
                self.push_rows(range.clone(), || entries.iter().copied(), &mut memory.next);
                for bounds in self.offsets[range.start..=range.end].windows(2) {
                    self.neighbours[bounds[0]..bounds[1]].sort_unstable();
                }
                start = end;
            }
        }
    }

    /// Fills the rows of the nodes `range`, in list order, after those before it, given each (node, neighbour) of them.
    fn push_rows<I: Iterator<Item = (u32, u32)>>(
        &mut self,
        range: Range<usize>,
        entries: impl Fn() -> I,
        next: &mut Vec<usize>,
    ) {
        let first = range.start;
        next.clear();
        next.resize(range.len(), 0);
        for (a, _) in entries() {
            next[a as usize - first] += 1;
        }
        let mut end = self.offsets[first];
        for count in next.iter_mut() {
            let start = end;
            end += *count;
            *count = start;
            self.offsets.push(end);
        }
        for (a, b) in entries() {
            let place = &mut next[a as usize - first];
            self.neighbours[*place] = b;
            *place += 1;
        }
    }

    /// Sorts all rows at once: A is its own transpose, and taking its rows in order writes those of the transpose in
    /// order. Writes everywhere, so only for graphs that the caches hold.
    fn sort_by_transposing(&mut self, memory: &mut Refill) {
        let Refill { next, sorted, .. } = memory;
        next.clear();
        next.extend_from_slice(&self.offsets[..self.nodes()]);
        sorted.resize(self.neighbours.len(), 0); // every place is overwritten below
        for (a, bounds) in self.offsets.windows(2).enumerate() {
            for &b in &self.neighbours[bounds[0]..bounds[1]] {
                let place = &mut next[b as usize];
                sorted[*place] = a as u32;
                *place += 1;
            }
        }
        std::mem::swap(&mut self.neighbours, sorted);
    }

    /// Makes one edge of a pair that was listed more than once.
    pub(crate) fn merge_repeated(&mut self) {
        let (mut start, mut kept) = (0, 0);
        for a in 0..self.nodes() {
            let (first, end) = (kept, self.offsets[a + 1]);
            for i in start..end {
                let b = self.neighbours[i];
                if kept == first || self.neighbours[kept - 1] != b {
                    self.neighbours[kept] = b;
                    kept += 1;
                }
            }
            self.offsets[a + 1] = kept;
            start = end;
        }
        self.neighbours.truncate(kept);
    }
}

impl Refill {
    /// Sorts the edges, from both ends, into parts of 2^bits nodes; afterwards `part_next` holds the parts' ends.
    fn part(&mut self, parts: usize, bits: u32, edges: &[(u32, u32)]) {
        self.part_next.clear();
        self.part_next.resize(parts + 1, 0);
        for &(a, b) in edges {
            self.part_next[(a >> bits) as usize + 1] += 1;
            self.part_next[(b >> bits) as usize + 1] += 1;
        }
        for i in 0..parts {
            self.part_next[i + 1] += self.part_next[i];
        }
        self.parted.resize(2 * edges.len(), (0, 0)); // every place is overwritten below
        for &(a, b) in edges {
            for entry in [(a, b), (b, a)] {
                let place = &mut self.part_next[(entry.0 >> bits) as usize];
                self.parted[*place] = entry;
                *place += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Random, Seed};
    use proptest::prelude::*;

    #[test]
    fn parted_and_direct_fillings_equal_the_plain_construction() {
        let mut random = Seed::new(5).at(For::Graph, [0; 3]).fast();
        let (mut graph, mut memory) = (Graph::empty(0), Refill::default());
        for nodes in [50_000, 100, DIRECT, DIRECT + 1, 9000, 1] {
            let mut edges = Vec::new();
            for _ in 0..3 * nodes {
                let (a, b) = (random.below(nodes as u64) as u32, random.below(nodes as u64) as u32);
                if a != b {
                    edges.push((a, b));
                }
            }
            graph.refill(nodes, &edges, &mut memory);
            graph.merge_repeated();
            assert_eq!(graph, Graph::from_edges(nodes, &edges).unwrap(), "{nodes} nodes");
        }
    }

    proptest! {
        #[test]
        fn nothing_of_an_earlier_graph_is_left(
            first in prop::collection::vec((0u32..30, 0u32..30), 0..90),
            second in prop::collection::vec((0u32..20, 0u32..20), 0..50),
        ) {
            let simple = |edges: Vec<(u32, u32)>| edges.into_iter().filter(|(a, b)| a != b).collect::<Vec<_>>();
            let (first, second) = (simple(first), simple(second));
            let (mut graph, mut memory) = (Graph::empty(0), Refill::default());
            graph.refill(30, &first, &mut memory);
            graph.refill(20, &second, &mut memory);
            graph.merge_repeated();
            prop_assert_eq!(graph, Graph::from_edges(20, &second).unwrap());
        }
    }
}
