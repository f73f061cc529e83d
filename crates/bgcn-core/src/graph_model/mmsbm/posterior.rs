//! mmsbm_posterior: its logarithm, in linear time, and the likelihood of pairs that inference has not seen.
//! Paper: the equation labelled mmsbm_posterior; held-out pairs are not in the paper.
//! Differs: log(1 − delta − s) of non-edges is the antiderivative of the line that `linear` climbs along, so that the
//! two belong together; small graphs that are too dense for the line get the exact sum.
//! Symbols: Σ_{a<b} s = ½ (Σ_k c_k S_k² − Σ_a s_aa), Σ_{a<b} s² = ½ (Σ_jk c_j c_k M_jk² − Σ_a s_aa²).

use super::gradient::At;
use super::linear::{EXACT_UP_TO, Linear};
use super::{Inference, Lambda, Mmsbm};
use crate::graph_model::blocks::{line::Line, rows::Blocks};
use crate::graph_model::{HeldOut, Pair, Progress};

impl Mmsbm<'_> {
    /// Pairs whose likelihood every entry of the trace shows.
    pub fn watch(&mut self, pairs: Vec<Pair>) {
        self.watched = pairs;
    }

    /// How well λ explains the graph now.
    pub fn progress(&self) -> Progress {
        let held_out =
            (!self.watched.is_empty()).then(|| HeldOut::mean(&self.watched, |a, b| self.lambda.edge_probability(a, b)));
        Progress { iteration: self.t, log_posterior: self.log_posterior(), held_out }
    }

    /// log p(pi, beta | G_obs) up to a constant, in O(E K + N K²).
    ///
    /// The priors of pi and beta count, those of the row sums of phi and theta do not.
    pub fn log_posterior(&self) -> f64 {
        let at = At { graph: self.graph, lambda: &self.lambda };
        let line = Line::closest(self.lambda.beta(), self.lambda.delta());
        let coarse = line.relative_error(self.lambda.delta()) > self.params.tolerance;
        let likelihood =
            if coarse && self.lambda.n() <= EXACT_UP_TO { exact_log_likelihood(at) } else { log_likelihood(at, line) };
        likelihood + self.log_prior()
    }

    pub(super) fn log_prior(&self) -> f64 {
        let params = &self.params;
        let beta: f64 = self.lambda.beta().iter().map(|b| (params.eta - 1.0) * (b.ln() + (1.0 - b).ln())).sum();
        // natural has Dir(1 + κ p), the others Dir(alpha + κ p).
        let informed = matches!(params.inference, Inference::Natural | Inference::Langevin | Inference::Variational);
        let alpha = if params.inference == Inference::Natural { 1.0 } else { params.alpha };
        if !informed && alpha == 1.0 {
            return beta;
        }
        let stride = self.lambda.stride();
        let row = |a: u32| -> f64 {
            let weight = |k: usize| match informed {
                true => alpha - 1.0 + params.prior_strength * f64::from(self.belief[a as usize * stride + k]),
                false => alpha - 1.0,
            };
            self.lambda.row(a).iter().enumerate().map(|(k, p)| weight(k) * f64::from(*p).ln()).sum()
        };
        beta + (0..self.lambda.n() as u32).map(row).sum::<f64>()
    }
}

/// s_ab.
fn overlap(lambda: &Lambda, a: u32, b: u32) -> f64 {
    let pairs = lambda.row(a).iter().zip(lambda.row(b)).zip(lambda.beta());
    pairs.map(|((&p, &q), beta)| f64::from(p) * f64::from(q) * (beta - lambda.delta())).sum()
}

/// Σ_{a<b} log p(y_ab), non-edges by the antiderivative of `line`.
pub(crate) fn log_likelihood(at: At<'_>, line: Line) -> f64 {
    let At { graph, lambda } = at;
    let (k, stride, delta, n) = (lambda.k(), lambda.stride(), lambda.delta(), lambda.n() as f64);
    let mut linear = Linear::default();
    linear.find_moments(at);
    let (s, m) = linear.moments.split_at(stride);
    let c: Vec<f64> = lambda.beta().iter().map(|beta| beta - delta).collect();
    let first: f64 = (0..k).map(|i| c[i] * s[i] * s[i]).sum();
    let second: f64 = (0..k * k).map(|i| (i / k, i % k)).map(|(i, j)| c[i] * c[j] * m[i * stride + j].powi(2)).sum();
    // Of ½ Σ_ab over all a and b, one pass takes out a = b and the edges, and puts in the edges' own terms.
    let non_edge = |s: f64| (1.0 - delta).ln() - line.at_0 * s - 0.5 * line.slope * s * s;
    let fixed = Blocks::of(lambda.n()).sum_parts((&mut Vec::new(), 1), |rows, sum| {
        for a in rows.start as u32..rows.end as u32 {
            sum[0] -= 0.5 * non_edge(overlap(lambda, a, a));
            for &b in graph.neighbours(a) {
                let s = overlap(lambda, a, b);
                sum[0] += 0.5 * ((delta + s).max(f64::MIN_POSITIVE).ln() - non_edge(s));
            }
        }
    });
    0.5 * (n * n * (1.0 - delta).ln() - line.at_0 * first - 0.5 * line.slope * second) + fixed[0]
}

/// The same sum over all pairs, O(N² K).
pub(crate) fn exact_log_likelihood(At { graph, lambda }: At<'_>) -> f64 {
    let n = lambda.n() as u32;
    let pair = |a: u32, b: u32| {
        let p = lambda.edge_probability(a, b);
        if graph.has_edge(a, b) { p.ln() } else { (1.0 - p).ln() }
    };
    (0..n).map(|a| (a + 1..n).map(|b| pair(a, b)).sum::<f64>()).sum()
}
