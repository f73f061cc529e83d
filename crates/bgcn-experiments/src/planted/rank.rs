//! How well a ranking puts the planted edges first.

use crate::study::in_range;
use bgcn_core::metrics::{average_precision, precision_recall};
use serde::{Deserialize, Serialize};

/// How well the planted edges stand in front.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranking {
    /// Average precision: 1 if all planted edges come first, about their share if by chance.
    pub average_precision: f64,
    /// Of the first edges, the shares that were planted.
    #[serde(flatten)]
    pub first: First,
}

/// Of the first ten, hundred and thousand, the shares that are right; of fewer where there are not as many.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct First {
    /// Of ten.
    pub at_10: f64,
    /// Of a hundred.
    pub at_100: f64,
    /// Of a thousand.
    pub at_1000: f64,
}

impl Ranking {
    /// Of (score, planted), the highest score first. Equal scores count as if in random order.
    pub fn of(scored: &[(f64, bool)]) -> Self {
        let planted = scored.iter().filter(|(_, planted)| *planted).count();
        let curve = precision_recall(scored, planted);
        Self { average_precision: average_precision(&curve).unwrap_or(0.0), first: First::of(scored) }
    }

    pub(super) fn check(&self, ranker: &str) -> Result<(), String> {
        let value = self.average_precision;
        in_range(&[("average_precision", value, 0.0..=1.0)]).map_err(|why| format!("{ranker}: {why}"))?;
        self.first.check().map_err(|why| format!("{ranker}: {why}"))
    }
}

impl First {
    /// Of (score, right), the highest score first.
    pub fn of(scored: &[(f64, bool)]) -> Self {
        let mut sorted = scored.to_vec();
        sorted.sort_by(|x, y| y.0.total_cmp(&x.0));
        let at = |count| precision(&sorted, count);
        Self { at_10: at(10), at_100: at(100), at_1000: at(1000) }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        let First { at_10, at_100, at_1000 } = *self;
        in_range(&[("at_10", at_10, 0.0..=1.0), ("at_100", at_100, 0.0..=1.0), ("at_1000", at_1000, 0.0..=1.0)])
    }
}

/// The share that is right among the first; of a tie at the border, as much as fits, with its share.
fn precision(sorted: &[(f64, bool)], count: usize) -> f64 {
    let count = count.min(sorted.len());
    let (mut left, mut right) = (count, 0.0);
    for group in sorted.chunk_by(|x, y| x.0 == y.0) {
        let taken = group.len().min(left);
        let of_group = group.iter().filter(|(_, right)| *right).count();
        right += taken as f64 * of_group as f64 / group.len() as f64;
        left -= taken;
    }
    right / count.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ranking_worked_out_by_hand() {
        let mut scored: Vec<(f64, bool)> = (0..20).map(|i| (f64::from(20 - i), i < 5)).collect();
        let perfect = Ranking::of(&scored);
        assert_eq!((perfect.average_precision, perfect.first.at_10), (1.0, 0.5));
        assert_eq!((perfect.first.at_100, perfect.first.at_1000), (0.25, 0.25), "of all twenty");
        scored.reverse();
        assert_eq!(Ranking::of(&scored), perfect, "their order does not matter");
        assert!(perfect.check("x").is_ok());
    }

    #[test]
    fn a_tie_at_the_border_gives_what_a_random_order_would() {
        let scored: Vec<(f64, bool)> = (0..20).map(|i| (if i < 5 { 2.0 } else { 1.0 }, i % 5 == 0)).collect();
        // The five in front hold one; of the fifteen others, three, five find room for one on average.
        assert!((First::of(&scored).at_10 - 0.2).abs() < 1e-12);
        assert_eq!(First::of(&[]).at_10, 0.0);
    }
}
