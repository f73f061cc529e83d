//! The result log: one JSON line per finished trial, appended and synced, so that a kill loses only trials under way.
//!
//! A torn last line is cut off when the log is opened. Lines of other settings stay in the file and are passed over.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
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

/// A finished trial, as logged; read back as JSON, since every study has its own keys and outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line<K = Value, O = Value> {
    pub(crate) study: String,
    pub(crate) settings: String,
    pub(crate) seed: u64,
    pub(crate) version: String,
    pub(crate) key: K,
    pub(crate) outcome: O,
    pub(crate) seconds: f64,
}

/// An open log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    /// As they were when the log was opened.
    lines: Vec<Line>,
}

impl Log {
    /// The name of the log in a results folder.
    pub const FILE: &str = "trials.jsonl";

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

    /// The trials of a study that had finished, with this seed and under the settings given for their key, when the log was
    /// opened, each with the seconds it took; the first counts if there are several.
    pub(crate) fn finished<K: Ord + DeserializeOwned, O: DeserializeOwned>(
        &self,
        study: &str,
        settings: &BTreeMap<K, String>,
        seed: u64,
    ) -> BTreeMap<K, (O, f64)> {
        let mut found = BTreeMap::new();
        for line in self.lines.iter().filter(|line| line.study == study && line.seed == seed) {
            let Ok(key) = K::deserialize(&line.key) else { continue };
            if settings.get(&key) == Some(&line.settings)
                && let Ok(outcome) = O::deserialize(&line.outcome)
            {
                found.entry(key).or_insert((outcome, line.seconds));
            }
        }
        found
    }

    /// Appends a finished trial and waits until it is on disk.
    pub(crate) fn append<K: Serialize, O: Serialize>(&mut self, line: &Line<K, O>) -> Result<(), LogError> {
        let mut text = serde_json::to_vec(line).expect("numbers and strings become JSON");
        text.push(b'\n');
        let written = self.file.write_all(&text).and_then(|()| self.file.sync_data());
        written.map_err(|source| LogError::Io { path: self.path.clone(), source })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(run: u32, settings: &str) -> Line<u32, f64> {
        Line {
            study: "test".into(),
            settings: settings.into(),
            seed: 0,
            version: "0".into(),
            key: run,
            outcome: 0.1 + f64::from(run) / 7.0,
            seconds: 0.1,
        }
    }

    fn finished(path: &Path, settings: &str, seed: u64) -> BTreeMap<u32, (f64, f64)> {
        let settings = (0..9).map(|run| (run, settings.to_owned())).collect();
        Log::open(path).unwrap().finished("test", &settings, seed)
    }

    #[test]
    fn a_torn_last_line_is_cut_off_and_the_log_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/trials.jsonl");
        for cut in [1, 10, 60] {
            let _ = std::fs::remove_file(&path);
            let mut log = Log::open(&path).unwrap();
            log.append(&line(0, "a")).unwrap();
            log.append(&line(1, "a")).unwrap();
            drop(log);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
            assert_eq!(finished(&path, "a", 0).len(), 1);
            Log::open(&path).unwrap().append(&line(1, "a")).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
    }

    #[test]
    fn other_settings_and_seeds_are_passed_over_but_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let mut log = Log::open(&path).unwrap();
        log.append(&line(0, "a")).unwrap();
        log.append(&line(1, "b")).unwrap();
        drop(log);
        assert_eq!(finished(&path, "b", 0).into_keys().collect::<Vec<_>>(), [1]);
        assert!(finished(&path, "b", 1).is_empty());
        assert_eq!(Log::open(&path).unwrap().lines.len(), 2);
    }

    #[test]
    fn outcomes_come_back_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        Log::open(&path).unwrap().append(&line(3, "a")).unwrap();
        assert_eq!(finished(&path, "a", 0)[&3].0.to_bits(), line(3, "a").outcome.to_bits());
    }

    #[test]
    fn two_runs_cannot_share_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trials.jsonl");
        let _first = Log::open(&path).unwrap();
        assert!(matches!(Log::open(&path), Err(LogError::InUse { .. })));
    }
}
