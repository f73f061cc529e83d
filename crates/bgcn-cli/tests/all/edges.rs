//! `bgcn edges`: suspicious and missing edges of runs and of datasets, and cleaned graphs.

use crate::command::Workplace;
use crate::fit::{fit, with_network};
use serde_json::{Value, json};

fn edges(place: &Workplace, of: &[&str]) -> Value {
    place.bgcn(&[&["edges", "--json"], of].concat()).succeeded().json()
}

fn list(found: &Value) -> &[Value] {
    found["edges"].as_array().unwrap()
}

/// The column as a number.
fn p(edge: &Value, column: &str) -> f64 {
    edge[column].as_f64().unwrap_or_else(|| panic!("no {column} in {edge}"))
}

/// The built-in data, fitted.
fn demo_run() -> Workplace {
    let place = Workplace::new();
    place.bgcn(&["fit", "--no-baseline", "--quiet", "--out", "run"]).succeeded();
    place
}

#[test]
fn edges_are_filtered_and_ranked() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    let edges = |more: &[&str]| list(&edges(&place, &[&["run"], more].concat())).to_vec();
    assert_eq!(edges(&[]).len(), 20);
    let suspicious = edges(&["--suspicious", "30"]);
    assert!(suspicious.len() == 30 && suspicious.iter().all(|edge| edge["observed"] == true));
    assert!(suspicious.is_sorted_by(|x, y| p(x, "p_spurious") >= p(y, "p_spurious")));
    let first = &suspicious[0];
    assert!(first["p_missing"].is_null() && first["source_predicted"].is_string(), "{first}");
    assert!(first["reasons"].as_str().unwrap().starts_with("average edge "), "{first}");
    let missing = edges(&["--missing", "7"]);
    assert!(missing.len() == 7 && missing.iter().all(|edge| edge["observed"] == false));
    assert!(missing.is_sorted_by(|x, y| p(x, "p_missing") >= p(y, "p_missing")));
    let middle = p(&suspicious[15], "p_spurious");
    let (low, high) = (edges(&["--below", &middle.to_string()]), edges(&["--above", &middle.to_string()]));
    assert!(!low.is_empty() && low.iter().all(|edge| p(edge, "p_spurious") < middle));
    assert!(!high.is_empty() && high.iter().all(|edge| p(edge, "p_spurious") > middle));
    let node = edges(&["--node", "3"]);
    assert!(!node.is_empty() && node.iter().all(|edge| edge["source"] == "3" || edge["target"] == "3"));
    let table = place.bgcn(&["edges", "run", "--missing", "2"]).succeeded().stdout;
    assert!(table.contains("Predicted") && table.contains("P(missing)") && table.lines().count() == 4, "{table}");
}

#[test]
fn a_list_keeps_its_rate_and_an_empty_one_says_why() {
    let place = demo_run();
    let found = edges(&place, &["run", "--fdr", "0.2"]);
    let listed = list(&found).len();
    assert!(listed >= 20 && found["listed"] == listed && found["fdr"] == 0.2, "{listed}");
    let metrics = std::fs::read_to_string(place.path().join("run/metrics.json")).unwrap();
    let metrics: Value = serde_json::from_str(&metrics).unwrap();
    assert!(
        metrics["links"]["lists"].as_array().unwrap().iter().any(|step| step[1] == listed),
        "a step of the lists of the run"
    );
    // The mean of 1 − P(spurious) is below the rate too.
    let right: f64 = list(&found).iter().map(|edge| 1.0 - p(edge, "p_spurious")).sum();
    assert!(right / listed as f64 <= 0.2, "{right} of {listed}");
    let text = place.bgcn(&["edges", "run", "--fdr", "0.2"]).succeeded().stdout;
    assert!(text.starts_with(&format!("{listed} edges at a false discovery rate of 20 % (6,000 observed)")), "{text}");
    assert!(list(&edges(&place, &["run", "--fdr", "0.2", "--node", "0"])).len() < listed);
    let none = place.bgcn(&["edges", "run", "--fdr", "0.0001"]).succeeded().stdout;
    assert!(none.starts_with("No list reaches 1 % FDR; the best has") && none.contains("6,000 observed"), "{none}");
}

