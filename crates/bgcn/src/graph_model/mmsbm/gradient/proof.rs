//! Proofs by test: every gradient against the one above it, down to differences of a brute-force log posterior.

use super::{At, Gradient, Linear, full};
use crate::graph::Graph;
use crate::graph_model::mmsbm::Lambda;
use proptest::prelude::*;

/// Single precision of a sum of a few hundred terms of order `size`.
fn rounding(size: f64) -> f64 {
    4e-6 * size.max(1.0)
}

fn small_graph() -> impl Strategy<Value = Graph> {
    (2usize..40, prop::collection::vec((0u32..40, 0u32..40), 0..120)).prop_map(|(n, raw)| {
        let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
        Graph::from_edges(n, &edges).unwrap()
    })
}

prop_compose! {
    /// A graph and memberships from nearly hard to nearly even, strengths up to `most`.
    fn case(most: f64)(graph in small_graph())(
        pi in prop::collection::vec(1e-3f32..1.0, graph.nodes() * 12),
        beta in prop::collection::vec(1e-4..most, 12),
        delta in 1e-5..0.05f64,
        k in 1usize..12,
        graph in Just(graph),
    ) -> (Graph, Lambda) {
        let pi: Vec<f32> = pi[..graph.nodes() * k].iter().map(|p| p.powi(3)).collect();
        let lambda = Lambda::new(k, &pi, beta[..k].to_vec(), delta).unwrap();
        (graph, lambda)
    }
}

proptest! {
    #[test]
    fn linear_is_inside_its_bound((graph, lambda) in case(0.6)) {
        let at = At { graph: &graph, lambda: &lambda };
        let (mut exact, mut closed) = (Gradient::zeros(&lambda), Gradient::zeros(&lambda));
        full(at, &mut exact);
        let line = Linear::default().gradient(at, &mut closed);
        let sizes = lambda.sizes();
        let c: Vec<f64> = lambda.beta().iter().map(|beta| (beta - lambda.delta()).abs()).collect();
        for a in 0..lambda.n() {
            let p = lambda.row(a as u32);
            let mean: f64 = (0..lambda.k()).map(|j| f64::from(p[j]) * c[j] * sizes[j]).sum();
            for k in 0..lambda.k() {
                let i = a * lambda.stride() + k;
                let bound = line.error * f64::from(p[k]) * (mean + c[k] * sizes[k]);
                let error = f64::from(closed.phi[i] - exact.phi[i]).abs();
                let size = graph.degree(a as u32) as f64 + mean + c[k] * sizes[k];
                prop_assert!(error <= bound + rounding(size), "node {a}, community {k}: {error} above {bound}");
            }
        }
        for (k, size) in sizes.iter().enumerate() {
            let error = (closed.non_links[k] - exact.non_links[k]).abs();
            let bound = line.error * (1.0 - lambda.beta()[k]) * 0.5 * size * size;
            prop_assert!(error <= bound + rounding(size * size), "M_{k}: {error} above {bound}");
            prop_assert!((closed.links[k] - exact.links[k]).abs() <= rounding(exact.links[k]));
        }
    }
}
