//! `bgcn fit` and what is done with its runs: `predict`, `compare`.

use crate::command::Workplace;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// A small network in the folder `g`.
pub fn with_network() -> Workplace {
    let place = Workplace::new();
    let sizes = ["--nodes", "240", "--mean-degree", "8", "--classes", "3", "--seed", "5"];
    place.bgcn(&[&["data", "generate", "--out", "g", "--words", "60", "--quiet"], &sizes[..]].concat()).succeeded();
    place
}

/// Little work: short pretraining, few draws.
const QUICK: [&str; 7] =
    ["--labels-per-class", "8", "--split", "random", "--set", "schedule.pretraining=40", "--set=schedule.draws=20"];

pub fn fit(place: &Workplace, more: &[&str]) -> crate::command::Run {
    place.bgcn(&[&["fit", "g", "--quiet"], &QUICK[..], more].concat())
}

/// Every file of a folder.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(path).unwrap())).collect()
}

#[test]
fn fit_without_arguments_ends_with_a_summary_and_a_folder() {
    let place = Workplace::new();
    let run = place.bgcn(&["fit"]).succeeded();
    let parts =
        ["gcn+copying on demo", "change", "Mean confidence", "Suspicious edges", "Missing edges", "report.html"];
    let links = ["P(spurious)", "P(missing)", "share of spurious edges", "bgcn edges", "list"];
    for part in parts.into_iter().chain(links) {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
    let rows = run.stdout.lines().filter(|line| line.starts_with('|'));
    assert!(rows.max_by_key(|line| line.chars().count()).unwrap().chars().count() <= 100, "{}", run.stdout);
    let files = contents(&place.path().join("bgcn-runs/demo-gcn+copying-s0"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let expected = [
        "edges.csv",
        "graph-model.json",
        "graph-model.safetensors",
        "metrics.json",
        "model.safetensors",
        "predictions.csv",
        "report.html",
        "run.safetensors",
        "run.toml",
    ];
    assert_eq!(names, expected);
    let metrics: serde_json::Value = serde_json::from_slice(&files["metrics.json"]).unwrap();
    for at in ["/test/accuracy", "/test/nll", "/test/brier", "/test/ece", "/plain/test/accuracy"] {
        assert!(metrics.pointer(at).is_some_and(|value| value.is_f64()), "{at}");
    }
    assert_eq!(metrics.pointer("/test/coverage/19/coverage"), Some(&json!(1.0)));
    // Of the 100 most suspicious edges at least 60 are spurious; of all edges, 10 %.
    let found = &metrics["edges_found"];
    assert!(
        found["suspicious"][2]["first"] == 100 && found["suspicious"][2]["precision"].as_f64() >= Some(0.6),
        "{found}"
    );
    assert!(found["suspicious_average_precision"].as_f64() > Some(0.3), "{found}");
    let curve = found["suspicious_curve"].as_array().unwrap();
    assert!(curve.len() <= 100 && curve.last().unwrap()["recall"] == 1.0, "{found}");
    let report = String::from_utf8(files["report.html"].clone()).unwrap();
    assert!(
        ["<b>Spurious edges.</b>", "<b>Missing edges.</b>", "dashed line"].iter().all(|part| report.contains(part))
    );
    let edges = String::from_utf8(files["edges.csv"].clone()).unwrap();
    assert!(edges.lines().filter(|line| line.split(',').nth(2) == Some("0")).count() == 200);
    // A second run takes the next name.
    place.bgcn(&["fit", "--quiet", "--no-baseline", "--set", "schedule.draws=5"]).succeeded();
    assert!(place.path().join("bgcn-runs/demo-gcn+copying-s0-2/run.toml").is_file());
}

#[test]
fn the_report_is_one_file_that_needs_no_other() {
    let place = with_network();
    fit(&place, &["--graph-model", "mmsbm", "--out", "run"]).succeeded();
    let report = std::fs::read_to_string(place.path().join("run/report.html")).unwrap();
    for part in [
        "<!doctype html>",
        "Reliability",
        "Accuracy and coverage",
        "Confusion matrix",
        "by degree",
        "viewport",
        "Settings",
        "<b>Calibration by decoys.</b>",
        "Suspicious edges",
        "Estimated share of spurious edges",
        "each between two nodes at random",
        "an attacker who knows the method can add edges",
        "Missing edges",
        "hidden edges",
        "average edge",
    ] {
        assert!(report.contains(part), "no {part}");
    }
    for part in ["http", "<script", "<link", "NaN", "\"inf", "\"-inf"] {
        assert!(!report.contains(part), "{part} in the report");
    }
    assert_eq!(report.matches("<svg").count(), report.matches("aria-label").count());
    assert!(
        report.contains("Ground truth of the generated data") && report.contains("<dt>network.hidden</dt><dd>16</dd>")
    );
}

#[test]
fn a_run_repeated_from_its_file_is_the_same_bytes_on_any_number_of_threads() {
    let place = with_network();
    fit(&place, &["--out", "one", "--jobs", "1", "--seed", "18446744073709551615"]).succeeded();
    place.bgcn(&["fit", "--config", "one/run.toml", "--out", "four", "--jobs", "4", "--quiet"]).succeeded();
    let (one, four) = (contents(&place.path().join("one")), contents(&place.path().join("four")));
    for (name, bytes) in &one {
        assert!(four[name] == *bytes, "{name} differs");
    }
    assert_eq!(one.len(), four.len());

    place.bgcn(&["fit", "--config", "one/run.toml", "--set", "network.hidden=8"]).refused(&["--set", "file of a run"]);
    place.bgcn(&["fit", "--config", "one/run.toml", "--seed", "8"]).refused(&["--seed", "file of a run"]);
    place.bgcn(&["fit", "karate", "--config", "one/run.toml"]).refused(&["NAME", "file of a run"]);
    let labels = std::fs::read_to_string(place.path().join("g/labels.csv")).unwrap();
    place.file("g/labels.csv", labels.replacen(",biology\n", ",chemistry\n", 1));
    place.bgcn(&["fit", "--config", "one/run.toml"]).refused(&["has changed", "fingerprint", "Restore the data"]);
}

#[test]
fn json_keeps_its_keys_and_writes_nothing() {
    let place = with_network();
    let found = fit(&place, &["--json"]).succeeded().json();
    let keys = [
        "dataset",
        "method",
        "split",
        "labels_per_class",
        "seed",
        "test_accuracy",
        "test_nll",
        "test_ece",
        "test_brier",
    ];
    assert!(keys.iter().all(|key| !found[key].is_null()), "{found}");
    let edges = &found["edges_found"];
    assert!(edges["suspicious_average_precision"].is_f64() && edges["missing_average_precision"].is_f64(), "{found}");
    assert!(edges["suspicious_curve"].is_null(), "curves are for the folder");
    assert!(["load", "train", "total"].iter().all(|key| found["seconds"][key].is_f64()), "{found}");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1, "only the data is there");
    fit(&place, &["--no-files"]).succeeded();
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 1);
    // Without ground truth, edges are not judged for the scores alone.
    place.bgcn(&["data", "convert", "g", "--out", "g.graphml", "--quiet"]).succeeded();
    let run = place.bgcn(&[&["fit", "g.graphml", "--quiet", "--json"], &QUICK[..]].concat()).succeeded().json();
    assert!(run["test_accuracy"].is_f64() && run["links"].is_null() && run["edges_found"].is_null(), "{run}");
    let plain = fit(&place, &["--json", "--out", "run"]).succeeded().json();
    assert!(plain["plain"]["test_accuracy"].is_f64() && plain["out"] == "run", "{plain}");
}

/// Two circles of ten, joined by an edge; two members of each are labelled.
fn circles(place: &Workplace) {
    let mut edges = String::from("source,target\nann 0,\"bob, 0\"\n");
    for i in 0..10 {
        for step in [1, 2, 3] {
            let j = (i + step) % 10;
            let _ = writeln!(edges, "ann {i},ann {j}\n\"bob, {i}\",\"bob, {j}\"");
        }
    }
    place.file("edges.csv", edges);
    place.file("labels.csv", "id,label\nann 1,red & <warm>\nann 5,red & <warm>\n\"bob, 2\",blue\n\"bob, 6\",blue\n");
}

#[test]
fn own_names_come_back_unlabelled_nodes_are_predicted_and_nothing_is_judged() {
    let place = Workplace::new();
    circles(&place);
    let arguments = ["fit", "--edges", "edges.csv", "--labels", "labels.csv", "--out", "run", "--quiet"];
    let run = place.bgcn(&arguments).succeeded();
    assert!(run.stdout.contains("No test node has a label"), "{}", run.stdout);
    let files = contents(&place.path().join("run"));
    let metrics: serde_json::Value = serde_json::from_slice(&files["metrics.json"]).unwrap();
    assert!(metrics.get("test").is_none() && metrics["plain"].get("test").is_none(), "{metrics}");
    let predictions = String::from_utf8(files["predictions.csv"].clone()).unwrap();
    assert!(predictions.starts_with("id,label,set,predicted,p_blue,p_red & <warm>,entropy"), "{predictions}");
    assert_eq!(predictions.lines().count(), 21);
    assert!(predictions.contains("ann 1,red & <warm>,train,red & <warm>,"), "{predictions}");
    assert!(predictions.contains("\"bob, 4\",,none,blue,"), "{predictions}");
    let report = String::from_utf8(files["report.html"].clone()).unwrap();
    assert!(!report.contains("<b>Spurious edges.</b>"), "there is no ground truth");
    assert!(report.contains("red &amp; &lt;warm&gt;") && !report.contains("<warm>"));
    assert_eq!(place.bgcn(&["predict", "run"]).succeeded().stdout.lines().count(), 21);
    place.file("other.csv", "source,target\nann 1,ann 2\n");
    place.bgcn(&["predict", "run", "other.csv"]).refused(&["without features", "Fit again"]);
    // Without the labels, the same nodes are numbered in another order.
    place.bgcn(&["predict", "run", "edges.csv"]).refused(&["no features", "another order", "Fit again"]);
    let node = place.bgcn(&["edges", "run", "--node", "bob, 0", "--json"]).succeeded().json();
    assert!(
        node["edges"].as_array().unwrap().iter().any(|edge| edge["source"] == "ann 0" || edge["target"] == "ann 0")
    );
}

#[test]
fn numbers_are_predicted_with_their_spread() {
    let place = Workplace::new();
    let (mut edges, mut features, mut labels) = (String::new(), String::from("id,x,y\n"), String::from("id,label\n"));
    for i in 0..150u32 {
        let _ = writeln!(edges, "n{i},n{}\nn{i},n{}", (i + 1) % 150, (i + 2) % 150);
        let angle = f64::from(i) / 150.0 * std::f64::consts::TAU;
        let _ = writeln!(features, "n{i},{:.4},{:.4}", angle.sin(), angle.cos());
        let noise = f64::from(i * 7919 % 101) / 101.0 - 0.5;
        let _ = writeln!(labels, "n{i},{:.4}", 20.0 + 10.0 * angle.sin() + noise);
    }
    place.file("d/edges.csv", edges);
    place.file("d/features.csv", features);
    place.file("d/labels.csv", labels);
    let arguments = ["fit", "d", "--labels-per-class", "40", "--json", "--out", "run", "--quiet"];
    let found = place.bgcn(&arguments).succeeded().json();
    // The labels spread by 7.1 around their mean.
    assert!(found["test_rmse"].as_f64().unwrap() < 4.0, "{found}");
    assert!(found["test_coverage_90"].is_f64() && found["test_accuracy"].is_null());
    let table = std::fs::read_to_string(place.path().join("run/predictions.csv")).unwrap();
    assert!(table.starts_with("id,label,set,mean,sd,model_sd,noise_sd\nn0,"), "{table}");
    let again = place.bgcn(&["predict", "run"]).succeeded();
    assert!(again.stdout.starts_with("id,label,set,mean") && again.stdout.lines().count() == 151);
}

#[test]
fn what_cannot_be_done_is_refused_before_the_work() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    fit(&place, &["--out", "run"]).refused(&["run", "there is a run already", "--overwrite"]);
    fit(&place, &["--out", "run", "--overwrite"]).succeeded();
    place.file("run/diary.txt", "dear diary");
    fit(&place, &["--out", "run", "--overwrite"]).refused(&["diary.txt", "not part of a run"]);
    place.bgcn(&["fit", "g", "--split", "ramdom"]).refused(&["random, fixed, all, or a file"]);
    let set = |settings: &[&str]| fit(&place, &settings.iter().flat_map(|one| ["--set", one]).collect::<Vec<_>>());
    set(&["network.patience=0"]).refused(&["network.patience", "off, or 1 or more"]);
    set(&["network.learning_rate=NaN"]).refused(&["network.learning_rate", "above 0"]);
    set(&["schedule.averaged=21"]).refused(&["schedule.averaged", "20 draws"]);
    set(&["schedule.drawz=21"]).refused(&["no such setting", "did you mean schedule.draws?"]);
    set(&["schedule.draws"]).refused(&["key=value"]);
    set(&["network.hidden=65536", "network.layers=64"]).refused(&[
        "GB",
        "available",
        "240 nodes",
        "fewer hidden units",
    ]);
    place.file("settings.toml", "graph_model = \"sbm\"\n[network]\nhidden = 8\nheads = 2\n");
    fit(&place, &["--config", "settings.toml"]).refused(&["network.heads", "a gcn has no heads"]);
    place.file("old.toml", "version = \"0.1.0\"\n[plan]\nschedule = \"authors\"\n");
    place.bgcn(&["fit", "--config", "old.toml"]).refused(&["old.toml", "earlier version", "fit again"]);
    place.bgcn(&["fit", "--config", "nowhere.toml"]).refused(&["nowhere.toml", "run.toml"]);
    place.file("odd.toml", "version = 3\n");
    place.bgcn(&["fit", "--config", "odd.toml"]).refused(&["odd.toml", "version", "no such setting"]);
    place.bgcn(&["predict", "g"]).refused(&["run.toml"]);
    place.bgcn(&["edges", "run", "--below", "NaN"]).refused(&["--below", "0 to 1"]);
    place.bgcn(&["edges", "run", "--node", "nobody"]).refused(&["run has no node", "nobody"]);
    place.bgcn(&["compare", "run", "g"]).refused(&["run.toml"]);
    fit(&place, &["--graph-model", "observed", "--out", "plain"]).refused(&["no use"]);
    place.bgcn(&["fit", "g", "--graph-model", "observed", "--out", "plain", "--quiet"]).succeeded();
    let judged = place.bgcn(&["edges", "plain"]).succeeded().stdout;
    assert!(judged.contains("P(spurious)"), "without a graph model, edges are judged: {judged}");
}

