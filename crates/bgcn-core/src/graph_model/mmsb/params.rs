//! Settings of the mixed-membership block model, each default with its source.

use super::Draw;
use super::Mmsb;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::setting::{self, COMMUNITIES, FROM_1, NOT_NEGATIVE, Range, SHARE, Setting, setters, settings};
use serde::{Deserialize, Serialize};

/// Settings of the block model; a consuming builder, see [`MmsbParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MmsbParams {
    pub(crate) communities: usize,
    pub(crate) iterations: usize,
    pub(crate) prior_strength: f64,
    pub(crate) damping: f64,
    pub(crate) block_prior: f64,
    pub(crate) tolerance: f64,
    pub(crate) draw: Draw,
    pub(crate) stop_below: f64,
    #[serde(skip)]
    pub(crate) trace_every: usize,
}

pub(crate) const SETTINGS: &[Setting] = settings! {
    "communities": COMMUNITIES, "communities", "K; communities start as the classes", "the data";
    "iterations": FROM_1, "iterations", "iterations of each inference", "near the network's prediction, as for mmsbm";
    "prior_strength": Range::Number(0.0, 1e6), "", "kappa of the prior Dir(1 + kappa p_a)", "as for mmsbm";
    "damping": SHARE, "share", "share of a natural step that is taken", "as for mmsbm";
    "block_prior": NOT_NEGATIVE, "pairs", "pseudo-pairs at the graph's density in every entry of B",
        "one: decides for empty communities alone";
    "tolerance": NOT_NEGATIVE, "", "largest relative error of the closed form before small graphs get the exact sum",
        "as for mmsbm";
    "draw": Range::Word(&["hard", "mixed"]), "",
        "graphs from the strongest community of each node, or from mixed memberships", "authors' code";
    "stop_below": NOT_NEGATIVE, "", "stop once no membership moves by as much; 0 runs all iterations", "as for mmsbm";
};

impl MmsbParams {
    /// The defaults, for `communities` communities (K; the number of classes in a fit).
    pub fn new(communities: usize) -> Self {
        Self {
            communities,
            iterations: 3,       // as for mmsbm: near the guess
            prior_strength: 5.0, // as for mmsbm
            damping: 0.5,        // as for mmsbm
            block_prior: 1.0,    // one pair's worth: decides for empty communities, nothing else
            tolerance: 0.01,     // as for mmsbm
            draw: Draw::Hard,    // the authors' code
            stop_below: 0.0,
            trace_every: 0,
        }
    }

    setters! {
        /// Iterations when none are given; ≥ 1.
        iterations: usize,
        /// κ of the prior Dir(1 + κ p_a); ≥ 0, at most a million.
        prior_strength: f64,
        /// Share of a natural step that is taken, in (0, 1].
        damping: f64,
        /// c, pseudo-pairs at the graph's density in every entry of B; ≥ 0.
        block_prior: f64,
        /// Largest error of the closed form, relative to the non-edges' pull, before small graphs get the exact sum; ≥
        /// 0.
        tolerance: f64,
        /// How graphs are drawn: `Hard` takes every node's strongest community, and B in closed form given these, so
        /// that a draw has as many edges between two communities as were observed.
        draw: Draw,
        /// Iterations between entries of the trace; 0 for none.
        trace_every: usize,
        /// Stops once no membership moves by more than this in an iteration; > 0.
        stop_below: f64,
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("mmsb", SETTINGS, &self)?;
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
}

block_settings!(MmsbParams, Mmsb);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_refused_everywhere() {
        type Setter = fn(MmsbParams, f64) -> MmsbParams;
        let setters: [(&str, Setter); 5] = [
            ("prior_strength", MmsbParams::prior_strength),
            ("damping", MmsbParams::damping),
            ("block_prior", MmsbParams::block_prior),
            ("tolerance", MmsbParams::tolerance),
            ("stop_below", MmsbParams::stop_below),
        ];
        for (name, set) in setters {
            for bad in [f64::NAN, -1.0, f64::INFINITY] {
                let error = set(MmsbParams::new(3), bad).check().unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
        assert!(MmsbParams::new(3).check().is_ok());
        assert!(MmsbParams::new(0).check().is_err() && MmsbParams::new(3).iterations(0).check().is_err());
    }
}
