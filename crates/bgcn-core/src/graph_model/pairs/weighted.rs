//! Edge probabilities of several graph models, averaged: the rows of all models one after the other.

use crate::graph_model::{Extremes, PairBelief};
use std::sync::Arc;

/// Σ_m w_m p_m of these models; of a single one, that one; `None` of none.
pub(crate) fn weighted(mut parts: Vec<(f64, Arc<dyn PairBelief>)>) -> Option<Arc<dyn PairBelief>> {
    match parts.len() {
        0 => None,
        1 => parts.pop().map(|(_, part)| part),
        _ => Some(Arc::new(Weighted::of(parts))),
    }
}

/// The beliefs of several models with their weights.
#[derive(Clone, Debug)]
struct Weighted {
    parts: Vec<(f64, Arc<dyn PairBelief>)>,
    width: usize,
    /// [n, width]
    rows: Vec<f32>,
}

impl Weighted {
    fn of(parts: Vec<(f64, Arc<dyn PairBelief>)>) -> Self {
        let width = parts.iter().map(|(_, part)| part.width()).sum();
        let nodes = parts[0].1.nodes() as u32;
        let row = |a| parts.iter().flat_map(move |(_, part)| part.row(a).iter().copied());
        let rows = (0..nodes).flat_map(row).collect();
        Self { parts, width, rows }
    }

    /// Each part with its weight and its first column.
    fn by_column(&self) -> impl Iterator<Item = (f64, &dyn PairBelief, usize)> {
        self.parts.iter().scan(0, |next, (weight, part)| {
            let start = *next;
            *next += part.width();
            Some((*weight, &**part, start))
        })
    }
}

impl PairBelief for Weighted {
    fn nodes(&self) -> usize {
        self.parts[0].1.nodes()
    }

    fn width(&self) -> usize {
        self.width
    }

    fn row(&self, a: u32) -> &[f32] {
        &self.rows[a as usize * self.width..][..self.width]
    }

    fn probability(&self, a: u32, b: u32) -> f64 {
        self.parts.iter().fold(0.0, |sum, (weight, part)| sum + weight * part.probability(a, b))
    }

    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64 {
        self.by_column().fold(0.0, |sum, (weight, part, start)| {
            let [x, y] = [x, y].map(|extremes| extremes.columns(start, part.width()));
            sum + weight * part.bound(x, y)
        })
    }

    fn looseness(&self, column: usize, low: f32, high: f32) -> f64 {
        let part = self.by_column().find(|(_, part, start)| column < start + part.width());
        part.map_or(0.0, |(weight, part, start)| weight * part.looseness(column - start, low, high))
    }
}
