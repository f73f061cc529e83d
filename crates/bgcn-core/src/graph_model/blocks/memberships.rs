//! Memberships of nodes in communities, which every block model keeps: π of the mixed ones, q(z) of the others.
//! Paper: π in the generative model of "Posterior inference for the MMSBM".
//! Differs: nothing; they are kept in single precision, and rows are padded with zeros to whole vectors.
//! Symbols: `pi` [n, k], rows sum to 1; S = Σ_a pi_a `[k]`, M = Σ_a pi_a pi_aᵀ [k, k].

use super::rows::Blocks;
use crate::graph::Graph;
use crate::graph_model::{Belief, Error};
use crate::kernels::{Aligned, mmsbm};
use crate::metrics::largest;

/// Rows of `pi` are padded to a multiple of this, so that a row is whole vectors.
pub(crate) const LANES: usize = 8;

/// No membership falls below this: a gradient step multiplies by `pi`, so a zero could never grow again.
pub(crate) const LEAST_PI: f32 = 1e-7;

/// Community strengths and delta stay inside [this, 1 − this].
pub(crate) const LEAST_RATE: f64 = 1e-9;

/// One distribution over communities for every node.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Memberships {
    n: usize,
    k: usize,
    stride: usize,
    rows: Aligned, // [n, stride], zeros from column k on
}

impl Memberships {
    /// Rows [n, k], scaled to sum to 1.
    pub(crate) fn new(k: usize, rows: &[f32]) -> Result<Self, Error> {
        let start = |found: String| Err(Error::start(found));
        if k == 0 || !rows.len().is_multiple_of(k) {
            return start(format!("{} memberships do not make rows of {k} communities", rows.len()));
        }
        let n = rows.len() / k;
        let stride = k.next_multiple_of(LANES);
        let mut padded = Aligned::zeros(n * stride);
        for (a, (row, to)) in rows.chunks_exact(k).zip(padded.chunks_exact_mut(stride)).enumerate() {
            let valid = row.iter().all(|p| (0.0..=f32::MAX).contains(p));
            if !(valid && assign_normalised(&mut to[..k], row.iter().map(|&p| f64::from(p)))) {
                return start(format!(
                    "the memberships of node {a} are {row:?}; they must be finite, not negative, and not all zero"
                ));
            }
        }
        Ok(Self { n, k, stride, rows: padded })
    }

    /// The same for all `n` nodes: nothing is known.
    pub(crate) fn even(n: usize, k: usize) -> Self {
        Self::new(k, &vec![1.0; n * k]).expect("ones are memberships")
    }

    /// A belief about the nodes of `graph`, which must have `k` columns.
    pub(crate) fn of_belief(belief: Belief<'_>, graph: &Graph, k: usize) -> Result<Self, Error> {
        fits((belief.rows.len() / belief.k.max(1), belief.k), graph, k)?;
        Self::new(k, belief.rows)
    }

    pub(crate) fn n(&self) -> usize {
        self.n
    }

    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// Numbers from one row of [`Memberships::padded`] to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// pi_a `[k]`, sums to 1.
    #[inline]
    pub(crate) fn row(&self, a: u32) -> &[f32] {
        let start = a as usize * self.stride;
        &self.rows[start..start + self.k]
    }

    /// pi [n, stride], zeros from column k on.
    pub(crate) fn padded(&self) -> &[f32] {
        &self.rows
    }

    /// The same for writing; the caller keeps the rows' sums and the padding.
    pub(crate) fn padded_mut(&mut self) -> &mut [f32] {
        &mut self.rows
    }

    /// Each node's strongest community; of equals, the first.
    pub(crate) fn labels(&self) -> Vec<u32> {
        (0..self.n as u32).map(|a| strongest(self.row(a))).collect()
    }

    /// Expected community sizes, S `[k]`.
    pub(crate) fn sizes(&self) -> Vec<f64> {
        let mut sizes = vec![0.0; self.k];
        for a in 0..self.n as u32 {
            for (size, &p) in sizes.iter_mut().zip(self.row(a)) {
                *size += f64::from(p);
            }
        }
        sizes
    }

    /// S `[stride]`, then M [k, stride]; `partial` is scratch.
    pub(crate) fn moments(&self, partial: &mut Vec<f64>) -> Vec<f64> {
        let stride = self.stride;
        Blocks::of(self.n).sum_parts((partial, stride * (1 + self.k)), |rows, sums| {
            let (s, m) = sums.split_at_mut(stride);
            mmsbm::moments(&self.rows[rows.start * stride..rows.end * stride], stride, s, m);
        })
    }
}

/// Refuses memberships of `n` nodes in `found` communities, where the graph has other nodes, or `k` is another number.
pub(crate) fn fits((n, found): (usize, usize), graph: &Graph, k: usize) -> Result<(), Error> {
    if found != k {
        return Err(Error::start(format!("the start has {found} communities, the settings {k}")));
    }
    if n != graph.nodes() {
        return Err(Error::start(format!("the start has {n} nodes, the graph {}", graph.nodes())));
    }
    Ok(())
}

/// The position of the largest entry; of equals, the first.
pub(crate) fn strongest(row: &[f32]) -> u32 {
    largest(row) as u32
}

/// Writes `values` scaled to sum to 1 and kept above [`LEAST_PI`]; false where their sum is 0 or not finite.
pub(crate) fn assign_normalised(to: &mut [f32], values: impl Iterator<Item = f64> + Clone) -> bool {
    let total: f64 = values.clone().sum();
    let range = f64::MIN_POSITIVE..=f64::MAX;
    if !range.contains(&total) {
        return false;
    }
    let kept = |value: f64| (value / total).max(f64::from(LEAST_PI));
    let total: f64 = values.clone().map(kept).sum();
    let kept = values.map(kept);
    to.iter_mut().zip(kept).for_each(|(to, value)| *to = (value / total) as f32);
    true
}
