//! The mean of p(Z | W, G, X) over the draws, and what the draws disagree about.
//! Paper: the outer sums of the equation labelled MC_posterior.
//! Differs: nothing. Besides the mean, sums are kept that split its uncertainty.
//! Symbols: p_s [n, c] the softmax of draw s; w_s its weight, Σ_s w_s = 1, the same for all but where models are mixed;
//! H entropy in nats.
//!
//! ```text
//! entropy            H(Σ_s w_s p_s)                 how unsure
//! expected entropy   Σ_s w_s H(p_s)                 of that, the data's share: every draw is unsure
//! mutual information their difference, at least 0   the model's share: the draws contradict each other
//! ```

use super::values::{NoiseFrom, ValueScale, Values};
use crate::kernels::Matrix;
use crate::metrics::largest;

/// The predictive distribution of every node.
#[derive(Clone, Debug, PartialEq)]
pub enum Predictions {
    /// Over their classes.
    Classes(Posterior),
    /// Over their numbers.
    Values(Values),
}

impl Predictions {
    /// The beliefs over classes, where classes were predicted.
    pub fn classes(&self) -> Option<&Posterior> {
        match self {
            Self::Classes(posterior) => Some(posterior),
            Self::Values(_) => None,
        }
    }

    /// The beliefs over numbers, where numbers were predicted.
    pub fn values(&self) -> Option<&Values> {
        match self {
            Self::Classes(_) => None,
            Self::Values(values) => Some(values),
        }
    }
}

/// p(Z | Y_L, X, G_obs) for every node, and where its uncertainty comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Posterior {
    /// c.
    pub classes: usize,
    /// How many draws were averaged.
    pub draws: usize,
    /// [n, c], row after row; rows sum to 1.
    pub probabilities: Vec<f32>,
    /// `[n]` entropy of the probabilities, in nats.
    pub entropy: Vec<f32>,
    /// `[n]` mean entropy of single draws: the uncertainty that no draw resolves (data uncertainty).
    pub expected_entropy: Vec<f32>,
    /// `[n]` the rest: uncertainty because graphs and weights are unknown (model uncertainty).
    pub mutual_information: Vec<f32>,
    /// `[n]` share of the draws that predict another class than their mean does.
    pub disagreement: Vec<f32>,
    /// `[n]` variance over the draws of the predicted class's probability.
    pub variance: Vec<f32>,
}

impl Posterior {
    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.entropy.len()
    }

    /// The probabilities of node `a` `[c]`.
    pub fn row(&self, a: u32) -> &[f32] {
        &self.probabilities[a as usize * self.classes..][..self.classes]
    }

    /// The most likely class of node `a`; of equals, the first.
    pub fn prediction(&self, a: u32) -> u32 {
        largest(self.row(a)) as u32
    }
}

/// Running sums over draws.
#[derive(Clone, Debug)]
pub(super) struct Mean {
    of_values: bool,
    columns: usize,
    draws: usize,
    /// Σ w.
    weight: f64,
    /// [n, c] Σ w p and Σ w p². In double precision: thousands of draws may be added.
    sum: Vec<f64>,
    squares: Vec<f64>,
    /// `[n]` Σ w H(p).
    entropies: Vec<f64>,
    /// [n, c] the weight of draws whose largest class it was.
    votes: Vec<f64>,
}

impl Mean {
    pub(super) fn of_classes(n: usize, c: usize) -> Self {
        let sum = vec![0.0; n * c];
        Self {
            of_values: false,
            columns: c,
            draws: 0,
            weight: 0.0,
            squares: sum.clone(),
            votes: sum.clone(),
            sum,
            entropies: vec![0.0; n],
        }
    }

    pub(super) fn of_values(n: usize) -> Self {
        Self { of_values: true, entropies: Vec::new(), votes: Vec::new(), ..Self::of_classes(n, 1) }
    }

    /// Adds a draw: probabilities [n, c], or numbers [n, 1].
    pub(super) fn add(&mut self, draw: &Matrix) {
        self.add_weighted(draw, 1.0);
    }

    /// Adds a draw that counts more or less than others.
    pub(super) fn add_weighted(&mut self, draw: &Matrix, weight: f64) {
        let c = self.columns;
        assert_eq!((draw.rows() * c, draw.columns()), (self.sum.len(), c), "a draw of another shape");
        self.draws += 1;
        self.weight += weight;
        for a in 0..draw.rows() {
            let (row, at) = (draw.row(a), a * c..(a + 1) * c);
            let sums = self.sum[at.clone()].iter_mut().zip(&mut self.squares[at]);
            for ((sum, square), &p) in sums.zip(row) {
                let p = f64::from(p);
                *sum += weight * p;
                *square += weight * p * p;
            }
            if !self.of_values {
                self.entropies[a] += weight * f64::from(entropy(row));
                self.votes[a * c + largest(row)] += weight;
            }
        }
    }