#[test]
fn a_saved_run_predicts_a_new_node() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    let same = place.bgcn(&["predict", "run"]).succeeded().stdout;
    assert_eq!(same.lines().count(), 241);
    assert_eq!(same, place.bgcn(&["predict", "run", "--jobs", "1"]).succeeded().stdout);

    // The newcomer has the words of node 0 and its neighbours.
    let read = |name: &str| std::fs::read_to_string(place.path().join("g").join(name)).unwrap();
    let words = read("features.csv");
    let copied = words.lines().filter(|line| line.starts_with("0,")).map(|line| format!("newcomer{}\n", &line[1..]));
    let copied: String = copied.collect();
    let edges = read("edges.csv");
    let ends = edges.lines().filter_map(|line| line.strip_prefix("0,").map(|end| format!("newcomer,{end}\n")));
    let ends: String = ends.collect();
    place.file("later/features.csv", format!("{words}{copied}"));
    place.file("later/edges.csv", format!("{edges}{ends}"));
    place.bgcn(&["predict", "run", "later", "--allow-isolated", "--out", "later.csv", "--quiet"]).succeeded();
    let later = std::fs::read_to_string(place.path().join("later.csv")).unwrap();
    let predicted = |id: &str| {
        let line = later.lines().find(|line| line.starts_with(&format!("{id},"))).expect("the node is predicted");
        line.split(',').nth(3).unwrap().to_owned()
    };
    assert_eq!(predicted("newcomer"), predicted("0"));
    assert_eq!(later.lines().count(), 242);
    // The data is wrong, not the run.
    place.bgcn(&["predict", "run", "karate"]).refused(&["this data has no features", "Give the columns of the fit"]);
    let object = place.bgcn(&["predict", "run", "--json"]).succeeded().json();
    assert_eq!(object["predictions"].as_array().unwrap().len(), 240);
}

