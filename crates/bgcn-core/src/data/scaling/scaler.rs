//! A scaling with what it found in the features of a fit, to be applied to these and to later ones.

use super::Scaling;
use super::column::{Column, Scale};
use super::kind::is_full;
use crate::data::{DenseRows, Error, Features, SparseRows};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What happens to features, with every mean and spread; see [`Scaling`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaler(pub(super) How);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum How {
    /// There are no features.
    Identity,
    AsIs,
    UnitRows,
    Standard(Vec<Column>),
    ZScore(Vec<Column>),
}

impl Scaler {
    /// Finds what the scaling needs of these features; the same on any number of threads.
    pub fn fit(scaling: Scaling, features: &Features) -> Result<Self, Error> {
        let how = match scaling {
            _ if matches!(features, Features::Identity(_)) => How::Identity,
            Scaling::AsIs => How::AsIs,
            Scaling::UnitRows => How::UnitRows,
            Scaling::Standard => How::Standard(each_column(features, Column::standard)),
            Scaling::ZScore => How::ZScore(each_column(features, |values| Column::z_score(&values))),
        };
        let scaler = Self(how);
        if scaler.columns().is_some_and(|columns| columns.iter().all(|column| matches!(column, Column::Constant(_)))) {
            let found = format!("every one of the {} columns is constant", features.columns());
            let allowed = "so they tell nothing of the nodes";
            return Err(Error::bad("features", found, allowed, "Leave them out, or set features.scaling to as_is"));
        }
        Ok(scaler)
    }

    /// The scaler of a run that has not kept one, where the scaling needs nothing to be kept.
    pub(crate) fn without_columns(scaling: Scaling) -> Option<Self> {
        match scaling {
            Scaling::UnitRows => Some(Self(How::UnitRows)),
            Scaling::AsIs => Some(Self(How::AsIs)),
            Scaling::Standard | Scaling::ZScore => None,
        }
    }

    /// The features as the network reads them.
    pub fn apply<'a>(&self, features: &'a Features) -> Result<Cow<'a, Features>, Error> {
        let columns = match &self.0 {
            How::Identity | How::AsIs => return Ok(Cow::Borrowed(features)),
            How::UnitRows => return Ok(Cow::Owned(features.with_unit_rows())),
            How::Standard(columns) | How::ZScore(columns) => columns,
        };
        let (found, wanted) = (features.columns(), columns.len());
        if found != wanted {
            let allowed = format!("there were {wanted} when they were scaled");
            return Err(Error::bad("features", format!("{found} columns"), allowed, "Give the same columns"));
        }
        let plan = Plan::new(columns);
        Ok(Cow::Owned(match features {
            Features::Identity(_) => {
                let (found, allowed) = ("there are none", format!("the run had {wanted} columns"));
                return Err(Error::bad("features", found, allowed, "Give the same columns"));
            }
            Features::Dense(rows) => plan.dense(features.nodes(), |a, see| {
                rows.values[a * wanted..][..wanted].iter().enumerate().for_each(|(j, &value)| see(j, value));
            }),
            Features::Sparse(rows) => {
                let kept = rows.indices.iter().filter(|&&j| matches!(columns[j as usize], Column::Kept)).count();
                let (n, d) = (rows.rows(), plan.columns);
                if is_full(kept + n * plan.scaled.len(), n, d) {
                    plan.dense(n, |a, see| {
                        let (indices, values) = rows.row(a);
                        indices.iter().zip(values).for_each(|(&j, &value)| see(j as usize, value));
                    })
                } else {
                    plan.sparse(rows)
                }
            }
        }))
    }

    /// Columns that are dropped, kept or scaled; `None` where rows are scaled, or nothing.
    pub(super) fn columns(&self) -> Option<&[Column]> {
        match &self.0 {
            How::Identity | How::AsIs | How::UnitRows => None,
            How::Standard(columns) | How::ZScore(columns) => Some(columns),
        }
    }

    /// Whether there were no features.
    pub(crate) fn is_identity(&self) -> bool {
        matches!(self.0, How::Identity)
    }

    /// How many columns of features there were, and how many of them the network reads; `None` where all are read.
    pub(crate) fn widths(&self) -> Option<(usize, usize)> {
        let columns = self.columns()?;
        Some((columns.len(), columns.iter().filter(|column| !matches!(column, Column::Constant(_))).count()))
    }

    /// Whether a column of the fit was left out.
    pub(super) fn drops(&self, column: usize) -> bool {
        self.columns().is_some_and(|columns| matches!(columns[column], Column::Constant(_)))
    }

    /// Whether a column of the fit may hold 0 and 1 alone.
    pub(super) fn may_be_indicator(&self, column: usize) -> bool {
        match &self.0 {
            How::Standard(columns) => matches!(columns[column], Column::Kept),
            _ => true,
        }
    }

    /// Whether its numbers can be used; a file may hold any.
    pub(crate) fn is_valid(&self) -> bool {
        self.columns().is_none_or(|columns| columns.iter().all(Column::is_valid))
    }
}

