//! Log-linear pooling of the prediction on the graph with the one from the features alone.
//! Paper: none; with weight 0 nothing is pooled.
//! Symbols: p [n, c] on the graph, q [n, c] without it, w (`feature_weight`), r_a the neighbour agreement of node a, γ
//! its exponent.
//!
//! ```text
//! p_a ∝ p_a^((1 − w) r_a^γ) q_a^(1 − (1 − w) r_a^γ)
//! ```
//!
//! The more the neighbours of a node contradict each other, the more the features count: some of its edges must be
//! wrong.

use super::propagate::agreement;
use crate::graph::Graph;
use crate::recipe::Belief;

/// Pools `p` [n, c] with `q` [n, c]. Both are softmaxes, so that no row vanishes.
pub(crate) fn pool(belief: &Belief, graph: &Graph, p: &mut [f32], mut q: impl Iterator<Item = f32>, c: usize) {
    let (own, exponent) = ((1.0 - belief.feature_weight) as f32, belief.neighbour_agreement as f32);
    let mut sum = vec![0.0; c];
    let agreements: Vec<Option<f32>> =
        (0..graph.nodes() as u32).map(|a| agreement(p, graph.neighbours(a), &mut sum)).collect();
    for (row, agreement) in p.chunks_exact_mut(c).zip(agreements) {
        let own = own * agreement.unwrap_or(1.0).powf(exponent);
        row.iter_mut().zip(&mut q).for_each(|(p, q)| *p = p.powf(own) * q.powf(1.0 - own));
        let total: f32 = row.iter().sum();
        if total > 0.0 {
            row.iter_mut().for_each(|p| *p /= total);
        } else {
            row.fill(1.0 / c as f32);
        }
    }
}
