//! Settings of the block model.

use super::{Lambda, Mmsbm, Start};
use crate::Error;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::registry::Settings;
use crate::graph_model::{Belief, GraphModel, ModelSettings, Parameters};
use crate::kernels::padded;
use crate::setting::words;
use crate::setting::{
    self, COMMUNITIES, FROM_0, FROM_1, NOT_NEGATIVE, OrAuto, POSITIVE, PROBABILITY, Range, SHARE, table,
};

words! {
    /// How p(λ | G_obs) is found.
    pub enum Inference {
        /// Ascent as published: sampled nodes, sampled non-edges.
        Minibatch = "minibatch",
        /// Ascent with the sums over non-edges in closed form, O(E K + N K²) per iteration.
        Linear = "linear",
        /// Damped natural steps along the same closed form, under the prior Dir(1 + κ p_a) around the start p.
        Natural = "natural",
        /// Posterior samples by stochastic gradient Riemannian Langevin dynamics.
        Langevin = "langevin",
        /// Mean-field variational inference.
        Variational = "variational",
    }
}

impl Inference {
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

    /// κ of the prior around the start. A sample scatters around what a maximum sits on, so that it is held more.
    pub(crate) fn prior_strength(self) -> f64 {
        if self == Self::Langevin { 20.0 } else { 5.0 }
    }
}

words! {
    /// How the community strengths move.
    pub enum BetaUpdate {
        /// Gradient steps on theta, as published.
        Ascent = "ascent",
        /// The closed-form maximum given the responsibilities: no step size.
        Em = "em",
    }
}

words! {
    /// Whose gradient drives Langevin sampling.
    pub enum Drift {
        /// The published minibatch.
        Minibatch = "minibatch",
        /// The closed form.
        Linear = "linear",
    }
}

words! {
    /// Which rows of phi an iteration of `linear` moves; `minibatch` moves sampled ones, the others all.
    pub enum Rows {
        /// All of them.
        All = "all",
        /// n sampled ones, as published.
        Sampled = "sampled",
    }
}

words! {
    /// How graphs are drawn from λ.
    pub enum Draw {
        /// Every node in its strongest community: the authors' code.
        Hard = "hard",
        /// Every pair picks communities anew: the paper.
        Mixed = "mixed",
    }
}

