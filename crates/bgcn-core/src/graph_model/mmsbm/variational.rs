//! `variational`: mean-field inference, the alternative to sampling that the paper names (Gopalan et al., 2012).
//! Paper: "variational inference" among the ways to approximate p(λ | G_obs).
//! Differs: nodes are updated one after another, each to the fixed point of its own update, since updating all at once
//! oscillates; the chance that a pair has no link is taken to first order, so that sums over non-edges need only
//! S = Σ_b rho_b. Half of the rounds anneal: the entropy's share of the update grows from 0 to 1 as the square, or a
//! random start would lose its communities before they form. The prior of pi_a is Dir(alpha + κ p_a) around the
//! start p.
//! Symbols: q(pi_a) = Dir(gamma_a), rho_a ∝ exp E log pi_a; q(beta_k) = Beta(l_k1, l_k0), b1 = exp E log beta,
//! b0 = exp E log(1 − beta).
//!
//! Of a node's pairs, e_k is the expected number of links by community k, d_k = (1 − b0_k − delta) Σ_{b not linked}
//! rho_bk. The update gamma_k = shape_k + e_k + rho_k (M − d_k + Σ_j rho_j d_j), over M non-edges, holds itself back by
//! the M in it. With y = exp ψ(gamma) and h(y) = gamma − y, which rises from 0 to ½, its fixed point is
//! rho_k = (shape_k + e_k − h(y_k)) / (mu + d_k), mu from Σ_k rho_k = 1.

use super::start::multiplier;
use super::{Lambda, Mmsbm};
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::LEAST_RATE;
use crate::setting::OrAuto;

/// A membership falls by at most this factor in an update whose numerator would be negative.
const FALL: f64 = 0.1;
/// No expected membership is below this.
const LEAST: f64 = 1e-12;

/// q(pi) and q(beta).
#[derive(Clone, Debug, Default)]
pub(super) struct MeanField {
    /// rho [n, k].
    rho: Vec<f64>,
    /// Σ_a rho_a and Σ_a rho_a², each `[k]`.
    sums: Vec<f64>,
    squares: Vec<f64>,
    b1: Vec<f64>,
    b0: Vec<f64>,
    delta: f64,
    annealed: usize,
}

impl MeanField {
    fn new(lambda: &Lambda, iterations: usize) -> Self {
        let (n, k) = (lambda.n(), lambda.k());
        let rho: Vec<f64> = (0..n as u32).flat_map(|a| lambda.row(a)).map(|p| f64::from(*p)).collect();
        let (mut sums, mut squares) = (vec![0.0; k], vec![0.0; k]);
        for row in rho.chunks_exact(k) {
            (0..k).for_each(|i| sums[i] += row[i]);
            (0..k).for_each(|i| squares[i] += row[i] * row[i]);
        }
        let (b1, b0) = lambda.beta().iter().map(|b| (*b, 1.0 - b)).unzip();
        Self { rho, sums, squares, b1, b0, delta: lambda.delta(), annealed: iterations / 2 }
    }
}

/// Twice the expected links inside each community, twice Σ_edges rho_ak rho_bk, and the links between communities.
struct Sums {
    links: Vec<f64>,
    inside: Vec<f64>,
    background: f64,
}

