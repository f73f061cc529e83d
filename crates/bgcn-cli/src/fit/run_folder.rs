//! The run folder: it appears whole or not at all, and no other run is lost for it.

use super::outcome::Outcome;
use super::record;
use crate::report;
use bgcn::data::Error;
use bgcn::files::write_atomically;
use bgcn::run::{Told, write_edges, write_learned};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where runs go that were given no folder.
const RUNS: &str = "bgcn-runs";

/// Runs of one name that are told apart by numbers.
const MOST: usize = 100_000;

/// All files of a run.
const FILES: [&str; 8] = [
    record::FILE,
    "predictions.csv",
    "edges.csv",
    "metrics.json",
    "model.safetensors",
    "graph-model.json",
    "graph-model.safetensors",
    "report.html",
];

/// A folder that may be written.
pub struct RunFolder {
    pub path: PathBuf,
    occupied: bool,
}

impl RunFolder {
    /// The folder that was asked for. One that holds something is refused, or with `overwrite` replaced if it is a run.
    pub fn at(path: &Path, overwrite: bool) -> Result<Self, Error> {
        let refuse = |why: String| Err(Error::Request(format!("writing the run to {}: {why}", path.display())));
        if path.file_name().is_none() {
            return refuse("the path does not end in a name. Name a new folder.".into());
        }
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self { path: path.to_owned(), occupied: false });
            }
            Err(error) => return refuse(format!("{error}. Name a new folder.")),
        };
        let names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        if let Some(other) = names.iter().find(|name| !FILES.contains(&name.as_str())) {
            return refuse(format!("the folder holds {other:?}, which is not part of a run. Choose another folder."));
        }
        if !names.is_empty() && !overwrite {
            return refuse("there is a run already. Choose another folder, or replace it with --overwrite.".into());
        }
        Ok(Self { path: path.to_owned(), occupied: true })
    }

    /// The first free folder for a run of this name.
    pub fn free(name: &str) -> Result<Self, Error> {
        Self::free_in(Path::new(RUNS), name, MOST)
    }

    fn free_in(runs: &Path, name: &str, most: usize) -> Result<Self, Error> {
        let plain = |c: char| if c.is_alphanumeric() || "+-_.".contains(c) { c } else { '-' };
        let name: String = name.chars().map(plain).collect();
        let numbered = |i: usize| runs.join(if i == 1 { name.clone() } else { format!("{name}-{i}") });
        match (1..=most).map(numbered).find(|path| !path.exists()) {
            Some(path) => Self::at(&path, false),
            None => Err(Error::Request(format!(
                "naming the run: {} to {name}-{most} are all taken. Remove old runs, or name a new folder with --out.",
                runs.join(&name).display()
            ))),
        }
    }

    /// Writes everything beside the folder, then gives it its name.
    pub fn write(&self, outcome: &Outcome<'_>) -> anyhow::Result<()> {
        let path = &self.path;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let sibling = |kind| path.with_file_name(format!(".{name}.{kind}-{}", std::process::id()));
        let failed = |source| Error::Io { doing: "writing", path: path.clone(), source };
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let fresh = Scratch(sibling("new"));
        fs::create_dir(&fresh.0).map_err(failed)?;
        fill(&fresh.0, outcome)?;
        let old = Scratch(sibling("old"));
        if self.occupied {
            fs::rename(path, &old.0).map_err(failed)?;
        }
        if let Err(error) = fs::rename(&fresh.0, path) {
            if self.occupied {
                fs::rename(&old.0, path).map_err(failed)?;
            }
            return Err(failed(error).into());
        }
        Ok(())
    }
}

/// A folder that goes when it is no longer needed, also after an error.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It was renamed, or was never made, where this fails.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn fill(folder: &Path, outcome: &Outcome<'_>) -> anyhow::Result<()> {
    let (job, fit) = (outcome.job, outcome.fit);
    let text = |name: &str, content: &str| write_atomically(&folder.join(name), |w| w.write_all(content.as_bytes()));
    let classes = outcome.classes();
    let told = Told { data: &job.data, split: Some(&job.split), classes, predictions: &fit.predictions };
    write_atomically(&folder.join("predictions.csv"), |w| told.write(w))?;
    if let (Some(beliefs), Some(edges)) = (&fit.beliefs, &outcome.edges) {
        write_atomically(&folder.join("edges.csv"), |w| write_edges(w, &job.data, beliefs, &edges.missing))?;
    }
    if let Some(lambda) = &fit.lambda {
        job.plan.model().saved(lambda.clone(), job.record.seed).write(folder)?;
    }
    write_learned(&folder.join("model.safetensors"), &fit.learned, classes)?;
    text("metrics.json", &format!("{}\n", serde_json::to_string_pretty(&outcome.metrics())?))?;
    text("report.html", &report::page(outcome))?;
    text(record::FILE, &job.record.text()?)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_name_are_numbered_until_the_numbers_run_out() {
        let place = tempfile::tempdir().unwrap();
        let free = || RunFolder::free_in(place.path(), "my data/gcn-s0", 3).map(|folder| folder.path);
        for name in ["my-data-gcn-s0", "my-data-gcn-s0-2", "my-data-gcn-s0-3"] {
            let path = free().unwrap();
            assert_eq!(path, place.path().join(name));
            fs::create_dir(path).unwrap();
        }
        let error = free().unwrap_err();
        assert!(error.is_input(), "{error}");
        assert!(error.to_string().contains("my-data-gcn-s0 to my-data-gcn-s0-3 are all taken"), "{error}");
        assert!(error.to_string().contains("--out"), "{error}");
    }
}
