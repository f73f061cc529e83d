//! A + I as attention needs it: every node with its neighbours and itself, and for each entry its mirror.

use crate::graph::{Graph, Normalized};
use crate::kernels::Pattern;
use crate::network::Operator;

/// The pattern of A + I, and for each entry (a, b) the place of (b, a).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Neighbourhoods {
    /// Â, for its pattern; its values are not used.
    a_hat: Normalized,
    mirror: Vec<u32>,
    /// Scratch: entries seen of each row.
    seen: Vec<usize>,
}

impl Neighbourhoods {
    /// For each entry (a, b) the place of (b, a), both counted over all rows.
    pub fn mirror(&self) -> &[u32] {
        &self.mirror
    }
}

impl Operator for Neighbourhoods {
    fn assign(&mut self, graph: &Graph) {
        self.a_hat.assign(graph);
        let (offsets, columns) = (self.a_hat.offsets(), self.a_hat.columns());
        assert!(columns.len() <= u32::MAX as usize, "{} entries are too many for 32-bit places", columns.len());
        // Rows ascend, so walking over all rows meets the entries of column b in the order of row b.
        self.seen.clear();
        self.seen.extend_from_slice(&offsets[..offsets.len() - 1]);
        self.mirror.clear();
        self.mirror.extend(columns.iter().map(|&b| {
            let place = &mut self.seen[b as usize];
            *place += 1;
            (*place - 1) as u32
        }));
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::from(&self.a_hat)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_mirror_of_an_entry_is_its_transpose(edges in prop::collection::vec((0u32..30, 0u32..30), 0..80)) {
            let mut of = Neighbourhoods::default();
            of.assign(&Graph::from_edges(50, &[(3, 40), (1, 2)]).unwrap()); // leaves nothing behind
            of.assign(&Graph::from_edges(30, &edges).unwrap());
            let row = |a| of.pattern().row(a).iter().map(move |&b| (a, b));
            let entries: Vec<(u32, u32)> = (0..30).flat_map(row).collect();
            prop_assert_eq!(of.mirror().len(), entries.len());
            for (&(a, b), &mirror) in entries.iter().zip(of.mirror()) {
                prop_assert_eq!(entries[mirror as usize], (b, a));
            }
        }
    }
}
