//! A clock that goes back, at every look at it.

use super::{SHORT, bgcn, furnished, tree};
use crate::command::Run;
use std::process::Command;

/// Every clock is ten minutes earlier each time.
const SHIM: &str = r#"
#include <stdatomic.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
    static atomic_long calls;
    (void)clock;
    now->tv_sec = 1700000000L - 600L * atomic_fetch_add(&calls, 1);
    now->tv_nsec = 0;
    return 0;
}
"#;

#[test]
fn a_clock_that_goes_back_changes_nothing_but_times() {
    let place = furnished();
    place.file("shim.c", SHIM);
    let shim = place.path().join("shim.so");
    let mut gcc = Command::new("gcc");
    gcc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&shim).arg("shim.c").current_dir(place.path());
    match gcc.status() {
        Ok(status) if status.success() => {}
        other => return eprintln!("skipped: gcc does not make the clock ({other:?})"),
    }
    let both = |words: &[&str], out: &str| {
        let mut results = Vec::new();
        for preload in [None, Some(&shim)] {
            let _ = std::fs::remove_dir_all(place.path().join(out));
            let mut command = bgcn(&place);
            command.args(words).envs(preload.map(|shim| ("LD_PRELOAD", shim)));
            Run::from(command.output().unwrap()).without_panic().succeeded();
            results.push(tree(&place.path().join(out)));
        }
        (results.remove(0), results.remove(0))
    };
    let (then, now) = both(&[&["fit", "data", "--out", "again"], &SHORT[..]].concat(), "again");
    assert!(!then.is_empty() && then == now, "a run has no times in it");
    let (then, now) = both(&["graph", "fit", "data", "--iterations", "2", "--out", "other"], "other");
    assert!(!then.is_empty() && then == now);
    let (then, now) = both(&["data", "generate", "--nodes", "200", "--out", "made"], "made");
    assert!(!then.is_empty() && then == now);

    let reproduce =
        ["reproduce", "karate", "--runs", "2", "--methods", "gcn", "--labels-per-class", "2", "--out", "results"];
    let (then, now) = both(&reproduce, "results");
    assert!(then.keys().eq(now.keys()), "all files");
    let trials = |files: &std::collections::BTreeMap<String, Vec<u8>>| -> Vec<serde_json::Value> {
        let lines = std::str::from_utf8(&files["trials.jsonl"]).unwrap().lines();
        let mut trials: Vec<serde_json::Value> = lines.map(|line| serde_json::from_str(line).unwrap()).collect();
        for trial in &mut trials {
            let seconds = trial.as_object_mut().unwrap().remove("seconds").unwrap();
            assert!(seconds.as_f64().is_some_and(|seconds| seconds >= 0.0), "{seconds}");
        }
        trials.sort_by_key(|trial| trial["key"].to_string());
        trials
    };
    assert_eq!(trials(&then), trials(&now));
}
