//! Settings of the label models `sbm` and (but for the degrees) `dcsbm`, each default with its source.

use super::Sbm;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::graph_model::blocks::labels::{self, Likelihood};
use crate::setting::{self, COMMUNITIES, FROM_1, NOT_NEGATIVE, Range, SHARE, Setting, setters, settings};
use serde::{Deserialize, Serialize};

/// Whose labels a drawn graph has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// Every node has its likeliest label, and B is the closed form given these labels, so that a draw has as many
    /// edges between two blocks as were observed.
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
    pub(crate) stop_below: f64,
    #[serde(skip)]
    pub(crate) trace_every: usize,
}

pub(crate) const SETTINGS: &[Setting] = settings! {
    "communities": COMMUNITIES, "blocks", "K; blocks start as the classes", "the data";
    "iterations": FROM_1, "iterations", "iterations of each inference", "near the network's prediction, as for mmsbm";
    "prior_strength": Range::Number(0.0, 1e6), "", "how many times the prediction counts in the prior of a label",
        "measured: docs/graph-models.md";
    "damping": SHARE, "share", "share of the way to the best row that a visit takes", "as for mmsbm";
    "block_prior": NOT_NEGATIVE, "pairs", "pseudo-pairs at the graph's density in every entry of B",
        "one: decides for empty blocks alone";
    "draw": Range::Word(&["hard", "sampled"]), "",
        "graphs from the likeliest label of each node, or from labels sampled for every draw", "authors' code";
    "stop_below": NOT_NEGATIVE, "", "stop once no probability moves by as much; 0 runs all iterations", "as for mmsbm";
};

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
            stop_below: 0.0,
            trace_every: 0,
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
        stop_below: f64,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("sbm", SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }

    /// Iterations of each inference.
    fn each_inference(&self) -> usize {
        self.iterations
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.communities
    }

    /// What inference reads.
    pub(crate) fn settings(&self, likelihood: Likelihood) -> labels::Settings {
        labels::Settings {
            likelihood,
            prior_strength: self.prior_strength,
            damping: self.damping,
            pseudo_pairs: self.block_prior,
            trace_every: self.trace_every,
            stop_below: self.stop_below,
        }
    }
}

block_settings!(SbmParams, Sbm);

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
            ("stop_below", SbmParams::stop_below),
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
