//! Label propagation: known labels and predictions spread along the edges.
//! Paper: none; with 0 steps nothing is spread.
//! Symbols: p⁰ [n, k] the start, κ the self weight, d_a the degree, γ the exponent of the neighbour agreement r_a.
//!
//! ```text
//! p_a ← (κ p⁰_a + r_a^γ Σ_{b ∈ N(a)} p_b) / (κ + r_a^γ d_a)
//! r_a = |Σ_b p_b|² / (d_a Σ_b |p_b|²)          from 1/d_a, where all neighbours differ, to 1, where all agree
//! ```
//!
//! Known labels are clamped: their rows stay as they are, whatever the neighbours.

use crate::graph::Graph;
use rayon::prelude::*;

/// Rows that one thread takes at a time; smaller graphs are not worth a second thread.
const ROWS: usize = 4096;

/// How labels are propagated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Propagation {
    pub(super) steps: usize,
    /// κ
    pub(super) self_weight: f32,
    /// γ
    pub(super) agreement: f32,
}

impl Propagation {
    /// The rows [n, k] after all steps; rows of nodes that are `clamped` `[n]` stay.
    pub(super) fn run(self, graph: &Graph, start: &[f32], k: usize, clamped: &[bool]) -> Vec<f32> {
        let (mut p, mut next) = (start.to_vec(), vec![0.0; start.len()]);
        for _ in 0..self.steps {
            next.par_chunks_mut(ROWS * k).enumerate().for_each(|(part, rows)| {
                for (a, row) in (part * ROWS..).zip(rows.chunks_exact_mut(k)) {
                    let own = &start[a * k..][..k];
                    if clamped[a] {
                        row.copy_from_slice(own);
                    } else {
                        self.step(&p, graph.neighbours(a as u32), own, row);
                    }
                }
            });
            std::mem::swap(&mut p, &mut next);
        }
        p
    }

    /// One node's new row from all rows `p`, its neighbours and its own start.
    fn step(self, p: &[f32], neighbours: &[u32], own: &[f32], row: &mut [f32]) {
        let d = neighbours.len() as f32;
        let weight = agreement(p, neighbours, row).map_or(0.0, |r| r.powf(self.agreement));
        let total = self.self_weight + weight * d;
        row.iter_mut().zip(own).for_each(|(row, own)| *row = (self.self_weight * own + weight * *row) / total);
    }
}

/// The neighbour agreement, from 1/d to 1, and the sum of the neighbours' rows in `sum`; `None` without neighbours.
pub(super) fn agreement(p: &[f32], neighbours: &[u32], sum: &mut [f32]) -> Option<f32> {
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
    fn two_steps_worked_out_by_hand() {
        // 0 – 1 – 2 and 3 alone; κ = 1.
        let graph = Graph::from_edges(4, &[(0, 1), (1, 2)]).unwrap();
        let guess = [1.0, 0.0, 0.5, 0.5, 0.0, 1.0, 0.25, 0.75];
        let spread =
            |steps, agreement| Propagation { steps, self_weight: 1.0, agreement }.run(&graph, &guess, 2, &[false; 4]);
        assert_eq!(spread(1, 0.0), [0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75]);
        assert_eq!(spread(2, 0.0), [0.75, 0.25, 0.5, 0.5, 0.25, 0.75, 0.25, 0.75]);
        assert_eq!(spread(0, 1.0), guess);
    }

    #[test]
    fn neighbours_count_as_far_as_they_agree() {
        // 0 has the neighbours 1, 2, 3: two for the first class, one for the second; |Σ p|² = 5, d Σ |p|² = 9.
        let graph = Graph::from_edges(4, &[(0, 1), (0, 2), (0, 3)]).unwrap();
        let guess = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0];
        let first =
            |agreement| Propagation { steps: 1, self_weight: 2.0, agreement }.run(&graph, &guess, 2, &[false; 4])[0];
        let r = 5.0f32 / 9.0;
        assert!((first(1.0) - 2.0 * r / (2.0 + 3.0 * r)).abs() < 1e-6);
        assert!((first(2.0) - 2.0 * r * r / (2.0 + 3.0 * r * r)).abs() < 1e-6);
        assert!((first(0.0) - 0.4).abs() < 1e-6);
    }

    #[test]
    fn a_known_label_withstands_neighbours_that_all_differ() {
        // A training node of the first class with four neighbours of the second: unclamped it would keep 1 of 5.
        let graph = Graph::from_edges(5, &[(0, 1), (0, 2), (0, 3), (0, 4)]).unwrap();
        let start = [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0];
        let spread = |clamped: [bool; 5]| {
            Propagation { steps: 5, self_weight: 1.0, agreement: 0.0 }.run(&graph, &start, 2, &clamped)
        };
        assert!(spread([false; 5])[0] < 0.5);
        let clamped = spread([true, false, false, false, false]);
        assert_eq!(clamped[..2], [1.0, 0.0]);
        assert!(clamped[2] > 0.4, "its neighbours feel it: {}", clamped[2]);
    }

    proptest! {
        #[test]
        fn beliefs_stay_on_the_simplex_and_a_common_one_stays(
            n in 1usize..40, raw in prop::collection::vec((0u32..40, 0u32..40), 0..120), self_weight in 0.01f32..50.0,
            agreement in 0.0f32..9.0,
        ) {
            let propagation = Propagation { steps: 7, self_weight, agreement };
            let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
            let graph = Graph::from_edges(n, &edges).unwrap();
            let guess: Vec<f32> = (0..n).flat_map(|a| [a as f32 / n as f32, 1.0 - a as f32 / n as f32]).collect();
            for row in propagation.run(&graph, &guess, 2, &vec![false; n]).chunks_exact(2) {
                prop_assert!(row.iter().all(|p| (-1e-6..=1.0 + 1e-6).contains(p)));
                prop_assert!((row[0] + row[1] - 1.0).abs() < 1e-5);
            }
            for p in propagation.run(&graph, &[0.25, 0.75].repeat(n), 2, &vec![false; n]).chunks_exact(2) {
                prop_assert!((p[0] - 0.25).abs() < 1e-5);
            }
        }
    }
}
