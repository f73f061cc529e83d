//! The plan of a fit: network × graph model × schedule, each default with its source.
//!
//! A number left out depends on the schedule; [`Plan::check`] fills it in, so that a checked plan written to a file
//! repeats the run whatever later versions think of the defaults.

use super::mixture::Chain;
use super::{ChooseBy, Error, GraphModelPlan, MixturePlan};
use crate::Checked;
use crate::graph_model::mmsbm::{Delta, Inference, MmsbmParams};
use crate::network::{Kind, Params};
use serde::{Deserialize, Serialize};

/// In which order graphs and weights are sampled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// The authors' code: the weights go on from graph to graph, one step on each; the last graphs are averaged.
    /// With the observed graph alone: a plain network.
    Authors,
    /// Algorithm 1: `iterations` of inference, one graph, `samples` weights for it; `draws` times.
    /// With the observed graph alone: weights are sampled, graphs are not.
    Paper,
}

/// What becomes of the observed edges in a drawn graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObservedEdges {
    /// They are drawn anew with all others: the paper and the authors' code.
    Redrawn,
    /// They stay, and what is drawn comes to them.
    Kept,
    /// As is usual with the model that drew, which differs from draw to draw in a mixture.
    ByModel,
}

/// How `paper` samples weights given a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeightSampling {
    /// One network per graph, going on from the pretrained weights, and as many dropout masks as samples.
    Masks,
    /// One network per sample, going on from the pretrained weights with masks of its own.
    Retrain,
    /// Stochastic-gradient Langevin dynamics from the pretrained weights.
    Sgld,
    /// One network per sample from initial weights of its own, all epochs on the drawn graph.
    Restarts,
}

/// What happens to the features before the network sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// `unit_rows` where no feature is negative, else `as_is`.
    Auto,
    /// Every row divided by its sum, as Kipf and Welling do.
    UnitRows,
    /// Nothing.
    AsIs,
}

/// What to fit and how; a consuming builder, see [`Plan::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    pub(crate) schedule: Schedule,
    pub(crate) weight_sampling: Option<WeightSampling>,
    pub(crate) scaling: Scaling,
    pub(crate) observed_edges: Option<ObservedEdges>,
    pub(crate) pretraining: Option<usize>,
    pub(crate) draws: Option<usize>,
    pub(crate) averaged: Option<usize>,
    pub(crate) infer_every: Option<usize>,
    pub(crate) belief_rounds: Option<usize>,
    pub(crate) own_weight: Option<f64>,
    pub(crate) coherence: Option<f64>,
    pub(crate) feature_weight: Option<f64>,
    pub(crate) iterations: Option<usize>,
    pub(crate) graph_epochs: Option<usize>,
    pub(crate) samples: Option<usize>,
    pub(crate) lambdas: Option<usize>,
    pub(crate) sgld_step: f64,
    pub(crate) sgld_temperature: f64,
    pub(crate) keep: usize,
    /// Set where the graph model is only the default of a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) choose_by: Option<ChooseBy>,
    pub(crate) network: Params,
    pub(crate) graph_model: GraphModelPlan,
}

/// One consuming setter per setting.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty => $($wrap:ident)?),* $(,)?) => {
        $($(#[$doc])* pub fn $name(mut self, $name: $type) -> Self { self.$name = $($wrap)? ($name); self })*
    };
}

impl Plan {
    /// The defaults for a network and a graph model.
    pub fn new(kind: Kind, graph_model: GraphModelPlan) -> Self {
        Self {
            schedule: Schedule::Authors,
            weight_sampling: None,
            scaling: Scaling::Auto,
            observed_edges: None,
            pretraining: None,
            draws: None,
            averaged: None,
            infer_every: None,
            belief_rounds: None,
            own_weight: None,
            coherence: None,
            feature_weight: None,
            iterations: None,
            graph_epochs: None,
            samples: None,
            lambdas: None,
            sgld_step: 1e-4,
            sgld_temperature: 1e-2,
            choose_by: None,
            keep: 8, // a graph changed later is averaged over as many weights; 0.7 MB on Cora
            // The plain network in the authors' comparison takes 300 steps, as many as their Bayesian one in all; ours takes 351.
            network: Params::new(kind).epochs(300),
            graph_model,
        }
    }

