//! Plans and recipes by key.

use super::{Plan, Preset, Recipe, ScheduleKind, schema};
use crate::Error;
use crate::data::generate::Generator;
use crate::data::{Dataset, DenseRows, Features, Labels, SparseRows, Split, SplitKind};
use crate::graph_model::registry;
use crate::network::Kind;
use crate::rng::Seed;
use crate::setting::Range;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Three classes, and fewer neighbours than copying wants.
fn data() -> (Dataset, Split) {
    let params = Generator { nodes: 90, classes: 3, mean_degree: 3.0, ..Generator::default() };
    let data = params.generate(Seed::new(4)).unwrap();
    let split = data.split(&SplitKind::Random, 5, Seed::new(1)).unwrap();
    (data, split)
}

fn algorithm1(model: &str) -> Plan {
    Plan::new().graph_model(model).schedule(ScheduleKind::Algorithm1)
}

/// Every network with every graph model, and with several, by every schedule; models whose λ are samples, and the
/// authors' method.
fn plans() -> Vec<Plan> {
    let models = || registry::ALL.iter().map(|entry| entry.name).chain(["auto", "mmsb+sbm+dcsbm"]);
    let schedules = [ScheduleKind::Published, ScheduleKind::Algorithm1];
    let of = |kind| {
        models().flat_map(move |model| schedules.map(|s| Plan::new().network(kind).graph_model(model).schedule(s)))
    };
    let sampled = [
        algorithm1("mmsbm").set("mmsbm.inference", "langevin"),
        algorithm1("copying").set("copying.assignment", "sampled"),
        Plan::new().preset(Preset::Published),
    ];
    Kind::ALL.into_iter().flat_map(of).chain(sampled).collect()
}

fn ranges() -> BTreeMap<String, &'static Range> {
    schema().into_iter().map(|documented| (documented.key, &documented.setting.range)).collect()
}

fn keys() -> BTreeSet<String> {
    ranges().into_keys().collect()
}

fn why(plan: Plan) -> String {
    plan.defaults().unwrap_err().to_string()
}

#[test]
fn a_recipe_comes_back_from_its_settings() {
    let (data, _) = data();
    let (known, mut seen) = (keys(), BTreeSet::new());
    for plan in plans() {
        let recipe = plan.resolve(&data).unwrap();
        for recipe in [recipe.plain(), recipe] {
            let settings = recipe.settings();
            assert_eq!(Recipe::of_settings(&settings).unwrap(), recipe);
            // Files hold text.
            let text = recipe.canonical();
            assert_eq!(Recipe::of_settings(&serde_json::from_str(&text).unwrap()).unwrap().canonical(), text);
            seen.extend(settings.into_keys());
        }
    }
    assert_eq!(seen, known, "a recipe has what the schema lists, and some recipe has each");
}

#[test]
fn a_saved_recipe_lacks_nothing() {
    let settings = Plan::new().defaults().unwrap().settings();
    for key in settings.keys() {
        let mut less = settings.clone();
        less.remove(key);
        let error = Recipe::of_settings(&less).unwrap_err().to_string();
        let unnamed = ["graph_model", "network.kind", "schedule.kind"].contains(&&key[..]);
        assert!(error.contains(key) && (unnamed || error.contains("missing")), "{error}");
    }
}

#[test]
fn a_plain_network_is_the_same_whatever_it_is_compared_with() {
    let plain = Plan::new().graph_model("observed").set("network.hidden", 9).defaults().unwrap();
    for plan in [Plan::new().set("schedule.draws", 7), Plan::new().graph_model("auto"), algorithm1("mmsbm")] {
        assert_eq!(plan.set("network.hidden", 9).defaults().unwrap().plain(), plain);
    }
}

/// Other values that the setting may have.
fn others(key: &str, range: &Range, value: &Value) -> Vec<Value> {
    let others: Vec<Value> = match *range {
        _ if key == "graph_model" => registry::ALL.iter().map(|entry| json!(entry.name)).collect(),
        Range::Word(words) => words.iter().map(|word| json!(word)).collect(),
        Range::Or(word, range) => [others(key, range, value), vec![json!(word)]].concat(),
        Range::Count(..) => {
            let n = value.as_u64().unwrap_or(1);
            vec![json!(n + 1), json!(n.saturating_sub(1))]
        }
        Range::Number(..) | Range::Above(..) | Range::Below(..) => {
            let x = value.as_f64().unwrap_or(0.25);
            vec![json!(x + 0.25), json!(x / 2.0)]
        }
    };
    others.into_iter().filter(|other| other != value && (key == "graph_model" || range.contains(other))).collect()
}

