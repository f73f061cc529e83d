//! `bgcn graph`, as a person uses it.

use crate::command::Workplace;
use serde_json::{Value, json};

const MODELS: [&str; 5] = ["mmsbm", "mmsb", "sbm", "dcsbm", "copying"];

fn fit(place: &Workplace, arguments: &[&str]) -> Value {
    place.bgcn(&[&["graph", "fit", "--json"], arguments].concat()).succeeded().json()
}

#[test]
fn fit_shows_communities_and_writes_a_model_that_sample_reads() {
    let place = Workplace::new();
    let run =
        place.bgcn(&["graph", "fit", "demo", "--iterations", "50", "--hold-out", "0.02", "--out", "model"]).succeeded();
    for part in ["astronomy", "Strength", "perplexity", "NMI"] {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
    for file in ["graph-model.json", "graph-model.safetensors", "nodes.csv", "observed.csv"] {
        assert!(place.path().join("model").join(file).is_file(), "{file}");
    }
    let drawn = place.bgcn(&["graph", "sample", "model", "--count", "3", "--json"]).succeeded().json();
    assert_eq!(drawn["drawn"].as_array().unwrap().len(), 3);
    assert_eq!(drawn["observed"]["edges"], json!(6000.0));
    let first = std::fs::read(place.path().join("model/graph-1.csv")).unwrap();
    place.bgcn(&["graph", "sample", "model", "--count", "1", "--jobs", "1"]).succeeded();
    assert_eq!(std::fs::read(place.path().join("model/graph-1.csv")).unwrap(), first, "same seed, same bytes");
}

#[test]
fn json_has_the_promised_keys_and_runs_exactly_as_many_iterations_as_asked() {
    let place = Workplace::new();
    let fit = place.bgcn(&["graph", "fit", "karate", "--iterations", "7", "--json"]).succeeded().json();
    assert_eq!((&fit["iterations"], &fit["communities"], &fit["inference"]), (&json!(7), &json!(2), &json!("linear")));
    assert!(fit["seconds"]["infer"].is_f64());
}

#[test]
fn inferences_are_compared_in_one_command() {
    let place = Workplace::new();
    let names = "linear,minibatch,natural,langevin,variational,coordinate";
    let run = place.bgcn(&["graph", "fit", "karate", "--inference", names, "--iterations", "20", "--json"]).succeeded();
    let all = run.json()["inferences"].as_array().unwrap().clone();
    let found: Vec<&str> = all.iter().map(|one| one["inference"].as_str().unwrap()).collect();
    assert_eq!(found.join(","), names);
    assert!(all.iter().all(|one| one["beta"].as_array().unwrap().iter().all(|beta| beta.is_f64())));
}

#[test]
fn communities_are_found_from_the_graph_alone() {
    let place = Workplace::new();
    place.bgcn(&["data", "convert", "karate", "--out", "club"]).succeeded();
    let arguments = [
        "graph",
        "fit",
        "club/edges.csv",
        "--communities",
        "2",
        "--inference",
        "coordinate",
        "--json",
        "--largest-component",
    ];
    let fit = place.bgcn(&arguments).succeeded().json();
    assert_eq!((&fit["nodes"], &fit["edges"]), (&json!(34), &json!(78)));
}

#[test]
fn every_model_is_fitted_from_labels_and_drawn_from() {
    let place = Workplace::new();
    for model in MODELS {
        let found = fit(&place, &["karate", "--graph-model", model, "--out", model]);
        assert_eq!((&found["graph_model"], &found["nodes"], &found["edges"]), (&json!(model), &json!(34), &json!(78)));
        assert_eq!(found["communities"], 2, "{model}");
        assert!(found["class_agreement_nmi"].as_f64().unwrap() > 0.6, "{found}");
        let again = ["graph", "sample", model, "--count", "20", "--json"];
        let drawn = place.bgcn(&again).succeeded().json();
        let observed = &drawn["observed"];
        assert_eq!((&drawn["graph_model"], &observed["edges"]), (&json!(model), &json!(78.0)));
        assert_eq!((&observed["observed"], observed["inside_classes"].as_f64().is_some()), (&json!(1.0), true));
        let graphs = drawn["drawn"].as_array().unwrap();
        let mean = |what: &str| graphs.iter().map(|one| one[what].as_f64().unwrap()).sum::<f64>() / graphs.len() as f64;
        // Each bound is over five standard errors of a mean of 20 graphs away from what is expected.
        let (low, high) = match model {
            "copying" => (85.0, 150.0),
            _ => (62.0, 94.0),
        };
        assert!((low..high).contains(&mean("edges")), "{model}: {} edges", mean("edges"));
        assert!(mean("observed") < 1.0 && observed["homophily"].is_number(), "{model}");
        let first = std::fs::read(place.path().join(model).join("graph-20.csv")).unwrap();
        place.bgcn(&[&again[..], &["--jobs", "1"]].concat()).succeeded();
        assert_eq!(
            std::fs::read(place.path().join(model).join("graph-20.csv")).unwrap(),
            first,
            "same seed, same bytes"
        );
    }
}

#[test]
fn what_a_model_has_is_shown_and_what_it_has_not_is_not() {
    let place = Workplace::new();
    let text = |model: &str| place.bgcn(&["graph", "fit", "karate", "--graph-model", model]).succeeded().stdout;
    for (model, parts) in [
        ("sbm", &["20 iterations of sbm", "Strength", "Links between communities"][..]),
        ("dcsbm", &["20 iterations of dcsbm", "Strength", "NMI"]),
        ("mmsb", &["20 iterations of mmsb", "over 90 %"]),
        ("copying", &["copying on karate (34 nodes", "Strongest in"]),
    ] {
        let shown = text(model);
        parts.iter().for_each(|part| assert!(shown.contains(part), "no {part} in {shown}"));
        assert_eq!(shown.contains("iterations"), model != "copying", "{shown}");
    }
}

#[test]
fn settings_reach_their_model() {
    let place = Workplace::new();
    let with = |model: &str, more: &[&str]| fit(&place, &[&["karate", "--graph-model", model], more].concat());
    assert_eq!(with("dcsbm", &["--set", "dcsbm.degree_prior=0"])["settings"]["degree_prior"], 0.0);
    assert_eq!(
        with("copying", &["--set", "copying.copy=0.4", "--set", "copying.assignment=sampled"])["settings"]["copy"],
        0.4
    );
    let traced = with("sbm", &["--iterations", "7", "--trace-every", "2", "--set", "sbm.prior_strength=1"]);
    assert_eq!((&traced["iterations"], traced["trace"].as_array().unwrap().len()), (&json!(7), 3));
    assert_eq!(traced["settings"]["prior_strength"], 1.0);
    assert!(
        with("mmsb", &["--iterations", "500", "--set", "mmsb.stop_below=0.01"])["iterations"].as_u64().unwrap() < 500
    );
    place.bgcn(&["graph", "fit", "--set", "mmsbm.delta=auto", "karate"]).succeeded();
    let held = with("dcsbm", &["--hold-out", "0.1"]);
    assert!(held["held_out"]["mean"].as_f64().unwrap() < 0.0 && held["impossible_links"] == 0, "{held}");
}

#[test]
fn models_start_from_the_graph_alone_and_from_few_labels() {
    let place = Workplace::new();
    place.bgcn(&["data", "convert", "karate", "--out", "club"]).succeeded();
    for model in ["mmsb", "sbm", "dcsbm", "copying"] {
        let found = fit(&place, &["club/edges.csv", "--communities", "2", "--graph-model", model]);
        assert_eq!((&found["communities"], &found["class_agreement_nmi"]), (&json!(2), &Value::Null));
        if model != "copying" {
            assert_eq!(found["settings"]["prior_strength"], 0.0, "a start from the graph is no evidence");
        }
    }
    // The two leaders' labels spread to the others.
    let labels = std::fs::read_to_string(place.path().join("club/labels.csv")).unwrap();
    let ends: Vec<&str> = labels.lines().filter(|line| !line.starts_with('#')).collect();
    place.file("few.csv", format!("{}\n{}\n", ends[1], ends[ends.len() - 1]));
    let files = ["--edges", "club/edges.csv", "--labels", "few.csv", "--graph-model", "copying"];
    let sizes = fit(&place, &files)["sizes"].clone();
    let sizes: Vec<f64> = sizes.as_array().unwrap().iter().map(|size| size.as_f64().unwrap()).collect();
    assert!(sizes.len() == 2 && sizes.iter().all(|size| (10.0..=24.0).contains(size)), "{sizes:?}");
}

#[test]
fn options_of_other_models_are_refused_with_the_models_that_have_them() {
    let place = Workplace::new();
    let refused = |model: &str, more: &[&str], parts: &[&str]| {
        place.bgcn(&[&["graph", "fit", "karate", "--graph-model", model], more].concat()).refused(parts);
    };
    refused("observed", &[], &["observed", "mmsbm, mmsb, sbm", "nothing to draw"]);
    refused("sbm", &["--inference", "linear"], &["--inference", "mmsbm", "not sbm"]);
    refused("mmsb", &["--set", "delta=0.1"], &["mmsb.delta", "no such setting"]);
    refused("copying", &["--iterations", "3"], &["--iterations", "iterates", "not copying"]);
    refused("sbm", &["--set", "copying.copy=0.1"], &["copying.copy", "sbm has no such setting"]);
    refused("copying", &["--set", "copying.copy=2"], &["copying.copy", "2"]);
    fit(&place, &["karate", "--graph-model", "sbm", "--out", "sbm"]);
    place.bgcn(&["graph", "sample", "sbm", "--draw", "mixed"]).refused(&["mixed", "hard | sampled"]);
    place.bgcn(&["graph", "sample", "sbm", "--draw", "hard"]).succeeded();
    fit(&place, &["karate", "--graph-model", "copying", "--out", "copying"]);
    place.bgcn(&["graph", "sample", "copying", "--draw", "hard"]).refused(&["copying.draw", "no such setting"]);
    std::fs::remove_file(place.path().join("sbm/observed.csv")).unwrap();
    place.bgcn(&["graph", "sample", "sbm"]).refused(&["observed.csv", "bgcn graph fit --out"]);
}

#[test]
fn bad_requests_are_refused_with_what_to_do() {
    let place = Workplace::new();
    place.file("e.csv", "a,b\nb,c\n");
    place.bgcn(&["graph", "fit", "e.csv"]).refused(&["--communities"]);
    let start = ["graph", "fit", "e.csv", "--communities", "2", "--start", "labels"];
    place.bgcn(&start).refused(&["the start is labels", "agglomerate"]);
    place.bgcn(&["graph", "fit", "karate", "--hold-out", "0.9"]).refused(&["0.9", "allowed"]);
    place.bgcn(&["graph", "fit", "karate", "--hold-out", "NaN"]).refused(&["NaN", "allowed"]);
    place.bgcn(&["graph", "fit", "karate", "--set", "mmsbm.delta=2"]).refused(&["delta", "2"]);
    place.bgcn(&["graph", "sample", "nowhere"]).refused(&["nowhere"]);
    place.file("broken/graph-model.json", "{");
    place.bgcn(&["graph", "sample", "broken"]).refused(&["graph-model.json"]);
}

#[test]
fn an_edited_model_is_refused_before_anything_is_made_of_it() {
    let place = Workplace::new();
    for model in ["mmsbm", "copying"] {
        fit(&place, &["karate", "--graph-model", model, "--out", model]);
        let path = place.path().join(model).join("graph-model.json");
        let whole: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for place_of in ["/settings/communities", "/communities"] {
            for number in [0, 3, 1_000_000_000_000u64] {
                let mut edited = whole.clone();
                let Some(value) = edited.pointer_mut(place_of) else { continue };
                *value = number.into();
                std::fs::write(&path, edited.to_string()).unwrap();
                place.bgcn(&["graph", "sample", model, "--no-files"]).refused(&["communities"]);
            }
        }
    }
}

#[test]
fn a_model_about_more_nodes_than_its_files_have_is_refused_before_memory_is_taken() {
    let place = Workplace::new();
    for model in ["mmsbm", "copying"] {
        fit(&place, &["karate", "--graph-model", model, "--out", model]);
        let path = place.path().join(model).join("graph-model.json");
        let whole: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for nodes in [0, 3, 5000, 1_000_000_000_000, u64::MAX] {
            let mut edited = whole.clone();
            edited["nodes"] = nodes.into();
            std::fs::write(&path, edited.to_string()).unwrap();
            place.bgcn(&["graph", "sample", model, "--no-files"]).refused(&["node"]);
        }
    }
}

#[test]
fn rates_and_weights_that_would_draw_without_end_are_refused() {
    let place = Workplace::new();
    fit(&place, &["karate", "--graph-model", "dcsbm", "--out", "model"]);
    let path = place.path().join("model/graph-model.json");
    let mut edited: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    edited["b"] = json!([[1e38, 1e38], [1e38, 1e38]]);
    std::fs::write(&path, edited.to_string()).unwrap();
    place.bgcn(&["graph", "sample", "model", "--no-files"]).refused(&["would draw", "34 nodes"]);
}

#[test]
fn a_model_is_replaced_only_where_that_is_allowed() {
    let place = Workplace::new();
    let fit = ["graph", "fit", "karate", "--graph-model", "sbm", "--out", "model"];
    place.bgcn(&fit).succeeded();
    place.bgcn(&["graph", "sample", "model", "--count", "2"]).succeeded();
    place.bgcn(&fit).refused(&["a graph model already", "--overwrite"]);
    assert!(place.path().join("model/graph-2.csv").exists());
    place.bgcn(&[&fit[..], &["--overwrite"]].concat()).succeeded();
    assert!(!place.path().join("model/graph-2.csv").exists(), "it was drawn from the model before");
    place.file("model/notes.txt", "mine");
    place.bgcn(&[&fit[..], &["--overwrite"]].concat()).refused(&["notes.txt"]);
}
