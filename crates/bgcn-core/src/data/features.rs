//! X [n, d]: what is measured at each node.

use super::Error;
use crate::memory;

/// Features that are somewhere else, to be checked and copied.
#[derive(Clone, Copy, Debug)]
pub enum FeatureRows<'a> {
    /// Every value of X [n, d], row after row.
    Dense {
        /// d.
        columns: usize,
        /// n × d values.
        values: &'a [f32],
    },
    /// Compressed sparse rows: row a holds the entries `offsets[a]..offsets[a + 1]`, in any order of the columns.
    Sparse {
        /// d.
        columns: usize,
        /// Row starts, n + 1 of them.
        offsets: &'a [usize],
        /// The column of each entry.
        indices: &'a [u32],
        /// The value of each entry.
        values: &'a [f32],
    },
}

impl FeatureRows<'_> {
    /// The rows of `nodes` nodes, still to be checked; where they are sparse, in order and without zeros.
    pub(super) fn copy(self, nodes: usize) -> Result<Features, Error> {
        let bytes = match self {
            Self::Dense { values, .. } => size_of_val(values),
            Self::Sparse { offsets, values, .. } => size_of_val(offsets) + 2 * size_of_val(values),
        };
        memory::allow(bytes as u64).map_err(|much| {
            Error::bad("features", much, "they are copied", "Leave out columns, or take a machine with more memory")
        })?;
        match self {
            Self::Dense { columns, values } => Ok(Features::Dense(DenseRows { columns, values: values.to_vec() })),
            Self::Sparse { columns, offsets, indices, values } => {
                let (offsets, indices, values) = (offsets.to_vec(), indices.to_vec(), values.to_vec());
                let rows = SparseRows { columns, offsets, indices, values };
                rows.check_shape(nodes)?;
                let rows = rows.in_order().map_err(|(row, column)| {
                    let place = format!("features, row {row}, column {column}");
                    Error::bad(place, "two entries", "one is allowed", "Add them up, or remove one")
                })?;
                Ok(Features::Sparse(rows))
            }
        }
    }
}

/// The features of all nodes, in the cheapest form that holds them.
#[derive(Clone, Debug, PartialEq)]
pub enum Features {
    /// No features: one-hot node ids, X = I.
    Identity(usize),
    /// Mostly zeros, such as bags of words.
    Sparse(SparseRows),
    /// Mostly not zeros, such as embeddings.
    Dense(DenseRows),
}

/// Rows of (column, value) pairs, columns ascending in each row, no stored zeros.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SparseRows {
    /// d.
    pub columns: usize,
    /// Row starts, n + 1 of them.
    pub offsets: Vec<usize>,
    /// Columns, row after row.
    pub indices: Vec<u32>,
    /// Values, in the order of `indices`. All finite.
    pub values: Vec<f32>,
}

/// Rows of d values, all finite.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DenseRows {
    /// d.
    pub columns: usize,
    /// [n, d], row after row.
    pub values: Vec<f32>,
}

impl SparseRows {
    /// No rows yet, `columns` columns.
    pub fn new(columns: usize) -> Self {
        Self { columns, offsets: vec![0], indices: Vec::new(), values: Vec::new() }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Row `a` as (columns, values).
    pub fn row(&self, a: usize) -> (&[u32], &[f32]) {
        let range = self.offsets[a]..self.offsets[a + 1];
        (&self.indices[range.clone()], &self.values[range])
    }

    /// The same with ascending columns and without zeros; fails with a (row, column) that is there twice.
    pub fn in_order(self) -> Result<Self, (usize, u32)> {
        let ascending = |row: &[usize]| self.indices[row[0]..row[1]].is_sorted_by(|a, b| a < b);
        if self.values.iter().all(|&v| v != 0.0) && self.offsets.windows(2).all(ascending) {
            return Ok(self);
        }
        let mut rows = Self::new(self.columns);
        let mut entries: Vec<(u32, f32)> = Vec::new();
        for a in 0..self.rows() {
            let (indices, values) = self.row(a);
            entries.clear();
            entries.extend(indices.iter().copied().zip(values.iter().copied()));
            entries.sort_unstable_by_key(|&(column, _)| column);
            if let Some(twice) = entries.windows(2).find(|w| w[0].0 == w[1].0) {
                return Err((a, twice[0].0));
            }
            rows.push_row(&mut entries);
        }
        Ok(rows)
    }

    /// Whether the arrays fit each other and `nodes`.
    fn check_shape(&self, nodes: usize) -> Result<(), Error> {
        let (starts, entries) = (self.offsets.len(), self.indices.len());
        if self.values.len() != entries {
            let found = format!("{entries} indices and {} values", self.values.len());
            return Err(Error::bad("features", found, "every entry has one of each", "Correct the arrays"));
        }
        if starts != nodes + 1 {
            let allowed = format!("{nodes} nodes need {}", nodes + 1);
            return Err(Error::bad("features", format!("{starts} row starts"), allowed, "Give one row per node"));
        }
        if let Some(row) = (0..nodes).find(|&row| self.offsets[row] > self.offsets[row + 1]) {
            let found = format!("starts at {} and ends at {}", self.offsets[row], self.offsets[row + 1]);
            return Err(Error::bad(format!("features, row {row}"), found, "row starts ascend", "Correct the offsets"));
        }
        if (self.offsets[0], self.offsets[nodes]) != (0, entries) {
            let found = format!("rows from entry {} to {}", self.offsets[0], self.offsets[nodes]);
            let allowed = format!("they go from 0 to the number of entries, {entries}");
            return Err(Error::bad("features", found, allowed, "Correct the offsets"));
        }
        Ok(())
    }

    fn check(&self, nodes: usize) -> Result<(), Error> {
        self.check_shape(nodes)?;
        for a in 0..nodes {
            let (indices, values) = self.row(a);
            if let Some(&column) = indices.iter().find(|&&column| column as usize >= self.columns) {
                let allowed = format!("there are {} columns, numbered from 0", self.columns);
                return Err(Error::bad(
                    format!("features, row {a}"),
                    format!("column {column}"),
                    allowed,
                    "Correct it",
                ));
            }
            if let Some(w) = indices.windows(2).find(|w| w[0] >= w[1]) {
                let found = format!("column {} after {}", w[1], w[0]);
                let next = "Sort the row, or use Dataset::builder";
                return Err(Error::bad(format!("features, row {a}"), found, "columns ascend", next));
            }
            if let Some(i) = values.iter().position(|value| !value.is_finite()) {
                return Err(not_finite(a, indices[i] as usize, values[i]));
            }
        }
        Ok(())
    }

    /// Appends a row from entries in any order: zeros are dropped, of repeated columns the values are added.
    pub fn push_row(&mut self, entries: &mut [(u32, f32)]) {
        entries.sort_by_key(|&(column, _)| column);
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let value: f32 = same.iter().map(|&(_, value)| value).sum();
            if value != 0.0 {
                self.indices.push(same[0].0);
                self.values.push(value);
            }
        }
        self.offsets.push(self.indices.len());
    }
}

