//! The regression behind the link model: a density ratio with a floor.
//! Symbols: g(x) = f_true / f_decoy the density ratio of true edges; ρ the share of observed edges that are spurious;
//! n_o and n_d how many observed edges and decoys there are.
//!
//! ```text
//! f_observed / f_decoy = ρ + (1 − ρ) g(x),    ln g(x) = w_0 + w · x
//! odds(observed | x) = n_o / n_d (ρ + (1 − ρ) exp(w_0 + w · x))
//! ```
//!
//! Spurious edges look like decoys, so the odds never fall below n_o ρ / n_d: the floor identifies ρ. Without it this is
//! logistic regression, whose odds fall without end, and P(spurious) of the worst edges comes out too large. w and ρ
//! maximise the likelihood with a ridge on w, by Fisher scoring.

use super::GoOn;
use crate::Error;
use rayon::prelude::*;
use std::ops::ControlFlow;

// Numerical: limits, tolerance and start of the ascent; no result depends on the block size.
const STEPS: usize = 60;
/// Rows that one thread takes at a time.
const BLOCK: usize = 1024;
/// A gain of log-likelihood that ends the ascent.
const CLOSE: f64 = 1e-5;
/// ρ at first.
const FIRST: f64 = 0.12;
/// Where logit ρ may go, and ln g.
const LOGITS: (f64, f64) = (-9.0, 3.0);
const MOST: f64 = 60.0;
/// Of the prior of ρ: half an edge of each kind (Jeffreys), which keeps ρ off 0 and 1.
const PRIOR: f64 = 0.5;

/// Rows of evidence with what they are.
pub(super) struct Rows<'a> {
    /// [n, d] row after row, standardised; d is not 0.
    pub(super) x: &'a [f64],
    pub(super) d: usize,
    /// Whether each is an observed edge, or else a decoy.
    pub(super) observed: &'a [bool],
    /// How much each counts.
    pub(super) weights: &'a [f64],
}

/// w_0, w and logit ρ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tilt {
    pub(super) w: Vec<f64>,
    pub(super) logit: f64,
    ridge: f64,
}

impl Tilt {
    pub(super) fn first(d: usize, ridge: f64) -> Self {
        Self { w: vec![0.0; d + 1], logit: logit(FIRST), ridge }
    }

    /// ρ = 0, to be kept: logistic regression.
    pub(super) fn without_floor(d: usize, ridge: f64) -> Self {
        Self { w: vec![0.0; d + 1], logit: f64::NEG_INFINITY, ridge }
    }

    pub(super) fn rho(&self) -> f64 {
        sigmoid(self.logit)
    }

    /// Finds w, and ρ where it is free, from where they are.
    pub(super) fn climb(&mut self, rows: &Rows<'_>, free: bool, steps: usize, go_on: GoOn<'_>) -> Result<(), Error> {
        let scale = rows.scale();
        let mut best = self.objective(rows, scale);
        for _ in 0..steps.min(STEPS) {
            go_on()?;
            let (gradient, information) = self.derivatives(rows, scale, free);
            let m = self.w.len() + usize::from(free);
            let step = solve(information, gradient, m);
            if self.advance(rows, (scale, &step), &mut best, free).is_break() {
                break;
            }
        }
        Ok(())
    }

