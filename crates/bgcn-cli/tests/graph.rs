//! `bgcn graph`, as a person uses it.

mod command;

use command::Workplace;
use serde_json::json;

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
    let names = "linear,minibatch,full,natural,langevin,variational,coordinate";
    let run = place.bgcn(&["graph", "fit", "karate", "--inference", names, "--iterations", "20", "--json"]).succeeded();
    let all = run.json()["inferences"].as_array().unwrap().clone();
    let found: Vec<&str> = all.iter().map(|one| one["inference"].as_str().unwrap()).collect();
    assert_eq!(found.join(","), names);
    assert!(all.iter().all(|one| one["beta"].as_array().unwrap().iter().all(|beta| beta.is_f64())));
}

#[test]
fn communities_are_found_from_the_graph_alone() {
    let place = Workplace::new();
    place.bgcn(&["data", "convert", "karate", "--to", "club"]).succeeded();
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
fn bad_requests_are_refused_with_what_to_do() {
    let place = Workplace::new();
    place.file("e.csv", "a,b\nb,c\n");
    place.bgcn(&["graph", "fit", "e.csv"]).refused(&["--communities"]);
    place.bgcn(&["graph", "fit", "karate", "--hold-out", "0.9"]).refused(&["0.9", "allowed"]);
    place.bgcn(&["graph", "fit", "karate", "--hold-out", "NaN"]).refused(&["NaN", "allowed"]);
    place.bgcn(&["graph", "fit", "karate", "--delta", "2"]).refused(&["delta", "2"]);
    place.bgcn(&["graph", "sample", "nowhere"]).refused(&["nowhere"]);
    place.file("broken/graph-model.json", "{");
    place.bgcn(&["graph", "sample", "broken"]).refused(&["graph-model.json"]);
}
