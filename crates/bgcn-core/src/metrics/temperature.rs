//! Temperature scaling: one number that makes probabilities softer or sharper, fitted on nodes with known classes.
//! Paper: none; Guo et al. (2017), "On calibration of modern neural networks".
//! Differs: it works on probabilities, p^(1/T) / Σ p^(1/T), so that means over draws are scaled like single softmaxes.
//! Symbols: T > 0; above 1 softer, below 1 sharper.
//!
//! On training nodes every network is nearly certain and right, so a T fitted there sharpens and harms; use validation
//! nodes.

use crate::data::Labels;

/// Allowed temperatures; beyond them nothing changes any more in single precision.
const LEAST: f64 = 0.05;
const MOST: f64 = 20.0;

/// A temperature.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Temperature(f64);

impl Temperature {
    /// The temperature with the smallest negative log-likelihood on `nodes`, of `probabilities` [n, c]; `None` where
    /// none of them has a class. Between 0.05 and 20.
    pub fn fit(probabilities: &[f32], classes: usize, labels: &Labels, nodes: &[u32]) -> Option<Self> {
        let logs = |a: u32| -> Vec<f64> {
            let row = &probabilities[a as usize * classes..][..classes];
            row.iter().map(|&p| f64::from(p.max(f32::MIN_POSITIVE)).ln()).collect()
        };
        let known: Vec<(Vec<f64>, usize)> =
            nodes.iter().filter_map(|&a| Some((logs(a), labels.class(a)? as usize))).collect();
        if known.is_empty() {
            return None;
        }
        let nll = |sharpness: f64| -> f64 {
            let one = |(logs, class): &(Vec<f64>, usize)| {
                let top = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max) * sharpness;
                let sum: f64 = logs.iter().map(|log| (log * sharpness - top).exp()).sum();
                top + sum.ln() - logs[*class] * sharpness
            };
            known.iter().map(one).sum()
        };
        // Convex in 1/T, so the section always closes on the minimum.
        Some(Self(1.0 / smallest(nll, 1.0 / MOST, 1.0 / LEAST)))
    }

    /// T.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The scaled probabilities of rows of `classes`.
    pub fn scale(self, probabilities: &[f32], classes: usize) -> Vec<f32> {
        let mut scaled = probabilities.to_vec();
        for row in scaled.chunks_exact_mut(classes) {
            let top = row.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
            row.iter_mut().for_each(|p| *p = ((f64::from(*p) / f64::from(top)).powf(1.0 / self.0)) as f32);
            let sum: f32 = row.iter().sum();
            row.iter_mut().for_each(|p| *p /= sum);
        }
        scaled
    }
}

/// Where a convex function is smallest in [low, high], by golden section to nine digits.
fn smallest(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut f_left, mut f_right) = (f(left), f(right));
    while high - low > 1e-9 * high {
        if f_left <= f_right {
            (high, right, f_right) = (right, left, f_left);
            left = high - ratio * (high - low);
            f_left = f(left);
        } else {
            (low, left, f_left) = (left, right, f_right);
            right = low + ratio * (high - low);
            f_right = f(right);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(of: &[Option<u32>]) -> Labels {
        Labels::Classes { names: vec!["a".into(), "b".into()], of: of.to_vec() }
    }

    #[test]
    fn the_temperature_of_a_known_case_is_found() {
        // Certainty 0.9 but right in 3 of 4: the likelihood is largest where the certainty is 0.75,
        // at 1/T = ln 3 / ln 9 = 1/2.
        let p = [0.9f32, 0.1].repeat(4);
        let of = labels(&[Some(0), Some(0), Some(0), Some(1)]);
        let t = Temperature::fit(&p, 2, &of, &[0, 1, 2, 3]).unwrap();
        assert!((t.value() - 2.0).abs() < 1e-6, "{}", t.value());
        assert!((t.scale(&p, 2)[0] - 0.75).abs() < 1e-6);
    }

    #[test]
    fn all_right_is_as_sharp_as_allowed_and_nothing_known_is_nothing() {
        let p = [0.6f32, 0.4, 0.4, 0.6];
        let t = Temperature::fit(&p, 2, &labels(&[Some(0), Some(1)]), &[0, 1]).unwrap();
        assert!((t.value() - LEAST).abs() < 1e-6);
        assert_eq!(Temperature::fit(&p, 2, &labels(&[None, None]), &[0, 1]), None);
    }

    #[test]
    fn scaled_rows_sum_to_one_and_keep_their_order_even_at_the_ends() {
        let p = [1.0f32, 0.0, 0.0, 0.2, 0.5, 0.3];
        for t in [LEAST, 1.0, MOST] {
            let scaled = Temperature(t).scale(&p, 3);
            for row in scaled.chunks(3) {
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
            }
            assert!(scaled[0] > scaled[1] && scaled[4] > scaled[5] && scaled[5] > scaled[3]);
        }
    }
}