#[test]
fn every_graph_model_fits_repeats_predicts_and_has_its_say_on_edges() {
    let place = with_network();
    for (model, setting, value) in [
        ("copying", "copy", "0.7"),
        ("sbm", "prior_strength", "2.5"),
        ("dcsbm", "degree_prior", "0.5"),
        ("mmsb", "prior_strength", "2.5"),
    ] {
        let (one, two) = (format!("{model}-1"), format!("{model}-2"));
        let given = format!("{model}.{setting}={value}");
        let run = fit(&place, &["--graph-model", model, "--set", &given, "--out", &one]).succeeded();
        assert!(run.stdout.contains(&format!("gcn+{model} on g")), "{}", run.stdout);
        let config = format!("{one}/run.toml");
        place.bgcn(&["fit", "--config", &config, "--out", &two, "--jobs", "3", "--quiet"]).succeeded();
        assert!(contents(&place.path().join(&one)) == contents(&place.path().join(&two)), "{model} differs");
        let metrics = std::fs::read(place.path().join(&one).join("metrics.json")).unwrap();
        let metrics: serde_json::Value = serde_json::from_slice(&metrics).unwrap();
        // By chance it is a third.
        assert!(metrics["test"]["accuracy"].as_f64().unwrap() > 0.6, "{model}: {metrics}");
        let saved = std::fs::read(place.path().join(&one).join("graph-model.json")).unwrap();
        let saved: serde_json::Value = serde_json::from_slice(&saved).unwrap();
        assert_eq!(
            (&saved["model"], &saved["settings"][setting]),
            (&json!(model), &json!(value.parse::<f64>().unwrap()))
        );
        assert_eq!(place.bgcn(&["predict", &one]).succeeded().stdout.lines().count(), 241);
        let edges = place.bgcn(&["edges", &one, "--suspicious", "5", "--missing", "5", "--json"]).succeeded().json();
        let observed = |edge: &&serde_json::Value| edge["observed"] == true;
        let edges = edges["edges"].as_array().unwrap();
        assert_eq!(edges.iter().filter(observed).count(), 5);
        assert_eq!(edges.len(), 10);
    }
    let setting = |model: &str, given: &str| fit(&place, &["--graph-model", model, "--set", given]);
    setting("copying", "copying.copy=NaN").refused(&["copying.copy", "0 to 1"]);
    setting("sbm", "copying.copy=0.5").refused(&["copying.copy", "set graph_model to copying"]);
    setting("sbm", "sbm.prior_strength=NaN").refused(&["sbm.prior_strength", "0 to"]);
    setting("sbm", "sbm.degree_prior=1").refused(&["no such setting", "dcsbm.degree_prior"]);
    setting("sbm", "sbm.draw=sampled").succeeded();
    setting("mmsb", "mmsb.draw=mixed").succeeded();
    setting("sbm", "sbm.draw=mixed").refused(&["sbm.draw", "hard | sampled"]);
    setting("mmsb", "mmsb.draw=sampled").refused(&["mmsb.draw", "hard | mixed"]);
    setting("observed", "belief.self_weight=3").refused(&["belief.self_weight", "not observed"]);
    let several = ["--schedule", "algorithm1", "--json", "--set", "schedule.samples=2", "--set=schedule.lambdas=3"];
    let run = |more: &[&str]| fit(&place, &[&several[..], more].concat());
    run(&["--set=copying.assignment=sampled", "--set=schedule.draws=2"]).succeeded();
    run(&[]).refused(&["schedule.lambdas", "copying.assignment sampled"]);
}

