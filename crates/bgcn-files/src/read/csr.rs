//! Compressed sparse rows from a file, checked before anything relies on them.

use super::adjacency::ask;
use super::array::{Array, Unfit};
use bgcn_core::data::SparseRows;

/// scipy's csr_matrix as its three arrays; row r holds the entries `indptr[r]..indptr[r + 1]`.
pub(super) struct Csr<'a, 'b> {
    pub(super) rows: usize,
    pub(super) columns: usize,
    pub(super) indptr: &'b Array<'a>,
    pub(super) indices: &'b Array<'a>,
    pub(super) data: &'b Array<'a>,
}

impl Csr<'_, '_> {
    /// Row starts, `rows` + 1 of them: from 0, never descending, up to the number of entries.
    fn offsets(&self) -> Result<Vec<usize>, Unfit> {
        if self.indices.len() != self.data.len() {
            let found = format!("{} indices and {} values", self.indices.len(), self.data.len());
            return Err(Unfit::new(found, "there must be as many of one as of the other"));
        }
        if self.columns >= u32::MAX as usize {
            return Err(Unfit::new(format!("{} columns", self.columns), "at most 4294967294 are allowed"));
        }
        if self.rows.checked_add(1) != Some(self.indptr.len()) {
            let found = format!("{} rows and {} row starts (indptr)", self.rows, self.indptr.len());
            return Err(Unfit::new(found, "there must be one row start more than there are rows"));
        }
        let offsets = self.indptr.whole()?;
        let ends = (offsets[0], offsets[self.rows]);
        if ends != (0, self.indices.len() as i64) || offsets.windows(2).any(|w| w[0] > w[1]) {
            let found = format!("row starts (indptr) from {} to {}", ends.0, ends.1);
            let allowed = format!("they must never descend, from 0 to the number of entries, {}", self.indices.len());
            return Err(Unfit::new(found, allowed));
        }
        Ok(offsets.into_iter().map(|o| o as usize).collect())
    }

    /// As features: columns ascending in each row, explicit zeros dropped.
    pub(super) fn features(&self) -> Result<SparseRows, Unfit> {
        let offsets = self.offsets()?;
        let indices = self.indices.positions(self.columns)?;
        let values = self.data.floats().map_err(|unfit| unfit.placed(|i| self.place(i, &offsets, &indices)))?;
        let rows = SparseRows { columns: self.columns, offsets, indices, values };
        rows.in_order().map_err(|(row, column)| {
            let found = format!("column {column} twice in row {row}");
            Unfit::new(found, "once is allowed; call sum_duplicates() on the matrix before saving")
        })
    }

    /// As an adjacency matrix: row, column and value of every entry.
    pub(super) fn entries(&self) -> Result<Vec<(u32, u32, f64)>, Unfit> {
        let offsets = self.offsets()?;
        let indices = self.indices.positions(self.columns)?;
        let values = self.data.doubles()?;
        ask(indices.len())?;
        let mut entries = Vec::with_capacity(indices.len());
        for (a, bounds) in offsets.windows(2).enumerate() {
            entries.extend((bounds[0]..bounds[1]).map(|i| (a as u32, indices[i], values[i])));
        }
        Ok(entries)
    }

    /// Where the entry of number `i` is.
    fn place(&self, i: usize, offsets: &[usize], indices: &[u32]) -> String {
        let row = offsets.partition_point(|&start| start <= i) - 1;
        format!("row {row}, column {}", indices[i])
    }
}

#[cfg(test)]
mod tests {
    use super::super::array::Dtype;
    use super::*;
    use std::borrow::Cow;

    fn ints(values: &[i32]) -> Array<'static> {
        let data = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        Array::new(Dtype::parse("<i4").unwrap(), &[values.len()], false, Cow::Owned(data)).unwrap()
    }

    /// A matrix of two rows and three columns, read as features and as edges.
    type Read = (Result<SparseRows, Unfit>, Result<Vec<(u32, u32, f64)>, Unfit>);

    fn matrix(indptr: &[i32], indices: &[i32], data: &[i32]) -> Read {
        let (indptr, indices, data) = (ints(indptr), ints(indices), ints(data));
        let csr = Csr { rows: 2, columns: 3, indptr: &indptr, indices: &indices, data: &data };
        (csr.features(), csr.entries())
    }

    #[test]
    fn features_are_sorted_and_free_of_zeros() {
        let x = matrix(&[0, 2, 3], &[2, 0, 1], &[5, 6, 0]).0.unwrap();
        assert_eq!(x, SparseRows { columns: 3, offsets: vec![0, 2, 2], indices: vec![0, 2], values: vec![6.0, 5.0] });
    }

    #[test]
    fn whatever_is_no_matrix_is_refused() {
        for (indptr, indices, data) in [
            (&[0, 1][..], &[0][..], &[1][..]),
            (&[0, 2, 1], &[0], &[1]),
            (&[1, 1, 1], &[0], &[1]),
            (&[0, 1, 2], &[0], &[1]),
            (&[0, 0, 1], &[3], &[1]),
            (&[0, 0, 1], &[-1], &[1]),
            (&[0, 0, 1], &[0], &[1, 1]),
            (&[0, 2, 2], &[1, 1], &[1, 1]),
        ] {
            assert!(matrix(indptr, indices, data).0.is_err(), "{indptr:?} {indices:?} {data:?}");
        }
    }

    #[test]
    fn every_entry_has_its_place_and_its_weight() {
        let wanted = [(0, 0, 1.0), (0, 2, 0.0), (1, 1, 2.0)];
        assert_eq!(matrix(&[0, 2, 3], &[0, 2, 1], &[1, 0, 2]).1.unwrap(), wanted);
    }

    #[test]
    fn a_value_that_is_no_number_is_named_by_row_and_column() {
        let nan = [1f32, f32::NAN].map(f32::to_le_bytes).concat();
        let data = Array::new(Dtype::parse("<f4").unwrap(), &[2], false, Cow::Owned(nan)).unwrap();
        let (indptr, indices) = (ints(&[0, 0, 2]), ints(&[0, 2]));
        let csr = Csr { rows: 2, columns: 3, indptr: &indptr, indices: &indices, data: &data };
        assert_eq!(csr.features().unwrap_err().found, "NaN at row 1, column 2");
    }
}
