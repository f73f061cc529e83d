//! What is believed of nodes without a label, as something to learn from beside the labels.
//! Paper: none; the networks there learn from labelled nodes alone.
//! Symbols: p [n, c] what the network predicts, q [n, c] the belief, U the nodes hinted at, w (`weight`).
//!
//! ```text
//! w / |U| Σ_{a ∈ U} |p_a − q_a|²        is added to the loss
//! ```
//!
//! The squared distance is bounded, so that a node whose belief is wrong pulls no harder than others: unlike a label, a belief may be.

use crate::kernels::{Matrix, softmax};

/// Beliefs over classes that a step learns from.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'h> {
    /// U, ascending; none of them may be labelled.
    pub nodes: &'h [u32],
    /// q [n, c], row after row.
    pub belief: &'h [f32],
    /// w, beside the mean loss of the labelled nodes.
    pub weight: f64,
}

impl Hints<'_> {
    /// Writes the gradient into the rows of the nodes: dz_ai = 2 w / |U| p_ai (p_ai − q_ai − Σ_j p_aj (p_aj − q_aj)).
    pub(super) fn gradient(&self, z: &Matrix, d_z: &mut Matrix) {
        let (c, weight) = (z.columns(), 2.0 * self.weight as f32 / self.nodes.len() as f32);
        softmax(self.nodes, z, d_z);
        for &a in self.nodes {
            let q = &self.belief[a as usize * c..][..c];
            let row = d_z.row_mut(a as usize);
            let mean: f32 = row.iter().zip(q).map(|(p, q)| p * (p - q)).sum();
            row.iter_mut().zip(q).for_each(|(p, q)| *p *= weight * (*p - q - mean));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_the_difference_of_the_loss() {
        let z = Matrix::from_rows(3, 3, &[0.3, -1.0, 2.0, 5.0, 4.0, 5.0, 0.1, 0.2, -0.4]);
        let hints = Hints { nodes: &[0, 2], belief: &[0.7, 0.2, 0.1, 0.0, 0.0, 1.0, 0.0, 0.9, 0.1], weight: 1.7 };
        let loss = |z: &Matrix| {
            let distance = |a: usize| {
                let exps: Vec<f64> = z.row(a).iter().map(|&z| f64::from(z).exp()).collect();
                let total: f64 = exps.iter().sum();
                let q = &hints.belief[3 * a..][..3];
                exps.iter().zip(q).map(|(e, &q)| (e / total - f64::from(q)).powi(2)).sum::<f64>()
            };
            1.7 / 2.0 * (distance(0) + distance(2))
        };
        let mut d_z = Matrix::from_rows(3, 3, &[9.0; 9]);
        hints.gradient(&z, &mut d_z);
        for a in [0, 2] {
            for i in 0..3 {
                let at = |shift: f32| {
                    let mut z = z.clone();
                    z.row_mut(a)[i] += shift;
                    loss(&z)
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                assert!((slope - f64::from(d_z.row(a)[i])).abs() < 1e-4, "{slope} and {}", d_z.row(a)[i]);
            }
        }
        assert_eq!(d_z.row(1), &[9.0; 3], "a node that is not hinted at");
    }
}
