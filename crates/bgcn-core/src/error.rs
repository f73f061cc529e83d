//! What can go wrong, said so that a person knows what to do next.

use std::path::{Path, PathBuf};

/// Why a plan is not allowed, data could not be used, or a fit did not end.
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
    /// Data that could not be read, split or fetched.
    #[error(transparent)]
    Input(#[from] crate::data::Error),
    /// Pairs of nodes that are no graph.
    #[error(transparent)]
    Graph(#[from] crate::graph::Error),
    /// Data that the recipe cannot be carried out on.
    #[error("{0}")]
    Data(String),
    /// Something stopped being a number.
    #[error("{0}")]
    NotFinite(String),
    /// Whoever watched the fit stopped it.
    #[error("the fit was stopped")]
    Stopped,
    /// The operating system refused.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// "reading", "writing" or "making".
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that does not hold what bgcn writes there.
    #[error("reading {}: {found}; {expected}", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
        /// What would be right, and what to do.
        expected: String,
    },
}

/// Whose fault an [`Error`] is, for those who sort errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A setting is not allowed.
    Setting,
    /// Files or arrays are not what they should be.
    Input,
    /// Numbers overflowed or vanished.
    Numeric,
    /// The operating system refused.
    Io,
    /// The fit was stopped on request.
    Stopped,
}

impl Error {
    pub(crate) fn setting(key: impl Into<String>, found: impl ToString, allowed: impl Into<String>) -> Self {
        Self::Setting { key: key.into(), found: found.to_string(), allowed: allowed.into() }
    }

    /// A start that does not fit the graph or the settings of a graph model.
    pub(crate) fn start(found: impl std::fmt::Display) -> Self {
        Self::Data(format!("starting the graph model: {found}"))
    }

    /// Turns an i/o error into one that names the file.
    pub fn io(doing: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { doing, path, source }
    }

    /// A file that does not hold what bgcn writes there.
    pub fn bad_file(path: &Path, found: impl ToString, expected: impl Into<String>) -> Self {
        Self::BadFile { path: path.to_owned(), found: found.to_string(), expected: expected.into() }
    }

    /// Whose fault it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Setting { .. } => ErrorKind::Setting,
            Self::Input(error) if !error.is_input() => ErrorKind::Io,
            Self::Input(_) | Self::Graph(_) | Self::Data(_) | Self::BadFile { .. } => ErrorKind::Input,
            Self::NotFinite(_) => ErrorKind::Numeric,
            Self::Io { doing: "reading", .. } => ErrorKind::Input,
            Self::Io { .. } => ErrorKind::Io,
            Self::Stopped => ErrorKind::Stopped,
        }
    }

    /// Whether settings or input are to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        matches!(self.kind(), ErrorKind::Setting | ErrorKind::Input)
    }
}
