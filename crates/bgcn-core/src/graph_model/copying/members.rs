//! The classes of the nodes, and the nodes of each class.

use crate::graph_model::{Belief, Error};
use crate::rng::{Random as _, Stream};

/// ẑ `[n]`, and its inverse: the nodes by class.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Members {
    /// `[n]`
    pub(super) labels: Vec<u32>,
    /// `[n]` class after class, ascending in each.
    nodes: Vec<u32>,
    /// `[k + 1]` where each class begins in `nodes`.
    starts: Vec<usize>,
}

impl Members {
    /// Sorts the nodes by class; reuses the memory of `self`.
    pub(super) fn assign(&mut self, k: usize, labels: impl Iterator<Item = u32>) {
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

/// Refuses a belief that does not fit `n` nodes and `k` classes, or holds a row that no class can be taken from.
pub(super) fn check(belief: Belief<'_>, n: usize, k: usize) -> Result<(), Error> {
    if belief.k != k {
        return Err(Error::start(format!("the belief is about {} classes, the settings about {k}", belief.k)));
    }
    if belief.rows.len() != n * k {
        let found = belief.rows.len() / k;
        return Err(Error::start(format!("the belief is about {found} nodes, the graph has {n}")));
    }
    let fine = |row: &[f32]| row.iter().all(|p| (0.0..=f32::MAX).contains(p)) && row.iter().any(|p| *p > 0.0);
    match belief.rows.chunks_exact(k).position(|row| !fine(row)) {
        None => Ok(()),
        Some(a) => {
            let row = &belief.rows[a * k..][..k];
            let text = format!("the belief of node {a} is {row:?}; it must be finite, not negative, and not all zero");
            Err(Error::start(text))
        }
    }
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
