//! What a scaler does, in words.

use super::column::{Column, Scale};
use super::scaler::How;
use super::{FeatureKind, Scaler};
use crate::data::Dataset;
use serde::Serialize;

/// Names in a sentence at most.
const NAMED: usize = 4;

/// Numbers of 32 bits hold seven digits; with a spread below this share of their size, five are lost.
const COARSE: f64 = 1e-5;

/// Above it, 32 bits do not hold every whole number.
const LARGEST_EXACT: f64 = 16_777_216.0;

/// What would be done to the features of a dataset where nothing else is asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DefaultScaling {
    /// The setting.
    pub name: &'static str,
    /// How the kind of the features was recognised.
    pub why: &'static str,
    /// What it does to the columns.
    pub text: String,
}

impl DefaultScaling {
    /// Of the features of this dataset.
    pub fn of(data: &Dataset) -> Self {
        let kind = FeatureKind::of(&data.features);
        let scaling = kind.scaling();
        let text = match Scaler::fit(scaling, &data.features) {
            Ok(scaler) => scaler.text(&data.feature_names),
            Err(error) => error.to_string(),
        };
        Self { name: scaling.name(), why: kind.why(), text }
    }
}

impl Scaler {
    /// What it does, such as "12 of 14 columns standardised, revenue and employees after a logarithm; 1 constant column
    /// dropped: country". Columns without names are called by their numbers, counted from 0.
    pub fn text(&self, names: &[String]) -> String {
        let (columns, done) = match &self.0 {
            How::Identity => return "none, one-hot node ids".into(),
            How::AsIs => return "features as they are".into(),
            How::UnitRows => return "every row divided by its sum".into(),
            How::Standard(columns) => (columns, "standardised"),
            How::ZScore(columns) => (columns, "as z-scores"),
        };
        let scaled = count(columns, |column| matches!(column, Column::Scaled(_)));
        let mut text = match scaled {
            all if all == columns.len() => format!("{} {done}", columns_of(all)),
            some => format!("{some} of {} {done}", columns_of(columns.len())),
        };
        let logarithms = which(columns, |column| matches!(column, Column::Scaled(Scale { log: Some(_), .. })));
        match logarithms.len() {
            0 => {}
            all if all == scaled && all > NAMED => text += ", all after a logarithm",
            _ => text += &format!(", {} after a logarithm", list(&logarithms, names)),
        }
        match count(columns, |column| matches!(column, Column::Kept)) {
            0 => {}
            kept => {
                text +=
                    &format!("; {} of 0 and 1 as {}", columns_of(kept), if kept == 1 { "it is" } else { "they are" })
            }
        }
        let constant = which(columns, |column| matches!(column, Column::Constant(_)));
        if !constant.is_empty() {
            text += &format!("; {} dropped: {}", constant_columns(constant.len()), list(&constant, names));
        }
        text
    }

    /// What a user should know of the columns, a sentence each.
    pub fn remarks(&self, names: &[String]) -> Vec<String> {
        let Some(columns) = self.columns() else { return Vec::new() };
        let mut remarks = Vec::new();
        let constant = which(columns, |column| matches!(column, Column::Constant(_)));
        if !constant.is_empty() {
            let text = format!("note: {} dropped: {}", constant_columns(constant.len()), list(&constant, names));
            remarks.push(text);
        }
        let coarse = which(columns, |column| match column {
            Column::Constant(value) => value.abs() >= LARGEST_EXACT,
            Column::Scaled(Scale { log: None, mean, spread, .. }) => *spread < COARSE * mean.abs(),
            Column::Scaled(_) | Column::Kept => false,
        });
        if !coarse.is_empty() {
            remarks.push(format!(
                "warning: the values of {} differ little for their size, and features are kept with seven digits, so \
                 differences are lost; subtract a number first, such as the smallest value",
                list(&coarse, names)
            ));
        }
        remarks
    }
}

fn which(columns: &[Column], what: impl Fn(&Column) -> bool) -> Vec<usize> {
    (0..columns.len()).filter(|&j| what(&columns[j])).collect()
}

fn count(columns: &[Column], what: impl Fn(&Column) -> bool) -> usize {
    columns.iter().filter(|column| what(column)).count()
}

fn columns_of(count: usize) -> String {
    format!("{count} column{}", if count == 1 { "" } else { "s" })
}

fn constant_columns(count: usize) -> String {
    format!("{count} constant column{}", if count == 1 { "" } else { "s" })
}

/// "a, b and c", or "a, b, c, d and 7 more".
fn list(columns: &[usize], names: &[String]) -> String {
    let name = |&j: &usize| names.get(j).cloned().unwrap_or_else(|| format!("column {j}"));
    join(&columns.iter().map(name).collect::<Vec<_>>())
}

/// The same of any names.
pub(super) fn join(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        _ if names.len() > NAMED + 1 => format!("{} and {} more", names[..NAMED].join(", "), names.len() - NAMED),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::scaling::Scaling;
    use crate::data::{DenseRows, Features, demo, karate};

    /// 60 rows of a log-normal, a uniform, a constant, a 0/1 column, and one whose digits are lost.
    fn company() -> Features {
        let row = |a: i32| {
            let revenue = 1e6 * (((a * 37 % 60) as f32 - 30.0) / 10.0).exp();
            [revenue, 1950.0 + a as f32, 3.0, (a % 2) as f32, 1e9 + 64.0 * (a % 3) as f32]
        };
        Features::Dense(DenseRows { columns: 5, values: (0..60).flat_map(row).collect() })
    }

    #[test]
    fn what_is_done_is_said_with_names_or_numbers() {
        let scaler = Scaler::fit(Scaling::Standard, &company()).unwrap();
        let names = ["revenue", "year", "country", "listed", "number"].map(String::from);
        let wanted = "3 of 5 columns standardised, revenue after a logarithm; 1 column of 0 and 1 as it is; 1 constant \
                      column dropped: country";
        assert_eq!(scaler.text(&names), wanted);
        assert!(scaler.text(&[]).ends_with("1 constant column dropped: column 2"));
        let remarks = scaler.remarks(&names);
        assert_eq!(remarks[0], "note: 1 constant column dropped: country");
        assert!(remarks[1].contains("the values of number differ little") && remarks.len() == 2, "{remarks:?}");
        let z = Scaler::fit(Scaling::ZScore, &company()).unwrap().text(&names);
        assert_eq!(z, "4 of 5 columns as z-scores; 1 constant column dropped: country");
    }

    #[test]
    fn defaults_are_said_with_their_reason() {
        let of = |data: &Dataset| DefaultScaling::of(data);
        assert_eq!((of(&demo()).name, of(&karate()).name), ("unit_rows", "unit_rows"));
        assert_eq!(of(&demo()).text, "every row divided by its sum");
        assert!(of(&karate()).text.starts_with("none"));
        let rows: Vec<f32> = vec![2.5; 34];
        let data = Dataset { features: Features::Dense(DenseRows { columns: 1, values: rows }), ..karate() };
        assert!(of(&data).text.contains("constant") && of(&data).name == "standard");
    }

    #[test]
    fn long_lists_end_in_a_number() {
        let names: Vec<String> = (0..9).map(|i| format!("c{i}")).collect();
        assert_eq!(join(&names), "c0, c1, c2, c3 and 5 more");
        assert_eq!(join(&names[..3]), "c0, c1 and c2");
    }
}
