//! The run folder: it appears whole or not at all, and no other run is lost for it.

use super::record::FILE as RECORD;
use super::{Findings, Told, write_edges};
use crate::data::Error;
use crate::files::{Folder, write_new};
use crate::graph_model;
use crate::posterior::{Fit, Task};
use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

pub(super) const PREDICTIONS: &str = "predictions.csv";
pub(super) const EDGES: &str = "edges.csv";
pub(super) const METRICS: &str = "metrics.json";
pub(super) const MODEL: &str = "model.safetensors";
pub(super) const REPORT: &str = "report.html";

/// All files of a run.
pub(super) const FILES: [&str; 8] =
    [RECORD, PREDICTIONS, EDGES, METRICS, MODEL, graph_model::JSON, graph_model::TENSORS, REPORT];

/// What a run folder is filled with.
#[derive(Clone, Copy, Debug)]
pub struct RunFiles<'a> {
    /// What was learned from.
    pub task: Task<'a>,
    /// What was fitted.
    pub fit: &'a Fit,
    /// What was found.
    pub findings: &'a Findings,
    /// The content of `run.toml`.
    pub record: &'a str,
    /// The content of `report.html`.
    pub page: &'a str,
}

const RUN: Folder = Folder { kind: "run", owns: |name| FILES.contains(&name) };

/// A folder that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunFolder {
    /// The one that was asked for.
    At {
        /// Where.
        path: PathBuf,
        /// Whether a run that is there is replaced.
        overwrite: bool,
    },
    /// The first free one of a name.
    Free {
        /// The folder of runs.
        runs: PathBuf,
        /// The name, which gets a number where it is taken.
        name: String,
    },
}

impl RunFolder {
    /// The folder that was asked for. One that holds anything but a run is refused, and a run too unless `overwrite`
    /// is set.
    pub fn at(path: &Path, overwrite: bool) -> Result<Self, Error> {
        RUN.check(path, overwrite)?;
        Ok(Self::At { path: path.to_owned(), overwrite })
    }

    /// The first free folder in `runs` for a run of this name, when it is written.
    pub fn free(runs: &Path, name: &str) -> Result<Self, Error> {
        let plain = |c: char| if c.is_alphanumeric() || "+-_.".contains(c) { c } else { '-' };
        let name: String = name.chars().map(plain).collect();
        RUN.free(runs, &name)?;
        Ok(Self::Free { runs: runs.to_owned(), name })
    }

    /// Writes all files beside the folder, then gives it its name. Where it is.
    pub fn write(&self, files: &RunFiles<'_>) -> Result<PathBuf, Error> {
        self.publish(|folder| {
            let mut last = folder.to_owned();
            let written = files.each(|name, fill| {
                last = folder.join(name);
                write_new(&last, |w| fill(w))
            });
            written.map_err(Error::io("writing", &last))
        })
    }

    /// The same with files that [`RunFiles::bytes`] gave.
    pub fn write_bytes(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<PathBuf, Error> {
        self.publish(|folder| {
            files.iter().try_for_each(|(name, bytes)| {
                let path = folder.join(name);
                write_new(&path, |w| w.write_all(bytes)).map_err(Error::io("writing", &path))
            })
        })
    }

    fn publish(&self, fill: impl FnOnce(&Path) -> Result<(), Error>) -> Result<PathBuf, Error> {
        match self {
            Self::At { path, overwrite } => RUN.publish(path, *overwrite, fill).map(|()| path.clone()),
            Self::Free { runs, name } => RUN.publish_free(runs, name, fill),
        }
    }
}

/// Writes one file.
type Fill<'a> = &'a dyn Fn(&mut dyn io::Write) -> io::Result<()>;

impl RunFiles<'_> {
    /// Every file by its name.
    pub fn bytes(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let put = |name: &str, fill: Fill<'_>| fill(files.entry(name.to_owned()).or_insert(Vec::new()));
        self.each(put).expect("memory takes whatever is written");
        files
    }

    /// Gives every file to `put`.
    fn each(&self, mut put: impl FnMut(&str, Fill<'_>) -> io::Result<()>) -> io::Result<()> {
        let Self { task: Task { data, split, .. }, fit, findings, record, page } = *self;
        let told = Told { data, split: Some(split), classes: &findings.classes, predictions: &fit.predictions };
        put(PREDICTIONS, &|w| told.write(w))?;
        if let Some(edges) = &findings.edges {
            put(EDGES, &|w| write_edges(w, data, Some(&fit.predictions), edges))?;
        }
        if let Some((json, tensors)) = fit.saved_model(findings.about.seed).map(|saved| saved.to_bytes()) {
            if let Some(tensors) = tensors {
                put(graph_model::TENSORS, &|w| w.write_all(&tensors))?;
            }
            put(graph_model::JSON, &|w| w.write_all(&json))?;
        }
        put(MODEL, &|w| w.write_all(&fit.learned.to_bytes()))?;
        put(METRICS, &|w| writeln!(w, "{:#}", findings.metrics()))?;
        put(REPORT, &|w| w.write_all(page.as_bytes()))?;
        put(RECORD, &|w| w.write_all(record.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_plain_and_files_of_runs_are_known() {
        let place = tempfile::tempdir().unwrap();
        let RunFolder::Free { name, .. } = RunFolder::free(place.path(), "my data/gcn-s0").unwrap() else { panic!() };
        assert_eq!(name, "my-data-gcn-s0");
        let path = place.path().join("run");
        let files = BTreeMap::from([(METRICS.to_owned(), b"{}".to_vec())]);
        RunFolder::at(&path, false).unwrap().write_bytes(&files).unwrap();
        let error = RunFolder::at(&path, false).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("a run already"), "{error}");
        assert_eq!(RunFolder::at(&path, true).unwrap().write_bytes(&files).unwrap(), path);
    }
}
