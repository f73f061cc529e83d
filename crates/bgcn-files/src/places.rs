//! Where the known datasets may be.

use std::env;
use std::path::{Path, PathBuf};

/// Folders that are searched for known datasets, first to last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places(Vec<PathBuf>);

impl Places {
    /// `given` (the `--data-dir` option), then `$BGCN_DATA`, then the user's cache folder.
    pub fn new(given: Option<&Path>) -> Self {
        let from_environment = env::var_os("BGCN_DATA").filter(|value| !value.is_empty()).map(PathBuf::from);
        Self(given.map(Path::to_owned).into_iter().chain(from_environment).chain(cache_folder()).collect())
    }

    /// The folders, in the order of the search.
    pub fn folders(&self) -> &[PathBuf] {
        &self.0
    }
}

/// The folder where fetched datasets are kept, by the habits of the operating system. `None` without a home.
pub fn cache_folder() -> Option<PathBuf> {
    let folder = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let home = || folder("HOME");
    let base = if cfg!(target_os = "windows") {
        folder("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        home().map(|home| home.join("Library/Caches"))
    } else {
        folder("XDG_CACHE_HOME").or_else(|| home().map(|home| home.join(".cache")))
    };
    base.map(|base| base.join("bgcn"))
}
