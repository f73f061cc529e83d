//! The edges of two graphs together.

use super::Graph;

impl Graph {
    /// Makes this the graph with the edges of `a` and of `b`, reusing memory. Panics when their nodes differ in number.
    pub fn assign_union(&mut self, a: &Self, b: &Self) {
        assert_eq!(a.nodes(), b.nodes(), "graphs of different nodes");
        self.offsets.clear();
        self.neighbours.clear();
        self.offsets.push(0);
        for node in 0..a.nodes() as u32 {
            let (mut left, mut right) = (a.neighbours(node), b.neighbours(node));
            while let (Some(&l), Some(&r)) = (left.first(), right.first()) {
                self.neighbours.push(l.min(r));
                left = &left[usize::from(l <= r)..];
                right = &right[usize::from(r <= l)..];
            }
            self.neighbours.extend_from_slice(left);
            self.neighbours.extend_from_slice(right);
            self.offsets.push(self.neighbours.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_union_has_the_edges_of_both(
            a in prop::collection::vec((0u32..20, 0u32..20), 0..40),
            b in prop::collection::vec((0u32..20, 0u32..20), 0..40),
        ) {
            let graph = |edges: &[(u32, u32)]| Graph::from_edges(20, edges).unwrap();
            let mut union = graph(&[(0, 19)]);
            union.assign_union(&graph(&a), &graph(&b));
            prop_assert_eq!(union, graph(&[a, b].concat()));
        }
    }
}
