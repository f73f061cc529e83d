//! Nodes by block, and edges drawn within and between blocks by skipping the pairs that stay apart.
//! Paper: not in it; the authors' code draws its graphs from hard memberships.
//! Differs: skip sampling through each block's pairs; no N² array.
//! Symbols: a node of block k and one of block l are joined with probability B_kl.

use super::walk::{Grid, Source, Walk, pairs};
use crate::graph_model::BlockMatrix;

/// Nodes by block.
#[derive(Clone, Debug)]
pub(crate) struct Grouped {
    /// `[n]` by block, ascending in each.
    members: Vec<u32>,
    /// [k + 1] where each block begins in `members`.
    starts: Vec<usize>,
}

impl Grouped {
    pub(crate) fn new(labels: &[u32], k: usize) -> Self {
        let mut starts = vec![0; k + 1];
        for &label in labels {
            starts[label as usize + 1] += 1;
        }
        for i in 0..k {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut members = vec![0; labels.len()];
        for (a, &label) in labels.iter().enumerate() {
            members[next[label as usize]] = a as u32;
            next[label as usize] += 1;
        }
        Self { members, starts }
    }

    pub(crate) fn nodes(&self) -> usize {
        self.members.len()
    }

    pub(crate) fn block(&self, k: usize) -> &[u32] {
        &self.members[self.starts[k]..self.starts[k + 1]]
    }

    /// The nodes of all blocks before this one.
    pub(crate) fn before(&self, k: usize) -> &[u32] {
        &self.members[..self.starts[k]]
    }

    /// Appends the edges of a graph in which a pair of blocks k and l is joined with probability B_kl; each edge once.
    pub(crate) fn draw(&self, b: &BlockMatrix, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        for k in 0..b.k() {
            self.draw_within(k, b.get(k, k), random, edges);
            let rows = self.block(k);
            for l in k + 1..b.k() {
                draw_across((rows, self.block(l)), b.get(k, l), random, edges);
            }
        }
    }

    /// Appends edges inside block `k`.
    pub(crate) fn draw_within(&self, k: usize, p: f64, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        let block = self.block(k);
        let (mut walk, mut grid) = (Walk::new(pairs(block.len()), p), Grid::new(block.len()));
        while let Some(number) = walk.stop(random) {
            let (i, j) = grid.pair(number);
            edges.push((block[i], block[j]));
        }
    }
}

/// Appends edges between two disjoint sets of nodes.
pub(crate) fn draw_across((rows, columns): (&[u32], &[u32]), p: f64, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
    let all = rows.len() as u64 * columns.len() as u64;
    let (mut walk, mut grid) = (Walk::new(all, p), Grid::new(columns.len()));
    while let Some(number) = walk.stop(random) {
        let (i, j) = grid.at(number);
        edges.push((rows[i], columns[j]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_found_by_block_and_empty_blocks_are_empty() {
        let grouped = Grouped::new(&[2, 0, 2, 3, 0], 4);
        assert_eq!([0, 1, 2, 3].map(|k| grouped.block(k)), [&[1, 4][..], &[], &[0, 2], &[3]]);
    }
}
