//! The log posterior, in linear time.
//! Paper: the logarithm of the equation labelled mmsbm_posterior, for a full block matrix.
//! Differs: log(1 − s) of non-edges is the antiderivative of the line that inference climbs along, each pair seen half
//! from either end; small graphs that are too dense for it get the exact sum.
//! Symbols: v = B pi_a, s_ab = v · pi_b, Σ_b s_ab = v · S, Σ_b s_ab² = vᵀ M v.

use super::Mmsb;
use super::gradient::{At, NonEdges};
use crate::graph_model::Progress;
use crate::graph_model::blocks::memberships::LEAST_RATE;
use crate::graph_model::blocks::rows::Blocks;

impl Mmsb<'_> {
    /// How well λ explains the graph now.
    pub fn progress(&self) -> Progress {
        Progress { iteration: self.t, log_posterior: self.log_posterior(), held_out: None }
    }

    /// log p(pi, B | G_obs) up to a constant, in O(E K + N K²).
    pub fn log_posterior(&self) -> f64 {
        let at = At { graph: self.graph, pi: &self.pi, b: &self.b };
        let likelihood = match self.non_edges().1 {
            NonEdges::Closed => log_likelihood(at),
            NonEdges::Exact => exact_log_likelihood(at),
        };
        likelihood + self.log_prior()
    }

    fn log_prior(&self) -> f64 {
        let row = |a: u32| -> f64 {
            self.belief.row(a).iter().zip(self.row(a)).map(|(&p, &pi)| f64::from(p) * f64::from(pi).ln()).sum()
        };
        let density = self.prior.density;
        let upper = (0..self.b.k()).flat_map(|k| self.b.row(k)[k..].iter());
        let blocks: f64 = upper.map(|b| density * b.ln() + (1.0 - density) * (-b).ln_1p()).sum();
        let rows: f64 = (0..self.pi.n() as u32).map(row).sum();
        self.params.prior_strength * rows + self.prior.pseudo_pairs * blocks
    }
}

/// Σ_{a<b} log p(y_ab), non-edges by the antiderivative of each node's line.
pub(super) fn log_likelihood(at: At<'_>) -> f64 {
    let (k, stride, n) = (at.pi.k(), at.pi.stride(), at.pi.n());
    let moments = at.pi.moments(&mut Vec::new());
    let (s, m) = moments.split_at(stride);
    let sum = Blocks::of(n).sum_parts((&mut Vec::new(), 1), |rows, sum| {
        let mut v = vec![0.0; k];
        for a in rows.start as u32..rows.end as u32 {
            let (line, low) = at.reach(a, &mut v);
            let integral = |s: f64| line.at_0 * s + 0.5 * line.slope * s * s;
            let start = (-low).ln_1p() + integral(low);
            let dot = |b: u32| -> f64 { v.iter().zip(at.pi.row(b)).map(|(v, &q)| v * f64::from(q)).sum() };
            let first: f64 = v.iter().zip(s).map(|(v, s)| v * s).sum();
            let mv = |i: usize| -> f64 { m[i * stride..].iter().zip(&v).map(|(m, v)| m * v).sum() };
            let second: f64 = v.iter().enumerate().map(|(i, v)| v * mv(i)).sum();
            let all = n as f64 * start - line.at_0 * first - 0.5 * line.slope * second;
            let mut rest = all - (start - integral(dot(a)));
            for &b in at.graph.neighbours(a) {
                let s = dot(b);
                rest += s.max(f64::MIN_POSITIVE).ln() - (start - integral(s));
            }
            sum[0] += 0.5 * rest;
        }
    });
    sum[0]
}

/// The same sum over all pairs, O(N² K²).
pub(super) fn exact_log_likelihood(at: At<'_>) -> f64 {
    let n = at.pi.n() as u32;
    let pair = |a: u32, b: u32| {
        let p = at.b.probability(at.pi.row(a), at.pi.row(b), |rate| rate).min(1.0 - LEAST_RATE);
        if at.graph.has_edge(a, b) { p.ln() } else { (-p).ln_1p() }
    };
    (0..n).map(|a| (a + 1..n).map(|b| pair(a, b)).sum::<f64>()).sum()
}
