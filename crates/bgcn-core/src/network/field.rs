//! The receptive field: which rows of which layer the wanted outputs depend on.
//!
//! The loss looks at the labelled nodes only, so a training step needs the output there, the layer below at their
//! neighbours, and so on. Exact, and on a citation graph with few labels a small part of all rows.

use crate::kernels::Pattern;

/// Sorted row lists, from the widest (the input) to the wanted ones (the output).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Field {
    levels: Vec<Vec<u32>>,
    seen: Vec<bool>,
}

impl Field {
    /// Every row at `hops` + 1 levels.
    pub fn all(nodes: usize, hops: usize) -> Self {
        Self { levels: vec![(0..nodes as u32).collect(); hops + 1], seen: vec![false; nodes] }
    }

    /// Makes this the field of the `wanted` rows: each level holds the closed neighbourhood of the next.
    ///
    /// `wanted` may be in any order. The cost is that of the field, not of the graph, once the marks have been
    /// allocated.
    pub fn assign(&mut self, pattern: Pattern<'_>, wanted: &[u32], hops: usize) {
        self.seen.resize(pattern.nodes(), false);
        self.levels.resize(hops + 1, Vec::new());
        let last = &mut self.levels[hops];
        last.clear();
        last.extend_from_slice(wanted);
        last.sort_unstable();
        last.dedup();
        for level in (0..hops).rev() {
            let (below, above) = self.levels.split_at_mut(level + 1);
            grow(pattern, &above[0], &mut below[level], &mut self.seen);
        }
    }

    /// The rows needed at `level`, ascending; level 0 is the input, level [`Field::hops`] the output.
    pub fn rows(&self, level: usize) -> &[u32] {
        &self.levels[level]
    }

    /// The wanted rows.
    pub fn wanted(&self) -> &[u32] {
        self.levels.last().map_or(&[], |rows| rows)
    }
}

/// The closed neighbourhood of `rows`, ascending.
fn grow(pattern: Pattern<'_>, rows: &[u32], grown: &mut Vec<u32>, seen: &mut [bool]) {
    grown.clear();
    let nodes = pattern.nodes();
    if rows.len() == nodes {
        grown.extend_from_slice(rows);
        return;
    }
    for &a in rows {
        for &b in std::iter::once(&a).chain(pattern.row(a)) {
            if !std::mem::replace(&mut seen[b as usize], true) {
                grown.push(b);
            }
        }
    }
    // Sorting few rows, or walking over all marks: whichever is less work.
    if grown.len() * 8 < nodes {
        grown.sort_unstable();
        grown.iter().for_each(|&b| seen[b as usize] = false);
    } else {
        grown.clear();
        grown.extend((0..nodes as u32).filter(|&b| std::mem::take(&mut seen[b as usize])));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_level_holds_exactly_the_nodes_within_reach(
            edges in prop::collection::vec((0u32..40, 0u32..40), 0..60),
            wanted in prop::collection::vec(0u32..40, 1..6),
        ) {
            let graph = Graph::from_edges(40, &edges).unwrap();
            let a_hat = graph.normalized();
            let mut field = Field::default();
            field.assign(Pattern::from(&a_hat), &[0], 1); // leaves nothing behind
            field.assign(Pattern::from(&a_hat), &wanted, 2);
            let mut reach: Vec<bool> = (0..40).map(|a| wanted.contains(&a)).collect();
            for level in (0..=2).rev() {
                let expected: Vec<u32> = (0..40).filter(|&a| reach[a as usize]).collect();
                prop_assert_eq!(field.rows(level), &expected[..]);
                for a in expected {
                    graph.neighbours(a).iter().for_each(|&b| reach[b as usize] = true);
                }
            }
        }
    }
}
