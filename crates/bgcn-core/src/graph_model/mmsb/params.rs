//! Settings of the mixed-membership block model.

use super::Draw;
use super::Mmsb;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::setting::{self, COMMUNITIES, FROM_1, NOT_NEGATIVE, Range, SHARE, table};

table! {
    /// Settings of the block model, see [`MmsbParams::check`].
    pub struct MmsbParams(communities: usize)
    beside {
        /// Iterations between entries of the trace; 0 for none. Changes no result.
        #[serde(skip)]
        trace_every: usize = 0;
    }
    {
        communities: usize = communities, COMMUNITIES, "communities", "K; communities start as the classes",
            "the data";
        iterations: usize = 3, FROM_1, "iterations", "iterations of each inference",
            "near the network's prediction, as for mmsbm";
        prior_strength: f64 = 5.0, Range::Number(0.0, 1e6), "", "kappa of the prior Dir(1 + kappa p_a)",
            "as for mmsbm";
        damping: f64 = 0.5, SHARE, "share", "share of a natural step that is taken", "as for mmsbm";
        block_prior: f64 = 1.0, NOT_NEGATIVE, "pairs", "pseudo-pairs at the graph's density in every entry of B",
            "one: decides for empty communities alone";
        tolerance: f64 = 0.01, NOT_NEGATIVE, "",
            "largest relative error of the closed form before small graphs get the exact sum", "as for mmsbm";
        draw: Draw = Draw::Hard, Range::Word(&Draw::WORDS), "",
            "graphs from the strongest community of each node, or from mixed memberships", "authors' code";
        stop_below: f64 = 0.0, NOT_NEGATIVE, "", "stop once no membership moves by as much; 0 runs all iterations",
            "as for mmsbm";
    }
}

impl MmsbParams {
    /// Accepts the settings, or names the one that is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("mmsb", Self::SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }
}

block_settings!(MmsbParams, Mmsb);
