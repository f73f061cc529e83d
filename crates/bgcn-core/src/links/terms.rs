//! Columns as piecewise linear functions: they make the regression additive instead of linear.
//!
//! A column x becomes x and max(0, x − t) for up to three knots t, quantiles of it; each is standardised.

use super::evidence::COLUMNS;

// What defines the terms.
/// Quantiles that are knots.
const KNOTS: [f64; 3] = [0.15, 0.5, 0.85];
/// Distinct values up to which a column stays a line.
const FEW: usize = 6;
/// Values that quantiles are read from, at most: a limit of work.
const SAMPLE: usize = 100_000;

/// One function of one column.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    column: usize,
    knot: Option<f32>,
    mean: f64,
    /// 1 / sd.
    scale: f64,
}

impl Piece {
    fn raw(&self, x: &[f32; COLUMNS]) -> f64 {
        let value = x[self.column];
        f64::from(self.knot.map_or(value, |knot| (value - knot).max(0.0)))
    }
}

/// Functions of all columns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms(Vec<Piece>);

impl Terms {
    /// Knots, means and spreads of these rows. Columns that are constant are left out.
    pub(super) fn of<'a>(rows: impl Iterator<Item = &'a [f32; COLUMNS]>) -> Self {
        let rows: Vec<&[f32; COLUMNS]> = rows.collect();
        let mut pieces = Vec::new();
        for column in 0..COLUMNS {
            let step = rows.len().div_ceil(SAMPLE).max(1);
            let mut values: Vec<f32> = rows.iter().step_by(step).map(|row| row[column]).collect();
            values.sort_by(f32::total_cmp);
            let distinct = values.chunk_by(|x, y| x == y).count();
            let mut knots: Vec<f32> = KNOTS.iter().map(|&q| quantile(&values, q)).collect();
            knots.dedup();
            if distinct <= FEW {
                knots.clear();
            }
            for knot in std::iter::once(None).chain(knots.into_iter().map(Some)) {
                let mut piece = Piece { column, knot, mean: 0.0, scale: 1.0 };
                let n = rows.len().max(1) as f64;
                piece.mean = rows.iter().map(|row| piece.raw(row)).sum::<f64>() / n;
                let variance = rows.iter().map(|row| (piece.raw(row) - piece.mean).powi(2)).sum::<f64>() / n;
                if variance > 1e-12 {
                    piece.scale = 1.0 / variance.sqrt();
                    pieces.push(piece);
                }
            }
        }
        Self(pieces)
    }

    /// How many functions.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The column that function `i` reads.
    pub(super) fn column(&self, i: usize) -> usize {
        self.0[i].column
    }

    /// The values of all functions.
    pub(super) fn values(&self, row: &[f32; COLUMNS], into: &mut [f64]) {
        for (value, piece) in into.iter_mut().zip(&self.0) {
            *value = (piece.raw(row) - piece.mean) * piece.scale;
        }
    }
}

/// Linear between the two nearest of ascending values.
fn quantile(sorted: &[f32], q: f64) -> f32 {
    let at = q * sorted.len().saturating_sub(1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    match (sorted.get(low), sorted.get(high)) {
        (Some(&x), Some(&y)) => (f64::from(x) + (at - low as f64) * f64::from(y - x)) as f32,
        _ => 0.0,
    }
}