    /// The authors' numbers for a network and so many classes: every edge drawn anew, 200 steps of ascent every 20 epochs, the
    /// last 59 of 99 graphs averaged. Their minibatches are replaced by the sums they estimate.
    pub fn published(kind: Kind, classes: usize) -> Self {
        let model = MmsbmParams::new(classes).inference(Inference::Linear).delta(Delta::Fixed(1e-4));
        let plan = Self::new(kind, GraphModelPlan::Mmsbm(model)).observed_edges(ObservedEdges::Redrawn);
        plan.pretraining(201)
            .draws(99)
            .averaged(59)
            .infer_every(20)
            .iterations(200)
            .belief_rounds(0)
            .coherence(0.0)
            .feature_weight(0.0)
    }

    setters! {
        /// The order in which graphs and weights are sampled.
        schedule: Schedule => ,
        /// How weights are sampled; schedule `paper` only.
        weight_sampling: WeightSampling => Some,
        /// What happens to the features first.
        scaling: Scaling => ,
        /// What becomes of the observed edges in a drawn graph.
        observed_edges: ObservedEdges => Some,
        /// Epochs on the observed graph before the first draw.
        pretraining: usize => Some,
        /// N_G, graphs drawn (for each λ).
        draws: usize => Some,
        /// How many of the last draws are averaged; schedule `authors` only.
        averaged: usize => Some,
        /// Epochs between inferences of λ, counted with the pretraining; schedule `authors` only.
        infer_every: usize => Some,
        /// Rounds in which nodes hear their neighbours' guesses before the graph model starts from them; 0 in the paper.
        belief_rounds: usize => Some,
        /// κ, how many neighbours a node's own guess is worth in those rounds; above 0.
        own_weight: f64 => Some,
        /// γ, how much less neighbours are heard who contradict each other, at least 0; 0 hears all alike.
        coherence: f64 => Some,
        /// The say of a guess from the features alone beside the one that sees the graph, from 0 (the paper) to 1.
        feature_weight: f64 => Some,
        /// Iterations of every inference: N_b of Algorithm 1.
        iterations: usize => Some,
        /// Training steps on each drawn graph; schedule `paper` only.
        graph_epochs: usize => Some,
        /// S, weights sampled for each graph; schedule `paper` only.
        samples: usize => Some,
        /// V, samples of λ by Langevin dynamics; schedule `paper` only.
        lambdas: usize => Some,
        /// Step size of `sgld`, above 0.
        sgld_step: f64 => ,
        /// Temperature of `sgld`: 1 is the posterior of the L2 penalty and the labels, 0 plain descent.
        sgld_temperature: f64 => ,
        /// How many weights are kept for later predictions; at least 1.
        keep: usize => ,
        /// Leaves the graph model open: the plan's own is the default among all that start from a belief, and one is chosen.
        choose_by: ChooseBy => Some,
        /// The network's settings; their `epochs` are those of a plain network and of `restarts`.
        network: Params => ,
        /// The graph model.
        graph_model: GraphModelPlan => ,
    }

    /// Accepts the plan, defaults filled in, or says which setting is wrong.
    pub fn check(mut self) -> Result<Checked<Self>, Error> {
        self.network.clone().check()?;
        self.graph_model.check()?;
        self.refuse_contradictions()?;
        if self.choose_by.is_none() {
            self.fill();
        }
        let counts = [
            ("draws", self.draws),
            ("averaged", self.averaged),
            ("infer_every", self.infer_every),
            ("samples", self.samples),
            ("lambdas", self.lambdas),
            ("keep", Some(self.keep)),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == Some(0)) {
            return Err(Error::setting(name, 0, "it must be at least 1"));
        }
        if let (Some(averaged), Some(draws)) = (self.averaged, self.draws)
            && averaged > draws
        {
            let allowed = format!("there are only {draws} draws to average; average fewer or draw more");
            return Err(Error::setting("averaged", averaged, allowed));
        }
        if !(f64::MIN_POSITIVE..=1.0).contains(&self.sgld_step) {
            return Err(Error::setting("sgld_step", self.sgld_step, "it must be above 0 and at most 1; try 1e-4"));
        }
        if let Some(weight) = self.own_weight.filter(|weight| !(f64::MIN_POSITIVE..=1e6).contains(weight)) {
            return Err(Error::setting("own_weight", weight, "it must be above 0 and at most 1e6; try 2"));
        }
        if let Some(coherence) = self.coherence.filter(|coherence| !(0.0..=100.0).contains(coherence)) {
            return Err(Error::setting("coherence", coherence, "it must be from 0 to 100; try 1"));
        }
        if let Some(weight) = self.feature_weight.filter(|weight| !(0.0..=1.0).contains(weight)) {
            return Err(Error::setting("feature_weight", weight, "it must be from 0 to 1; try 0.5"));
        }
        if !(0.0..=1e6).contains(&self.sgld_temperature) {
            return Err(Error::setting("sgld_temperature", self.sgld_temperature, "it must not be negative; try 0.01"));
        }
        Ok(Checked::vouched_for(self))
    }

