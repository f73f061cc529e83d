//! How to read files that can be understood in more than one way.

use bgcn_core::data::Error;
use serde::{Deserialize, Serialize};

/// How to read files that can be understood in more than one way. A column is called by its name in the header, or by
/// its number counted from 1.
///
/// The fields are the keys of `run.toml`, the options of the command, and the keywords of Python's `bgcn.read`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadOptions {
    /// Whether the first row of a table names its columns.
    #[serde(skip_serializing_if = "is_auto")]
    pub header: Header,
    /// The column of a table of nodes, features or labels that names the node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_column: Option<String>,
    /// The column, or the attribute of nodes, that is the label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label_column: Option<String>,
    /// The column, or the attribute of nodes, whose text is shown beside the ids. It is no feature.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name_column: Option<String>,
    /// The column of the edges that names the first node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_column: Option<String>,
    /// The column of the edges that names the second node.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target_column: Option<String>,
    /// The column, or the attribute of edges, that is a weight: edges whose weight is not positive are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_column: Option<String>,
    /// Edges of at least this weight are kept. The others still name nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight_threshold: Option<f64>,
    /// The columns, or the attributes of nodes, that become features; after a minus, those that do not. All but ids,
    /// dates and others that cannot be features without it.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "listed")]
    pub columns: Vec<String>,
    /// The columns of X that an earlier fit had: they are features, whatever they look like in these files.
    #[serde(skip)]
    pub fitted: Vec<String>,
    /// Classes or numbers.
    pub label_kind: LabelKind,
    /// Accept files most of whose nodes have no edge.
    pub allow_isolated: bool,
    /// Labels and features have no ids: row i is node i of the graph.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_ids: bool,
}

/// Names as a list, or as one text with commas between them.
fn listed<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Listed {
        One(String),
        Many(Vec<String>),
    }
    Ok(match Listed::deserialize(deserializer)? {
        Listed::One(text) => ReadOptions::names(&text),
        Listed::Many(names) => names,
    })
}

fn is_auto(header: &Header) -> bool {
    *header == Header::Auto
}

impl ReadOptions {
    /// ReadOptions for graphs whose edges have weights, and whose nodes have attributes, too.
    pub(super) const WEIGHTS: [&str; 2] = ["weight_column", "weight_threshold"];
    pub(super) const ATTRIBUTES: [&str; 5] =
        ["label_column", "name_column", "columns", "weight_column", "weight_threshold"];

    /// Names of columns in one text, with commas between them.
    pub fn names(text: &str) -> Vec<String> {
        text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    }

    /// Refuses an option that was given and that the data has no use for; `used` are the others.
    pub(super) fn refuse_unused(&self, data: &str, used: &[&str]) -> Result<(), Error> {
        let given = [
            ("header", self.header != Header::Auto),
            ("id_column", self.id_column.is_some()),
            ("label_column", self.label_column.is_some()),
            ("name_column", self.name_column.is_some()),
            ("source_column", self.source_column.is_some()),
            ("target_column", self.target_column.is_some()),
            ("weight_column", self.weight_column.is_some()),
            ("weight_threshold", self.weight_threshold.is_some()),
            ("columns", !self.columns.is_empty()),
            ("no_ids", self.no_ids),
        ];
        let unused = given.iter().find(|(name, given)| *given && !used.contains(name));
        let Some((name, _)) = unused else { return Ok(()) };
        Err(Error::Request(format!("`{name}` was given, but {data} has no use for it. Leave it out.")))
    }

    /// Refuses `no_ids` where no other file is given.
    pub(super) fn refuse_no_ids(&self, data: &str) -> Result<(), Error> {
        Self { no_ids: self.no_ids, ..Self::default() }.refuse_unused(data, &[])
    }

    /// Which weights count, where an option asks for some: at least the threshold, or above zero.
    pub(super) fn kept_weights(&self) -> Option<impl Fn(f64) -> bool + use<>> {
        let threshold = self.weight_threshold;
        let asked = threshold.is_some() || self.weight_column.is_some();
        asked.then_some(move |weight| threshold.map_or(weight > 0.0, |least| weight >= least))
    }

    /// Refuses a threshold that is no finite number.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Some(threshold) = self.weight_threshold.filter(|threshold| !threshold.is_finite()) else { return Ok(()) };
        Err(Error::Request(format!("the weight threshold is {threshold}; it must be a finite number.")))
    }
}

/// A choice by name, the same in options, files and messages; names are in the order of the variants.
macro_rules! named {
    ($kind:ident, $key:literal, $($name:literal => $variant:ident),+) => {
        impl $kind {
            const NAMES: [(&str, Self); [$($name),+].len()] = [$(($name, Self::$variant)),+];

            /// Its name.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize].0
            }
        }

        impl std::str::FromStr for $kind {
            type Err = String;

            fn from_str(name: &str) -> Result<Self, String> {
                Self::NAMES.into_iter().find_map(|(own, kind)| (own == name).then_some(kind)).ok_or_else(|| {
                    let [first, second, third] = Self::NAMES.map(|(own, _)| own);
                    format!("{} is {name:?}; allowed are {first}, {second} and {third}", $key)
                })
            }
        }

        impl TryFrom<String> for $kind {
            type Error = String;

            fn try_from(name: String) -> Result<Self, String> {
                name.parse()
            }
        }

        impl From<$kind> for &'static str {
            fn from(kind: $kind) -> Self {
                kind.name()
            }
        }
    };
}

/// Whether the first row of a table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Header {
    /// By evidence, which becomes a remark.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It is a row like the others.
    No,
}
named!(Header, "header", "auto" => Auto, "yes" => Yes, "no" => No);

/// What labels are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum LabelKind {
    /// Real values if all are numbers and at least one has a fraction, classes otherwise.
    #[default]
    Auto,
    /// Classes, whatever they look like.
    Classes,
    /// Real values.
    Values,
}
named!(LabelKind, "label_kind", "auto" => Auto, "classes" => Classes, "values" => Values);