table! {
    /// Settings of the block model for K communities under an inference, see [`MmsbmParams::check`].
    #[serde(deny_unknown_fields)]
    pub struct MmsbmParams(communities: usize, inference: Inference)
    beside {
        /// Iterations between entries of the trace; 0 for none. Changes no result.
        #[serde(skip)]
        trace_every: usize = 0;
    }
    {
        communities: usize = communities, COMMUNITIES, "communities", "K; communities start as the classes", "the data";
        inference: Inference = inference, Range::Word(&Inference::WORDS),
            "", "how the posterior of the random-graph parameters is found", "natural: measured, docs/estimator.md";
        iterations: usize = inference.iterations(), FROM_1, "iterations",
            "iterations of each inference; between samples for langevin",
            "natural 2 (near the network's prediction), langevin 100, else 200 (authors' code)";
        delta: OrAuto = OrAuto::Fixed(1e-4), Range::Or("auto", &Range::Above(0.0, 0.999_999)), "probability",
            "link probability between communities; auto: the observed density between them", "authors' code";
        eta: f64 = 1.0, POSITIVE, "", "Beta(eta, eta) prior of the community strengths; at least 1 with beta_update em",
            "paper";
        alpha: f64 = inference.alpha(communities), POSITIVE, "", "Dirichlet(alpha) prior of the memberships",
            "paper; variational and langevin 1/K: Gopalan et al. (2012)";
        rho: f64 = 0.001, NOT_NEGATIVE, "", "rate of the Gamma priors of phi and theta", "paper";
        minibatch: usize = 500, FROM_1, "nodes", "n, nodes of a minibatch and non-neighbours sampled for each", "paper";
        non_edge_share: f64 = 0.01, SHARE, "share", "share of the non-edges in a minibatch for theta", "paper";
        eps_0: f64 = 1.0, POSITIVE, "", "step size eps_0 (t + tau)^-kappa", "paper";
        tau: f64 = 1024.0, POSITIVE, "iterations", "delay of the step size", "paper";
        kappa: f64 = 0.5, PROBABILITY, "", "decay of the step size", "paper";
        first_step: usize = 0, FROM_0, "iterations", "t of the first iteration", "paper";
        scale_iterations: usize = 0, FROM_0, "iterations",
            "iterations of a first run from random that finds the row sums of phi and theta, which are then carried \
             from inference to inference; 0 takes phi_scale and theta_scale; linear and minibatch only",
            "published 1000: authors' code";
        scale_step: f64 = 10.0, POSITIVE, "", "factor on the steps of the first run, which count from 0",
            "authors' code";
        rows: Rows = Rows::All, Range::Word(&Rows::WORDS), "",
            "rows of phi that an iteration of linear moves: all, or n sampled ones (paper)", "no sampling variance";
        phi_scale: f64 = 4.0, POSITIVE, "", "row sums of phi at the start; larger is a smaller step",
            "authors' first run on Cora";
        theta_scale: OrAuto = OrAuto::Auto, Range::Or("auto", &POSITIVE), "",
            "row sums of theta at the start; auto: a step of the ascent is at most the EM update", "a rule of ours";
        beta_update: BetaUpdate = inference.beta_update(), Range::Word(&BetaUpdate::WORDS), "",
            "community strengths by gradient steps or in closed form",
            "ascent (paper) for minibatch and langevin, else em";
        prior_strength: f64 = inference.prior_strength(), NOT_NEGATIVE, "",
            "kappa of the prior around the start p: Dir(1 + kappa p_a) of natural, Dir(alpha + kappa p_a) of langevin \
             and variational", "5: measured with a prototype; langevin 20: docs/paper.md";
        damping: f64 = 0.5, SHARE, "share", "share of a natural step that is taken", "measured with a prototype";
        tolerance: f64 = 0.01, NOT_NEGATIVE, "", "largest relative error of the closed form before it is replaced",
            "measured on Cora";
        drift: Drift = Drift::Linear, Range::Word(&Drift::WORDS), "", "the gradient of langevin",
            "no sampling variance";
        burn_in: usize = 1000, FROM_0, "iterations", "iterations of langevin before its first sample",
            "authors' first run";
        langevin_step: f64 = 0.05, Range::Above(0.0, 1.0), "share",
            "share of the way to its conditional mode that a first step of langevin goes; smaller has less bias",
            "the bias that halving it shows: docs/paper.md";
        draw: Draw = Draw::Hard, Range::Word(&Draw::WORDS), "",
            "graphs from the strongest community of each node, or from mixed memberships (paper)", "authors' code";
        stop_below: f64 = 0.0, NOT_NEGATIVE, "", "stop once no membership moves by as much; 0 runs all iterations",
            "authors' code";
    }
}

impl MmsbmParams {
    /// The defaults of an inference without a network: iterations until it converges, and delta by the graph (a fixed
    /// 1e-4 exceeds beta on large graphs).
    pub fn alone(communities: usize, inference: Inference) -> Self {
        let iterations = if inference == Inference::Natural { 20 } else { 200 };
        Self { iterations, delta: OrAuto::Auto, ..Self::new(communities, inference) }
    }

    /// Accepts the settings, or names the one that is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("mmsbm", Self::SETTINGS, &self)?;
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
        self.communities
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
        Some(ModelSettings::Mmsbm(Self { trace_every: every, ..self.clone() }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_allowed_for_every_inference() {
        for inference in Inference::ALL {
            assert!(MmsbmParams::new(7, inference).check().is_ok(), "{}", inference.name());
        }
    }

    #[test]
    fn contradictions_are_refused() {
        let of = |inference| MmsbmParams::new(3, inference);
        let (linear, langevin) = (|| of(Inference::Linear), of(Inference::Langevin));
        assert!(MmsbmParams::new(0, Inference::Linear).check().is_err());
        assert!(MmsbmParams { eta: 0.5, ..linear() }.check().is_err());
        assert!(MmsbmParams { eta: 0.5, beta_update: BetaUpdate::Ascent, ..linear() }.check().is_ok());
        assert!(MmsbmParams { beta_update: BetaUpdate::Em, ..langevin }.check().is_err());
        assert!(MmsbmParams { scale_iterations: 5, ..of(Inference::Natural) }.check().is_err());
    }

    #[test]
    fn step_sizes_are_the_papers() {
        let params = MmsbmParams::new(7, Inference::Linear);
        assert!((params.step(0) - 1.0 / 32.0).abs() < 1e-15);
        assert!(params.step(10_000) < params.step(0));
    }
}
