//! theta_update: the community strengths move.
//! Paper: the equation labelled theta_update, and g_ab(theta) of Li et al. (2016).
//!
//! ```text
//! theta_ki ← |theta_ki + eps_t (eta − 1 − rho theta_ki + theta_ki Σ_ab g_ab(theta_ki))|
//! theta_k1 Σ g = −theta_k0 Σ g = L_k − beta_k (L_k + M_k)
//! ```
//!
//! Differs: beta and the sums of theta are kept instead of theta, see `expanded_mean`. beta may jump to its conditional
//! maximum (EM) instead of climbing.
//! Symbols: L_k and M_k the responsibilities of edges and non-edges, i in {0, 1}.

use super::gradient::{At, Gradient};
use super::minibatch::Visits;
use super::phi::pass;
use super::{BetaUpdate, Mmsbm};
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::LEAST_RATE;
use crate::kernels::mmsbm_pairs::inverse_sums;

/// L from all edges and M from the non-edges visited, into `out`; how many non-edges were visited.
pub(crate) fn theta_gradient(at: At<'_>, visits: &mut dyn Visits, out: &mut Gradient) -> u64 {
    let At { graph, lambda } = at;
    let (n, k, c) = (lambda.n(), lambda.k(), at.padded_c());
    let pass = pass(at, &c);
    let mut sum = vec![0f32; pass.stride];
    out.links.fill(0.0);
    for a in 0..n as u32 {
        let row = graph.neighbours(a);
        let upper = &row[row.partition_point(|&b| b < a)..];
        if !upper.is_empty() {
            inverse_sums(&pass, a as usize, (upper, true), &mut sum);
            lambda.row(a).iter().zip(&sum).zip(&mut out.links).for_each(|((p, s), to)| *to += f64::from(p * s));
        }
    }
    out.non_links.fill(0.0);
    let (non_links, mut visited) = (&mut out.non_links, 0);
    let scale = visits.non_edges(&mut |a, others| {
        visited += others.len() as u64;
        inverse_sums(&pass, a as usize, (others, false), &mut sum);
        lambda.row(a).iter().zip(&sum).zip(&mut *non_links).for_each(|((p, s), to)| *to += f64::from(p * s));
    });
    for i in 0..k {
        out.links[i] *= lambda.beta()[i];
        out.non_links[i] *= scale * (1.0 - lambda.beta()[i]);
    }
    visited
}

impl Mmsbm<'_> {
    /// beta by EM or by ascent on theta.
    pub(super) fn move_strengths(&mut self) -> Result<(), Error> {
        let (eta, rho, eps) = (self.params.eta, self.params.rho, self.eps());
        let em = self.params.beta_update == BetaUpdate::Em;
        let gradient = &self.work.gradient;
        let (_, beta) = self.lambda.parts_mut();
        for (k, (beta, sum)) in beta.iter_mut().zip(&mut self.theta_sum).enumerate() {
            if em {
                let links = gradient.links[k] + eta - 1.0;
                let all = gradient.links[k] + gradient.non_links[k] + 2.0 * (eta - 1.0);
                // 0/0: a community without members has no evidence of its strength, which stays.
                if all > f64::MIN_POSITIVE {
                    *beta = links / all;
                }
            } else {
                let up = gradient.theta(k, *beta);
                let step = |theta: f64, g: f64| (theta + eps * (eta - 1.0 - rho * theta + g)).abs();
                let (theta_0, theta_1) = (step((1.0 - *beta) * *sum, -up), step(*beta * *sum, up));
                *sum = (theta_0 + theta_1).max(f64::MIN_POSITIVE);
                *beta = theta_1 / *sum;
            }
            *beta = beta.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        }
        self.finite_theta()
    }
}
