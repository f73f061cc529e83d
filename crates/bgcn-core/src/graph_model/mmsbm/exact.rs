//! The exact gradient, pair by pair, O(N² K) in double precision.
//! Paper: the sums in the equations labelled theta_update and phi_update, before any sampling.
//! Differs: nothing. It replaces `linear` on small dense graphs, and the tests measure the others by it.
//! Symbols: p_ab = delta + s_ab, s_ab = Σ_k pi_ak pi_bk c_k, c = beta − delta.
//!
//! With w_ab = 1/p_ab on edges and −1/(1 − p_ab) elsewhere, the printed derivative is
//! phi_ak g_ab(phi_ak) = pi_ak (c_k pi_bk − s_ab) w_ab, so Σ_b pi_b w_ab is all that a row needs.

use super::gradient::{At, Gradient};
use crate::graph_model::blocks::rows::Blocks;

/// Overwrites `out` with the exact gradient.
pub(crate) fn exact(at: At<'_>, out: &mut Gradient) {
    let At { lambda, .. } = at;
    let k = lambda.k();
    let blocks = Blocks::of(lambda.n());
    let mut partial = Vec::new();
    let sums = blocks.sum_rows((&mut out.phi, lambda.stride()), (&mut partial, 2 * k), |first, rows, sums| {
        let mut row = vec![0.0; k];
        for (a, to) in (first..).zip(rows.chunks_exact_mut(lambda.stride())) {
            exact_row(at, a as u32, &mut row, sums);
            to.iter_mut().zip(&row).for_each(|(to, g)| *to = *g as f32);
        }
    });
    // Every pair was met from both ends.
    for (i, beta) in lambda.beta().iter().enumerate() {
        out.links[i] = 0.5 * beta * sums[i];
        out.non_links[i] = 0.5 * (1.0 - beta) * sums[k + i];
    }
}

/// phi_a ∘ g(phi_a) into `out` `[k]`; adds Σ_b pi_ak pi_bk / p(y_ab) to `sums` [2, k], edges first.
pub(crate) fn exact_row(at: At<'_>, a: u32, out: &mut [f64], sums: &mut [f64]) {
    let At { graph, lambda } = at;
    let (k, delta) = (lambda.k(), lambda.delta());
    let p = lambda.row(a);
    let v: Vec<f64> = p.iter().zip(lambda.beta()).map(|(&p, beta)| f64::from(p) * (beta - delta)).collect();
    let mut rest = vec![0.0; k];
    let mut neighbours = graph.neighbours(a).iter().peekable();
    for b in (0..lambda.n() as u32).filter(|&b| b != a) {
        let linked = neighbours.next_if(|&&next| next == b).is_some();
        let q = lambda.row(b);
        let s: f64 = v.iter().zip(q).map(|(v, &q)| v * f64::from(q)).sum();
        let w = if linked { 1.0 / (delta + s) } else { 1.0 / (1.0 - delta - s) };
        let sums = &mut sums[if linked { 0 } else { k }..][..k];
        for (i, &q) in q.iter().enumerate() {
            let weighted = w * f64::from(q);
            sums[i] += f64::from(p[i]) * weighted;
            rest[i] += if linked { weighted } else { -weighted };
        }
    }
    let mean: f64 = v.iter().zip(&rest).map(|(v, rest)| v * rest).sum();
    for i in 0..k {
        out[i] = v[i] * rest[i] - f64::from(p[i]) * mean;
    }
}
