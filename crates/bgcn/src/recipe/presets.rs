//! Presets: lists of settings under a name, and nothing else.

use serde_json::{Value, json};

/// A named list of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// What predicts best on graphs and seeds that no table reports.
    #[default]
    Default,
    /// The authors' numbers: every edge drawn anew, 200 steps of ascent every 20 epochs, the last 59 of 99 graphs
    /// averaged.
    Published,
    /// Algorithm 1 as printed.
    Algorithm1,
    /// For graphs under attack: every edge drawn anew from the block model.
    Robust,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 4] = [Self::Default, Self::Published, Self::Algorithm1, Self::Robust];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Published => "published",
            Self::Algorithm1 => "algorithm1",
            Self::Robust => "robust",
        }
    }

    /// The preset of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// Its settings.
    pub fn settings(self) -> Vec<(&'static str, Value)> {
        match self {
            Self::Default => Vec::new(),
            Self::Published => vec![
                ("graph_model", json!("mmsbm")),
                ("mmsbm.inference", json!("linear")),
                ("mmsbm.iterations", json!(200)),
                ("mmsbm.delta", json!(1e-4)),
                ("mmsbm.observed_edges", json!("redrawn")),
                ("schedule.pretraining", json!(201)),
                ("schedule.draws", json!(99)),
                ("schedule.averaged", json!(59)),
                ("schedule.infer_every", json!(20)),
                ("belief.propagation_steps", json!(0)),
                ("belief.neighbour_agreement", json!(0.0)),
                ("belief.feature_weight", json!(0.0)),
            ],
            Self::Algorithm1 => vec![("graph_model", json!("mmsbm")), ("schedule.kind", json!("algorithm1"))],
            Self::Robust => vec![("graph_model", json!("mmsbm")), ("mmsbm.observed_edges", json!("redrawn"))],
        }
    }
}
