//! What can go wrong with a fit, said so that a person knows what to do next.

/// Why a plan is not allowed, or a fit did not end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A setting outside its range, or two that contradict each other.
    #[error("plan setting {name} is {found}; {allowed}")]
    Setting {
        /// The setting, as the builder and the command line call it.
        name: &'static str,
        /// Its value.
        found: String,
        /// What is allowed, and what to do.
        allowed: String,
    },
    /// Data that the plan cannot be carried out on.
    #[error("{0}")]
    Data(String),
    /// The network's part failed.
    #[error(transparent)]
    Network(#[from] crate::network::Error),
    /// The graph model's part failed.
    #[error(transparent)]
    GraphModel(#[from] crate::graph_model::Error),
}

impl Error {
    pub(super) fn setting(name: &'static str, found: impl ToString, allowed: impl Into<String>) -> Self {
        Self::Setting { name, found: found.to_string(), allowed: allowed.into() }
    }

    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Setting { .. } | Self::Data(_) => true,
            Self::Network(error) => error.is_input(),
            Self::GraphModel(error) => !matches!(error, crate::graph_model::Error::NotFinite { .. }),
        }
    }
}
