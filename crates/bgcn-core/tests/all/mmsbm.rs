//! Inference of the block model as its users meet it: communities are found, nothing breaks, threads do not matter.

use bgcn_core::graph::Graph;
use bgcn_core::graph_model::HoldOut;
use bgcn_core::graph_model::mmsbm::{Ascent, BetaUpdate, Drift, FromGraph, Inference, Mmsbm, MmsbmParams, Start};
use bgcn_core::graph_model::{Belief, Fallback, HeldOut};
use bgcn_core::rng::{For, Random as _, Seed, Stream};
use bgcn_core::setting::OrAuto;

fn stream(i: u32) -> Stream {
    Seed::new(20).at(For::Lambda, [0, i, 0])
}

/// k equal communities in random order; nodes inside have `inside` links on average, and one in ten as many outside.
fn planted(n: usize, k: usize, inside: f64) -> (Graph, Vec<u32>) {
    let mut random = Seed::new(n as u64).at(For::Generate, [0; 3]).fast();
    let mut order: Vec<u32> = (0..n as u32).collect();
    random.shuffle(&mut order);
    let size = n / k;
    let mut edges = Vec::new();
    for _ in 0..(0.5 * inside * n as f64) as usize {
        let a = random.below((size * k) as u64) as usize;
        edges.push((order[a], order[a / size * size + random.below(size as u64) as usize]));
    }
    for _ in 0..(0.05 * inside * n as f64) as usize {
        edges.push((random.below(n as u64) as u32, random.below(n as u64) as u32));
    }
    let mut labels = vec![0; n];
    order.iter().enumerate().for_each(|(i, &a)| labels[a as usize] = (i / size).min(k - 1) as u32);
    (Graph::from_edges(n, &edges).unwrap(), labels)
}

/// Beliefs that name the right community for `share` of the nodes and another for the rest.
fn noisy(labels: &[u32], k: usize, share: f64) -> Vec<f32> {
    let mut random = Seed::new(9).at(For::Generate, [1, 0, 0]).fast();
    let mut rows = vec![0.4 / k as f32; labels.len() * k];
    for (row, &label) in rows.chunks_exact_mut(k).zip(labels) {
        let right = random.unit() < share;
        let named = if right { label } else { random.below(k as u64) as u32 };
        row[named as usize] += 0.6;
    }
    rows
}

/// Normalised mutual information of two labellings, by the arithmetic mean of their entropies.
fn nmi(x: &[u32], y: &[u32], k: usize) -> f64 {
    let n = x.len() as f64;
    let mut joint = vec![0.0; k * k];
    x.iter().zip(y).for_each(|(&x, &y)| joint[x as usize * k + y as usize] += 1.0 / n);
    let entropy = |p: &[f64]| -> f64 { p.iter().filter(|p| **p > 0.0).map(|p| -p * p.ln()).sum() };
    let rows: Vec<f64> = (0..k).map(|i| joint[i * k..][..k].iter().sum()).collect();
    let columns: Vec<f64> = (0..k).map(|j| (0..k).map(|i| joint[i * k + j]).sum()).collect();
    2.0 * (entropy(&rows) + entropy(&columns) - entropy(&joint)) / (entropy(&rows) + entropy(&columns))
}

fn assert_sane(model: &Mmsbm<'_>, what: &str) {
    let lambda = model.lambda();
    for a in 0..lambda.n() as u32 {
        let row = lambda.row(a);
        assert!(row.iter().all(|p| *p > 0.0 && *p <= 1.0), "{what}: node {a} is {row:?}");
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4, "{what}: node {a} is {row:?}");
    }
    assert!(lambda.beta().iter().chain([&lambda.delta()]).all(|b| *b > 0.0 && *b < 1.0), "{what}: {:?}", lambda.beta());
    assert!(model.log_posterior().is_finite(), "{what}");
}

