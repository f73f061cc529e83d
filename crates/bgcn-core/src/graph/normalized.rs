//! Â = D^-1/2 (A + I) D^-1/2, the mixing matrix of a graph convolution.
//! Paper: A_G in the layer equations, as Kipf and Welling define it.
//! Differs: no value is stored. Â x = s ∘ (A + I)(s ∘ x) with s = d^-1/2, so a pattern and one number per node suffice.

use super::Graph;

/// Â as the pattern of A + I and the vector s = (degree + 1)^-1/2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Normalized {
    offsets: Vec<usize>,
    columns: Vec<u32>,
    scale: Vec<f32>,
}

impl Normalized {
    /// Makes this the Â of `graph`, reusing the memory it has.
    pub fn assign(&mut self, graph: &Graph) {
        self.offsets.clear();
        self.columns.clear();
        self.scale.clear();
        self.offsets.push(0);
        for a in 0..graph.nodes() as u32 {
            let row = graph.neighbours(a);
            let before = row.partition_point(|&b| b < a);
            self.columns.extend_from_slice(&row[..before]);
            self.columns.push(a);
            self.columns.extend_from_slice(&row[before..]);
            self.offsets.push(self.columns.len());
            self.scale.push(1.0 / ((row.len() + 1) as f32).sqrt());
        }
    }

    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.scale.len()
    }

    /// Row starts in [`Normalized::columns`], one more than there are nodes.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The columns of A + I, row after row, ascending in each.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }

    /// s `[n]`: Â_ab = s_a s_b wherever A + I has a one.
    pub fn scale(&self) -> &[f32] {
        &self.scale
    }

    /// Row `a` written out, as (column, value).
    pub fn row(&self, a: u32) -> Vec<(u32, f32)> {
        let a = a as usize;
        let columns = &self.columns[self.offsets[a]..self.offsets[a + 1]];
        columns.iter().map(|&b| (b, self.scale[a] * self.scale[b as usize])).collect()
    }
}

impl Graph {
    /// Â of this graph.
    pub fn normalized(&self) -> Normalized {
        let mut a_hat = Normalized::default();
        a_hat.assign(self);
        a_hat
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn isolated_node_keeps_its_own_features() {
        let a_hat = Graph::from_edges(3, &[(0, 1)]).unwrap().normalized();
        assert_eq!(a_hat.row(2), [(2, 1.0)]);
    }

    #[test]
    fn a_path_has_the_values_worked_out_by_hand() {
        let a_hat = Graph::from_edges(3, &[(0, 1), (1, 2)]).unwrap().normalized();
        let (half, third, mixed) = (0.5, 1.0 / 3.0, 1.0 / 6f32.sqrt());
        let expected =
            [vec![(0, half), (1, mixed)], vec![(0, mixed), (1, third), (2, mixed)], vec![(1, mixed), (2, half)]];
        for (a, row) in expected.iter().enumerate() {
            for (&(b, value), &(c, wanted)) in a_hat.row(a as u32).iter().zip(row) {
                assert!(b == c && (value - wanted).abs() < 1e-7);
            }
        }
    }

    #[test]
    fn assigning_a_smaller_graph_leaves_nothing_of_the_larger() {
        let small = Graph::from_edges(2, &[(0, 1)]).unwrap();
        let mut a_hat = Graph::from_edges(5, &[(0, 4), (1, 2), (2, 3)]).unwrap().normalized();
        a_hat.assign(&small);
        assert_eq!(a_hat, small.normalized());
    }
}
