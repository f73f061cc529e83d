//! Everything that judges a run by the labels it has not seen.
//! Paper: accuracy only; the rest is what the uncertainty is for.
//! Symbols: none; all shares are between 0 and 1, entropies in nats.

use bgcn_core::data::Labels;
use bgcn_core::metrics::{
    Bin, Judged, RegressionScores, Scores, area_under_roc, coverage_curve, judge_values, reliability,
};
use bgcn_core::posterior::{Posterior, Predictions, Values};
use serde::{Deserialize, Serialize};

/// Bins of the reliability table: as many as the expected calibration error uses.
const BINS: usize = 15;
/// Points of the accuracy–coverage curve.
const POINTS: usize = 20;

/// How good predictions are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Judgement {
    /// Of classes.
    Classes(ClassMetrics),
    /// Of numbers.
    Values(ValueMetrics),
    /// No test node has a label.
    Nothing,
}

impl Judgement {
    /// Judges the test nodes.
    pub fn of(predictions: &Predictions, labels: &Labels, test: &[u32]) -> Self {
        match predictions {
            Predictions::Classes(posterior) => {
                ClassMetrics::of(posterior, labels, test).map_or(Self::Nothing, Self::Classes)
            }
            Predictions::Values(values) => ValueMetrics::of(values, labels, test).map_or(Self::Nothing, Self::Values),
        }
    }
}

/// How predicted classes compare with the true ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassMetrics {
    /// Nodes judged.
    pub nodes: usize,
    /// Accuracy, log-likelihood, calibration error, Brier score.
    #[serde(flatten)]
    pub scores: Scores,
    /// Mean of the largest probability.
    pub mean_confidence: f64,
    /// Share of the nodes whose largest probability is above 0.9.
    pub above_90: f64,
    /// AUROC of error detection by uncertainty.
    pub error_detection: ErrorDetection,
    /// Confidence against accuracy.
    pub reliability: Vec<Bin>,
    /// Accuracy among the most confident share.
    pub coverage: Vec<Coverage>,
    /// `[c][c]` nodes by true (row) and predicted (column) class.
    pub confusion: Vec<Vec<usize>>,
}

/// Area under the ROC curve for finding wrong predictions, by three measures; `None` where all are right or all wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorDetection {
    /// By 1 − the largest probability.
    pub confidence: Option<f64>,
    /// By entropy.
    pub entropy: Option<f64>,
    /// By mutual information, the model's share of the entropy.
    pub mutual_information: Option<f64>,
}

/// A point of the accuracy–coverage curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coverage {
    /// Share of the nodes that is answered, the most confident first.
    pub coverage: f64,
    /// Share of these that is right.
    pub accuracy: f64,
}

impl ClassMetrics {
    /// Judges the nodes among `nodes` whose class is known; `None` where there is none.
    pub fn of(posterior: &Posterior, labels: &Labels, nodes: &[u32]) -> Option<Self> {
        let judged = Judged::new(&posterior.probabilities, posterior.classes, labels, nodes);
        let scores = judged.scores()?;
        let confidences = judged.confidences();
        let n = confidences.len() as f64;
        let known = nodes.iter().copied().filter(|&a| labels.class(a).is_some());
        let wrong: Vec<(u32, bool)> = known.zip(&confidences).map(|(a, &(_, right))| (a, !right)).collect();
        let by = |measure: &[f32]| {
            area_under_roc(&wrong.iter().map(|&(a, w)| (f64::from(measure[a as usize]), w)).collect::<Vec<_>>())
        };
        let unsure: Vec<(f64, bool)> = confidences.iter().map(|&(p, right)| (1.0 - p, !right)).collect();
        let mut confusion = vec![vec![0; posterior.classes]; posterior.classes];
        for &(a, _) in &wrong {
            if let Some(truth) = labels.class(a) {
                confusion[truth as usize][posterior.prediction(a) as usize] += 1;
            }
        }
        Some(Self {
            nodes: confidences.len(),
            scores,
            mean_confidence: confidences.iter().map(|c| c.0).sum::<f64>() / n,
            above_90: confidences.iter().filter(|c| c.0 > 0.9).count() as f64 / n,
            error_detection: ErrorDetection {
                confidence: area_under_roc(&unsure),
                entropy: by(&posterior.entropy),
                mutual_information: by(&posterior.mutual_information),
            },
            reliability: reliability(&confidences, BINS),
            coverage: coverage_curve(&confidences, POINTS)
                .into_iter()
                .map(|(coverage, accuracy)| Coverage { coverage, accuracy })
                .collect(),
            confusion,
        })
    }
}

