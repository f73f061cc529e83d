//! Several graph models in one fit: how they are weighted, and what a network for each of them promises.

use bgcn_core::Error;
use bgcn_core::data::generate::Generator;
use bgcn_core::data::{Dataset, Labels, Split, SplitKind};
use bgcn_core::graph::Graph;
use bgcn_core::posterior::{Changed, Fit, ModelWeights, Posterior, Progress};
use bgcn_core::recipe::{Plan, ScheduleKind};
use bgcn_core::rng::{For, Random as _, Seed};
use std::ops::ControlFlow;

fn small() -> Dataset {
    Generator { nodes: 300, classes: 3, mean_degree: 8.0, ..Generator::default() }.generate(Seed::new(4)).unwrap()
}

/// Eight labels of each class, a hundred validation nodes; a graph as small as this has none of its own.
fn split(data: &Dataset) -> Split {
    let mut split = data.split(&SplitKind::Random, 8, Seed::new(2)).unwrap();
    split.validation = split.test.split_off(split.test.len() - 100);
    split
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn plan(model: &str) -> Plan {
    let plan = Plan::new().seed(7).graph_model(model).set("schedule.pretraining", 40).set("schedule.draws", 20);
    plan.set("schedule.averaged", 8).set("schedule.keep", 3)
}

fn learn(plan: &Plan, data: &Dataset) -> Fit {
    plan.fit_split(data, &split(data), &go_on).unwrap()
}

fn classes(fit: &Fit) -> &Posterior {
    fit.predictions.classes().unwrap()
}

/// What the fit predicts on the graph it has seen, by the weights it has kept.
fn applied(fit: &Fit, data: &Dataset) -> Posterior {
    let to = Changed { graph: &data.graph, features: &data.features, feature_names: &[], seed: Seed::new(7) };
    fit.learned.apply(to, &go_on).unwrap().classes().unwrap().clone()
}

fn farthest(one: &Posterior, other: &Posterior) -> f32 {
    let pairs = one.probabilities.iter().zip(&other.probabilities);
    pairs.map(|(p, q)| (p - q).abs()).fold(0.0, f32::max)
}

/// The labels of these nodes among them in another order.
fn scrambled(data: &Dataset, nodes: &[u32]) -> Dataset {
    let Labels::Classes { names, of } = data.labels.clone() else { panic!("classes are generated") };
    let mut random = Seed::new(11).at(For::Generate, [0; 3]);
    let mut moved = nodes.to_vec();
    random.shuffle(&mut moved);
    let mut labels = of.clone();
    for (&to, &from) in nodes.iter().zip(&moved) {
        labels[to as usize] = of[from as usize];
    }
    assert_ne!(labels, of);
    Dataset { labels: Labels::Classes { names, of: labels }, ..data.clone() }
}

#[test]
fn neither_weights_nor_predictions_depend_on_test_and_validation_labels() {
    let data = small();
    let Split { validation, test, .. } = split(&data);
    let wanted = learn(&plan("auto"), &data);
    for nodes in [test, validation] {
        let other = scrambled(&data, &nodes);
        // The same nodes are split off: only their labels moved.
        let found = plan("auto").fit_split(&other, &split(&data), &go_on).unwrap();
        assert_eq!(found.weights, wanted.weights);
        assert_eq!(found.predictions, wanted.predictions);
    }
}

#[test]
fn weights_are_the_prior_times_the_evidence_of_the_held_out_links() {
    let data = small();
    let of = |plan: Plan| {
        let found = learn(&plan, &data);
        let ModelWeights { links, models } = found.weights.unwrap();
        assert_eq!(links, (0.1 * data.graph.edges() as f64).round() as usize);
        assert!(models.iter().all(|m| m.held_out.is_finite() && m.below_best.0 >= 0.0 && m.below_best.1 >= 0.0));
        assert!(models.iter().map(|m| &m.graph_model[..]).eq(["copying", "mmsbm"]));
        assert_eq!(found.learned.shares, models.iter().map(|m| m.weight).collect::<Vec<_>>());
        assert!((models[0].weight + models[1].weight - 1.0).abs() < 1e-12);
        (models[0].weight / models[1].weight, models[0].held_out - models[1].held_out)
    };
    let (ratio, difference) = of(plan("auto"));
    // Two links' worth of evidence.
    assert!((ratio / (2.0 * difference).exp() - 1.0).abs() < 1e-9, "{ratio}");
    let (ratio, same) = of(plan("auto").set("average.evidence", 0.5).set("copying.weight", 3.0));
    assert!(same == difference && (ratio / (3.0 * (0.5 * difference).exp()) - 1.0).abs() < 1e-9, "{ratio}");
}

#[test]
fn without_evidence_the_weights_are_those_given_and_no_link_is_hidden() {
    let data = small();
    let given = |copying: f64, mmsbm: f64| {
        let plan = plan("copying+mmsbm").set("average.evidence", 0).set("copying.weight", copying);
        learn(&plan.set("mmsbm.weight", mmsbm), &data)
    };
    let found = given(3.0, 1.0);
    assert_eq!((found.weights, found.learned.shares), (None, vec![0.75, 0.25]));
    assert_eq!(given(6.0, 2.0).predictions, found.predictions);
    assert_ne!(given(1.0, 3.0).predictions, found.predictions);
}

#[test]
fn a_weight_of_nearly_nothing_counts_nearly_nothing() {
    let data = small();
    let single = learn(&plan("copying"), &data);
    for other in ["mmsbm", "sbm"] {
        let plan = plan(&format!("copying+{other}")).set("average.evidence", 0);
        let found = learn(&plan.set(&format!("{other}.weight"), 1e-12), &data);
        assert!(farthest(classes(&found), classes(&single)) < 1e-5, "{other}");
        assert!(farthest(&applied(&found, &data), &applied(&single, &data)) < 1e-5, "{other}");
        assert_eq!(classes(&found).draws, 2 * classes(&single).draws);
    }
}

#[test]
fn an_average_is_the_same_bytes_whatever_the_number_of_threads() {
    let data = small();
    for plan in [plan("auto"), algorithm1("auto")] {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found = pool.install(|| learn(&plan, &data));
            (found.learned.to_bytes(), found.predictions, found.weights)
        };
        assert!(on(1) == on(3));
    }
}