/// Where each column goes.
struct Plan<'a> {
    /// By column: its place after scaling, and how it is scaled.
    places: Vec<Option<(u32, Option<&'a Scale>)>>,
    /// The places of scaled columns, and what 0 becomes there.
    scaled: Vec<(u32, f32)>,
    columns: usize,
}

impl<'a> Plan<'a> {
    fn new(columns: &'a [Column]) -> Self {
        let mut plan = Self { places: Vec::with_capacity(columns.len()), scaled: Vec::new(), columns: 0 };
        for column in columns {
            let scale = match column {
                Column::Constant(_) => {
                    plan.places.push(None);
                    continue;
                }
                Column::Kept => None,
                Column::Scaled(scale) => Some(scale),
            };
            let place = plan.columns as u32;
            plan.scaled.extend(scale.map(|scale| (place, scale.of(0.0))));
            plan.places.push(Some((place, scale)));
            plan.columns += 1;
        }
        plan
    }

    /// The place and the value of an entry, where its column is not left out.
    fn of(&self, column: usize, value: f32) -> Option<(u32, f32)> {
        self.places[column].map(|(place, scale)| (place, scale.map_or(value, |scale| scale.of(value))))
    }

    /// Every value, row after row; `each` gives the entries of a row, without which a value is 0.
    fn dense(&self, n: usize, each: impl Fn(usize, &mut dyn FnMut(usize, f32)) + Sync) -> Features {
        let mut values = vec![0.0; n * self.columns];
        values.par_chunks_exact_mut(self.columns).enumerate().for_each(|(a, row)| {
            self.scaled.iter().for_each(|&(place, zero)| row[place as usize] = zero);
            each(a, &mut |column, value| {
                if let Some((place, value)) = self.of(column, value) {
                    row[place as usize] = value;
                }
            });
        });
        Features::Dense(DenseRows { columns: self.columns, values })
    }

    /// The same where most values stay 0.
    fn sparse(&self, rows: &SparseRows) -> Features {
        let mut out = SparseRows::new(self.columns);
        let mut row = Vec::new();
        for a in 0..rows.rows() {
            let (indices, values) = rows.row(a);
            row.clear();
            row.extend(indices.iter().zip(values).filter_map(|(&j, &value)| self.of(j as usize, value)));
            let stored = row.len();
            for &(place, zero) in &self.scaled {
                if row[..stored].binary_search_by_key(&place, |&(at, _)| at).is_err() {
                    row.push((place, zero));
                }
            }
            out.push_row(&mut row);
        }
        Features::Sparse(out)
    }
}

