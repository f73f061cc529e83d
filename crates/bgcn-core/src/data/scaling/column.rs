//! One column of numbers: whether a logarithm helps, its mean and its spread. All in 64 bits.

use serde::{Deserialize, Serialize};

/// Skew above which a logarithm is tried: half of the largest there is. Log-normal columns pass from σ = 0.7.
const STRONG_SKEW: f64 = 0.5;

/// Share of the skew that a logarithm may leave.
const LEFT: f64 = 0.5;

/// Fewest positive values for which skew is looked at.
const FEW: usize = 10;

/// What happens to a column.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Column {
    /// Every value was this one: left out.
    Constant(f64),
    /// 0 and 1, left as it is.
    Kept,
    /// Minus the mean, divided by the spread.
    Scaled(Scale),
}

/// How a column is standardised.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Scale {
    /// Added before a logarithm is taken; `None` without one.
    pub(super) log: Option<f64>,
    /// Values beyond, after the logarithm, count as these.
    pub(super) limits: Option<(f64, f64)>,
    pub(super) mean: f64,
    pub(super) spread: f64,
}

impl Column {
    /// Plain z-scores.
    pub(super) fn z_score(values: &[f64]) -> Self {
        if let Some(constant) = constant(values) {
            return Self::Constant(constant);
        }
        let (mean, spread) = moments(values);
        Self::Scaled(Scale { log: None, limits: None, mean, spread })
    }

    /// Standardised, after a logarithm where that is plainly right; columns of 0 and 1 stay.
    pub(super) fn standard(mut values: Vec<f64>) -> Self {
        if let Some(constant) = constant(&values) {
            return Self::Constant(constant);
        }
        if values.iter().all(|&value| value == 0.0 || value == 1.0) {
            return Self::Kept;
        }
        values.sort_unstable_by(f64::total_cmp);
        let log = logarithm(&values);
        if let Some(added) = log {
            values.iter_mut().for_each(|value| *value = (*value + added).ln());
        }
        let (low, high) = limits(&values);
        values.iter_mut().for_each(|value| *value = value.clamp(low, high));
        let (mean, spread) = moments(&values);
        Self::Scaled(Scale { log, limits: Some((low, high)), mean, spread })
    }

    /// Whether its numbers can be used; a file may hold any.
    pub(super) fn is_valid(&self) -> bool {
        match self {
            Self::Constant(value) => value.is_finite(),
            Self::Kept => true,
            Self::Scaled(Scale { log, limits, mean, spread }) => {
                let ordered = limits.is_none_or(|(low, high)| low <= high);
                ordered && log.is_none_or(f64::is_finite) && mean.is_finite() && *spread > 0.0 && spread.is_finite()
            }
        }
    }
}

impl Scale {
    /// A value as the network reads it.
    pub(super) fn of(&self, value: f32) -> f32 {
        let mut value = f64::from(value);
        if let Some(added) = self.log {
            // What was never seen, 0 or less, is as small as the limits allow.
            value = (value + added).max(f64::MIN_POSITIVE).ln();
        }
        if let Some((low, high)) = self.limits {
            value = value.clamp(low, high);
        }
        ((value - self.mean) / self.spread) as f32
    }
}

fn constant(values: &[f64]) -> Option<f64> {
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().all(|&value| value == first).then_some(first)
}

fn moments(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n;
    // A spread of numbers that hardly differ, which rounds to 0, is no divisor.
    (mean, variance.sqrt().max(f64::MIN_POSITIVE))
}

/// What is added before a logarithm of ascending values is taken, where it removes most of a strong skew: nothing, or
/// where there are zeros, a small one of the positive values, which for counts is 1.
fn logarithm(values: &[f64]) -> Option<f64> {
    let zeros = values.partition_point(|&value| value <= 0.0);
    let positive = &values[zeros..];
    if values[0] < 0.0 || positive.len() < FEW {
        return None;
    }
    let logarithms: Vec<f64> = positive.iter().map(|value| value.ln()).collect();
    let (before, after) = (skew(positive), skew(&logarithms).abs());
    let helps = before > STRONG_SKEW && after <= LEFT * before;
    helps.then(|| if zeros == 0 { 0.0 } else { positive[positive.len() / 10] })
}

/// How far the middle of ascending values is from the middle between their outer twentieths, from −1 to 1. Single
/// values, however large, do not matter.
fn skew(values: &[f64]) -> f64 {
    let (low, high) = twentieths(values);
    let middle = values[values.len() / 2];
    if high > low { ((high - middle) - (middle - low)) / (high - low) } else { 0.0 }
}

/// The values between which nine tenths of ascending ones are; the outermost are never among them.
fn twentieths(values: &[f64]) -> (f64, f64) {
    let last = values.len() - 1;
    let outer = last.div_ceil(20).min(last / 2);
    (values[outer], values[last - outer])
}

