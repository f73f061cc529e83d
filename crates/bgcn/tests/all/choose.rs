//! `--graph-model auto` as the library has it: which graph model suits the data, without a look at a test label.

use bgcn::Checked;
use bgcn::data::generate::Generator;
use bgcn::data::{Dataset, Labels, Split, SplitKind};
use bgcn::network::{Kind, Params};
use bgcn::posterior::{Choice, ChooseBy, Error, Fit, GraphModelPlan, Plan, Task, fit};
use bgcn::rng::{For, Random as _, Seed};

fn small() -> Dataset {
    Generator::params().nodes(300).classes(3).mean_degree(8.0).check().unwrap().generate(Seed::new(4)).unwrap()
}

fn open(by: ChooseBy) -> Checked<Plan> {
    let plan = Plan::new(Kind::Gcn, GraphModelPlan::named("copying", 3).unwrap()).choose_by(by);
    plan.network(Params::new(Kind::Gcn).epochs(60)).pretraining(40).draws(20).check().unwrap()
}

fn learn(plan: &Checked<Plan>, data: &Dataset, split: &Split) -> Fit {
    fit(plan, Task { data, split, seed: Seed::new(7) }, &mut |_| {}).unwrap()
}

/// Eight labels of each class, a hundred validation nodes; a graph as small as this has none of its own.
fn split(data: &Dataset) -> Split {
    let mut split = data.split(&SplitKind::Random, 8, Seed::new(2)).unwrap();
    split.validation = split.test.split_off(split.test.len() - 100);
    split
}

fn choice(fit: &Fit) -> &Choice {
    fit.choice.as_ref().unwrap()
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
fn scrambled_test_labels_change_neither_the_choice_nor_what_is_predicted() {
    let data = small();
    let split = split(&data);
    let other = scrambled(&data, &split.test);
    for by in [ChooseBy::Links, ChooseBy::Validation, ChooseBy::Average] {
        let [one, two] = [&data, &other].map(|data| learn(&open(by), data, &split));
        assert_eq!((choice(&one), choice(&one).decided_by), (choice(&two), by));
        assert_eq!(one.predictions.classes(), two.predictions.classes());
    }
}

#[test]
fn hidden_links_alone_do_not_look_at_validation_labels_either() {
    let data = small();
    let split = split(&data);
    let other = scrambled(&data, &split.validation);
    for by in [ChooseBy::Links, ChooseBy::Average] {
        let [one, two] = [&data, &other].map(|data| learn(&open(by), data, &split));
        assert_eq!(choice(&one), choice(&two));
    }
    let by_labels = [&data, &other].map(|data| learn(&open(ChooseBy::Validation), data, &split));
    assert_ne!(choice(&by_labels[0]), choice(&by_labels[1]), "a choice by validation labels depends on them");
}

#[test]
fn the_fit_is_that_of_the_chosen_model() {
    let data = small();
    let mut split = split(&data);
    for validation in [true, false] {
        if !validation {
            split.validation.clear();
        }
        let chosen = learn(&open(ChooseBy::Validation), &data, &split);
        let choice = choice(&chosen);
        assert_eq!(choice.decided_by == ChooseBy::Validation, validation);
        assert_eq!(choice.chosen(), chosen.plan.model().name());
        let mut names: Vec<&str> = choice.candidates.iter().map(|candidate| candidate.graph_model.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["copying", "dcsbm", "mmsb", "mmsbm", "sbm"]);
        assert!(
            choice.candidates.iter().all(|c| c.held_out.is_finite() && c.below_best.0 >= 0.0 && c.below_best.1 >= 0.0)
        );
        let judged = choice.candidates.iter().filter(|candidate| candidate.validation.is_some()).count();
        assert_eq!(judged, if validation { 2 } else { 0 });
        let again = learn(&chosen.plan, &data, &split);
        assert_eq!(again.predictions.classes(), chosen.predictions.classes());
        assert!(again.choice.is_none());
    }
}

#[test]
fn an_average_mixes_the_usual_models_by_how_well_they_foresee_links() {
    let data = small();
    let split = split(&data);
    let found = learn(&open(ChooseBy::Average), &data, &split);
    let choice = choice(&found);
    let GraphModelPlan::Mixture(mixture) = found.plan.model() else { panic!("{:?}", found.plan.model()) };
    assert_eq!((choice.chosen(), choice.candidates.len()), ("mixture", 2));
    let [better, worse] = &choice.candidates[..] else { unreachable!() };
    let ratio = worse.share.unwrap() / better.share.unwrap();
    // Two links' worth of evidence.
    assert!((ratio - (-2.0 * worse.below_best.0).exp()).abs() < 1e-12, "{ratio}");
    assert!((better.share.unwrap() + worse.share.unwrap() - 1.0).abs() < 1e-12);
    let weights: Vec<(&str, f64)> = mixture.of.iter().map(|share| (share.model.name(), share.weight)).collect();
    let shares = choice.candidates.iter().map(|candidate| (&candidate.graph_model[..], candidate.share.unwrap()));
    assert_eq!(weights, shares.collect::<Vec<_>>());
    let again = learn(&found.plan, &data, &split);
    assert_eq!(again.predictions.classes(), found.predictions.classes());
}

#[test]
fn degrees_that_only_one_model_knows_of_decide_for_it() {
    // A few hubs in every class: the models without degrees find their links no likelier than others.
    let popular = Generator::params().nodes(600).classes(2).mean_degree(8.0).tail(2.1).check().unwrap();
    let data = popular.generate(Seed::new(3)).unwrap();
    let split = data.split(&SplitKind::Random, 10, Seed::new(2)).unwrap();
    let plan = Plan::new(Kind::Gcn, GraphModelPlan::named("copying", 2).unwrap()).choose_by(ChooseBy::Links);
    let found = learn(&plan.pretraining(40).draws(5).check().unwrap(), &data, &split);
    let below = |name: &str| choice(&found).candidates.iter().find(|c| c.graph_model == name).unwrap().below_best;
    assert!(["copying", "dcsbm"].contains(&choice(&found).chosen()));
    for name in ["sbm", "mmsb", "mmsbm"] {
        assert!(below(name).0 > 3.0 * below(name).1, "{name}: {:?}", below(name));
    }
}

#[test]
fn a_graph_without_edges_to_hide_is_refused_and_said() {
    let data = Dataset { graph: bgcn::graph::Graph::empty(300), truth: None, ..small() };
    let split = data.split(&SplitKind::Random, 8, Seed::new(2)).unwrap();
    let task = Task { data: &data, split: &split, seed: Seed::new(7) };
    let error = fit(&open(ChooseBy::Links), task, &mut |_| {}).unwrap_err();
    assert!(matches!(&error, Error::Data(text) if text.contains("too few edges")), "{error}");
}
