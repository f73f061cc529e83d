//! Files and requests that need more memory than there is: refused before the work, with the number.

use super::Run;
use crate::command::Workplace;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

/// The command with 700 MB of address space.
fn bounded(place: &Workplace, words: &[&str]) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 700000 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_bgcn")]).args(words);
    command.current_dir(place.path()).env_remove("BGCN_DATA").env("XDG_CACHE_HOME", place.path());
    Run::from(command.output().unwrap())
}

#[test]
fn a_graph_that_needs_more_memory_than_there_is_is_refused_with_what_would_fit() {
    let place = Workplace::new();
    let mut edges = String::from("source,target\n");
    (0..250_000).for_each(|a| writeln!(edges, "{a},{}", a + 1).unwrap());
    place.file("path/edges.csv", edges);
    let labels: String = (0..40).map(|a| format!("{a},{}\n", ["a", "b"][a % 2])).collect();
    place.file("path/labels.csv", format!("node,label\n{labels}"));
    let reproduce = ["reproduce", "path", "--runs", "1", "--methods", "gcn+copying", "--labels-per-class", "2"];
    let cases: [&[&str]; 4] = [
        &["fit", "path", "--labels-per-class", "2", "--split", "random"],
        &["graph", "fit", "path", "--communities", "400", "--start", "agglomerate", "--out", "model"],
        &["data", "generate", "--nodes", "40000000", "--out", "made"],
        &reproduce,
    ];
    let mut edges = String::from("source,target\n");
    (0..1_500_000).for_each(|a| writeln!(edges, "{a},{}", a + 1).unwrap());
    place.file("longer.csv", edges);
    let judged: &[&str] = &["edges", "--edges", "longer.csv"];
    for words in cases.into_iter().chain([judged]) {
        let run = bounded(&place, words).failed("would fit");
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("available"), "{words:?}: {}", run.stderr);
    }
    for name in ["model", "made", "bgcn-runs"] {
        assert!(!place.path().join(name).exists(), "{name}");
    }
}

#[test]
fn a_small_file_that_unpacks_to_more_than_there_is_is_refused() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\n1,2\n2,3\n");
    let part = "1,2\n".repeat(2_500_000);
    for (tool, name) in [("gzip", "bomb.csv.gz"), ("zstd", "bomb.csv.zst")] {
        place.file("part", &part);
        let mut command = Command::new(tool);
        command.args(["-c", "part"]).current_dir(place.path()).stdout(Stdio::piped());
        // Files one after another are one file: 1 GB in all.
        let Ok(packed) = command.output() else { return eprintln!("skipped: there is no {tool}") };
        place.file(name, packed.stdout.repeat(100));
        let beside = ["fit", "--edges", "edges.csv", "--features", name];
        for words in [&["data", "info", name][..], &["fit", "--edges", name], &beside] {
            let run = bounded(&place, words).failed("not memory for more");
            assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        }
    }
}

#[test]
fn nothing_without_an_end_is_read() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\na,b\nb,c\n");
    let cases: [&[&str]; 10] = [
        &["fit", "/dev/zero"],
        &["fit", "--edges", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--nodes", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--labels", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--features", "/dev/zero"],
        &["fit", "karate", "--config", "/dev/zero"],
        &["reproduce", "karate", "--variants", "/dev/zero"],
        &["predict", "/dev/zero"],
        &["edges", "/dev/zero"],
        &["data", "convert", "/dev/zero", "--out", "new"],
    ];
    for words in cases {
        let run = bounded(&place, words).failed("a device");
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
    }
}
