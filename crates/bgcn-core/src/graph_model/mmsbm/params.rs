//! Settings of the block model, each default with its source.
//!
//! `MmsbmParams::new(7).delta(OrAuto::Fixed(1e-4)).check()?` gives what inference requires.

use super::{Lambda, Mmsbm, Start};
use crate::Error;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::registry::Settings;
use crate::graph_model::{Belief, GraphModel, ModelSettings, Parameters};
use crate::kernels::padded;
use crate::setting::object;
use crate::setting::{
    self, COMMUNITIES, FROM_0, FROM_1, NOT_NEGATIVE, OrAuto, POSITIVE, PROBABILITY, Range, SHARE, Setting, setters,
    settings,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How p(λ | G_obs) is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Inference {
    /// Ascent as published: sampled nodes, sampled non-edges.
    Minibatch,
    /// Ascent with the sums over non-edges in closed form, O(E K + N K²) per iteration.
    Linear,
    /// Damped natural steps along the same closed form, under the prior Dir(1 + κ p_a) around the start p.
    Natural,
    /// Posterior samples by stochastic gradient Riemannian Langevin dynamics.
    Langevin,
    /// Mean-field variational inference.
    Variational,
}

impl Inference {
    /// All of them, by name.
    pub const ALL: [Self; 5] = [Self::Minibatch, Self::Linear, Self::Natural, Self::Langevin, Self::Variational];

    /// The name on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minibatch => "minibatch",
            Self::Linear => "linear",
            Self::Natural => "natural",
            Self::Langevin => "langevin",
            Self::Variational => "variational",
        }
    }

    /// Gradient steps on theta where the published algorithm is asked for, the closed form elsewhere.
    pub(crate) fn beta_update(self) -> BetaUpdate {
        match self {
            Self::Minibatch | Self::Langevin => BetaUpdate::Ascent,
            _ => BetaUpdate::Em,
        }
    }

    /// Iterations of each inference in a fit. `natural` stays near the network's prediction: docs/estimator.md.
    pub(crate) fn iterations(self) -> usize {
        match self {
            Self::Natural => 2,
            Self::Langevin => 100,
            _ => 200,
        }
    }

    /// Dir(alpha): the paper's 1, at which a maximum is that of the likelihood. To a mean and to a sample alpha counts
    /// as links, so that `variational` and `langevin` share one among the communities.
    pub(crate) fn alpha(self, communities: usize) -> f64 {
        match self {
            Self::Variational | Self::Langevin => 1.0 / communities.max(1) as f64,
            _ => 1.0,
        }
    }
}

impl Inference {
    /// κ of the prior around the start. A sample scatters around what a maximum sits on, so that it is held more.
    pub(crate) fn prior_strength(self) -> f64 {
        if self == Self::Langevin { 20.0 } else { 5.0 }
    }
}

/// How the community strengths move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BetaUpdate {
    /// Gradient steps on theta, as published.
    Ascent,
    /// The closed-form maximum given the responsibilities: no step size.
    Em,
}

/// Whose gradient drives Langevin sampling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drift {
    /// The published minibatch.
    Minibatch,
    /// The closed form.
    Linear,
}

/// Which rows of phi an iteration of `linear` moves; `minibatch` moves sampled ones, the others all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rows {
    /// All of them.
    All,
    /// n sampled ones, as published.
    Sampled,
}

/// How graphs are drawn from λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// Every node in its strongest community: the authors' code.
    Hard,
    /// Every pair picks communities anew: the paper.
    Mixed,
}

/// Settings of the block model; a consuming builder, see [`MmsbmParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MmsbmParams {
    pub(crate) communities: usize,
    pub(crate) inference: Inference,
    pub(crate) iterations: usize,
    pub(crate) delta: OrAuto,
    pub(crate) eta: f64,
    pub(crate) alpha: f64,
    pub(crate) rho: f64,
    pub(crate) minibatch: usize,
    pub(crate) non_edge_share: f64,
    pub(crate) eps_0: f64,
    pub(crate) tau: f64,
    pub(crate) kappa: f64,
    pub(crate) first_step: usize,
    pub(crate) scale_iterations: usize,
    pub(crate) scale_step: f64,
    pub(crate) rows: Rows,
    pub(crate) phi_scale: f64,
    pub(crate) theta_scale: OrAuto,
    pub(crate) beta_update: BetaUpdate,
    pub(crate) prior_strength: f64,
    pub(crate) damping: f64,
    pub(crate) tolerance: f64,
    pub(crate) drift: Drift,
    pub(crate) burn_in: usize,
    pub(crate) langevin_step: f64,
    pub(crate) draw: Draw,
    pub(crate) stop_below: f64,
    #[serde(skip)]
    pub(crate) trace_every: usize,
}

