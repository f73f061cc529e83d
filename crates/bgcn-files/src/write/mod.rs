//! Datasets as files that the readers give back equal: a folder of CSV files, an `.npz` file, or GraphML.

mod csv;
mod graphml;
mod npz;
#[cfg(test)]
mod tests;

pub use csv::{quoted, write};
pub use graphml::write_graphml;
pub use npz::write_npz;

use bgcn_core::data::{Dataset, Error};
use std::fs;
use std::path::{Path, PathBuf};

/// A form of a dataset on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A folder of CSV files, with everything that a dataset has.
    Csv,
    /// One `.npz` file, with everything that a dataset has.
    Npz,
    /// One GraphML file, without a split and without the truth about edges.
    GraphMl,
}

impl Form {
    /// By the ending of a path: `.npz`, `.graphml`, or else a folder of CSV files.
    pub fn of(path: &Path) -> Self {
        let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            Some("npz") => Self::Npz,
            Some("graphml") => Self::GraphMl,
            _ => Self::Csv,
        }
    }

    /// Whether `path` may be written; worth asking before long work. With `overwrite`, a dataset that is there may be
    /// replaced, but no folder that holds any other file.
    pub fn check(self, path: &Path, overwrite: bool) -> Result<(), Error> {
        match self {
            Self::Csv => csv::DATASET.check(path, overwrite).map(|_| ()),
            Self::Npz | Self::GraphMl => check_file(path, overwrite),
        }
    }

    /// Writes `data` and returns the paths of its files.
    pub fn write(self, data: &Dataset, path: &Path, overwrite: bool) -> Result<Vec<PathBuf>, Error> {
        match self {
            Self::Csv => return write(data, path, overwrite),
            Self::Npz => write_npz(data, path, overwrite)?,
            Self::GraphMl => write_graphml(data, path, overwrite)?,
        }
        Ok(vec![path.to_owned()])
    }

    /// What `data` has that this form cannot hold.
    pub fn leaves_out(self, data: &Dataset) -> Vec<&'static str> {
        let split = data.fixed_split.as_ref().map(|_| "the split");
        let truth = data.truth.as_ref().map(|_| "which edges are wrong");
        let names = (!data.node_names.is_empty()).then_some("the names beside the ids");
        let all = [split, truth, names].into_iter().flatten();
        if self == Self::GraphMl { all.collect() } else { Vec::new() }
    }
}

/// Whether the file `path` may be written.
fn check_file(path: &Path, overwrite: bool) -> Result<(), Error> {
    let problem = match (path.exists(), path.is_dir()) {
        (_, true) => "this is a folder. Choose another name.",
        (true, _) if !overwrite => {
            "the file is there already. Choose another, or allow it to be replaced (`overwrite`)."
        }
        _ => return Ok(()),
    };
    Err(Error::Request(format!("writing {}: {problem}", path.display())))
}

/// Makes the folder that the file `path` will be in, after [`check_file`].
fn prepare(path: &Path, overwrite: bool) -> Result<(), Error> {
    check_file(path, overwrite)?;
    match path.parent() {
        Some(parent) => fs::create_dir_all(parent).map_err(Error::io("writing", parent)),
        None => Ok(()),
    }
}

/// A dataset that cannot be written: what it has, and what to do.
fn refuse(data: &Dataset, what: impl std::fmt::Display, next: &str) -> Error {
    Error::Request(format!("writing {}: {what}. {next}", data.name))
}