/// How predicted numbers compare with the true ones.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValueMetrics {
    /// Nodes judged.
    pub nodes: usize,
    /// Error, log-likelihood, coverage of the 90 % interval.
    #[serde(flatten)]
    pub scores: RegressionScores,
    /// Central intervals and the share of the truth inside them.
    pub intervals: Vec<Interval>,
}

/// A central interval of the predictive distribution.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The probability it claims.
    pub claimed: f64,
    /// The share of the true numbers inside.
    pub inside: f64,
}

/// Claimed probability and half-width in standard deviations of a normal distribution.
const INTERVALS: [(f64, f64); 6] =
    [(0.25, 0.318_639), (0.5, 0.674_490), (0.68, 0.994_458), (0.8, 1.281_552), (0.9, 1.644_854), (0.95, 1.959_964)];

impl ValueMetrics {
    /// Judges the nodes among `nodes` whose number is known; `None` where there is none.
    pub fn of(values: &Values, labels: &Labels, nodes: &[u32]) -> Option<Self> {
        let Labels::Values(of) = labels else { return None };
        let triple = |&a: &u32| Some((values.mean[a as usize], values.variance(a), f64::from(of[a as usize]?)));
        let judged: Vec<(f64, f64, f64)> = nodes.iter().filter_map(triple).collect();
        let scores = judge_values(&judged)?;
        let inside = |z: f64| {
            let hits = judged.iter().filter(|(mean, variance, truth)| (truth - mean).abs() <= z * variance.sqrt());
            hits.count() as f64 / judged.len() as f64
        };
        let intervals = INTERVALS.map(|(claimed, z)| Interval { claimed, inside: inside(z) }).to_vec();
        Some(Self { nodes: judged.len(), scores, intervals })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::posterior::NoiseFrom;

    fn posterior() -> Posterior {
        Posterior {
            classes: 2,
            draws: 2,
            probabilities: vec![0.95, 0.05, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5],
            entropy: vec![0.2, 0.67, 0.61, 0.69],
            expected_entropy: vec![0.2, 0.6, 0.6, 0.6],
            mutual_information: vec![0.0, 0.07, 0.01, 0.09],
            disagreement: vec![0.0; 4],
            variance: vec![0.0; 4],
        }
    }

    #[test]
    fn metrics_of_three_nodes_worked_out_by_hand() {
        let of = vec![Some(0), Some(0), Some(1), None];
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of };
        let metrics = ClassMetrics::of(&posterior(), &labels, &[0, 1, 2, 3]).unwrap();
        assert_eq!((metrics.nodes, &metrics.confusion), (3, &vec![vec![1, 1], vec![0, 1]]));
        assert!((metrics.mean_confidence - 0.75).abs() < 1e-6 && (metrics.above_90 - 1.0 / 3.0).abs() < 1e-12);
        // The one mistake is the least confident and the most uncertain of the three.
        let detection = metrics.error_detection;
        assert_eq!([detection.confidence, detection.entropy, detection.mutual_information], [Some(1.0); 3]);
        assert_eq!(metrics.coverage.last(), Some(&Coverage { coverage: 1.0, accuracy: 2.0 / 3.0 }));
        assert_eq!(ClassMetrics::of(&posterior(), &labels, &[3]), None);
    }

    #[test]
    fn intervals_grow_with_what_they_claim() {
        let mean: Vec<f64> = vec![0.0; 200];
        let values = Values { draws: 1, between: mean.clone(), mean, noise: 1.0, noise_from: NoiseFrom::Validation };
        // Numbers spread evenly over (−2, 2): |y| ≤ z for a share z / 2.
        let labels = Labels::Values((0..200).map(|i| Some((i as f32 + 0.5) / 50.0 - 2.0)).collect());
        let metrics = ValueMetrics::of(&values, &labels, &(0..200).collect::<Vec<_>>()).unwrap();
        for (interval, (_, z)) in metrics.intervals.iter().zip(INTERVALS) {
            assert!((interval.inside - z / 2.0).abs() < 0.011, "{interval:?}");
        }
    }
}
