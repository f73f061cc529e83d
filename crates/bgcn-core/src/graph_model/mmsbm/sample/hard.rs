//! Graphs drawn with every node in its strongest community: a plain block model.
//! Paper: not in it; the authors' code draws its graphs this way.
//! Differs: skip sampling through each block's pairs; no N² array.
//! Symbols: block k joins its nodes with probability beta_k; any two blocks with delta.

use super::super::Lambda;
use crate::graph_model::blocks::grouped::{Grouped, draw_across};
use crate::graph_model::blocks::walk::Source;

/// Nodes by community. Pairs across communities are, for each block, its nodes times all nodes before it.
#[derive(Clone, Debug)]
pub(super) struct Hard {
    grouped: Grouped,
    beta: Vec<f64>,
    delta: f64,
}

impl Hard {
    pub(super) fn new(lambda: &Lambda) -> Self {
        let grouped = Grouped::new(&lambda.labels(), lambda.k());
        Self { grouped, beta: lambda.beta().to_vec(), delta: lambda.delta() }
    }

    pub(super) fn nodes(&self) -> usize {
        self.grouped.nodes()
    }

    /// Appends the edges of a draw, each once.
    pub(super) fn draw(&self, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        for (k, &beta) in self.beta.iter().enumerate() {
            self.grouped.draw_within(k, beta, random, edges);
            draw_across((self.grouped.block(k), self.grouped.before(k)), self.delta, random, edges);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_probabilities, lambda};
    use crate::graph_model::mmsbm::Draw;

    #[test]
    fn every_pair_has_the_probability_of_its_blocks() {
        // Community 2 is no node's strongest, community 0 is nearly complete, community 3 nearly empty and below delta.
        let labels = [0usize, 1, 3, 1, 0, 0, 1, 3, 3, 0, 1, 3, 1];
        let pi: Vec<f32> = labels.iter().flat_map(|&l| (0..4).map(move |k| if k == l { 0.7 } else { 0.1 })).collect();
        let (beta, delta) = ([0.999, 0.3, 0.5, 0.001], 0.02);
        assert_probabilities(&lambda(4, &pi, &beta, delta), Draw::Hard, |a, b| {
            let (k, l) = (labels[a as usize], labels[b as usize]);
            if k == l { beta[k] } else { delta }
        });
    }

    #[test]
    fn one_community_and_no_background_are_ordinary_cases() {
        assert_probabilities(&lambda(1, &[1.0; 12], &[0.2], 0.0), Draw::Hard, |_, _| 0.2);
        let pi: Vec<f32> = (0..12).flat_map(|a| [f32::from(a % 2 == 0), f32::from(a % 2 == 1)]).collect();
        assert_probabilities(&lambda(2, &pi, &[0.3, 1.0], 0.0), Draw::Hard, |a, b| match (a % 2, b % 2) {
            (0, 0) => 0.3,
            (1, 1) => 1.0,
            _ => 0.0,
        });
    }

    #[test]
    fn graphs_without_pairs_have_no_edges() {
        assert_probabilities(&lambda(2, &[], &[0.5, 0.5], 0.1), Draw::Hard, |_, _| 0.0);
        assert_probabilities(&lambda(2, &[1.0, 0.0], &[0.5, 0.5], 0.1), Draw::Hard, |_, _| 0.0);
    }
}
