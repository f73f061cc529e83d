//! Settings of the block model, each default with its source.
//!
//! `MmsbmParams::new(7).delta(Delta::Fixed(1e-4)).check()?` gives what inference requires.

use crate::checked::Checked;
use crate::graph_model::Error;
use serde::{Deserialize, Serialize};

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
}

/// The chance of a link between communities.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delta {
    /// The observed density between communities, well below the weakest community.
    Auto,
    /// A number; the authors use 1e-4 everywhere.
    Fixed(f64),
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
pub struct MmsbmParams {
    pub(crate) communities: usize,
    pub(crate) inference: Inference,
    pub(crate) iterations: usize,
    pub(crate) delta: Delta,
    pub(crate) eta: f64,
    pub(crate) alpha: f64,
    pub(crate) rho: f64,
    pub(crate) minibatch: usize,
    pub(crate) non_edge_share: f64,
    pub(crate) eps_0: f64,
    pub(crate) tau: f64,
    pub(crate) kappa: f64,
    pub(crate) first_step: usize,
    pub(crate) phi_scale: f64,
    pub(crate) theta_scale: Option<f64>,
    pub(crate) beta_update: Option<BetaUpdate>,
    pub(crate) prior_strength: f64,
    pub(crate) damping: f64,
    pub(crate) tolerance: f64,
    pub(crate) drift: Drift,
    pub(crate) burn_in: usize,
    pub(crate) thinning: usize,
    pub(crate) draw: Draw,
    pub(crate) trace_every: usize,
    pub(crate) stop_below: Option<f64>,
}

/// One consuming setter per setting.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {
        $($(#[$doc])* pub fn $name(mut self, $name: $type) -> Self { self.$name = $name; self })*
    };
}

