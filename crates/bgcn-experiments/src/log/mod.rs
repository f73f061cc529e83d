//! The results of a folder: one JSON line per finished trial, appended and synced, so that a kill loses only trials
//! under way.
//!
//! ```text
//! settings.jsonl   {"hash": …, "settings": {recipe, data, study, epoch}}, once for all trials that share them
//! trials.jsonl     {"study", "settings": hash, "seed", "version", "processor", "key", "outcome", "seconds"}
//! ```
//!
//! Settings are on disk before the first trial that refers to them. An incomplete last line is truncated when the log
//! is opened. Trials of other settings, seeds and versions stay in the file and are passed over.

mod joint;
pub(crate) mod read;
#[cfg(test)]
pub(crate) mod tests;

pub use joint::JointLog;

use crate::Error;
use crate::study::Study;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Our version, as trials are marked with it.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Settings by hash.
pub(crate) type Settings = BTreeMap<String, Value>;

/// A finished trial, as logged; read back as JSON, since every study has its own keys and outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line<K = Value, O = Value> {
    pub(crate) study: String,
    /// The hash of the settings.
    pub(crate) settings: String,
    pub(crate) seed: u64,
    pub(crate) version: String,
    /// The class of processor: results of two classes can differ in the last bits.
    pub(crate) processor: String,
    pub(crate) key: K,
    pub(crate) outcome: O,
    pub(crate) seconds: f64,
}

/// What the log has of a trial.
#[derive(Clone, Debug)]
pub(crate) struct Logged<O> {
    pub(crate) outcome: O,
    pub(crate) seconds: f64,
    pub(crate) processor: String,
}

/// An open log.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    file: File,
    settings_path: PathBuf,
    settings_file: File,
    settings: Settings,
}

impl Log {
    /// The name of the log of trials in a results folder.
    pub const FILE: &str = "trials.jsonl";
    /// The name of the file of settings beside it.
    pub const SETTINGS: &str = "settings.jsonl";

    /// Opens or creates the log of a folder, checks it, truncates incomplete last lines, and locks it for this
    /// process.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let (path, settings_path) = (folder.join(Self::FILE), folder.join(Self::SETTINGS));
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let file = open_to_append(&path)?;
        lock(file.try_lock(), &path)?;
        let (settings, whole_settings) = read::settings(&settings_path)?;
        let whole = read::trials((&file, &path), &settings, |_, _| Ok(()))?;
        cut(&file, &path, whole)?;
        let settings_file = open_to_append(&settings_path)?;
        cut(&settings_file, &settings_path, whole_settings)?;
        Ok(Self { path, file, settings_path, settings_file, settings })
    }

    /// The finished trials of a study under the settings given by hash for their key.
    pub(crate) fn finished<S: Study>(
        &self,
        study: &S,
        settings: &BTreeMap<S::Key, String>,
    ) -> Result<BTreeMap<S::Key, Logged<S::Outcome>>, Error> {
        let mut found: BTreeMap<S::Key, Logged<S::Outcome>> = BTreeMap::new();
        read::trials((&self.file, &self.path), &self.settings, |number, line| {
            if line.study != S::NAME || line.seed != study.seed() || line.version != VERSION {
                return Ok(());
            }
            let key = S::Key::deserialize(&line.key).expect("the reader has checked it");
            let outcome = S::Outcome::deserialize(&line.outcome).expect("the reader has checked it");
            match found.get(&key) {
                _ if settings.get(&key) != Some(&line.settings) => {}
                None => {
                    found.insert(key, Logged { outcome, seconds: line.seconds, processor: line.processor });
                }
                Some(first) if first.outcome == outcome => {}
                Some(_) => {
                    let text = serde_json::to_vec(&line).expect("lines become JSON");
                    let why = "the same trial has another outcome in a line before";
                    return Err(Error::bad_trial((&self.path, number), &text, why));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Appends a finished trial, after the text of its settings where that is new, and waits until it is on disk.
    pub(crate) fn append<K: Serialize, O: Serialize>(
        &mut self,
        line: &Line<K, O>,
        settings: &str,
    ) -> Result<(), Error> {
        let hash = &line.settings;
        if !self.settings.contains_key(hash) {
            let text = format!("{{\"hash\":\"{hash}\",\"settings\":{settings}}}\n");
            append_text(&self.settings_file, &self.settings_path, &text)?;
            let settings = serde_json::from_str(settings).expect("identities are JSON");
            self.settings.insert(hash.clone(), settings);
        }
        let text = serde_json::to_string(line).expect("numbers and strings become JSON");
        append_text(&self.file, &self.path, &format!("{text}\n"))
    }
}

fn open_to_append(path: &Path) -> Result<File, Error> {
    read::refuse_others(path)?;
    let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
    opened.map_err(Error::io(path))
}

/// What became of an attempt to lock a log.
pub(crate) fn lock(attempt: Result<(), TryLockError>, path: &Path) -> Result<(), Error> {
    attempt.map_err(|error| match error {
        TryLockError::WouldBlock => Error::Request(format!(
            "the result log {} is in use by another run; wait for it, or give this one its own folder",
            path.display()
        )),
        TryLockError::Error(source) => Error::Io { path: path.to_owned(), source },
    })
}

/// Cuts off what follows the whole lines.
fn cut(file: &File, path: &Path, whole: u64) -> Result<(), Error> {
    let length = file.metadata().map_err(Error::io(path))?.len();
    if length <= whole {
        return Ok(());
    }
    file.set_len(whole).and_then(|()| file.sync_all()).map_err(Error::io(path))
}

fn append_text(mut file: &File, path: &Path, text: &str) -> Result<(), Error> {
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    written.map_err(Error::io(path))
}