    /// Takes the step, or as much of it as does not lose.
    fn advance(
        &mut self,
        rows: &Rows<'_>,
        (scale, step): (f64, &[f64]),
        best: &mut f64,
        free: bool,
    ) -> ControlFlow<()> {
        let mut length = 1.0;
        while length > 1e-4 {
            let mut next = self.clone();
            next.w.iter_mut().zip(step).for_each(|(w, s)| *w += length * s);
            if free {
                next.logit = (next.logit + length * step[step.len() - 1]).clamp(LOGITS.0, LOGITS.1);
            }
            let value = next.objective(rows, scale);
            if value >= *best {
                let gain = value - *best;
                (*self, *best) = (next, value);
                return if gain < CLOSE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
            length *= 0.5;
        }
        ControlFlow::Break(())
    }

    /// ln g of a row.
    pub(super) fn ln_g(&self, row: &[f64]) -> f64 {
        linear(&self.w, row)
    }

    fn objective(&self, rows: &Rows<'_>, scale: f64) -> f64 {
        let rho = self.rho();
        let blocks = rows.blocks().map(|rows| {
            let mut sum = 0.0;
            for ((row, &observed), weight) in rows.x.chunks_exact(rows.d).zip(rows.observed).zip(rows.weights) {
                let e = linear(&self.w, row).clamp(-MOST, MOST).exp();
                let odds = scale * (rho + (1.0 - rho) * e);
                // ln of odds / (1 + odds), or of 1 / (1 + odds).
                sum -= weight * if observed { (1.0 / odds).ln_1p() } else { odds.ln_1p() };
            }
            sum
        });
        let sum: f64 = blocks.collect::<Vec<_>>().iter().sum();
        let ridge = 0.5 * self.ridge * self.w[1..].iter().map(|w| w * w).sum::<f64>();
        let prior = if rho > 0.0 { PRIOR * (rho.ln() + (1.0 - rho).ln()) } else { 0.0 };
        sum - ridge + prior
    }

    /// The gradient, and the expected information [m, m] of which the lower half is filled.
    fn derivatives(&self, rows: &Rows<'_>, scale: f64, free: bool) -> (Vec<f64>, Vec<f64>) {
        let (k, rho) = (self.w.len(), self.rho());
        let m = k + usize::from(free);
        let blocks: Vec<_> = rows.blocks().map(|rows| self.of_block(&rows, scale, free)).collect();
        let (mut gradient, mut information) = (vec![0.0; m], vec![0.0; m * m]);
        for (part, more) in blocks {
            gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
            information.iter_mut().zip(more).for_each(|(sum, part)| *sum += part);
        }
        for a in 1..k {
            gradient[a] -= self.ridge * self.w[a];
            information[a * m + a] += self.ridge;
        }
        information[0] += 1e-6;
        if free {
            gradient[k] += PRIOR * (1.0 - 2.0 * rho);
            information[k * m + k] += 2.0 * PRIOR * rho * (1.0 - rho) + 1e-6;
        }
        (gradient, information)
    }

    fn of_block(&self, rows: &Rows<'_>, scale: f64, free: bool) -> (Vec<f64>, Vec<f64>) {
        let (k, rho) = (self.w.len(), self.rho());
        let m = k + usize::from(free);
        let (mut gradient, mut information) = (vec![0.0; m], vec![0.0; m * m]);
        let mut j = vec![0.0; m];
        for ((row, &observed), &weight) in rows.x.chunks_exact(rows.d).zip(rows.observed).zip(rows.weights) {
            if weight == 0.0 {
                continue;
            }
            let e = linear(&self.w, row).clamp(-MOST, MOST).exp();
            let floor = rho + (1.0 - rho) * e;
            let odds = scale * floor;
            let p = odds / (1.0 + odds);
            // The derivatives of ln odds.
            let by_g = (1.0 - rho) * e / floor;
            j[0] = by_g;
            j[1..k].iter_mut().zip(row).for_each(|(j, x)| *j = by_g * x);
            if free {
                j[k] = (1.0 - e) / floor * rho * (1.0 - rho);
            }
            let (residual, spread) = (weight * (f64::from(u8::from(observed)) - p), weight * p * (1.0 - p));
            for (a, &ja) in j.iter().enumerate() {
                gradient[a] += residual * ja;
                let by = spread * ja;
                information[a * m..a * m + a + 1].iter_mut().zip(&j).for_each(|(h, jb)| *h += by * jb);
            }
        }
        (gradient, information)
    }
}

impl Rows<'_> {
    /// Parts that threads take, always the same ones.
    fn blocks(&self) -> impl IndexedParallelIterator<Item = Rows<'_>> {
        let blocks = self.observed.par_chunks(BLOCK).zip(self.weights.par_chunks(BLOCK));
        let blocks = blocks.zip(self.x.par_chunks(BLOCK * self.d));
        blocks.map(|((observed, weights), x)| Rows { x, d: self.d, observed, weights })
    }

    /// n_o / n_d.
    fn scale(&self) -> f64 {
        let (mut of, mut decoys) = (0.0, 0.0);
        for (&observed, weight) in self.observed.iter().zip(self.weights) {
            *if observed { &mut of } else { &mut decoys } += weight;
        }
        if decoys > 0.0 { of / decoys } else { 1.0 }
    }
}

