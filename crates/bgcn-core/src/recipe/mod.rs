//! From given settings to all of them: [`Plan`] → [`Plan::resolve`] → [`Recipe`] → fit.
//!
//! A [`Plan`] holds the few settings that were given. Resolving it against a dataset gives a [`Recipe`]: every number
//! that changes a result, nothing left open. What a fit finds (weights of an average, means and spreads of columns,
//! the scale of numbers) is part of the fit.

mod identity;
mod listed;
mod plan;
mod presets;
mod remarks;
mod resolve;
mod schema;
mod settings;
mod tables;
#[cfg(test)]
mod tests;

pub use crate::data::Scaling;
pub use crate::setting::nearest;
pub use identity::RESULTS_EPOCH;
pub use listed::{Listed, listed};
pub use plan::Plan;
pub use presets::Preset;
pub use schema::{Documented, schema};
pub use settings::LinkSettings;
pub(crate) use settings::{Average, Belief, Schedule};

use crate::graph_model::{ModelSettings, ObservedEdges};
use crate::network::{Kind, Params};
use crate::setting::words;

/// The models of `--graph-model auto`: those that differ most in what they draw. Copied neighbourhoods keep degrees and
/// ties between classes, the block model draws even and pure communities.
pub(crate) const AUTO: &str = "copying+mmsbm";

words! {
    /// In which order graphs and weights are sampled.
    pub enum ScheduleKind {
        /// The authors' code: the weights go on from graph to graph, one step on each; the last graphs are averaged.
        /// With the observed graph alone: a plain network.
        Published = "published",
        /// Algorithm 1 as printed: inference, one graph, weights for it; as often as there are graphs.
        /// With the observed graph alone: weights are sampled, graphs are not.
        Algorithm1 = "algorithm1",
    }
}

words! {
    /// How `algorithm1` samples weights given a graph.
    pub enum WeightSampling {
        /// One network per graph, going on from the pretrained weights, and as many dropout masks as samples.
        Masks = "masks",
        /// One network per sample, going on from the pretrained weights with masks of its own.
        Retrain = "retrain",
        /// Preconditioned stochastic-gradient Langevin dynamics from the pretrained weights.
        Sgld = "sgld",
        /// One network per sample from initial weights of its own, all epochs on the drawn graph.
        Restarts = "restarts",
    }
}

words! {
    /// How decoys of the link model are drawn.
    pub enum DecoyKind {
        /// Between any two nodes, like errors and noise.
        Uniform = "uniform",
        /// From a labelled node to any other, like edges of an attacker who wants labels to mislead.
        Aimed = "aimed",
    }
}

words! {
    /// What becomes of edges that are probably spurious.
    pub enum Doubted {
        /// They stay in the graph that is learned from.
        Kept = "kept",
        /// Edges whose P(spurious) is above one half are left out, and the fit is done anew.
        LeftOut = "left_out",
    }
}

/// A graph model of the recipe.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its prior weight among the others.
    pub weight: f64,
    /// What becomes of the observed edges in its draws.
    pub observed_edges: ObservedEdges,
    /// The model with its settings.
    pub model: ModelSettings,
}

/// Everything that decides a result beside the data and the seed; complete.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipe {
    /// Of the features.
    pub scaling: Scaling,
    /// Of the network and its training.
    pub network: Params,
    /// Of graphs and weights.
    pub schedule: Schedule,
    /// What graph models start from.
    pub belief: Belief,
    /// How several graph models are weighted.
    pub average: Average,
    /// How single edges are judged.
    pub links: LinkSettings,
    /// The graph models; at least one.
    pub members: Vec<Member>,
}

impl Recipe {
    /// Whether it uses the observed graph.
    pub fn is_plain(&self) -> bool {
        matches!(self.members[..], [Member { model: ModelSettings::Observed(_), .. }])
    }

    /// Columns of the belief that the graph models start from; 0 where none needs one.
    pub fn communities(&self) -> usize {
        self.members.iter().map(|member| member.model.communities()).max().unwrap_or(0)
    }

    /// The names of the graph models, joined by +.
    pub fn graph_model(&self) -> String {
        self.members.iter().map(|member| member.model.name()).collect::<Vec<_>>().join("+")
    }

    /// `gcn`, `gcn+mmsbm`, `gcn+auto`, …
    pub fn method(&self) -> String {
        let network = self.network.kind.name();
        match self.graph_model().as_str() {
            "observed" => network.into(),
            AUTO => format!("{network}+auto"),
            model => format!("{network}+{model}"),
        }
    }

    /// The same network on the observed graph alone, for comparison.
    pub fn plain(&self) -> Self {
        let plain = Self::defaults(self.network.kind.name(), "observed", "published", resolve::Facts::UNKNOWN);
        Self { scaling: self.scaling, network: self.network.clone(), ..plain.expect("known names") }
    }

    /// Iterations of one inference of all graph models.
    pub(crate) fn iterations(&self) -> usize {
        self.members.iter().map(|member| member.model.iterations()).sum()
    }

    /// Pairs of nodes that a fit of a graph of so many nodes samples, about; 0 where sums are in closed form.
    ///
    /// The paper's minibatches grow with the square of the nodes: 1 % of the non-edges at every iteration.
    pub(crate) fn sampled_pairs(&self, nodes: usize) -> f64 {
        let Schedule { kind, draws, infer_every, .. } = self.schedule;
        let inferences = match kind {
            ScheduleKind::Published => 1 + draws / infer_every,
            ScheduleKind::Algorithm1 => draws,
        };
        let of = |member: &Member| match &member.model {
            ModelSettings::Mmsbm(params) => params.sampled_pairs(nodes, inferences),
            _ => 0.0,
        };
        self.members.iter().map(of).sum()
    }

    /// Which network.
    pub fn kind(&self) -> Kind {
        self.network.kind
    }
}
