//! Cells of X that were empty when it was read. They hold the mean of their column; in data that is predicted later,
//! the mean that the column had in the fit.

use super::{Dataset, DenseRows, Features};
use std::borrow::Cow;
use std::collections::HashMap;

impl Dataset {
    /// What an empty cell of each column of a table counts as; none where X is sparse or absent.
    pub fn column_means(&self) -> Vec<f32> {
        let Features::Dense(DenseRows { columns, values }) = &self.features else { return Vec::new() };
        let mut sums = vec![0f64; *columns];
        for row in values.chunks_exact(*columns) {
            sums.iter_mut().zip(row).for_each(|(sum, &value)| *sum += f64::from(value));
        }
        let mut means: Vec<f32> = sums.into_iter().map(|sum| (sum / self.nodes() as f64) as f32).collect();
        // To the last bit what the reader has put there.
        self.blanks.iter().for_each(|&(a, j)| means[j as usize] = values[a as usize * columns + j as usize]);
        means
    }

    /// X with these means in its empty cells. They are those of the columns `known`, which are found by name where both
    /// have names.
    pub(crate) fn filled(&self, known: &[String], means: &[f32]) -> Cow<'_, Features> {
        let Features::Dense(rows) = &self.features else { return Cow::Borrowed(&self.features) };
        if self.blanks.is_empty() || means.is_empty() {
            return Cow::Borrowed(&self.features);
        }
        let named = !known.is_empty() && !self.feature_names.is_empty();
        let by_name: HashMap<&str, f32> = known.iter().map(String::as_str).zip(means.iter().copied()).collect();
        let mean = |j: u32| match named {
            true => by_name.get(self.feature_names[j as usize].as_str()).copied(),
            false => means.get(j as usize).copied(),
        };
        let mut filled = rows.clone();
        for &(a, j) in &self.blanks {
            if let Some(mean) = mean(j) {
                filled.values[a as usize * rows.columns + j as usize] = mean;
            }
        }
        Cow::Owned(Features::Dense(filled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::FeatureRows;

    /// Two columns, the first cell empty.
    fn table(values: &[f32], names: [&str; 2]) -> Dataset {
        let features = FeatureRows::Dense { columns: 2, values };
        let data = Dataset::builder(2).edges(&[(0, 1)]).features(features).feature_names(names).build().unwrap();
        Dataset { blanks: vec![(0, 0)], ..data }
    }

    #[test]
    fn empty_cells_hold_the_means_of_the_fit_whatever_the_order_of_columns() {
        // The mean of 3 and an empty cell is 3; the reader has put another number there, which counts.
        let fitted = table(&[3.25, 1.0, 3.0, 2.0], ["age", "size"]);
        let means = fitted.column_means();
        assert_eq!(means, [3.25, 1.5]);
        let values = |data: &Dataset| match data.filled(&fitted.feature_names, &means).into_owned() {
            Features::Dense(rows) => rows.values,
            _ => unreachable!(),
        };
        assert_eq!(values(&table(&[9.0, 1.0, 9.0, 2.0], ["age", "size"])), [3.25, 1.0, 9.0, 2.0]);
        assert_eq!(values(&table(&[9.0, 1.0, 9.0, 2.0], ["size", "age"])), [1.5, 1.0, 9.0, 2.0]);
        assert_eq!(values(&table(&[9.0, 1.0, 9.0, 2.0], ["new", "age"])), [9.0, 1.0, 9.0, 2.0]);
        assert_eq!(fitted.filled(&[], &[]).as_ref(), &fitted.features);
    }
}