pub(super) fn logit(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

pub(super) fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

fn linear(w: &[f64], row: &[f64]) -> f64 {
    w[0] + w[1..].iter().zip(row).map(|(w, x)| w * x).sum::<f64>()
}

/// Solves A x = b for a positive definite A [m, m] of which the lower half is filled, by Cholesky's decomposition.
fn solve(mut a: Vec<f64>, mut b: Vec<f64>, m: usize) -> Vec<f64> {
    for j in 0..m {
        for k in 0..j {
            let l = a[j * m + k];
            for i in j..m {
                a[i * m + j] -= a[i * m + k] * l;
            }
        }
        let pivot = a[j * m + j].max(1e-12).sqrt();
        for i in j..m {
            a[i * m + j] /= pivot;
        }
    }
    for i in 0..m {
        let sum: f64 = (0..i).map(|k| a[i * m + k] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * m + i];
    }
    for i in (0..m).rev() {
        let sum: f64 = (i + 1..m).map(|k| a[k * m + i] * b[k]).sum();
        b[i] = (b[i] - sum) / a[i * m + i];
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Random as _, Seed};

    // Decoys ~ N(0, 1), true edges ~ N(2, 1), so that ln g = 2 x − 2; three observed edges in ten are spurious.
    #[test]
    fn the_share_and_the_ratio_of_two_normals_are_found() {
        let mut random = Seed::new(3).at(For::Generate, [0; 3]);
        let (mut x, mut observed) = (Vec::new(), Vec::new());
        for i in 0..20_000 {
            let is_observed = i % 4 > 0;
            let is_true = is_observed && random.unit() >= 0.3;
            x.push(random.normal() + if is_true { 2.0 } else { 0.0 });
            observed.push(is_observed);
        }
        let weights = vec![1.0; x.len()];
        let rows = Rows { x: &x, d: 1, observed: &observed, weights: &weights };
        let mut tilt = Tilt::first(1, 0.5);
        tilt.climb(&rows, true, STEPS, &|| Ok(())).unwrap();
        // Standard errors, by other seeds: 0.013 of ρ, 0.07 of the weights.
        assert!((tilt.rho() - 0.3).abs() < 0.05, "{}", tilt.rho());
        assert!((tilt.w[0] + 2.0).abs() < 0.3 && (tilt.w[1] - 2.0).abs() < 0.3, "{:?}", tilt.w);
    }

    #[test]
    fn the_gradient_is_that_of_differences() {
        let x = [0.5, -1.0, 2.0, 0.3, -0.7, 1.1, 0.0, -2.0];
        let (observed, weights) = ([true, false, true, false], [1.0, 2.0, 0.5, 1.0]);
        let rows = Rows { x: &x, d: 2, observed: &observed, weights: &weights };
        let tilt = Tilt { w: vec![0.2, -0.4, 0.7], logit: -1.0, ridge: 0.5 };
        let (gradient, _) = tilt.derivatives(&rows, rows.scale(), true);
        let h = 1e-6;
        for (i, wanted) in gradient.iter().enumerate() {
            let at = |by: f64| {
                let mut moved = tilt.clone();
                *if i < 3 { &mut moved.w[i] } else { &mut moved.logit } += by;
                moved.objective(&rows, rows.scale())
            };
            let found = (at(h) - at(-h)) / (2.0 * h);
            assert!((found - wanted).abs() < 1e-6, "{i}: {found} and {wanted}");
        }
    }
}
