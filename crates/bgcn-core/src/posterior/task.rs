//! What every schedule starts from: the features as the network reads them, the labels, the pretrained network.

use super::apply::Kept;
use super::mean::Mean;
use super::{Phase, ValueScale, Watch, belief, tell};
use crate::data::{Dataset, Features, Labels, Scaler, Split};
use crate::graph::Graph;
use crate::graph_model::{Belief, EdgeBeliefs, GraphModel, Parameters, Report};
use crate::network::{Dropout, Input, Loss, Network, Params, Prepared, Start, Targets, Trainer, Weights, build};
use crate::recipe::Recipe;
use crate::rng::{For, Seed};
use crate::{Checked, Error};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is to be learned, from what, with which randomness.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The graph, the features and the labels.
    pub data: &'a Dataset,
    /// Which labels may be seen.
    pub split: &'a Split,
    /// Where all randomness comes from.
    pub seed: Seed,
}

/// The task translated for networks.
pub(super) struct Problem {
    pub(super) params: Checked<Params>,
    pub(super) x: Input,
    scaler: Scaler,
    pub(super) train: Targets,
    validation: Option<Targets>,
    values: Option<(ValueScale, Labels)>,
}

/// A problem with its network: all that a schedule reads.
#[derive(Clone)]
pub(super) struct Setup<'a> {
    pub(super) recipe: &'a Recipe,
    pub(super) params: &'a Checked<Params>,
    pub(super) network: Arc<dyn Network>,
    pub(super) x: &'a Input,
    pub(super) graph: &'a Graph,
    pub(super) train: &'a Targets,
    pub(super) validation: Option<&'a Targets>,
    /// How numbers to be predicted were scaled, and all of them scaled; `None` for classes.
    pub(super) values: Option<&'a (ValueScale, Labels)>,
    /// The names of the classes; empty for numbers.
    pub(super) classes: &'a [String],
    /// What was done to the features, and the names of their columns, where they have any.
    pub(super) scaler: &'a Scaler,
    pub(super) feature_names: &'a [String],
    pub(super) seed: Seed,
}

/// What a schedule has gathered when it ends.
pub(super) struct Gathered {
    pub(super) mean: Mean,
    /// Weights of the draws in the mean; the last one last.
    pub(super) kept: Vec<Kept>,
    pub(super) inferences: Vec<Report>,
    pub(super) lambdas: Vec<(&'static str, Parameters)>,
    /// Edge probabilities, averaged over the inferences; `None` where the observed graph is used.
    pub(super) beliefs: Option<EdgeBeliefs>,
}

impl Problem {
    pub(super) fn new(recipe: &Recipe, task: Task<'_>) -> Result<Self, Error> {
        let (data, split) = (task.data, task.split);
        data.check()?;
        let classes = data.labels.classes();
        let values = match &data.labels {
            Labels::Values(of) => {
                let scale = ValueScale::of_training(of, &split.train)?;
                Some((scale, Labels::Values(of.iter().map(|y| y.map(|y| scale.down(y))).collect())))
            }
            Labels::Classes { .. } if classes < 2 => {
                let text = format!("there are {classes} classes to tell apart; a fit needs at least two");
                return Err(Error::Request(text));
            }
            Labels::Classes { .. } => None,
        };
        let labels = values.as_ref().map_or(&data.labels, |(_, scaled)| scaled);
        let validation = &split.validation;
        let scaler = Scaler::fit(recipe.scaling, &data.features)?;
        Ok(Self {
            params: recipe.network.clone().check()?,
            x: Input::new(scaler.apply(&data.features)?.as_ref()),
            scaler,
            train: Targets::new(labels, &split.train)?,
            validation: (!validation.is_empty()).then(|| Targets::new(labels, validation)).transpose()?,
            values,
        })
    }

    pub(super) fn setup<'a>(&'a self, recipe: &'a Recipe, task: Task<'a>) -> Setup<'a> {
        let Self { params, x, scaler, train, validation, values } = self;
        let (validation, values) = (validation.as_ref(), values.as_ref());
        let classes = match &task.data.labels {
            Labels::Classes { names, .. } => &names[..],
            Labels::Values(_) => &[],
        };
        let (graph, feature_names, seed) = (&task.data.graph, &task.data.feature_names[..], task.seed);
        let network = build(params, x.columns(), train.outputs());
        Setup { recipe, params, network, x, graph, train, validation, values, classes, scaler, feature_names, seed }
    }
}

