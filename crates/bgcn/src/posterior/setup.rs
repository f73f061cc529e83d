//! What every schedule starts from: the features as the network reads them, the labels, the pretrained network.

use super::belief;
use super::lesson;
use super::mean::Mean;
use super::params::filled;
use super::{Error, GraphModelPlan, Phase, Plan, Progress, Scaling, Task, ValueScale, Watch};
use crate::Checked;
use crate::data::{Features, Labels};
use crate::graph::Graph;
use crate::graph_model::{Belief, EdgeBeliefs, GraphModel, Report};
use crate::network::{Dropout, Input, Loss, Network, Params, Prepared, Start, Targets, Trainer, Weights};
use crate::rng::{For, Seed};
use std::borrow::Cow;
use std::ops::ControlFlow;

/// The task translated for networks.
pub(super) struct Problem {
    pub(super) params: Checked<Params>,
    pub(super) x: Input,
    pub(super) train: Targets,
    validation: Option<Targets>,
    values: Option<(ValueScale, Labels)>,
}

/// A problem with its network: all that a schedule reads.
pub(super) struct Setup<'a, N> {
    pub(super) plan: &'a Checked<Plan>,
    pub(super) params: Checked<Params>,
    pub(super) network: N,
    pub(super) x: Input,
    pub(super) graph: &'a Graph,
    pub(super) train: Targets,
    pub(super) validation: Option<Targets>,
    /// How numbers to be predicted were scaled, and all of them scaled; `None` for classes.
    pub(super) values: Option<(ValueScale, Labels)>,
    pub(super) seed: Seed,
}

/// What a schedule has gathered when it ends.
pub(super) struct Gathered {
    pub(super) mean: Mean,
    /// Of the draws in the mean; the last one last.
    pub(super) weights: Vec<Weights>,
    pub(super) inferences: Vec<Report>,
    /// Edge probabilities, averaged over the inferences; `None` where edges are taken for granted.
    pub(super) beliefs: Option<EdgeBeliefs>,
}

impl Problem {
    pub(super) fn new(plan: &Checked<Plan>, task: Task<'_>) -> Result<Self, Error> {
        let (data, split) = (task.data, task.split);
        let (n, rows) = (data.nodes(), data.features.nodes());
        if n != rows {
            let text = format!("the graph has {n} nodes, but there are features for {rows}; every node needs its row");
            return Err(Error::Data(text));
        }
        let classes = data.labels.classes();
        let values = match &data.labels {
            Labels::Values(of) => {
                let scale = ValueScale::of_training(of, &split.train)?;
                Some((scale, Labels::Values(of.iter().map(|y| y.map(|y| scale.down(y))).collect())))
            }
            Labels::Classes { .. } if classes < 2 => {
                let text = format!("there are {classes} classes to tell apart; a fit needs at least two");
                return Err(Error::Data(text));
            }
            Labels::Classes { .. } => None,
        };
        if let (Some(communities), None) = (plan.graph_model.communities(), &values)
            && communities != classes
        {
            let allowed = format!("the communities start as the {classes} classes of the data; give that number");
            return Err(Error::setting("communities", communities, allowed));
        }
        let labels = values.as_ref().map_or(&data.labels, |(_, scaled)| scaled);
        let validation = &split.validation;
        let problem = Self {
            params: plan.network.clone().check()?,
            x: input(plan, &data.features),
            train: Targets::new(labels, &split.train)?,
            validation: (!validation.is_empty()).then(|| Targets::new(labels, validation)).transpose()?,
            values,
        };
        problem.with_lessons(plan.lessons())
    }

    /// The same for networks that have so many lessons, where they can be taught.
    pub(super) fn with_lessons(mut self, lessons: f64) -> Result<Self, Error> {
        if lessons > 0.0 && lesson::can_be_taught(&self.train) {
            self.params = lesson::params_of_taught(&self.params).check()?;
        }
        Ok(self)
    }

    pub(super) fn setup<'a, N>(self, plan: &'a Checked<Plan>, task: Task<'a>, network: N) -> Setup<'a, N> {
        let Self { params, x, train, validation, values } = self;
        Setup { plan, params, network, x, graph: &task.data.graph, train, validation, values, seed: task.seed }
    }
}

/// The features as the plan wants them scaled.
pub(super) fn input(plan: &Plan, features: &Features) -> Input {
    let negative = || match features {
        Features::Identity(_) => false,
        Features::Sparse(rows) => rows.values.iter().any(|&v| v < 0.0),
        Features::Dense(rows) => rows.values.iter().any(|&v| v < 0.0),
    };
    let unit = match plan.scaling {
        Scaling::UnitRows => true,
        Scaling::AsIs => false,
        Scaling::Auto => !negative(),
    };
    if unit { Input::new(&features.with_unit_rows()) } else { Input::new(features) }
}

