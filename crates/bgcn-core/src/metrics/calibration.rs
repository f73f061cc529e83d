//! Calibration: reliability diagrams, expected calibration error, accuracy by coverage.

use serde::{Deserialize, Serialize};

/// Predictions with similar confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Confidences above this …
    pub low: f64,
    /// … and up to this fall in the bin.
    pub high: f64,
    /// How many.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// Their accuracy.
    pub accuracy: f64,
}

/// (confidence, right) pairs in `bins` bins of equal width; empty bins have count 0 and their middle as confidence.
pub fn reliability(confidences: &[(f64, bool)], bins: usize) -> Vec<Bin> {
    let mut sums = vec![(0usize, 0.0, 0usize); bins];
    for &(confidence, right) in confidences {
        let bin = ((confidence * bins as f64).ceil() as usize).clamp(1, bins) - 1;
        sums[bin].0 += 1;
        sums[bin].1 += confidence;
        sums[bin].2 += usize::from(right);
    }
    let width = 1.0 / bins as f64;
    let finish = |(i, (count, confidence, right)): (usize, (usize, f64, usize))| {
        let n = count.max(1) as f64;
        let low = i as f64 * width;
        let confidence = if count == 0 { low + width / 2.0 } else { confidence / n };
        Bin { low, high: low + width, count, confidence, accuracy: right as f64 / n }
    };
    sums.into_iter().enumerate().map(finish).collect()
}

/// Mean distance between confidence and accuracy over the bins, weighted by their counts; 0 for no predictions.
pub fn expected_calibration_error(confidences: &[(f64, bool)], bins: usize) -> f64 {
    let n = confidences.len().max(1) as f64;
    reliability(confidences, bins)
        .iter()
        .map(|b| b.count as f64 / n * (b.confidence - b.accuracy).abs() * f64::from(u8::from(b.count > 0)))
        .sum()
}

/// Accuracy among the most confident share of predictions, at each of `points` coverages from 1/points to 1.
pub fn coverage_curve(confidences: &[(f64, bool)], points: usize) -> Vec<(f64, f64)> {
    let mut sorted = confidences.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let n = sorted.len();
    let mut right = vec![0usize; n + 1];
    for (i, (_, r)) in sorted.iter().enumerate() {
        right[i + 1] = right[i] + usize::from(*r);
    }
    (1..=points)
        .filter(|_| n > 0)
        .map(|point| {
            let kept = (n * point).div_ceil(points).max(1);
            (kept as f64 / n as f64, right[kept] as f64 / kept as f64)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_take_their_upper_edge_and_zero_goes_to_the_first() {
        let bins = reliability(&[(0.0, false), (0.5, true), (0.500001, true), (1.0, true)], 2);
        assert_eq!(bins.iter().map(|b| b.count).collect::<Vec<_>>(), [2, 2]);
    }

    #[test]
    fn perfect_calibration_has_no_error() {
        let half: Vec<_> = (0..10).map(|i| (0.5, i % 2 == 0)).collect();
        assert!(expected_calibration_error(&half, 15) < 1e-12);
        assert_eq!(expected_calibration_error(&[], 15), 0.0);
    }

    #[test]
    fn coverage_keeps_the_most_confident_first() {
        let curve = coverage_curve(&[(0.9, true), (0.2, false), (0.8, true), (0.3, false)], 2);
        assert_eq!(curve, [(0.5, 1.0), (1.0, 0.5)]);
    }
}
