//! Standard output that is closed or full, and a user without a home.

use super::{bgcn, furnished};
use crate::command::{Run, Workplace};
use std::path::Path;
use std::process::Stdio;

/// Commands that print, in a furnished place.
const PRINTING: [&[&str]; 16] = [
    &["--help"],
    &["--version"],
    &["fit", "--help"],
    &["edges", "run"],
    &["edges", "run", "--json"],
    &["predict", "run"],
    &["predict", "run", "--json"],
    &["compare", "run", "run"],
    &["settings"],
    &["data", "list"],
    &["data", "info", "data"],
    &["graph", "sample", "model", "--no-files"],
    &["graph", "fit", "data", "--iterations", "1", "--json"],
    &["fit", "karate", "--no-files"],
    &["completions", "bash"],
    &["man"],
];

#[test]
fn a_reader_that_went_away_is_no_error() {
    let place = furnished();
    for words in PRINTING {
        let mut child =
            bgcn(&place).args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let run = Run::from(child.wait_with_output().unwrap());
        assert_eq!(run.code, 0, "{words:?}: {}", run.stderr);
        assert!(!run.without_panic().stderr.contains("error:"), "{words:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_standard_output_is_an_error() {
    let place = furnished();
    for words in PRINTING {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let run = Run::from(bgcn(&place).args(words).stdout(full).output().unwrap());
        assert_eq!(run.code, 1, "{words:?}: {}", run.stderr);
        run.failed("No space left on device");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_message_that_cannot_be_printed_changes_no_exit_code() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let place = Workplace::new();
    let code = |words: &[&str]| bgcn(&place).args(words).stdout(Stdio::null()).stderr(full()).status().unwrap().code();
    assert_eq!(code(&["fit", "nowhere"]), Some(2));
    assert_eq!(code(&["no-such-command"]), Some(2));
    assert_eq!(code(&["fit", "karate", "--out", "run"]), Some(0), "bars and remarks are no results");
    assert!(place.path().join("run/run.toml").exists());
}

#[test]
fn without_a_home_everything_but_the_cache_works() {
    for home in [None, Some("/nonexistent/home")] {
        let place = furnished();
        let run = |words: &[&str]| {
            let mut command = bgcn(&place);
            for variable in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR", "USER", "LANG"] {
                command.env_remove(variable);
            }
            command.envs(home.map(|home| ("HOME", home)));
            Run::from(command.args(words).output().unwrap()).without_panic()
        };
        for words in
            [&["data", "list"][..], &["fit", "karate"], &["predict", "run", "--out", "predicted.csv"], &["man"]]
        {
            run(words).succeeded();
        }
        assert!(place.path().join("predicted.csv").exists() && place.path().join("bgcn-runs").is_dir());
        let missing = run(&["fit", "cora"]);
        assert_eq!(missing.code, 2, "{}", missing.stderr);
        assert!(missing.stderr.contains("cora"), "{}", missing.stderr);
        if home.is_none() {
            run(&["data", "fetch", "cora"]).failed("home folder");
        }
        assert!(!Path::new("/nonexistent").exists());
    }
}
