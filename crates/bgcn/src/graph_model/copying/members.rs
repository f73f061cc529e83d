//! The classes of the nodes, and the nodes of each class with how gladly they are copied.

use crate::graph_model::{Array, Belief, Error, Parameters};
use crate::rng::{Alias, Random, Stream};

/// ẑ `[n]`, and its inverse: the nodes by class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Members {
    /// `[n]`
    pub(super) labels: Vec<u32>,
    /// `[n]` class after class, ascending in each.
    nodes: Vec<u32>,
    /// `[k + 1]` where each class begins in `nodes`.
    starts: Vec<usize>,
    /// c `[n]` how gladly each node is copied, above 0.
    pub(super) weights: Vec<f32>,
    /// `[k]` the weights of each class together.
    pub(super) totals: Vec<f64>,
    /// `[k]` how a class draws its copied nodes; none where all are copied alike.
    tables: Vec<Alias>,
}

impl Members {
    /// Sorts the nodes by class, all of them to be copied alike; reuses the memory of `self`.
    pub(super) fn assign(&mut self, k: usize, labels: impl Iterator<Item = u32>) {
        self.sort(k, labels);
        self.weights.clear();
        self.weights.resize(self.labels.len(), 1.0);
        self.totals = self.starts.windows(2).map(|bounds| (bounds[1] - bounds[0]) as f64).collect();
        self.tables.clear();
    }

    /// The same with a weight above 0 for each node.
    pub(super) fn assign_weighted(&mut self, k: usize, labels: impl Iterator<Item = u32>, weights: Vec<f32>) {
        self.sort(k, labels);
        self.weights = weights;
        let of = |class| self.of(class).iter().map(|&a| f64::from(self.weights[a as usize])).collect::<Vec<f64>>();
        (self.totals, self.tables) = (0..k as u32).map(of).map(|of| (of.iter().sum::<f64>(), Alias::new(&of))).unzip();
    }

    fn sort(&mut self, k: usize, labels: impl Iterator<Item = u32>) {
        self.labels.clear();
        self.labels.extend(labels);
        self.starts.clear();
        self.starts.resize(k + 1, 0);
        self.labels.iter().for_each(|&label| self.starts[label as usize + 1] += 1);
        (0..k).for_each(|c| self.starts[c + 1] += self.starts[c]);
        self.nodes.resize(self.labels.len(), 0); // every place is overwritten below
        let mut next = self.starts.clone();
        for (a, &label) in (0..).zip(&self.labels) {
            self.nodes[next[label as usize]] = a;
            next[label as usize] += 1;
        }
    }

    /// How many classes.
    pub(super) fn k(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes of a class, ascending.
    pub(super) fn of(&self, class: u32) -> &[u32] {
        &self.nodes[self.starts[class as usize]..self.starts[class as usize + 1]]
    }
}

impl Members {
    /// A node of a class that has one, in proportion to its weight.
    #[inline]
    pub(super) fn draw(&self, class: u32, random: &mut impl Random) -> u32 {
        let nodes = self.of(class);
        let at = match self.tables.get(class as usize) {
            Some(table) => table.draw(random) as usize,
            None => random.below(nodes.len() as u64) as usize,
        };
        nodes[at]
    }
}

/// Refuses a belief that does not fit `n` nodes and `k` classes, or holds a row that no class can be taken from.
pub(super) fn check(belief: Belief<'_>, n: usize, k: usize) -> Result<(), Error> {
    if belief.k != k {
        return Err(Error::Start(format!("the belief is about {} classes, the settings about {k}", belief.k)));
    }
    if belief.rows.len() != n * k {
        let found = belief.rows.len() / k;
        return Err(Error::Start(format!("the belief is about {found} nodes, the graph has {n}")));
    }
    let fine = |row: &[f32]| row.iter().all(|p| (0.0..=f32::MAX).contains(p)) && row.iter().any(|p| *p > 0.0);
    match belief.rows.chunks_exact(k).position(|row| !fine(row)) {
        None => Ok(()),
        Some(a) => {
            let row = &belief.rows[a * k..][..k];
            let text = format!("the belief of node {a} is {row:?}; it must be finite, not negative, and not all zero");
            Err(Error::Start(text))
        }
    }
}

/// How sure a row of a belief is of its strongest class: its share to the power of s, kept above 0.
pub(super) fn sure(row: &[f32], s: f64) -> f32 {
    let (most, total) = row.iter().fold((0f32, 0f64), |(most, total), &p| (most.max(p), total + f64::from(p)));
    ((f64::from(most) / total).powf(s) as f32).max(f32::MIN_POSITIVE)
}

/// The classes and weights of a λ that was kept.
pub(super) fn saved(lambda: &Parameters, k: usize) -> Result<(&[u32], &[f32]), Error> {
    let Some(Array::Labels(classes)) = lambda.arrays.get("classes") else {
        return Err(Error::Start("the saved model has no classes".into()));
    };
    let Some(Array::Rows { columns: 1, values }) = lambda.arrays.get("sure") else {
        return Err(Error::Start("the saved model has no column `sure`".into()));
    };
    if let Some((a, class)) = classes.iter().enumerate().find(|(_, class)| **class as usize >= k) {
        return Err(Error::Start(format!("node {a} has the class {class}; there are {k}, from 0")));
    }
    if let Some((a, c)) = values.iter().enumerate().find(|(_, c)| !(f32::MIN_POSITIVE..=f32::MAX).contains(*c)) {
        return Err(Error::Start(format!("node {a} is sure of its class by {c}; it must be a number above 0")));
    }
    let n = lambda.nodes;
    if classes.len() != n || values.len() != n {
        let (classes, sure) = (classes.len(), values.len());
        return Err(Error::Start(format!("the saved model has {classes} classes and {sure} weights for {n} nodes")));
    }
    Ok((classes, values))
}

/// A class drawn with the probabilities of `row`, which has a positive entry.
pub(super) fn pick(row: &[f32], stream: &mut Stream) -> u32 {
    let total: f64 = row.iter().map(|&p| f64::from(p)).sum();
    let mut left = stream.unit() * total;
    let mut last = 0;
    for (class, &p) in (0..).zip(row).filter(|(_, p)| **p > 0.0) {
        last = class;
        left -= f64::from(p);
        if left < 0.0 {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};

    #[test]
    fn nodes_are_found_by_class_and_empty_classes_are_empty() {
        let mut members = Members::default();
        members.assign(2, [0, 0, 0].into_iter());
        members.assign(4, [2, 0, 2, 3, 0].into_iter());
        assert_eq!((members.k(), members.labels.len()), (4, 5));
        assert_eq!([members.of(0), members.of(1), members.of(2), members.of(3)], [&[1, 4][..], &[], &[0, 2], &[3]]);
    }

    // 20,000 draws at five standard errors in two classes: a false alarm in about 1 of 900,000 seeds.
    #[test]
    fn classes_are_drawn_as_often_as_they_are_believed() {
        let mut stream = Seed::new(3).at(For::Lambda, [0; 3]);
        let mut counts = [0f64; 4];
        (0..20_000).for_each(|_| counts[pick(&[0.0, 1.0, 3.0, 0.0], &mut stream) as usize] += 1.0);
        assert_eq!((counts[0], counts[3]), (0.0, 0.0));
        assert!((counts[1] / 20_000.0 - 0.25).abs() < 5.0 * (0.25f64 * 0.75 / 20_000.0).sqrt());
    }
}
