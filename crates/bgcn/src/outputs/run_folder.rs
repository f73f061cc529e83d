//! The run folder: it appears whole or not at all, and no other run is lost for it.

use super::record::FILE as RECORD;
use super::{Findings, Told, write_edges};
use crate::data::Error;
use crate::files::{publish_folder, write_atomically};
use crate::graph_model;
use crate::posterior::{Fit, Task};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Runs of one name that are told apart by numbers.
const MOST: usize = 100_000;

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

/// A folder that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

impl RunFolder {
    /// The folder that was asked for. One that holds anything but a run is refused, and a run too unless `overwrite`
    /// is set.
    pub fn at(path: &Path, overwrite: bool) -> Result<Self, Error> {
        let refuse = |why: String| Err(Error::Request(format!("writing the run to {}: {why}", path.display())));
        if path.file_name().is_none() {
            return refuse("the path does not end in a name. Name a new folder.".into());
        }
        let folder = Self { path: path.to_owned() };
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folder),
            Err(error) => return refuse(format!("{error}. Name a new folder.")),
        };
        let names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        if let Some(other) = names.iter().find(|name| !FILES.contains(&name.as_str())) {
            return refuse(format!("the folder holds {other:?}, which is not part of a run. Choose another folder."));
        }
        if !names.is_empty() && !overwrite {
            return refuse("there is a run already. Choose another folder, or allow it to be overwritten.".into());
        }
        Ok(folder)
    }

    /// The first free folder in `runs` for a run of this name.
    pub fn free(runs: &Path, name: &str) -> Result<Self, Error> {
        Self::free_of(runs, name, MOST)
    }

    fn free_of(runs: &Path, name: &str, most: usize) -> Result<Self, Error> {
        let plain = |c: char| if c.is_alphanumeric() || "+-_.".contains(c) { c } else { '-' };
        let name: String = name.chars().map(plain).collect();
        let numbered = |i: usize| runs.join(if i == 1 { name.clone() } else { format!("{name}-{i}") });
        match (1..=most).map(numbered).find(|path| !path.exists()) {
            Some(path) => Self::at(&path, false),
            None => Err(Error::Request(format!(
                "naming the run: {} to {name}-{most} are all taken. Remove old runs, or name a new folder.",
                runs.join(&name).display()
            ))),
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes all files beside the folder, then gives it its name.
    pub fn write(&self, files: &RunFiles<'_>) -> Result<(), Error> {
        self.publish(|folder| files.each(|name, fill| write_atomically(&folder.join(name), |w| fill(w))))
    }

    /// The same with files that [`RunFiles::bytes`] gave.
    pub fn write_bytes(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), Error> {
        let put = |folder: &Path, (name, bytes): (&String, &Vec<u8>)| {
            write_atomically(&folder.join(name), |w| w.write_all(bytes))
        };
        self.publish(|folder| files.iter().try_for_each(|file| put(folder, file)))
    }

    fn publish(&self, fill: impl FnOnce(&Path) -> io::Result<()>) -> Result<(), Error> {
        publish_folder(&self.path, fill).map_err(Error::io("writing", &self.path))
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
            put(EDGES, &|w| write_edges(w, data, edges))?;
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
    fn runs_of_one_name_are_numbered_until_the_numbers_run_out() {
        let place = tempfile::tempdir().unwrap();
        let free = || RunFolder::free_of(place.path(), "my data/gcn-s0", 3).map(|folder| folder.path);
        for name in ["my-data-gcn-s0", "my-data-gcn-s0-2", "my-data-gcn-s0-3"] {
            let path = free().unwrap();
            assert_eq!(path, place.path().join(name));
            fs::create_dir(path).unwrap();
        }
        let error = free().unwrap_err();
        assert!(error.is_input(), "{error}");
        assert!(error.to_string().contains("my-data-gcn-s0 to my-data-gcn-s0-3 are all taken"), "{error}");
    }

    #[test]
    fn a_run_is_replaced_only_where_that_is_allowed_and_anything_else_never() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run");
        assert!(RunFolder::at(&path, false).is_ok(), "it is not there yet");
        fs::create_dir(&path).unwrap();
        assert!(RunFolder::at(&path, false).is_ok(), "it is empty");
        fs::write(path.join("metrics.json"), "{}").unwrap();
        assert!(RunFolder::at(&path, false).unwrap_err().to_string().contains("a run already"));
        assert!(RunFolder::at(&path, true).is_ok());
        fs::write(path.join("diary.txt"), "").unwrap();
        assert!(RunFolder::at(&path, true).unwrap_err().to_string().contains("diary.txt"));
    }
}
