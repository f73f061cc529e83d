//! Every graph model through the registry: defaults, files, refusals.

use super::{ALL, ModelSettings, entry};
use crate::data::karate;
use crate::graph::Graph;
use crate::graph_model::{Belief, GraphBuffer, GraphModel, Parameters, SavedModel};
use crate::rng::{For, Seed};
use crate::setting::Range;
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn every_name_is_a_model_of_that_name_with_allowed_defaults() {
    for known in &ALL {
        let model = known.defaults(3, 4.0);
        assert_eq!((model.name(), entry(known.name).unwrap().name), (known.name, known.name));
        assert!(model.settings().check().is_ok() && [0, 3].contains(&model.communities()), "{}", known.name);
        let listed: Vec<&str> = known.all_settings().map(|setting| setting.name).collect();
        let mut listed = listed;
        listed.sort_unstable();
        assert_eq!(listed, model.table().keys().map(String::as_str).collect::<Vec<_>>(), "{}", known.name);
    }
    assert!(entry("magic").is_none());
}

#[test]
fn a_model_is_never_made_of_settings_outside_their_ranges() {
    for known in &ALL[1..] {
        let table = known.defaults(3, 4.0).table();
        for setting in known.all_settings().filter(|setting| !matches!(setting.range, Range::Word(_))) {
            let mut bad = table.clone();
            bad.insert(setting.name.into(), if table[setting.name].is_u64() { json!(u32::MAX) } else { json!(-1.0) });
            let error = known.read(bad).unwrap_err().to_string();
            assert!(error.contains(&format!("{}.{}", known.name, setting.name)), "{error}");
        }
    }
}

#[test]
fn a_setting_is_changed_by_name_and_checked() {
    let sbm = entry("sbm").unwrap().defaults(2, 4.0);
    assert_eq!(sbm.with(&[("damping", json!(0.25))]).unwrap().table()["damping"], 0.25);
    let why = |name: &str, value: Value| sbm.with(&[(name, value)]).unwrap_err().to_string();
    assert!(why("damping", json!(2.0)).contains("sbm.damping is 2.0"));
    assert!(why("copy", json!(0.5)).contains("sbm has no such setting"));
}

fn drawn(model: &dyn GraphModel) -> Vec<Graph> {
    let mut buffer = GraphBuffer::default();
    let draw = |i| {
        model.sample(Seed::new(3).at(For::Graph, [0, i, 0]), &mut buffer);
        buffer.graph().clone()
    };
    (0..3).map(draw).collect()
}

/// Every model but the observed graph, with every way to draw.
fn all() -> Vec<ModelSettings> {
    let defaults: Vec<ModelSettings> = ALL[1..].iter().map(|entry| entry.defaults(2, 4.0)).collect();
    let other =
        |model: &ModelSettings| ["mixed", "sampled"].iter().find_map(|draw| model.with(&[("draw", json!(draw))]).ok());
    let others: Vec<ModelSettings> = defaults.iter().filter_map(other).collect();
    defaults.into_iter().chain(others).collect()
}

#[test]
fn a_model_read_from_files_draws_the_graphs_of_the_one_that_was_written() {
    let data = karate();
    let rows: Vec<f32> = (0..34).flat_map(|a| [0.3 + 0.01 * a as f32, 0.4]).collect();
    for plan in all() {
        let mut model = plan.start(&data.graph).unwrap();
        model.restart(Belief { k: 2, rows: &rows }).unwrap();
        model.infer(5, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
        let (json, tensors) = plan.saved(model.parameters().unwrap(), 7).to_bytes();
        let saved = SavedModel::from_bytes(&json, tensors.as_deref(), Path::new("model")).unwrap();
        let again = ModelSettings::of_saved(&saved).unwrap();
        assert_eq!(again, plan);
        let resumed = again.resume(&data.graph, &saved.parameters).unwrap();
        assert_eq!(drawn(&*resumed), drawn(&*model), "{plan:?}");
        for (a, b) in [(0, 1), (0, 33), (5, 20)] {
            let [found, wanted] = [resumed.edge_probability(a, b), model.edge_probability(a, b)];
            assert!((found - wanted).abs() < 1e-6 * wanted.max(1e-6), "{plan:?}: {found} instead of {wanted}");
        }
    }
}

#[test]
fn what_does_not_fit_is_said() {
    let data = karate();
    let smaller = Graph::from_edges(3, &[(0, 1)]).unwrap();
    for plan in all() {
        let lambda = plan.start(&data.graph).unwrap().parameters().unwrap();
        let why = |graph: &Graph, lambda: &Parameters| plan.resume(graph, lambda).err().unwrap().to_string();
        assert!(why(&smaller, &lambda).contains("34 nodes, the graph 3"));
        if plan.communities() > 0 {
            let without = Parameters { arrays: [].into(), ..lambda.clone() };
            assert!(why(&data.graph, &without).contains("no "), "{plan:?}");
        }
        if lambda.small.contains_key("b") {
            let mut crooked = lambda.clone();
            crooked.small.insert("b".into(), serde_json::json!([[0.1, 0.2], [0.3, 0.1]]));
            assert!(why(&data.graph, &crooked).contains("symmetric"));
        }
    }
    let mut saved = entry("sbm").unwrap().defaults(2, 4.0).saved(Parameters::default(), 0);
    saved.model = "magic".into();
    assert!(ModelSettings::of_saved(&saved).unwrap_err().to_string().contains("magic"));
}
