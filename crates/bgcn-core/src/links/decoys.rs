//! Decoys: random edges, which the observed ones are compared with (target–decoy).
//!
//! Decoys stand for spurious edges of the same origin. *Uniform* ones join any two nodes, like errors and noise.
//! *Aimed* ones have a labelled node at one end, like edges of an attacker who wants labels to mislead.
//!
//! As many observed edges are hidden, as examples of missed ones that no fit has seen. The graph keeps its size.

use crate::graph::Graph;
use crate::recipe::{DecoyKind, LinkSettings};
use crate::rng::{Fast, For, Random as _, Seed};
use std::collections::HashSet;

// Limits of work, reached by small or dense graphs alone.
/// Rounds at most.
const ROUNDS: usize = 8;
/// Draws for each decoy at most, where few pairs are free.
const DRAWS: usize = 50;

/// How decoys are drawn.
pub(super) struct Decoys<'a> {
    pub(super) graph: &'a Graph,
    pub(super) settings: LinkSettings,
    /// Where aimed ones end; empty where nothing is labelled, and then they are uniform.
    pub(super) labelled: &'a [u32],
    pub(super) seed: Seed,
}

impl Decoys<'_> {
    /// How many rounds, so that the decoys of all of them are enough.
    pub(super) fn rounds(&self) -> usize {
        self.settings.least_decoys.div_ceil(self.count()).clamp(1, ROUNDS)
    }

    fn count(&self) -> usize {
        ((self.graph.edges() as f64 * self.settings.decoy_share).round() as usize).clamp(1, self.settings.learned_from)
    }

    /// The decoys of a round as (smaller, larger), ascending: among the pairs without an edge.
    pub(super) fn draw(&self, round: usize) -> Vec<(u32, u32)> {
        let (n, count) = (self.graph.nodes() as u64, self.count());
        let mut random = self.seed.at(For::Decoys, [round as u32, 0, 0]).fast();
        let aimed = self.settings.decoys == DecoyKind::Aimed && !self.labelled.is_empty();
        let first = |random: &mut Fast| match aimed {
            true => self.labelled[random.below(self.labelled.len() as u64) as usize],
            false => random.below(n) as u32,
        };
        let mut found = HashSet::new();
        for _ in 0..if n > 1 { DRAWS * count } else { 0 } {
            if found.len() == count {
                break;
            }
            let (a, b) = (first(&mut random), random.below(n) as u32);
            if a != b && !self.graph.has_edge(a, b) {
                found.insert((a.min(b), a.max(b)));
            }
        }
        let mut decoys: Vec<(u32, u32)> = found.into_iter().collect();
        decoys.sort_unstable();
        decoys
    }

    /// The observed edges that a round hides, ascending; none where it would be all.
    pub(super) fn hidden(&self, round: usize) -> Vec<(u32, u32)> {
        let edges: Vec<(u32, u32)> = self.graph.edge_list().collect();
        let count = self.count().min(self.settings.hidden_edges).min(edges.len().saturating_sub(1));
        let mut random = self.seed.at(For::Decoys, [round as u32, 1, 0]).fast();
        let mut hidden = HashSet::new();
        while hidden.len() < count {
            hidden.insert(edges[random.below(edges.len() as u64) as usize]);
        }
        let mut hidden: Vec<(u32, u32)> = hidden.into_iter().collect();
        hidden.sort_unstable();
        hidden
    }

    /// Of the candidates that a round looks at.
    pub(super) fn stream(&self, round: usize) -> Fast {
        self.seed.at(For::Decoys, [round as u32, 2, 0]).fast()
    }

    /// The graph with decoys, and without the hidden edges (ascending).
    pub(super) fn changed(&self, decoys: &[(u32, u32)], hidden: &[(u32, u32)]) -> Graph {
        let kept = self.graph.edge_list().filter(|edge| hidden.binary_search(edge).is_err());
        let all: Vec<(u32, u32)> = kept.chain(decoys.iter().copied()).collect();
        Graph::from_edges(self.graph.nodes(), &all).expect("pairs of nodes of the graph")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::karate;

    #[test]
    fn decoys_are_new_pairs_and_aimed_ones_end_at_labels() {
        let data = karate();
        let draw = |decoys, round| {
            let settings = LinkSettings { decoys, decoy_share: 0.5, ..LinkSettings::default() };
            let from = Decoys { graph: &data.graph, settings, labelled: &[3, 30], seed: Seed::new(1) };
            from.draw(round)
        };
        let uniform = draw(DecoyKind::Uniform, 0);
        assert_eq!(uniform.len(), 39);
        assert!(uniform.is_sorted() && uniform.iter().all(|&(a, b)| a < b && !data.graph.has_edge(a, b)));
        assert_ne!(uniform, draw(DecoyKind::Uniform, 1));
        let aimed = draw(DecoyKind::Aimed, 0);
        assert!(aimed.len() == 39 && aimed.iter().all(|(a, b)| [3, 30].contains(a) || [3, 30].contains(b)));
    }

    #[test]
    fn as_many_edges_are_hidden_and_never_all() {
        let data = karate();
        let from = |graph| Decoys { graph, settings: LinkSettings::default(), labelled: &[], seed: Seed::new(1) };
        let decoys = from(&data.graph);
        let (drawn, hidden) = (decoys.draw(0), decoys.hidden(0));
        assert_eq!((drawn.len(), hidden.len()), (8, 8));
        assert!(hidden.is_sorted() && hidden.iter().all(|&(a, b)| data.graph.has_edge(a, b)));
        assert_ne!(hidden, decoys.hidden(1));
        let changed = decoys.changed(&drawn, &hidden);
        assert_eq!(changed.edges(), data.graph.edges());
        assert!(hidden.iter().all(|&(a, b)| !changed.has_edge(a, b)));
        assert!(drawn.iter().all(|&(a, b)| changed.has_edge(a, b)));
        let one = Graph::from_edges(2, &[(0, 1)]).unwrap();
        assert!(from(&one).hidden(0).is_empty());
    }

    #[test]
    fn a_graph_without_free_pairs_has_no_decoys() {
        let graph = Graph::from_edges(3, &[(0, 1), (1, 2), (0, 2)]).unwrap();
        let settings = LinkSettings::default();
        assert!(Decoys { graph: &graph, settings, labelled: &[], seed: Seed::new(1) }.draw(0).is_empty());
    }
}