#[test]
fn every_inference_recovers_well_separated_communities() {
    let (graph, labels) = planted(1200, 4, 20.0);
    let belief = noisy(&labels, 4, 0.6);
    let start = labels.iter().enumerate().map(|(a, _)| belief[a * 4..a * 4 + 4].to_vec());
    let first: Vec<u32> = start.map(|row| (0..4).max_by(|i, j| row[*i].total_cmp(&row[*j])).unwrap() as u32).collect();
    assert!(nmi(&first, &labels, 4) < 0.5, "the start must leave something to find");
    // Without tolerance `linear` sums over every pair, which costs more and takes as few steps as needed.
    let exact = (Inference::Linear, 0.0, 60);
    for (inference, tolerance, iterations) in Inference::ALL.map(|one| (one, 0.01, 300)).into_iter().chain([exact]) {
        let params = MmsbmParams { tolerance, phi_scale: 1.0, prior_strength: 0.5, ..MmsbmParams::alone(4, inference) };
        let params = params.check().unwrap();
        let mut model = Mmsbm::start(&params, &graph, Start::Belief(Belief { k: 4, rows: &belief })).unwrap();
        let report = model.infer(iterations, stream(0)).unwrap();
        let fallback = report.truncation.and_then(|truncation| truncation.fallback);
        assert_eq!(fallback == Some(Fallback::Exact), tolerance == 0.0, "{}: {fallback:?}", inference.name());
        let found = nmi(&model.lambda().labels(), &labels, 4);
        assert!(found > 0.95, "{}: NMI {found}", inference.name());
        assert_sane(&model, inference.name());
        // 20 links among 299 others inside; some memberships stay mixed, which raises beta a little.
        assert!(model.lambda().beta().iter().all(|b| (0.04..0.12).contains(b)), "{:?}", model.lambda().beta());
    }
}

#[test]
fn a_step_small_enough_never_lowers_the_log_posterior() {
    let (graph, labels) = planted(600, 3, 12.0);
    let belief = noisy(&labels, 3, 0.7);
    for (inference, beta, tolerance) in [
        (Inference::Linear, BetaUpdate::Em, 1.0),
        (Inference::Linear, BetaUpdate::Ascent, 1.0),
        (Inference::Linear, BetaUpdate::Em, 0.0), // the exact sum
        (Inference::Natural, BetaUpdate::Em, 1.0),
    ] {
        // Steps a tenth of the default's; the rates of the Gamma priors are not part of this posterior.
        let params =
            MmsbmParams { beta_update: beta, eps_0: 0.1, rho: 0.0, damping: 0.1, ..MmsbmParams::alone(3, inference) };
        let params = MmsbmParams { trace_every: 1, tolerance, ..params }.check().unwrap();
        let mut model = Mmsbm::start(&params, &graph, Start::Belief(Belief { k: 3, rows: &belief })).unwrap();
        let trace = model.infer(40, stream(1)).unwrap().trace;
        assert_eq!(trace.len(), 40);
        for pair in trace.windows(2) {
            let (before, after) = (pair[0].log_posterior, pair[1].log_posterior);
            // Single precision of memberships moves a sum of about 10,000 by about 1e-3.
            assert!(after > before - 2e-3, "{}, {beta:?}: {before} to {after}", inference.name());
        }
        assert!(trace[39].log_posterior > trace[0].log_posterior + 1.0);
    }
}

/// Changes of settings.
type Change = fn(MmsbmParams) -> MmsbmParams;

/// Graphs and settings at the ends of what is allowed.
fn extremes() -> Vec<(&'static str, Graph, usize, Change)> {
    let complete: Vec<_> = (0..12u32).flat_map(|a| (a + 1..12).map(move |b| (a, b))).collect();
    let complete = Graph::from_edges(12, &complete).unwrap();
    let star: Vec<_> = (1..60u32).map(|b| (0, b)).collect();
    let star = Graph::from_edges(60, &star).unwrap();
    let path = Graph::from_edges(10, &[(0, 1), (1, 2), (5, 6)]).unwrap();
    let same: Change = |params| params;
    vec![
        ("complete graph", complete.clone(), 3, same),
        ("complete graph, strong prior", complete, 3, |params| MmsbmParams { eta: 5.0, ..params }),
        ("star", star.clone(), 2, same),
        ("star, batches smaller than its hub", star, 2, |params| MmsbmParams { minibatch: 5, ..params }),
        ("no edges", Graph::empty(9), 4, same),
        ("one node", Graph::empty(1), 2, same),
        ("no nodes", Graph::empty(0), 2, same),
        ("two nodes", Graph::from_edges(2, &[(0, 1)]).unwrap(), 2, same),
        ("one community", path.clone(), 1, same),
        ("more communities than nodes", path.clone(), 40, same),
        ("isolated nodes", path.clone(), 2, same),
        ("large delta", path.clone(), 2, |params| MmsbmParams { delta: OrAuto::Fixed(0.9), ..params }),
        ("tiny delta", path.clone(), 2, |params| MmsbmParams { delta: OrAuto::Fixed(1e-300), ..params }),
        ("huge steps", path.clone(), 3, |params| MmsbmParams { eps_0: 1e4, kappa: 0.0, ..params }),
        // The EM update needs an eta of at least one.
        ("alpha and eta below one", path, 3, |params| MmsbmParams {
            alpha: 0.1,
            eta: 0.1,
            beta_update: BetaUpdate::Ascent,
            ..params
        }),
    ]
}

