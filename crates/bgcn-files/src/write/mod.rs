//! Datasets as files that the readers give back equal: a folder of CSV files, an `.npz` file, or GraphML.

mod csv;
mod graphml;
mod npz;
#[cfg(test)]
mod tests;

pub use csv::{check_folder, quoted, write};
pub use graphml::write_graphml;
pub use npz::write_npz;

use bgcn_core::data::{Dataset, Error};
use std::fs;
use std::path::{Path, PathBuf};

/// What to do with a folder or a file that is there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Existing {
    /// Leave it alone and fail.
    #[default]
    Refuse,
    /// Replace a dataset that was written before; fail if the folder holds any other file.
    Replace,
}

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

    /// Whether `path` may be written; worth asking before long work.
    pub fn check(self, path: &Path, existing: Existing) -> Result<(), Error> {
        match self {
            Self::Csv => check_folder(path, existing),
            Self::Npz | Self::GraphMl => check_file(path, existing),
        }
    }

    /// Writes `data` and returns the paths of its files.
    pub fn write(self, data: &Dataset, path: &Path, existing: Existing) -> Result<Vec<PathBuf>, Error> {
        match self {
            Self::Csv => return write(data, path, existing),
            Self::Npz => write_npz(data, path, existing)?,
            Self::GraphMl => write_graphml(data, path, existing)?,
        }
        Ok(vec![path.to_owned()])
    }

    /// What `data` has that this form cannot hold.
    pub fn leaves_out(self, data: &Dataset) -> Vec<&'static str> {
        let split = data.fixed_split.as_ref().map(|_| "the split");
        let truth = data.truth.as_ref().map(|_| "which edges are wrong");
        if self == Self::GraphMl { split.into_iter().chain(truth).collect() } else { Vec::new() }
    }
}

/// Whether the file `path` may be written.
fn check_file(path: &Path, existing: Existing) -> Result<(), Error> {
    let problem = match (path.exists(), path.is_dir(), existing) {
        (_, true, _) => "this is a folder. Choose another name.",
        (true, _, Existing::Refuse) => {
            "the file is there already. Choose another, or allow it to be replaced (`overwrite`)."
        }
        _ => return Ok(()),
    };
    Err(Error::Request(format!("writing {}: {problem}", path.display())))
}

/// Makes the folder that the file `path` will be in, after [`check_file`].
fn prepare(path: &Path, existing: Existing) -> Result<(), Error> {
    check_file(path, existing)?;
    match path.parent() {
        Some(parent) => fs::create_dir_all(parent).map_err(Error::io("writing", parent)),
        None => Ok(()),
    }
}

/// A dataset that cannot be written: what it has, and what to do.
fn refuse(data: &Dataset, what: impl std::fmt::Display, next: &str) -> Error {
    Error::Request(format!("writing {}: {what}. {next}", data.name))
}
