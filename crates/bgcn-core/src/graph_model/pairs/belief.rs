//! Edge probabilities of one inference, in a form that can be searched without visiting all pairs.
//! Paper: not in it.
//! Differs: nothing. Every model here has p(y_ab = 1) for unobserved pairs as a function of one short row of numbers
//! for each node, monotone in every number, so the extremes of the rows of two node sets bound all their pairs.

use std::fmt::Debug;

/// One inference: rows of numbers and the probability of a pair. A snapshot, kept after the model has moved on.
pub trait PairBelief: Debug + Send + Sync {
    /// How many nodes.
    fn nodes(&self) -> usize;

    /// Numbers in a row.
    fn width(&self) -> usize;

    /// What p(y_ab = 1) depends on at node `a` `[width]`.
    fn row(&self, a: u32) -> &[f32];

    /// p(y_ab = 1) for a ≠ b, the same whichever comes first. Panics when a node does not exist.
    fn probability(&self, a: u32, b: u32) -> f64;

    /// At least the probability of every *unobserved* pair of a node with a row within `x` and one within `y`, rounding
    /// included: the same operations in the same order as [`PairBelief::probability`], each monotone, keep that
    /// promise.
    fn bound(&self, x: Extremes<'_>, y: Extremes<'_>) -> f64;

    /// How much a column that reaches from `low` to `high` loosens the bound, in any unit; 0 where it does not.
    /// Sets of nodes are split where this is largest, so it decides how fast a search is, never what it finds.
    fn looseness(&self, column: usize, low: f32, high: f32) -> f64;
}

/// The largest and the smallest number of each column, over the nodes of a set.
#[derive(Clone, Copy, Debug)]
pub struct Extremes<'a> {
    /// `[width]`
    pub high: &'a [f32],
    /// `[width]`
    pub low: &'a [f32],
}

impl<'a> Extremes<'a> {
    /// The columns from `start` on, `width` of them.
    pub(in crate::graph_model) fn columns(self, start: usize, width: usize) -> Self {
        Self { high: &self.high[start..start + width], low: &self.low[start..start + width] }
    }
}