pub(crate) const SETTINGS: &[Setting] = settings! {
    "communities": COMMUNITIES, "communities", "K; communities start as the classes", "the data";
    "inference": Range::Word(&["linear", "minibatch", "natural", "langevin", "variational"]), "",
        "how the posterior of the random-graph parameters is found", "natural: measured, docs/estimator.md";
    "iterations": FROM_1, "iterations", "iterations of each inference; between samples for langevin",
        "natural 2 (near the network's prediction), langevin 100, else 200 (authors' code)";
    "delta": Range::Or("auto", &Range::Above(0.0, 0.999_999)), "probability",
        "link probability between communities; auto: the observed density between them", "authors' code";
    "eta": POSITIVE, "", "Beta(eta, eta) prior of the community strengths; at least 1 with beta_update em", "paper";
    "alpha": POSITIVE, "", "Dirichlet(alpha) prior of the memberships",
        "paper; variational and langevin 1/K: Gopalan et al. (2012)";
    "rho": NOT_NEGATIVE, "", "rate of the Gamma priors of phi and theta", "paper";
    "minibatch": FROM_1, "nodes", "n, nodes of a minibatch and non-neighbours sampled for each", "paper";
    "non_edge_share": SHARE, "share", "share of the non-edges in a minibatch for theta", "paper";
    "eps_0": POSITIVE, "", "step size eps_0 (t + tau)^-kappa", "paper";
    "tau": POSITIVE, "iterations", "delay of the step size", "paper";
    "kappa": PROBABILITY, "", "decay of the step size", "paper";
    "first_step": FROM_0, "iterations", "t of the first iteration", "paper";
    "scale_iterations": FROM_0, "iterations",
        "iterations of a first run from random that finds the row sums of phi and theta, which are then carried from \
         inference to inference; 0 takes phi_scale and theta_scale; linear and minibatch only",
        "published 1000: authors' code";
    "scale_step": POSITIVE, "", "factor on the steps of the first run, which count from 0", "authors' code";
    "rows": Range::Word(&["all", "sampled"]), "", "rows of phi that an iteration of linear moves: all, or n sampled \
                                        ones (paper)", "no sampling variance";
    "phi_scale": POSITIVE, "", "row sums of phi at the start; larger is a smaller step", "authors' first run on Cora";
    "theta_scale": Range::Or("auto", &POSITIVE), "",
        "row sums of theta at the start; auto: a step of the ascent is at most the EM update", "a rule of ours";
    "beta_update": Range::Word(&["ascent", "em"]), "", "community strengths by gradient steps or in closed form",
        "ascent (paper) for minibatch and langevin, else em";
    "prior_strength": NOT_NEGATIVE, "",
        "kappa of the prior around the start p: Dir(1 + kappa p_a) of natural, Dir(alpha + kappa p_a) of langevin and \
         variational",
        "5: measured with a prototype; langevin 20: docs/paper.md";
    "damping": SHARE, "share", "share of a natural step that is taken", "measured with a prototype";
    "tolerance": NOT_NEGATIVE, "", "largest relative error of the closed form before it is replaced", "measured on \
                                        Cora";
    "drift": Range::Word(&["minibatch", "linear"]), "", "the gradient of langevin", "no sampling variance";
    "burn_in": FROM_0, "iterations", "iterations of langevin before its first sample", "authors' first run";
    "langevin_step": Range::Above(0.0, 1.0), "share",
        "share of the way to its conditional mode that a first step of langevin goes; smaller has less bias", "the \
                                        bias that halving it shows: docs/paper.md";
    "draw": Range::Word(&["hard", "mixed"]), "",
        "graphs from the strongest community of each node, or from mixed memberships (paper)", "authors' code";
    "stop_below": NOT_NEGATIVE, "", "stop once no membership moves by as much; 0 runs all iterations", "authors' code";
};

