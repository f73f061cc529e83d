//! Columns of later features in the order of those of a fit, by their names.
//!
//! A category is a column of 0 and 1 called `column=value`. One that no node of the later data has is all zeros there,
//! and so are columns of sparse rows, such as words; any other column that is missing is an error, and columns that the
//! fit did not have are left out.

use super::Scaler;
use super::text::join;
use crate::data::{DenseRows, Error, Features, SparseRows};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// Features in the order of a fit.
pub(crate) struct Aligned<'a> {
    pub(crate) features: Cow<'a, Features>,
    /// What was left out or filled in.
    pub(crate) remarks: Vec<String>,
}

impl<'a> Aligned<'a> {
    /// The columns of a fit, `known`, found among `names`. Without names on one side they are taken as they come.
    pub(crate) fn new(
        scaler: &Scaler,
        known: &[String],
        (features, names): (&'a Features, &[String]),
    ) -> Result<Self, Error> {
        let sparse = matches!(features, Features::Sparse(_));
        let mut numbers = Vec::new();
        // Columns that were numbered by use are called by their numbers.
        if sparse && names.is_empty() && known.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_digit())) {
            numbers.extend((0..features.columns()).map(|column| column.to_string()));
        }
        let names = if numbers.is_empty() { names } else { &numbers };
        if known.is_empty() || names.is_empty() || known == names {
            return Ok(Self { features: Cow::Borrowed(features), remarks: Vec::new() });
        }
        if names.len() != features.columns() {
            let allowed = format!("{} columns need one each", features.columns());
            let found = format!("{} of them", names.len());
            return Err(Error::bad("feature names", found, allowed, "Name every column, or none"));
        }
        let place: HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        let columns: HashSet<&str> = names.iter().filter_map(|name| column(name)).collect();
        let words = sparse && known.iter().any(|name| place.contains_key(name.as_str()));
        let (mut from, mut missing, mut zeros) = (Vec::with_capacity(known.len()), Vec::new(), 0);
        for (j, name) in known.iter().enumerate() {
            let found = place.get(name.as_str()).copied();
            let category = column(name).is_some_and(|column| columns.contains(column));
            match found {
                None if (category || words) && scaler.may_be_indicator(j) => zeros += usize::from(!category),
                // All categories gone is a column that is missing.
                None if !scaler.drops(j) => missing.push(column(name).unwrap_or(name).to_owned()),
                _ => {}
            }
            from.push(found);
        }
        missing.dedup();
        if !missing.is_empty() {
            let found = format!("there is no column {}", join(&missing));
            return Err(Error::bad("features", found, "the run was fitted with it", "Give every column of the fit"));
        }
        let wanted: HashSet<&str> = known.iter().map(String::as_str).collect();
        let unknown: Vec<String> = names.iter().filter(|name| !wanted.contains(name.as_str())).cloned().collect();
        let mut remarks = Vec::new();
        if zeros > 0 {
            remarks.push(format!("note: columns of the run that hold nothing here: {zeros} of {}", known.len()));
        }
        if !unknown.is_empty() {
            remarks.push(format!("note: left out, as the run did not have it: {}", join(&unknown)));
        }
        Ok(Self { features: Cow::Owned(chosen(features, &from)), remarks })
    }
}

/// The column of a category's name.
fn column(name: &str) -> Option<&str> {
    name.split_once('=').map(|(column, _)| column)
}

