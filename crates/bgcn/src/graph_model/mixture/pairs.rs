//! A mixture's beliefs in pairs: the rows of all parts one after the other.

use crate::graph_model::{Extremes, PairBelief};
use std::sync::Arc;

/// What the parts believed at one inference, with their shares.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    parts: Vec<(f64, Arc<dyn PairBelief>)>,
    width: usize,
    /// [n, width]
    rows: Vec<f32>,
}

impl Mixed {
    /// Of at least one part.
    pub(super) fn of(parts: Vec<(f64, Arc<dyn PairBelief>)>) -> Self {
        let width = parts.iter().map(|(_, part)| part.width()).sum();
        let nodes = parts[0].1.nodes() as u32;
        let row = |a| parts.iter().flat_map(move |(_, part)| part.row(a).iter().copied());
        let rows = (0..nodes).flat_map(row).collect();
        Self { parts, width, rows }
    }

    /// Each part with its share and its first column.
    fn by_column(&self) -> impl Iterator<Item = (f64, &dyn PairBelief, usize)> {
        self.parts.iter().scan(0, |next, (share, part)| {
            let start = *next;
            *next += part.width();
            Some((*share, &**part, start))
        })
    }
}

impl PairBelief for Mixed {
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
        self.parts.iter().fold(0.0, |sum, (share, part)| sum + share * part.probability(a, b))
    }

    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64 {
        self.by_column().fold(0.0, |sum, (share, part, start)| {
            let [x, y] = [x, y].map(|extremes| extremes.columns(start, part.width()));
            sum + share * part.bound(x, y)
        })
    }

    fn looseness(&self, column: usize, low: f32, high: f32) -> f64 {
        let part = self.by_column().find(|(_, part, start)| column < start + part.width());
        part.map_or(0.0, |(share, part, start)| share * part.looseness(column - start, low, high))
    }
}
