//! `bgcn reproduce` and `bgcn merge`: on built-in data always, on the paper's where there is some.

mod command;

use command::Workplace;
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
    let merged = place.bgcn(&["merge", "one", "two", "--out", "both"]).succeeded();
    assert!(merged.stdout.contains("8 (accuracy 8)") && merged.stdout.contains("--out both"), "{}", merged.stdout);
    let joined = tiny(&place, "both", &[]);
    assert_eq!((&joined["trials_run"], &joined["trials_left"]), (&0.into(), &0.into()));
    assert_eq!(joined["tables"].to_string(), whole["tables"].to_string());
}

#[test]
fn merge_says_what_is_wrong_and_what_to_give() {
    let place = Workplace::new();
    place.bgcn(&["merge", "nowhere", "--out", "both"]).refused(&["nowhere", "bgcn reproduce"]);
    let line = |seed: u32| {
        format!(r#"{{"study":"a","settings":"s","seed":{seed},"version":"1","key":{seed},"outcome":1,"seconds":1.0}}"#)
            + "\n"
    };
    place.file("one/trials.jsonl", line(1));
    place.file("two/trials.jsonl", line(2));
    place.bgcn(&["merge", "one", "two", "--out", "both"]).refused(&["one", "two", "seed differs", "shares"]);
    let json = place.bgcn(&["merge", "one", "--out", "both", "--json"]).succeeded().json();
    assert_eq!((&json["trials"], &json["studies"]["a"]), (&1.into(), &1.into()));
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
    // A torn last line is healed: that trial runs again, the others are reused, and the tables are the same.
    let log = place.path().join("bgcn-results/trials.jsonl");
    let bytes = std::fs::read(&log).unwrap();
    std::fs::write(&log, &bytes[..bytes.len() - 9]).unwrap();
    let second = run(&["cora"], "1");
    assert_eq!((&second["trials_run"], &second["trials_reused"]), (&1.into(), &7.into()));
    assert_eq!(first["tables"], second["tables"]);
    let page = std::fs::read_to_string(place.path().join("bgcn-results/results.md")).unwrap();
    assert!(page.contains("| bgcn ") && page.contains("74.6 ± 2.8"), "{page}");
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
    place.bgcn(&["reproduce", "all"]).refused(&["bgcn data fetch"]);
    place.bgcn(&["reproduce", "demo", "--split", "fixed"]).refused(&["fixed"]);
}
