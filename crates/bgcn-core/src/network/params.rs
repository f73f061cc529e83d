//! The settings of networks and of their training, with where each default comes from.

use crate::kernels::Rate;
use crate::setting::words;
use crate::setting::{self, FROM_0, FROM_1, Range, table};
use crate::{Checked, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

words! {
    /// Which network.
    pub enum Kind {
        /// Graph convolutional network.
        Gcn = "gcn",
        /// Chebyshev polynomials of the Laplacian.
        Chebnet = "chebnet",
        /// Graph attention.
        Gat = "gat",
    }
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

/// The value for a GAT, or for the others.
fn of<T>(kind: Kind, gat: T, others: T) -> T {
    if kind == Kind::Gat { gat } else { others }
}

table! {
    /// Settings of networks and their training; [`Params::check`] them before use.
    ///
    /// GCN and ChebyNet: Kipf and Welling (2017), section 5.2, and their published code: two layers, 16 hidden units,
    /// dropout 0.5, learning rate 0.01, L2 5e-4 on the first layer; order 3 is the largest in their table 3. GAT:
    /// Veličković et al. (2018), section 3.3: 8 heads of 8 units, one output head, dropout 0.6, learning rate 0.005,
    /// L2 5e-4 on all weights. (On Pubmed they use 8 output heads, 0.01 and 1e-3, and they stop early.) A plain network
    /// takes 300 steps, as many as the authors' Bayesian one in all. No network stops early unless asked: the paper
    /// uses no validation set.
    pub struct Params(kind: Kind) {
        kind: Kind = kind, Range::Word(&Kind::WORDS), "", "the network; the option --network", "paper";
        layers: usize = 2, Range::Count(1, 64), "layers", "layers with weights", "Kipf and Welling (2017)";
        hidden: usize = of(kind, 8, 16), Range::Count(1, 1 << 16), "units",
            "units of each hidden layer, of each head for gat",
            "Kipf and Welling (2017); gat 8: Veličković et al. (2018)";
        dropout: f64 = of(kind, 0.6, 0.5), Range::Below(0.0, 1.0), "probability",
            "dropout of the inputs of each layer, of attention for gat",
            "Kipf and Welling (2017); gat 0.6: Veličković et al. (2018)";
        learning_rate: f64 = of(kind, 0.005, 0.01), Range::Above(0.0, 1e6), "", "step size of Adam",
            "Kipf and Welling (2017); gat 0.005: Veličković et al. (2018)";
        weight_decay: f64 = 5e-4, Range::Number(0.0, 1e6), "",
            "L2 penalty: half of it times the squared weights, of the first layer but for gat",
            "Kipf and Welling (2017)";
        epochs: usize = 300, FROM_0, "epochs", "training steps of a plain network; the option --epochs sets them for every schedule",
            "authors' comparison";
        patience: Patience = Patience::Off, Range::Or("off", &FROM_1), "epochs",
            "stop after so many epochs without a lower validation loss, and take the best weights",
            "the paper uses none";
        order: usize = 3, Range::Count(1, 64), "", "highest Chebyshev polynomial; chebnet only",
            "Kipf and Welling (2017), table 3";
        heads: usize = 8, Range::Count(1, 64), "heads", "attention heads; gat only", "Veličković et al. (2018)";
        output_heads: usize = 1, Range::Count(1, 64), "heads",
            "attention heads of the last layer, averaged; gat only", "Veličković et al. (2018)";
    }
}

impl Params {
    /// Settings that a network can be built from and trained with.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("network", Self::SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
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
