//! The observed graph and what is computed from it alone: Â, the rescaled Laplacian, components, statistics.
//!
//! A graph is simple and undirected, kept as a sorted CSR; this one has the edges 0–1, 0–2 and an isolated node 3:
//!
//! ```text
//! offsets    [0, 2, 3, 4, 4]          row a is neighbours[offsets[a]..offsets[a + 1]]
//! neighbours [1, 2, 0, 0]             each edge twice, once from each end
//! ```
//!
//! Invariants, kept by every constructor: rows ascend strictly, no node is its own neighbour, and b is in row a
//! exactly when a is in row b.

mod build;
mod components;
mod laplacian;
mod normalized;
mod refill;
mod statistics;
mod union;

pub use build::{Built, Merged};
pub use components::Components;
pub use laplacian::RescaledLaplacian;
pub use normalized::Normalized;
pub(crate) use refill::Refill;
pub use statistics::{DegreeSummary, clustering};

use crate::Error;

/// A simple undirected graph in compressed rows; see the [module](self) for the layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    offsets: Vec<usize>,
    neighbours: Vec<u32>,
}

impl Graph {
    /// A graph of `nodes` nodes and no edges.
    pub fn empty(nodes: usize) -> Self {
        Self { offsets: vec![0; nodes + 1], neighbours: Vec::new() }
    }

    /// Whether there may be so many nodes: node numbers are 32 bits wide.
    pub fn check_nodes(nodes: usize) -> Result<(), Error> {
        if nodes < u32::MAX as usize {
            return Ok(());
        }
        Err(Error::Request(format!(
            "{nodes} nodes are too many: node numbers are 32 bits wide, so at most 4294967294 are allowed; split the \
             graph"
        )))
    }

    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many undirected edges.
    pub fn edges(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The neighbours of `a`, ascending.
    #[inline]
    pub fn neighbours(&self, a: u32) -> &[u32] {
        &self.neighbours[self.offsets[a as usize]..self.offsets[a as usize + 1]]
    }

    /// How many neighbours `a` has.
    #[inline]
    pub fn degree(&self, a: u32) -> usize {
        self.offsets[a as usize + 1] - self.offsets[a as usize]
    }

    /// Whether `a` and `b` are joined, in O(log degree).
    pub fn has_edge(&self, a: u32, b: u32) -> bool {
        let (a, b) = if self.degree(a) <= self.degree(b) { (a, b) } else { (b, a) };
        self.neighbours(a).binary_search(&b).is_ok()
    }

    /// Every edge once, as (smaller, larger), in ascending order.
    pub fn edge_list(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.nodes() as u32).flat_map(move |a| {
            let row = self.neighbours(a);
            row[row.partition_point(|&b| b < a)..].iter().map(move |&b| (a, b))
        })
    }

    /// Row starts, one more than there are nodes.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// All rows one after another.
    pub fn targets(&self) -> &[u32] {
        &self.neighbours
    }
}
