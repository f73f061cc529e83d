//! Inference and draws of the block model.

mod inference {
    use crate::graph_model::proofs::{planted, recovered, small_case, weak_belief};
    use crate::graph_model::sbm::{Sbm, SbmParams};
    use crate::graph_model::{Belief, GraphModel as _};
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn infer(model: &mut Sbm<'_>, iterations: usize) {
        model.infer(iterations, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
    }

    /// The lower bound as it is defined, over all pairs.
    fn brute_force(model: &Sbm<'_>, belief: &[f32]) -> f64 {
        let (graph, b, params) = (model.posterior.graph, model.posterior.blocks(), &model.params);
        let (n, k) = (graph.nodes() as u32, b.k());
        let log = |b: f64, y: bool| if y { b.ln() } else { (1.0 - b).ln() };
        let mut total = 0.0;
        for c in 0..n {
            let (q, row) = (model.posterior.q().row(c), &belief[c as usize * k..][..k]);
            let sum: f64 = row.iter().map(|&p| f64::from(p)).sum();
            for i in 0..k {
                let p = (f64::from(row[i]) / sum).max(1e-7);
                total += f64::from(q[i]) * (params.prior_strength * p.ln() - f64::from(q[i]).ln());
                for a in 0..c {
                    let y = graph.has_edge(a, c);
                    let pair = |l: usize| f64::from(model.posterior.q().row(a)[l]) * log(b.get(i, l), y);
                    total += f64::from(q[i]) * (0..k).map(pair).sum::<f64>();
                }
            }
        }
        let pairs = f64::from(n) * (f64::from(n) - 1.0) / 2.0;
        let density = graph.edges() as f64 / pairs.max(1.0);
        let prior = |b: f64| density * b.ln() + (1.0 - density) * (1.0 - b).ln();
        total + params.block_prior * (0..k).flat_map(|i| (i..k).map(move |l| prior(b.get(i, l)))).sum::<f64>()
    }

    proptest! {
        #[test]
        fn the_lower_bound_is_the_sum_over_all_pairs_and_never_falls(
            (graph, k, belief) in small_case(), strength in 0.0..6.0f64, damping in 0.05..=1.0f64, prior in 0.1..3.0f64,
        ) {
            let params = SbmParams { prior_strength: strength, damping, block_prior: prior, ..SbmParams::new(k) }.check().unwrap();
            let mut model = Sbm::start(&params, &graph, Belief { k, rows: &belief }).unwrap();
            let mut before = model.posterior.lower_bound();
            for _ in 0..6 {
                infer(&mut model, 1);
                let now = model.posterior.lower_bound();
                let slow = brute_force(&model, &belief);
                prop_assert!((now - slow).abs() < 1e-3 * slow.abs().max(1.0), "{now}, brute force {slow}");
                // q is kept in single precision.
                prop_assert!(now > before - 1e-4 * before.abs().max(1.0), "{now} after {before}");
                before = now;
            }
            for a in 0..graph.nodes() as u32 {
                prop_assert!((model.posterior.q().row(a).iter().sum::<f32>() - 1.0).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn planted_blocks_are_found_whether_they_attract_or_avoid() {
        for (inside, across) in [(0.3, 0.02), (0.02, 0.25)] {
            let (graph, rows) = (planted(120, 3, inside, across), weak_belief(120, 3, 0.7));
            let params = SbmParams { prior_strength: 1.0, ..SbmParams::new(3) }.check().unwrap();
            let mut model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
            let start = recovered(&model.labels(), 120, 3);
            assert!(start < 108, "{start} known at the start");
            infer(&mut model, 30);
            assert!(recovered(&model.labels(), 120, 3) >= 117, "inside {inside}, across {across}");
            for (k, l, truth) in [(0, 0, inside), (1, 2, across)] {
                assert!(
                    (model.posterior.blocks().get(k, l) - truth).abs() < 0.05,
                    "B is {:?}",
                    model.posterior.blocks()
                );
            }
        }
    }

    #[test]
    fn a_strong_prior_keeps_the_belief_and_empty_classes_keep_the_density() {
        let (graph, rows) = (planted(60, 2, 0.3, 0.02), weak_belief(60, 2, 0.6));
        let rows: Vec<f32> = rows.chunks_exact(2).flat_map(|row| [row[0], row[1], 0.0]).collect();
        let params = SbmParams { prior_strength: 1000.0, ..SbmParams::new(3) }.check().unwrap();
        let mut model = Sbm::start(&params, &graph, Belief { k: 3, rows: &rows }).unwrap();
        let labels = model.labels();
        infer(&mut model, 10);
        assert_eq!(model.labels(), labels);
        let density = graph.edges() as f64 / (61.0 * 30.0);
        assert!((model.posterior.blocks().get(2, 2) - density).abs() < 1e-3, "{:?}", model.posterior.blocks());
    }

    #[test]
    fn a_start_that_does_not_fit_says_what_does_not() {
        let graph = planted(5, 2, 0.5, 0.5);
        let params = SbmParams::new(2).check().unwrap();
        let start = |k, rows: &[f32]| Sbm::start(&params, &graph, Belief { k, rows }).unwrap_err().to_string();
        assert!(start(3, &[1.0; 18]).contains("3 communities, the settings 2"));
        assert!(start(2, &[1.0; 4]).contains("2 nodes, the graph 6"));
        assert!(start(2, &[f32::NAN; 12]).contains("node 0"));
    }

    #[test]
    fn stops_early_where_allowed_and_traces_the_bound() {
        let (graph, rows) = (planted(60, 2, 0.3, 0.02), weak_belief(60, 2, 0.8));
        let params = SbmParams { stop_below: 1e-4, trace_every: 1, ..SbmParams::new(2) }.check().unwrap();
        let mut model = Sbm::start(&params, &graph, Belief { k: 2, rows: &rows }).unwrap();
        let report = model.infer(500, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        assert!(report.stopped_early && report.trace.len() == report.iterations);
        assert!(report.trace.windows(2).all(|w| w[1].log_posterior > w[0].log_posterior - 1e-2));
    }
}

mod draws {
    use crate::graph_model::proofs::{
        assert_frequencies, assert_pairs, assert_simple_and_repeatable, planted, small_case,
    };
    use crate::graph_model::sbm::{Draw, Sbm, SbmParams};
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