/// Every node has its row of features.
pub(super) fn fits(graph: &Graph, features: &Features) -> Result<(), Error> {
    let (n, rows) = (graph.nodes(), features.nodes());
    if n == rows {
        return Ok(());
    }
    Err(Error::Request(format!("the graph has {n} nodes, but there are features for {rows}; every node needs its row")))
}

impl Setup<'_> {
    /// A network before its first step. The indices (v, i, s) name its streams; [0; 3] is the pretrained one.
    pub(super) fn fresh(&self, seed: Seed, index: [u32; 3]) -> Trainer<'_> {
        self.from(self.first_weights(seed, index), seed, index)
    }

    /// Training that goes on from given weights.
    pub(super) fn from(&self, weights: Weights, seed: Seed, index: [u32; 3]) -> Trainer<'_> {
        let start = Start { weights, masks: seed.at(For::Train, index) };
        Trainer::new(self.network.clone(), self.params, (self.x, self.train.clone()), start)
    }

    /// The network trained on the observed graph for so many epochs, fewer where the network's settings let it stop
    /// early.
    pub(super) fn pretrain(&self, index: [u32; 3], epochs: usize, watch: Watch<'_>) -> Result<Trainer<'_>, Error> {
        let params = Params { epochs, ..(**self.params).clone() }.check()?;
        let mut trainer = self.trainer(&params, self.train, index);
        let on = trainer.prepare(self.graph);
        let mut reported = Ok(());
        trainer.run(&on, self.validation, |epoch, _| {
            reported = tell(watch, Phase::Pretraining, epoch + 1, epochs);
            if reported.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        reported.map(|()| trainer)
    }

    /// A network before its first step, on the given labels.
    pub(super) fn trainer(&self, params: &Checked<Params>, targets: &Targets, index: [u32; 3]) -> Trainer<'_> {
        let start = Start { weights: self.first_weights(self.seed, index), masks: self.seed.at(For::Train, index) };
        Trainer::new(self.network.clone(), params, (self.x, targets.clone()), start)
    }

    fn first_weights(&self, seed: Seed, index: [u32; 3]) -> Weights {
        self.network.start(&mut seed.at(For::Weights, index))
    }

    /// Nothing gathered yet.
    pub(super) fn nothing(&self) -> Gathered {
        let mean = match self.train.loss() {
            Loss::CrossEntropy => Mean::of_classes(self.x.nodes(), self.train.outputs()),
            Loss::SquaredError => Mean::of_values(self.x.nodes()),
        };
        let beliefs = (!self.recipe.is_plain()).then(EdgeBeliefs::new);
        Gathered { mean, kept: Vec::new(), inferences: Vec::new(), lambdas: Vec::new(), beliefs }
    }

    /// A graph without edges, ready for the network, where the feature-only prediction counts.
    pub(super) fn edgeless(&self, trainer: &Trainer<'_>) -> Option<Prepared> {
        let recipe = self.recipe;
        let counts = recipe.communities() > 0 && recipe.belief.feature_weight > 0.0 && self.values.is_none();
        counts.then(|| trainer.prepare(&Graph::empty(self.graph.nodes())))
    }

    /// The network's prediction [n, c] on the observed graph, pooled with the feature-only one where that counts.
    pub(super) fn predict(
        &self,
        trainer: &mut Trainer<'_>,
        observed: &Prepared,
        edgeless: Option<&Prepared>,
    ) -> Vec<f32> {
        let mut rows: Vec<f32> = trainer.predict(observed, Dropout::Off).values().collect();
        if let Some(edgeless) = edgeless {
            let features = trainer.predict(edgeless, Dropout::Off).values();
            belief::pool(&self.recipe.belief, self.graph, &mut rows, features, self.train.outputs());
        }
        rows
    }

    /// The belief [n, k] that a graph model starts from, where this is the networks' prediction [n, c]; first k.
    pub(super) fn belief<'g>(&self, prediction: &'g [f32]) -> (usize, Cow<'g, [f32]>) {
        belief::from_prediction(self.recipe, self.graph, prediction, self.train.outputs(), Some(self.train))
    }

    /// Restarts the model at the network's prediction [n, c].
    pub(super) fn restart(&self, prediction: &[f32], model: &mut dyn GraphModel) -> Result<(), Error> {
        let (k, rows) = self.belief(prediction);
        model.restart(Belief { k, rows: &rows })
    }

    /// Whether the weights of sample number `i` of `total` in the mean are among those kept.
    pub(super) fn keeps(&self, i: usize, total: usize) -> bool {
        let keep = self.recipe.schedule.keep.min(total);
        // The last is always kept, the others are spread evenly before it.
        (i + 1) * keep / total > i * keep / total
    }
}
