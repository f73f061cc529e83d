//! Which kind of numbers features are, without a look at labels.
//!
//! Columns of 0 and 1 fit any kind, so the others decide. Words and counts are mostly zeros, a table of measured
//! quantities is not; where its columns are mostly zeros too, their sizes have little in common.

use super::Scaling;
use crate::data::Features;

/// Measured columns with at least this share of entries that are not zero are a table.
const HALF: f64 = 0.5;

/// With fewer, but this share, they are a table where their sizes differ: words come far below it.
const SOME: f64 = 0.05;

/// Sizes of columns that differ by more than this factor are not of one kind; counts of words stay below it.
const INCOMPARABLE: f64 = 1000.0;

/// What features are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FeatureKind {
    /// None: one-hot node ids.
    Identity,
    /// Counts, words, 0 and 1: not negative, mostly zeros, columns of one kind.
    Words,
    /// Mostly zeros, with negative values.
    Signed,
    /// Measured quantities, each column in its own unit.
    Table,
}

/// A column in passing.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// Entries that are not zero.
    filled: usize,
    /// Whether one is neither 0 nor 1.
    measured: bool,
    /// Of the absolute values.
    sum: f64,
}

impl FeatureKind {
    /// The kind of these features, in O(N + entries).
    pub fn of(features: &Features) -> Self {
        if matches!(features, Features::Identity(_)) {
            return Self::Identity;
        }
        let (columns, negative) = seen(features);
        let measured: Vec<Seen> = columns.into_iter().filter(|column| column.measured).collect();
        let filled: usize = measured.iter().map(|column| column.filled).sum();
        let share = filled as f64 / (features.nodes() * measured.len()).max(1) as f64;
        let sizes = measured.iter().map(|column| column.sum / column.filled as f64);
        let (least, most) = sizes.fold((f64::INFINITY, 0.0), |(least, most), size| (size.min(least), size.max(most)));
        if share >= HALF || (share >= SOME && most > INCOMPARABLE * least) {
            Self::Table
        } else if negative {
            Self::Signed
        } else {
            Self::Words
        }
    }

    /// The scaling that suits it.
    pub fn scaling(self) -> Scaling {
        match self {
            // Rows of the identity sum to 1 already.
            Self::Identity | Self::Words => Scaling::UnitRows,
            Self::Signed => Scaling::AsIs,
            Self::Table => Scaling::Standard,
        }
    }

    /// How it was recognised, in words.
    pub fn why(self) -> &'static str {
        match self {
            Self::Identity => "no features",
            Self::Words => "counts or words: no negative values, mostly zeros or only 0 and 1",
            Self::Signed => "mostly zeros, some values negative",
            Self::Table => "measured columns",
        }
    }
}

/// Every column, and whether a value is negative.
fn seen(features: &Features) -> (Vec<Seen>, bool) {
    let (mut columns, mut negative) = (vec![Seen::default(); features.columns()], false);
    let mut see = |column: usize, value: f32| {
        if value != 0.0 {
            let seen = &mut columns[column];
            seen.filled += 1;
            seen.measured |= value != 1.0;
            seen.sum += f64::from(value.abs());
            negative |= value < 0.0;
        }
    };
    match features {
        Features::Identity(_) => {}
        Features::Dense(rows) => rows.values.iter().enumerate().for_each(|(i, &value)| see(i % rows.columns, value)),
        Features::Sparse(rows) => rows.indices.iter().zip(&rows.values).for_each(|(&j, &value)| see(j as usize, value)),
    }
    (columns, negative)
}

impl Scaling {
    /// Entries after scaling, at most, and whether they are stored without their columns.
    pub(crate) fn entries(self, features: &Features) -> (usize, bool) {
        match (self, features) {
            (Self::Standard | Self::ZScore, Features::Sparse(rows)) => {
                let (columns, _) = seen(features);
                let scaled = |column: &&Seen| column.measured || self == Self::ZScore;
                let (n, d) = (rows.rows(), columns.len());
                let kept: usize = columns.iter().filter(|column| !scaled(column)).map(|column| column.filled).sum();
                let entries = n * columns.iter().filter(scaled).count() + kept;
                if is_full(entries, n, d) { (n * d, true) } else { (entries, false) }
            }
            (_, Features::Identity(n)) => (*n, false),
            (_, Features::Sparse(rows)) => (rows.values.len(), false),
            (_, Features::Dense(rows)) => (rows.values.len(), true),
        }
    }
}

/// Whether so many entries of n × d are cheaper without their columns.
pub(super) fn is_full(entries: usize, n: usize, d: usize) -> bool {
    2 * entries >= n * d
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DenseRows, SparseRows, demo, karate};

    fn dense(columns: usize, values: &[f32]) -> Features {
        Features::Dense(DenseRows { columns, values: values.to_vec() })
    }

    /// Rows that hold a value in every `every`th column.
    fn sparse(value: impl Fn(usize) -> f32, every: usize) -> Features {
        let mut rows = SparseRows::new(20);
        for a in 0..40usize {
            let columns = (0..20).filter(|j| (a + j).is_multiple_of(every));
            rows.push_row(&mut columns.map(|j| (j as u32, value(j))).collect::<Vec<_>>());
        }
        Features::Sparse(rows)
    }

    #[test]
    fn built_in_sets_are_words_or_nothing() {
        assert_eq!(FeatureKind::of(&demo().features), FeatureKind::Words);
        assert_eq!(FeatureKind::of(&karate().features), FeatureKind::Identity);
        assert_eq!(FeatureKind::Identity.scaling(), Scaling::UnitRows);
    }

    #[test]
    fn mostly_zeros_of_one_size_are_words_whatever_holds_them() {
        assert_eq!(FeatureKind::of(&sparse(|j| 1.0 + j as f32, 4)), FeatureKind::Words);
        assert_eq!(FeatureKind::of(&sparse(|_| 0.3, 10)), FeatureKind::Words);
        assert_eq!(
            FeatureKind::of(&dense(4, &[0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0])),
            FeatureKind::Words
        );
        assert_eq!(FeatureKind::of(&sparse(|j| j as f32 - 9.5, 4)), FeatureKind::Signed);
        // Words of 0 and 1, however many.
        assert_eq!(FeatureKind::of(&sparse(|_| 1.0, 1)), FeatureKind::Words);
    }

    #[test]
    fn measured_columns_are_a_table() {
        assert_eq!(FeatureKind::of(&dense(1, &[3.0, 4.0])), FeatureKind::Table);
        assert_eq!(FeatureKind::of(&dense(2, &[-1.0, 2.0, 0.5, 0.1])), FeatureKind::Table);
        assert_eq!(FeatureKind::of(&sparse(|j| 1.0 + j as f32, 2)), FeatureKind::Table, "half full");
        // One year beside many categories: mostly zeros, but not in the column that is measured.
        let mut rows = SparseRows::new(30);
        (0..40).for_each(|a| rows.push_row(&mut [(0, 1950.0 + a as f32), (1 + a % 29, 1.0)]));
        assert_eq!(FeatureKind::of(&Features::Sparse(rows)), FeatureKind::Table);
        // Mostly zeros, but pounds beside shares.
        assert_eq!(FeatureKind::of(&sparse(|j| if j < 10 { 1e6 } else { 0.5 }, 5)), FeatureKind::Table);
    }
}
