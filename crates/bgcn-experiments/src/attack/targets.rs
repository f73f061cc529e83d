//! Who is attacked: nodes that a method classifies rightly, some of them surely, some barely.
//! Paper: "Selection of target node".
//! Differs: defines how overlaps and small test sets are handled.
//! Symbols: the margin of a node is the score of its class less the best other score, here averaged over clean runs.
//!
//! Only nodes with a positive mean margin are eligible. Each method has its own nodes with the highest margins, and of
//! the others those with the lowest; the lists of two methods may overlap. The random ones are one set for all methods,
//! drawn from the nodes that every method classifies rightly and no list holds yet: no method has a target twice, and
//! all methods share at least these. Equal margins are ordered by node. Where there are too few nodes, there are fewer
//! targets.

use bgcn_core::rng::{Random as _, Stream};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Why a node is a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reason {
    /// Among the highest margins of the method.
    Highest,
    /// Among the lowest positive margins of the method.
    Lowest,
    /// Drawn for all methods.
    Shared,
}

/// How many targets a method has of each sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// With the highest margins.
    pub highest: usize,
    /// With the lowest positive margins.
    pub lowest: usize,
    /// Drawn for all methods.
    pub shared: usize,
}

impl Default for Counts {
    /// The paper's 40.
    fn default() -> Self {
        Self { highest: 10, lowest: 10, shared: 20 }
    }
}

/// A node to attack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Target {
    /// Which.
    pub node: u32,
    /// Why.
    pub reason: Reason,
}

/// The targets of each method, in the order highest, lowest, shared.
pub type Targets = BTreeMap<String, Vec<Target>>;

/// Mean margins of the test nodes, by method; all in the order of `nodes`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MeanMargins<'a> {
    pub(super) nodes: &'a [u32],
    pub(super) of: BTreeMap<String, Vec<f64>>,
}

impl MeanMargins<'_> {
    /// Chooses the targets of every method; the stream draws the shared ones.
    pub(super) fn choose(&self, counts: Counts, mut stream: Stream) -> Targets {
        let mut targets: Targets =
            self.of.iter().map(|(method, margins)| (method.clone(), self.extremes(margins, counts))).collect();
        let chosen: BTreeSet<u32> = targets.values().flatten().map(|target| target.node).collect();
        let right_for_all = |place: &usize| self.of.values().all(|margins| margins[*place] > 0.0);
        let pool = (0..self.nodes.len()).filter(right_for_all).map(|place| self.nodes[place]);
        let mut pool: Vec<u32> = pool.filter(|node| !chosen.contains(node)).collect();
        pool.sort_unstable();
        stream.shuffle(&mut pool);
        pool.truncate(counts.shared);
        pool.sort_unstable();
        for list in targets.values_mut() {
            list.extend(pool.iter().map(|&node| Target { node, reason: Reason::Shared }));
        }
        targets
    }

    /// The highest margins, then the lowest positive ones of the rest, from the outside in.
    fn extremes(&self, margins: &[f64], counts: Counts) -> Vec<Target> {
        let mut right: Vec<(f64, u32)> =
            margins.iter().copied().zip(self.nodes.iter().copied()).filter(|(margin, _)| *margin > 0.0).collect();
        right.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let highest = right.len().min(counts.highest);
        let mut rest = right.split_off(highest);
        rest.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        rest.truncate(counts.lowest);
        let target = |reason| move |(_, node): (f64, u32)| Target { node, reason };
        right.into_iter().map(target(Reason::Highest)).chain(rest.into_iter().map(target(Reason::Lowest))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::rng::{For, Seed};

    const NODES: [u32; 10] = [10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

    fn choose(counts: Counts, seed: u64) -> Targets {
        let gcn = vec![0.9, 0.8, 0.1, 0.2, -0.1, 0.5, 0.5, 0.4, 0.3, 0.6];
        let bgcn = vec![0.7, 0.9, 0.3, 0.1, 0.4, 0.5, -0.5, 0.4, 0.6, 0.2];
        let of = [("gcn".to_owned(), gcn), ("gcn+mmsbm".to_owned(), bgcn)].into();
        MeanMargins { nodes: &NODES, of }.choose(counts, Seed::new(seed).at(For::Attack, [0; 3]))
    }

    fn nodes(targets: &Targets, method: &str, reason: Reason) -> Vec<u32> {
        targets[method].iter().filter(|target| target.reason == reason).map(|target| target.node).collect()
    }

    #[test]
    fn targets_of_two_methods_worked_out_by_hand() {
        let targets = choose(Counts { highest: 2, lowest: 2, shared: 2 }, 1);
        assert_eq!(nodes(&targets, "gcn", Reason::Highest), [10, 11]);
        assert_eq!(nodes(&targets, "gcn", Reason::Lowest), [12, 13]);
        assert_eq!(nodes(&targets, "gcn+mmsbm", Reason::Highest), [11, 10]);
        assert_eq!(nodes(&targets, "gcn+mmsbm", Reason::Lowest), [13, 19], "14 and 16 are wrong for one method each");
        // Right for both and in no list: 15, 17, 18.
        let shared = nodes(&targets, "gcn", Reason::Shared);
        assert_eq!(shared, nodes(&targets, "gcn+mmsbm", Reason::Shared));
        assert!(shared.len() == 2 && shared.iter().all(|node| [15, 17, 18].contains(node)), "{shared:?}");
    }

    #[test]
    fn the_seed_alone_decides_which_are_shared() {
        let counts = Counts { highest: 2, lowest: 2, shared: 1 };
        assert_eq!(choose(counts, 3), choose(counts, 3));
        let drawn: BTreeSet<u32> = (0..50).map(|seed| nodes(&choose(counts, seed), "gcn", Reason::Shared)[0]).collect();
        assert_eq!(drawn.into_iter().collect::<Vec<_>>(), [15, 17, 18]);
    }

    #[test]
    fn no_method_has_a_target_twice_even_where_nodes_are_few() {
        let targets = choose(Counts { highest: 6, lowest: 6, shared: 20 }, 1);
        for (method, list) in &targets {
            let distinct: BTreeSet<u32> = list.iter().map(|target| target.node).collect();
            assert_eq!(distinct.len(), list.len(), "{method}");
            assert_eq!(list.len(), 9, "all that it classifies rightly");
        }
    }

    #[test]
    fn equal_margins_are_ordered_by_node() {
        let of = [("gcn".to_owned(), vec![0.5; 10])].into();
        let targets = MeanMargins { nodes: &NODES, of }
            .choose(Counts { highest: 2, lowest: 2, shared: 0 }, Seed::new(0).at(For::Attack, [0; 3]));
        assert_eq!(targets["gcn"].iter().map(|target| target.node).collect::<Vec<_>>(), [10, 11, 12, 13]);
    }
}
