//! How to read files that can be understood in more than one way.

use bgcn_core::data::Error;

/// How to read files that can be understood in more than one way. A column is called by its name in the header, or by
/// its number counted from 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// Whether the first row of a table names its columns.
    pub header: Header,
    /// The column of a table of nodes, features or labels that names the node.
    pub id_column: Option<String>,
    /// The column, or the attribute of nodes, that is the label.
    pub label_column: Option<String>,
    /// The column of the edges that names the first node.
    pub source_column: Option<String>,
    /// The column of the edges that names the second node.
    pub target_column: Option<String>,
    /// The column, or the attribute of edges, that is a weight: edges whose weight is not positive are left out.
    pub weight_column: Option<String>,
    /// Edges of at least this weight count. The others still name nodes.
    pub weight_threshold: Option<f64>,
    /// The form of the features.
    pub feature_form: FeatureForm,
    /// Classes or numbers.
    pub label_kind: LabelKind,
    /// Accept nodes that have features but neither edges nor a label row.
    pub allow_isolated: bool,
}

impl Options {
    /// Options for graphs whose edges have weights, and whose nodes have attributes, too.
    pub(super) const WEIGHTS: [&str; 2] = ["--weight-column", "--weight-threshold"];
    pub(super) const ATTRIBUTES: [&str; 3] = ["--label-column", "--weight-column", "--weight-threshold"];

    /// Refuses an option that was given and that the data has no use for; `used` are the others.
    pub(super) fn refuse_unused(&self, data: &str, used: &[&str]) -> Result<(), Error> {
        let given = [
            ("--header", self.header != Header::Auto),
            ("--id-column", self.id_column.is_some()),
            ("--label-column", self.label_column.is_some()),
            ("--source-column", self.source_column.is_some()),
            ("--target-column", self.target_column.is_some()),
            ("--weight-column", self.weight_column.is_some()),
            ("--weight-threshold", self.weight_threshold.is_some()),
        ];
        let unused = given.iter().find(|(name, given)| *given && !used.contains(name));
        let Some((name, _)) = unused else { return Ok(()) };
        Err(Error::Request(format!("{name} was given, but {data} has no use for it. Leave it out.")))
    }
}

/// Names in options and files, in the order of the variants.
macro_rules! named {
    ($kind:ident, $($name:literal => $variant:ident),+) => {
        impl $kind {
            const NAMES: [(&str, Self); [$($name),+].len()] = [$(($name, Self::$variant)),+];

            /// Its name in options and files.
            pub fn name(self) -> &'static str {
                Self::NAMES[self as usize].0
            }

            /// The one of this name.
            pub fn named(name: &str) -> Option<Self> {
                Self::NAMES.into_iter().find_map(|(own, kind)| (own == name).then_some(kind))
            }
        }
    };
}

/// Whether the first row of a table names its columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Header {
    /// By evidence, which is said.
    #[default]
    Auto,
    /// It does.
    Yes,
    /// It is a row like the others.
    No,
}
named!(Header, "auto" => Auto, "yes" => Yes, "no" => No);

/// The form of a file of features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FeatureForm {
    /// Triplets if the header is `id,column,value` or `id,feature,value`, dense otherwise.
    #[default]
    Auto,
    /// A row per node.
    Dense,
    /// A row per value that is not zero.
    Triplets,
}

/// What labels are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LabelKind {
    /// Real values if all are numbers and at least one has a fraction, classes otherwise.
    #[default]
    Auto,
    /// Classes, whatever they look like.
    Classes,
    /// Real values.
    Values,
}
named!(LabelKind, "auto" => Auto, "classes" => Classes, "values" => Values);
