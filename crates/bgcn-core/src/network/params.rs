//! The settings of networks and of their training, with where each default comes from.

use crate::kernels::Rate;
use crate::setting::{self, FROM_0, FROM_1, Range, Setting, setters, settings};
use crate::{Checked, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Which network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Graph convolutional network.
    Gcn,
    /// Chebyshev polynomials of the Laplacian.
    Chebnet,
    /// Graph attention.
    Gat,
}

impl Kind {
    /// The name in files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gcn => "gcn",
            Self::Chebnet => "chebnet",
            Self::Gat => "gat",
        }
    }
}

impl Kind {
    /// Every network.
    pub const ALL: [Self; 3] = [Self::Gcn, Self::Chebnet, Self::Gat];

    /// The network of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What only one kind of network has.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Architecture {
    Gcn,
    Chebnet {
        /// The highest Chebyshev polynomial.
        order: usize,
    },
    Gat {
        /// Of the hidden layers.
        heads: usize,
        /// Of the last layer, whose outputs are averaged.
        output_heads: usize,
    },
}

/// When training stops before its last epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Never.
    Off,
    /// After so many epochs without a lower validation loss; the best weights are taken.
    Epochs(usize),
}

impl Serialize for Patience {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Off => serializer.serialize_str("off"),
            Self::Epochs(epochs) => serializer.serialize_u64(*epochs as u64),
        }
    }
}

impl<'de> Deserialize<'de> for Patience {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match (value.as_str(), value.as_u64()) {
            (Some("off"), _) => Ok(Self::Off),
            (_, Some(epochs)) => Ok(Self::Epochs(epochs as usize)),
            _ => Err(serde::de::Error::custom(format!("{value} is neither off nor a number of epochs"))),
        }
    }
}

/// Settings; [`Params::check`] them before use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Params {
    #[serde(flatten)]
    pub(crate) architecture: Architecture,
    pub(crate) layers: usize,
    pub(crate) hidden: usize,
    pub(crate) dropout: f64,
    pub(crate) learning_rate: f64,
    pub(crate) weight_decay: f64,
    pub(crate) epochs: usize,
    pub(crate) patience: Patience,
}

/// The settings of networks; `order`, `heads` and `output_heads` belong to one kind each.
pub(crate) const SETTINGS: &[Setting] = settings! {
    "kind": Range::Word(&["gcn", "chebnet", "gat"]), "", "the network; the option --network", "paper";
    "layers": Range::Count(1, 64), "layers", "layers with weights", "Kipf and Welling (2017)";
    "hidden": Range::Count(1, 1 << 16), "units", "units of each hidden layer, of each head for gat",
        "Kipf and Welling (2017); gat 8: Veličković et al. (2018)";
    "dropout": Range::Below(0.0, 1.0), "probability", "dropout of the inputs of each layer, of attention for gat",
        "Kipf and Welling (2017); gat 0.6: Veličković et al. (2018)";
    "learning_rate": Range::Above(0.0, 1e6), "", "step size of Adam",
        "Kipf and Welling (2017); gat 0.005: Veličković et al. (2018)";
    "weight_decay": Range::Number(0.0, 1e6), "",
        "L2 penalty: half of it times the squared weights, of the first layer but for gat", "Kipf and Welling (2017)";
    "epochs": FROM_0, "epochs", "training steps of a plain network; the option --epochs", "authors' comparison";
    "patience": Range::Or("off", &FROM_1), "epochs",
        "stop after so many epochs without a lower validation loss, and take the best weights", "the paper uses none";
    "order": Range::Count(1, 64), "", "highest Chebyshev polynomial; chebnet only", "Kipf and Welling (2017), table 3";
    "heads": Range::Count(1, 64), "heads", "attention heads; gat only", "Veličković et al. (2018)";
    "output_heads": Range::Count(1, 64), "heads", "attention heads of the last layer, averaged; gat only",
        "Veličković et al. (2018)";
};

