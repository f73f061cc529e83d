//! Mean and spread of repeated trials.

use serde::Serialize;

/// Mean and sample standard deviation, in the unit of the values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// How many values.
    pub n: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation (n − 1); 0 for a single value.
    pub sd: f64,
}

impl Summary {
    /// Of at least one value; `None` for none.
    pub fn of(values: &[f64]) -> Option<Self> {
        let n = values.len();
        let mean = values.iter().sum::<f64>() / n as f64;
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        (n > 0).then(|| Self { n, mean, sd: if n > 1 { (squares / (n - 1) as f64).sqrt() } else { 0.0 } })
    }

    /// Of a number that each of some things has; there must be one.
    pub(crate) fn over<T>(items: impl IntoIterator<Item = T>, of: impl Fn(T) -> f64) -> Self {
        Self::some(items, |item| Some(of(item))).expect("a row is made with its first trial")
    }

    /// Of those that have the number; `None` where none has.
    pub(crate) fn some<T>(items: impl IntoIterator<Item = T>, of: impl Fn(T) -> Option<f64>) -> Option<Self> {
        Self::of(&items.into_iter().filter_map(of).collect::<Vec<_>>())
    }

    /// `75.0 ± 1.2`.
    pub(crate) fn with_sd(&self, digits: usize) -> String {
        format!("{:.digits$} ± {:.digits$}", self.mean, self.sd)
    }

    /// The same of shares, in percent.
    pub(crate) fn percent(&self) -> String {
        Self { mean: 100.0 * self.mean, sd: 100.0 * self.sd, ..*self }.with_sd(1)
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.sd / (self.n as f64).sqrt()
    }
}

/// What `text` makes of a value, or a dash.
pub(crate) fn or_dash<T>(value: Option<T>, text: impl Fn(T) -> String) -> String {
    value.map_or("–".into(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_worked_out_by_hand() {
        assert_eq!(Summary::of(&[1.0, 3.0]), Some(Summary { n: 2, mean: 2.0, sd: 2f64.sqrt() }));
        assert_eq!(Summary::of(&[5.0]).unwrap().sd, 0.0);
        assert_eq!(Summary::of(&[]), None);
    }
}