impl MmsbmParams {
    /// The defaults, for `communities` communities (K; the number of classes in the paper).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            inference: Inference::Linear,
            iterations: 200,      // the authors' code, every inference but the first
            delta: Delta::Auto,   // a fixed 1e-4 exceeds beta on large graphs
            eta: 1.0,             // paper, experimental results
            alpha: 1.0,           // paper
            rho: 0.001,           // paper
            minibatch: 500,       // paper: n
            non_edge_share: 0.01, // paper: 1 percent of the non-edges for theta
            eps_0: 1.0,           // paper
            tau: 1024.0,          // paper
            kappa: 0.5,           // paper
            first_step: 0,        // paper; the authors' code starts later inferences at 10,000
            phi_scale: 4.0,       // row sums that the authors' first run leaves on Cora
            theta_scale: None,    // a rule, see the setter; the authors\' first run leaves about 7,000 on Cora
            beta_update: None,    // ascent where the paper's algorithm is asked for, EM elsewhere
            prior_strength: 5.0,  // measured with the prototype: cannot drift far from the labels
            damping: 0.5,         // prototype: converges in about 20 iterations
            tolerance: 0.01,      // the theta sums are this exact on Cora
            drift: Drift::Linear, // no variance from sampled pairs on top of the noise
            burn_in: 1000,        // the authors' first run
            thinning: 100,        // a choice, not yet measured: look at the chain before relying on it
            draw: Draw::Hard,     // the authors' code
            trace_every: 0,       // costs a linear-time pass each
            stop_below: None,     // exactly as many iterations as asked for
        }
    }

    setters! {
        /// How λ is found.
        inference: Inference,
        /// Iterations when none are given; ≥ 1.
        iterations: usize,
        /// The chance of a link between communities, in (0, 1).
        delta: Delta,
        /// Beta(eta, eta) prior of the community strengths; > 0, ≥ 1 for EM.
        eta: f64,
        /// Dir(alpha) prior of the memberships; > 0.
        alpha: f64,
        /// Rate of the Gamma priors of phi and theta; ≥ 0.
        rho: f64,
        /// n, nodes per minibatch and pairs per node; ≥ 1.
        minibatch: usize,
        /// Share of the non-edges in a minibatch for theta, in (0, 1].
        non_edge_share: f64,
        /// Step size eps_0 (t + tau)^-kappa; > 0.
        eps_0: f64,
        /// Delay of the step size; > 0.
        tau: f64,
        /// Decay of the step size, in [0, 1].
        kappa: f64,
        /// t of the first iteration.
        first_step: usize,
        /// Row sums of phi at the start; > 0. A larger one is a smaller step.
        phi_scale: f64,
        /// Row sums of theta at the start; > 0. `None`: eps at the first step times half the square of the largest
        /// community, at which a step of the ascent is at most the EM update.
        theta_scale: Option<f64>,
        /// How the community strengths move; `None`: ascent with `minibatch` and `langevin`, else EM.
        beta_update: Option<BetaUpdate>,
        /// κ of the prior Dir(1 + κ p_a) of `natural`; ≥ 0.
        prior_strength: f64,
        /// Share of a natural step that is taken, in (0, 1].
        damping: f64,
        /// Largest error of the closed form, relative to the non-edges' pull, before it is replaced; ≥ 0.
        tolerance: f64,
        /// The gradient of `langevin`.
        drift: Drift,
        /// Iterations of `langevin` before its first sample.
        burn_in: usize,
        /// Iterations of `langevin` between samples; ≥ 1.
        thinning: usize,
        /// How graphs are drawn.
        draw: Draw,
        /// Iterations between entries of the trace; 0 for none.
        trace_every: usize,
        /// Stops once no membership moves by more than this in an iteration; > 0.
        stop_below: Option<f64>,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        const POSITIVE: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=f64::MAX;
        const FROM_ZERO: std::ops::RangeInclusive<f64> = 0.0..=f64::MAX;
        const SHARE: std::ops::RangeInclusive<f64> = f64::MIN_POSITIVE..=1.0;
        let numbers = [
            ("eta", self.eta, POSITIVE, "it must be positive"),
            ("alpha", self.alpha, POSITIVE, "it must be positive"),
            ("rho", self.rho, FROM_ZERO, "it must not be negative"),
            ("non_edge_share", self.non_edge_share, SHARE, "it must be above 0 and at most 1"),
            ("eps_0", self.eps_0, POSITIVE, "it must be positive"),
            ("tau", self.tau, POSITIVE, "it must be positive"),
            ("kappa", self.kappa, 0.0..=1.0, "it must be between 0 and 1"),
            ("phi_scale", self.phi_scale, POSITIVE, "it must be positive"),
            ("theta_scale", self.theta_scale.unwrap_or(1.0), POSITIVE, "it must be positive"),
            ("prior_strength", self.prior_strength, FROM_ZERO, "it must not be negative"),
            ("damping", self.damping, SHARE, "it must be above 0 and at most 1"),
            ("tolerance", self.tolerance, FROM_ZERO, "it must not be negative"),
            ("stop_below", self.stop_below.unwrap_or(1.0), POSITIVE, "it must be positive"),
        ];
        for (name, value, range, allowed) in numbers {
            if !range.contains(&value) {
                return Err(Error::setting(name, value, allowed));
            }
        }
        let counts = [
            ("communities", self.communities),
            ("iterations", self.iterations),
            ("minibatch", self.minibatch),
            ("thinning", self.thinning),
        ];
        if let Some((name, _)) = counts.into_iter().find(|(_, count)| *count == 0) {
            return Err(Error::setting(name, 0, "it must be at least 1"));
        }
        if let Delta::Fixed(delta) = self.delta
            && !(f64::MIN_POSITIVE..1.0).contains(&delta)
        {
            return Err(Error::setting("delta", delta, "it must lie between 0 and 1; or let it be found with auto"));
        }
        if self.beta_rule() == BetaUpdate::Em && self.eta < 1.0 {
            let allowed = "the EM update needs at least 1; use --beta-update ascent or a larger eta";
            return Err(Error::setting("eta", self.eta, allowed));
        }
        if self.inference == Inference::Langevin && self.beta_rule() == BetaUpdate::Em {
            let allowed = "langevin samples theta, it does not maximise; leave beta_update out";
            return Err(Error::setting("beta_update", "em", allowed));
        }
        Ok(Checked::vouched_for(self))
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// The update of the community strengths, once the default is filled in.
    pub(crate) fn beta_rule(&self) -> BetaUpdate {
        self.beta_update.unwrap_or(match self.inference {
            Inference::Minibatch | Inference::Langevin => BetaUpdate::Ascent,
            _ => BetaUpdate::Em,
        })
    }

    /// eps_t = eps_0 (t + tau)^-kappa.
    pub(crate) fn step(&self, t: usize) -> f64 {
        self.eps_0 * (t as f64 + self.tau).powf(-self.kappa)
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
            ("theta_scale", |p, x| p.theta_scale(Some(x))),
            ("prior_strength", MmsbmParams::prior_strength),
            ("damping", MmsbmParams::damping),
            ("tolerance", MmsbmParams::tolerance),
            ("stop_below", |p, x| p.stop_below(Some(x))),
            ("delta", |p, x| p.delta(Delta::Fixed(x))),
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
        assert!(MmsbmParams::new(3).eta(0.5).beta_update(Some(BetaUpdate::Ascent)).check().is_ok());
        assert!(MmsbmParams::new(3).inference(Inference::Langevin).beta_update(Some(BetaUpdate::Em)).check().is_err());
        assert!(MmsbmParams::new(3).delta(Delta::Fixed(1.0)).check().is_err());
    }

    #[test]
    fn step_sizes_are_the_papers() {
        let params = MmsbmParams::new(7);
        assert!((params.step(0) - 1.0 / 32.0).abs() < 1e-15);
        assert!(params.step(10_000) < params.step(0));
    }
}
