//! A dataset in a few numbers: what `bgcn data info` shows.

use super::scaling::DefaultScaling;
use super::{Dataset, Features, Labels};
use crate::graph::DegreeSummary;
use serde::Serialize;

/// A dataset in a few numbers. The field names are those of `bgcn data info --json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Description {
    /// Short name.
    pub name: String,
    /// Nodes.
    pub nodes: usize,
    /// Edges of the simple undirected graph.
    pub edges: usize,
    /// Edges as the source counts them.
    pub edges_published: usize,
    /// Self-loops that were dropped.
    pub self_loops: usize,
    /// Entries that repeated an edge in the same direction.
    pub duplicates: usize,
    /// Entries whose opposite direction was there too.
    pub reciprocal: usize,
    /// Columns of X.
    pub features: usize,
    /// Entries of X that are not zero.
    pub feature_nonzeros: usize,
    /// How X is kept: identity, sparse or dense.
    pub feature_form: &'static str,
    /// What is done to X where nothing else is asked for, and why.
    pub scaling: DefaultScaling,
    /// Classes; 0 for regression.
    pub classes: usize,
    /// Labelled nodes per class, with the class names.
    pub class_counts: Vec<(String, usize)>,
    /// Whether labels are classes or values.
    pub label_form: &'static str,
    /// Labelled nodes.
    pub labelled: usize,
    /// Share of edges that join equal classes, among those with two labelled ends.
    pub homophily: Option<f64>,
    /// Connected components.
    pub components: usize,
    /// Nodes in the largest component.
    pub largest_component: usize,
    /// Nodes without a neighbour.
    pub isolated: usize,
    /// Degrees.
    pub degrees: DegreeSummary,
    /// Whether a fixed split comes with the data.
    pub fixed_split: bool,
    /// Observed edges known to be spurious, where the generator kept them.
    pub spurious: Option<usize>,
    /// True edges known to be missing, where the generator kept them.
    pub missing: Option<usize>,
    /// What the columns of X are called; empty where they have no names.
    pub feature_names: Vec<String>,
    /// What was guessed, merged, dropped or ignored when the data was read.
    pub remarks: Vec<String>,
}

impl Dataset {
    /// Describes this dataset, in O(N + E + non-zeros of X), and a sort of every column where it is a table.
    pub fn describe(&self) -> Description {
        let components = self.graph.components();
        let names: &[String] = match &self.labels {
            Labels::Classes { names, .. } => names,
            Labels::Values(_) => &[],
        };
        Description {
            name: self.name.clone(),
            nodes: self.nodes(),
            edges: self.graph.edges(),
            edges_published: self.edges_published,
            self_loops: self.merged.self_loops,
            duplicates: self.merged.duplicates,
            reciprocal: self.merged.reciprocal,
            features: self.features.columns(),
            feature_nonzeros: self.features.nonzeros(),
            feature_form: match self.features {
                Features::Identity(_) => "identity",
                Features::Sparse(_) => "sparse",
                Features::Dense(_) => "dense",
            },
            scaling: DefaultScaling::of(self),
            classes: self.labels.classes(),
            class_counts: names.iter().cloned().zip(self.labels.class_counts()).collect(),
            label_form: match self.labels {
                Labels::Classes { .. } => "classes",
                Labels::Values(_) => "values",
            },
            labelled: self.labels.known(),
            homophily: self.graph.homophily(|a| self.labels.class(a)),
            components: components.sizes.len(),
            largest_component: components.sizes.iter().copied().max().unwrap_or(0),
            isolated: self.graph.isolated(),
            degrees: self.graph.degree_summary(),
            fixed_split: self.fixed_split.is_some(),
            spurious: self.truth.as_ref().map(|truth| truth.spurious.len()),
            missing: self.truth.as_ref().map(|truth| truth.missing.len()),
            feature_names: self.feature_names.clone(),
            remarks: self.remarks.clone(),
        }
    }
}