#[test]
fn every_setting_changed_is_another_hash() {
    let (ranges, mut changed) = (ranges(), BTreeSet::new());
    for plan in plans() {
        let recipe = plan.defaults().unwrap();
        for (key, value) in recipe.settings() {
            for other in others(&key, ranges[&key], &value) {
                // Not every value goes with the others: a second λ must be a sample, say.
                let Ok(found) = plan.clone().set(&key, other.clone()).defaults() else { continue };
                assert_ne!(found.hash(), recipe.hash(), "{key} = {other}");
                changed.insert(key.clone());
            }
        }
    }
    assert_eq!(changed, keys());
}

#[test]
fn the_same_recipe_has_the_same_hash_however_it_was_given() {
    let hash = |plan: Plan| plan.defaults().unwrap().hash();
    let auto = |name| Plan::new().graph_model(name).set("average.evidence", 0).set("copying.weight", 3);
    let text = "copying.weight = 3.0";
    let again = Plan::new().set("graph_model", "auto").set_text("average.evidence=0").unwrap().set_text(text).unwrap();
    assert_eq!([hash(auto("auto")), hash(auto("copying+mmsbm"))], [hash(again.clone()), hash(again.seed(9))]);
    assert_eq!(hash(Plan::new()), hash(Plan::new().set("schedule.draws", 150).set("copying.copy", 0.8)));
    assert_ne!(hash(Plan::new().graph_model("auto")), hash(Plan::new().graph_model("mmsbm+copying")));
}

/// Values that the range does not allow, NaN among them.
fn outside(range: &Range) -> Vec<Value> {
    let numbers =
        |low: f64, high: f64| [low - 1.0, 2.0 * high + 1.0, f64::NAN, f64::INFINITY].map(Value::from).to_vec();
    match *range {
        Range::Word(_) => vec![json!("magic"), json!(1), json!(f64::NAN)],
        Range::Or(_, range) => outside(range),
        Range::Count(low, high) => [vec![json!(high + 1), json!(1.5)], numbers(low as f64, high as f64)].concat(),
        Range::Number(low, high) => numbers(low, high),
        Range::Above(low, high) => [vec![json!(low)], numbers(low, high)].concat(),
        Range::Below(low, high) => [vec![json!(high)], numbers(low, high)].concat(),
    }
}

