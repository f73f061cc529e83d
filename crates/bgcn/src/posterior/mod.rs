//! p(Z | Y_L, X, G_obs): the estimator, a mean over random-graph parameters, graphs and weights.
//! Paper: the equations labelled MC_posterior and map_approx, and Algorithm 1.
//! Differs: two schedules by name, the published algorithm and the authors' code; the observed graph alone is a third
//! graph model, so that a plain network is the same code.
//! Symbols: Z [n, c] the classes of all nodes, Y_L the known ones; V, N_G, S how many λ, graphs and weights are averaged.
//!
//! ```text
//! p(Z | Y_L, X, G_obs) ≈ 1/V Σ_v 1/(N_G S) Σ_i Σ_s p(Z | W_siv, G_iv, X)
//!
//! 1. a network trained on the observed graph guesses the classes            network
//! 2. λ_v ~ p(λ | G_obs): the guess starts the random-graph model's inference  graph_model
//! 3. G_iv ~ p(G | λ_v): graphs that could as well have been observed          graph_model
//! 4. W_siv ~ p(W | Y_L, X, G_iv): networks trained on them; the mean          network, here
//! ```
//!
//! Same plan, task and seed, same bytes: streams are keyed by (v, i, s), and sums run in their order.

mod apply;
mod authors;
mod belief;
mod choose;
mod draw;
mod error;
mod from_labels;
mod graph_model;
mod lesson;
mod mean;
mod mixture;
mod paper;
mod params;
mod saved;
mod setup;
mod temperature;
mod values;

pub use apply::{Changed, Learned};
pub use choose::{Candidate, Choice, ChooseBy};
pub use error::Error;
pub use from_labels::belief_from_labels;
pub use graph_model::GraphModelPlan;
pub use mean::{Posterior, Predictions};
pub use mixture::{MixturePlan, Networks, Share};
pub use params::{ObservedEdges, Plan, Scaling, Schedule, WeightSampling};
pub use temperature::Temperature;
pub use values::{NoiseFrom, ValueScale, Values};

use crate::Checked;
use crate::data::{Dataset, Split};
use crate::graph_model::{EdgeBeliefs, Parameters, Report};
use crate::network::Network;
use crate::rng::Seed;
use setup::{Problem, Setup};

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

/// What is being done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Training on the observed graph; counted in epochs.
    Pretraining,
    /// Inference of λ; counted in iterations. May come several times.
    Inference,
    /// Graphs drawn and trained on; counted in graphs.
    Draws,
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

/// Whoever wants to know how far a fit is.
pub type Watch<'a> = &'a mut dyn FnMut(Progress);

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What is believed of every node.
    pub predictions: Predictions,
    /// What [`Learned::apply`] needs for other graphs and features: the last weights, and earlier ones of the mean.
    pub learned: Learned,
    /// What each inference of λ told about itself.
    pub inferences: Vec<Report>,
    /// The last λ; `None` where the observed graph is taken for granted.
    pub lambda: Option<Parameters>,
    /// How likely edges are, averaged over the inferences; `None` where the observed graph is taken for granted.
    pub beliefs: Option<EdgeBeliefs>,
    /// What was carried out: the plan, or where that leaves the graph model open, the same with the chosen one.
    pub plan: Checked<Plan>,
    /// How the graph model was chosen, where it was.
    pub choice: Option<Choice>,
}

/// Builds the network that the settings name, for so many features and outputs, and goes on with it.
macro_rules! with_network {
    ($params:expr, $features:expr, $outputs:expr, |$network:ident| $body:expr) => {
        match $params.kind() {
            $crate::network::Kind::Gcn => {
                let $network = $crate::network::Gcn::new($params, $features, $outputs);
                $body
            }
            $crate::network::Kind::Chebnet => {
                let $network = $crate::network::Chebnet::new($params, $features, $outputs);
                $body
            }
            $crate::network::Kind::Gat => {
                let $network = $crate::network::Gat::new($params, $features, $outputs);
                $body
            }
        }
    };
}
use with_network;

/// Learns what the plan says from the task. `watch` hears of every epoch, inference and draw.
pub fn fit(plan: &Checked<Plan>, task: Task<'_>, watch: Watch<'_>) -> Result<Fit, Error> {
    if let Some(by) = plan.choose_by {
        return choose::fit(plan, by, task, watch);
    }
    let problem = Problem::new(plan, task)?;
    let params = problem.params.clone();
    with_network!(&params, problem.x.columns(), problem.train.outputs(), |network| {
        run(&problem.setup(plan, task, network), watch)
    })
}

/// The same for one kind of network: starts the graph model, follows the schedule, and takes the mean.
fn run<N: Network + Clone>(setup: &Setup<'_, N>, watch: Watch<'_>) -> Result<Fit, Error> {
    let mut model = setup.plan.graph_model.start(setup.graph)?;
    let model = &mut *model;
    let gathered = match (setup.plan.schedule, &setup.plan.graph_model) {
        (Schedule::Authors, GraphModelPlan::Observed) => authors::plain(setup, watch)?,
        (Schedule::Authors, _) => authors::run(setup, model, watch)?,
        (Schedule::Paper, _) => paper::run(setup, model, watch)?,
    };
    let mean = gathered.mean;
    let (predictions, values) = match &setup.values {
        None => (Predictions::Classes(mean.posterior()), None),
        Some((scale, _)) => {
            let noise = values::noise(setup, &mean)?;
            (Predictions::Values(mean.values(scale, noise)), Some((*scale, noise)))
        }
    };
    let learned = Learned { weights: gathered.weights, outputs: setup.train.outputs(), values };
    let (inferences, beliefs) = (gathered.inferences, gathered.beliefs);
    let (plan, lambda) = (setup.plan.clone(), model.parameters());
    Ok(Fit { predictions, learned, inferences, lambda, beliefs, plan, choice: None })
}
