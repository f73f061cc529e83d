//! `bgcn reproduce` and its `--merge`: on built-in data always, on the paper's where there is some.

use crate::command::{Run, Workplace};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Eight trials on built-in data.
const TINY: [&str; 9] =
    ["reproduce", "demo", "--methods", "gcn,bgcn", "--runs", "4", "--labels-per-class", "5", "--json"];
const TRIALS: usize = 8;

fn tiny(place: &Workplace, out: &str, more: &[&str]) -> Value {
    place.bgcn(&[&TINY[..], &["--out", out], more].concat()).succeeded().json()
}

fn lines(log: &Path) -> usize {
    std::fs::read(log).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

/// Starts the run and kills it (SIGKILL where there is one) a little after so many trials are in the log.
fn kill_after(place: &Workplace, out: &str, trials: usize, pause: Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bgcn"));
    command.current_dir(place.path()).args(TINY).args(["--out", out]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the binary starts");
    let log = place.path().join(out).join("trials.jsonl");
    while lines(&log) < trials && child.try_wait().expect("our own child").is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    std::thread::sleep(pause);
    let _ = child.kill();
    child.wait().expect("our own child");
}

#[test]
fn a_run_killed_twice_goes_on_to_the_same_tables() {
    let place = Workplace::new();
    let whole = tiny(&place, "whole", &["--jobs", "2"]);
    assert_eq!(whole["trials_run"], TRIALS);
    kill_after(&place, "killed", 1, Duration::from_millis(17));
    let log = place.path().join("killed/trials.jsonl");
    let first = lines(&log);
    assert!((1..TRIALS).contains(&first), "{first} trials before the first kill");
    kill_after(&place, "killed", first + 2, Duration::from_millis(41));
    let second = lines(&log);
    assert!(second >= first + 2, "{second} trials before the second kill, {first} before the first");
    let resumed = tiny(&place, "killed", &["--jobs", "1"]);
    assert_eq!((&resumed["trials_run"], &resumed["trials_reused"]), (&(TRIALS - second).into(), &second.into()));
    assert_eq!(resumed["tables"].to_string(), whole["tables"].to_string());
    assert_eq!(resumed["claims"].to_string(), whole["claims"].to_string());
}

#[test]
fn shares_joined_give_the_same_tables_and_a_share_alone_says_so() {
    let place = Workplace::new();
    let whole = tiny(&place, "whole", &[]);
    let first = tiny(&place, "one", &["--shard", "1/2"]);
    assert_eq!((&first["trials_run"], &first["trials_left"]), (&4.into(), &4.into()));
    let page = std::fs::read_to_string(place.path().join("one/results.md")).unwrap();
    assert!(page.contains("**Partial**: 4 trials") && page.contains("--shard 1/2"), "{page}");
    tiny(&place, "two", &["--shard", "2/2"]);
    let merged = place.bgcn(&["reproduce", "--merge", "one", "two", "--out", "both"]).succeeded();
    assert!(
        merged.stdout.contains("8 (accuracy 8; demo 8)") && merged.stdout.contains("--out both"),
        "{}",
        merged.stdout
    );
    let joined = tiny(&place, "both", &[]);
    assert_eq!((&joined["trials_run"], &joined["trials_left"]), (&0.into(), &0.into()));
    assert_eq!(joined["tables"].to_string(), whole["tables"].to_string());
}

/// Two trials on the karate club, in an instant.
fn instant(place: &Workplace, out: &str, more: &[&str]) -> Run {
    let options = ["reproduce", "karate", "--methods", "gcn", "--runs", "2", "--labels-per-class", "3", "--json"];
    place.bgcn(&[&options[..], &["--out", out], more].concat())
}

/// Changes a file by hand.
fn edit(place: &Workplace, file: &str, edit: impl Fn(String) -> String) {
    let path = place.path().join(file);
    std::fs::write(&path, edit(std::fs::read_to_string(&path).unwrap())).unwrap();
}

#[test]
fn merge_says_what_is_wrong_and_what_to_give() {
    let place = Workplace::new();
    place.bgcn(&["reproduce", "--merge", "nowhere"]).refused(&["--out"]);
    place.bgcn(&["reproduce", "karate", "--merge", "a", "--out", "b"]).refused(&["--merge", "cannot be used with"]);
    place
        .bgcn(&["reproduce", "--runs", "2", "--merge", "a", "--out", "b"])
        .refused(&["--merge", "cannot be used with"]);
    place.bgcn(&["reproduce", "--out", "both"]).refused(&["<WHAT>"]);
    place.bgcn(&["reproduce", "--merge", "nowhere", "--out", "both"]).refused(&["nowhere", "bgcn reproduce"]);
    instant(&place, "one", &[]).succeeded();
    instant(&place, "two", &["--seed", "2"]).succeeded();
    place.bgcn(&["reproduce", "--merge", "one", "two", "--out", "both"]).refused(&[
        "one",
        "two",
        "seed differs",
        "shares",
    ]);
    let json = place.bgcn(&["reproduce", "--merge", "one", "--out", "both", "--json"]).succeeded().json();
    assert_eq!((&json["trials"], &json["studies"]["accuracy"]), (&2.into(), &2.into()));
    // Other data under another name gives a remark, under the same name an error.
    place.bgcn(&["data", "convert", "karate", "--out", "club", "--quiet"]).succeeded();
    let on = |data: &str, out: &str| {
        let options = ["--runs", "2", "--methods", "gcn", "--labels-per-class", "2", "--split", "random", "--quiet"];
        place.bgcn(&[&["reproduce", data, "--out", out], &options[..]].concat()).succeeded();
    };
    on("club", "club-one");
    let run = place.bgcn(&["reproduce", "--merge", "one", "club-one", "--out", "set-apart"]).succeeded();
    assert!(run.stdout.contains("club 2, karate 2"), "{}", run.stdout);
    assert!(run.stderr.contains("one has no trials on club"), "{}", run.stderr);
    edit(&place, "club/edges.csv", |edges| edges.replacen("0,1\n", "", 1));
    on("club", "club-two");
    place.bgcn(&["reproduce", "--merge", "club-one", "club-two", "--out", "club-both"]).refused(&[
        "club",
        "other data",
        "same data",
    ]);
    // A variant of the same name, but with another setting.
    for (out, hidden) in [("eight", 8), ("nine", 9)] {
        place.file("v.toml", format!("[[variant]]\nname = \"v\"\nmethod = \"gcn\"\nset.network.hidden = {hidden}\n"));
        instant(&place, out, &["--variants", "v.toml"]).succeeded();
    }
    place.bgcn(&["reproduce", "--merge", "eight", "nine", "--out", "v"]).refused(&[
        "eight",
        "nine",
        "hidden: 8 and 9",
        "\"run\":",
    ]);
}

#[test]
fn merge_remarks_on_processors_of_several_classes_and_takes_an_edited_log_for_one() {
    let place = Workplace::new();
    for out in ["one", "two"] {
        instant(&place, out, &[]).succeeded();
    }
    let other = |log: String| log.replace(r#""accuracy":0."#, r#""accuracy":0.0"#);
    edit(&place, "two/trials.jsonl", other);
    let merge = ["reproduce", "--merge", "one", "two", "--json", "--out"];
    place.bgcn(&[&merge[..], &["same"]].concat()).refused(&["two outcomes", "edited", "RESULTS_EPOCH"]);
    edit(&place, "two/trials.jsonl", |log| log.replace(r#""processor":""#, r#""processor":"other-"#));
    let run = place.bgcn(&[&merge[..], &["both"]].concat()).succeeded();
    assert!(run.stderr.contains("last bits") && run.stderr.contains("other-"), "{}", run.stderr);
    let json = run.json();
    assert_eq!((&json["trials"], &json["repeated"], &json["differing"]), (&2.into(), &2.into(), &2.into()));
    assert_eq!(json["processors"].as_array().unwrap().len(), 2);
}

#[test]
fn logged_trials_run_again_to_the_last_bit() {
    let place = Workplace::new();
    assert_eq!(tiny(&place, "out", &[])["rechecked"], 0);
    let json = tiny(&place, "out", &["--recheck", "5"]);
    assert_eq!((&json["trials_reused"], &json["rechecked"]), (&TRIALS.into(), &5.into()));
    assert_eq!(tiny(&place, "out", &["--recheck", "40"])["rechecked"], TRIALS);
    // In a folder of two studies they are chosen among the trials of both, and run as soon as there are any.
    let place = small_network();
    let options = ["reproduce", "small", "attack-small", "--methods", "gcn", "--runs", "1", "--labels-per-class", "5"];
    let both = place.bgcn(&[&options[..], &["--json", "--recheck", "9"]].concat()).succeeded().json();
    assert_eq!(both["rechecked"], 9);
}

#[test]
fn an_edited_outcome_is_found_by_running_its_trial_again() {
    let place = Workplace::new();
    instant(&place, "out", &[]).succeeded();
    edit(&place, "out/trials.jsonl", |log| log.replacen(r#""ece":0."#, r#""ece":0.0"#, 1));
    let run = instant(&place, "out", &["--recheck", "2"]);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for part in
        ["1 of 2 trials", "accuracy", r#""method":"gcn","run":"#, r#""ece":0.0"#, "logged", "now", "RESULTS_EPOCH"]
    {
        assert!(run.stderr.contains(part), "no {part} in {}", run.stderr);
    }
    edit(&place, "out/trials.jsonl", |log| log.replace(r#""processor":""#, r#""processor":"other-"#));
    let run = instant(&place, "out", &["--recheck", "2"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("last bits") && !run.stderr.contains("RESULTS_EPOCH"), "{}", run.stderr);
    let page = std::fs::read_to_string(place.path().join("out/results.md")).unwrap();
    assert!(!page.contains("several classes"), "all trials are of the other class");
}

#[test]
fn a_log_that_no_run_wrote_is_refused_with_the_line() {
    let place = Workplace::new();
    instant(&place, "out", &[]).succeeded();
    let whole = std::fs::read_to_string(place.path().join("out/trials.jsonl")).unwrap();
    assert!(!whole.contains("hidden"), "a trial refers to its settings");
    let with = |text: String| {
        place.file("out/trials.jsonl", text);
        instant(&place, "out", &[])
    };
    let two = |first: &str| format!("{first}\n{whole}");
    with(whole.replacen(r#""accuracy":0"#, r#""accuracy":-1"#, 1)).refused(&[
        "line 1",
        "accuracy is -1",
        "delete the line",
    ]);
    with(two(&whole[..40])).refused(&["trials.jsonl, line 1", "found `{\"study\"", "delete the line"]);
    let old = r#"{"study":"accuracy","settings":"s","seed":0,"version":"0.1.0","key":1,"outcome":1,"seconds":1.0}"#;
    with(two(old)).refused(&["earlier format", "start a new folder", "version that wrote it"]);
    place.bgcn(&["reproduce", "--merge", "out", "--out", "new"]).refused(&["earlier format"]);
    std::fs::rename(place.path().join("out/settings.jsonl"), place.path().join("away")).unwrap();
    with(whole.clone()).refused(&["line 1", "settings.jsonl does not have"]);
    place.bgcn(&["reproduce", "--merge", "out", "--out", "new"]).refused(&["line 1", "settings.jsonl does not have"]);
}

#[test]
fn other_data_gets_tables_without_the_paper_and_a_page_of_its_own() {
    let place = Workplace::new();
    let run = place.bgcn(&["reproduce", "demo", "--methods", "gcn", "--runs", "2", "--labels-per-class", "5"]);
    let run = run.succeeded();
    assert!(run.stdout.contains("| gcn") && !run.stdout.contains("paper |"), "{}", run.stdout);
    assert!(run.stderr.contains("2 trials run"), "{}", run.stderr);
    let page = std::fs::read_to_string(place.path().join("bgcn-results/results.md")).unwrap();
    assert_eq!(page, run.stdout);
    let html = std::fs::read_to_string(place.path().join("bgcn-results/report.html")).unwrap();
    assert!(html.contains("<table>") && !html.contains("src="), "self-contained");
}

#[test]
fn settings_can_be_chosen_without_a_look_at_the_test_nodes() {
    let place = Workplace::new();
    // 1,000 test and 500 validation nodes are taken first.
    place
        .bgcn(&["data", "generate", "--out", "large", "--nodes", "1700", "--classes", "2", "--words", "60"])
        .succeeded();
    let options = ["reproduce", "large", "--methods", "gcn", "--runs", "2", "--labels-per-class", "5", "--json"];
    let run = |more: &[&str]| place.bgcn(&[&options, more].concat()).succeeded().json();
    let (test, rest) = (run(&[]), run(&["--judge", "rest"]));
    // The log of one is not taken for the other's.
    assert_eq!((&test["trials_run"], &rest["trials_run"]), (&2.into(), &2.into()));
    assert_eq!(run(&["--judge", "rest"])["trials_reused"], 2);
    assert_ne!(test["tables"], rest["tables"]);
    let page = std::fs::read_to_string(place.path().join("bgcn-results/results.md")).unwrap();
    assert!(page.contains("--judge rest") && page.contains("none of the split's sets"), "{page}");
    let small = ["reproduce", "karate", "--methods", "gcn", "--runs", "1", "--judge", "rest", "--out", "small"];
    place.bgcn(&small).refused(&["karate", "no node to judge by"]);
}

/// A network of which 22 nodes are left to attack once 20 of each class are learned from.
fn small_network() -> Workplace {
    let place = Workplace::new();
    let size = ["--nodes", "62", "--mean-degree", "4", "--classes", "2", "--words", "60"];
    place.bgcn(&[&["data", "generate", "--out", "small"], &size[..]].concat()).succeeded();
    place
}

fn attack(place: &Workplace, out: &str, more: &[&str]) -> Value {
    let options = ["reproduce", "attack-small", "--methods", "gcn,gcn+copying", "--runs", "1", "--json", "--out", out];
    place.bgcn(&[&options[..], more].concat()).succeeded().json()
}

#[test]
fn an_attack_in_shares_gives_the_tables_of_one_piece_before_and_after_training() {
    let place = small_network();
    for (kind, folder) in [("poisoning", "p"), ("evasion", "e")] {
        let flag: &[&str] = if kind == "evasion" { &["--evasion"] } else { &[] };
        let [whole, one, two, both] = ["whole", "one", "two", "both"].map(|name| format!("{folder}-{name}"));
        let run = |out: &str, more: &[&str]| attack(&place, out, &[flag, more].concat());
        let all = run(&whole, &[]);
        assert_eq!(all["tables"][0]["attack"], kind);
        let first = run(&one, &["--shard", "1/2"]);
        let second = run(&two, &["--shard", "2/2"]);
        assert_eq!((&first["tables"], &second["tables"]), (&serde_json::json!([]), &serde_json::json!([])));
        // Both shares ran the same two clean trials, to choose the targets.
        let run_in = |json: &Value| json["trials_run"].as_u64().unwrap();
        assert_eq!(run_in(&first) + run_in(&second), run_in(&all) + 2, "{kind}");
        let page = std::fs::read_to_string(place.path().join(&one).join("results.md")).unwrap();
        assert!(page.contains("**Partial**") && page.contains("after training") == (kind == "evasion"), "{page}");
        place.bgcn(&["reproduce", "--merge", &one, &two, "--out", &both]).succeeded();
        let joined = run(&both, &[]);
        assert_eq!((&joined["trials_run"], &joined["trials_left"]), (&0.into(), &0.into()));
        assert_eq!(joined["tables"].to_string(), all["tables"].to_string(), "{kind}");
    }
}

#[test]
fn an_attack_after_training_differs_from_one_before_and_says_so() {
    let place = small_network();
    // One folder for both: neither may take the other's trials for its own.
    let [before, after] = [attack(&place, "out", &[]), attack(&place, "out", &["--evasion"])];
    // Two runs that choose the targets are shared; the evasion is one more run of each method.
    assert_eq!((&after["trials_run"], &after["trials_reused"]), (&2.into(), &2.into()));
    let [before, after] = [&before["tables"][0], &after["tables"][0]];
    assert_eq!((&before["attack"], &after["attack"]), (&"poisoning".into(), &"evasion".into()));
    for (poisoned, evaded) in before["methods"].as_array().unwrap().iter().zip(after["methods"].as_array().unwrap()) {
        let nodes = |method: &Value| -> Vec<u64> {
            method["targets"].as_array().unwrap().iter().map(|target| target["node"].as_u64().unwrap()).collect()
        };
        assert_eq!(nodes(poisoned), nodes(evaded), "the same targets in the same graphs");
        assert_ne!(poisoned["attacked"], evaded["attacked"]);
        assert_ne!(evaded["clean"], evaded["attacked"], "the changed edges reach the trained network");
    }
    let page = std::fs::read_to_string(place.path().join("out/results.md")).unwrap();
    for part in ["--evasion", "## Random attack on small, after training", "(evasion)", "attack-evasion-small.svg"] {
        assert!(page.contains(part), "no {part} in {page}");
    }
    let figures = std::fs::read_dir(place.path().join("out")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut figures: Vec<_> = figures.filter(|name| name.to_string_lossy().starts_with("attack")).collect();
    figures.sort();
    assert_eq!(figures, ["attack-evasion-small.svg", "attack-small.svg"], "SVG and nothing else");
    place.bgcn(&["reproduce", "demo", "--evasion"]).refused(&["--evasion", "attack-cora"]);
    // One folder for two studies is one dataset.
    let both = ["reproduce", "small", "attack-small", "--evasion", "--methods", "gcn", "--runs", "1"];
    let both = place.bgcn(&[&both[..], &["--labels-per-class", "5", "--json", "--out", "both"]].concat());
    let studies = both.succeeded().json()["tables"].clone();
    assert_eq!((&studies[0]["study"], &studies[1]["study"]), (&"accuracy".into(), &"attack".into()));
}

#[test]
fn the_papers_figures_stand_beside_ours() {
    let Some(folder) = std::env::var_os("BGCN_DATA") else {
        println!("skipped: set BGCN_DATA to a folder with the Planetoid files");
        return;
    };
    let place = Workplace::new();
    let folder = folder.to_str().unwrap();
    let run = |what: &[&str], jobs: &str| {
        let options = ["--methods", "gcn,bgcn", "--runs", "2", "--labels-per-class", "5", "--jobs", jobs];
        let more = ["--json", "--data-dir", folder];
        place.bgcn(&[&["reproduce"], what, &options, &more].concat()).succeeded().json()
    };
    let first = run(&["cora"], "2");
    assert_eq!((&first["trials_run"], &first["trials_reused"]), (&8.into(), &0.into()));
    assert_eq!(first["claims"][0]["standing"], "open", "two runs cannot be significant");
    // An incomplete last line is truncated: that trial runs again, the others are reused, the tables are the same.
    let log = place.path().join("bgcn-results/trials.jsonl");
    let bytes = std::fs::read(&log).unwrap();
    std::fs::write(&log, &bytes[..bytes.len() - 9]).unwrap();
    let second = run(&["cora"], "1");
    assert_eq!((&second["trials_run"], &second["trials_reused"]), (&1.into(), &7.into()));
    assert_eq!(first["tables"], second["tables"]);
    let page = std::fs::read_to_string(place.path().join("bgcn-results/results.md")).unwrap();
    assert!(page.contains("| gcn+mmsbm ") && page.contains("74.6 ± 2.8"), "{page}");
    // Studies share a folder: the accuracy trials are still there.
    let all = run(&["datasets", "cora", "edges"], "2");
    assert_eq!((&all["trials_run"], &all["trials_reused"]), (&4.into(), &8.into()));
    let studies: Vec<&str> = all["tables"].as_array().unwrap().iter().map(|t| t["study"].as_str().unwrap()).collect();
    assert_eq!(studies, ["datasets", "datasets", "datasets", "accuracy", "accuracy", "edges", "edges"]);
    assert_eq!(all["tables"][0]["read"]["edges"], 5429);
    assert_eq!(all["tables"][6]["published"], serde_json::json!([39, 177]));
}

#[test]
fn what_is_not_known_is_refused_with_what_is() {
    let place = Workplace::new();
    place.bgcn(&["reproduce", "cora", "--methods", "mlp"]).refused(&["mlp", "chebnet"]);
    place.bgcn(&["reproduce", "corra"]).refused(&["corra", "citeseer", "edges"]);
    place.bgcn(&["reproduce", "attack-corra"]).refused(&["attack-corra", "attack-citeseer"]);
    place.bgcn(&["reproduce", "all"]).refused(&["bgcn data fetch"]);
    place.bgcn(&["reproduce", "demo", "--split", "fixed"]).refused(&["fixed"]);
}

#[test]
fn a_variant_with_another_network_has_the_settings_of_that_network() {
    let place = Workplace::new();
    let text = "[[variant]]\nname = \"v\"\nmethod = \"gcn\"\nset.network.kind = \"chebnet\"\n";
    place.file("variants.toml", text);
    let run = ["reproduce", "karate", "--methods", "gcn", "--runs", "1", "--labels-per-class", "3"];
    let run = place.bgcn(&[&run[..], &["--variants", "variants.toml"]].concat());
    run.succeeded();
    place.file("variants.toml", text.replace("kind = \"chebnet\"", "order = 2"));
    let run = ["reproduce", "karate", "--runs", "1", "--variants", "variants.toml", "--out", "order"];
    place.bgcn(&run).refused(&["`v`", "network.order", "a gcn has no order"]);
}