#[test]
fn two_runs_are_compared() {
    let place = with_network();
    fit(&place, &["--out", "a"]).succeeded();
    fit(&place, &["--out", "b", "--set", "network.hidden=8"]).succeeded();
    let run = place.bgcn(&["compare", "a", "b"]).succeeded();
    for part in ["network.hidden", "16", "8", "accuracy", "predicted alike"] {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
    assert!(!run.stdout.contains("network.layers"));
    let object = place.bgcn(&["compare", "a", "a", "--json"]).succeeded().json();
    assert_eq!((&object["settings"], &object["predictions"]["equal"]), (&json!({}), &json!(240)));
    assert_eq!(object["predictions"]["test"]["only_first_right"], json!(0));
}

#[test]
fn a_run_of_version_0_1_is_refused_and_its_settings_fit_again() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    let record = std::fs::read_to_string(place.path().join("run/run.toml")).unwrap();
    let old = record.replace(&format!("version = \"{}\"", env!("CARGO_PKG_VERSION")), "version = \"0.1.0\"");
    assert_ne!(old, record);
    place.file("old/run.toml", old + "\n[settings.erase]\nself_loops = 1\n");
    for command in [&["predict", "old"][..], &["edges", "old"], &["compare", "old", "run"]] {
        place.bgcn(command).refused(&["version 0.1.0", "bgcn fit --config old/run.toml", "erase.self_loops"]);
    }
    let again = place.bgcn(&["fit", "--config", "old/run.toml", "--out", "again"]).succeeded();
    assert!(again.stderr.contains("settings without a successor are left out: erase.self_loops"), "{}", again.stderr);
    let file = |run: &str| std::fs::read(place.path().join(run).join("predictions.csv")).unwrap();
    assert_eq!(file("again"), file("run"));
}

