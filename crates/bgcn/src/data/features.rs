//! X [n, d]: what is measured at each node.

/// The features of all nodes, in the cheapest form that holds them.
#[derive(Clone, Debug, PartialEq)]
pub enum Features {
    /// No features: each node is told apart from all others, X = I.
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

impl Features {
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
