//! What a box plot shows of some numbers.

use serde::Serialize;

/// Least, quartiles, greatest, and mean.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The least.
    pub least: f64,
    /// A quarter is below.
    pub lower: f64,
    /// Half is below.
    pub median: f64,
    /// Three quarters are below.
    pub upper: f64,
    /// The greatest.
    pub greatest: f64,
    /// Their mean.
    pub mean: f64,
}

impl Spread {
    /// Of at least one number; `None` for none. Quartiles between two numbers are interpolated, as numpy does.
    pub fn of(values: &[f64]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let (least, greatest) = (*sorted.first()?, *sorted.last()?);
        let quantile = |share: f64| {
            let place = share * (sorted.len() - 1) as f64;
            let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
            below + (above - below) * place.fract()
        };
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        Some(Self { least, lower: quantile(0.25), median: quantile(0.5), upper: quantile(0.75), greatest, mean })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_numpy() {
        // Made by golden/quartiles.py.
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/quartiles.json")).unwrap();
        let numbers = |v: &serde_json::Value| -> Vec<f64> { serde_json::from_value(v.clone()).unwrap() };
        let cases = golden["cases"].as_array().unwrap();
        assert!(cases.len() > 5);
        for case in cases {
            let found = Spread::of(&numbers(&case["values"])).unwrap();
            let found = [found.least, found.lower, found.median, found.upper, found.greatest, found.mean];
            for (found, wanted) in found.iter().zip(numbers(&case["spread"])) {
                assert!((found - wanted).abs() < 1e-12, "{found} instead of {wanted}");
            }
        }
    }

    #[test]
    fn nothing_has_no_spread() {
        assert_eq!(Spread::of(&[]), None);
    }
}