impl MmsbmParams {
    /// The defaults, for `communities` communities (K; the number of classes in the paper).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            inference: Inference::Linear,
            iterations: 200,
            delta: OrAuto::Auto, // a fixed 1e-4 exceeds beta on large graphs
            eta: 1.0,
            alpha: 1.0,
            rho: 0.001,
            minibatch: 500,
            non_edge_share: 0.01,
            eps_0: 1.0,
            tau: 1024.0,
            kappa: 0.5,
            first_step: 0,
            scale_iterations: 0,
            scale_step: 10.0,
            rows: Rows::All,
            phi_scale: 4.0,
            theta_scale: OrAuto::Auto,
            beta_update: BetaUpdate::Em,
            prior_strength: 5.0,
            damping: 0.5,
            tolerance: 0.01,
            drift: Drift::Linear,
            burn_in: 1000,
            langevin_step: 0.05,
            draw: Draw::Hard,
            stop_below: 0.0,
            trace_every: 0,
        }
    }

    /// How λ is found, with the update of the community strengths that belongs to it.
    pub fn inference(mut self, inference: Inference) -> Self {
        self.inference = inference;
        self.beta_update = inference.beta_update();
        self.alpha = inference.alpha(self.communities);
        self.prior_strength = inference.prior_strength();
        self
    }

    setters! {
        /// Iterations when none are given.
        iterations: usize,
        /// The chance of a link between communities.
        delta: OrAuto,
        /// Beta(eta, eta) prior of the community strengths.
        eta: f64,
        /// Dir(alpha) prior of the memberships.
        alpha: f64,
        /// Rate of the Gamma priors of phi and theta.
        rho: f64,
        /// n, nodes per minibatch and pairs per node.
        minibatch: usize,
        /// Share of the non-edges in a minibatch for theta.
        non_edge_share: f64,
        /// Step size eps_0 (t + tau)^-kappa.
        eps_0: f64,
        /// Delay of the step size.
        tau: f64,
        /// Decay of the step size.
        kappa: f64,
        /// t of the first iteration.
        first_step: usize,
        /// Iterations of a first run from random that finds the row sums; 0 for none.
        scale_iterations: usize,
        /// Factor on the steps of the first run.
        scale_step: f64,
        /// Which rows an iteration of `linear` moves.
        rows: Rows,
        /// Row sums of phi at the start. A larger one is a smaller step.
        phi_scale: f64,
        /// Row sums of theta at the start. Auto: eps at the first step times half the square of the largest community,
        /// at which a step of the ascent is at most the EM update.
        theta_scale: OrAuto,
        /// How the community strengths move.
        beta_update: BetaUpdate,
        /// κ of the prior around the start p: Dir(1 + κ p_a) of `natural`, Dir(alpha + κ p_a) of `langevin`.
        prior_strength: f64,
        /// Share of a natural step that is taken.
        damping: f64,
        /// Largest error of the closed form, relative to the non-edges' pull, before it is replaced.
        tolerance: f64,
        /// The gradient of `langevin`.
        drift: Drift,
        /// Iterations of `langevin` before its first sample.
        burn_in: usize,
        /// Share of the way to its conditional mode that a first step of `langevin` goes.
        langevin_step: f64,
        /// How graphs are drawn.
        draw: Draw,
        /// Stops once no membership moves by as much in an iteration; 0 runs all iterations.
        stop_below: f64,
        /// Iterations between entries of the trace; 0 for none. Changes no result.
        trace_every: usize,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("mmsbm", SETTINGS, &self)?;
        if self.beta_update == BetaUpdate::Em && self.eta < 1.0 {
            let allowed = "the EM update needs at least 1; set mmsbm.beta_update to ascent or take a larger eta";
            return Err(Error::setting("mmsbm.eta", self.eta, allowed));
        }
        if self.inference == Inference::Langevin && self.beta_update == BetaUpdate::Em {
            let allowed = "langevin samples theta, it does not maximise; set it to ascent";
            return Err(Error::setting("mmsbm.beta_update", "em", allowed));
        }
        if self.scale_iterations > 0 && !matches!(self.inference, Inference::Linear | Inference::Minibatch) {
            let allowed = "only linear and minibatch depend on row sums; set it to 0 or change mmsbm.inference";
            return Err(Error::setting("mmsbm.scale_iterations", self.scale_iterations, allowed));
        }
        Ok(Checked::vouched_for(self))
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// Pairs that `minibatch` samples in so many inferences of a graph of `nodes` nodes, about.
    pub(crate) fn sampled_pairs(&self, nodes: usize, inferences: usize) -> f64 {
        let langevin = self.inference == Inference::Langevin && self.drift == Drift::Minibatch;
        if self.inference != Inference::Minibatch && !langevin {
            return 0.0;
        }
        let (n, batch) = (nodes as f64, self.minibatch.min(nodes) as f64);
        let iterations = self.scale_iterations + inferences * self.iterations;
        iterations as f64 * (0.5 * self.non_edge_share * n * n + batch * batch)
    }

    /// eps_t = eps_0 (t + tau)^-kappa.
    pub(crate) fn step(&self, t: usize) -> f64 {
        self.eps_0 * (t as f64 + self.tau).powf(-self.kappa)
    }
}

