//! p(λ | G_obs) of the degree-corrected block model: theta from the degrees, then q(z) around a belief and B in closed
//! form. The rounds are those of the plain model.
//!
//! At hard labels theta_a ∝ degree_a is the maximum of the Poisson likelihood. Under a Gamma prior of mean 1 that is
//! worth g links, theta_a = (degree_a + g) / (mean degree + g). In a graph without links, at g = 0, all are 1.

use super::DcsbmParams;
use crate::graph::Graph;
use crate::graph_model::blocks::label_model::LabelParams;
use crate::graph_model::blocks::labels::Likelihood;
use crate::graph_model::sbm::SbmParams;

impl LabelParams for DcsbmParams {
    const LIKELIHOOD: Likelihood = Likelihood::Poisson;

    fn blocks(&self) -> &SbmParams {
        &self.blocks
    }

    fn weights(&self, graph: &Graph) -> Vec<f32> {
        weights(graph, self.degree_prior)
    }
}

fn weights(graph: &Graph, prior: f64) -> Vec<f32> {
    let mean = 2.0 * graph.edges() as f64 / graph.nodes().max(1) as f64 + prior;
    let weight = |a: u32| if mean > 0.0 { (graph.degree(a) as f64 + prior) / mean } else { 1.0 };
    (0..graph.nodes() as u32).map(|a| weight(a) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::dcsbm::Dcsbm;
    use crate::graph_model::proofs::{recovered, small_case, weak_belief};
    use crate::graph_model::{Belief, GraphModel as _};
    use crate::rng::{For, Random as _, Seed};
    use proptest::prelude::*;

    fn infer(model: &mut Dcsbm<'_>, iterations: usize) {
        model.infer(iterations, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
    }

    proptest! {
        #[test]
        fn the_lower_bound_never_falls(
            (graph, k, belief) in small_case(), strength in 0.0..6.0f64, damping in 0.05..=1.0f64,
            degree in 0.0..2.0f64,
        ) {
            let blocks = SbmParams { prior_strength: strength, damping, ..SbmParams::new(k) };
            let params = DcsbmParams { degree_prior: degree, blocks }.check().unwrap();
            let mut model = Dcsbm::start(&params, &graph, Belief { k, rows: &belief }).unwrap();
            let mut before = model.posterior.lower_bound();
            for _ in 0..6 {
                infer(&mut model, 1);
                let now = model.posterior.lower_bound();
                // q is kept in single precision.
                prop_assert!(now > before - 1e-4 * before.abs().max(1.0), "{now} after {before}");
                before = now;
            }
        }
    }

    #[test]
    fn weights_are_the_degrees_and_a_prior_lifts_isolated_nodes() {
        let graph = Graph::from_edges(4, &[(0, 1), (0, 2)]).unwrap();
        assert_eq!(weights(&graph, 0.0), [2.0, 1.0, 1.0, 0.0]);
        assert_eq!(weights(&graph, 1.0), [1.5, 1.0, 1.0, 0.5]);
        assert_eq!(weights(&Graph::empty(2), 0.0), [1.0, 1.0]);
    }

    #[test]
    fn blocks_are_found_where_degrees_would_mislead() {
        // Two blocks, and in each a third of the nodes with ten times the weight: the plain model would part them by
        // degree.
        let heavy = |a: u32| if a % 6 < 2 { 1.0 } else { 0.1 };
        let mut random = Seed::new(4).at(For::Generate, [0; 3]);
        let mut edges = Vec::new();
        for (a, b) in (0..150u32).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let rate = heavy(a) * heavy(b) * if a % 2 == b % 2 { 0.5 } else { 0.05 };
            if random.unit() < rate {
                edges.push((a, b));
            }
        }
        let graph = Graph::from_edges(151, &edges).unwrap();
        let params = DcsbmParams { degree_prior: 1.0, blocks: SbmParams { prior_strength: 1.0, ..SbmParams::new(2) } };
        let params = params.check().unwrap();
        let rows = weak_belief(150, 2, 0.6);
        let mut model = Dcsbm::start(&params, &graph, Belief { k: 2, rows: &rows }).unwrap();
        let heavy_right =
            |labels: Vec<u32>| (0..150u32).filter(|&a| heavy(a) == 1.0 && labels[a as usize] == a % 2).count();
        let (start, before) = (recovered(&model.labels(), 150, 2), heavy_right(model.labels()));
        infer(&mut model, 30);
        let (found, after) = (recovered(&model.labels(), 150, 2), heavy_right(model.labels()));
        assert!(before < 46 && after >= 49, "{after} of the 50 heavy nodes after {before}");
        assert!(found > start + 5, "{found} after {start}");
    }
}
