//! The belief over classes that a graph model starts from: the network's guesses with and without the graph, heard by the neighbours.
//! Paper: Algorithm 1 starts inference at the network's output.
//! Differs in two ways, each with a setting that takes it back. An edge that lies spoils the output of the node it ends at, and the
//! graph model that should doubt the edge would start from that: so the same weights also guess from the features alone, without
//! any edge, and both guesses are pooled, the more in the features' favour the more a node's neighbours contradict each other,
//! for then some of its edges must be wrong. Then, the output of a two-layer network says nothing of nodes further away, and with few
//! labels it errs in patches. A node believes its own guess as much as κ neighbours', known labels are certain, and a few rounds
//! carry both on; neighbours that contradict each other are heard less. Nodes with many neighbours of one mind then follow the
//! graph, all others their features. No rounds and no say of the features: the paper.
//! Symbols: p⁰ [n, k] ∝ p(graph)^((1 − w) r_a) p(features)^(1 − (1 − w) r_a) the pooled guess, w (`feature_weight`);
//! κ (`own_weight`), d_a the degree;
//! p_a ← (κ p⁰_a + r_a Σ_{b ∈ N(a)} p_b) / (κ + r_a d_a), `rounds` times, where r_a from 1/d_a to 1 says how far the neighbours
//! agree: r_a = (|Σ_b p_b|² / (d_a Σ_b |p_b|²))^γ, γ (`coherence`).

use super::Plan;
use super::params::filled;
use crate::graph::Graph;
use crate::network::Targets;
use rayon::prelude::*;
use std::borrow::Cow;

/// Rows that one thread takes at a time; smaller graphs are not worth a second thread.
const ROWS: usize = 4096;

/// Memberships [n, k] for the graph model from the network's outputs [n, c]: class probabilities, or levels of predicted numbers.
/// `known` are labels that may be taken for certain.
pub(super) fn from_guess<'a>(
    plan: &Plan,
    graph: &Graph,
    guess: &'a [f32],
    outputs: usize,
    known: Option<&Targets>,
) -> (usize, Cow<'a, [f32]>) {
    let (k, mut rows) = match plan.graph_model.communities() {
        None => return (outputs, Cow::Borrowed(guess)),
        Some(levels) if outputs == 1 => (levels, Cow::Owned(super::values::belief(guess, levels))),
        Some(_) => (outputs, Cow::Borrowed(guess)),
    };
    let rounds = filled(plan.belief_rounds);
    if rounds > 0 {
        let rows = rows.to_mut();
        for (a, class) in known.into_iter().flat_map(Targets::classes) {
            let row = &mut rows[a as usize * k..][..k];
            row.fill(0.0);
            row[class as usize] = 1.0;
        }
        // Neighbours' levels of a number may well differ without a contradiction.
        let coherence = if outputs == 1 { 0.0 } else { plan.doubt_of_contradiction() as f32 };
        let own = plan.own_say() as f32;
        *rows = Rounds { number: rounds, own, coherence }.heard(graph, rows, k);
    }
    (k, rows)
}

/// The logarithmic pool of the guess `p` [n, c] on a graph with the one `q` without it: p ∝ p^((1 − w) r_a) q^(1 − (1 − w) r_a). Both are
/// softmaxes, so that no row vanishes.
pub(super) fn pool(plan: &Plan, graph: &Graph, p: &mut [f32], mut q: impl Iterator<Item = f32>, c: usize) {
    let (own, coherence) = ((1.0 - plan.say_of_features()) as f32, plan.doubt_of_contradiction() as f32);
    let mut sum = vec![0.0; c];
    let agreements: Vec<Option<f32>> =
        (0..graph.nodes() as u32).map(|a| agreement(p, graph.neighbours(a), &mut sum)).collect();
    for (row, agreement) in p.chunks_exact_mut(c).zip(agreements) {
        let own = own * agreement.unwrap_or(1.0).powf(coherence);
        row.iter_mut().zip(&mut q).for_each(|(p, q)| *p = p.powf(own) * q.powf(1.0 - own));
        let total: f32 = row.iter().sum();
        if total > 0.0 {
            row.iter_mut().for_each(|p| *p /= total);
        } else {
            row.fill(1.0 / c as f32);
        }
    }
}

