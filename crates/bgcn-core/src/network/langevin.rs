//! W by Markov chain Monte Carlo: preconditioned stochastic-gradient Langevin dynamics (Li et al., 2016).
//! Paper: "MCMC" among the ways to approximate p(W | Y_L, X, G).
//! Differs: all labels make the gradient, so that it has no variance of its own. As in Li et al., the term for the
//! change of the preconditioner is left out. Every weight has the penalty's Gaussian prior: without one on the last
//! layer, as in the loss that is trained, the posterior of labels that can be separated has no bounds.
//! Symbols: ḡ the mean gradient over labels, V ← a V + (1 − a) ḡ², G = 1 / (floor + √V),
//! W ← W − ½ step G ∇U + √(step T G) N(0, 1), U = labels · (mean loss + ½ penalty |W|²).

use crate::rng::Random;

/// How a Langevin step moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Langevin {
    /// ε, above 0.
    pub step: f64,
    /// T of the noise: 1 samples the posterior, less is closer to its maximum.
    pub temperature: f64,
    /// a, share of the running mean of squared gradients that a step keeps.
    pub memory: f64,
    /// Added to the root of that mean.
    pub floor: f64,
}

/// How many labels there are, and the penalty of a weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Energy {
    pub(crate) labels: f64,
    pub(crate) penalty: f64,
}

impl Langevin {
    /// Moves weights `w` by their mean gradient `g`; `squares` is V, which the first step fills.
    pub(crate) fn step(
        &self,
        energy: Energy,
        first: bool,
        (w, g, squares): (&mut [f32], &[f32], &mut [f32]),
        noise: &mut impl Random,
    ) {
        for ((w, g), v) in w.iter_mut().zip(g).zip(squares) {
            let (at, g) = (f64::from(*w), f64::from(*g));
            let mean = if first { g * g } else { self.memory * f64::from(*v) + (1.0 - self.memory) * g * g };
            *v = mean as f32;
            let precondition = 1.0 / (self.floor + mean.sqrt());
            let slope = energy.labels * (g + energy.penalty * at);
            let spread = (self.step * self.temperature * precondition).sqrt();
            *w = (at - 0.5 * self.step * precondition * slope + spread * noise.normal()) as f32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        x: Vec<Vec<f64>>,
        y: Vec<f64>,
        penalty: f64,
        mean: Vec<f64>,
        mean_error: Vec<f64>,
        variance: Vec<f64>,
        variance_error: Vec<f64>,
    }

    /// Means and variances of the weights with their Monte Carlo errors by batches, and of the chance of the first row.
    fn sample(golden: &Golden, step: f64, steps: usize) -> Vec<[(f64, f64); 2]> {
        let (d, n) = (golden.x[0].len(), golden.x.len() as f64);
        let how = Langevin { step, temperature: 1.0, memory: 0.999, floor: 1e-5 };
        let energy = Energy { labels: n, penalty: golden.penalty };
        let mut noise = Seed::new(4).at(For::Train, [0; 3]).fast();
        let (mut w, mut v) = (vec![0f32; d], vec![0f32; d]);
        let mut advance = |w: &mut Vec<f32>, first: bool| {
            let mut g = vec![0f32; d];
            for (x, y) in golden.x.iter().zip(&golden.y) {
                let z: f64 = x.iter().zip(&*w).map(|(x, w)| x * f64::from(*w)).sum();
                let error = 1.0 / (1.0 + (-z).exp()) - y;
                g.iter_mut().zip(x).for_each(|(g, x)| *g += (error * x / n) as f32);
            }
            how.step(energy, first, (w, &g, &mut v), &mut noise);
        };
        (0..20_000).for_each(|t| advance(&mut w, t == 0));
        let batches = 64;
        let length = steps / batches;
        let chance = |w: &[f32]| {
            let z: f64 = golden.x[0].iter().zip(w).map(|(x, w)| x * f64::from(*w)).sum();
            1.0 / (1.0 + (-z).exp())
        };
        let mut of = vec![vec![[0f64; 2]; d + 1]; batches];
        for batch in &mut of {
            for _ in 0..length {
                advance(&mut w, false);
                let now = w.iter().map(|w| f64::from(*w)).chain([chance(&w)]);
                let add = |(sums, x): (&mut [f64; 2], f64)| {
                    *sums = [sums[0] + x / length as f64, sums[1] + x * x / length as f64];
                };
                batch.iter_mut().zip(now).for_each(add);
            }
        }
        let over = |f: &dyn Fn(usize) -> f64| {
            let mean = (0..batches).map(f).sum::<f64>() / batches as f64;
            let spread = (0..batches).map(|b| (f(b) - mean).powi(2)).sum::<f64>() / (batches - 1) as f64;
            (mean, (spread / batches as f64).sqrt())
        };
        (0..=d)
            .map(|q| {
                let mean = over(&|b| of[b][q][0]);
                [mean, over(&|b| of[b][q][1] - 2.0 * of[b][q][0] * mean.0 + mean.0 * mean.0)]
            })
            .collect()
    }

    // golden/weights.py: random-walk Metropolis on a logistic problem. Eight quantities at four errors.
    #[test]
    fn weights_are_those_that_metropolis_samples() {
        let golden: Golden = serde_json::from_str(include_str!("../../tests/golden/weights.json")).unwrap();
        let (whole, half) = (sample(&golden, 2e-3, 1_000_000), sample(&golden, 1e-3, 2_000_000));
        for q in 0..golden.mean.len() {
            let theirs = [(golden.mean[q], golden.mean_error[q]), (golden.variance[q], golden.variance_error[q])];
            let samples = half[q][1].0 / half[q][0].1.powi(2);
            for (i, what) in ["mean", "variance"].into_iter().enumerate() {
                let ((coarse, _), (fine, error), (truth, their_error)) = (whole[q][i], half[q][i], theirs[i]);
                let allowed = 4.0 * error.hypot(their_error) + (coarse - fine).abs();
                println!(
                    "{what} {q}: {fine:.4} (step halved: {:+.4}), Metropolis {truth:.4}, allowed {allowed:.4}; \
                     effective sample size {samples:.0}",
                    fine - coarse
                );
                assert!((fine - truth).abs() < allowed, "{what} {q}: {fine} and {truth}, allowed {allowed}");
            }
        }
    }
}
