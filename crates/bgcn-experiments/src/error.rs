//! Why an experiment stopped.

use crate::log::LogError;
use serde::Serialize;
use std::path::PathBuf;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The result log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The data or its split.
    #[error(transparent)]
    Data(#[from] bgcn::data::Error),
    /// A setting, or anything else of the library's.
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
    /// A trial gave what no trial can give.
    #[error("the study `{study}`, trial {trial}: {why}; this is a fault of the program, please report it")]
    Impossible {
        /// Which study.
        study: &'static str,
        /// Its key.
        trial: String,
        /// What is wrong with the outcome.
        why: String,
    },
    /// A logged trial gives another outcome when it runs again.
    #[error(
        "{equal} of {of} trials of the study `{study}` are equal to the log when run again, but not trial {trial}: \
         logged {logged}, now {now}; {cause}"
    )]
    Changed {
        /// Which study.
        study: &'static str,
        /// How many are equal.
        equal: usize,
        /// How many ran again.
        of: usize,
        /// The key of the first that differs.
        trial: String,
        /// Its outcome in the log.
        logged: String,
        /// Its outcome now.
        now: String,
        /// What it may mean.
        cause: String,
    },
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

    pub(crate) fn impossible(study: &'static str, key: &impl Serialize, why: String) -> Self {
        Self::Impossible { study, trial: serde_json::to_string(key).expect("keys become JSON"), why }
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Request(_) | Self::Mismatch { .. } => true,
            Self::Impossible { .. } | Self::Changed { .. } => false,
            Self::Log(error) => error.is_input(),
            Self::Data(error) => error.is_input(),
            Self::Library(error) => error.is_input(),
            Self::Fit { source, .. } => source.is_input(),
        }
    }
}
