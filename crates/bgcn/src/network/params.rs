//! The settings of networks and of their training, with where each default comes from.

use super::Error;
use crate::Checked;
use crate::kernels::Rate;
use serde::{Deserialize, Serialize};

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

/// Settings; [`Params::check`] them before use.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Params {
    pub(crate) kind: Kind,
    pub(crate) layers: usize,
    pub(crate) hidden: usize,
    pub(crate) order: Option<usize>,
    pub(crate) heads: Option<usize>,
    pub(crate) output_heads: Option<usize>,
    pub(crate) dropout: f64,
    pub(crate) learning_rate: f64,
    pub(crate) weight_decay: f64,
    pub(crate) epochs: usize,
    pub(crate) patience: Option<usize>,
}

impl Params {
    /// The defaults of a network.
    ///
    /// GCN and ChebyNet: Kipf and Welling (2017), section 5.2, and their published code: two layers, 16 hidden units,
    /// dropout 0.5, learning rate 0.01, L2 5e-4 on the first layer, 200 epochs; order 3 is the largest in their table 3.
    /// GAT: Veličković et al. (2018), section 3.3: 8 heads of 8 units, one output head, dropout 0.6, learning rate 0.005,
    /// L2 5e-4 on all weights. (On Pubmed they use 8 output heads, 0.01 and 1e-3. They stop early; we take the GCN's 200 epochs.)
    /// No network stops early unless asked: the paper uses no validation set.
    pub fn new(kind: Kind) -> Self {
        let gat = kind == Kind::Gat;
        Self {
            kind,
            layers: 2,
            hidden: if gat { 8 } else { 16 },
            order: (kind == Kind::Chebnet).then_some(3),
            heads: gat.then_some(8),
            output_heads: gat.then_some(1),
            dropout: if gat { 0.6 } else { 0.5 },
            learning_rate: if gat { 0.005 } else { 0.01 },
            weight_decay: 5e-4,
            epochs: 200,
            patience: None,
        }
    }

    /// Layers with weights, at least 1.
    pub fn layers(mut self, layers: usize) -> Self {
        self.layers = layers;
        self
    }

    /// Units of each hidden layer (of each head for GAT), at least 1.
    pub fn hidden(mut self, hidden: usize) -> Self {
        self.hidden = hidden;
        self
    }

    /// The highest Chebyshev polynomial, T_order, at least 1; ChebyNet only.
    pub fn order(mut self, order: usize) -> Self {
        self.order = Some(order);
        self
    }

    /// Attention heads of the hidden layers; GAT only.
    pub fn heads(mut self, heads: usize) -> Self {
        self.heads = Some(heads);
        self
    }

    /// Attention heads of the last layer, whose outputs are averaged; GAT only.
    pub fn output_heads(mut self, output_heads: usize) -> Self {
        self.output_heads = Some(output_heads);
        self
    }

    /// Probability of dropping an input element of a layer (and an attention coefficient of GAT), in [0, 1).
    pub fn dropout(mut self, dropout: f64) -> Self {
        self.dropout = dropout;
        self
    }

    /// Adam's learning rate, above 0.
    pub fn learning_rate(mut self, learning_rate: f64) -> Self {
        self.learning_rate = learning_rate;
        self
    }

    /// λ of the penalty ½ λ ‖W‖², at least 0.
    pub fn weight_decay(mut self, weight_decay: f64) -> Self {
        self.weight_decay = weight_decay;
        self
    }

    /// Training steps; exactly that many unless `patience` is set.
    pub fn epochs(mut self, epochs: usize) -> Self {
        self.epochs = epochs;
        self
    }

    /// Stop after this many epochs without a lower validation loss, and go back to the best weights.
    pub fn patience(mut self, patience: usize) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Settings that a network can be built from and trained with.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        let bad = |name, found: &dyn ToString, allowed| Err(Error::setting(name, found.to_string(), allowed));
        if !(1..=64).contains(&self.layers) {
            return bad("layers", &self.layers, "allowed are 1 to 64; try 2");
        }
        if !(1..=1 << 16).contains(&self.hidden) {
            return bad("hidden", &self.hidden, "allowed are 1 to 65536 units; try 16");
        }
        if Rate::new(self.dropout).is_none() {
            return bad("dropout", &self.dropout, "allowed is a probability from 0 to below 1; try 0.5");
        }
        if !(f64::from(f32::MIN_POSITIVE)..=1e6).contains(&self.learning_rate) {
            return bad("learning-rate", &self.learning_rate, "allowed is a number above 0, at most 1e6; try 0.01");
        }
        if !(0.0..=1e6).contains(&self.weight_decay) {
            return bad("weight-decay", &self.weight_decay, "allowed are 0 to 1e6; try 0.0005");
        }
        if self.patience == Some(0) {
            return bad("patience", &0, "allowed is at least 1 epoch; leave it out to run all epochs");
        }
        match (self.kind, self.order) {
            (Kind::Chebnet, order) if !(1..=64).contains(&order.unwrap_or(3)) => {
                return bad("order", &order.unwrap_or(3), "allowed are 1 to 64; try 3");
            }
            (Kind::Gcn | Kind::Gat, Some(order)) => {
                return bad("order", &order, "only chebnet has one; leave it out or choose --network chebnet");
            }
            _ => {}
        }
        for (name, heads) in [("heads", self.heads), ("output-heads", self.output_heads)] {
            match (self.kind, heads) {
                (Kind::Gat, Some(heads)) if !(1..=64).contains(&heads) => {
                    return bad(name, &heads, "allowed are 1 to 64; try 8");
                }
                (Kind::Gcn | Kind::Chebnet, Some(heads)) => {
                    return bad(name, &heads, "only gat has them; leave it out or choose --network gat");
                }
                _ => {}
            }
        }
        Ok(Checked::vouched_for(self))
    }

    /// Which network these are for.
    pub fn kind(&self) -> Kind {
        self.kind
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
            ("learning-rate", gcn().learning_rate(0.0)),
            ("learning-rate", gcn().learning_rate(f64::NAN)),
            ("weight-decay", gcn().weight_decay(-1.0)),
            ("weight-decay", gcn().weight_decay(f64::NAN)),
            ("patience", gcn().patience(0)),
            ("order", gcn().order(3)),
            ("order", Params::new(Kind::Chebnet).order(0)),
            ("heads", gcn().heads(2)),
            ("heads", Params::new(Kind::Gat).heads(0)),
            ("heads", Params::new(Kind::Gat).heads(65)),
            ("output-heads", gcn().output_heads(1)),
            ("output-heads", Params::new(Kind::Gat).output_heads(0)),
        ];
        for (expected, params) in bad {
            match params.check() {
                Err(Error::Setting { name, .. }) => assert_eq!(name, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
        for kind in [Kind::Gcn, Kind::Chebnet, Kind::Gat] {
            assert!(Params::new(kind).check().is_ok());
        }
    }
}
