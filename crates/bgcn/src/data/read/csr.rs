//! Compressed sparse rows from a file, checked before anything relies on them.

use super::array::{Array, Unfit};
use crate::data::SparseRows;

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
        let values = self.data.floats()?;
        let rows = SparseRows { columns: self.columns, offsets, indices, values };
        rows.in_order().map_err(|(row, column)| {
            let found = format!("column {column} twice in row {row}");
            Unfit::new(found, "once is allowed; call sum_duplicates() on the matrix before saving")
        })
    }

    /// As an adjacency matrix: the (row, column) of every entry that is not zero. All values must be 0 or 1.
    pub(super) fn edges(&self) -> Result<Vec<(u32, u32)>, Unfit> {
        let offsets = self.offsets()?;
        let indices = self.indices.positions(self.columns)?;
        let values = self.data.floats()?;
        if let Some(weight) = values.iter().find(|&&v| v != 0.0 && v != 1.0) {
            let allowed = "an edge is there (1) or not (0); decide on a threshold, such as adj.data = (adj.data > 0.5)";
            return Err(Unfit::new(format!("an edge of weight {weight}"), allowed));
        }
        let mut edges = Vec::with_capacity(indices.len());
        for (a, bounds) in offsets.windows(2).enumerate() {
            for i in bounds[0]..bounds[1] {
                if values[i] != 0.0 {
                    edges.push((a as u32, indices[i]));
                }
            }
        }
        Ok(edges)
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
    type Read = (Result<SparseRows, Unfit>, Result<Vec<(u32, u32)>, Unfit>);

    fn matrix(indptr: &[i32], indices: &[i32], data: &[i32]) -> Read {
        let (indptr, indices, data) = (ints(indptr), ints(indices), ints(data));
        let csr = Csr { rows: 2, columns: 3, indptr: &indptr, indices: &indices, data: &data };
        (csr.features(), csr.edges())
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
    fn zeros_are_no_edges_and_weights_are_refused() {
        assert_eq!(matrix(&[0, 2, 3], &[0, 2, 1], &[1, 0, 1]).1.unwrap(), [(0, 0), (1, 1)]);
        let error = matrix(&[0, 1, 1], &[1], &[2]).1.unwrap_err();
        assert_eq!(error.found, "an edge of weight 2");
    }
}