/// How nodes listen to their neighbours.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rounds {
    pub(super) number: usize,
    /// κ
    pub(super) own: f32,
    /// γ
    pub(super) coherence: f32,
}

impl Rounds {
    /// The guess [n, k] after these rounds of listening to the neighbours.
    pub(super) fn heard(self, graph: &Graph, guess: &[f32], k: usize) -> Vec<f32> {
        let (mut p, mut next) = (guess.to_vec(), vec![0.0; guess.len()]);
        for _ in 0..self.number {
            next.par_chunks_mut(ROWS * k).enumerate().for_each(|(part, rows)| {
                for (a, row) in (part * ROWS..).zip(rows.chunks_exact_mut(k)) {
                    self.hear(&p, graph.neighbours(a as u32), &guess[a * k..][..k], row);
                }
            });
            std::mem::swap(&mut p, &mut next);
        }
        p
    }

    /// One node's new row from all rows `p`, its neighbours and its own guess.
    fn hear(self, p: &[f32], neighbours: &[u32], own: &[f32], row: &mut [f32]) {
        let d = neighbours.len() as f32;
        let heard = agreement(p, neighbours, row).map_or(0.0, |r| r.powf(self.coherence));
        let total = self.own + heard * d;
        row.iter_mut().zip(own).for_each(|(row, own)| *row = (self.own * own + heard * *row) / total);
    }
}

/// How far neighbours agree, from 1/d to 1, and their rows together in `sum`; `None` where there is nobody.
fn agreement(p: &[f32], neighbours: &[u32], sum: &mut [f32]) -> Option<f32> {
    let k = sum.len();
    sum.fill(0.0);
    let mut squares = 0.0;
    for &b in neighbours {
        for (sum, p) in sum.iter_mut().zip(&p[b as usize * k..]) {
            *sum += p;
            squares += p * p;
        }
    }
    let r = sum.iter().map(|sum| sum * sum).sum::<f32>() / (neighbours.len() as f32 * squares);
    r.is_finite().then(|| r.min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn two_rounds_worked_out_by_hand() {
        // 0 – 1 – 2 and 3 alone; κ = 1.
        let graph = Graph::from_edges(4, &[(0, 1), (1, 2)]).unwrap();
        let guess = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0, 0.25, 0.75];
        let rounds = |number, coherence| Rounds { number, own: 1.0, coherence }.heard(&graph, &guess, 2);
        assert_eq!(rounds(1, 0.0), [0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75]);
        assert_eq!(rounds(2, 0.0), [0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75]);
        assert_eq!(rounds(0, 1.0), guess);
    }

    #[test]
    fn neighbours_are_heard_as_far_as_they_agree() {
        // 0 hears 1, 2, 3: two for the first class, one for the second; |Σ p|² = 5, d Σ |p|² = 9.
        let graph = Graph::from_edges(4, &[(0, 1), (0, 2), (0, 3)]).unwrap();
        let guess = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        let first = |coherence| Rounds { number: 1, own: 2.0, coherence }.heard(&graph, &guess, 2)[0];
        let r = 5.0f32 / 9.0;
        assert!((first(1.0) - 2.0 * r / (2.0 + 3.0 * r)).abs() < 1e-6);
        assert!((first(2.0) - 2.0 * r * r / (2.0 + 3.0 * r * r)).abs() < 1e-6);
        assert!((first(0.0) - 0.4).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn beliefs_stay_on_the_simplex_and_a_common_one_stays(
            n in 1usize..40, raw in prop::collection::vec((0u32..40, 0u32..40), 0..120), own in 0.01f32..50.0,
            coherence in 0.0f32..9.0,
        ) {
            let rounds = Rounds { number: 7, own, coherence };
            let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
            let graph = Graph::from_edges(n, &edges).unwrap();
            let guess: Vec<f32> = (0..n).flat_map(|a| [a as f32 / n as f32, 1.0 - a as f32 / n as f32]).collect();
            for row in rounds.heard(&graph, &guess, 2).chunks_exact(2) {
                prop_assert!(row.iter().all(|p| (-1e-6..=1.0 + 1e-6).contains(p)) && (row[0] + row[1] - 1.0).abs() < 1e-5);
            }
            for p in rounds.heard(&graph, &[0.25, 0.75].repeat(n), 2).chunks_exact(2) {
                prop_assert!((p[0] - 0.25).abs() < 1e-5);
            }
        }
    }
}