    /// The plans that a choice is among, one for each graph model that starts from a belief, or for those that an average mixes; the plan
    /// itself where nothing is open.
    pub fn candidates(&self) -> Result<Vec<Checked<Self>>, Error> {
        let Some((k, by)) = self.graph_model.communities().zip(self.choose_by) else {
            return Ok(vec![self.clone().check()?]);
        };
        let usual = |name: &str| MixturePlan::USUAL.iter().any(|(usual, _)| *usual == name);
        let open = |model: &GraphModelPlan| match model {
            GraphModelPlan::Mixture(_) => false,
            model => model.communities().is_some() && (by != ChooseBy::Average || usual(model.name())),
        };
        let named = |name: &&str| GraphModelPlan::named(name, k).filter(open);
        let plan = |model: GraphModelPlan| {
            // The default keeps the settings it was given.
            let graph_model = if model.name() == self.graph_model.name() { self.graph_model.clone() } else { model };
            Self { choose_by: None, graph_model, ..self.clone() }.check()
        };
        GraphModelPlan::NAMES.iter().filter_map(named).map(plan).collect()
    }

    /// The plans of which one will be carried out, as far as is known before the choice: the candidates, or their mixture.
    pub(crate) fn possible(&self) -> Result<Vec<Checked<Self>>, Error> {
        match (self.choose_by, self.graph_model.communities()) {
            (Some(ChooseBy::Average), Some(k)) => {
                let usual = GraphModelPlan::Mixture(MixturePlan::of_named(MixturePlan::USUAL, k)?);
                Ok(vec![Self { choose_by: None, graph_model: usual, ..self.clone() }.check()?])
            }
            _ => self.candidates(),
        }
    }

    /// What the graph model is chosen by, where it is left open.
    pub fn choosing(&self) -> Option<ChooseBy> {
        self.choose_by
    }

    /// Settings that the rest of the plan has no use for are mistakes.
    fn refuse_contradictions(&self) -> Result<(), Error> {
        let paper = self.schedule == Schedule::Paper;
        let sampled = self.graph_model != GraphModelPlan::Observed;
        let (iterates, believes) = (self.graph_model.iterations().is_some(), self.graph_model.communities().is_some());
        const BELIEVES: &str = "a graph model that starts from a belief";
        const SAMPLES: &str = "a graph model other than observed, or schedule paper";
        let uses = [
            ("weight_sampling", self.weight_sampling.is_some(), paper, "schedule paper"),
            ("graph_epochs", self.graph_epochs.is_some(), paper, "schedule paper"),
            ("samples", self.samples.is_some(), paper, "schedule paper"),
            ("lambdas", self.lambdas.is_some_and(|v| v != 1), paper && sampled, "schedule paper with a graph model"),
            ("averaged", self.averaged.is_some(), !paper && sampled, "schedule authors with a graph model"),
            ("infer_every", self.infer_every.is_some(), !paper && sampled, "schedule authors with a graph model"),
            ("iterations", self.iterations.is_some(), iterates, "a graph model that iterates"),
            ("belief_rounds", self.belief_rounds.is_some(), believes, BELIEVES),
            ("own_weight", self.own_weight.is_some(), believes, BELIEVES),
            ("coherence", self.coherence.is_some(), believes, BELIEVES),
            ("feature_weight", self.feature_weight.is_some(), believes, BELIEVES),
            ("choose_by", self.choose_by.is_some(), believes, BELIEVES),
            ("draws", self.draws.is_some(), paper || sampled, SAMPLES),
            ("pretraining", self.pretraining.is_some(), paper || sampled, SAMPLES),
        ];
        if let Some((name, .., needs)) = uses.into_iter().find(|&(_, set, used, _)| set && !used) {
            return Err(Error::setting(name, "set", format!("only {needs} uses it; leave it out or change the plan")));
        }
        if let (Some(v @ 2..), Some(allowed)) = (self.lambdas, self.graph_model.single_lambda()) {
            return Err(Error::setting("lambdas", v, allowed));
        }
        if let (GraphModelPlan::Erase(_), Some(ObservedEdges::Kept)) = (&self.graph_model, self.observed_edges) {
            let allowed = "erased edges would all come back; leave it out, or take redrawn";
            return Err(Error::setting("observed_edges", "kept", allowed));
        }
        Ok(())
    }

