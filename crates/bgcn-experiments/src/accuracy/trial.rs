//! One method on one split of one dataset.

use crate::study::in_range;
use bgcn_core::data::SplitKind;
use serde::{Deserialize, Serialize};
use std::fmt;

bgcn_core::words! {
    /// How the training nodes are chosen.
    #[derive(PartialOrd, Ord, Hash)]
    pub enum SplitName {
        /// Anew for every run.
        Random = "random",
        /// The dataset's own.
        Fixed = "fixed",
    }
}

impl SplitName {
    /// What the library calls it.
    pub(crate) fn kind(self) -> SplitKind {
        match self {
            Self::Random => SplitKind::Random,
            Self::Fixed => SplitKind::Fixed,
        }
    }
}

impl fmt::Display for SplitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A column of a table: dataset, split and number of labels.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Dataset name.
    pub dataset: String,
    /// Split.
    pub split: SplitName,
    /// Training nodes of each class.
    pub labels_per_class: usize,
}

/// The key of a trial, among all of the same settings.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// With which method.
    pub method: String,
    /// Which repetition, from 0; methods share the split of a run.
    pub run: u32,
}

/// How well it did on the test nodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Share predicted rightly.
    pub accuracy: f64,
    /// Mean negative log-likelihood.
    pub nll: f64,
    /// Expected calibration error.
    pub ece: f64,
    /// Brier score.
    pub brier: f64,
    /// The same after temperature scaling; absent where there is no validation node to fit it on.
    pub scaled: Option<Scaled>,
}

impl Outcome {
    /// Refuses scores that no predictions have.
    pub(super) fn check(&self) -> Result<(), String> {
        in_range(&[
            ("accuracy", self.accuracy, 0.0..=1.0),
            ("nll", self.nll, 0.0..=f64::INFINITY),
            ("ece", self.ece, 0.0..=1.0),
            ("brier", self.brier, 0.0..=2.0),
        ])?;
        self.scaled.map_or(Ok(()), |scaled| {
            in_range(&[
                ("scaled.temperature", scaled.temperature, 0.0..=f64::INFINITY),
                ("scaled.nll", scaled.nll, 0.0..=f64::INFINITY),
                ("scaled.ece", scaled.ece, 0.0..=1.0),
            ])
        })
    }
}

/// Calibration after one temperature, fitted on the validation nodes, has scaled the probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scaled {
    /// Above 1 makes predictions less certain.
    pub temperature: f64,
    /// Mean negative log-likelihood.
    pub nll: f64,
    /// Expected calibration error.
    pub ece: f64,
}
