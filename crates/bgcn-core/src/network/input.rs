//! X [n, d], prepared once for the products of the first layer.
//!
//! Rows whose stored entries are all equal, as in normalised bags of words, keep one number instead of one per entry.

use super::dropout::Masks;
use crate::data::Features;
use crate::kernels::{self, Entries, Layout, Mask, Matrix};

pub use crate::kernels::Product;

/// The features as the networks read them. Scale the rows first where the network expects it (`with_unit_rows`).
#[derive(Clone, Debug, PartialEq)]
pub struct Input(Entries);

impl Input {
    /// Prepares features.
    pub fn new(features: &Features) -> Self {
        let (rows, columns) = (features.nodes(), features.columns());
        let count = |n: usize| (0..n as u32).collect::<Vec<u32>>();
        let plain = |layout, indices, values| Entries { rows, columns, layout, indices, values, scale: Vec::new() };
        Self(match features {
            Features::Identity(n) => plain(Layout::Identity, count(*n), Vec::new()),
            Features::Dense(dense) => plain(Layout::Dense, count(columns), dense.values.clone()),
            Features::Sparse(sparse) => {
                let mut words = vec![0];
                for bounds in sparse.offsets.windows(2) {
                    words.push(words[words.len() - 1] + (bounds[1] - bounds[0]).div_ceil(64));
                }
                let layout = Layout::Sparse { offsets: sparse.offsets.clone(), words };
                let mut entries = plain(layout, sparse.indices.clone(), sparse.values.clone());
                let equal = |r: usize| sparse.row(r).1.windows(2).all(|pair| pair[0] == pair[1]);
                if (0..rows).all(equal) {
                    entries.scale = (0..rows).map(|r| sparse.row(r).1.first().copied().unwrap_or(1.0)).collect();
                    entries.values.clear();
                }
                entries
            }
        })
    }

    /// n.
    pub fn nodes(&self) -> usize {
        self.0.rows
    }

    /// d.
    pub fn columns(&self) -> usize {
        self.0.columns
    }

    /// Fills the mask of the stored entries for the given rows; returns whether anything is dropped.
    ///
    /// A given mask is number `index` of its lists.
    pub fn draw(&self, rows: &[u32], masks: &mut Masks<'_>, mask: &mut Mask, index: usize) -> bool {
        match masks {
            Masks::Off => return false,
            Masks::On(random, rate) => {
                mask.draw(self.0.all_words(), rows.iter().map(|&r| self.0.words(r)), *rate, random)
            }
            Masks::Given(lists) => {
                let mut rest = &lists[index][..];
                let stored = (0..self.0.rows as u32).map(|r| self.0.stored(r)).sum::<usize>();
                assert_eq!(rest.len(), stored, "the mask of X has another length than X has stored entries");
                let row = |r| {
                    let (bits, after) = rest.split_at(self.0.stored(r));
                    rest = after;
                    (self.0.words(r), bits)
                };
                mask.assign(self.0.all_words(), (0..self.0.rows as u32).map(row));
            }
        }
        true
    }

    /// out = f ∘ X W in the product's rows.
    pub fn times(&self, how: &Product<'_>, w: &Matrix, out: &mut Matrix) {
        kernels::product(&self.0, how, w, out);
    }

    /// d_w += Xᵀ (f ∘ D) over the product's rows.
    pub fn add_transposed_times(&self, how: &Product<'_>, d: &Matrix, d_w: &mut Matrix) {
        kernels::add_transposed_product(&self.0, how, d, d_w);
    }
}