    /// Fills in what was left out.
    fn fill(&mut self) {
        let sampled = self.graph_model != GraphModelPlan::Observed;
        let or = |slot: &mut Option<usize>, value| *slot = slot.or(Some(value));
        self.iterations = self.iterations.or(self.graph_model.iterations());
        self.observed_edges = self.observed_edges.or(Some(self.graph_model.observed_edges()));
        if self.graph_model.communities().is_some() {
            or(&mut self.belief_rounds, 5); // measured: docs/ablations.md
            self.feature_weight = self.feature_weight.or(Some(self.graph_model.feature_weight()));
            self.own_weight = self.own_weight.or(Some(self.graph_model.own_weight()));
            self.coherence = self.coherence.or(Some(self.graph_model.coherence()));
        }
        match self.schedule {
            Schedule::Authors if !sampled => {}
            Schedule::Authors => {
                or(&mut self.pretraining, 201); // the authors' code
                // The authors draw 99, average 59 and infer every 20 epochs; fresher λ are better: docs/ablations.md.
                let draws = *self.draws.get_or_insert(self.graph_model.draws());
                or(&mut self.averaged, (draws * 30 / 99).max(1));
                or(&mut self.infer_every, 10);
            }
            Schedule::Paper => {
                self.weight_sampling = self.weight_sampling.or(Some(WeightSampling::Masks));
                or(&mut self.pretraining, 200); // Kipf and Welling
                // The paper prints no N_G, S or N_b: docs/estimator.md.
                or(&mut self.draws, 10);
                or(&mut self.samples, 10);
                or(&mut self.lambdas, 1); // paper: the maximum a posteriori
                or(&mut self.graph_epochs, 60);
            }
        }
    }

    /// The network's settings.
    pub fn network_params(&self) -> &Params {
        &self.network
    }

    /// The graph model.
    pub fn model(&self) -> &GraphModelPlan {
        &self.graph_model
    }

    /// What becomes of observed edges in a graph that each part of the graph model draws: `Redrawn` or `Kept`.
    pub(super) fn edges_by_part(&self) -> impl Iterator<Item = ObservedEdges> {
        let asked = self.observed_edges.filter(|edges| *edges != ObservedEdges::ByModel);
        self.graph_model.parts().map(move |model| asked.unwrap_or(model.observed_edges()))
    }

    /// The networks that go from draw to draw in schedule `authors`; `paper` starts anew on every draw, from a single one.
    pub(crate) fn chains(&self) -> Vec<Chain> {
        match (&self.graph_model, self.schedule) {
            (GraphModelPlan::Mixture(mixture), Schedule::Authors) => mixture.chains(),
            _ => vec![Chain::ALL],
        }
    }

    /// How much the networks of a mixture learn from each other, where there is more than one.
    pub(super) fn lessons(&self) -> f64 {
        match &self.graph_model {
            GraphModelPlan::Mixture(mixture) if self.chains().len() > 1 => mixture.lessons,
            _ => 0.0,
        }
    }

    /// The say of the features alone in the belief that the graph model starts from.
    pub(super) fn say_of_features(&self) -> f64 {
        self.feature_weight.unwrap_or(0.0)
    }

    /// How many neighbours a node's own guess is worth in that belief.
    pub(super) fn own_say(&self) -> f64 {
        self.own_weight.unwrap_or(self.graph_model.own_weight())
    }

    /// How much less neighbours are heard who contradict each other.
    pub(super) fn doubt_of_contradiction(&self) -> f64 {
        self.coherence.unwrap_or(self.graph_model.coherence())
    }

    /// The schedule.
    pub fn order(&self) -> Schedule {
        self.schedule
    }
}

