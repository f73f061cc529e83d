//! Eight numbers for a pair of nodes, each as if the pair's own edge were not there.
//!
//! ```text
//! cosine        of the features, words weighted by inverse document frequency
//! near          of b with the mean of a's other neighbours, plus of a with that of b's
//! common        ln(1 + Σ 1 / ln d_c) over common neighbours c (Adamic and Adar)
//! degrees       ln(1 + d_a) + ln(1 + d_b)
//! smaller       ln(1 + min(d_a, d_b))
//! classes       whether the predicted classes attract each other
//! around        whether each predicted class is attracted by those around the other node
//! alone         whether the classes attract each other that the features alone predict
//! ```

use super::classes::Side;
use super::similarity::UnitRows;
use crate::graph::Graph;
use rayon::prelude::*;

/// How many columns.
pub(super) const COLUMNS: usize = 8;
/// Pairs that one thread takes at a time.
const BLOCK: usize = 4096;

/// A graph with all that evidence is read from.
pub(super) struct Scene<'a> {
    pub(super) graph: &'a Graph,
    pub(super) rows: Option<&'a UnitRows>,
    pub(super) side: Option<Side>,
    /// The same by predictions from the features alone.
    pub(super) alone: Option<Side>,
}

impl Scene<'_> {
    /// Evidence for pairs (a, b), which should be grouped by a.
    pub(super) fn columns_of(&self, pairs: &[(u32, u32)]) -> Vec<[f32; COLUMNS]> {
        let near = self.rows.map(|rows| self.near(rows, pairs));
        let blocks = pairs.par_chunks(BLOCK).enumerate().map(|(block, part)| {
            let pair = |(i, &(a, b)): (usize, &(u32, u32))| {
                let near = near.as_ref().map_or(0.0, |near| near[block * BLOCK + i]);
                self.columns(a, b, near)
            };
            part.iter().enumerate().map(pair).collect::<Vec<_>>()
        });
        blocks.collect::<Vec<_>>().concat()
    }

    /// The column `near`: from both ends, each with the pairs grouped by that end.
    fn near(&self, rows: &UnitRows, pairs: &[(u32, u32)]) -> Vec<f32> {
        let mut near = rows.near(self.graph, pairs);
        let mut order: Vec<u32> = (0..pairs.len() as u32).collect();
        order.par_sort_by_key(|&i| pairs[i as usize].1);
        let turned: Vec<(u32, u32)> = order.iter().map(|&i| pairs[i as usize]).map(|(a, b)| (b, a)).collect();
        for (&i, other) in order.iter().zip(rows.near(self.graph, &turned)) {
            near[i as usize] += other;
        }
        near
    }

    fn columns(&self, a: u32, b: u32, near: f32) -> [f32; COLUMNS] {
        let graph = self.graph;
        let joined = usize::from(graph.has_edge(a, b));
        let [d_a, d_b] = [a, b].map(|end| ((graph.degree(end) - joined) as f32).ln_1p());
        let [classes, around] = self.side.as_ref().map_or([0.0; 2], |side| side.columns(graph, a, b));
        let cosine = self.rows.map_or(0.0, |rows| rows.cosine(a, b));
        let alone = self.alone.as_ref().map_or(0.0, |alone| alone.own(a, b));
        [cosine, near, self.common(a, b).ln_1p(), d_a + d_b, d_a.min(d_b), classes, around, alone]
    }

    /// Σ 1 / ln d_c over common neighbours, from the end that has fewer.
    fn common(&self, a: u32, b: u32) -> f32 {
        let graph = self.graph;
        let (a, b) = if graph.degree(a) <= graph.degree(b) { (a, b) } else { (b, a) };
        let of_both = graph.neighbours(a).iter().filter(|&&c| c != b && graph.has_edge(c, b));
        of_both.map(|&c| 1.0 / (graph.degree(c).max(2) as f32).ln()).sum()
    }

    /// Whether there is no evidence of a pair: it has no other neighbours, and one end has neither features nor a known label.
    pub(super) fn is_blind(&self, a: u32, b: u32, known: &[bool]) -> bool {
        let joined = usize::from(self.graph.has_edge(a, b));
        let alone = |end: u32| self.graph.degree(end) == joined;
        let empty = |end: u32| !known[end as usize] && self.rows.is_none_or(|rows| rows.is_empty(end));
        alone(a) && alone(b) && (empty(a) || empty(b))
    }
}
