//! `variational`: mean-field inference, the alternative to sampling that the paper names.
//! Paper: "variational inference" among the ways to approximate p(λ | G_obs).
//! Differs: responsibilities of non-edges are summed in closed form like those of `linear`, and a round goes further
//! than the coordinate update by the factor below, since N − 1 pairs of which few are links would hold every row back.
//! Symbols: q(pi_a) = Dir(gamma_a), q(beta_k) = Beta(l_k1, l_k0); rho_a ∝ exp E log pi_a, b1 = exp E log beta,
//! b0 = exp E log(1 − beta). gamma is kept as its mean (pi) and sum, l likewise (beta).
//!
//! The coordinate update is gamma_ak = alpha + Σ_b r_ab(k), and r_ab(k) − rho_ak has the form of the gradient at rho
//! with c = b1 − delta on links and c = 1 − delta − b0 elsewhere: so gamma = alpha + (N − 1) rho + G(rho).

use super::gradient::{At, Blocks, Line};
use super::infer::larger;
use super::{Lambda, Mmsbm};
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::{LEAST_RATE, assign_normalised};
use crate::kernels::mmsbm_step::at_least;

/// Expectations of the last round, seen as parameters: rows rho, strengths 1 − b0.
struct Expected {
    rho: Lambda,
    b1: Vec<f64>,
    b0: Vec<f64>,
}

/// What a row of the update reads.
struct Round<'a> {
    at: At<'a>,
    line: Line,
    moments: &'a [f64],
    /// b1 − delta, for links.
    c1: Vec<f64>,
    /// 1 − delta − b0, for the rest.
    c0: Vec<f64>,
}

impl Mmsbm<'_> {
    /// One round for all rows and strengths; the largest change of a membership.
    pub(super) fn variational_round(&mut self) -> Result<f32, Error> {
        let Expected { rho, b1, b0 } = self.expectations();
        let at = At { graph: self.graph, lambda: &rho };
        let (k, stride, delta) = (rho.k(), rho.stride(), rho.delta());
        self.work.linear.find_moments(at);
        let line = Line::closest(rho.beta(), delta);
        let c1 = b1.iter().map(|b| b - delta).collect();
        let c0: Vec<f64> = rho.beta().iter().map(|b| b - delta).collect();
        let round = Round { at, line, moments: &self.work.linear.moments, c1, c0 };
        let blocks = Blocks::of(rho.n());
        let gradient = &mut self.work.gradient;
        let sums = blocks.sum_rows((&mut gradient.phi, stride), (&mut Vec::new(), 2 * k), |first, rows, sums| {
            for (a, to) in (first as u32..).zip(rows.chunks_exact_mut(stride)) {
                round.row(a, to, sums);
            }
        });
        let (s, m) = round.moments.split_at(stride);
        for i in 0..k {
            let squares: f64 = m[i * stride..].iter().zip(&round.c0).map(|(m, c)| c * m * m).sum();
            let all = line.at_0 * s[i] * s[i] + line.slope * squares;
            gradient.links[i] = 0.5 * b1[i] * sums[i];
            gradient.non_links[i] = (0.5 * b0[i] * (all - sums[k + i])).max(0.0);
        }
        let pull = (0..k).map(|i| round.c0[i].abs() * s[i]).fold(0.0, f64::max);
        let moved = self.move_means(&rho, pull);
        self.set_strengths()?;
        self.finite_phi(moved)
    }

    fn expectations(&self) -> Expected {
        let mut rho = self.lambda.clone();
        let (k, stride) = (rho.k(), rho.stride());
        let (b1, b0): (Vec<f64>, Vec<f64>) = (0..k)
            .map(|i| {
                let (beta, sum) = (self.lambda.beta()[i], self.theta_sum[i]);
                let log_sum = digamma(sum);
                ((digamma(beta * sum) - log_sum).exp(), (digamma((1.0 - beta) * sum) - log_sum).exp())
            })
            .unzip();
        let (rows, beta) = rho.parts_mut();
        // b0 underflows where l_k0 is small, and the line through 1/(1 − p) has no end at p = 1.
        beta.iter_mut().zip(&b0).for_each(|(beta, b0)| *beta = (1.0 - b0).min(1.0 - f64::EPSILON));
        for (row, sum) in rows.chunks_exact_mut(stride).zip(&self.phi_sum) {
            let gamma: Vec<f64> = row[..k].iter().map(|p| f64::from(p * sum)).collect();
            // exp ψ(x) underflows below x of about 0.0014; the largest entry of a row never does.
            assign_normalised(&mut row[..k], gamma.iter().map(|x| digamma(*x).exp()));
        }
        Expected { rho, b1, b0 }
    }

    /// gamma moves towards alpha + (N − 1) rho + G; the largest change of its mean.
    pub(super) fn move_means(&mut self, rho: &Lambda, pull: f64) -> f32 {
        let (k, stride, alpha) = (rho.k(), rho.stride(), self.params.alpha);
        let others = rho.n() as f64 - 1.0;
        let g = &self.work.gradient.phi;
        let (pi, _) = self.lambda.parts_mut();
        let mut moved = 0.0;
        for (a, (row, sum)) in pi.chunks_exact_mut(stride).zip(&mut self.phi_sum).enumerate() {
            let active = self.graph.degree(a as u32) as f64 + pull + 1.0;
            let factor = (self.params.damping * others / active).max(1.0);
            let gamma: Vec<f64> = (0..k)
                .map(|i| {
                    let now = f64::from(row[i]) * f64::from(*sum);
                    let expected = f64::from(rho.row(a as u32)[i]) * others + f64::from(g[a * stride + i]);
                    // No coordinate update is below alpha, so none is passed.
                    at_least(alpha, now + factor * (alpha + expected - now))
                })
                .collect();
            let before: Vec<f32> = row[..k].to_vec();
            let change = match assign_normalised(&mut row[..k], gamma.iter().copied()) {
                true => before.iter().zip(&*row).map(|(x, y)| (x - y).abs()).fold(0.0, f32::max),
                false => f32::NAN,
            };
            moved = larger(change, moved);
        }
        moved
    }

    /// l_k1 = eta + L_k, l_k0 = eta + M_k.
    fn set_strengths(&mut self) -> Result<(), Error> {
        let eta = self.params.eta;
        let gradient = &self.work.gradient;
        let (_, beta) = self.lambda.parts_mut();
        for (k, (beta, sum)) in beta.iter_mut().zip(&mut self.theta_sum).enumerate() {
            *sum = gradient.links[k] + gradient.non_links[k] + 2.0 * eta;
            *beta = ((gradient.links[k] + eta) / *sum).clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        }
        self.finite_theta()
    }
}

