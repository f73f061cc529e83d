//! Columns numbered by use, where there are so many that most hold nothing.
//!
//! Every column takes weights of the network, whether it holds something or not. A hashed or mistyped number of a
//! column would so ask for any amount of memory.

use super::{Dataset, Features, SparseRows};

/// Columns that stay as they are; of more, those that hold something are numbered anew. Hashed words have so many.
pub const WIDE: usize = 1 << 20;

/// What the user should know where columns were numbered by use.
pub fn remark(of: &str, used: usize, columns: impl std::fmt::Display) -> String {
    let hold = if used == 1 { "1 holds" } else { &format!("{used} hold") };
    format!("{of}: of {columns} columns {hold} something; the others are left out, and columns are called by number")
}

impl SparseRows {
    /// Without the columns that hold nothing, and the numbers that the others had; one column is always left.
    fn by_use(mut self) -> (Self, Vec<u32>) {
        let mut used = self.indices.clone();
        used.sort_unstable();
        used.dedup();
        if used.is_empty() {
            used.push(0);
        }
        self.indices.iter_mut().for_each(|column| *column = used.partition_point(|other| other < column) as u32);
        self.columns = used.len();
        (self, used)
    }
}

impl Dataset {
    /// The same; of more than [`WIDE`] sparse columns those that hold something, called by the names that they had, or
    /// by their numbers. `of`, such as a file, is for the remark.
    pub fn with_used_columns(mut self, of: &str) -> Self {
        let columns = self.features.columns();
        self.features = match self.features {
            Features::Sparse(rows) if columns > WIDE => {
                let (rows, used) = rows.by_use();
                let names = std::mem::take(&mut self.feature_names);
                let name = |column: u32| names.get(column as usize).cloned().unwrap_or_else(|| column.to_string());
                self.feature_names = used.into_iter().map(name).collect();
                self.remarks.push(remark(of, rows.columns, columns));
                Features::Sparse(rows)
            }
            features => features,
        };
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::FeatureRows;

    fn build(columns: usize, indices: &[u32]) -> Dataset {
        let offsets: Vec<usize> = (0..=3).map(|a| a * indices.len() / 3).collect();
        let values = vec![1.0; indices.len()];
        let rows = FeatureRows::Sparse { columns, offsets: &offsets, indices, values: &values };
        Dataset::builder(3).edges(&[(0, 1), (1, 2)]).features(rows).build().unwrap()
    }

    #[test]
    fn of_very_many_columns_those_that_hold_something_are_used() {
        let data = build(1 << 31, &[7, 2_000_000_000, 7]);
        let Features::Sparse(rows) = &data.features else { unreachable!() };
        assert_eq!((rows.columns, &rows.indices[..]), (2, &[0, 1, 0][..]));
        assert_eq!(data.feature_names, ["7", "2000000000"]);
        let wanted = "features: of 2147483648 columns 2 hold something; the others are left out, and columns are \
                      called by number";
        assert_eq!(data.remarks, [wanted]);
        let empty = build(1 << 31, &[]);
        assert_eq!((empty.features.columns(), empty.feature_names), (1, vec!["0".into()]));
    }

    #[test]
    fn fewer_columns_stay_as_they_are() {
        let data = build(WIDE, &[7, 9, 7]);
        assert_eq!((data.features.columns(), data.feature_names.len(), data.remarks.len()), (WIDE, 0, 0));
    }
}
