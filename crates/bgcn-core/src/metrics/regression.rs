//! Scores of predicted values with a Gaussian uncertainty.

use serde::{Deserialize, Serialize};

/// The usual scores of predicted values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegressionScores {
    /// Root of the mean squared error.
    pub rmse: f64,
    /// Mean negative log density of the truth.
    pub nll: f64,
    /// Share of the truth inside the central 90 % interval.
    pub coverage_90: f64,
}

/// Half-width of the central 90 % interval of a standard normal.
const Z_90: f64 = 1.644_853_626_951_472_7;

/// Scores of (mean, variance, truth) triples; `None` where there are none. Variances must be positive.
pub fn judge_values(predicted: &[(f64, f64, f64)]) -> Option<RegressionScores> {
    if predicted.is_empty() {
        return None;
    }
    let n = predicted.len() as f64;
    let (mut squared, mut nll, mut inside) = (0.0, 0.0, 0usize);
    for &(mean, variance, truth) in predicted {
        let error = (truth - mean).powi(2);
        squared += error;
        nll += 0.5 * ((2.0 * std::f64::consts::PI * variance).ln() + error / variance);
        inside += usize::from(error <= Z_90 * Z_90 * variance);
    }
    Some(RegressionScores { rmse: (squared / n).sqrt(), nll: nll / n, coverage_90: inside as f64 / n })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_two_values_worked_out_by_hand() {
        let scores = judge_values(&[(0.0, 1.0, 1.0), (2.0, 4.0, 6.0)]).unwrap();
        assert!((scores.rmse - (17.0f64 / 2.0).sqrt()).abs() < 1e-12);
        let log_two_pi = (2.0 * std::f64::consts::PI).ln();
        assert!((scores.nll - 0.5 * (log_two_pi + 0.5 * (1.0 + 4.0f64.ln() + 4.0))).abs() < 1e-12);
        assert_eq!(scores.coverage_90, 0.5);
        assert_eq!(judge_values(&[]), None);
    }
}
