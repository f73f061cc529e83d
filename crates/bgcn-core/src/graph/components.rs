//! Connected components.

use super::Graph;

/// Which component each node belongs to, numbered by their smallest node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// `[n]` component of each node.
    pub of: Vec<u32>,
    /// Nodes in each component.
    pub sizes: Vec<usize>,
}

impl Graph {
    /// Connected components by breadth-first search, O(N + E).
    pub fn components(&self) -> Components {
        const NONE: u32 = u32::MAX;
        let mut of = vec![NONE; self.nodes()];
        let mut sizes = Vec::new();
        let mut queue = Vec::new();
        for start in 0..self.nodes() as u32 {
            if of[start as usize] != NONE {
                continue;
            }
            let component = sizes.len() as u32;
            of[start as usize] = component;
            queue.clear();
            queue.push(start);
            let mut visited = 0;
            while visited < queue.len() {
                let a = queue[visited];
                visited += 1;
                for &b in self.neighbours(a) {
                    if of[b as usize] == NONE {
                        of[b as usize] = component;
                        queue.push(b);
                    }
                }
            }
            sizes.push(visited);
        }
        Components { of, sizes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_numbered_by_their_smallest_node() {
        let found = Graph::from_edges(6, &[(5, 0), (1, 3)]).unwrap().components();
        assert_eq!(found.of, [0, 1, 2, 1, 3, 0]);
        assert_eq!(found.sizes, [2, 2, 1, 1]);
    }
}
