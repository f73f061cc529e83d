//! What can go wrong with data, said so that a person knows what to do next.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why data could not be read, split or fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file's content is not what it should be.
    #[error(transparent)]
    BadInput(#[from] Box<BadInput>),
    /// The operating system refused.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// Such as "reading" or "writing".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Edges that are no graph.
    #[error(transparent)]
    Graph(#[from] crate::graph::Error),
    /// A request that the data cannot fulfil, such as more labels than a class has.
    #[error("{0}")]
    Request(String),
    /// A dataset that is nowhere to be found.
    #[error("{0}")]
    NotFound(String),
    /// A download that did not work.
    #[error("{0}")]
    Fetch(String),
}

impl Error {
    /// An array that is not what it should be: where, what is there, what would be right, what to do next.
    pub(super) fn bad(
        place: impl fmt::Display,
        found: impl fmt::Display,
        allowed: impl fmt::Display,
        next: &str,
    ) -> Self {
        Self::Request(format!("{place}: {found}; {allowed}. {next}."))
    }

    /// Turns an i/o error into one that names the file.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        !matches!(self, Self::Fetch(_) | Self::Io { doing: "writing", .. })
    }
}

/// Where a file is wrong, what was found, what is allowed, what to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadInput {
    /// The file, as the user would name it.
    pub file: PathBuf,
    /// Where in it: a line, a byte, an array. May be empty.
    pub place: String,
    /// What is there.
    pub found: String,
    /// What would be right.
    pub allowed: String,
    /// What to do next. May be empty.
    pub next: String,
}

impl BadInput {
    /// Bad content in `file`; add the rest with the other methods.
    pub fn new(file: &Path, place: impl Into<String>, found: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            place: place.into(),
            found: found.into(),
            allowed: String::new(),
            next: String::new(),
        }
    }

    /// What would be right.
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.allowed = allowed.into();
        self
    }

    /// What to do next.
    pub fn next(mut self, next: impl Into<String>) -> Self {
        self.next = next.into();
        self
    }
}

impl From<BadInput> for Error {
    fn from(bad: BadInput) -> Self {
        Self::BadInput(Box::new(bad))
    }
}

impl std::error::Error for BadInput {}

impl fmt::Display for BadInput {
    /// `reading FILE, PLACE: FOUND; ALLOWED. NEXT`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reading {}", self.file.display())?;
        if !self.place.is_empty() {
            write!(f, ", {}", self.place)?;
        }
        write!(f, ": {}", self.found)?;
        if !self.allowed.is_empty() {
            write!(f, "; {}", self.allowed)?;
        }
        if !self.next.is_empty() {
            write!(f, ". {}", self.next)?;
        }
        Ok(())
    }
}
