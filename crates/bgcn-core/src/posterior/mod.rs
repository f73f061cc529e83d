//! p(Z | Y_L, X, G_obs): the estimator, a mean over random-graph parameters, graphs and weights.
//! Paper: the equations labelled MC_posterior and map_approx, and Algorithm 1.
//! Differs: two schedules by name, Algorithm 1 as printed and the authors' code; several graph models can be averaged;
//! with the observed graph as the only draw, a plain network is the same code.
//! Symbols: Z [n, c] the classes of all nodes, Y_L the known ones; V, N_G, S how many λ, graphs and weights are
//! averaged; w_m the weight of graph model m.
//!
//! ```text
//! p(Z | Y_L, X, G_obs) ≈ Σ_m w_m 1/V Σ_v 1/(N_G S) Σ_i Σ_s p(Z | W_siv, G_iv, X)
//!
//! 1. a network trained on the observed graph predicts the classes              network
//! 2. λ_v ~ p(λ | G_obs): inference of the graph model starts from that         belief, graph_model
//! 3. G_iv ~ p(G | λ_v): graphs that could as well have been observed           graph_model
//! 4. W_siv ~ p(W | Y_L, X, G_iv): networks trained on them; the mean           schedule, mean
//! ```
//!
//! Same recipe, task and seed, same bytes: streams are keyed by (v, i, s), and sums run in their order.

mod apply;
mod average;
mod belief;
mod chain;
mod drawing;
mod learned;
mod mean;
mod memory;
mod parts;
mod schedule;
mod task;
#[cfg(test)]
mod tests;
mod values;

pub use apply::{Changed, Learned};
pub use average::{ModelWeight, ModelWeights};
pub use belief::belief_from_labels;
pub use drawing::Drawing;
pub use mean::{Posterior, Predictions};
pub use memory::MemoryNeed;
pub use task::Task;
pub use values::{NoiseFrom, ValueScale, Values};

use crate::Error;
use crate::graph_model::{EdgeBeliefs, Parameters, Report, SavedModel};
use crate::recipe::{Recipe, ScheduleKind};
use serde_json::{Map, Value};
use std::ops::ControlFlow;
use task::{Problem, Setup};

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Training on the observed graph; counted in epochs. May come several times.
    Pretraining,
    /// Inference of λ; counted in iterations. May come several times.
    Inference,
    /// Graphs drawn and trained on; counted in graphs.
    Draws,
    /// The same once more with decoys in the graph, to judge its edges: [`crate::links`]. May run beside the others.
    Decoys,
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub phase: Phase,
    /// How much of it is done.
    pub done: usize,
    /// Out of how much.
    pub total: usize,
}

/// Called at every epoch, inference and draw, from any thread of the fit; a break ends it with [`Error::Stopped`].
pub type Watch<'a> = &'a (dyn Fn(Progress) -> ControlFlow<()> + Sync);

/// Goes on, whatever the progress.
pub fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Reports progress, and stops where the watcher breaks.
fn tell(watch: Watch<'_>, phase: Phase, done: usize, total: usize) -> Result<(), Error> {
    match watch(Progress { phase, done, total }) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Stopped),
    }
}

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The probabilities of every node.
    pub predictions: Predictions,
    /// What [`Learned::apply`] needs for other graphs and features; it holds the recipe.
    pub learned: Learned,
    /// A report of each inference of λ.
    pub inferences: Vec<Report>,
    /// The last λ of each graph model, by its name; empty for `observed`.
    pub lambdas: Vec<(&'static str, Parameters)>,
    /// Edge probabilities, averaged over the inferences; `None` for `observed`.
    pub beliefs: Option<EdgeBeliefs>,
    /// The weights of the graph models and the evidence for them, where there are several.
    pub weights: Option<ModelWeights>,
}

impl Fit {
    /// What was done.
    pub fn recipe(&self) -> &Recipe {
        &self.learned.recipe
    }

    /// λ and the settings it was found with, to be written to files; of several graph models, all together.
    pub fn saved_model(&self, seed: u64) -> Option<SavedModel> {
        let recipe = self.recipe();
        match &self.lambdas[..] {
            [] => None,
            [(_, parameters)] => Some(recipe.members[0].model.saved(parameters.clone(), seed)),
            several => {
                let settings: Map<String, Value> = recipe
                    .members
                    .iter()
                    .map(|member| (member.model.name().into(), member.model.table().into()))
                    .collect();
                let mut all = Parameters::joined(several);
                all.small.insert("communities".into(), recipe.communities().into());
                Some(SavedModel::new(&recipe.graph_model(), &settings, seed, all))
            }
        }
    }
}

/// Fits a recipe to a task.
pub fn fit(recipe: &Recipe, task: Task<'_>, watch: Watch<'_>) -> Result<Fit, Error> {
    MemoryNeed::of(recipe, task.data).check(task.data, &recipe.method())?;
    let fit = run(&Problem::new(recipe, task)?.setup(recipe, task), watch)?;
    Ok(Fit { learned: Learned { means: task.data.column_means(), ..fit.learned }, ..fit })
}

/// Weighs the graph models, follows the schedule, and takes the mean.
fn run(setup: &Setup<'_>, watch: Watch<'_>) -> Result<Fit, Error> {
    let recipe = setup.recipe;
    let weights = average::weights(setup, watch)?;
    let shares = average::shares(recipe, weights.as_ref());
    let gathered = match recipe.schedule.kind {
        ScheduleKind::Published if recipe.is_plain() => schedule::plain(setup, watch)?,
        ScheduleKind::Published => schedule::published(setup, &shares, watch)?,
        ScheduleKind::Algorithm1 => schedule::algorithm1(setup, &shares, watch)?,
    };
    let mean = gathered.mean;
    let (predictions, values) = match &setup.values {
        None => (Predictions::Classes(mean.posterior()), None),
        Some((scale, _)) => {
            let noise = values::noise(setup, &mean, watch)?;
            (Predictions::Values(mean.values(scale, noise)), Some((*scale, noise)))
        }
    };
    let classes = setup.classes.to_vec();
    let learned = Learned {
        recipe: recipe.clone(),
        shares,
        kept: gathered.kept,
        outputs: setup.train.outputs(),
        classes,
        scaler: setup.scaler.clone(),
        feature_names: setup.feature_names.to_vec(),
        means: Vec::new(),
        values,
    };
    let (inferences, lambdas, beliefs) = (gathered.inferences, gathered.lambdas, gathered.beliefs);
    Ok(Fit { predictions, learned, inferences, lambdas, beliefs, weights })
}