#[test]
fn extremes_stay_finite_under_every_inference() {
    for (name, graph, k, change) in extremes() {
        for inference in Inference::ALL {
            for drift in [Drift::Linear, Drift::Minibatch] {
                let params = change(MmsbmParams { drift, ..MmsbmParams::alone(k, inference) }).check().unwrap();
                let mut model = Mmsbm::start(&params, &graph, Start::Random(stream(2))).unwrap();
                let what = format!("{name}, {}, {drift:?}", inference.name());
                model.infer(30, stream(3)).unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_sane(&model, &what);
            }
        }
    }
}

#[test]
fn empty_communities_and_extreme_strengths_stay_finite() {
    let (graph, labels) = planted(120, 3, 8.0);
    for inference in Inference::ALL {
        let params = MmsbmParams::alone(6, inference).check().unwrap();
        let mut model = Mmsbm::start(&params, &graph, Start::Labels(&labels)).unwrap();
        model.infer(50, stream(4)).unwrap();
        assert_sane(&model, inference.name());
        for beta in [1e-9, 1.0 - 1e-9] {
            let pi: Vec<f32> = (0..120).flat_map(|a| model.lambda().row(a).to_vec()).collect();
            let lambda = bgcn_core::graph_model::mmsbm::Lambda::new(6, &pi, vec![beta; 6], 0.01).unwrap();
            let mut extreme = Mmsbm::resume(&params, &graph, lambda).unwrap();
            extreme.infer(20, stream(5)).unwrap();
            assert_sane(&extreme, inference.name());
        }
    }
}

#[test]
fn dense_communities_fall_back_and_say_so() {
    let (small, labels) = planted(60, 3, 15.0);
    let params = MmsbmParams::alone(3, Inference::Linear).check().unwrap();
    let mut model = Mmsbm::start(&params, &small, Start::Labels(&labels)).unwrap();
    let truncation = model.infer(5, stream(6)).unwrap().truncation.unwrap();
    assert_eq!(truncation.fallback, Some(Fallback::Exact));
    assert!(truncation.bound > 0.01);

    let (large, labels) = planted(3000, 100, 20.0);
    let params = MmsbmParams::alone(100, Inference::Linear).check().unwrap();
    let mut model = Mmsbm::start(&params, &large, Start::Labels(&labels)).unwrap();
    let truncation = model.infer(5, stream(6)).unwrap().truncation.unwrap();
    assert_eq!(truncation.fallback, Some(Fallback::Sampled));
    assert_sane(&model, "sampled correction");

    let (sparse, labels) = planted(3000, 3, 8.0);
    let params = MmsbmParams::alone(3, Inference::Linear).check().unwrap();
    let mut model = Mmsbm::start(&params, &sparse, Start::Labels(&labels)).unwrap();
    let truncation = model.infer(5, stream(6)).unwrap().truncation.unwrap();
    assert!(truncation.fallback.is_none() && truncation.bound < 1e-5, "{truncation:?}");
}

#[test]
fn one_thread_and_four_compute_the_same_bytes() {
    let (graph, labels) = planted(20_000, 5, 8.0);
    let run = |threads: usize, inference: Inference| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let params = MmsbmParams { trace_every: 2, ..MmsbmParams::alone(5, inference) }.check().unwrap();
            let mut model = Mmsbm::start(&params, &graph, Start::Labels(&labels)).unwrap();
            let report = model.infer(4, stream(7)).unwrap();
            (model.lambda().clone(), report)
        })
    };
    for inference in
        [Inference::Linear, Inference::Natural, Inference::Minibatch, Inference::Langevin, Inference::Variational]
    {
        assert_eq!(run(1, inference), run(4, inference), "{}", inference.name());
    }
}

