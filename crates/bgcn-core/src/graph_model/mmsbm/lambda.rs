//! λ, the random-graph parameters of the block model: memberships, community strengths, background.
//! Paper: π, β and δ in the generative model of "Posterior inference for the MMSBM".
//! Differs: nothing; π is kept in single precision, and its rows are padded with zeros to whole vectors.
//! Symbols: `pi` [n, k], rows sum to 1; `beta` `[k]`; `delta`.

use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::{LEAST_RATE, Memberships};

/// Memberships, community strengths and the chance of a link between communities.
#[derive(Clone, Debug, PartialEq)]
pub struct Lambda {
    pi: Memberships,
    beta: Vec<f64>,
    delta: f64,
}

impl Lambda {
    /// λ from memberships [n, k] (rows are scaled to sum to 1), strengths `[k]` and the background.
    pub fn new(k: usize, pi: &[f32], beta: Vec<f64>, delta: f64) -> Result<Self, Error> {
        let start = |found: String| Err(Error::start(found));
        let pi = Memberships::new(k, pi)?;
        if beta.len() != k {
            return start(format!("{} community strengths for {k} communities; give one each", beta.len()));
        }
        if let Some(bad) = beta.iter().chain([&delta]).find(|rate| !(0.0..=1.0).contains(*rate)) {
            return start(format!("{bad} is not a probability; beta and delta lie between 0 and 1"));
        }
        let clamp = |rate: f64| rate.clamp(LEAST_RATE, 1.0 - LEAST_RATE);
        let beta = beta.into_iter().map(clamp).collect();
        Ok(Self { pi, beta, delta: clamp(delta) })
    }

    /// How many nodes.
    pub fn n(&self) -> usize {
        self.pi.n()
    }

    /// How many communities.
    pub fn k(&self) -> usize {
        self.pi.k()
    }

    /// pi_a `[k]`, sums to 1.
    #[inline]
    pub fn row(&self, a: u32) -> &[f32] {
        self.pi.row(a)
    }

    /// beta `[k]`, each in (0, 1).
    pub fn beta(&self) -> &[f64] {
        &self.beta
    }

    /// The chance of a link between nodes that pick different communities, in (0, 1).
    pub fn delta(&self) -> f64 {
        self.delta
    }

    /// p(y_ab = 1 | λ) = delta + Σ_k pi_ak pi_bk (beta_k − delta); 0 for a = b.
    pub fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let shared = self.row(a).iter().zip(self.row(b)).zip(&self.beta);
        self.delta + shared.map(|((&p, &q), beta)| f64::from(p) * f64::from(q) * (beta - self.delta)).sum::<f64>()
    }

    /// pi.
    pub(crate) fn memberships(&self) -> &Memberships {
        &self.pi
    }

    /// Numbers from one row of [`Lambda::padded`] to the next.
    pub(crate) fn stride(&self) -> usize {
        self.pi.stride()
    }

    /// pi [n, stride], zeros from column k on.
    pub(crate) fn padded(&self) -> &[f32] {
        self.pi.padded()
    }

    /// pi [n, stride], beta `[k]`; the caller keeps the rows' sums and the padding.
    pub(crate) fn parts_mut(&mut self) -> (&mut [f32], &mut [f64]) {
        (self.pi.padded_mut(), &mut self.beta)
    }

    /// Each node's strongest community; of equals, the first.
    pub fn labels(&self) -> Vec<u32> {
        self.pi.labels()
    }

    /// Expected community sizes, Σ_a pi_ak `[k]`.
    pub fn sizes(&self) -> Vec<f64> {
        self.pi.sizes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_scaled_and_kept_off_zero() {
        let lambda = Lambda::new(3, &[2.0, 2.0, 0.0, 0.0, 0.0, 7.0], vec![0.2, 0.0, 1.0], 0.01).unwrap();
        assert_eq!((lambda.n(), lambda.k(), lambda.stride()), (2, 3, 8));
        assert!((lambda.row(0)[0] - 0.5).abs() < 1e-6 && lambda.row(0)[2] > 0.0);
        assert_eq!(lambda.labels(), [0, 2]);
        assert!(lambda.beta().iter().all(|b| *b > 0.0 && *b < 1.0));
        assert!((lambda.sizes().iter().sum::<f64>() - 2.0).abs() < 1e-6);
    }

    #[test]
    fn edge_probability_is_the_formula() {
        let lambda = Lambda::new(2, &[0.25, 0.75, 0.5, 0.5], vec![0.4, 0.1], 0.02).unwrap();
        let wanted = 0.02 + 0.25 * 0.5 * 0.38 + 0.75 * 0.5 * 0.08;
        assert!((lambda.edge_probability(0, 1) - wanted).abs() < 1e-7);
        assert_eq!(lambda.edge_probability(1, 1), 0.0);
    }

    #[test]
    fn says_which_node_cannot_start() {
        for bad in [[0.5, 0.5, f32::NAN, 1.0], [0.5, 0.5, -1.0, 2.0], [0.5, 0.5, 0.0, 0.0]] {
            let error = Lambda::new(2, &bad, vec![0.1; 2], 0.01).unwrap_err().to_string();
            assert!(error.contains("node 1"), "{error}");
        }
        assert!(Lambda::new(2, &[1.0; 3], vec![0.1; 2], 0.01).is_err());
        assert!(Lambda::new(2, &[1.0; 4], vec![0.1; 2], f64::NAN).is_err());
    }
}
