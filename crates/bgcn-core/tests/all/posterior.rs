//! The estimator as its users call it: what a fit promises, whatever the network and the graph model.

use bgcn_core::data::generate::Generator;
use bgcn_core::data::{Dataset, DenseRows, Features, Labels, NodeIds, SparseRows, Split, SplitKind, demo};
use bgcn_core::graph::Graph;
use bgcn_core::graph_model::mmsbm::Lambda;
use bgcn_core::graph_model::registry;
use bgcn_core::metrics::{Judged, area_under_roc, judge_values};
use bgcn_core::network::Kind;
use bgcn_core::posterior::{Changed, Fit, NoiseFrom, Phase, Posterior, Predictions, Progress};
use bgcn_core::recipe::{Plan, Preset, ScheduleKind};
use bgcn_core::rng::{For, Random as _, Seed};
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

fn small() -> Dataset {
    Generator { nodes: 240, classes: 3, mean_degree: 6.0, ..Generator::default() }.generate(Seed::new(4)).unwrap()
}

fn few_labels(data: &Dataset, seed: u64) -> Split {
    let mut split = data.split(&SplitKind::Random, 5, Seed::new(seed)).unwrap();
    split.validation.clear();
    split
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn learn(plan: &Plan, data: &Dataset, split: &Split, seed: u64) -> Fit {
    plan.clone().seed(seed).fit_split(data, split, &go_on).unwrap()
}

fn accuracy(posterior: &Posterior, data: &Dataset, split: &Split) -> f64 {
    Judged::new(&posterior.probabilities, posterior.classes, &data.labels, &split.test).scores().unwrap().accuracy
}

fn plain() -> Plan {
    Plan::new().graph_model("observed")
}

fn bayesian() -> Plan {
    Plan::new().graph_model("mmsbm")
}

/// A short fit by the published schedule.
fn short(plan: Plan, pretraining: usize, draws: usize) -> Plan {
    plan.set("schedule.pretraining", pretraining).set("schedule.draws", draws)
}

/// A short fit by Algorithm 1.
fn algorithm1(plan: Plan, draws: usize) -> Plan {
    let plan = short(plan.schedule(ScheduleKind::Algorithm1), 40, draws).set("network.epochs", 20);
    plan.set("schedule.samples", 2).set("schedule.graph_epochs", 4)
}

fn sampled(how: &str, draws: usize) -> Plan {
    algorithm1(bayesian(), draws).set("mmsbm.iterations", 5).set("schedule.weight_sampling", how)
}

const SAMPLINGS: [&str; 4] = ["masks", "retrain", "sgld", "restarts"];

#[test]
fn the_mean_of_one_draw_has_no_model_uncertainty() {
    let data = small();
    let plan = short(bayesian(), 30, 4).set("schedule.averaged", 1);
    let found = learn(&plan, &data, &few_labels(&data, 1), 7);
    let posterior = found.predictions.classes().unwrap();
    assert_eq!(posterior.draws, 1);
    assert!(posterior.mutual_information.iter().all(|&i| i < 1e-6));
    assert!(posterior.disagreement.iter().chain(&posterior.variance).all(|&d| d == 0.0));
    for a in 0..240 {
        assert!((posterior.row(a).iter().sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_on_one_thread_and_on_four() {
    let data = small();
    let split = few_labels(&data, 1);
    let with = |threads: usize, plan: &Plan, seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(plan, &data, &split, seed))
    };
    for plan in SAMPLINGS.map(|how| sampled(how, 10)).into_iter().chain([short(bayesian(), 30, 25)]) {
        let (one, four, other) = (with(1, &plan, 3), with(4, &plan, 3), with(1, &plan, 4));
        assert_eq!(one.predictions, four.predictions);
        assert_eq!((&one.learned, &one.lambdas), (&four.learned, &four.lambdas));
        assert_ne!(one.predictions, other.predictions);
    }
}

#[test]
fn every_weight_sampling_learns_and_its_samples_differ() {
    let data = small();
    let split = few_labels(&data, 1);
    for how in SAMPLINGS {
        let found = learn(&sampled(how, 6), &data, &split, 3);
        let posterior = found.predictions.classes().unwrap();
        assert_eq!((posterior.draws, found.inferences.len()), (12, 6));
        assert!(accuracy(posterior, &data, &split) > 0.6, "{how}");
        assert!(posterior.mutual_information.iter().sum::<f32>() > 0.0, "{how}");
    }
}

#[test]
fn every_graph_model_learns_classes_and_numbers() {
    let data = small();
    let split = few_labels(&data, 1);
    let numbers = Labels::Values((0..240).map(|a| data.labels.class(a).map(|class| class as f32 + 0.25)).collect());
    let numbers = Dataset { labels: numbers, ..data.clone() };
    for name in registry::ALL.iter().map(|entry| entry.name) {
        let plan = Plan::new().graph_model(name);
        let plan = if name == "observed" { plan } else { short(plan, 80, 20) };
        let found = learn(&plan, &data, &split, 3);
        assert!(accuracy(found.predictions.classes().unwrap(), &data, &split) > 0.6, "{name}");
        assert!(found.lambdas.iter().map(|(name, _)| *name).eq([name].into_iter().filter(|name| *name != "observed")));
        assert_eq!(found.beliefs.map_or(0, |beliefs| beliefs.inferences()), found.inferences.len());
        assert!(learn(&plan, &numbers, &split, 3).predictions.values().is_some(), "{name}");
        let changed = Changed { graph: &data.graph, features: &data.features, feature_names: &[], seed: Seed::new(3) };
        assert!(found.learned.apply(changed, &go_on).unwrap().classes().is_some(), "{name}");
    }
}

#[test]
fn several_lambdas_of_copying_are_several_classes() {
    let data = small();
    let plan = algorithm1(Plan::new().graph_model("copying").set("copying.assignment", "sampled"), 2);
    let found = learn(&plan.set("schedule.lambdas", 3), &data, &few_labels(&data, 1), 3);
    assert_eq!((found.inferences.len(), found.predictions.classes().unwrap().draws), (3, 12));
}

#[test]
fn every_network_learns_with_the_block_model() {
    let data = small();
    let mut split = data.split(&SplitKind::Random, 20, Seed::new(1)).unwrap();
    split.validation.clear();
    for kind in Kind::ALL {
        let found = learn(&short(bayesian().network(kind), 200, 20), &data, &split, 3);
        let found = accuracy(found.predictions.classes().unwrap(), &data, &split);
        assert!(found > 0.7, "{}: {found}", kind.name()); // chance is 0.33
    }
}

#[test]
fn observed_edges_that_are_kept_change_what_is_learned() {
    let data = small();
    let split = few_labels(&data, 1);
    let learn = |edges| learn(&short(bayesian(), 40, 10).set("mmsbm.observed_edges", edges), &data, &split, 3);
    let (kept, redrawn) = (learn("kept"), learn("redrawn"));
    assert_ne!(kept.predictions, redrawn.predictions);
    // Both began alike: the same pretraining, the same first inference.
    assert_eq!(kept.inferences[0], redrawn.inferences[0]);
}

#[test]
fn weights_alone_can_be_sampled_on_the_observed_graph() {
    let data = small();
    let plan = short(plain().schedule(ScheduleKind::Algorithm1), 60, 2).set("schedule.samples", 5);
    let found = learn(&plan, &data, &few_labels(&data, 1), 3);
    assert_eq!(found.predictions.classes().unwrap().draws, 10);
    assert!(found.lambdas.is_empty());
}

// Over eight splits of the built-in set the difference is 2.8 ± 0.7 points, so its mean over five has a standard error
// of 0.3: a gain below one point is no chance event.
#[test]
fn on_the_demo_averaging_over_graphs_is_better_and_finds_spurious_edges() {
    let data = demo();
    let spurious: HashSet<(u32, u32)> = data.truth.as_ref().unwrap().spurious.iter().copied().collect();
    let mut gain = 0.0;
    for seed in 0..5 {
        let split = few_labels(&data, seed);
        let found = learn(&bayesian(), &data, &split, seed);
        let alone = learn(&plain(), &data, &split, seed);
        let accuracy = |fit: &Fit| accuracy(fit.predictions.classes().unwrap(), &data, &split);
        gain += (accuracy(&found) - accuracy(&alone)) / 5.0;
        let beliefs = found.beliefs.as_ref().unwrap();
        let suspicion = |(a, b)| (-beliefs.edge_probability(a, b), spurious.contains(&(a, b)));
        let auroc = area_under_roc(&data.graph.edge_list().map(suspicion).collect::<Vec<_>>()).unwrap();
        // 820 spurious of 8,200 edges: chance is 0.5 ± 0.01.
        assert!(auroc > 0.6, "spurious edges: area under the curve {auroc}");
    }
    assert!(gain > 0.01, "accuracy changed by {gain}");
}

#[test]
fn a_learned_posterior_applies_to_the_same_graph_a_changed_one_and_new_nodes() {
    let data = small();
    let found = learn(&bayesian(), &data, &few_labels(&data, 1), 7);
    let first = found.predictions.classes().unwrap();
    let apply = |graph: &Graph, features: &Features| {
        let to = Changed { graph, features, feature_names: &[], seed: Seed::new(7) };
        found.learned.apply(to, &go_on)
    };
    let again = apply(&data.graph, &data.features).unwrap();
    let again = again.classes().unwrap();
    let same = (0..240).filter(|&a| first.prediction(a) == again.prediction(a)).count();
    assert!(same > 220, "{same} of 240 nodes keep their class");

    // A twin of node 0: its words, its neighbours.
    let Features::Sparse(rows) = &data.features else { unreachable!() };
    let mut more = rows.clone();
    let (columns, values) = rows.row(0);
    more.push_row(&mut columns.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>());
    let mut edges: Vec<(u32, u32)> = data.graph.edge_list().collect();
    edges.extend(data.graph.neighbours(0).iter().map(|&b| (b, 240)));
    let grown = Graph::from_edges(241, &edges).unwrap();
    let grown = apply(&grown, &Features::Sparse(more)).unwrap();
    let grown = grown.classes().unwrap();
    assert_eq!((grown.nodes(), grown.prediction(240)), (241, grown.prediction(0)));

    let narrow = apply(&data.graph, &Features::Dense(DenseRows { columns: 2, values: vec![1.0; 480] }));
    assert!(narrow.unwrap_err().to_string().contains("2 columns"));
    let fewer = apply(&data.graph, &Features::Sparse(SparseRows::new(3))).unwrap_err();
    assert!(fewer.to_string().contains("240 nodes") && fewer.is_input());
}

#[test]
fn new_nodes_without_features_are_refused_with_the_reason() {
    let mut data = small();
    data.features = Features::Identity(240);
    let found = learn(&plain(), &data, &few_labels(&data, 1), 7);
    let to = Changed {
        graph: &Graph::empty(241),
        features: &Features::Identity(241),
        feature_names: &[],
        seed: Seed::new(7),
    };
    let error = found.learned.apply(to, &go_on).unwrap_err().to_string();
    assert!(error.contains("without features"), "{error}");
}

/// Numbers that depend on the topic, with noise of variance 4.
fn numbers(data: &mut Dataset) {
    let mut random = Seed::new(11).at(For::Generate, [9, 0, 0]);
    let of = (0..data.nodes() as u32).map(|a| {
        let topic = f64::from(data.labels.class(a).unwrap());
        Some((100.0 + 10.0 * topic + 2.0 * random.normal()) as f32)
    });
    data.labels = Labels::Values(of.collect());
}

#[test]
fn numbers_are_predicted_with_a_calibrated_spread() {
    let mut data = small();
    numbers(&mut data);
    let Labels::Values(of) = &data.labels else { unreachable!() };
    for (from, plan) in [
        (NoiseFrom::Validation, bayesian().set("mmsbm.communities", 4)),
        (NoiseFrom::CrossValidation, bayesian()),
        (NoiseFrom::CrossValidation, plain()),
    ] {
        // Every third of the other nodes validates once, so that easy and hard ones are on both sides.
        let mut covered = 0.0;
        for third in 1..4u32 {
            let (validates, tests): (Vec<u32>, Vec<u32>) = (60..240).partition(|a| a / 60 == third);
            let validation = if from == NoiseFrom::Validation { validates } else { Vec::new() };
            let split = Split { train: (0..60).collect(), validation, test: tests };
            let found = learn(&plan, &data, &split, 5);
            let Predictions::Values(values) = &found.predictions else { panic!("numbers were asked for") };
            assert_eq!(values.noise_from, from);
            let judge = |a: &u32| (values.mean[*a as usize], values.variance(*a), f64::from(of[*a as usize].unwrap()));
            let scores = judge_values(&split.test.iter().map(judge).collect::<Vec<_>>()).unwrap();
            // The standard deviation of the labels is 8.4; the noise alone is 2.
            assert!(scores.rmse < 6.5, "{from:?}: {scores:?}");
            covered += scores.coverage_90 / 3.0;
            let to = Changed { graph: &data.graph, features: &data.features, feature_names: &[], seed: Seed::new(5) };
            let again = found.learned.apply(to, &go_on).unwrap();
            let again = again.values().unwrap();
            let moved = (0..240).map(|a| (values.mean[a] - again.mean[a]).powi(2)).sum::<f64>() / 240.0;
            assert!(moved < values.noise, "predictions moved by {}", moved.sqrt());
        }
        // 90 % of 180 nodes: 0.9 ± 0.022 if they were independent. Intervals half as wide again would hold 0.986.
        assert!((0.78..0.97).contains(&covered), "{from:?}: {covered}");
    }
}

#[test]
fn progress_counts_every_phase_to_its_end() {
    let data = small();
    let seen = Mutex::new(Vec::new());
    let watch = |progress: Progress| {
        seen.lock().unwrap().push(progress);
        ControlFlow::Continue(())
    };
    short(bayesian(), 12, 9).fit_split(&data, &few_labels(&data, 1), &watch).unwrap();
    let seen = seen.into_inner().unwrap();
    for (phase, total) in [(Phase::Pretraining, 12), (Phase::Inference, 2), (Phase::Draws, 9)] {
        let last = seen.iter().rev().find(|progress| progress.phase == phase).unwrap();
        assert_eq!((last.done, last.total), (total, total), "{phase:?}");
    }
}

#[test]
fn data_that_cannot_be_learned_from_are_refused_with_the_reason() {
    let data = small();
    let split = few_labels(&data, 1);
    let error = |plan: Plan, data: &Dataset, split: &Split| {
        let error = plan.fit_split(data, split, &go_on).unwrap_err();
        assert!(error.is_input());
        error.to_string()
    };
    let wrong = error(bayesian().set("mmsbm.communities", 5), &data, &split);
    assert!(wrong.contains("mmsbm.communities is 5") && wrong.contains("3 classes"), "{wrong}");
    assert!(error(plain(), &data, &Split::default()).contains("empty"));
    let unlabelled = Dataset { labels: Labels::none(240), ids: NodeIds::Numbered(240), ..data.clone() };
    for plan in [plain(), bayesian()] {
        let wrong = error(plan, &unlabelled, &split);
        assert!(wrong.contains("0 classes") && !wrong.contains("setting"), "{wrong}");
    }
}

#[test]
fn lambda_and_beliefs_tell_of_all_nodes() {
    let data = small();
    let found = learn(&bayesian(), &data, &few_labels(&data, 1), 7);
    let lambda = Lambda::try_from(&found.lambdas[0].1).unwrap();
    assert_eq!((found.lambdas.len(), lambda.n(), lambda.k()), (1, 240, 3));
    assert_eq!(found.beliefs.as_ref().unwrap().inferences(), found.inferences.len());
    assert_eq!(found.inferences.len(), 16); // epochs 201, 210, …, 350
    let published = learn(&Plan::new().preset(Preset::Published), &data, &few_labels(&data, 1), 7);
    assert_eq!(published.inferences.len(), 5); // epochs 201, 220, 240, 260, 280
    assert_eq!(published.predictions.classes().unwrap().draws, 59);
}
