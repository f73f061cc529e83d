//! Why an experiment stopped.

use std::path::{Path, PathBuf};

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused to read or write a result log.
    #[error("the result log {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Data, its split, a setting, or anything else of the library's.
    #[error(transparent)]
    Library(#[from] bgcn_core::Error),
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
        source: Box<bgcn_core::Error>,
    },
    /// A trial gave what no trial can give, or something else than when it was logged.
    #[error("{0}")]
    Outcome(String),
    /// What was asked for cannot be done, or not with these logs.
    #[error("{0}")]
    Request(String),
}

impl Error {
    /// What the system said of a file.
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { path: path.to_owned(), source }
    }

    /// Logs that do not belong together.
    pub(crate) fn mismatch(one: &Path, other: &Path, why: &str) -> Self {
        Self::Request(format!("cannot join the logs of {} and {}: {why}", one.display(), other.display()))
    }

    /// A line of this number and content that no run writes.
    pub(crate) fn damaged((path, line): (&Path, usize), text: &[u8], why: &str, next: &str) -> Self {
        let text = String::from_utf8_lossy(&text[..text.len().min(1000)]);
        let mut found: String = text.chars().take(100).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        let place = path.display();
        Self::Request(format!("{place}, line {line}: {why}; found `{found}`; {next}, or start a new folder"))
    }

    /// The same among the trials.
    pub(crate) fn bad_trial(place: (&Path, usize), text: &[u8], why: &str) -> Self {
        Self::damaged(place, text, why, "delete the line to run its trial again")
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Request(_) => true,
            Self::Outcome(_) | Self::Io { .. } => false,
            Self::Library(error) => error.is_input(),
            Self::Fit { source, .. } => source.is_input(),
        }
    }
}