impl Settings for MmsbmParams {
    fn check(&self) -> Result<(), Error> {
        self.clone().check().map(drop)
    }

    fn communities(&self) -> usize {
        MmsbmParams::communities(self)
    }

    fn iterations(&self) -> usize {
        self.iterations
    }

    fn burn_in(&self) -> usize {
        if self.inference == Inference::Langevin { self.burn_in } else { 0 }
    }

    fn single_lambda(&self) -> Option<&'static str> {
        let samples = self.inference == Inference::Langevin;
        (!samples).then_some("several λ need mmsbm.inference langevin; a maximum is the same every time")
    }

    fn numbers_per_node(&self) -> usize {
        padded(self.communities)
    }

    fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error> {
        let undecided = vec![1.0; graph.nodes() * self.communities];
        let belief = Belief { k: self.communities, rows: &undecided };
        Ok(Box::new(Mmsbm::start(&self.clone().check()?, graph, Start::Belief(belief))?))
    }

    fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        let lambda = Lambda::try_from(parameters).map_err(Error::start)?;
        Ok(Box::new(Mmsbm::resume(&self.clone().check()?, graph, lambda)?))
    }

    fn traced(&self, every: usize) -> Option<ModelSettings> {
        Some(ModelSettings::Mmsbm(self.clone().trace_every(every)))
    }

    fn table(&self) -> Map<String, Value> {
        object(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_allowed_for_every_inference() {
        for inference in Inference::ALL {
            assert!(MmsbmParams::new(7).inference(inference).check().is_ok(), "{}", inference.name());
        }
    }

    #[test]
    fn nan_is_refused_everywhere() {
        type Setter = fn(MmsbmParams, f64) -> MmsbmParams;
        let setters: [(&str, Setter); 14] = [
            ("eta", MmsbmParams::eta),
            ("alpha", MmsbmParams::alpha),
            ("rho", MmsbmParams::rho),
            ("non_edge_share", MmsbmParams::non_edge_share),
            ("eps_0", MmsbmParams::eps_0),
            ("tau", MmsbmParams::tau),
            ("kappa", MmsbmParams::kappa),
            ("phi_scale", MmsbmParams::phi_scale),
            ("theta_scale", |p, x| p.theta_scale(OrAuto::Fixed(x))),
            ("prior_strength", MmsbmParams::prior_strength),
            ("damping", MmsbmParams::damping),
            ("tolerance", MmsbmParams::tolerance),
            ("stop_below", MmsbmParams::stop_below),
            ("delta", |p, x| p.delta(OrAuto::Fixed(x))),
        ];
        for (name, set) in setters {
            for bad in [f64::NAN, -1.0, f64::INFINITY] {
                let error = set(MmsbmParams::new(3), bad).check().unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
    }

    #[test]
    fn contradictions_are_refused() {
        assert!(MmsbmParams::new(0).check().is_err());
        assert!(MmsbmParams::new(3).eta(0.5).check().is_err());
        assert!(MmsbmParams::new(3).eta(0.5).beta_update(BetaUpdate::Ascent).check().is_ok());
        assert!(MmsbmParams::new(3).inference(Inference::Langevin).beta_update(BetaUpdate::Em).check().is_err());
        assert!(MmsbmParams::new(3).delta(OrAuto::Fixed(1.0)).check().is_err());
    }

    #[test]
    fn step_sizes_are_the_papers() {
        let params = MmsbmParams::new(7);
        assert!((params.step(0) - 1.0 / 32.0).abs() < 1e-15);
        assert!(params.step(10_000) < params.step(0));
    }
}