#[test]
fn stopping_early_is_opt_in_and_reported() {
    let (graph, labels) = planted(600, 3, 12.0);
    let params = MmsbmParams::alone(3, Inference::Natural);
    let patient = params.clone().check().unwrap();
    let mut model = Mmsbm::start(&patient, &graph, Start::Labels(&labels)).unwrap();
    let report = model.infer(200, stream(8)).unwrap();
    assert_eq!((report.iterations, report.stopped_early), (200, false));
    let hasty = MmsbmParams { stop_below: 1e-3, ..params }.check().unwrap();
    let mut model = Mmsbm::start(&hasty, &graph, Start::Labels(&labels)).unwrap();
    let report = model.infer(200, stream(8)).unwrap();
    assert!(report.stopped_early && (2..200).contains(&report.iterations), "{}", report.iterations);
}

#[test]
fn held_out_links_become_likelier_as_communities_are_found() {
    let (graph, labels) = planted(1000, 4, 16.0);
    let HoldOut { graph, pairs } = HoldOut::draw(&graph, 0.05, Seed::new(1).at(For::HoldOut, [0; 3]));
    assert_eq!(pairs.iter().filter(|pair| pair.linked).count() * 2, pairs.len());
    assert!(pairs.iter().all(|pair| !graph.has_edge(pair.a, pair.b)));
    let params = MmsbmParams { prior_strength: 0.1, trace_every: 1, ..MmsbmParams::alone(4, Inference::Natural) }
        .check()
        .unwrap();
    let belief = noisy(&labels, 4, 0.5);
    let mut model = Mmsbm::start(&params, &graph, Start::Belief(Belief { k: 4, rows: &belief })).unwrap();
    model.watch(pairs);
    let trace = model.infer(40, stream(9)).unwrap().trace;
    let (first, last) = (trace[0].held_out.unwrap(), trace[39].held_out.unwrap());
    assert!(last.mean > first.mean + 0.2, "{first:?} to {last:?}");
    assert!((last.perplexity - (-last.mean).exp()).abs() < 1e-12);
}

/// As many communities as an LFR benchmark of 1,000 nodes has, where a mean-field update of all rows at once would make them equal.
#[test]
fn variational_inference_finds_communities_from_every_start() {
    let (graph, _) = planted(1000, 28, 13.0);
    let HoldOut { graph, pairs } = HoldOut::draw(&graph, 0.1, Seed::new(1).at(For::HoldOut, [0; 3]));
    let params = MmsbmParams { prior_strength: 0.0, ..MmsbmParams::alone(28, Inference::Variational) }.check().unwrap();
    for start in FromGraph::ALL {
        let rows = start.memberships(&graph, 28, stream(11));
        let mut model = Mmsbm::start(&params, &graph, Start::Belief(Belief { k: 28, rows: &rows })).unwrap();
        model.infer(200, stream(12)).unwrap();
        assert_sane(&model, start.name());
        let coordinate = Ascent::default().run(&graph, 28, &rows).unwrap();
        let ours = HeldOut::mean(&pairs, |a, b| model.lambda().edge_probability(a, b)).per_link;
        let theirs = HeldOut::mean(&pairs, |a, b| coordinate.edge_probability(a, b)).per_link;
        println!("{}: {ours:.3} per held-out link, coordinate ascent {theirs:.3}", start.name());
        assert!(ours > theirs - 0.15, "{}: {ours}, coordinate ascent {theirs}", start.name());
    }
}

#[test]
fn langevin_samples_spread_around_the_truth() {
    let (graph, labels) = planted(400, 2, 30.0);
    let params = MmsbmParams { burn_in: 50, iterations: 10, ..MmsbmParams::alone(2, Inference::Langevin) };
    let params = MmsbmParams { theta_scale: OrAuto::Fixed(200.0), ..params }.check().unwrap();
    let mut model = Mmsbm::start(&params, &graph, Start::Labels(&labels)).unwrap();
    let mut sample = |i: u32| {
        model.infer(if i == 0 { 60 } else { 10 }, stream(10 + i)).unwrap();
        model.lambda().clone()
    };
    let samples: Vec<_> = (0..12).map(&mut sample).collect();
    let beta: Vec<f64> = samples.iter().map(|lambda| lambda.beta()[0]).collect();
    let mean = beta.iter().sum::<f64>() / 12.0;
    // 30 links among 199 others is 0.14 before repeated links merge.
    assert!((0.10..0.20).contains(&mean), "{mean}");
    assert!(beta.windows(2).any(|pair| pair[0] != pair[1]), "a chain moves");
    assert!(samples.iter().all(|lambda| nmi(&lambda.labels(), &labels, 2) > 0.9));
}