/// Far outside of ascending values: their nine tenths, and as much again on both sides. In a normal column that is five
/// standard deviations.
fn limits(values: &[f64]) -> (f64, f64) {
    let (mut low, mut high) = twentieths(values);
    if low == high {
        // Nearly all values are one; the spread is that of the others.
        let others: Vec<f64> = values.iter().copied().filter(|&value| value != low).collect();
        let (least, most) = twentieths(&others);
        (low, high) = (low.min(least), high.max(most));
    }
    let range = high - low;
    (low - range, high + range)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Random as _, Seed};

    /// n normal numbers.
    fn normal(n: usize) -> Vec<f64> {
        let mut stream = Seed::new(4).at(For::Generate, [0; 3]);
        (0..n).map(|_| stream.normal()).collect()
    }

    fn scale(column: Column) -> Scale {
        let Column::Scaled(scale) = column else { panic!("{column:?}") };
        scale
    }

    #[test]
    fn normal_columns_are_z_scores_whatever_their_unit() {
        let of = |unit: f64, offset: f64| {
            let values: Vec<f64> = normal(800).iter().map(|x| f64::from((unit * x + offset) as f32)).collect();
            (scale(Column::standard(values.clone())), values)
        };
        for (unit, offset) in [(1.0, 0.0), (1e-6, 0.0), (1e8, 1e9), (1e-3, -5.0)] {
            let (scale, values) = of(unit, offset);
            assert_eq!(scale.log, None, "{unit} {offset}");
            let scaled: Vec<f64> = values.iter().map(|&x| f64::from(scale.of(x as f32))).collect();
            let (mean, spread) = moments(&scaled);
            assert!(mean.abs() < 1e-5 && (spread - 1.0).abs() < 1e-5, "{mean} {spread}");
        }
    }

    #[test]
    fn log_normal_columns_are_scaled_after_a_logarithm() {
        let revenue: Vec<f64> = normal(800).iter().map(|x| 1e6 * (1.5 * x).exp()).collect();
        let found = scale(Column::standard(revenue.clone()));
        assert_eq!(found.log, Some(0.0));
        let z = f64::from(found.of(1e6 * 1.5f32.exp()));
        assert!((z - 1.0).abs() < 0.1, "{z}");
        assert!(found.of(0.0).is_finite() && found.of(-3.0) == found.of(0.0), "never seen, as small as can be");
        // With zeros, these are not far from the smallest.
        let with_zeros = revenue.iter().enumerate().map(|(i, &x)| if i.is_multiple_of(3) { 0.0 } else { x }).collect();
        let found = scale(Column::standard(with_zeros));
        assert!(found.log.is_some_and(|added| added > 0.0) && found.of(0.0) > -3.0, "{found:?}");
    }

    #[test]
    fn columns_that_a_logarithm_does_not_help_are_left_without() {
        let uniform = (0..500).map(f64::from).collect();
        let mild = normal(800).iter().map(|x| (0.3 * x).exp()).collect();
        let few = (0..500).map(|i| f64::from(1 + i % 10 / 8 + i % 20 / 19)).collect();
        for values in [uniform, mild, few] {
            assert_eq!(scale(Column::standard(values)).log, None);
        }
    }

    #[test]
    fn one_enormous_value_does_not_flatten_the_others() {
        for enormous in [1e9, -1e9, 1e30] {
            for n in [25, 800] {
                let mut values = normal(n);
                values[3] = enormous;
                let found = scale(Column::standard(values));
                assert!((0.6..1.6).contains(&found.spread), "{found:?}");
                assert!(found.of(enormous as f32).abs() < 8.0);
            }
        }
    }

    #[test]
    fn rare_values_are_not_lost() {
        let mut values = vec![0.0; 500];
        values[7..12].copy_from_slice(&[5.0, 6.0, 7.0, 5.5, 6.5]);
        let found = scale(Column::standard(values));
        assert!(found.of(5.0) > 5.0 && found.of(0.0).abs() < 0.2, "{found:?}");
        let two = scale(Column::standard([vec![2.0; 99], vec![7.0]].concat()));
        assert!(two.of(7.0) > 5.0);
    }

    #[test]
    fn constant_columns_are_left_out_and_zero_and_one_stay() {
        assert_eq!(Column::standard(vec![7.0; 5]), Column::Constant(7.0));
        assert_eq!(Column::z_score(&[0.0; 5]), Column::Constant(0.0));
        assert_eq!(Column::standard(vec![0.0, 1.0, 1.0]), Column::Kept);
        let found = scale(Column::z_score(&[0.0, 1.0]));
        assert_eq!((found.of(0.0), found.of(1.0), found.limits), (-1.0, 1.0, None));
    }
}
