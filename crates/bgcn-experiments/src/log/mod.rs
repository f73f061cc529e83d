//! The results of a folder: one JSON line per finished trial, appended and synced, so that a kill loses only trials
//! under way.
//!
//! ```text
//! settings.jsonl   {"hash": …, "settings": {recipe, data, study, epoch}}, once for all trials that share them
//! trials.jsonl     {"study", "settings": hash, "seed", "version", "processor", "key", "outcome", "seconds"}
//! ```
//!
//! Settings are on disk before the first trial that refers to them. A torn last line is cut off when the log is opened.
//! Trials of other settings, seeds and versions stay in the file and are passed over.

mod error;
pub(crate) mod read;
#[cfg(test)]
pub(crate) mod tests;

pub use error::LogError;

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

    /// Opens or creates the log of a folder, checks it, heals torn last lines, and locks it for this process.
    pub fn open(folder: &Path) -> Result<Self, LogError> {
        let (path, settings_path) = (folder.join(Self::FILE), folder.join(Self::SETTINGS));
        std::fs::create_dir_all(folder).map_err(|source| LogError::Io { path: folder.to_owned(), source })?;
        let file = open_to_append(&path)?;
        lock(file.try_lock(), &path)?;
        let (settings, whole_settings) = read::settings(&settings_path)?;
        let whole = read::trials((&file, &path), &settings, |_, _| Ok::<(), LogError>(()))?;
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
    ) -> Result<BTreeMap<S::Key, Logged<S::Outcome>>, LogError> {
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
                    let why = "the same trial has another outcome in a line before".into();
                    return Err(LogError::bad_trial((&self.path, number), &text, why));
                }
            }
            Ok(())
        })?;
        Ok(found)
    }

    /// Appends finished trials, after the text of their settings where that is new, and waits until they are on disk:
    /// once for all of them.
    pub(crate) fn append<'t, K: Serialize, O: Serialize>(
        &mut self,
        lines: &[Line<K, O>],
        text_of: impl Fn(&str) -> &'t str,
    ) -> Result<(), LogError> {
        let mut texts = String::new();
        for line in lines {
            let hash = &line.settings;
            if !self.settings.contains_key(hash) {
                let settings = text_of(hash);
                let text = format!("{{\"hash\":\"{hash}\",\"settings\":{settings}}}\n");
                append_text(&self.settings_file, &self.settings_path, &text)?;
                let settings = serde_json::from_str(settings).expect("identities are JSON");
                self.settings.insert(hash.clone(), settings);
            }
            texts += &serde_json::to_string(line).expect("numbers and strings become JSON");
            texts.push('\n');
        }
        match texts.is_empty() {
            true => Ok(()),
            false => append_text(&self.file, &self.path, &texts),
        }
    }
}

fn open_to_append(path: &Path) -> Result<File, LogError> {
    read::refuse_others(path)?;
    let opened = OpenOptions::new().read(true).append(true).create(true).open(path);
    opened.map_err(|source| LogError::Io { path: path.to_owned(), source })
}

/// What became of an attempt to lock a log.
pub(crate) fn lock(attempt: Result<(), TryLockError>, path: &Path) -> Result<(), LogError> {
    attempt.map_err(|error| match error {
        TryLockError::WouldBlock => LogError::InUse { path: path.to_owned() },
        TryLockError::Error(source) => LogError::Io { path: path.to_owned(), source },
    })
}

/// Cuts off what follows the whole lines.
fn cut(file: &File, path: &Path, whole: u64) -> Result<(), LogError> {
    let io = |source| LogError::Io { path: path.to_owned(), source };
    if file.metadata().map_err(io)?.len() > whole {
        file.set_len(whole).and_then(|()| file.sync_all()).map_err(io)?;
    }
    Ok(())
}

fn append_text(mut file: &File, path: &Path, text: &str) -> Result<(), LogError> {
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    written.map_err(|source| LogError::Io { path: path.to_owned(), source })
}
