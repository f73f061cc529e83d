//! `linear`: the gradient with all non-edges in closed form, O(E K + N K²) and without variance.
//! Paper: the same sums as the exact gradient; the paper samples the non-edges instead.
//! Differs: 1/(1 − delta − s) is replaced by the straight line u(s) closest to it over all s that can occur.
//! Symbols: S = Σ_b pi_b `[k]`, M = Σ_b pi_b pi_bᵀ [k, k], c = beta − delta, s_ab = Σ_k pi_ak pi_bk c_k.
//!
//! Over all b, Σ_b pi_b u(s_ab) = u_0 S + u_1 M (pi_a ∘ c). Neighbours' and a's own terms are taken out again, and the
//! neighbours' exact ones put in. A line needs the first two moments and nothing else; the best one over the
//! interval is about eight times closer than the expansion around 0, at the same cost.
//!
//! How far off: |u(s) − 1/(1 − delta − s)| ≤ e on the interval, so
//! |error_ak| ≤ e pi_ak (Σ_j pi_aj |c_j| S_j + |c_k| S_k), and M_k is off by at most e (1 − beta_k) Σ_a<b pi_ak pi_bk.
//!
//! Where the closed form is off by more than the tolerance, [`EXACT_UP_TO`] nodes or fewer get the exact sum, and larger
//! graphs a sampled correction, which the report notes.

use super::Mmsbm;
use super::exact::exact;
use super::gradient::{At, Gradient};
use super::residual::{OTHERS, add_residual};
use crate::graph_model::blocks::memberships::LEAST_RATE;
use crate::graph_model::blocks::{line::Line, rows::Blocks};
use crate::graph_model::{Fallback, Report, Truncation};
use crate::kernels::mmsbm::{LinearPass, linear_rows};
use crate::rng::Stream;

/// The exact sum replaces a closed form that is too coarse up to this many nodes.
pub(super) const EXACT_UP_TO: usize = 2048;

/// Scratch memory of the closed form, and the moments of the last gradient.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    /// S `[stride]`, then M [k, stride].
    pub(crate) moments: Vec<f64>,
    partial: Vec<f64>,
}

impl Linear {
    /// Overwrites `out` with the gradient, 1/(1 − delta − s) replaced by `line`.
    pub(crate) fn gradient(&mut self, at: At<'_>, line: Line, out: &mut Gradient) {
        let At { graph, lambda } = at;
        let (k, stride, delta) = (lambda.k(), lambda.stride(), lambda.delta());
        self.find_moments(at);
        let single: Vec<f32> = self.moments.iter().map(|x| *x as f32).collect();
        let c = at.padded_c();
        let pass = LinearPass {
            offsets: graph.offsets(),
            targets: graph.targets(),
            pi: lambda.padded(),
            stride,
            c: &c,
            delta: delta as f32,
            least: LEAST_RATE as f32,
            line: [line.at_0 as f32, line.slope as f32],
            s: &single[..stride],
            m: &single[stride..],
        };
        let blocks = Blocks::of(lambda.n());
        let sums = blocks.sum_rows((&mut out.phi, stride), (&mut self.partial, 2 * stride), |first, rows, sums| {
            linear_rows(&pass, first, rows, sums);
        });
        let (s, m) = self.moments.split_at(stride);
        for (i, beta) in lambda.beta().iter().enumerate() {
            let squares = m[i * stride..][..k].iter().zip(lambda.beta()).map(|(m, beta)| (beta - delta) * m * m);
            let all = line.at_0 * s[i] * s[i] + line.slope * squares.sum::<f64>();
            out.links[i] = 0.5 * beta * sums[i];
            // Rounding can leave a little less than nothing where there are no non-edges.
            out.non_links[i] = (0.5 * (1.0 - beta) * (all - sums[stride + i])).max(0.0);
        }
    }

    /// S and M of the memberships.
    pub(crate) fn find_moments(&mut self, At { lambda, .. }: At<'_>) {
        self.moments = lambda.memberships().moments(&mut self.partial);
    }
}

impl Mmsbm<'_> {
    /// The gradient in closed form, or what replaces it.
    pub(super) fn find_gradient(&mut self, stream: &mut Stream, report: &mut Report) {
        let at = At { graph: self.graph, lambda: &self.lambda };
        let work = &mut self.work;
        let line = Line::closest(self.lambda.beta(), self.lambda.delta());
        let bound = line.relative_error(self.lambda.delta());
        // A random start is far from sparse, and its first run long: it takes the sampled correction on any graph.
        let n = self.lambda.n();
        let small = n <= EXACT_UP_TO && !self.finding_scales;
        let truncation = report.truncation.get_or_insert(Truncation { bound: 0.0, fallback: None });
        truncation.bound = truncation.bound.max(bound);
        if bound <= self.params.tolerance {
            work.linear.gradient(at, line, &mut work.gradient);
        } else if small {
            truncation.fallback = Some(Fallback::Exact);
            report.non_edges_visited += (n * n.saturating_sub(1) / 2 - self.graph.edges()) as u64;
            work.linear.find_moments(at);
            exact(at, &mut work.gradient);
        } else {
            truncation.fallback = Some(Fallback::Sampled);
            report.non_edges_visited += (n * OTHERS) as u64;
            work.linear.gradient(at, line, &mut work.gradient);
            add_residual(at, line, stream, &mut work.gradient);
        }
    }
}
