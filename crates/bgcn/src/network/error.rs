//! What can go wrong with a network, said so that a person knows what to do next.

use std::path::{Path, PathBuf};

/// Why a network could not be set up, trained, written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting outside its range, or two that contradict each other.
    #[error("network setting {name} is {found}; {allowed}")]
    Setting {
        /// The setting, as the builder and the command line call it.
        name: &'static str,
        /// Its value.
        found: String,
        /// What is allowed, and what to do.
        allowed: &'static str,
    },
    /// Data that the network cannot be trained on.
    #[error("{0}")]
    Data(String),
    /// The loss stopped being a number.
    #[error(
        "epoch {epoch} of {network}: the loss is {loss} (learning rate {learning_rate}, weight decay {weight_decay}, dropout {dropout}); try a smaller learning rate, and check that the features have no extreme values"
    )]
    NotFinite {
        /// Counted from 0.
        epoch: usize,
        /// Which network.
        network: &'static str,
        /// What it was.
        loss: f64,
        /// Its setting.
        learning_rate: f64,
        /// Its setting.
        weight_decay: f64,
        /// Its setting.
        dropout: f64,
    },
    /// The operating system refused.
    #[error("{doing} {}: {source}", path.display())]
    Io {
        /// "reading" or "writing".
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file that does not hold the weights of this network.
    #[error("reading weights from {}: {found}; expected {expected}. Were they saved by the same network and settings?", path.display())]
    BadFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        found: String,
        /// What would be right.
        expected: String,
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
        !matches!(self, Self::NotFinite { .. } | Self::Io { doing: "writing", .. })
    }
}
