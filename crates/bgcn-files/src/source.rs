//! What is read: a name or a path, or files one by one, and how.

use crate::read::table::{self, Files};
use crate::read::{BUILT_IN, ReadOptions, load};
use crate::{Places, known};
use bgcn_core::data::{Dataset, Error};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where data is read from, as one flat table: `source`, the keys of [`Files`], the keys of [`ReadOptions`].
///
/// Without a name and files it stands for arrays in memory, which cannot be read again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// A built-in or known set, a folder or a file.
    #[serde(rename = "source", default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Files of the user, where no name is given.
    #[serde(flatten)]
    pub files: Option<Files>,
    /// How to read them.
    #[serde(flatten)]
    pub options: ReadOptions,
}

impl Source {
    /// Reads the data.
    pub fn load(&self, places: &Places) -> Result<Dataset, Error> {
        match (&self.name, &self.files) {
            (Some(name), _) => load(name, places, &self.options),
            (None, Some(files)) => table::read(files, &self.options),
            (None, None) => {
                let text = "the data of the run was arrays in memory, so it cannot be read again. Name the data";
                Err(Error::Request(text.into()))
            }
        }
    }

    /// Whether it is the user's data rather than a set that bgcn knows.
    pub fn is_own(&self) -> bool {
        !self.name.as_deref().is_some_and(is_known)
    }

    /// The same from any working folder: paths are absolute.
    pub fn absolute(&self) -> Result<Self, Error> {
        let mut source = self.clone();
        if let Some(name) = source.name.as_mut().filter(|name| !is_known(name)) {
            *name = std::path::absolute(&*name).map_err(Error::io("reading", Path::new(name)))?.display().to_string();
        }
        for path in source.files.iter_mut().flat_map(Files::paths_mut) {
            *path = std::path::absolute(&*path).map_err(Error::io("reading", path))?;
        }
        Ok(source)
    }
}

/// Whether a name means a set that bgcn knows.
fn is_known(name: &str) -> bool {
    BUILT_IN.iter().any(|(built_in, _)| *built_in == name) || known(name).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::{Header, LabelKind};

    #[test]
    fn a_source_is_one_flat_table_and_comes_back() {
        let files = Files { edges: "/e.csv".into(), labels: Some("/l.csv".into()), ..Files::default() };
        let options = ReadOptions { header: Header::No, weight_threshold: Some(2.0), ..ReadOptions::default() };
        let source = Source { name: None, files: Some(files), options };
        let json = serde_json::json!({
            "edges": "/e.csv", "labels": "/l.csv", "header": "no", "weight_threshold": 2.0, "label_kind": "auto",
            "allow_isolated": false,
        });
        assert_eq!(serde_json::to_value(&source).unwrap(), json);
        assert_eq!(serde_json::from_value::<Source>(json).unwrap(), source);
        let named: Source = serde_json::from_value(serde_json::json!({ "source": "demo" })).unwrap();
        assert_eq!(named, Source { name: Some("demo".into()), ..Source::default() });
        assert!(!named.is_own() && source.is_own() && Source::default().is_own());
        let wrong = serde_json::from_value::<Source>(serde_json::json!({ "label_kind": "words" })).unwrap_err();
        assert_eq!(wrong.to_string(), "label_kind is \"words\"; allowed are auto, classes and values");
        assert_eq!("values".parse(), Ok(LabelKind::Values));
    }

    #[test]
    fn paths_become_absolute_and_names_of_sets_stay() {
        let of = |name: &str| Source { name: Some(name.into()), ..Source::default() }.absolute().unwrap().name.unwrap();
        assert_eq!(of("cora"), "cora");
        assert!(Path::new(&of("mine")).is_absolute());
    }
}