impl Round<'_> {
    /// G_a into `to`; adds Σ_b rho_ak rho_bk / Z over links, and rho_ak rho_bk u over links and a itself, to `sums` [2,
    /// k].
    fn row(&self, a: u32, to: &mut [f32], sums: &mut [f64]) {
        let At { graph, lambda: rho } = self.at;
        let (k, stride, delta) = (rho.k(), rho.stride(), rho.delta());
        let p = rho.row(a);
        let u = |s: f64| self.line.at_0 + self.line.slope * s;
        let dot = |c: &[f64], q: &[f32]| -> f64 {
            p.iter().zip(c).zip(q).map(|((&p, c), &q)| f64::from(p) * c * f64::from(q)).sum()
        };
        let (mut links, mut known) = (vec![0.0; k], vec![0.0; k]);
        let own = u(dot(&self.c0, p));
        known.iter_mut().zip(p).for_each(|(known, &p)| *known += own * f64::from(p));
        for &b in graph.neighbours(a) {
            let q = rho.row(b);
            let by = 1.0 / (delta + dot(&self.c1, q)).max(LEAST_RATE);
            let by_u = u(dot(&self.c0, q));
            for i in 0..k {
                links[i] += by * f64::from(q[i]);
                known[i] += by_u * f64::from(q[i]);
            }
        }
        let (s, m) = self.moments.split_at(stride);
        let mut rest = vec![0.0; k]; // Σ_b rho_b u over non-edges
        for i in 0..k {
            let pull: f64 = (0..k).map(|j| m[i * stride + j] * f64::from(p[j]) * self.c0[j]).sum();
            rest[i] = self.line.at_0 * s[i] + self.line.slope * pull - known[i];
            sums[i] += f64::from(p[i]) * links[i];
            sums[k + i] += f64::from(p[i]) * known[i];
        }
        let toward = |i: usize| self.c1[i] * links[i] - self.c0[i] * rest[i];
        let mean: f64 = (0..k).map(|i| f64::from(p[i]) * toward(i)).sum();
        (0..k).for_each(|i| to[i] = (f64::from(p[i]) * (toward(i) - mean)) as f32);
    }
}

/// ψ(x) for x > 0: the recurrence up to 6, then the asymptotic series.
fn digamma(mut x: f64) -> f64 {
    let mut shift = 0.0;
    while x < 6.0 {
        shift -= 1.0 / x;
        x += 1.0;
    }
    let y = 1.0 / (x * x);
    let series = y * (1.0 / 12.0 - y * (1.0 / 120.0 - y * (1.0 / 252.0 - y * (1.0 / 240.0 - y / 132.0))));
    shift + x.ln() - 0.5 / x - series
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_has_its_known_values() {
        // ψ(1) = −γ, ψ(½) = −γ − 2 ln 2, ψ(10) = 2.2517525890667211
        const EULER: f64 = 0.577_215_664_901_532_9;
        assert!((digamma(1.0) + EULER).abs() < 1e-9);
        assert!((digamma(0.5) + EULER + 2.0 * 2f64.ln()).abs() < 1e-9);
        assert!((digamma(10.0) - 2.251_752_589_066_721).abs() < 1e-9);
    }
}