impl Params {
    /// The defaults of a network.
    ///
    /// GCN and ChebyNet: Kipf and Welling (2017), section 5.2, and their published code: two layers, 16 hidden units,
    /// dropout 0.5, learning rate 0.01, L2 5e-4 on the first layer, 200 epochs; order 3 is the largest in their table
    /// 3. GAT: Veličković et al. (2018), section 3.3: 8 heads of 8 units, one output head, dropout 0.6, learning rate
    /// 0.005, L2 5e-4 on all weights. (On Pubmed they use 8 output heads, 0.01 and 1e-3. They stop early; we take the
    /// GCN's 200 epochs.) No network stops early unless asked: the paper uses no validation set.
    pub fn new(kind: Kind) -> Self {
        let gat = kind == Kind::Gat;
        Self {
            architecture: match kind {
                Kind::Gcn => Architecture::Gcn,
                Kind::Chebnet => Architecture::Chebnet { order: 3 },
                Kind::Gat => Architecture::Gat { heads: 8, output_heads: 1 },
            },
            layers: 2,
            hidden: if gat { 8 } else { 16 },
            dropout: if gat { 0.6 } else { 0.5 },
            learning_rate: if gat { 0.005 } else { 0.01 },
            weight_decay: 5e-4,
            epochs: 200,
            patience: Patience::Off,
        }
    }

    setters! {
        /// Layers with weights.
        layers: usize,
        /// Units of each hidden layer (of each head for GAT).
        hidden: usize,
        /// Probability of dropping an input element of a layer (and an attention coefficient of GAT).
        dropout: f64,
        /// Adam's learning rate.
        learning_rate: f64,
        /// λ of the penalty ½ λ ‖W‖².
        weight_decay: f64,
        /// Training steps; exactly that many unless `patience` is set.
        epochs: usize,
        /// When to stop before that.
        patience: Patience,
    }

    /// ChebyNet with polynomials up to T_order.
    pub fn chebnet(order: usize) -> Self {
        Self { architecture: Architecture::Chebnet { order }, ..Self::new(Kind::Chebnet) }
    }

    /// GAT with so many attention heads in the hidden layers and in the last.
    pub fn gat(heads: usize, output_heads: usize) -> Self {
        Self { architecture: Architecture::Gat { heads, output_heads }, ..Self::new(Kind::Gat) }
    }

    /// Settings that a network can be built from and trained with.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("network", SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }

    /// Which network these are for.
    pub fn kind(&self) -> Kind {
        match self.architecture {
            Architecture::Gcn => Kind::Gcn,
            Architecture::Chebnet { .. } => Kind::Chebnet,
            Architecture::Gat { .. } => Kind::Gat,
        }
    }

    /// How many epochs training runs at most.
    pub fn max_epochs(&self) -> usize {
        self.epochs
    }

    /// The dropout rate. Panics when the settings are not checked.
    pub(crate) fn rate(&self) -> Rate {
        Rate::new(self.dropout).expect("checked")
    }

    /// [d, hidden, …, c]: the widths from the features to the outputs.
    pub(crate) fn widths(&self, features: usize, outputs: usize) -> Vec<usize> {
        let mut widths = vec![self.hidden; self.layers + 1];
        widths[0] = features;
        widths[self.layers] = outputs;
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_outside_its_range_is_refused_and_named() {
        let gcn = || Params::new(Kind::Gcn);
        let bad = [
            ("layers", gcn().layers(0)),
            ("hidden", gcn().hidden(0)),
            ("dropout", gcn().dropout(1.0)),
            ("dropout", gcn().dropout(f64::NAN)),
            ("learning_rate", gcn().learning_rate(0.0)),
            ("learning_rate", gcn().learning_rate(f64::NAN)),
            ("weight_decay", gcn().weight_decay(-1.0)),
            ("weight_decay", gcn().weight_decay(f64::NAN)),
            ("patience", gcn().patience(Patience::Epochs(0))),
            ("order", Params::chebnet(0)),
            ("heads", Params::gat(0, 1)),
            ("heads", Params::gat(65, 1)),
            ("output_heads", Params::gat(8, 0)),
        ];
        for (expected, params) in bad {
            match params.check() {
                Err(Error::Setting { key, .. }) => assert_eq!(key, format!("network.{expected}")),
                other => panic!("{expected}: {other:?}"),
            }
        }
        for kind in [Kind::Gcn, Kind::Chebnet, Kind::Gat] {
            assert!(Params::new(kind).check().is_ok());
        }
    }
}
