//! Edge probabilities of a block model with a full matrix: memberships are the rows, and a node's weight where it has
//! one.
//! Paper: the edge study.
//! Differs: nothing; p rises in every number of both rows, since no rate is negative, so the greatest numbers bound a
//! set's pairs.
//! Symbols: x = (q_a, theta_a); p = Σ_kl q_ak q_bl f(B_kl), f(B) = B, or 1 − exp(−theta_a theta_b B) for Poisson rates.

use super::memberships::Memberships;
use crate::graph_model::{BlockMatrix, Extremes, PairBelief};

/// More than the rounding of exp may take from its rising.
const ROUNDING: f64 = 1e-13;

/// A snapshot of an inference.
#[derive(Clone, Debug)]
pub(crate) struct BlockBelief {
    /// [n, width]: k memberships, then the weight where there is one.
    rows: Vec<f32>,
    width: usize,
    b: BlockMatrix,
}

impl BlockBelief {
    /// Of Bernoulli links.
    pub(crate) fn new(pi: &Memberships, b: &BlockMatrix) -> Self {
        let rows = (0..pi.n() as u32).flat_map(|a| pi.row(a)).copied().collect();
        Self { rows, width: b.k(), b: b.clone() }
    }

    /// Of Poisson links between weighted nodes.
    pub(crate) fn weighted(pi: &Memberships, theta: &[f32], b: &BlockMatrix) -> Self {
        let row = |(a, theta)| pi.row(a).iter().chain([theta]).copied();
        Self { rows: (0..).zip(theta).flat_map(row).collect(), width: b.k() + 1, b: b.clone() }
    }

    fn of_rows(&self, x: &[f32], y: &[f32]) -> f64 {
        let k = self.b.k();
        if self.width == k {
            return self.b.probability(x, y, |rate| rate);
        }
        let weight = f64::from(x[k]) * f64::from(y[k]);
        self.b.probability(x, y, |rate| -(-weight * rate).exp_m1())
    }
}

impl PairBelief for BlockBelief {
    fn nodes(&self) -> usize {
        self.rows.len() / self.width
    }

    fn width(&self) -> usize {
        self.width
    }

    fn row(&self, a: u32) -> &[f32] {
        &self.rows[a as usize * self.width..][..self.width]
    }

    fn probability(&self, a: u32, b: u32) -> f64 {
        self.of_rows(self.row(a), self.row(b))
    }

    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64 {
        let exact = self.width == self.b.k() || (x.high == x.low && y.high == y.low);
        self.of_rows(x.high, y.high) * if exact { 1.0 } else { 1.0 + ROUNDING }
    }

    fn looseness(&self, column: usize, low: f32, high: f32) -> f64 {
        let rate = if column < self.b.k() {
            self.b.row(column).iter().copied().fold(0.0, f64::max)
        } else {
            self.b.greatest()
        };
        rate * (f64::from(high).powi(2) - f64::from(low).powi(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::graph_model::EdgeBeliefs;
    use crate::rng::{For, Random as _, Seed};
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        #[test]
        fn the_search_finds_what_visiting_all_pairs_finds(
            n in 2usize..70, k in 1usize..5, seed in 0u64..1000, weighted: bool,
        ) {
            let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
            let rows: Vec<f32> = (0..n * k).map(|_| random.gamma(0.3) as f32 + 1e-6).collect();
            let theta: Vec<f32> = (0..n).map(|_| random.gamma(0.5) as f32).collect();
            let rates: Vec<f64> = (0..k * k).map(|_| random.unit()).collect();
            let (pi, b) = (Memberships::new(k, &rows).unwrap(), BlockMatrix::from_upper(k, |i, l| rates[i * k + l]));
            let belief = if weighted { BlockBelief::weighted(&pi, &theta, &b) } else { BlockBelief::new(&pi, &b) };
            let belief = Arc::new(belief);
            let mut all: Vec<_> = (0..n as u32).flat_map(|b| (0..b).map(move |a| (a, b))).collect();
            for &(a, b) in &all {
                prop_assert_eq!(belief.probability(a, b), belief.probability(b, a));
            }
            all.sort_by(|x, y| belief.probability(y.0, y.1).total_cmp(&belief.probability(x.0, x.1)).then(x.cmp(y)));
            let mut beliefs = EdgeBeliefs::new();
            beliefs.add(belief).unwrap();
            let found = beliefs.most_likely_unobserved(&Graph::empty(n), 20);
            let found: Vec<_> = found.iter().map(|pair| (pair.a, pair.b)).collect();
            prop_assert_eq!(&found[..], &all[..found.len()]);
            prop_assert_eq!(found.len(), all.len().min(20));
        }
    }
}