#[test]
fn a_value_outside_its_range_is_refused_under_its_key() {
    let ranges = ranges();
    for plan in plans() {
        for key in plan.defaults().unwrap().settings().into_keys() {
            for bad in outside(ranges[&key]).into_iter().chain([json!("magic"), json!([1]), json!(true)]) {
                match plan.clone().set(&key, bad.clone()).defaults() {
                    Err(Error::Setting { key: found, .. }) => assert_eq!(found, key, "{bad}"),
                    other => panic!("{key} = {bad}: {other:?}"),
                }
            }
        }
    }
    let error = why(Plan::new().set("copying.copy", f64::NAN));
    assert!(error.contains("copying.copy is not a finite number") && error.contains("0 to 1"), "{error}");
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_one() {
    let error = why(Plan::new().set("copying.cpoy", 0.5));
    assert!(error.contains("copying.cpoy is 0.5") && error.contains("did you mean copying.copy?"), "{error}");
    let error = why(Plan::new().set_text("schedule.draw=3").unwrap());
    assert!(error.contains("did you mean schedule.draws?"), "{error}");
    let error = why(Plan::new().set("zzzzzzzz", 1));
    assert!(error.contains("no such setting") && !error.contains("did you mean"), "{error}");
    assert!(Plan::new().set_text("copying.copy").unwrap_err().to_string().contains("key=value"));
}

#[test]
fn a_setting_without_use_is_refused_with_the_reason() {
    let observed = || Plan::new().graph_model("observed");
    let cases = [
        (Plan::new(), "sbm.damping", "it belongs to graph model sbm, not to copying"),
        (Plan::new().graph_model("auto"), "sbm.damping", "not to copying+mmsbm"),
        // A network without orders or heads is an error, not a panic.
        (Plan::new(), "network.order", "a gcn has no order"),
        (Plan::new().network(Kind::Chebnet), "network.heads", "a chebnet has no heads"),
        (Plan::new().network(Kind::Gat), "network.order", "a gat has no order"),
        (Plan::new(), "schedule.samples", "gcn+copying and schedule published"),
        (algorithm1("copying"), "schedule.averaged", "schedule algorithm1"),
        (observed(), "schedule.draws", "no use with gcn and schedule published"),
        (observed(), "belief.self_weight", "start from a belief"),
        (Plan::new(), "average.evidence", "only several graph models are averaged"),
        (Plan::new(), "copying.weight", "only several graph models are averaged"),
    ];
    for (plan, key, reason) in cases {
        let error = why(plan.set(key, 1));
        assert!(error.contains(&format!("{key} is 1")) && error.contains(reason), "{error}");
        assert!(!error.contains("--"), "a setting, not an option: {error}");
    }
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let error = why(Plan::new().set("schedule.draws", 5).set("schedule.averaged", 6));
    assert!(error.contains("schedule.averaged is 6") && error.contains("5 draws"), "{error}");
    for model in ["copying", "mmsbm", "mmsb", "sbm", "dcsbm", "auto"] {
        let error = why(algorithm1(model).set("schedule.lambdas", 2));
        assert!(error.contains("schedule.lambdas is 2"), "{error}");
    }
    let error = why(Plan::new().graph_model("auto").set("copying.communities", 5).set("mmsbm.communities", 3));
    assert!(error.contains("mmsbm.communities is 3") && error.contains("5 communities"), "{error}");
    let error = why(Plan::new().graph_model("mmsbm").set("mmsbm.eta", 0.5));
    assert!(error.contains("mmsbm.eta is 0.5"), "{error}");
    for (names, reason) in
        [("copying+copying", "twice"), ("observed+sbm", "cannot be averaged"), ("magic", "no graph model")]
    {
        let error = why(Plan::new().graph_model(names));
        assert!(error.contains(reason) && error.contains("auto"), "{error}");
    }
}

#[test]
fn presets_are_settings_under_a_name() {
    let of = |preset| Plan::new().preset(preset).defaults().unwrap().settings();
    for preset in Preset::ALL {
        let settings = of(preset);
        assert!(preset.settings().iter().all(|(key, value)| settings[*key] == *value), "{}", preset.name());
        assert_eq!(Preset::named(preset.name()), Some(preset));
    }
    assert_eq!(of(Preset::Default), Plan::new().defaults().unwrap().settings());
    let published = of(Preset::Published);
    let wanted = [
        ("schedule.pretraining", json!(201)),
        ("schedule.draws", json!(99)),
        ("schedule.averaged", json!(59)),
        ("schedule.infer_every", json!(20)),
        ("mmsbm.inference", json!("minibatch")),
        ("mmsbm.iterations", json!(200)),
        ("mmsbm.scale_iterations", json!(1000)),
        ("mmsbm.first_step", json!(10_000)),
        ("mmsbm.eps_0", json!(0.5)),
        ("mmsbm.beta_update", json!("ascent")),
        ("mmsbm.draw", json!("hard")),
        ("mmsbm.delta", json!(1e-4)),
        ("mmsbm.observed_edges", json!("redrawn")),
        ("belief.propagation_steps", json!(0)),
    ];
    wanted.into_iter().for_each(|(key, value)| assert_eq!(published[key], value, "{key}"));
    let twin = of(Preset::PublishedLinear);
    let differ: Vec<&String> = published.keys().filter(|key| published[*key] != twin[*key]).collect();
    assert_eq!(differ, ["mmsbm.inference", "mmsbm.rows"], "the twin differs in the sums alone");
    let printed = of(Preset::Algorithm1);
    for (key, value) in [("schedule.kind", json!("algorithm1")), ("schedule.weight_sampling", json!("retrain"))] {
        assert_eq!(printed[key], value);
    }
    assert_eq!((&printed["mmsbm.draw"], &printed["mmsbm.eps_0"]), (&json!("mixed"), &json!(1.0)));
    // Another inference comes with its own numbers.
    let langevin = Plan::new().preset(Preset::Algorithm1).set("mmsbm.inference", "langevin").set("schedule.lambdas", 3);
    let langevin = langevin.defaults().unwrap().settings();
    assert_eq!((&langevin["mmsbm.scale_iterations"], &langevin["mmsbm.iterations"]), (&json!(0), &json!(100)));
    assert_eq!((&langevin["mmsbm.draw"], &langevin["mmsbm.delta"]), (&json!("mixed"), &json!(1e-4)));
    assert_eq!(of(Preset::Robust)["mmsbm.observed_edges"], "redrawn");
    // What is given one by one counts more than the preset.
    let changed = Plan::new().preset(Preset::Published).set("schedule.draws", 70).defaults().unwrap();
    assert_eq!((changed.schedule.draws, changed.schedule.averaged), (70, 59));
    for preset in [Preset::Published, Preset::Algorithm1, Preset::Robust] {
        assert!(Plan::new().preset(preset).graph_model("mmsbm").defaults().is_ok());
        let error = why(Plan::new().preset(preset).graph_model("sbm"));
        assert!(error.contains("graph_model is sbm") && error.contains(preset.name()), "{error}");
    }
}

#[test]
fn sampled_pairs_are_those_of_the_paper() {
    let pairs = |preset, nodes| Plan::new().preset(preset).defaults().unwrap().sampled_pairs(nodes);
    // 1,000 + 5 · 200 iterations of 1 % of N²/2 and 500².
    let wanted = 2000.0 * (0.005 * 19_717f64.powi(2) + 250_000.0);
    assert!((pairs(Preset::Published, 19_717) / wanted - 1.0).abs() < 1e-12);
    assert_eq!(pairs(Preset::PublishedLinear, 19_717), 0.0);
    assert_eq!(pairs(Preset::Default, 19_717), 0.0);
}

#[test]
fn methods_are_known_by_their_names() {
    for name in [
        "gcn",
        "chebnet",
        "gat",
        "gat+mmsbm",
        "gcn+published",
        "gcn+published-linear",
        "gcn+copying",
        "gcn+sbm",
        "gat+dcsbm",
        "gcn+mmsb",
        "gcn+auto",
        "gcn+algorithm1",
        "chebnet+copying+sbm",
    ] {
        assert_eq!(Plan::of_method(name).unwrap().method().unwrap(), name);
    }
    assert_eq!(Plan::of_method("bgcn").unwrap().method().unwrap(), "gcn+mmsbm");
    assert_eq!(Plan::new().method().unwrap(), "gcn+copying");
    for name in ["", "mlp", "gcn+magic", "gcn+", "+sbm", "gcn+observed+sbm", "auto"] {
        let error = Plan::of_method(name).unwrap_err().to_string();
        assert!(error.contains("method") && error.contains("gat+mmsbm"), "{error}");
    }
}

#[test]
fn defaults_follow_what_is_given() {
    let settings = |plan: Plan| plan.defaults().unwrap().settings();
    let mmsbm = |inference| Plan::new().graph_model("mmsbm").set("mmsbm.inference", inference);
    for (inference, iterations, update) in [
        ("natural", 2, "em"),
        ("linear", 200, "em"),
        ("langevin", 100, "ascent"),
        ("variational", 200, "em"),
        ("minibatch", 200, "ascent"),
    ] {
        let found = settings(mmsbm(inference));
        assert_eq!((&found["mmsbm.iterations"], &found["mmsbm.beta_update"]), (&json!(iterations), &json!(update)));
    }
    let given = settings(mmsbm("minibatch").set("mmsbm.iterations", 7).set("mmsbm.beta_update", "em"));
    assert_eq!((&given["mmsbm.iterations"], &given["mmsbm.beta_update"]), (&json!(7), &json!("em")));
    for (draws, averaged) in [(150, 45), (50, 15), (1, 1)] {
        assert_eq!(settings(Plan::new().set("schedule.draws", draws))["schedule.averaged"], averaged);
    }
    let auto = settings(Plan::new().graph_model("auto"));
    assert_eq!((&auto["schedule.draws"], &auto["schedule.averaged"]), (&json!(200), &json!(60)));
    // Averages are propagated as node copying is; others with a larger self weight.
    let belief = |model| {
        let found = settings(Plan::new().graph_model(model));
        (found["belief.self_weight"].as_f64().unwrap(), found["belief.neighbour_agreement"].as_f64().unwrap())
    };
    assert_eq!([belief("auto"), belief("copying"), belief("mmsbm")], [(1.0, 0.0), (1.0, 0.0), (2.0, 1.5)]);
}

#[test]
fn defaults_meet_the_data() {
    let (data, split) = data();
    let of = |data: &Dataset| Plan::new().resolve(data).unwrap().settings();
    let found = of(&data);
    let degree = 2.0 * data.graph.edges() as f64 / 90.0;
    assert_eq!((&found["copying.communities"], &found["features.scaling"]), (&json!(3), &json!("unit_rows")));
    assert!(degree < 4.0);
    assert_eq!(found["copying.copies"], 4.0 / degree);
    let table = Features::Dense(DenseRows { columns: 1, values: (0..90).map(|a| a as f32 - 9.5).collect() });
    assert_eq!(of(&Dataset { features: table, ..data.clone() })["features.scaling"], "standard");
    let mut few = SparseRows::new(9);
    (0..90).for_each(|a| few.push_row(&mut [(a % 9, -1.0)]));
    assert_eq!(of(&Dataset { features: Features::Sparse(few), ..data.clone() })["features.scaling"], "as_is");
    let numbers = Labels::Values(vec![Some(0.5); 90]);
    assert_eq!(of(&Dataset { labels: numbers, ..data.clone() })["copying.communities"], 5);

    let refused = |plan: Plan| plan.resolve(&data).unwrap_err().to_string();
    let error = refused(Plan::new().set("copying.communities", 4));
    assert!(error.contains("copying.communities is 4") && error.contains("3 classes"), "{error}");
    let error = refused(Plan::new().graph_model("auto").set("mmsbm.communities", 2));
    assert!(error.contains("mmsbm.communities is 2"), "{error}");
    let unvalidated = Split { validation: Vec::new(), ..split.clone() };
    let plan = Plan::new().set("network.patience", 10);
    let error = plan.fit_split(&data, &unvalidated, &|_| ControlFlow::Continue(())).unwrap_err().to_string();
    assert!(error.contains("network.patience") && error.contains("validation"), "{error}");
}

/// Training steps of a recipe, by its settings.
fn steps(recipe: &Recipe) -> usize {
    let schedule = &recipe.schedule;
    match schedule.kind {
        ScheduleKind::Published if recipe.is_plain() => recipe.network.epochs,
        ScheduleKind::Published => schedule.pretraining + schedule.draws,
        ScheduleKind::Algorithm1 => schedule.pretraining + schedule.graph_epochs,
    }
}

#[test]
fn epochs_are_the_steps_of_whatever_is_fitted_and_of_the_baseline() {
    for plan in plans() {
        for n in [2, 7, 60, 1000] {
            let recipe = plan.clone().epochs(n).defaults().unwrap();
            assert_eq!((steps(&recipe), recipe.plain().network.epochs), (n, n), "{}", recipe.method());
            assert!(recipe.is_plain() || recipe.schedule.pretraining >= 1);
            assert!((1..=recipe.schedule.draws).contains(&recipe.schedule.averaged) || recipe.is_plain());
        }
        assert!(plan.epochs(1).defaults().is_ok());
    }
}

#[test]
fn epochs_keep_the_proportion_and_settings_given_one_by_one_win() {
    let schedule = |plan: Plan| plan.defaults().unwrap().schedule;
    let published = schedule(Plan::new().preset(Preset::Published).epochs(100));
    assert_eq!((published.pretraining, published.draws, published.averaged), (67, 33, 33));
    let algorithm1 = schedule(algorithm1("mmsbm").epochs(26));
    assert_eq!((algorithm1.pretraining, algorithm1.graph_epochs, algorithm1.draws), (20, 6, 10));
    let given = schedule(Plan::new().epochs(50).set("schedule.draws", 10));
    assert_eq!((given.pretraining, given.draws), (40, 10));
    let plain = Plan::new().epochs(50).set("network.epochs", 9).defaults().unwrap().plain();
    assert_eq!(plain.network.epochs, 9);
    assert!(why(Plan::new().epochs(10).set("schedule.averaged", 20)).contains("draws to average"));
}

#[test]
fn a_fit_and_its_baseline_take_as_many_steps() {
    use crate::posterior::{Phase, Progress};
    use std::sync::Mutex;
    let (data, split) = data();
    let steps_of = |plan: Plan| {
        let longest = Mutex::new(BTreeMap::new());
        let watch = |Progress { phase, total, .. }: Progress| {
            if matches!(phase, Phase::Pretraining | Phase::Draws) {
                longest.lock().unwrap().insert(phase as usize, total);
            }
            ControlFlow::Continue(())
        };
        plan.epochs(12).fit_split(&data, &split, &watch).unwrap();
        longest.into_inner().unwrap().into_values().sum::<usize>()
    };
    assert_eq!([steps_of(Plan::new()), steps_of(Plan::new().graph_model("observed"))], [12, 12]);
}
