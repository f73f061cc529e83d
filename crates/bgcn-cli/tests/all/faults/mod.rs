//! The system at fault: a full disk, a folder that cannot be written, a reader that went away, no home, a clock that
//! goes back, many at once. Each ends in a message and an exit code, and loses nothing.

#[cfg(target_os = "linux")]
mod clock;
#[cfg(target_os = "linux")]
mod disk;
mod many;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod pipes;
mod stream;

use crate::command::{Run, Workplace};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Options of a fit that takes little time.
const SHORT: [&str; 7] = ["--epochs", "5", "--no-baseline", "--labels-per-class", "2", "--split", "random"];

/// Data, a run and a model of it, as other commands take them: `data`, `run`, `model`.
fn furnished() -> Workplace {
    let place = Workplace::new();
    let sizes = ["--nodes", "300", "--classes", "3", "--words", "40", "--quiet"];
    place.bgcn(&[&["data", "generate", "--out", "data"], &sizes[..]].concat()).succeeded();
    place.bgcn(&[&["fit", "data", "--out", "run", "--quiet"], &SHORT[..]].concat()).succeeded();
    place.bgcn(&["graph", "fit", "data", "--iterations", "2", "--out", "model", "--quiet"]).succeeded();
    place
}

/// The command in a folder, without data and cache of the user's.
fn bgcn(place: &Workplace) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bgcn"));
    command.current_dir(place.path());
    command.env_remove("BGCN_DATA").env("XDG_CACHE_HOME", place.path()).env("HOME", place.path());
    command
}

/// Files by their path in a folder.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(folder) else { return found };
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(tree(&path).into_iter().map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.insert(name, std::fs::read(&path).unwrap());
        }
    }
    found
}

impl Run {
    /// The run failed with a message that holds the system's error.
    #[track_caller]
    fn failed(self, why: &str) -> Self {
        assert!([1, 2].contains(&self.code), "exit code {}, stderr: {}", self.code, self.stderr);
        assert!(self.stderr.contains(why), "no {why:?} in: {}", self.stderr);
        self.without_panic()
    }

    #[track_caller]
    fn without_panic(self) -> Self {
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}
