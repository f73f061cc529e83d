//! p(G | λ): graphs of the degree-corrected block model in O(N + points drawn).
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm.
//! Differs: a Poisson number of points per pair of blocks, their ends in proportion to theta; points on one pair are
//! one edge, and points on a node itself are none. Each pair is exactly an independent Bernoulli variable with p = 1 −
//! exp(−rate).
//! Symbols: within block k, B_kk (Σ theta)² / 2 points are expected; between k and l, B_kl Σ_k theta Σ_l theta.

use crate::graph_model::BlockMatrix;
use crate::graph_model::blocks::grouped::Grouped;
use crate::graph_model::blocks::points::{Points, Table};
use crate::graph_model::blocks::walk::Source;

/// Appends the pairs that points fall on, given nodes by block and their weights theta; a pair may come twice.
pub(crate) fn throw(
    (grouped, theta): (&Grouped, &[f32]),
    b: &BlockMatrix,
    random: &mut Source,
    edges: &mut Vec<(u32, u32)>,
) {
    let weighted = |&a: &u32| (a, f64::from(theta[a as usize]));
    let tables: Vec<Table> = (0..b.k()).map(|k| Table::new(grouped.block(k).iter().map(weighted))).collect();
    for (k, table) in tables.iter().enumerate() {
        let mut points = Points::within(table, b.get(k, k));
        while let Some((x, y)) = points.next(random) {
            if x != y {
                edges.push((x, y));
            }
        }
        for (l, other) in tables.iter().enumerate().skip(k + 1) {
            let mut points = Points::across([table, other], b.get(k, l));
            edges.extend(std::iter::from_fn(|| points.next(random)));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::graph::Graph;
    use crate::graph_model::dcsbm::{Dcsbm, DcsbmParams};
    use crate::graph_model::proofs::{assert_frequencies, assert_pairs, assert_simple_and_repeatable, small_case};
    use crate::graph_model::sbm::{Draw, Sbm, SbmParams};
    use crate::graph_model::{Belief, GraphBuffer, GraphModel};
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn params(k: usize, draw: Draw) -> crate::Checked<DcsbmParams> {
        DcsbmParams { degree_prior: 1.0, blocks: SbmParams { draw, ..SbmParams::new(k) } }.check().unwrap()
    }

    /// A hub, two blocks, and nodes without links; every label but the last is some node's likeliest.
    fn case() -> (Graph, Vec<f32>) {
        let edges = [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (1, 2), (5, 6), (6, 7), (5, 7), (3, 7), (8, 1)];
        let rows = (0..12).flat_map(|a| (0..3).map(move |i| if i == a / 5 % 2 { 0.6 } else { 0.2 + 0.01 * a as f32 }));
        (Graph::from_edges(12, &edges).unwrap(), rows.collect())
    }

    #[test]
    fn hard_draws_have_the_stated_law() {
        let (graph, rows) = case();
        for degree_prior in [0.0, 1.0] {
            let params = DcsbmParams { degree_prior, ..DcsbmParams::new(3) }.check().unwrap();
            let model = Dcsbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
            let (labels, b) = (model.labels(), model.posterior.hard_blocks());
            let p = |a: u32, c: u32| {
                let weight =
                    f64::from(model.posterior.theta()[a as usize]) * f64::from(model.posterior.theta()[c as usize]);
                1.0 - (-weight * b.get(labels[a as usize] as usize, labels[c as usize] as usize)).exp()
            };
            assert_eq!(p(10, 0) > 0.0, degree_prior > 0.0, "a node without links is drawn some only under a prior");
            assert_frequencies(12, |stream, into| model.sample(stream, into), p);
        }
    }

    #[test]
    fn sampled_draws_join_pairs_with_their_edge_probability() {
        let (graph, rows) = case();
        let params = params(3, Draw::Sampled);
        let mut model = Dcsbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        model.infer(1, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        assert_pairs(12, |stream, into| model.sample(stream, into), |a, b| model.edge_probability(a, b));
    }

    #[test]
    fn hubs_stay_hubs() {
        let ring = (1..200u32).map(|a| (a, a % 199 + 1));
        let edges: Vec<_> = (1..=60).map(|b| (0, 3 * b)).chain(ring).collect();
        let graph = Graph::from_edges(200, &edges).unwrap();
        let rows = vec![1.0; 200];
        let belief = Belief { k: 1, rows: &rows };
        let corrected = Dcsbm::start(&DcsbmParams::new(1).check().unwrap(), &graph, belief).unwrap();
        let plain = Sbm::start(&SbmParams::new(1).check().unwrap(), &graph, belief).unwrap();
        let degree = |model: &dyn GraphModel| {
            let mut buffer = GraphBuffer::default();
            let draw = |i| {
                model.sample(Seed::new(2).at(For::Graph, [0, i, 0]), &mut buffer);
                buffer.graph().degree(0) as f64
            };
            (0..100).map(draw).sum::<f64>() / 100.0
        };
        // Expected are 38 and 2.6 with standard errors of about 0.5 and 0.2: a bound ten of them away.
        assert!(degree(&corrected) > 30.0 && degree(&plain) < 5.0);
    }

    proptest! {
        #[test]
        fn draws_are_simple_graphs_and_repeat((graph, k, rows) in small_case(), sampled: bool, rounds in 0usize..4) {
            let params = params(k, if sampled { Draw::Sampled } else { Draw::Hard });
            let mut model = Dcsbm::start(&params, &graph, Belief { k, rows: &rows }).unwrap();
            model.infer(rounds, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
            assert_simple_and_repeatable(&model, graph.nodes());
        }
    }
}
