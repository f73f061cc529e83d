//! Settings of the label models `sbm` and (but for the degrees) `dcsbm`.

use super::Sbm;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::graph_model::blocks::labels::{self, Likelihood};
use crate::setting::words;
use crate::setting::{self, COMMUNITIES, FROM_1, NOT_NEGATIVE, Range, SHARE, table};

words! {
    /// Whose labels a drawn graph has.
    pub enum Draw {
        /// Every node has its likeliest label, and B is the closed form given these labels: a draw is expected to have as
        /// many edges between two blocks as were observed.
        Hard = "hard",
        /// Every draw samples the labels from q: a posterior sample of λ per graph.
        Sampled = "sampled",
    }
}

table! {
    /// Settings of the block model, see [`SbmParams::check`].
    pub struct SbmParams(communities: usize)
    beside {
        /// Iterations between entries of the trace; 0 for none. Changes no result.
        #[serde(skip)]
        trace_every: usize = 0;
    }
    {
        communities: usize = communities, COMMUNITIES, "blocks", "K; blocks start as the classes", "the data";
        iterations: usize = 3, FROM_1, "iterations", "iterations of each inference",
            "near the network's prediction, as for mmsbm";
        prior_strength: f64 = 5.0, Range::Number(0.0, 1e6), "",
            "how many times the prediction counts in the prior of a label",
            "measured, matters little from 1 to 20: docs/graph-models.md";
        damping: f64 = 0.5, SHARE, "share", "share of the way to the best row that a visit takes", "as for mmsbm";
        block_prior: f64 = 1.0, NOT_NEGATIVE, "pairs", "pseudo-pairs at the graph's density in every entry of B",
            "one: decides for empty blocks alone";
        draw: Draw = Draw::Hard, Range::Word(&Draw::WORDS), "",
            "graphs from the likeliest label of each node, or from labels sampled for every draw", "authors' code";
        stop_below: f64 = 0.0, NOT_NEGATIVE, "", "stop once no probability moves by as much; 0 runs all iterations",
            "as for mmsbm";
    }
}

impl SbmParams {
    /// Accepts the settings, or names the one that is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("sbm", Self::SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
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
