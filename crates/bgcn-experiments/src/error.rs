//! Why an experiment stopped.

use crate::log::LogError;
use std::path::PathBuf;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The result log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// Data, its split, a setting, or anything else of the library's.
    #[error(transparent)]
    Library(#[from] bgcn::Error),
    /// A fit.
    #[error("{method} on {dataset}, run {run}: {source}")]
    Fit {
        /// Which method.
        method: String,
        /// Which dataset.
        dataset: String,
        /// Which run.
        run: u32,
        /// What went wrong.
        source: Box<bgcn::Error>,
    },
    /// A trial gave what no trial can give, or something else than when it was logged.
    #[error("{0}")]
    Outcome(String),
    /// What was asked for cannot be done.
    #[error("{0}")]
    Request(String),
    /// Logs that do not belong together.
    #[error("cannot join the logs of {} and {}: {why}", one.display(), other.display())]
    Mismatch {
        /// A folder.
        one: PathBuf,
        /// Another.
        other: PathBuf,
        /// What differs.
        why: String,
    },
}

impl Error {
    pub(crate) fn fit(method: &str, dataset: &str, run: u32, source: bgcn::Error) -> Self {
        Self::Fit { method: method.to_owned(), dataset: dataset.to_owned(), run, source: Box::new(source) }
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Request(_) | Self::Mismatch { .. } => true,
            Self::Outcome(_) => false,
            Self::Log(error) => error.is_input(),
            Self::Library(error) => error.is_input(),
            Self::Fit { source, .. } => source.is_input(),
        }
    }
}