fn not_finite(row: usize, column: usize, value: f32) -> Error {
    let place = format!("features, row {row}, column {column}");
    Error::bad(place, value, "features are finite numbers", "Replace it by a number, 0 for nothing")
}

impl Features {
    /// Whether there is a row of finite numbers for each of `nodes`.
    pub(super) fn check(&self, nodes: usize) -> Result<(), Error> {
        match self {
            Self::Sparse(rows) => rows.check(nodes),
            Self::Identity(n) if *n == nodes => Ok(()),
            Self::Dense(DenseRows { columns, values })
                if *columns > 0 && nodes.checked_mul(*columns) == Some(values.len()) =>
            {
                let wrong = values.iter().position(|value| !value.is_finite());
                wrong.map_or(Ok(()), |i| Err(not_finite(i / columns, i % columns, values[i])))
            }
            Self::Identity(_) | Self::Dense(_) => {
                let found = match self {
                    Self::Dense(rows) => format!("{} values in rows of {}", rows.values.len(), rows.columns),
                    _ => format!("{} rows", self.nodes()),
                };
                let allowed = format!("{nodes} nodes need {nodes} rows of one column or more");
                Err(Error::bad("features", found, allowed, "Give one row per node, or no features at all"))
            }
        }
    }

    /// n.
    pub fn nodes(&self) -> usize {
        match self {
            Self::Identity(n) => *n,
            Self::Sparse(rows) => rows.rows(),
            Self::Dense(rows) => rows.values.len().checked_div(rows.columns).unwrap_or(0),
        }
    }

    /// d.
    pub fn columns(&self) -> usize {
        match self {
            Self::Identity(n) => *n,
            Self::Sparse(rows) => rows.columns,
            Self::Dense(rows) => rows.columns,
        }
    }

    /// Entries that are not zero.
    pub fn nonzeros(&self) -> usize {
        match self {
            Self::Identity(n) => *n,
            Self::Sparse(rows) => rows.values.iter().filter(|&&v| v != 0.0).count(),
            Self::Dense(rows) => rows.values.iter().filter(|&&v| v != 0.0).count(),
        }
    }

    /// The same with every row divided by its sum, as the paper's networks expect; rows that sum to 0 stay.
    pub fn with_unit_rows(&self) -> Self {
        let scale = |values: &mut [f32]| {
            let sum: f32 = values.iter().sum();
            if sum != 0.0 {
                values.iter_mut().for_each(|v| *v /= sum);
            }
        };
        let mut scaled = self.clone();
        match &mut scaled {
            Self::Identity(_) => {}
            Self::Sparse(rows) => {
                for bounds in rows.offsets.windows(2) {
                    scale(&mut rows.values[bounds[0]..bounds[1]]);
                }
            }
            Self::Dense(rows) if rows.columns > 0 => rows.values.chunks_exact_mut(rows.columns).for_each(scale),
            Self::Dense(_) => {}
        }
        scaled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_sorted_summed_and_free_of_zeros() {
        let mut rows = SparseRows::new(5);
        rows.push_row(&mut [(4, 1.0), (0, 2.0), (4, 0.5), (1, 0.0), (3, 1.0), (3, -1.0)]);
        rows.push_row(&mut []);
        assert_eq!(rows.row(0), (&[0, 4][..], &[2.0, 1.5][..]));
        assert_eq!(rows.row(1).0.len(), 0);
    }

    #[test]
    fn unit_rows_sum_to_one_and_empty_rows_stay() {
        let x = Features::Dense(DenseRows { columns: 2, values: vec![1.0, 3.0, 0.0, 0.0] }).with_unit_rows();
        assert_eq!(x, Features::Dense(DenseRows { columns: 2, values: vec![0.25, 0.75, 0.0, 0.0] }));
    }
}
