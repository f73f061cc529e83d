//! Several graph models in one fit: what a network for each of them promises.

use bgcn::Checked;
use bgcn::data::generate::Generator;
use bgcn::data::{Dataset, Split, SplitKind};
use bgcn::network::Kind;
use bgcn::posterior::{Changed, Fit, GraphModelPlan, MixturePlan, Networks, Plan, Posterior, Schedule, Task, fit};
use bgcn::rng::Seed;

fn small() -> (Dataset, Split) {
    labelled(5)
}

fn labelled(per_class: usize) -> (Dataset, Split) {
    let params = Generator::params().nodes(240).classes(3).mean_degree(6.0).check().unwrap();
    let data = params.generate(Seed::new(4)).unwrap();
    let split = data.split(&SplitKind::Random, per_class, Seed::new(1)).unwrap();
    (data, split)
}

fn plan(model: GraphModelPlan) -> Plan {
    Plan::new(Kind::Gcn, model).pretraining(40).draws(20).averaged(8).keep(3)
}

fn mixed(parts: &[(&str, f64)], networks: Networks) -> Checked<Plan> {
    let mixture = MixturePlan::of_named(parts.iter().copied(), 3).unwrap();
    plan(GraphModelPlan::Mixture(MixturePlan { networks, ..mixture })).check().unwrap()
}

fn taught(parts: &[(&str, f64)], lessons: f64) -> Checked<Plan> {
    let mixture = MixturePlan::of_named(parts.iter().copied(), 3).unwrap();
    plan(GraphModelPlan::Mixture(MixturePlan { lessons, ..mixture })).check().unwrap()
}

fn alone(name: &str) -> Checked<Plan> {
    plan(GraphModelPlan::named(name, 3).unwrap()).check().unwrap()
}

fn learn(plan: &Checked<Plan>, (data, split): &(Dataset, Split)) -> Fit {
    fit(plan, Task { data, split, seed: Seed::new(3) }, &mut |_| {}).unwrap()
}

fn classes(fit: &Fit) -> &Posterior {
    fit.predictions.classes().unwrap()
}

/// What the fit predicts on the graph it has seen, by the weights it has kept.
fn applied(fit: &Fit, data: &Dataset) -> Posterior {
    let to = Changed { graph: &data.graph, features: &data.features, seed: Seed::new(3) };
    fit.learned.apply(&fit.plan, to, &mut |_| {}).unwrap().classes().unwrap().clone()
}

fn farthest(one: &Posterior, other: &Posterior) -> f32 {
    let pairs = one.probabilities.iter().zip(&other.probabilities);
    pairs.map(|(p, q)| (p - q).abs()).fold(0.0, f32::max)
}

#[test]
fn a_mixture_of_one_model_is_that_model() {
    // With few labels, and with enough for lessons.
    for task in [small(), labelled(10)] {
        let (single, mixture) =
            (learn(&alone("copying"), &task), learn(&mixed(&[("copying", 0.2)], Networks::Each), &task));
        assert_eq!(classes(&mixture), classes(&single));
        assert_eq!(mixture.learned, single.learned);
        assert_eq!(applied(&mixture, &task.0), applied(&single, &task.0));
    }
}

#[test]
fn a_share_of_nearly_nothing_says_nearly_nothing() {
    let task = small();
    let single = learn(&alone("copying"), &task);
    for other in ["mmsbm", "sbm"] {
        // Lessons of no weight would still widen the steps, and with them what dropout drops.
        let found = learn(&taught(&[("copying", 1.0), (other, 1e-12)], 0.0), &task);
        assert!(farthest(classes(&found), classes(&single)) < 1e-5, "{other}");
        assert!(farthest(&applied(&found, &task.0), &applied(&single, &task.0)) < 1e-5, "{other}");
        assert_eq!(classes(&found).draws, 2 * classes(&single).draws);
    }
}

#[test]
fn each_network_has_its_own_model_and_its_own_weights() {
    let task = small();
    let parts = [("copying", 0.6), ("mmsbm", 0.4)];
    let found = learn(&mixed(&parts, Networks::Each), &task);
    // Three rounds of the two networks that were kept, all different.
    assert_eq!(found.learned.weights.len(), 6);
    assert!((0..6).all(|i| found.learned.weights[..i].iter().all(|other| *other != found.learned.weights[i])));
    // One for all has a single chain, and learns something else for less.
    let one = learn(&mixed(&parts, Networks::One), &task);
    assert_eq!((one.learned.weights.len(), classes(&one).draws), (3, 8));
    assert!(farthest(classes(&one), classes(&found)) > 1e-3);
    // Kept weights see as many graphs as the mean did.
    assert_eq!([applied(&found, &task.0).draws, applied(&one, &task.0).draws], [16, 8]);
}

#[test]
fn lessons_need_somebody_to_learn_from_and_ten_labels_of_a_class() {
    let (few, task) = (labelled(9), labelled(10));
    let parts = [("copying", 0.6), ("mmsbm", 0.4)];
    let of = |lessons: f64, networks: Networks, task: &(Dataset, Split)| {
        let GraphModelPlan::Mixture(mixture) = taught(&parts, lessons).model().clone() else { unreachable!() };
        learn(&plan(GraphModelPlan::Mixture(MixturePlan { networks, ..mixture })).check().unwrap(), task).learned
    };
    assert_eq!(of(0.0, Networks::One, &task), of(8.0, Networks::One, &task));
    assert_ne!(of(0.0, Networks::Each, &task), of(8.0, Networks::Each, &task));
    assert_eq!(of(0.0, Networks::Each, &few), of(8.0, Networks::Each, &few));
}

#[test]
fn lessons_are_the_same_bytes_whatever_the_number_of_threads() {
    let task = labelled(10);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| learn(&taught(&[("copying", 0.6), ("mmsbm", 0.4)], 8.0), &task).learned)
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn weights_of_one_network_do_not_pass_for_those_of_two() {
    let task = small();
    let one = learn(&alone("copying"), &task);
    let two = mixed(&[("copying", 0.6), ("mmsbm", 0.4)], Networks::Each);
    let to = Changed { graph: &task.0.graph, features: &task.0.features, seed: Seed::new(3) };
    let error = one.learned.apply(&two, to, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("3 kept weights") && error.contains("2 networks"), "{error}");
}

#[test]
fn where_every_draw_has_its_own_networks_a_mixture_picks_the_model() {
    let task = small();
    let mixture = GraphModelPlan::named("mixture", 3).unwrap();
    let plan = Plan::new(Kind::Gcn, mixture).schedule(Schedule::Paper).pretraining(40).draws(4).samples(2);
    let found = learn(&plan.graph_epochs(4).check().unwrap(), &task);
    assert_eq!(classes(&found).draws, 8);
    assert_eq!(applied(&found, &task.0).draws, 4);
}

#[test]
fn settings_from_before_there_was_a_choice_have_one_network_and_no_lessons() {
    let GraphModelPlan::Mixture(usual) = GraphModelPlan::named("mixture", 3).unwrap() else { unreachable!() };
    let mut saved = serde_json::to_value(&usual).unwrap();
    assert_eq!(saved.as_object_mut().unwrap().remove("networks"), Some("each".into()));
    assert_eq!(saved.as_object_mut().unwrap().remove("lessons"), Some(8.0.into()));
    let read: MixturePlan = serde_json::from_value(saved).unwrap();
    assert_eq!(read, MixturePlan { networks: Networks::One, lessons: 0.0, ..usual });
}
