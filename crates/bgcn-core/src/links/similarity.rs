//! Features as rows of unit length, whose products are cosines.

use crate::Error;
use crate::data::{DenseRows, Features, Scaler, Scaling, SparseRows};
use crate::graph::Graph;
use rayon::prelude::*;

/// Pairs that one thread takes at a time.
const BLOCK: usize = 4096;

/// Rows of unit length, or of zeros where a node has no features.
#[derive(Clone, Debug)]
pub enum UnitRows {
    /// Mostly zeros.
    Sparse(SparseRows),
    /// Mostly not zeros.
    Dense(DenseRows),
}

impl UnitRows {
    /// The scaled features; words are weighted by their inverse document frequency. `None` without features.
    pub fn of(features: &Features, scaling: Scaling) -> Result<Option<Self>, Error> {
        if matches!(features, Features::Identity(_)) {
            return Ok(None);
        }
        // Constant columns are no evidence.
        let Ok(scaler) = Scaler::fit(scaling, features) else { return Ok(None) };
        let mut rows = match scaler.apply(features)?.into_owned() {
            Features::Sparse(rows) => Self::Sparse(rows),
            Features::Dense(rows) => Self::Dense(rows),
            Features::Identity(_) => return Ok(None),
        };
        if let (Self::Sparse(rows), Scaling::UnitRows) = (&mut rows, scaling) {
            weigh_words(rows);
        }
        rows.normalise();
        Ok(Some(rows))
    }

    fn normalise(&mut self) {
        let unit = |row: &mut [f32]| {
            let length = row.iter().map(|v| v * v).sum::<f32>().sqrt();
            if length > 0.0 {
                row.iter_mut().for_each(|v| *v /= length);
            }
        };
        match self {
            Self::Sparse(rows) => {
                for bounds in rows.offsets.windows(2) {
                    unit(&mut rows.values[bounds[0]..bounds[1]]);
                }
            }
            Self::Dense(rows) => rows.values.chunks_exact_mut(rows.columns).for_each(unit),
        }
    }

    pub(super) fn columns(&self) -> usize {
        match self {
            Self::Sparse(rows) => rows.columns,
            Self::Dense(rows) => rows.columns,
        }
    }

    /// Whether a node has no features.
    pub(super) fn is_empty(&self, a: u32) -> bool {
        match self {
            Self::Sparse(rows) => rows.row(a as usize).1.iter().all(|&v| v == 0.0),
            Self::Dense(rows) => rows.values[a as usize * rows.columns..][..rows.columns].iter().all(|&v| v == 0.0),
        }
    }

    /// The cosine of two nodes.
    pub(super) fn cosine(&self, a: u32, b: u32) -> f32 {
        match self {
            Self::Sparse(rows) => {
                let ((i, x), (j, y)) = (rows.row(a as usize), rows.row(b as usize));
                let (mut s, mut t, mut sum) = (0, 0, 0.0);
                while s < i.len() && t < j.len() {
                    if i[s] == j[t] {
                        sum += x[s] * y[t];
                    }
                    (s, t) = (s + usize::from(i[s] <= j[t]), t + usize::from(j[t] <= i[s]));
                }
                sum
            }
            Self::Dense(rows) => {
                let row = |a: u32| &rows.values[a as usize * rows.columns..][..rows.columns];
                row(a).iter().zip(row(b)).map(|(x, y)| x * y).sum()
            }
        }
    }

    fn add(&self, a: u32, sum: &mut [f32], sign: f32) {
        match self {
            Self::Sparse(rows) => {
                let (columns, values) = rows.row(a as usize);
                columns.iter().zip(values).for_each(|(&j, v)| sum[j as usize] += sign * v);
            }
            Self::Dense(rows) => {
                let row = &rows.values[a as usize * rows.columns..][..rows.columns];
                sum.iter_mut().zip(row).for_each(|(sum, v)| *sum += sign * v);
            }
        }
    }

    fn clear(&self, a: u32, sum: &mut [f32]) {
        match self {
            Self::Sparse(rows) => rows.row(a as usize).0.iter().for_each(|&j| sum[j as usize] = 0.0),
            Self::Dense(_) => sum.fill(0.0),
        }
    }

    fn dot(&self, a: u32, sum: &[f32]) -> f32 {
        match self {
            Self::Sparse(rows) => {
                let (columns, values) = rows.row(a as usize);
                columns.iter().zip(values).map(|(&j, v)| sum[j as usize] * v).sum()
            }
            Self::Dense(rows) => {
                let row = &rows.values[a as usize * rows.columns..][..rows.columns];
                sum.iter().zip(row).map(|(x, y)| x * y).sum()
            }
        }
    }

    /// For each pair (a, b), the mean cosine of b with the neighbours of a other than b; 0 where a has none.
    ///
    /// The rows around a are added up once for all its pairs, which should stand together: then this is linear in the
    /// edges.
    pub(super) fn near(&self, graph: &Graph, pairs: &[(u32, u32)]) -> Vec<f32> {
        let blocks = pairs.par_chunks(BLOCK).map_init(
            || vec![0.0f32; self.columns()],
            |sum, block| {
                let mut at = None;
                let clear = |sum: &mut [f32], a: Option<u32>| {
                    a.into_iter().flat_map(|a| graph.neighbours(a)).for_each(|&c| self.clear(c, sum));
                };
                let mut near = Vec::with_capacity(block.len());
                for &(a, b) in block {
                    if at != Some(a) {
                        clear(sum, at);
                        graph.neighbours(a).iter().for_each(|&c| self.add(c, sum, 1.0));
                        at = Some(a);
                    }
                    let joined = graph.has_edge(a, b);
                    let others = graph.degree(a) - usize::from(joined);
                    let own = if joined { self.cosine(b, b) } else { 0.0 };
                    let total = self.dot(b, sum) - own;
                    near.push(if others > 0 { (total / others as f32).clamp(-1.0, 1.0) } else { 0.0 });
                }
                clear(sum, at);
                near
            },
        );
        blocks.collect::<Vec<_>>().concat()
    }
}

/// Words of both nodes; `None` where the features are not words.
pub(super) fn shared_words(features: &Features, a: u32, b: u32) -> Option<u32> {
    let Features::Sparse(rows) = features else { return None };
    let (x, y) = (rows.row(a as usize).0, rows.row(b as usize).0);
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < x.len() && j < y.len() {
        shared += u32::from(x[i] == y[j]);
        (i, j) = (i + usize::from(x[i] <= y[j]), j + usize::from(y[j] <= x[i]));
    }
    Some(shared)
}

/// Each word times ln(n / (1 + documents that have it)), at least 0.
fn weigh_words(rows: &mut SparseRows) {
    let mut documents = vec![0u32; rows.columns];
    rows.indices.iter().for_each(|&j| documents[j as usize] += 1);
    let n = rows.rows() as f32;
    let weights: Vec<f32> = documents.iter().map(|&d| (n / (1 + d) as f32).ln().max(0.0)).collect();
    rows.values.iter_mut().zip(&rows.indices).for_each(|(v, &j)| *v *= weights[j as usize]);
}
