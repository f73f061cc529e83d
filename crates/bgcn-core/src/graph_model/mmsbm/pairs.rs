//! Edge probabilities of the block model: the memberships are the rows, p = delta + Σ_k pi_ak pi_bk (beta_k − delta).
//! Differs: mixed memberships even where graphs are drawn from hard ones, which tie all pairs across communities at
//! delta.

use super::Lambda;
use crate::graph_model::pairs::{Extremes, PairBelief};

impl PairBelief for Lambda {
    fn nodes(&self) -> usize {
        self.n()
    }

    fn width(&self) -> usize {
        self.k()
    }

    fn row(&self, a: u32) -> &[f32] {
        Lambda::row(self, a)
    }

    fn probability(&self, a: u32, b: u32) -> f64 {
        // Rising in each membership where beta_k ≥ delta, falling elsewhere, even rounded: the bound relies on it.
        let mut p = self.delta();
        for ((&x, &y), beta) in Lambda::row(self, a).iter().zip(Lambda::row(self, b)).zip(self.beta()) {
            p += f64::from(x) * f64::from(y) * (beta - self.delta());
        }
        p
    }

    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64 {
        let mut p = self.delta();
        for (k, beta) in self.beta().iter().enumerate() {
            let c = beta - self.delta();
            let (x, y) = if c >= 0.0 { (x.high[k], y.high[k]) } else { (x.low[k], y.low[k]) };
            p += f64::from(x) * f64::from(y) * c;
        }
        p
    }

    fn looseness(&self, column: usize, low: f32, high: f32) -> f64 {
        (self.beta()[column] - self.delta()).abs() * (f64::from(high).powi(2) - f64::from(low).powi(2))
    }
}
