//! What can go wrong with a graph model, said so that a person knows what to do next.

use std::path::{Path, PathBuf};

/// Why a graph model could not be set up, inferred, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting outside its range, or two that contradict each other.
    #[error("graph model setting {name} is {found}; {allowed}")]
    Setting {
        /// The setting, as the builder and the command line call it.
        name: &'static str,
        /// Its value.
        found: String,
        /// What is allowed, and what to do.
        allowed: &'static str,
    },
    /// A start that does not fit the graph or the settings.
    #[error("starting the graph model: {0}")]
    Start(String),
    /// Something stopped being a number.
    #[error(
        "iteration {iteration} of {inference}: {what} is not finite; try a smaller eps_0 (now {eps_0}) or a larger {remedy}"
    )]
    NotFinite {
        /// Which inference.
        inference: &'static str,
        /// Counted from 0.
        iteration: usize,
        /// phi or theta.
        what: &'static str,
        /// The step size now.
        eps_0: f64,
        /// The scale that slows the step.
        remedy: &'static str,
    },
    /// The operating system refused.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// "reading" or "writing".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that does not hold a saved model.
    #[error("reading {}: {found}; was it written by `bgcn graph fit`? Fit the model again", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
    },
}

impl Error {
    pub(crate) fn setting(name: &'static str, found: impl ToString, allowed: &'static str) -> Self {
        Self::Setting { name, found: found.to_string(), allowed }
    }

    pub(crate) fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::NotFinite { .. } | Self::Io { doing: "writing" | "making", .. })
    }

    pub(crate) fn bad_file(path: &Path, found: impl ToString) -> Self {
        Self::BadFile { path: path.to_owned(), found: found.to_string() }
    }
}
