//! Presets: lists of settings under a name, and nothing else.

use serde_json::{Value, json};

/// A named list of settings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preset {
    /// What predicts best on graphs and seeds that no table reports.
    #[default]
    Default,
    /// The authors' code, step by step: a first run from random, ascent on sampled pairs every 20 epochs, hard draws,
    /// the last 59 of 99 graphs averaged.
    Published,
    /// The same with the sums over non-edges in closed form.
    PublishedLinear,
    /// Algorithm 1 as printed.
    Algorithm1,
    /// For graphs under attack: every edge drawn anew from the block model.
    Robust,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 5] = [Self::Default, Self::Published, Self::PublishedLinear, Self::Algorithm1, Self::Robust];

    /// The name in options and files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Published => "published",
            Self::PublishedLinear => "published-linear",
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
            Self::Published => [published(), inference(), vec![("mmsbm.inference", json!("minibatch"))]].concat(),
            Self::PublishedLinear => {
                let linear = vec![
                    ("mmsbm.inference", json!("linear")),
                    ("mmsbm.beta_update", json!("ascent")),
                    ("mmsbm.rows", json!("sampled")),
                ];
                [published(), inference(), linear].concat()
            }
            Self::Algorithm1 => vec![("graph_model", json!("mmsbm")), ("schedule.kind", json!("algorithm1"))],
            Self::Robust => vec![("graph_model", json!("mmsbm")), ("mmsbm.observed_edges", json!("redrawn"))],
        }
    }
}

/// The authors' schedule, and the belief as the network predicts it.
fn published() -> Vec<(&'static str, Value)> {
    vec![
        ("graph_model", json!("mmsbm")),
        ("schedule.kind", json!("published")),
        ("schedule.pretraining", json!(201)),
        ("schedule.draws", json!(99)),
        ("schedule.averaged", json!(59)),
        ("schedule.infer_every", json!(20)),
        ("mmsbm.observed_edges", json!("redrawn")),
        ("mmsbm.draw", json!("hard")),
        ("belief.propagation_steps", json!(0)),
        ("belief.neighbour_agreement", json!(0.0)),
        ("belief.feature_weight", json!(0.0)),
    ]
}

/// The authors' inference: printed numbers, and from their code the first run, the first index of a step and its half.
fn inference() -> Vec<(&'static str, Value)> {
    vec![
        ("mmsbm.iterations", json!(200)),
        ("mmsbm.delta", json!(1e-4)),
        ("mmsbm.eta", json!(1.0)),
        ("mmsbm.alpha", json!(1.0)),
        ("mmsbm.rho", json!(0.001)),
        ("mmsbm.minibatch", json!(500)),
        ("mmsbm.non_edge_share", json!(0.01)),
        ("mmsbm.eps_0", json!(0.5)), // printed 1; the code takes half of it
        ("mmsbm.tau", json!(1024.0)),
        ("mmsbm.kappa", json!(0.5)),
        ("mmsbm.first_step", json!(10_000)),
        ("mmsbm.scale_iterations", json!(1000)),
        ("mmsbm.scale_step", json!(10.0)),
    ]
}
