//! Pipes as files: each is opened and read once, whatever it holds.

use super::{Run, bgcn};
use crate::command::Workplace;
use std::fmt::Write as _;
use std::process::Command;

const NODES: usize = 20_000;

/// A path of as many edges as no pipe holds at once, its labels, and a split.
fn place() -> Workplace {
    let place = Workplace::new();
    let (mut edges, mut labels) = (String::from("source,target\n"), String::from("id,label\n"));
    (0..NODES).for_each(|a| writeln!(edges, "{a},{}", a + 1).unwrap());
    (0..=NODES).for_each(|a| writeln!(labels, "{a},{}", ["a", "b"][a % 2]).unwrap());
    place.file("edges.csv", edges);
    place.file("labels.csv", labels);
    place
}

/// A line of bash, in which `$BGCN` is the command.
fn bash(place: &Workplace, line: &str) -> Option<Run> {
    let mut command = Command::new("bash");
    command.args(["-c", line]).current_dir(place.path()).env("BGCN", env!("CARGO_BIN_EXE_bgcn"));
    command.env_remove("BGCN_DATA").env("XDG_CACHE_HOME", place.path()).env("HOME", place.path());
    let output = command.output().inspect_err(|error| eprintln!("skipped: {error}")).ok()?;
    Some(Run::from(output).without_panic())
}

#[test]
fn no_row_is_lost_whatever_pipe_a_file_comes_through() {
    let place = place();
    place.bgcn(&["data", "convert", "edges.csv", "--out", "edges.npz"]).succeeded();
    let lines = [
        "cat edges.csv | \"$BGCN\" data info --json --edges /dev/stdin",
        "cat edges.csv | \"$BGCN\" data info --json /dev/stdin",
        "gzip -c edges.csv | \"$BGCN\" data info --json /dev/stdin",
        "cat edges.npz | \"$BGCN\" data info --json --edges /dev/stdin",
        "\"$BGCN\" data info --json /dev/stdin < edges.csv",
        "\"$BGCN\" data info --json <(cat edges.csv)",
        "\"$BGCN\" data info --json --edges <(cat edges.csv) --labels <(cat labels.csv)",
        "mkfifo pipe && { cat edges.csv > pipe & } && \"$BGCN\" data info --json pipe",
    ];
    for line in lines {
        let Some(run) = bash(&place, line) else { return };
        let info = run.succeeded().json();
        let labelled = if line.contains("--labels") { NODES + 1 } else { 0 };
        let found = [&info["nodes"], &info["edges"], &info["labelled"]].map(|count| count.as_u64().unwrap() as usize);
        assert_eq!(found, [NODES + 1, NODES, labelled], "{line}");
    }
}

#[test]
fn a_split_may_come_through_a_pipe() {
    let place = place();
    let split = "printf 'id,set\\n1,train\\n2,train\\n3,test\\n4,test\\n'";
    let fit = "--epochs 2 --no-baseline --no-files --quiet --graph-model observed";
    let line = format!("\"$BGCN\" fit --edges edges.csv --labels labels.csv --split <({split}) {fit} --json");
    let Some(run) = bash(&place, &line) else { return };
    let found = run.succeeded().json();
    assert_eq!((&found["train_nodes"], &found["test_nodes"]), (&2.into(), &2.into()));
}

#[test]
fn a_pipe_that_is_named_twice_is_refused() {
    let place = place();
    let line = "cat edges.csv | \"$BGCN\" data info --edges /dev/stdin --labels /dev/stdin";
    let Some(run) = bash(&place, line) else { return };
    run.refused(&["nothing came through the pipe", "a pipe is read once", "Name it once"]);
}

#[test]
fn a_pipe_where_results_are_written_holds_nothing_up() {
    let place = Workplace::new();
    let made = Command::new("mkfifo").arg(place.path().join(".bgcn-1-0")).status();
    if !made.is_ok_and(|status| status.success()) {
        return eprintln!("skipped: there is no mkfifo");
    }
    let words = ["data", "convert", "karate", "--out", "karate.npz"];
    Run::from(bgcn(&place).args(words).output().unwrap()).succeeded();
    assert!(place.path().join("karate.npz").exists() && place.path().join(".bgcn-1-0").exists());
}