/// These columns in this order; zeros for `None`.
fn chosen(features: &Features, from: &[Option<u32>]) -> Features {
    let columns = from.len();
    match features {
        Features::Identity(n) => Features::Identity(*n),
        Features::Dense(rows) => {
            let row = |row: &[f32]| -> Vec<f32> { from.iter().map(|j| j.map_or(0.0, |j| row[j as usize])).collect() };
            let values = rows.values.chunks_exact(rows.columns.max(1)).flat_map(row).collect();
            Features::Dense(DenseRows { columns, values })
        }
        Features::Sparse(rows) => {
            let places: HashMap<u32, u32> =
                (0..).zip(from).filter_map(|(to, from)| from.map(|from| (from, to))).collect();
            let mut out = SparseRows::new(columns);
            for a in 0..rows.rows() {
                let (indices, values) = rows.row(a);
                let entries = indices.iter().zip(values);
                let mut row: Vec<(u32, f32)> =
                    entries.filter_map(|(j, &value)| places.get(j).map(|&to| (to, value))).collect();
                out.push_row(&mut row);
            }
            Features::Sparse(out)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::scaling::Scaling;

    fn dense(columns: usize, values: &[f32]) -> Features {
        Features::Dense(DenseRows { columns, values: values.to_vec() })
    }

    fn names(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    /// year, a constant, two sectors.
    fn fitted() -> (Scaler, Vec<String>) {
        let x = dense(4, &[1990.0, 5.0, 1.0, 0.0, 2000.0, 5.0, 0.0, 1.0, 2010.0, 5.0, 0.0, 1.0]);
        (Scaler::fit(Scaling::Standard, &x).unwrap(), names("year constant sector=IT sector=Health"))
    }

    fn align(columns: &str, values: &[f32]) -> Result<(Features, Vec<String>), String> {
        let (scaler, known) = fitted();
        let columns = names(columns);
        let x = dense(columns.len(), values);
        let aligned = Aligned::new(&scaler, &known, (&x, &columns)).map_err(|error| error.to_string())?;
        Ok((aligned.features.into_owned(), aligned.remarks))
    }

    #[test]
    fn columns_are_found_by_their_names() {
        let (x, remarks) = align("sector=Health year constant sector=IT", &[1.0, 1999.0, 5.0, 0.0]).unwrap();
        assert_eq!((x, remarks.len()), (dense(4, &[1999.0, 5.0, 0.0, 1.0]), 0));
        // Left out, filled in: a category that no one has, a new one, a column that was dropped anyway.
        let (x, remarks) = align("sector=Farms year sector=IT size", &[1.0, 1999.0, 0.0, 7.0]).unwrap();
        assert_eq!(x, dense(4, &[1999.0, 0.0, 0.0, 0.0]));
        assert_eq!(remarks, ["note: left out, as the run did not have it: sector=Farms and size"]);
    }

    #[test]
    fn missing_columns_are_named() {
        let error = align("constant sector=IT", &[5.0, 1.0]).unwrap_err();
        assert!(error.contains("there is no column year") && error.contains("Give"), "{error}");
        let error = align("year constant", &[1.0, 1.0]).unwrap_err();
        assert!(error.contains("there is no column sector;"), "{error}");
    }

    #[test]
    fn sparse_columns_move_too_and_without_names_all_stay() {
        let (scaler, known) = fitted();
        let mut rows = SparseRows::new(3);
        rows.push_row(&mut [(0, 1.0), (2, 1980.0)]);
        let x = Features::Sparse(rows);
        let aligned = Aligned::new(&scaler, &known, (&x, &names("sector=IT sector=X year"))).unwrap();
        let Features::Sparse(found) = aligned.features.as_ref() else { unreachable!() };
        assert_eq!((found.columns, found.row(0)), (4, (&[0, 2][..], &[1980.0, 1.0][..])));
        assert!(matches!(Aligned::new(&scaler, &known, (&x, &[])).unwrap().features, Cow::Borrowed(_)));
        // Of words that were numbered by use, one is there, and none has a name.
        let scaler = Scaler::fit(Scaling::UnitRows, &x).unwrap();
        let aligned = Aligned::new(&scaler, &names("2 5000000"), (&x, &[])).unwrap();
        let Features::Sparse(found) = aligned.features.as_ref() else { unreachable!() };
        assert_eq!((found.columns, found.row(0)), (2, (&[0][..], &[1980.0][..])));
        let wanted = "note: columns of the run that hold nothing here: 1 of 2";
        assert_eq!(aligned.remarks, [wanted, "note: left out, as the run did not have it: 0 and 1"]);
        assert!(matches!(Aligned::new(&scaler, &[], (&x, &known)).unwrap().features, Cow::Borrowed(_)));
    }
}
