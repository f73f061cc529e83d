//! `run.toml`: every setting of a run, by which it is repeated to the byte.

use bgcn_core::data::{Dataset, Error, SplitKind};
use bgcn_core::recipe::{RESULTS_EPOCH, Recipe, schema};
pub use bgcn_files::Source;
use bgcn_files::read::{ReadOptions, table};
use bgcn_files::{Places, pasted};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The file's name in a run folder.
pub(crate) const FILE: &str = "run.toml";

/// What was run on what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// What was run.
    pub run: RunRecord,
    /// Where the data came from.
    pub data: DataRecord,
    /// Every setting of the recipe, in tables.
    pub settings: Map<String, Value>,
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// The version of bgcn that ran.
    pub version: String,
    /// Results of other epochs may differ.
    pub results_epoch: u32,
    /// `gcn`, `gcn+mmsbm`, …
    pub method: String,
    /// The seed of all randomness.
    #[serde(serialize_with = "write_seed", deserialize_with = "read_seed")]
    pub seed: u64,
    /// random, fixed, all, given, or a file.
    pub split: String,
    /// Training labels of each class; `None` where the split decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub labels_per_class: Option<usize>,
    /// Whether the plain network was trained for comparison.
    pub baseline: bool,
}

impl RunRecord {
    /// Of this version.
    pub fn new(method: String, seed: u64, split: String, labels_per_class: Option<usize>, baseline: bool) -> Self {
        let version = env!("CARGO_PKG_VERSION").into();
        Self { version, results_epoch: RESULTS_EPOCH, method, seed, split, labels_per_class, baseline }
    }
}

/// Where the data came from, and what it was. Without a source and files it was arrays in memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecord {
    /// The name in tables.
    pub name: String,
    /// A built-in or known set, or the absolute path of a folder or file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Absolute paths, where the files were named one by one.
    #[serde(flatten)]
    pub files: Option<table::Files>,
    /// How they were read.
    #[serde(flatten)]
    pub options: ReadOptions,
    /// SHA-256 over the content.
    pub fingerprint: String,
}

impl DataRecord {
    /// Of data that was read from a source, or of arrays in memory: the source is empty.
    pub fn new(source: &Source, data: &Dataset) -> Result<Self, Error> {
        let Source { name, files, options } = source.absolute()?;
        Ok(Self { name: data.name.clone(), source: name, files, options, fingerprint: data.fingerprint() })
    }

    /// Where to read it again.
    pub fn source(&self) -> Result<Source, Error> {
        Ok(Source { name: self.source.clone(), files: self.files.clone(), options: self.options.clone() })
    }
}

/// A file of settings.
#[derive(Clone, Debug, PartialEq)]
pub enum Config {
    /// A whole run, to be repeated.
    Run(Box<Record>),
    /// Some settings, in tables.
    Settings(Map<String, Value>),
}

impl Config {
    /// Reads the file, or the run.toml in a run folder.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let path = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
        let text = bgcn_files::files::read_to_string(&path).map_err(|error| {
            let next = "Give a file of settings, the folder that `bgcn fit` wrote, or its run.toml.";
            Error::Request(format!("reading {}: {error}. {next}", path.display()))
        })?;
        Self::parse(&text, &path)
    }

    /// The same of text; the path is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let refuse = |why: String| Error::Request(format!("reading {}: {why}", path.display()));
        let table: Map<String, Value> = toml::from_str(text).map_err(|error| refuse(error.to_string()))?;
        if table.contains_key("plan") {
            let text = "it was written by an earlier version, whose settings had other names; fit again, or use the \
                        version that wrote it";
            return Err(refuse(text.into()));
        }
        if !table.contains_key("run") {
            return Ok(Self::Settings(table));
        }
        let record = toml::from_str(text).map_err(|error| refuse(error.to_string()))?;
        Ok(Self::Run(Box::new(record)))
    }
}

impl Record {
    /// Reads the run.toml of a run folder.
    pub fn read(path: &Path) -> Result<Self, Error> {
        Self::of(Config::read(path)?, path)
    }

    /// The record of a run; the path is for messages.
    pub(crate) fn of(config: Config, path: &Path) -> Result<Self, Error> {
        match config {
            Config::Run(record) => Ok(*record),
            Config::Settings(_) => {
                let next = "Give a folder that `bgcn fit` wrote.";
                Err(Error::Request(format!("reading {}: there is no [run] in it. {next}", path.display())))
            }
        }
    }

    /// Remarks on the data, the labels and the recipe, a sentence each.
    pub fn remarks(&self, data: &Dataset, recipe: &Recipe) -> Vec<String> {
        let mut remarks = data.remarks.clone();
        let random = self.run.split == SplitKind::Random.name();
        remarks.extend(self.run.labels_per_class.filter(|_| random).and_then(|n| data.small_classes(n)));
        remarks.extend(recipe.remarks(data));
        remarks
    }

    /// Whether this version reads the other files of its folder.
    pub(crate) fn is_of_this_format(&self) -> bool {
        !self.run.version.starts_with("0.1.")
    }

    /// Its settings that this version does not have.
    pub(crate) fn dropped(&self) -> Vec<String> {
        let known: BTreeSet<String> = schema().into_iter().map(|documented| documented.key).collect();
        self.by_key().into_keys().filter(|key| !known.contains(key)).collect()
    }

    /// Refuses a folder that an earlier version wrote; settings without a successor are named.
    pub(crate) fn check_format(&self, folder: &Path) -> Result<(), Error> {
        if self.is_of_this_format() {
            return Ok(());
        }
        let (version, dropped, file) = (&self.run.version, self.dropped(), pasted(&folder.join(FILE)));
        let left_out = match dropped.is_empty() {
            true => String::new(),
            false => format!("; settings without a successor are left out: {}", dropped.join(", ")),
        };
        Err(Error::Request(format!(
            "{} is a run of version {version}, which this version does not read. Fit again with `bgcn fit --config \
             {file}`{left_out}.",
            folder.display()
        )))
    }

    /// Refuses data that is not what the run was made from; `next` is what to do.
    pub(crate) fn check_data(&self, data: &Dataset, next: &str) -> Result<(), Error> {
        let (found, expected) = (data.fingerprint(), &self.data.fingerprint);
        if found == *expected {
            return Ok(());
        }
        Err(Error::Request(format!(
            "the data of {} has changed since: its fingerprint is {found}, the run was made from {expected}. {next}",
            data.name
        )))
    }

    /// The data of the run, read again; `next` is what to do where it differs.
    pub fn data_again(&self, next: &str, places: &Places) -> Result<Dataset, Error> {
        let data = self.data.source()?.load(places)?;
        self.check_data(&data, next)?;
        Ok(data)
    }

    /// In what a repetition with this version may differ, a sentence each.
    pub(crate) fn differences(&self, dropped: &[String]) -> Vec<String> {
        let (version, epoch) = (&self.run.version, self.run.results_epoch);
        let mut differences = Vec::new();
        if epoch != RESULTS_EPOCH {
            differences.push(format!(
                "the run was made by version {version} with results epoch {epoch}, this is {RESULTS_EPOCH}; results may \
                 differ"
            ));
        }
        if !dropped.is_empty() {
            differences.push(format!("settings without a successor are left out: {}", dropped.join(", ")));
        }
        differences
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

    /// The content of `run.toml`.
    pub fn text(&self) -> String {
        let text = toml::to_string(self).expect("numbers, words and tables of them");
        format!("# `bgcn fit --config run.toml` repeats this run to the byte.\n{text}")
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