impl<N: Network + Clone> Setup<'_, N> {
    /// A network before its first step. The indices (v, i, s) name its streams; [0; 3] is the pretrained one.
    pub(super) fn fresh(&self, index: [u32; 3]) -> Trainer<'_, N> {
        self.from(self.first_weights(index), index)
    }

    /// Training that goes on from given weights.
    pub(super) fn from(&self, weights: Weights, index: [u32; 3]) -> Trainer<'_, N> {
        let start = Start { weights, masks: self.seed.at(For::Train, index) };
        Trainer::new(self.network.clone(), &self.params, (&self.x, self.train.clone()), start)
    }

    /// The network trained on the observed graph for so many epochs, fewer where the network's settings let it stop early.
    pub(super) fn pretrain(&self, index: [u32; 3], epochs: usize, watch: Watch<'_>) -> Result<Trainer<'_, N>, Error> {
        let params = (*self.params).clone().epochs(epochs).check()?;
        let mut trainer = self.trainer(&params, &self.train, index);
        let on = trainer.prepare(self.graph)?;
        trainer.run(&on, self.validation.as_ref(), |epoch, _| {
            watch(Progress { phase: Phase::Pretraining, done: epoch + 1, total: epochs });
            ControlFlow::Continue(())
        })?;
        Ok(trainer)
    }

    /// A network before its first step, on the given labels.
    pub(super) fn trainer(&self, params: &Checked<Params>, targets: &Targets, index: [u32; 3]) -> Trainer<'_, N> {
        let start = Start { weights: self.first_weights(index), masks: self.seed.at(For::Train, index) };
        Trainer::new(self.network.clone(), params, (&self.x, targets.clone()), start)
    }

    fn first_weights(&self, index: [u32; 3]) -> Weights {
        self.network.start(&mut self.seed.at(For::Weights, index))
    }

    /// Nothing gathered yet.
    pub(super) fn nothing(&self) -> Gathered {
        let mean = match self.train.loss() {
            Loss::CrossEntropy => Mean::of_classes(self.x.nodes(), self.train.outputs()),
            Loss::SquaredError => Mean::of_values(self.x.nodes()),
        };
        let beliefs = (self.plan.graph_model != GraphModelPlan::Observed).then(EdgeBeliefs::new);
        Gathered { mean, weights: Vec::new(), inferences: Vec::new(), beliefs }
    }

    /// A graph without edges, ready for the network, where the features have a say of their own.
    pub(super) fn alone(&self, trainer: &Trainer<'_, N>) -> Result<Option<Prepared<N::Operator>>, Error> {
        let asked = self.plan.say_of_features() > 0.0 && self.values.is_none();
        Ok(asked.then(|| trainer.prepare(&Graph::empty(self.graph.nodes()))).transpose()?)
    }

    /// What the network guesses [n, c]: on the observed graph, and on none where that has a say too.
    pub(super) fn guess(
        &self,
        trainer: &mut Trainer<'_, N>,
        observed: &Prepared<N::Operator>,
        alone: Option<&Prepared<N::Operator>>,
    ) -> Vec<f32> {
        let mut rows: Vec<f32> = trainer.predict(observed, Dropout::Off).values().collect();
        if let Some(alone) = alone {
            let features = trainer.predict(alone, Dropout::Off).values();
            belief::pool(self.plan, self.graph, &mut rows, features, self.train.outputs());
        }
        rows
    }

    /// The belief [n, k] that a graph model starts from, where this is the networks' guess [n, c]; first k.
    pub(super) fn belief<'g>(&self, guess: &'g [f32]) -> (usize, Cow<'g, [f32]>) {
        belief::from_guess(self.plan, self.graph, guess, self.train.outputs(), Some(&self.train))
    }

    /// Restarts the model at the network's guess [n, c].
    pub(super) fn restart(&self, guess: &[f32], model: &mut dyn GraphModel) -> Result<(), Error> {
        let (k, rows) = self.belief(guess);
        Ok(model.restart(Belief { k, rows: &rows })?)
    }

    /// Iterations whose λ is not used: a chain of samples must first find its way from the start.
    pub(super) fn burn_in(&self, model: &mut dyn GraphModel, watch: Watch<'_>) -> Result<(), Error> {
        let total = self.plan.graph_model.burn_in();
        if total > 0 {
            watch(Progress { phase: Phase::Inference, done: 0, total });
            // The last index is no sample's: streams of λ have s = 0.
            model.infer(total, self.seed.at(For::Lambda, [0, 0, 1]))?;
            watch(Progress { phase: Phase::Inference, done: total, total });
        }
        Ok(())
    }

    /// Takes λ a little further, and notes it.
    pub(super) fn infer(
        &self,
        model: &mut dyn GraphModel,
        index: [u32; 3],
        gathered: &mut Gathered,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let total = self.plan.iterations.unwrap_or(0);
        watch(Progress { phase: Phase::Inference, done: 0, total });
        gathered.inferences.push(model.infer(total, self.seed.at(For::Lambda, index))?);
        if let (Some(belief), Some(beliefs)) = (model.pair_belief(), &mut gathered.beliefs) {
            beliefs.add(belief)?;
        }
        watch(Progress { phase: Phase::Inference, done: total, total });
        Ok(())
    }

    /// Whether the weights of sample number `i` of `total` in the mean are among those kept.
    pub(super) fn keeps(&self, i: usize, total: usize) -> bool {
        let keep = self.plan.keep.min(total);
        // The last is always kept, the others are spread evenly before it.
        (i + 1) * keep / total > i * keep / total
    }

    pub(super) fn draws(&self) -> usize {
        filled(self.plan.draws)
    }
}
