//! Settings of the label models `sbm` and (but for the degrees) `dcsbm`, each default with its source.

use crate::checked::Checked;
use crate::graph_model::Error;
use crate::graph_model::blocks::labels::{Likelihood, Settings};
use serde::{Deserialize, Serialize};

/// Whose labels a drawn graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// Every node has its likeliest label, and B is the closed form given these labels, so that a draw has as many edges
    /// between two blocks as were observed.
    Hard,
    /// Every draw samples the labels from q: a posterior sample of λ per graph.
    Sampled,
}

/// Settings of the block model; a consuming builder, see [`SbmParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SbmParams {
    pub(crate) communities: usize,
    pub(crate) iterations: usize,
    pub(crate) prior_strength: f64,
    pub(crate) damping: f64,
    pub(crate) block_prior: f64,
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

impl SbmParams {
    /// The defaults, for `communities` blocks (K; the number of classes in a fit).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            iterations: 3,       // as for mmsbm: near the guess
            prior_strength: 5.0, // measured, docs/graph-models.md: matters little from 1 to 20
            damping: 0.5,        // as for mmsbm
            block_prior: 1.0,    // one pair's worth: decides for empty blocks, nothing else
            draw: Draw::Hard,    // the authors' code
            trace_every: 0,      // costs a linear-time pass each
            stop_below: None,    // exactly as many iterations as asked for
        }
    }

    setters! {
        /// Iterations when none are given; ≥ 1.
        iterations: usize,
        /// κ, how many times the belief counts in the prior of a label; 0 for none, at most a million.
        prior_strength: f64,
        /// Share of the way to the best row that a visit takes, in (0, 1].
        damping: f64,
        /// c, pseudo-pairs at the graph's density in every entry of B; ≥ 0.
        block_prior: f64,
        /// Whose labels a drawn graph has.
        draw: Draw,
        /// Iterations between entries of the trace; 0 for none.
        trace_every: usize,
        /// Stops once no probability of a label moves by more than this in an iteration; > 0.
        stop_below: Option<f64>,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        let numbers = [
            ("prior_strength", self.prior_strength, 0.0..=1e6, "it must lie between 0 and a million"),
            ("damping", self.damping, f64::MIN_POSITIVE..=1.0, "it must be above 0 and at most 1"),
            ("block_prior", self.block_prior, 0.0..=1e15, "it must not be negative, nor above 1e15"),
            ("stop_below", self.stop_below.unwrap_or(1.0), f64::MIN_POSITIVE..=f64::MAX, "it must be positive"),
        ];
        for (name, value, range, allowed) in numbers {
            if !range.contains(&value) {
                return Err(Error::setting(name, value, allowed));
            }
        }
        for (name, count) in [("communities", self.communities), ("iterations", self.iterations)] {
            if count == 0 {
                return Err(Error::setting(name, 0, "it must be at least 1"));
            }
        }
        Ok(Checked::vouched_for(self))
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// What inference reads.
    pub(crate) fn settings(&self, likelihood: Likelihood) -> Settings {
        Settings {
            likelihood,
            prior_strength: self.prior_strength,
            damping: self.damping,
            pseudo_pairs: self.block_prior,
            trace_every: self.trace_every,
            stop_below: self.stop_below,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_refused_everywhere() {
        type Setter = fn(SbmParams, f64) -> SbmParams;
        let setters: [(&str, Setter); 4] = [
            ("prior_strength", SbmParams::prior_strength),
            ("damping", SbmParams::damping),
            ("block_prior", SbmParams::block_prior),
            ("stop_below", |p, x| p.stop_below(Some(x))),
        ];
        for (name, set) in setters {
            for bad in [f64::NAN, -1.0, f64::INFINITY] {
                let error = set(SbmParams::new(3), bad).check().unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
        assert!(SbmParams::new(3).check().is_ok());
        assert!(SbmParams::new(0).check().is_err() && SbmParams::new(3).iterations(0).check().is_err());
    }
}