impl Mmsbm<'_> {
    /// Forgets q, so that the next of `iterations` rounds starts at λ.
    pub(super) fn begin_mean_field(&mut self, iterations: usize) {
        self.work.mean_field = MeanField::new(&self.lambda, iterations);
        if self.params.delta == OrAuto::Auto {
            // A quarter of the density lies between communities and ten times it inside, before anything is known.
            let density = self.density();
            self.work.mean_field.delta = 0.25 * density;
            let strength = (10.0 * density).min(0.5);
            self.work.mean_field.b1.fill(strength);
            self.work.mean_field.b0.fill(1.0 - strength);
        }
    }

    fn density(&self) -> f64 {
        let n = self.lambda.n() as f64;
        (self.graph.edges() as f64 / (0.5 * n * (n - 1.0)).max(1.0)).clamp(LEAST_RATE, 0.9)
    }

    /// One round for all rows and strengths; the largest change of a membership.
    pub(super) fn variational_round(&mut self) -> Result<f32, Error> {
        let (n, k) = (self.lambda.n(), self.lambda.k());
        let mut q = std::mem::take(&mut self.work.mean_field);
        let entropy = if q.annealed == 0 { 1.0 } else { (self.t as f64 / q.annealed as f64).powi(2).min(1.0) };
        let mut sums = Sums { links: vec![0.0; k], inside: vec![0.0; k], background: 0.0 };
        let (mut moved, mut gamma) = (0f32, vec![0.0; k]);
        let mut means = vec![0f32; n * k];
        for a in 0..n {
            let change = self.update_node(a, entropy, &mut q, &mut sums, &mut gamma);
            moved = super::expanded_mean::larger(change, moved);
            let total: f64 = gamma.iter().sum();
            self.phi_sum[a] = total as f32;
            means[a * k..][..k].iter_mut().zip(&gamma).for_each(|(mean, x)| *mean = (x / total) as f32);
        }
        self.finite_phi(moved)?;
        self.update_strengths(&mut q, &sums, &means)?;
        self.work.mean_field = q;
        Ok(moved)
    }

    /// rho_a at the fixed point of its update, and gamma_a; the largest change of rho_a.
    fn update_node(&self, a: usize, entropy: f64, q: &mut MeanField, sums: &mut Sums, gamma: &mut [f64]) -> f32 {
        let (k, stride, delta) = (self.lambda.k(), self.lambda.stride(), q.delta);
        let own: Vec<f64> = q.rho[a * k..][..k].to_vec();
        let (mut near, mut plain, mut over_z) = (vec![0.0; k], vec![0.0; k], 0.0);
        for &b in self.graph.neighbours(a as u32) {
            let other = &q.rho[b as usize * k..][..k];
            let shared: f64 = (0..k).map(|i| own[i] * other[i] * (q.b1[i] - delta)).sum();
            let by = 1.0 / (delta + shared).max(LEAST_RATE);
            over_z += by;
            for i in 0..k {
                near[i] += by * other[i];
                plain[i] += other[i];
            }
        }
        let others = (self.lambda.n() - 1 - self.graph.degree(a as u32)) as f64;
        let (mut e, mut d, mut between) = (vec![0.0; k], vec![0.0; k], delta * over_z);
        for i in 0..k {
            e[i] = own[i] * ((q.b1[i] - delta) * near[i] + delta * over_z);
            d[i] = (1.0 - q.b0[i] - delta).max(0.0) * (q.sums[i] - own[i] - plain[i]).max(0.0);
            sums.links[i] += q.b1[i] * own[i] * near[i];
            sums.inside[i] += own[i] * plain[i];
            between -= delta * own[i] * near[i];
        }
        sums.background += between;
        let held = others + (0..k).map(|i| own[i] * d[i]).sum::<f64>();
        let belief = &self.belief[a * stride..];
        let (alpha, strength) = (self.params.alpha, self.params.prior_strength);
        let total = k as f64 * alpha + strength + self.lambda.n() as f64 - 1.0;
        let scale = (total - 0.5 * k as f64).max(0.5 * total); // Σ_k exp ψ(gamma_k), nearly
        let gap: Vec<f64> = own.iter().map(|rho| inverse_exp_digamma(rho * scale) - rho * scale).collect();
        let numerators: Vec<f64> = (0..k)
            .map(|i| {
                let full = alpha + strength * f64::from(belief[i]) + e[i];
                (full - entropy * gap[i] - (1.0 - entropy) * alpha).max(FALL * full)
            })
            .collect();
        let mu = multiplier(&numerators, &d);
        let mut rho: Vec<f64> = (0..k).map(|i| (numerators[i] / (mu + d[i])).max(LEAST)).collect();
        let sum: f64 = rho.iter().sum();
        rho.iter_mut().for_each(|rho| *rho /= sum);
        let mut change = 0f32;
        for i in 0..k {
            gamma[i] = alpha + strength * f64::from(belief[i]) + e[i] + rho[i] * (held - d[i]).max(0.0);
            q.sums[i] += rho[i] - own[i];
            q.squares[i] += rho[i] * rho[i] - own[i] * own[i];
            q.rho[a * k + i] = rho[i];
            change = super::expanded_mean::larger((rho[i] - own[i]).abs() as f32, change);
        }
        change
    }

    /// l_k1 = eta + L_k, l_k0 = eta + M_k; delta by its EM update where it is not given, and λ of the means.
    fn update_strengths(&mut self, q: &mut MeanField, sums: &Sums, means: &[f32]) -> Result<(), Error> {
        let (k, n, eta) = (self.lambda.k(), self.lambda.n() as f64, self.params.eta);
        let (mut same, mut beta) = (0.0, vec![0.0; k]);
        for (i, beta) in beta.iter_mut().enumerate() {
            let pairs = 0.5 * (q.sums[i] * q.sums[i] - q.squares[i]).max(0.0);
            same += pairs;
            let (yes, no) = (eta + 0.5 * sums.links[i], eta + (pairs - 0.5 * sums.inside[i]).max(0.0));
            self.theta_sum[i] = yes + no;
            *beta = yes / (yes + no);
            (q.b1[i], q.b0[i]) = ((digamma(yes) - digamma(yes + no)).exp(), (digamma(no) - digamma(yes + no)).exp());
        }
        self.finite_theta()?;
        let raised = match self.params.delta {
            OrAuto::Fixed(_) => 0.0,
            OrAuto::Auto => {
                let (density, apart) = (self.density(), 0.5 * n * (n - 1.0) - same);
                if apart > 0.0 {
                    q.delta = (0.5 * sums.background / apart).clamp(1e-4 * density, density);
                }
                // Two nodes of which nothing is known are joined with the density.
                density - q.delta
            }
        };
        beta.iter_mut().for_each(|beta| *beta = (*beta + raised).min(1.0));
        self.lambda = Lambda::new(k, means, beta, q.delta + raised)?;
        Ok(())
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

/// x with exp ψ(x) = y, for y > 0.
fn inverse_exp_digamma(y: f64) -> f64 {
    // exp ψ(x) = x − ½ + 1/(24 x) + O(x⁻²) from above; far below, ψ(x) = −1/x − γ.
    if y > 3.0 {
        return y + 0.5 - 1.0 / (24.0 * (y + 0.5));
    }
    let (mut low, mut high) = (0.0, y + 0.5);
    let wanted = y.ln();
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if digamma(middle) < wanted { low = middle } else { high = middle }
    }
    0.5 * (low + high)
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

    #[test]
    fn the_inverse_is_one() {
        for y in [1e-9, 1e-3, 0.2, 1.0, 2.9, 3.1, 50.0, 1e4] {
            let x = inverse_exp_digamma(y);
            assert!((digamma(x).exp() / y - 1.0).abs() < 1e-3, "{y}: {x}");
            assert!(x > y && x - y <= 0.5 + 1e-6);
        }
    }
}