#[test]
fn a_killed_run_leaves_no_folder() {
    let place = with_network();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_bgcn"));
    command.current_dir(place.path()).args([
        "fit",
        "g",
        "--quiet",
        "--set",
        "schedule.draws=10000000",
        "--set",
        "schedule.averaged=5",
        "--out",
        "run",
    ]);
    let mut child = command.spawn().unwrap();
    std::thread::sleep(std::time::Duration::from_millis(400));
    child.kill().unwrap();
    child.wait().unwrap();
    let names: Vec<_> = std::fs::read_dir(place.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["g"]);
}

#[test]
fn graph_models_are_weighed_explained_and_kept() {
    let place = with_network();
    let run = fit(&place, &["--graph-model", "auto", "--out", "run"]).succeeded();
    let texts = ["Held-out links", "Weight", "Only training labels are used"];
    // Each model has a network: no draw belongs to one of several models.
    let averaged = "Each graph model has its own network, and predictions are averaged with these weights";
    for part in texts.into_iter().chain([averaged, "Model weights by held-out links"]) {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
    let files = contents(&place.path().join("run"));
    let metrics: serde_json::Value = serde_json::from_slice(&files["metrics.json"]).unwrap();
    let models = metrics.pointer("/model_weights/models").unwrap().as_array().unwrap();
    assert_eq!((&metrics["method"], models.len()), (&json!("gcn+auto"), 2));
    let page = String::from_utf8(files["report.html"].clone()).unwrap();
    assert!(page.contains("<h2>Graph models</h2>") && page.contains(averaged));
    place.bgcn(&["fit", "--config", "run/run.toml", "--out", "again", "--quiet"]).succeeded();
    assert_eq!(files, contents(&place.path().join("again")));
    place.bgcn(&["predict", "run", "g", "--out", "p.csv", "--quiet"]).succeeded();
}

#[test]
fn models_are_averaged_as_asked_and_refused_where_they_cannot_be() {
    let place = with_network();
    let given = ["--set=average.evidence=0", "--set=sbm.weight=1", "--set=copying.weight=3"];
    fit(&place, &[&["--graph-model", "sbm+copying", "--out", "run"], &given[..]].concat()).succeeded();
    let text = String::from_utf8(contents(&place.path().join("run"))["run.toml"].clone()).unwrap();
    assert!(text.contains("[settings.sbm]") && text.contains("[settings.copying]"), "{text}");
    place.bgcn(&["fit", "--config", "run/run.toml", "--out", "again", "--quiet"]).succeeded();
    assert_eq!(contents(&place.path().join("run")), contents(&place.path().join("again")));
    let model = |names: &str| fit(&place, &["--graph-model", names, "--no-files"]);
    model("magic").refused(&["graph_model", "magic", "copying"]);
    model("copying+observed").refused(&["observed", "averaged"]);
    model("sbm+sbm").refused(&["sbm", "twice"]);
    fit(&place, &["--set", "average.evidence=1", "--no-files"]).refused(&["average.evidence", "several graph models"]);
}

#[test]
fn help_fits_a_screen_and_every_setting_is_listed_once() {
    let place = Workplace::new();
    let help = place.bgcn(&["fit", "-h"]).succeeded().stdout;
    assert!(help.lines().count() <= 55 && help.lines().all(|line| line.chars().count() <= 100), "{help}");
    for model in ["copying  node copying", "mmsbm     the paper's block model", "observed  no model"] {
        assert!(help.contains(model), "no {model} in {help}");
    }
    let listed = place.bgcn(&["settings", "--json"]).succeeded().json();
    let listed = listed["settings"].as_array().unwrap();
    for field in ["default", "range", "source", "help"] {
        assert!(listed.iter().all(|setting| !setting[field].as_str().unwrap().is_empty()), "{field}");
    }
    let keys: Vec<&str> = listed.iter().map(|setting| setting["key"].as_str().unwrap()).collect();
    let schema: Vec<String> = bgcn_core::recipe::schema().into_iter().map(|documented| documented.key).collect();
    assert_eq!(keys, schema);
    let copying = place.bgcn(&["settings", "--graph-model", "copying"]).succeeded().stdout;
    assert!(copying.contains("copying.copy = 0.8 probability") && !copying.contains("mmsbm.delta"), "{copying}");
}

#[test]
fn tables_are_standardised_and_it_is_said() {
    let place = with_network();
    let mut table = "id,revenue,country,year\n".to_owned();
    for a in 0..240u32 {
        let noise = f64::from(a * 7919 % 101) / 20.0;
        writeln!(table, "{a},{},7,{}", 1e6 * noise.exp(), 1950 + a % 70).unwrap();
    }
    place.file("g/features.csv", table);
    let info = place.bgcn(&["data", "info", "g", "--json"]).succeeded().json();
    assert_eq!((&info["scaling"]["name"], &info["scaling"]["why"]), (&json!("standard"), &json!("measured columns")));
    let shown = place.bgcn(&["data", "info", "g"]).succeeded().stdout;
    assert!(shown.contains("standard (measured columns): 2 of 3 columns standardised"), "{shown}");
    let run = place.bgcn(&[&["fit", "g", "--out", "run"], &QUICK[..]].concat()).succeeded();
    assert!(run.stdout.contains("Features: 2 of 3 columns standardised"), "{}", run.stdout);
    assert!(run.stderr.contains("1 constant column dropped"), "{}", run.stderr);
    let report = std::fs::read_to_string(place.path().join("run/report.html")).unwrap();
    assert!(report.contains("Features: 2 of 3 columns standardised"));
    place.bgcn(&["predict", "run", "--quiet"]).succeeded();
    let text = |more: &[&str]| fit(&place, &[&["--json"], more].concat()).succeeded().json()["scaling"].clone();
    assert_eq!(text(&["--scale", "as_is"]), "features as they are");
    assert!(text(&["--scale", "z_score"]).as_str().unwrap().starts_with("2 of 3 columns as z-scores"));
    fit(&place, &["--scale", "magic"]).refused(&["magic"]);
}

#[test]
fn weights_that_are_too_large_are_said_and_give_no_probabilities() {
    let place = Workplace::new();
    place.bgcn(&["fit", "karate", "--no-baseline", "--out", "run", "--quiet"]).succeeded();
    let path = place.path().join("run/model.safetensors");
    let whole = std::fs::read(&path).unwrap();
    let numbers = 8 + u64::from_le_bytes(whole[..8].try_into().unwrap()) as usize;
    for weight in [1e20f32, 3e38] {
        let weights = weight.to_le_bytes().into_iter().cycle().take(whole.len() - numbers);
        std::fs::write(&path, whole[..numbers].iter().copied().chain(weights).collect::<Vec<u8>>()).unwrap();
        let run = place.bgcn(&["predict", "run"]);
        assert!(run.code == 1 && run.stderr.contains("too large"), "{}: {}", run.code, run.stderr);
        assert_eq!(run.stdout, "");
    }
}

#[test]
fn names_cannot_steer_the_terminal() {
    let place = Workplace::new();
    place.file("e.csv", "source,target\n\u{1b}]0;mine\u{7}a,b\nb,c\nc,\u{1b}]0;mine\u{7}a\nc,d\n");
    let run = place.bgcn(&["edges", "--edges", "e.csv"]).succeeded();
    let escaped = |text: &str| text.contains('\u{1b}') || text.contains('\u{7}');
    assert!(run.stdout.contains("\\u{1b}") && !escaped(&run.stdout) && !escaped(&run.stderr), "{}", run.stdout);
    let run = place.bgcn(&["data", "info", "no\u{1b}[31msuch"]);
    assert!(run.code == 2 && !escaped(&run.stderr), "{}", run.stderr);
}
