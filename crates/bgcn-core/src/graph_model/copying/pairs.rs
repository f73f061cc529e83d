//! Edge probabilities of node copying. The row of a node: 1/|class| in the column of its class, then its neighbours by
//! class.
//! Symbols: s_ac = [ẑ_a = c] / |c|, d_ac the neighbours of a in class c; an unobserved pair has r_ab = ε max_c s_ac
//! d_bc, since all but one s_ac are 0.

use super::{Copying, either, repeated};
use crate::graph::Graph;
use crate::graph_model::{Extremes, PairBelief};
use std::sync::Arc;

/// Classes and neighbours by class, as they were at one inference.
#[derive(Clone, Debug)]
pub(super) struct Copied {
    graph: Arc<Graph>,
    copy: f64,
    copies: (u32, f64),
    k: usize,
    /// [n, 2k]
    rows: Vec<f32>,
    /// `[k]` the most neighbours that one node has in each class.
    most: Vec<f32>,
}

impl Copied {
    pub(super) fn of(model: &Copying<'_>) -> Self {
        let (graph, labels, k) = (model.graph, &model.labels, model.params.communities);
        let mut rows = vec![0.0; graph.nodes() * 2 * k];
        let mut most = vec![0.0f32; k];
        for (a, row) in (0..graph.nodes() as u32).zip(rows.chunks_exact_mut(2 * k)) {
            let class = labels[a as usize];
            row[class as usize] = 1.0 / model.classes.block(class as usize).len() as f32;
            graph.neighbours(a).iter().for_each(|&b| row[k + labels[b as usize] as usize] += 1.0);
            most.iter_mut().zip(&row[k..]).for_each(|(most, count)| *most = most.max(*count));
        }
        let shared = model.shared.get_or_init(|| Arc::new(graph.clone()));
        Self { graph: shared.clone(), copy: model.params.copy, copies: model.copies(), k, rows, most }
    }

    /// The chance that a node with the row `x` takes one with the row `y`, which it has `kept` of its own with that
    /// chance.
    fn takes(&self, x: &[f32], y: &[f32], kept: f64) -> f64 {
        let share = x[..self.k].iter().zip(&y[self.k..]).map(|(&s, &d)| f64::from(s) * f64::from(d));
        repeated(kept + self.copy * share.fold(0.0, f64::max), self.copies)
    }
}

impl PairBelief for Copied {
    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    fn width(&self) -> usize {
        2 * self.k
    }

    fn row(&self, a: u32) -> &[f32] {
        &self.rows[a as usize * 2 * self.k..][..2 * self.k]
    }

    fn probability(&self, a: u32, b: u32) -> f64 {
        let (x, y) = (self.row(a), self.row(b));
        let kept = if self.graph.has_edge(a, b) { 1.0 - self.copy } else { 0.0 };
        either(self.takes(x, y, kept), self.takes(y, x, kept))
    }

    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64 {
        either(self.takes(x.high, y.high, 0.0), self.takes(y.high, x.high, 0.0))
    }

    fn looseness(&self, column: usize, low: f32, high: f32) -> f64 {
        let spread = f64::from(high) - f64::from(low);
        match column.checked_sub(self.k) {
            None => spread * f64::from(self.most[column]),
            Some(class) => spread / f64::from(self.most[class].max(1.0)),
        }
    }
}
