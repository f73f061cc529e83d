//! A log that takes over those of shares, which ran with what it had then.

use super::{Line, Log, read};
use crate::Error;
use std::collections::BTreeSet;
use std::path::Path;

/// A log that takes over those of shares.
#[derive(Debug)]
pub struct JointLog {
    log: Log,
    /// The trials it has: study, settings, seed, version and key.
    known: BTreeSet<String>,
}

impl JointLog {
    /// Opens or creates the log of a folder, as [`Log::open`] does.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let log = Log::open(folder)?;
        let mut known = BTreeSet::new();
        read::trials((&log.file, &log.path), &log.settings, |_, line| {
            known.insert(name(&line));
            Ok(())
        })?;
        Ok(Self { log, known })
    }

    /// Appends the trials of another folder's log that this one does not have; how many these are.
    pub fn take(&mut self, folder: &Path) -> Result<usize, Error> {
        let path = folder.join(Log::FILE);
        let (settings, _) = read::settings(&folder.join(Log::SETTINGS))?;
        let mut lines = Vec::new();
        read::trials((&read::open(&path)?, &path), &settings, |_, line| {
            lines.push(line);
            Ok(())
        })?;
        let before = self.known.len();
        for line in lines {
            if self.known.insert(name(&line)) {
                self.log.append(&line, &settings[&line.settings].to_string())?;
            }
        }
        Ok(self.known.len() - before)
    }
}

fn name(line: &Line) -> String {
    let Line { study, settings, seed, version, key, .. } = line;
    format!("{study} {settings} {seed} {version} {key}")
}
