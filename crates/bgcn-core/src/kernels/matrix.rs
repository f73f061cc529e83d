//! Dense matrices in 64-byte aligned memory, rows padded to a width fixed at compile time.

use super::Aligned;

/// The width rows of `columns` numbers are padded to: 8, 16, 32, 64 or a multiple of 64.
pub const fn padded(columns: usize) -> usize {
    match columns {
        0..=8 => 8,
        9..=16 => 16,
        17..=32 => 32,
        _ => columns.next_multiple_of(64),
    }
}

/// A matrix [rows, columns], row after row. The padding is zero, and kernels keep it so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matrix {
    data: Aligned,
    rows: usize,
    columns: usize,
    stride: usize,
}

impl Matrix {
    /// All zeros.
    pub fn zeros(rows: usize, columns: usize) -> Self {
        let mut zeros = Self::default();
        zeros.shape(rows, columns);
        zeros
    }

    /// From rows one after another, without padding. Panics when `values` does not hold rows × columns numbers.
    #[cfg(test)]
    pub fn from_rows(rows: usize, columns: usize, values: &[f32]) -> Self {
        assert_eq!(values.len(), rows * columns, "a {rows} × {columns} matrix from {} numbers", values.len());
        let mut matrix = Self::zeros(rows, columns);
        for (r, row) in values.chunks_exact(columns.max(1)).enumerate() {
            matrix.row_mut(r).copy_from_slice(row);
        }
        matrix
    }

    /// Makes this a matrix of the given shape: untouched when it has that shape already, else all zeros.
    pub fn shape(&mut self, rows: usize, columns: usize) {
        if (self.rows, self.columns, self.stride) != (rows, columns, padded(columns)) {
            (self.rows, self.columns, self.stride) = (rows, columns, padded(columns));
            self.data.clear_to(rows * self.stride);
        }
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns, without padding.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// From the start of a row to the start of the next.
    pub fn stride(&self) -> usize {
        self.stride
    }

    /// Row `r`, without padding.
    #[inline]
    pub fn row(&self, r: usize) -> &[f32] {
        &self.data()[r * self.stride..][..self.columns]
    }

    /// Row `r` for writing, without padding.
    #[inline]
    pub fn row_mut(&mut self, r: usize) -> &mut [f32] {
        let (start, columns) = (r * self.stride, self.columns);
        &mut self.data_mut()[start..][..columns]
    }

    /// All rows with their padding.
    #[inline]
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// All rows with their padding, for writing. The caller keeps the padding zero.
    #[inline]
    pub fn data_mut(&mut self) -> &mut [f32] {
        &mut self.data
    }

    /// Sets every number to zero.
    pub fn clear(&mut self) {
        self.data_mut().fill(0.0);
    }

    /// All numbers without padding, row after row.
    pub fn values(&self) -> impl Iterator<Item = f32> + '_ {
        (0..self.rows).flat_map(|r| self.row(r).iter().copied())
    }

    /// Makes this the transpose of `other`, reusing memory.
    pub fn assign_transposed(&mut self, other: &Self) {
        self.shape(other.columns, other.rows);
        for r in 0..other.rows {
            for (c, &value) in other.row(r).iter().enumerate() {
                self.row_mut(c)[r] = value;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_start_on_cache_lines_and_padding_is_zero() {
        for columns in 1..=130 {
            let matrix = Matrix::from_rows(3, columns, &vec![1.0; 3 * columns]);
            assert_eq!(matrix.data().as_ptr() as usize % 64, 0);
            assert_eq!(matrix.data().iter().sum::<f32>(), (3 * columns) as f32);
            assert_eq!(matrix.values().count(), 3 * columns);
        }
    }

    #[test]
    fn transposing_twice_gives_the_matrix_back() {
        let matrix = Matrix::from_rows(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let (mut once, mut twice) = (Matrix::default(), Matrix::default());
        once.assign_transposed(&matrix);
        twice.assign_transposed(&once);
        assert_eq!(once.row(2), [3.0, 6.0]);
        assert_eq!(twice, matrix);
    }
}
