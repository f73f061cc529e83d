//! What can go wrong, with what to do next.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why settings are not allowed, data could not be read or used, or a fit did not end. Programs match on
/// [`Error::kind`]; the words are for users.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting outside its range, without use in the recipe, or in contradiction to another.
    #[error("setting {key} is {found}; {allowed}")]
    Setting {
        /// The setting, as `bgcn settings` lists it.
        key: String,
        /// Its value.
        found: String,
        /// What is allowed, and what to do.
        allowed: String,
    },
    /// A file's content is not what it should be.
    #[error(transparent)]
    BadInput(#[from] Box<BadInput>),
    /// A request that the data or the recipe cannot fulfil, such as more labels than a class has.
    #[error("{0}")]
    Request(String),
    /// A dataset or file that does not exist here.
    #[error("{0}")]
    NotFound(String),
    /// A download that did not work.
    #[error("{0}")]
    Fetch(String),
    /// Something stopped being a number.
    #[error("{0}")]
    NotFinite(String),
    /// The watcher of the fit stopped it.
    #[error("the fit was stopped")]
    Stopped,
    /// The operating system refused.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// Such as "reading", "writing" or "making".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

/// What an [`Error`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting is not allowed.
    Setting,
    /// Files or arrays are not what they should be.
    Input,
    /// A dataset or file does not exist.
    NotFound,
    /// Numbers overflowed or vanished.
    Numeric,
    /// The operating system or the network refused.
    Io,
    /// The fit was stopped on request.
    Stopped,
}

impl Error {
    pub(crate) fn setting(key: impl Into<String>, found: impl ToString, allowed: impl Into<String>) -> Self {
        Self::Setting { key: key.into(), found: found.to_string(), allowed: allowed.into() }
    }

    /// A start that does not fit the graph or the settings of a graph model.
    pub(crate) fn start(found: impl fmt::Display) -> Self {
        Self::Request(format!("starting the graph model: {found}"))
    }

    /// An array that is not what it should be: where, what is there, what would be right, what to do next.
    pub(crate) fn bad(
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

    /// A file that does not hold what bgcn writes there.
    pub fn bad_file(path: &Path, found: impl ToString, expected: impl Into<String>) -> Self {
        BadInput::new(path, "", found.to_string()).allowed(expected).into()
    }

    /// What it is about.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Setting { .. } => ErrorKind::Setting,
            Self::BadInput(_) | Self::Request(_) => ErrorKind::Input,
            Self::NotFound(_) => ErrorKind::NotFound,
            Self::NotFinite(_) => ErrorKind::Numeric,
            Self::Io { doing, .. } if doing.starts_with("reading") => ErrorKind::Input,
            Self::Io { .. } | Self::Fetch(_) => ErrorKind::Io,
            Self::Stopped => ErrorKind::Stopped,
        }
    }

    /// Whether settings or input are to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        matches!(self.kind(), ErrorKind::Setting | ErrorKind::Input | ErrorKind::NotFound)
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
        let (place, found) = (place.into(), found.into());
        Self { file: file.to_owned(), place, found, allowed: String::new(), next: String::new() }
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
        for (sign, part) in [(", ", &self.place), (": ", &self.found), ("; ", &self.allowed), (". ", &self.next)] {
            if !part.is_empty() || sign == ": " {
                write!(f, "{sign}{part}")?;
            }
        }
        Ok(())
    }
}