fn algorithm1(model: &str) -> Plan {
    let plan = Plan::new().seed(7).graph_model(model).schedule(ScheduleKind::Algorithm1);
    let plan = plan.set("schedule.pretraining", 40).set("schedule.draws", 4).set("schedule.samples", 2);
    plan.set("schedule.graph_epochs", 4)
}

#[test]
fn where_every_draw_has_its_own_networks_each_model_has_all_draws() {
    let data = small();
    let found = learn(&algorithm1("auto"), &data);
    assert_eq!((classes(&found).draws, applied(&found, &data).draws), (16, 8));
    assert!(found.lambdas.iter().map(|(name, _)| *name).eq(["copying", "mmsbm"]));
}

#[test]
fn each_model_keeps_observed_edges_or_not_by_its_own_setting() {
    let data = small();
    let with = |copying, mmsbm| {
        let plan = plan("auto").set("copying.observed_edges", copying).set("mmsbm.observed_edges", mmsbm);
        learn(&plan, &data).predictions
    };
    let all = [with("kept", "redrawn"), with("kept", "kept"), with("redrawn", "redrawn")];
    assert!(all[0] != all[1] && all[0] != all[2] && all[1] != all[2]);
    assert_eq!(learn(&plan("auto"), &data).predictions, all[0]);
}

#[test]
fn a_model_of_the_degrees_predicts_the_links_of_hubs_best() {
    // A few hubs in every class: the models without degrees find their links no likelier than others.
    let popular = Generator { nodes: 600, classes: 2, mean_degree: 8.0, tail: 2.1, ..Generator::default() };
    let data = popular.generate(Seed::new(3)).unwrap();
    let split = data.split(&SplitKind::Random, 10, Seed::new(2)).unwrap();
    let plan = plan("copying+dcsbm+sbm+mmsb+mmsbm").set("schedule.draws", 8);
    let weights = plan.fit_split(&data, &split, &go_on).unwrap().weights.unwrap();
    let of = |name: &str| weights.models.iter().find(|model| model.graph_model == name).unwrap();
    let best = weights.models.iter().find(|model| model.below_best.0 == 0.0).unwrap();
    assert!(["copying", "dcsbm"].contains(&&best.graph_model[..]), "{weights:?}");
    for name in ["sbm", "mmsb", "mmsbm"] {
        let (below, error) = of(name).below_best;
        assert!(below > 3.0 * error && of(name).weight < best.weight, "{name}: {weights:?}");
    }
}

#[test]
fn a_graph_with_too_few_edges_to_hide_is_refused_and_the_ways_out_work() {
    let data = Dataset { graph: Graph::empty(300), truth: None, ..small() };
    let error = plan("auto").fit_split(&data, &split(&data), &go_on).unwrap_err();
    let Error::Request(text) = &error else { panic!("{error}") };
    assert!(["too few edges", "name one graph model", "average.evidence to 0"].iter().all(|part| text.contains(part)));
    assert!(learn(&plan("auto").set("average.evidence", 0), &data).weights.is_none());
    assert!(learn(&plan("copying"), &data).weights.is_none());
}
