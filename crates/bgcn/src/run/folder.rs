//! The run folder: it appears whole or not at all, and no other run is lost for it.

use super::exact::{ARRAYS, MODEL};
use super::tables::write_edges;
use super::{Findings, PredictionRows, Run};
use crate::record::FILE as RECORD;
use bgcn_core::data::Error;
use bgcn_core::graph_model;
use bgcn_files::files::{Folder, write_new};
use std::io;
use std::path::{Path, PathBuf};

const PREDICTIONS: &str = "predictions.csv";
const EDGES: &str = "edges.csv";
const METRICS: &str = "metrics.json";
const REPORT: &str = "report.html";

/// All files of a run.
const FILES: [&str; 9] =
    [RECORD, ARRAYS, MODEL, graph_model::JSON, graph_model::TENSORS, PREDICTIONS, EDGES, METRICS, REPORT];

/// What a run folder is filled with.
#[derive(Clone, Copy, Debug)]
pub struct RunFiles<'a> {
    /// The run.
    pub run: &'a Run,
    /// What there is to show of it.
    pub findings: &'a Findings<'a>,
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

    fn publish(&self, fill: impl FnOnce(&Path) -> Result<(), Error>) -> Result<PathBuf, Error> {
        match self {
            Self::At { path, overwrite } => RUN.publish(path, *overwrite, fill).map(|()| path.clone()),
            Self::Free { runs, name } => RUN.publish_free(runs, name, fill),
        }
    }
}

impl Run {
    /// Refuses the folder of this run where its table of edges is not what this version writes. The lists of a run are
    /// found from its arrays, so a row that was taken out of the table would still be cleaned away.
    pub fn check_edge_table(&self, folder: &Path) -> Result<(), Error> {
        let path = folder.join(EDGES);
        let (Some(edges), Ok(found)) = (self.edges(), bgcn_files::files::read(&path)) else { return Ok(()) };
        let mut written = Vec::new();
        write_edges(&mut written, edges).map_err(Error::io("writing", &path))?;
        if found == written || self.record().run.version != env!("CARGO_PKG_VERSION") {
            return Ok(());
        }
        let [rows, wanted] = [&found, &written].map(|bytes| bytes.iter().filter(|&&byte| byte == b'\n').count());
        let found = format!("{rows} lines, not the {wanted} that were written, or with other content");
        let next = "edges are left out by the run's own arrays, not by this table; restore or remove it";
        Err(Error::bad_file(&path, found, next))
    }
}

/// Writes one file.
type Fill<'a> = &'a dyn Fn(&mut dyn io::Write) -> io::Result<()>;

impl RunFiles<'_> {
    /// Gives every file to `put`: those that are read back, then tables and pages.
    fn each(&self, mut put: impl FnMut(&str, Fill<'_>) -> io::Result<()>) -> io::Result<()> {
        let Self { run, findings, page } = *self;
        run.to_files().iter().try_for_each(|(name, bytes)| put(name, &|w| w.write_all(bytes)))?;
        let rows = PredictionRows {
            data: run.data(),
            split: Some(run.split()),
            classes: findings.classes,
            predictions: run.predictions(),
        };
        put(PREDICTIONS, &|w| rows.write(w))?;
        if let Some(edges) = run.edges() {
            put(EDGES, &|w| write_edges(w, edges))?;
        }
        put(METRICS, &|w| writeln!(w, "{:#}", findings.metrics()))?;
        put(REPORT, &|w| w.write_all(page.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_runs_are_plain() {
        let place = tempfile::tempdir().unwrap();
        let RunFolder::Free { name, .. } = RunFolder::free(place.path(), "my data/gcn-s0").unwrap() else { panic!() };
        assert_eq!(name, "my-data-gcn-s0");
    }
}
