//! p(G | λ): graphs of the block model in O(N + edges drawn + K²). Every pair is an exact, independent Bernoulli
//! variable given the labels.

use super::{Draw, Sbm};
use crate::graph_model::GraphBuffer;
use crate::graph_model::blocks::grouped::Grouped;
use crate::graph_model::blocks::walk::Source;
use crate::rng::Stream;

impl Sbm<'_> {
    /// Draws a graph into `into`, reusing its memory. All randomness comes from `stream`.
    pub(super) fn draw(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let (labels, b) = match self.params.draw {
            Draw::Hard => (self.labels(), self.posterior.hard_blocks()),
            Draw::Sampled => (self.posterior.sample_labels(&mut stream), self.posterior.blocks()),
        };
        let grouped = Grouped::new(&labels, b.k());
        let mut random = Source::new(stream.fast());
        into.fill(grouped.nodes(), |edges| grouped.draw(b, &mut random, edges));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::proofs::{
        assert_frequencies, assert_pairs, assert_simple_and_repeatable, planted, small_case,
    };
    use crate::graph_model::sbm::SbmParams;
    use crate::graph_model::{Belief, GraphModel as _};
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn belief(k: usize) -> Vec<f32> {
        (0..13).flat_map(|a| (0..k).map(move |i| if i == a % 2 { 0.6 } else { 0.3 + 0.02 * a as f32 })).collect()
    }

    #[test]
    fn hard_draws_join_pairs_as_often_as_their_blocks_are_joined() {
        // Label 2 is no node's likeliest.
        let (graph, rows) = (planted(12, 2, 0.7, 0.1), belief(3));
        let params = SbmParams::new(3).check().unwrap();
        let model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        let (labels, b) = (model.labels(), model.posterior.hard_blocks());
        assert_frequencies(
            13,
            |stream, into| model.sample(stream, into),
            |a, c| b.get(labels[a as usize] as usize, labels[c as usize] as usize),
        );
        // Without pseudo-pairs the expected number of edges is the observed one.
        let params = SbmParams { block_prior: 0.0, ..SbmParams::new(3) }.check().unwrap();
        let model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        let b = model.posterior.hard_blocks();
        let pairs = (0..13).flat_map(|c| (0..c).map(move |a| (a, c)));
        let expected: f64 = pairs.map(|(a, c): (usize, usize)| b.get(labels[a] as usize, labels[c] as usize)).sum();
        assert!((expected - graph.edges() as f64).abs() < 1e-6);
    }

    #[test]
    fn sampled_draws_join_pairs_with_their_edge_probability() {
        let (graph, rows) = (planted(12, 2, 0.7, 0.1), belief(3));
        let params = SbmParams { draw: Draw::Sampled, ..SbmParams::new(3) }.check().unwrap();
        let mut model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        model.infer(1, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        assert_pairs(13, |stream, into| model.sample(stream, into), |a, b| model.edge_probability(a, b));
    }

    proptest! {
        #[test]
        fn draws_are_simple_graphs_and_repeat((graph, k, rows) in small_case(), sampled: bool, rounds in 0usize..4) {
            let params = SbmParams { draw: if sampled { Draw::Sampled } else { Draw::Hard }, ..SbmParams::new(k) }.check().unwrap();
            let mut model = Sbm::start(&params, &graph, Belief { k, rows: &rows }).unwrap();
            model.infer(rounds, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
            assert_simple_and_repeatable(&model, graph.nodes());
        }
    }
}
