//! The result log: one JSON line per finished trial, appended and synced, so that a kill loses only trials under way.
//!
//! A torn last line is cut off when the log is opened. Lines of other settings stay in the file and are passed over.

use crate::trial::{Key, Outcome};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The operating system refused.
    #[error("the result log {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Another process writes to it.
    #[error("the result log {} is in use by another run; wait for it, or give this one its own folder with --out", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

/// A finished trial, as logged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) settings: String,
    pub(crate) seed: u64,
    pub(crate) version: String,
    #[serde(flatten)]
    pub(crate) key: Key,
    #[serde(flatten)]
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
}

/// An open log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    lines: Vec<Line>,
}

impl Log {
    /// Opens or creates the log, heals a torn last line, and locks it for this process.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let io = |source| LogError::Io { path: path.to_owned(), source };
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(io)?;
        }
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let whole = bytes.iter().rposition(|&b| b == b'\n').map_or(0, |last| last + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).and_then(|()| file.sync_all()).map_err(io)?;
            file.seek(SeekFrom::End(0)).map_err(io)?;
        }
        let lines =
            bytes[..whole].split(|&b| b == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
        Ok(Self { path: path.to_owned(), file, lines })
    }

    /// The trials that finished under these settings and seed; the first counts if there are several.
    pub fn finished(&self, settings: &dyn Fn(&Key) -> String, seed: u64) -> BTreeMap<Key, Outcome> {
        let mut found = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.seed == seed) {
            if line.settings == settings(&line.key) {
                found.entry(line.key.clone()).or_insert(line.outcome);
            }
        }
        found
    }

    /// Appends a finished trial and waits until it is on disk.
    pub(crate) fn append(&mut self, line: Line) -> Result<(), LogError> {
        let mut text = serde_json::to_vec(&line).expect("numbers and strings become JSON");
        text.push(b'\n');
        let written = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        written.map_err(|source| LogError::Io { path: self.path.clone(), source })?;
        self.lines.push(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Cell, SplitName};

    fn line(run: u32, settings: &str) -> Line {
        let cell = Cell { dataset: "cora".into(), split: SplitName::Random, labels_per_class: 5 };
        Line {
            settings: settings.into(),
            seed: 0,
            version: "0".into(),
            key: Key { cell, method: "gcn".into(), run },
            outcome: Outcome {
                accuracy: 0.1 + f64::from(run) / 7.0,
                nll: 1.0 / 3.0,
                ece: 0.0,
                brier: 0.5,
                scaled: None,
            },
            seconds: 0.1,
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_log_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/trials.jsonl");
        for cut in [1, 10, 100] {
            let _ = std::fs::remove_file(&path);
            let mut log = Log::open(&path).unwrap();
            log.append(line(0, "a")).unwrap();
            log.append(line(1, "a")).unwrap();
            drop(log);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            let mut log = Log::open(&path).unwrap();
            assert_eq!(log.finished(&|_| "a".into(), 0).len(), 1);
            log.append(line(1, "a")).unwrap();
            drop(log);
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_settings_and_seeds_are_passed_over_but_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut log = Log::open(&path).unwrap();
        log.append(line(0, "a")).unwrap();
        log.append(line(1, "b")).unwrap();
        assert_eq!(log.finished(&|_| "b".into(), 0).keys().map(|key| key.run).collect::<Vec<_>>(), [1]);
        assert!(log.finished(&|_| "b".into(), 1).is_empty());
        drop(log);
        assert_eq!(Log::open(&path).unwrap().lines.len(), 2);
    }

    #[test]
    fn outcomes_come_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut log = Log::open(&path).unwrap();
        log.append(line(3, "a")).unwrap();
        drop(log);
        let log = Log::open(&path).unwrap();
        assert_eq!(log.lines, [line(3, "a")]);
    }

    #[test]
    fn two_runs_cannot_share_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let _first = Log::open(&path).unwrap();
        assert!(matches!(Log::open(&path), Err(LogError::InUse { .. })));
    }
}
