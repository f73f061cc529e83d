//! Why a log cannot be used.

use std::path::{Path, PathBuf};

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogError {
    /// The operating system refused.
    #[error("the result log {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A device, a pipe or a folder.
    #[error("the result log {} is no file; give a folder that `bgcn reproduce --out` wrote", path.display())]
    NoFile {
        /// What has its name.
        path: PathBuf,
    },
    /// Another process writes to it.
    #[error("the result log {} is in use by another run; wait for it, or give this one its own folder", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It was written before settings were stored.
    #[error(
        "the result log {} has an earlier format, without settings and processor; start a new folder, or use the \
         version that wrote it ({version})",
        path.display()
    )]
    Earlier {
        /// The file.
        path: PathBuf,
        /// What its lines say.
        version: String,
    },
    /// A line that no run writes.
    #[error("{}, line {line}: {why}; found `{found}`; {next}, or start a new folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
        /// Its beginning.
        found: String,
        /// What to do.
        next: &'static str,
    },
}

impl LogError {
    /// A line of this number and content that no run writes.
    pub(super) fn damaged((path, line): (&Path, usize), text: &[u8], why: String, next: &'static str) -> Self {
        let text = String::from_utf8_lossy(&text[..text.len().min(1000)]);
        let mut found: String = text.chars().take(100).collect();
        if found.len() < text.len() {
            found.push('…');
        }
        Self::Damaged { path: path.to_owned(), line, why, found, next }
    }

    /// The same among the trials.
    pub(super) fn bad_trial(place: (&Path, usize), text: &[u8], why: String) -> Self {
        Self::damaged(place, text, why, "delete the line to run its trial again")
    }

    /// Whether the files are to blame, rather than the system.
    pub(crate) fn is_input(&self) -> bool {
        !matches!(self, Self::Io { .. })
    }
}
