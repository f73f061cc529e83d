//! The one reader of logs, for resuming, joining and tables: line by line, every line checked.
//!
//! A line is whole if it ends; an incomplete last line was cut off by a kill and is left out. Anything else that a run
//! would not have written is an error with its place.

use super::{Line, Settings};
use crate::Error;
use crate::accuracy::Accuracy;
use crate::attack::{Attacked, Clean};
use crate::calibration::Calibration;
use crate::edges::Edges;
use crate::identity::{canonical, digest};
use crate::planted::Planted;
use crate::study::Study;
use serde::Deserialize;
use serde_json::Value;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::Path;

/// Every study that writes to a log, and how a line of it is checked.
const STUDIES: [(&str, fn(&Line) -> Result<(), String>); 6] = [
    (Accuracy::NAME, check_as::<Accuracy<'static>>),
    (Edges::NAME, check_as::<Edges<'static>>),
    (Clean::NAME, check_as::<Clean<'static>>),
    (Attacked::NAME, check_as::<Attacked<'static>>),
    (Planted::NAME, check_as::<Planted<'static>>),
    (Calibration::NAME, check_as::<Calibration>),
];

/// Bytes of the longest line that is read; trials and settings have a few thousand.
const LONGEST: u64 = 16 << 20;

/// Settings as they are stored.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    hash: String,
    settings: Value,
}

/// The settings in a file, none if there is no file, and the length of its whole lines.
pub(crate) fn settings(path: &Path) -> Result<(Settings, u64), Error> {
    let file = match open(path) {
        Ok(file) => file,
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => return Ok(Default::default()),
        Err(error) => return Err(error),
    };
    let mut found = Settings::new();
    let length = whole_lines(&file, path, |number, text| {
        let damaged = |why: &str| Error::damaged((path, number), text, why, "put the file back as it was");
        let stored: Stored = serde_json::from_slice(text).map_err(|error| damaged(&error.to_string()))?;
        if digest(&canonical(stored.settings.clone())) != stored.hash {
            return Err(damaged("the settings have another hash than is written beside them"));
        }
        found.insert(stored.hash, stored.settings);
        Ok(())
    })?;
    Ok((found, length))
}

/// Calls `take` with the number and content of every trial; the length of the whole lines.
pub(crate) fn trials(
    (file, path): (&File, &Path),
    settings: &Settings,
    mut take: impl FnMut(usize, Line) -> Result<(), Error>,
) -> Result<u64, Error> {
    whole_lines(file, path, |number, text| {
        let damaged = |why: &str| Error::bad_trial((path, number), text, why);
        let value: Value = serde_json::from_slice(text).map_err(|error| damaged(&error.to_string()))?;
        if value.get("study").is_some() && value.get("processor").is_none() {
            return Err(Error::Request(format!(
                "the result log {} has an earlier format, without settings and processor; start a new folder, or use \
                 the version that wrote it ({})",
                path.display(),
                value["version"].as_str().unwrap_or("unknown")
            )));
        }
        let line = Line::deserialize(value).map_err(|error| damaged(&error.to_string()))?;
        check(&line, settings).map_err(|why| damaged(&why))?;
        take(number, line)
    })
}

fn check(line: &Line, settings: &Settings) -> Result<(), String> {
    let Line { study, settings: hash, .. } = line;
    let Some((_, check)) = STUDIES.iter().find(|(name, _)| name == study) else {
        return Err(format!("there is no study `{study}`"));
    };
    match settings.get(hash) {
        None => Err(format!("it refers to settings {hash}, which the folder's {} does not have", super::Log::SETTINGS)),
        Some(settings) if settings["study"]["name"] != **study => {
            Err(format!("it refers to settings {hash}, which are of the study {}", settings["study"]["name"]))
        }
        Some(_) => check(line),
    }
}

fn check_as<S: Study>(line: &Line) -> Result<(), String> {
    S::Key::deserialize(&line.key).map_err(|error| format!("its key: {error}"))?;
    let outcome = S::Outcome::deserialize(&line.outcome).map_err(|error| format!("its outcome: {error}"))?;
    S::check(&outcome)
}

/// A log to be read.
pub(crate) fn open(path: &Path) -> Result<File, Error> {
    refuse_others(path)?;
    File::open(path).map_err(Error::io(path))
}

/// Refuses what is there but no file: a device may have no end.
pub(super) fn refuse_others(path: &Path) -> Result<(), Error> {
    match std::fs::metadata(path) {
        Ok(about) if !about.is_file() => Err(Error::Request(format!(
            "the result log {} is no file; give a folder that `bgcn reproduce --out` wrote",
            path.display()
        ))),
        _ => Ok(()),
    }
}

/// Calls `take` with the number and bytes of every line that ends; the length of them all. One line at a time is in
/// memory.
fn whole_lines(
    file: &File,
    path: &Path,
    mut take: impl FnMut(usize, &[u8]) -> Result<(), Error>,
) -> Result<u64, Error> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    reader.seek(SeekFrom::Start(0)).map_err(Error::io(path))?;
    let (mut line, mut number, mut length) = (Vec::new(), 0, 0);
    loop {
        line.clear();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(Error::io(path))?;
        if line.len() as u64 == LONGEST {
            let why = format!("it is longer than {LONGEST} bytes, which no run writes");
            return Err(Error::bad_trial((path, number + 1), &line, &why));
        }
        if line.pop() != Some(b'\n') {
            return Ok(length);
        }
        number += 1;
        length += line.len() as u64 + 1;
        take(number, &line)?;
    }
}