/// What becomes of every column, from all its values.
fn each_column(features: &Features, fit: impl Fn(Vec<f64>) -> Column + Sync) -> Vec<Column> {
    let (n, d) = (features.nodes(), features.columns());
    match features {
        Features::Identity(_) => Vec::new(),
        Features::Dense(rows) => {
            let values = |j: usize| rows.values.iter().skip(j).step_by(d).map(|&value| f64::from(value)).collect();
            (0..d).into_par_iter().map(|j| fit(values(j))).collect()
        }
        Features::Sparse(rows) => {
            let mut columns: Vec<Vec<f32>> = vec![Vec::new(); d];
            rows.indices.iter().zip(&rows.values).for_each(|(&j, &value)| columns[j as usize].push(value));
            let whole = |stored: Vec<f32>| {
                let zeros = n - stored.len();
                stored.into_iter().map(f64::from).chain(std::iter::repeat_n(0.0, zeros)).collect()
            };
            columns.into_par_iter().map(|stored| fit(whole(stored))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::demo;
    use crate::data::scaling::FeatureKind;

    fn dense(columns: usize, values: &[f32]) -> Features {
        Features::Dense(DenseRows { columns, values: values.to_vec() })
    }

    /// Four rows: a constant, 0 and 1, a year.
    fn table() -> Features {
        dense(3, &[5.0, 0.0, 1990.0, 5.0, 1.0, 2000.0, 5.0, 1.0, 1990.0, 5.0, 0.0, 2000.0])
    }

    fn sparse_of(features: &Features) -> Features {
        let Features::Dense(rows) = features else { unreachable!() };
        let mut sparse = SparseRows::new(rows.columns);
        for row in rows.values.chunks_exact(rows.columns) {
            sparse.push_row(&mut row.iter().enumerate().map(|(j, &value)| (j as u32, value)).collect::<Vec<_>>());
        }
        Features::Sparse(sparse)
    }

    #[test]
    fn columns_are_dropped_kept_and_standardised_in_any_form() {
        let wanted = dense(2, &[0.0, -1.0, 1.0, 1.0, 1.0, -1.0, 0.0, 1.0]);
        for features in [table(), sparse_of(&table())] {
            let scaler = Scaler::fit(Scaling::Standard, &features).unwrap();
            assert_eq!(scaler.apply(&features).unwrap().as_ref(), &wanted, "more than half full");
            assert_eq!(scaler.widths(), Some((3, 2)));
        }
        let scaler = Scaler::fit(Scaling::Standard, &table()).unwrap();
        // Other rows by the means of these.
        let later = scaler.apply(&dense(3, &[9.0, 1.0, 1995.0])).unwrap().into_owned();
        assert_eq!(later, dense(2, &[1.0, 0.0]));
        let error = scaler.apply(&dense(2, &[1.0, 1.0])).unwrap_err().to_string();
        assert!(error.contains("2 columns") && error.contains("3 when"), "{error}");
        let z = Scaler::fit(Scaling::ZScore, &table()).unwrap().apply(&table()).unwrap().into_owned();
        assert_eq!(z, dense(2, &[-1.0, -1.0, 1.0, 1.0, 1.0, -1.0, -1.0, 1.0]));
    }

    #[test]
    fn wide_rows_of_categories_stay_sparse_and_hold_the_same() {
        let mut rows = SparseRows::new(40);
        (0..60u32).for_each(|a| {
            rows.push_row(&mut [(1 + a % 38, 1.0), (39, if a.is_multiple_of(5) { 0.0 } else { 1.1 * a as f32 })])
        });
        let features = Features::Sparse(rows);
        let scaled = Scaler::fit(Scaling::Standard, &features).unwrap().apply(&features).unwrap().into_owned();
        let Features::Sparse(found) = &scaled else { panic!("{scaled:?}") };
        assert_eq!((found.columns, found.values.len()), (39, 120), "column 0 is constant");
        let year: Vec<f32> = (0..60).map(|a| *found.row(a).1.last().unwrap()).collect();
        assert!(year.iter().sum::<f32>().abs() < 1e-4 && year[0] == year[5] && year[1] < year[2]);
        assert_eq!(Scaling::Standard.entries(&features), (60 + 60, false));
    }

    #[test]
    fn words_and_identity_are_what_they_were() {
        let words = demo().features;
        let scaler = Scaler::fit(FeatureKind::of(&words).scaling(), &words).unwrap();
        assert_eq!(scaler.apply(&words).unwrap().into_owned(), words.with_unit_rows());
        let nothing = Features::Identity(4);
        for scaling in [Scaling::UnitRows, Scaling::Standard, Scaling::ZScore, Scaling::AsIs] {
            assert_eq!(Scaler::fit(scaling, &nothing).unwrap().apply(&nothing).unwrap().as_ref(), &nothing);
        }
    }

    #[test]
    fn columns_that_are_all_constant_are_refused_with_the_way_out() {
        let error = Scaler::fit(Scaling::Standard, &dense(2, &[1.5, 3.0, 1.5, 3.0])).unwrap_err().to_string();
        assert!(error.contains("every one of the 2 columns is constant") && error.contains("as_is"), "{error}");
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let values: Vec<f32> = (0..6000).map(|i| ((i * 7919 % 997) as f32).powi(2)).collect();
        let features = dense(12, &values);
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let scaler = Scaler::fit(Scaling::Standard, &features).unwrap();
                (scaler.apply(&features).unwrap().into_owned(), scaler)
            })
        };
        assert_eq!(on(1), on(4));
    }
}