#[test]
fn data_is_judged_without_a_fit() {
    let place = with_network();
    let found = edges(&place, &["g", "--suspicious", "50"]);
    assert!(list(&found).len() == 50 && found["dataset"] == "g", "{found}");
    assert!(list(&found).iter().all(|edge| edge["source_predicted"].is_null()), "nothing is predicted");
    // 10 % of all edges are spurious.
    let wrong = std::fs::read_to_string(place.path().join("g/spurious.csv")).unwrap();
    let is_wrong = |edge: &&Value| {
        let [a, b] = ["source", "target"].map(|end| edge[end].as_str().unwrap());
        wrong.lines().any(|line| line == format!("{a},{b}") || line == format!("{b},{a}"))
    };
    let hits = list(&found).iter().filter(is_wrong).count();
    assert!(hits >= 20, "{hits} of 50 are spurious");
    let files = ["--edges", "g/edges.csv", "--features", "g/features.csv", "--allow-isolated", "--seed", "4"];
    let own = [&files[..], &["--suspicious", "3", "--missing", "3"]].concat();
    assert_eq!(list(&edges(&place, &own)).len(), 6);
    assert_eq!(edges(&place, &own), edges(&place, &[&own[..], &["--jobs", "1"]].concat()));
    let table = place.bgcn(&["edges", "karate", "--suspicious", "2"]).succeeded().stdout;
    assert!(!table.contains("Predicted") && table.contains("Why") && table.lines().count() == 4, "{table}");
}

#[test]
fn a_cleaned_graph_lacks_the_edges_of_the_list_and_nothing_else() {
    let place = demo_run();
    let listed = list(&edges(&place, &["run", "--fdr", "0.2"])).len();
    let text = place.bgcn(&["edges", "run", "--clean", "clean.npz", "--fdr", "0.2"]).succeeded().stdout;
    assert!(text.contains(&format!("{listed} edges at a false discovery rate of 20 %, of 6,000")), "{text}");
    let info = |name: &str| place.bgcn(&["data", "info", name, "--json"]).succeeded().json();
    let (before, after) = (info("demo"), info("clean.npz"));
    assert_eq!(after["edges"], json!(6000 - listed));
    for key in ["nodes", "labelled", "classes", "features"] {
        assert_eq!(before[key], after[key], "{key}");
    }
    let count = |of: &Value, key: &str| of[key].as_u64().unwrap();
    let wrong = count(&before, "spurious") - count(&after, "spurious");
    let right = count(&after, "missing") - count(&before, "missing");
    assert_eq!(wrong + right, listed as u64);
    // One edge in ten is spurious, so that by chance nine true ones would go with each.
    assert!(wrong > 2 * right, "{wrong} spurious and {right} true edges are left out");

    let clean = |more: &[&str]| place.bgcn(&[&["edges", "run", "--clean"], more].concat());
    clean(&["clean.npz"]).refused(&["clean.npz", "there already", "--overwrite"]);
    let nothing = clean(&["clean.npz", "--overwrite", "--fdr", "0.0001"]).succeeded().stdout;
    assert!(nothing.contains("All 6,000 edges are kept") && nothing.contains("no list reaches"), "{nothing}");
    assert_eq!(info("clean.npz")["edges"], json!(6000));
    let cleaned = clean(&["clean.graphml", "--json"]).succeeded().json();
    assert_eq!(
        (&cleaned["fdr"], &cleaned["edges"], &cleaned["files"]),
        (&json!(0.1), &json!(6000), &json!(["clean.graphml"]))
    );
    assert_eq!(info("clean.graphml")["edges"].as_u64(), cleaned["removed"].as_u64().map(|removed| 6000 - removed));
}

#[test]
fn wrong_requests_are_refused_with_a_way_out() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    place.bgcn(&["edges"]).refused(&["RUN|DATA"]);
    place.bgcn(&["edges", "nowhere"]).refused(&["nowhere", "run.toml", "known dataset"]);
    for rate in ["0", "1", "NaN", "10"] {
        place.bgcn(&["edges", "run", "--fdr", rate]).refused(&["--fdr", "between 0 and 1"]);
    }
    place.bgcn(&["edges", "run", "--fdr", "0.1", "--suspicious", "3"]).refused(&["--suspicious"]);
    place.bgcn(&["edges", "run", "--above", "0.5", "--missing", "3"]).refused(&["--missing"]);
    place.bgcn(&["edges", "karate", "--node", "nobody"]).refused(&["karate", "nobody"]);
    place.bgcn(&["edges", "run", "--clean", "c.npz", "--fdr", "2"]).refused(&["--fdr", "between 0 and 1"]);
    let table = std::fs::read_to_string(place.path().join("g/edges.csv")).unwrap();
    let (all_but_last, _) = table.trim_end().rsplit_once('\n').unwrap();
    place.file("g/edges.csv", format!("{all_but_last}\n"));
    place.bgcn(&["edges", "run", "--clean", "c.npz"]).refused(&["has changed", "Restore the data"]);
    assert!(!place.path().join("c.npz").exists());
}