/// A number that `check` has filled in.
pub(super) fn filled(count: Option<usize>) -> usize {
    count.expect("a checked plan has every number its schedule uses")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::copying::{Classes, CopyingParams};

    fn authors() -> Plan {
        Plan::new(Kind::Gcn, GraphModelPlan::mmsbm(7))
    }

    fn paper() -> Plan {
        authors().schedule(Schedule::Paper)
    }

    fn plain() -> Plan {
        Plan::new(Kind::Gcn, GraphModelPlan::Observed)
    }

    fn named(model: &str) -> Plan {
        Plan::new(Kind::Gcn, GraphModelPlan::named(model, 7).unwrap())
    }

    #[test]
    fn observed_edges_are_kept_or_redrawn_as_suits_the_model() {
        let edges = |model| named(model).check().unwrap().observed_edges.unwrap();
        assert_eq!([edges("mmsbm"), edges("erase")], [ObservedEdges::Redrawn; 2]);
        assert_eq!([edges("copying"), edges("sbm")], [ObservedEdges::Kept; 2]);
    }

    #[test]
    fn a_checked_plan_leaves_nothing_open() {
        let plan = authors().check().unwrap();
        assert_eq!((plan.pretraining, plan.draws, plan.averaged), (Some(201), Some(150), Some(45)));
        assert_eq!((plan.belief_rounds, plan.feature_weight), (Some(5), Some(0.5)));
        assert_eq!((plan.infer_every, plan.iterations, plan.network.max_epochs()), (Some(10), Some(2), 300));
        assert!(Plan::published(Kind::Gcn, 7).check().is_ok());
        assert_eq!(plain().check().unwrap().draws, None);
        assert!(paper().check().is_ok() && plain().schedule(Schedule::Paper).check().is_ok());
    }

    #[test]
    fn every_setting_outside_its_range_or_without_use_is_refused_and_named() {
        let bad = [
            ("draws", authors().draws(0)),
            ("averaged", authors().draws(5).averaged(6)),
            ("averaged", authors().averaged(0)),
            ("infer_every", authors().infer_every(0)),
            ("keep", authors().keep(0)),
            ("own_weight", authors().own_weight(f64::NAN)),
            ("own_weight", authors().own_weight(0.0)),
            ("coherence", authors().coherence(-1.0)),
            ("own_weight", plain().own_weight(2.0)),
            ("feature_weight", authors().feature_weight(f64::NAN)),
            ("feature_weight", plain().feature_weight(0.5)),
            ("belief_rounds", plain().belief_rounds(1)),
            ("sgld_step", authors().sgld_step(f64::NAN)),
            ("sgld_temperature", authors().sgld_temperature(-1.0)),
            ("weight_sampling", authors().weight_sampling(WeightSampling::Masks)),
            ("samples", authors().samples(2)),
            ("graph_epochs", authors().graph_epochs(2)),
            ("lambdas", authors().lambdas(2)),
            ("lambdas", paper().lambdas(2)),
            ("samples", paper().samples(0)),
            ("averaged", paper().averaged(3)),
            ("infer_every", paper().infer_every(3)),
            ("draws", plain().draws(9)),
            ("pretraining", plain().pretraining(9)),
            ("iterations", plain().iterations(9)),
            ("iterations", named("copying").iterations(9)),
            ("iterations", named("erase").iterations(9)),
            ("observed_edges", named("erase").observed_edges(ObservedEdges::Kept)),
            ("lambdas", named("copying").schedule(Schedule::Paper).lambdas(2)),
        ];
        for (expected, plan) in bad {
            match plan.check() {
                Err(Error::Setting { name, .. }) => assert_eq!(name, expected),
                other => panic!("{expected}: {other:?}"),
            }
        }
        let several = MmsbmParams::new(7).inference(Inference::Langevin);
        assert!(paper().graph_model(GraphModelPlan::Mmsbm(several)).lambdas(3).check().is_ok());
        let several = CopyingParams::new(7).classes(Classes::Sampled);
        assert!(paper().graph_model(GraphModelPlan::Copying(several)).lambdas(3).check().is_ok());
    }

    #[test]
    fn a_checked_plan_written_and_read_is_the_same_plan() {
        for plan in GraphModelPlan::NAMES.map(named).into_iter().chain([paper()]) {
            let checked = plan.check().unwrap();
            let text = serde_json::to_string(&*checked).unwrap();
            let read: Plan = serde_json::from_str(&text).unwrap();
            assert_eq!(read.check().unwrap(), checked);
        }
        assert!(serde_json::from_str::<Plan>("{\"shedule\":\"paper\"}").is_err());
    }
}
