//! `run.toml`: every setting of a run, so that it can be repeated to the byte.

use crate::args::{LabelKind, OwnFiles};
use bgcn::data::{BUILT_IN, Error, known};
use clap::ValueEnum as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file's name in a run folder.
pub const FILE: &str = "run.toml";

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    pub run: RunRecord,
    pub data: DataRecord,
    /// Every setting of the recipe, in tables.
    pub settings: Map<String, Value>,
}

/// What was run.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The version of bgcn that ran.
    pub version: String,
    /// Results of other epochs may differ.
    pub results_epoch: u32,
    pub method: String,
    #[serde(serialize_with = "write_seed", deserialize_with = "read_seed")]
    pub seed: u64,
    /// random, fixed, all, or a file.
    pub split: String,
    pub labels_per_class: usize,
    /// Whether the plain network was trained for comparison.
    pub baseline: bool,
}

/// Where the data came from, and what it was.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecord {
    /// The name in tables.
    pub name: String,
    /// A built-in or known set, or the absolute path of a folder or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight_threshold: Option<f64>,
    pub label_kind: String,
    pub allow_isolated: bool,
    /// SHA-256 over the content.
    pub fingerprint: String,
}

/// Whether a name means a set that bgcn knows, rather than files of one's own.
pub fn is_known(name: &str) -> bool {
    BUILT_IN.iter().any(|(built_in, _)| *built_in == name) || known(name).is_some()
}

impl DataRecord {
    pub fn new(name: Option<&str>, own: &OwnFiles, data: &bgcn::data::Dataset) -> anyhow::Result<Self> {
        let absolute = |path: &Option<PathBuf>| path.as_deref().map(std::path::absolute).transpose();
        let source = match name {
            Some(name) if !is_known(name) => Some(std::path::absolute(name)?.display().to_string()),
            name => name.map(str::to_owned),
        };
        Ok(Self {
            name: data.name.clone(),
            source,
            edges: absolute(&own.edges)?,
            features: absolute(&own.features)?,
            labels: absolute(&own.labels)?,
            weight_threshold: own.weight_threshold,
            label_kind: own.label_kind.to_possible_value().map_or("auto".into(), |value| value.get_name().to_owned()),
            allow_isolated: own.allow_isolated,
            fingerprint: data.fingerprint(),
        })
    }

    /// The files as the command line would name them.
    pub fn own_files(&self) -> anyhow::Result<OwnFiles> {
        let label_kind = LabelKind::from_str(&self.label_kind, false).map_err(|_| {
            let found = &self.label_kind;
            Error::Request(format!("data.label_kind is {found:?}; allowed are auto, classes and values"))
        })?;
        Ok(OwnFiles {
            edges: self.edges.clone(),
            features: self.features.clone(),
            labels: self.labels.clone(),
            weight_threshold: self.weight_threshold,
            label_kind,
            allow_isolated: self.allow_isolated,
        })
    }
}

/// A file given by `--config`.
pub enum Config {
    /// A whole run, to be repeated.
    Run(Box<Record>),
    /// Some settings, in tables.
    Settings(Map<String, Value>),
}

impl Config {
    /// Reads the file, or the run.toml in a run folder.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let path = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let refuse = |why: String| Error::Request(format!("reading {}: {why}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| {
            refuse(format!("{error}. Give a file of settings, the folder that `bgcn fit` wrote, or its run.toml."))
        })?;
        let table: Map<String, Value> = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        if table.contains_key("plan") {
            let text = "it was written by an earlier version, whose settings had other names; fit again, or use the \
                        version that \
                        wrote it";
            return Err(refuse(text.into()).into());
        }
        if !table.contains_key("run") {
            return Ok(Self::Settings(table));
        }
        let record = toml::from_str(&text).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::Run(Box::new(record)))
    }
}

impl Record {
    /// Reads the run.toml of a run folder.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        match Config::read(path)? {
            Config::Run(record) => Ok(*record),
            Config::Settings(_) => {
                let text = format!(
                    "reading {}: there is no [run] in it. Give a folder that `bgcn fit` wrote.",
                    path.display()
                );
                Err(Error::Request(text).into())
            }
        }
    }

    /// Every setting by key.
    pub fn by_key(&self) -> BTreeMap<String, Value> {
        let nested = |(table, values): (&String, &Value)| match values {
            Value::Object(values) => {
                values.iter().map(|(name, value)| (format!("{table}.{name}"), value.clone())).collect::<Vec<_>>()
            }
            value => vec![(table.clone(), value.clone())],
        };
        self.settings.iter().flat_map(nested).collect()
    }

    /// Settings by key as tables.
    pub fn tables(settings: BTreeMap<String, Value>) -> Map<String, Value> {
        let mut tables = Map::new();
        for (key, value) in settings {
            match key.split_once('.') {
                None => drop(tables.insert(key, value)),
                Some((table, name)) => {
                    let table = tables.entry(table).or_insert_with(|| Value::Object(Map::new()));
                    table[name] = value;
                }
            }
        }
        tables
    }

    pub fn text(&self) -> anyhow::Result<String> {
        Ok(format!("# `bgcn fit --config run.toml` repeats this run to the byte.\n{}", toml::to_string(self)?))
    }
}

/// TOML numbers have 63 bits; larger seeds are written as text.
fn write_seed<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    match i64::try_from(*seed) {
        Ok(seed) => serializer.serialize_i64(seed),
        Err(_) => serializer.serialize_str(&seed.to_string()),
    }
}

fn read_seed<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(u64),
        Text(String),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(seed) => Ok(seed),
        Written::Text(text) => text.parse().map_err(serde::de::Error::custom),
    }
}
