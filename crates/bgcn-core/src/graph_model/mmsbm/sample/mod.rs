//! p(G | λ): graphs drawn from the block model in O(N + edges drawn).
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm; the generative model of "Posterior inference for the
//! MMSBM".
//! Differs: pairs that stay apart are skipped, not tried. Every pair is still an exact, independent Bernoulli variable.
//! Symbols: `p` of a pair; pairs are numbered, so that a set of exchangeable ones is a range of numbers.

mod hard;
mod mixed;

use super::{Draw, Lambda};
use crate::graph_model::GraphBuffer;
use crate::graph_model::blocks::walk::Source;
use crate::rng::Stream;
use hard::Hard;
use mixed::Mixed;

/// λ prepared for drawing: O(N K) once, then O(N + edges) for every graph.
#[derive(Clone, Debug)]
pub struct Sampler(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Hard(Hard),
    Mixed(Mixed),
}

impl Sampler {
    /// Prepares λ for graphs drawn with each node in its strongest community, or with mixed memberships.
    pub fn new(lambda: &Lambda, draw: Draw) -> Self {
        Self(match draw {
            Draw::Hard => Kind::Hard(Hard::new(lambda)),
            Draw::Mixed => Kind::Mixed(Mixed::new(lambda)),
        })
    }

    /// Draws a graph into `into`, reusing its memory. All randomness comes from `stream`.
    pub fn draw(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let mut random = Source::new(stream.fast());
        match &self.0 {
            Kind::Hard(hard) => into.fill(hard.nodes(), |edges| hard.draw(&mut random, edges)),
            Kind::Mixed(mixed) => into.fill_merging(mixed.nodes(), |edges| mixed.draw(&mut random, edges)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::graph_model::proofs::assert_frequencies;
    use crate::rng::{For, Random as _, Seed};
    use proptest::prelude::*;

    pub(super) fn lambda(k: usize, pi: &[f32], beta: &[f64], delta: f64) -> Lambda {
        Lambda::new(k, pi, beta.to_vec(), delta).unwrap()
    }

    /// Frequencies of the draws against `p`; see [`assert_frequencies`].
    pub(super) fn assert_probabilities(lambda: &Lambda, draw: Draw, p: impl Fn(u32, u32) -> f64) {
        let sampler = Sampler::new(lambda, draw);
        assert_frequencies(lambda.n(), |stream, into| sampler.draw(stream, into), p);
    }

    proptest! {
        #[test]
        fn draws_are_simple_graphs_and_repeat_with_their_stream(
            n in 1usize..60, k in 1usize..5, seed in 0u64..1000, strong in 0.0f64..1.0, delta in 0.0f64..1.0,
            mixed: bool,
        ) {
            let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
            let pi: Vec<f32> = (0..n * k).map(|_| random.gamma(0.3) as f32 + 1e-6).collect();
            let beta: Vec<f64> = (0..k).map(|_| strong * random.unit()).collect();
            let sampler = Sampler::new(&lambda(k, &pi, &beta, delta), if mixed { Draw::Mixed } else { Draw::Hard });
            let (mut buffer, mut again) = (GraphBuffer::default(), GraphBuffer::default());
            sampler.draw(Seed::new(seed).at(For::Graph, [0; 3]), &mut again);
            for _ in 0..2 {
                sampler.draw(Seed::new(seed).at(For::Graph, [0; 3]), &mut buffer);
                let edges: Vec<_> = buffer.graph().edge_list().collect();
                // from_edges drops loops and merges repetitions, so equality means there were none.
                prop_assert_eq!(&Graph::from_edges(n, &edges).unwrap(), buffer.graph());
                prop_assert_eq!(buffer.graph(), again.graph());
            }
        }
    }
}
