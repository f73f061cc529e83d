//! Runs the real binary in a fresh folder.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// A fresh folder to run in, with no data and no cache of the user's.
pub struct Workplace(TempDir);

impl Workplace {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("inside the folder")).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// Runs `bgcn` with `arguments`.
    pub fn bgcn(&self, arguments: &[&str]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bgcn"));
        command.current_dir(self.path()).args(arguments);
        command.env_remove("BGCN_DATA").env("XDG_CACHE_HOME", self.path()).env("HOME", self.path());
        Run::from(command.output().expect("the binary starts"))
    }
}

/// What a run left.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }
}

impl Run {
    /// Fails the test unless the run did.
    #[track_caller]
    pub fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        self
    }

    /// The run refused its input, and its message holds every part.
    #[track_caller]
    pub fn refused(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, 2, "stdout: {}\nstderr: {}", self.stdout, self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }

    /// The JSON object on the last line.
    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(self.stdout.lines().last().expect("a line of output")).expect("JSON on the last line")
    }
}