    /// The beliefs over classes. Panics when nothing was added, or numbers were.
    pub(super) fn posterior(&self) -> Posterior {
        assert!(self.draws > 0 && !self.of_values, "no draws of classes to average");
        let (c, s) = (self.columns, self.weight);
        let probabilities: Vec<f32> = self.sum.iter().map(|sum| (sum / s) as f32).collect();
        let expected_entropy: Vec<f32> = self.entropies.iter().map(|sum| (sum / s) as f32).collect();
        let entropy: Vec<f32> = probabilities.chunks_exact(c).map(entropy).collect();
        let predicted: Vec<usize> =
            probabilities.chunks_exact(c).enumerate().map(|(a, row)| a * c + largest(row)).collect();
        // Both are averages of the same draws: only rounding makes the difference negative.
        let mutual = entropy.iter().zip(&expected_entropy).map(|(h, e)| (h - e).max(0.0)).collect();
        Posterior {
            classes: c,
            draws: self.draws,
            mutual_information: mutual,
            disagreement: predicted.iter().map(|&at| (1.0 - self.votes[at] / s).max(0.0) as f32).collect(),
            variance: predicted.iter().map(|&at| self.variance(at) as f32).collect(),
            probabilities,
            entropy,
            expected_entropy,
        }
    }

    /// The beliefs over numbers, in their own units.
    pub(super) fn values(&self, scale: &ValueScale, noise: (f64, NoiseFrom)) -> Values {
        let mean = (0..self.sum.len()).map(|a| scale.up(self.centre(a))).collect();
        let between = (0..self.sum.len()).map(|a| scale.up_variance(self.variance(a))).collect();
        Values { draws: self.draws, mean, between, noise: scale.up_variance(noise.0), noise_from: noise.1 }
    }

    /// The mean [n, c], row after row.
    pub(super) fn rows(&self) -> Vec<f32> {
        (0..self.sum.len()).map(|at| self.centre(at) as f32).collect()
    }

    /// Mean over the draws of entry `at`.
    pub(super) fn centre(&self, at: usize) -> f64 {
        self.sum[at] / self.weight
    }

    /// Variance over the draws of entry `at`.
    pub(super) fn variance(&self, at: usize) -> f64 {
        (self.squares[at] / self.weight - self.centre(at).powi(2)).max(0.0)
    }
}

/// H(p) = −Σ p ln p, in nats; 0 ln 0 is 0.
fn entropy(row: &[f32]) -> f32 {
    -row.iter().map(|&p| if p > 0.0 { p * p.ln() } else { 0.0 }).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(draws: &[&[f32]], n: usize, c: usize) -> Mean {
        let mut mean = Mean::of_classes(n, c);
        draws.iter().for_each(|draw| mean.add(&Matrix::from_rows(n, c, draw)));
        mean
    }

    #[test]
    fn draws_that_contradict_each_other_are_model_uncertainty() {
        let posterior = mean(&[&[1.0, 0.0], &[1.0, 0.0], &[0.0, 1.0], &[1.0, 0.0]], 1, 2).posterior();
        assert_eq!(posterior.probabilities, [0.75, 0.25]);
        let h = -(0.75f32 * 0.75f32.ln() + 0.25 * 0.25f32.ln());
        assert!((posterior.entropy[0] - h).abs() < 1e-6);
        assert_eq!(posterior.expected_entropy, [0.0]);
        assert_eq!(posterior.mutual_information, posterior.entropy);
        assert_eq!((posterior.disagreement[0], posterior.variance[0]), (0.25, 0.1875));
        assert_eq!(posterior.prediction(0), 0);
    }

    #[test]
    fn draws_that_are_all_unsure_are_data_uncertainty() {
        let posterior = mean(&[&[0.5, 0.5, 0.9, 0.1], &[0.5, 0.5, 0.7, 0.3]], 2, 2).posterior();
        assert!((posterior.expected_entropy[0] - 2f32.ln()).abs() < 1e-6);
        assert_eq!(
            (posterior.mutual_information[0], posterior.disagreement[0], posterior.variance[0]),
            (0.0, 0.0, 0.0)
        );
        assert!((posterior.row(1)[0] - 0.8).abs() < 1e-6 && posterior.mutual_information[1] > 0.0);
        assert!((posterior.variance[1] - 0.01).abs() < 1e-6);
    }

    #[test]
    fn the_mean_of_one_draw_is_that_draw() {
        let draw = [0.2f32, 0.3, 0.5, 0.6, 0.3, 0.1];
        let posterior = mean(&[&draw], 2, 3).posterior();
        assert_eq!(posterior.probabilities, draw);
        assert_eq!(posterior.mutual_information, [0.0; 2]);
        assert_eq!(posterior.disagreement, [0.0; 2]);
    }

    #[test]
    fn a_draw_of_weight_three_is_as_good_as_three() {
        let (one, other) = ([0.5f32, 0.25, 0.25], [0.125f32, 0.75, 0.125]);
        let mut weighted = Mean::of_classes(1, 3);
        weighted.add_weighted(&Matrix::from_rows(1, 3, &one), 0.75);
        weighted.add_weighted(&Matrix::from_rows(1, 3, &other), 0.25);
        let (found, wanted) = (weighted.posterior(), mean(&[&one, &one, &one, &other], 1, 3).posterior());
        // Every number is a power of two or a sum of few: no rounding.
        assert_eq!((found.draws, wanted.draws), (2, 4));
        assert_eq!(Posterior { draws: 4, ..found }, wanted);
    }

    #[test]
    fn numbers_have_the_mean_and_variance_of_their_draws() {
        let mut mean = Mean::of_values(2);
        for draw in [[1.0, 5.0], [3.0, 5.0]] {
            mean.add(&Matrix::from_rows(2, 1, &draw));
        }
        assert_eq!([mean.centre(0), mean.centre(1), mean.variance(0), mean.variance(1)], [2.0, 5.0, 1.0, 0.0]);
    }
}
