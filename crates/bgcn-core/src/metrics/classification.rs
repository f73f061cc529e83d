//! Accuracy, log score and Brier score.

use super::expected_calibration_error;
use crate::data::Labels;
use serde::{Deserialize, Serialize};

/// Predicted probabilities of some nodes beside their true classes.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    rows: Vec<&'a [f32]>,
    truth: Vec<u32>,
}

/// The usual scores over a set of nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Share of correct predictions.
    pub accuracy: f64,
    /// The same, class by class; `None` for a class that does not occur.
    pub class_accuracy: Vec<Option<f64>>,
    /// Mean negative log-likelihood of the true class, natural logarithm.
    pub nll: f64,
    /// Expected calibration error over 15 bins.
    pub ece: f64,
    /// Mean squared distance between probabilities and truth, summed over classes: 0 to 2.
    pub brier: f64,
}

impl<'a> Judged<'a> {
    /// The rows of `probabilities` [n, c] for `nodes`; nodes without a class are left out.
    pub fn new(probabilities: &'a [f32], classes: usize, labels: &Labels, nodes: &[u32]) -> Self {
        let known = nodes.iter().filter_map(|&a| Some((a, labels.class(a)?)));
        let (rows, truth) =
            known.map(|(a, class)| (&probabilities[a as usize * classes..(a as usize + 1) * classes], class)).unzip();
        Self { rows, truth }
    }

    /// How many nodes are judged.
    pub fn len(&self) -> usize {
        self.truth.len()
    }

    /// Whether there is nothing to judge.
    pub fn is_empty(&self) -> bool {
        self.truth.is_empty()
    }

    /// Probability rows and true classes.
    pub fn iter(&self) -> impl Iterator<Item = (&'a [f32], u32)> + '_ {
        self.rows.iter().copied().zip(self.truth.iter().copied())
    }

    /// Confidence (the largest probability) and whether the prediction is right, node by node.
    pub fn confidences(&self) -> Vec<(f64, bool)> {
        self.iter()
            .map(|(row, truth)| {
                let best = largest(row);
                (f64::from(row[best]), best as u32 == truth)
            })
            .collect()
    }

    /// The usual scores; `None` where there is nothing to judge.
    pub fn scores(&self) -> Option<Scores> {
        if self.is_empty() {
            return None;
        }
        let n = self.len() as f64;
        let classes = self.rows[0].len();
        let (mut right, mut seen) = (vec![0usize; classes], vec![0usize; classes]);
        let (mut nll, mut brier) = (0.0, 0.0);
        for (row, truth) in self.iter() {
            seen[truth as usize] += 1;
            right[truth as usize] += usize::from(largest(row) as u32 == truth);
            nll -= f64::from(row[truth as usize].max(f32::MIN_POSITIVE)).ln();
            brier += row
                .iter()
                .zip(0..)
                .map(|(&p, k)| (f64::from(p) - f64::from(u8::from(k == truth))).powi(2))
                .sum::<f64>();
        }
        Some(Scores {
            accuracy: right.iter().sum::<usize>() as f64 / n,
            class_accuracy: right.iter().zip(&seen).map(|(&r, &s)| (s > 0).then(|| r as f64 / s as f64)).collect(),
            nll: nll / n,
            ece: expected_calibration_error(&self.confidences(), 15),
            brier: brier / n,
        })
    }
}

/// The place of the largest entry; of equals, the first.
pub(crate) fn largest(row: &[f32]) -> usize {
    (0..row.len()).fold(0, |best, i| if row[i] > row[best] { i } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_three_nodes_worked_out_by_hand() {
        let p = [0.7, 0.3, 0.2, 0.8, 0.6, 0.4, 0.5, 0.5];
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![Some(0), Some(1), Some(1), None] };
        let scores = Judged::new(&p, 2, &labels, &[0, 1, 2, 3]).scores().unwrap();
        assert!((scores.accuracy - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(scores.class_accuracy, [Some(1.0), Some(0.5)]);
        let nll = -(0.7f64.ln() + 0.8f64.ln() + 0.4f64.ln()) / 3.0;
        assert!((scores.nll - nll).abs() < 1e-6);
        assert!((scores.brier - (0.18 + 0.08 + 0.72) / 3.0).abs() < 1e-6);
        // Three bins with one node each: |0.7 − 1|, |0.8 − 1|, |0.6 − 0|.
        assert!((scores.ece - (0.3 + 0.2 + 0.6) / 3.0).abs() < 1e-6);
    }

    #[test]
    fn nothing_to_judge_has_no_scores() {
        assert_eq!(Judged::new(&[], 2, &Labels::none(0), &[]).scores(), None);
    }

    #[test]
    fn a_certain_mistake_stays_finite() {
        let labels = Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![Some(1)] };
        assert!(Judged::new(&[1.0, 0.0], 2, &labels, &[0]).scores().unwrap().nll.is_finite());
    }
}
