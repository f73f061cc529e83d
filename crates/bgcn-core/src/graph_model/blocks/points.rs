//! Poisson numbers of edges with ends drawn in proportion to weights: graphs of models whose rates are products.
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm.
//! Differs: a Poisson number of points falls on all pairs at once, instead of one trial for each pair. Points of a
//! Poisson process are independent, so the number on a pair (a, b) is Poisson(rate x_a y_b), whatever falls elsewhere.
//! Symbols: `x`, `y` weights of the ends; a pair is joined where at least one point falls: 1 − exp(−rate x_a y_b).

use super::walk::Source;
use crate::rng::alias;

/// Nodes drawn in proportion to their weights, in constant time.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    columns: Vec<Column>,
    total: f64,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    /// Chance that the column's own node is meant.
    keep: f64,
    own: u32,
    other: u32,
}

impl Table {
    /// Nodes with their weights; those without weight are never drawn.
    pub(crate) fn new(weights: impl Iterator<Item = (u32, f64)>) -> Self {
        let (nodes, weights): (Vec<u32>, Vec<f64>) = weights.filter(|&(_, weight)| weight > 0.0).unzip();
        let columns = alias(&weights).into_iter().zip(&nodes);
        let columns = columns.map(|((keep, other), &own)| Column { keep, own, other: nodes[other as usize] });
        Self { columns: columns.collect(), total: weights.iter().sum() }
    }

    /// The sum of the weights.
    pub(crate) fn total(&self) -> f64 {
        self.total
    }

    /// A node; exact up to n · 2⁻⁵³. The table must not be empty.
    #[inline]
    fn draw(&self, random: &mut Source) -> u32 {
        let place = random.unit() * self.columns.len() as f64;
        let at = (place as usize).min(self.columns.len() - 1);
        let column = self.columns[at];
        if place - (at as f64) < column.keep { column.own } else { column.other }
    }
}

/// Points of rate `rate` x_a y_b on the pairs of two tables' nodes. The ends come in random order and may be the same
/// node.
pub(crate) struct Points<'t> {
    tables: [&'t Table; 2],
    /// Expected number still to come.
    left: f64,
}

impl<'t> Points<'t> {
    /// Between two tables whose nodes differ, or which give the two ends different parts.
    pub(crate) fn across(tables: [&'t Table; 2], rate: f64) -> Self {
        Self { tables, left: rate * tables[0].total() * tables[1].total() }
    }

    /// Within one: a pair has two orders of its ends, and each gets half of the rate.
    pub(crate) fn within(table: &'t Table, rate: f64) -> Self {
        Self::across([table; 2], 0.5 * rate)
    }

    /// The next point. The gaps of a Poisson process are exponential, so counting costs no more than the points do.
    #[inline]
    pub(crate) fn next(&mut self, random: &mut Source) -> Option<(u32, u32)> {
        self.left += random.log();
        // Without weights there is nothing left, and a gap of 0 has no chance but rounding's.
        if self.left > 0.0 { Some((self.tables[0].draw(random), self.tables[1].draw(random))) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};

    fn source() -> Source {
        Source::new(Seed::new(3).at(For::Graph, [0; 3]).fast())
    }

    // 5 frequencies at five standard errors: a false alarm for about 1 in 350,000 seeds.
    #[test]
    fn nodes_come_as_often_as_their_weights_say() {
        let weights = [0.5, 3.0, 0.0, 0.01, 8.0];
        let total: f64 = weights.iter().sum();
        let table = Table::new((0..).zip(weights));
        let mut random = source();
        let draws = 400_000;
        let mut counts = [0f64; 5];
        (0..draws).for_each(|_| counts[table.draw(&mut random) as usize] += 1.0);
        assert_eq!((table.total(), counts[2]), (total, 0.0));
        for (count, weight) in counts.iter().zip(weights) {
            let p = weight / total;
            let error = (p * (1.0 - p) / f64::from(draws)).sqrt();
            assert!((count / f64::from(draws) - p).abs() <= 5.0 * error);
        }
    }

    // A mean and a variance at five standard errors, for three rates: a false alarm for about 1 in 290,000 seeds.
    #[test]
    fn numbers_of_points_are_poisson() {
        let table = Table::new((0..).zip([0.5, 1.5]));
        let mut random = source();
        let draws = 100_000;
        for rate in [0.01, 0.6, 20.0] {
            let (mut sum, mut squares) = (0.0, 0.0);
            for _ in 0..draws {
                let mut points = Points::within(&table, rate);
                let count = std::iter::from_fn(|| points.next(&mut random)).count() as f64;
                sum += count;
                squares += count * count;
            }
            let (mean, draws) = (2.0 * rate, f64::from(draws));
            let found = sum / draws;
            assert!((found - mean).abs() < 5.0 * (mean / draws).sqrt());
            // The fourth central moment of a Poisson variable is mean (1 + 3 mean).
            let error = ((mean * (1.0 + 3.0 * mean) - mean * mean) / draws).sqrt();
            assert!((squares / draws - found * found - mean).abs() < 5.0 * error);
        }
    }

    #[test]
    fn tables_without_weight_have_no_points() {
        let (empty, full) = (Table::new(std::iter::empty()), Table::new([(0, 1.0)].into_iter()));
        let weightless = Table::new([(3, 0.0)].into_iter());
        let mut random = source();
        for _ in 0..1000 {
            assert_eq!(Points::across([&empty, &full], 5.0).next(&mut random), None);
            assert_eq!(Points::within(&weightless, 5.0).next(&mut random), None);
        }
    }
}
