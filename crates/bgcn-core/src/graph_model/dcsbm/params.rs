//! Settings of the degree-corrected block model: those of the plain one, and one for the degrees.

use super::Dcsbm;
use super::Draw;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::graph_model::sbm::{self, SbmParams};
use crate::setting::{self, NOT_NEGATIVE, Setting, settings};
use serde::{Deserialize, Serialize};

/// Settings of the degree-corrected block model; a consuming builder, see [`DcsbmParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DcsbmParams {
    #[serde(flatten)]
    pub(crate) blocks: SbmParams,
    pub(crate) degree_prior: f64,
}

/// Beside those of the plain model.
pub(crate) const SETTINGS: &[Setting] = settings! {
    "degree_prior": NOT_NEGATIVE, "links",
        "links added to every degree when nodes are weighted, so that isolated nodes can be drawn some", "a choice \
                                        of ours";
};

/// One consuming setter per setting of the plain model.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty),* $(,)?) => {
        $($(#[$doc])* pub fn $name(mut self, $name: $type) -> Self { self.blocks = self.blocks.$name($name); self })*
    };
}

impl DcsbmParams {
    /// The defaults, for `communities` blocks.
    pub fn new(communities: usize) -> Self {
        Self {
            blocks: SbmParams::new(communities),
            degree_prior: 1.0, // one link more than observed for everyone: nodes without any can be drawn some
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

    /// g of the prior of a node's weight, theta_a = (degree_a + g) / (mean degree + g); ≥ 0. At 0 a node without links
    /// never gets one.
    pub fn degree_prior(mut self, degree_prior: f64) -> Self {
        self.degree_prior = degree_prior;
        self
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("dcsbm", sbm::SETTINGS, &self)?;
        setting::check("dcsbm", SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }

    /// Iterations of each inference.
    fn each_inference(&self) -> usize {
        self.blocks.iterations
    }

    /// K.
    pub fn communities(&self) -> usize {
        self.blocks.communities()
    }
}

block_settings!(DcsbmParams, Dcsbm);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_is_refused_everywhere() {
        type Setter = fn(DcsbmParams, f64) -> DcsbmParams;
        let setters: [(&str, Setter); 5] = [
            ("prior_strength", DcsbmParams::prior_strength),
            ("damping", DcsbmParams::damping),
            ("block_prior", DcsbmParams::block_prior),
            ("stop_below", DcsbmParams::stop_below),
            ("degree_prior", DcsbmParams::degree_prior),
        ];
        for (name, set) in setters {
            for bad in [f64::NAN, -1.0, f64::INFINITY] {
                let error = set(DcsbmParams::new(3), bad).check().unwrap_err().to_string();
                assert!(error.contains(name), "{error}");
            }
        }
        assert!(DcsbmParams::new(3).check().is_ok() && DcsbmParams::new(0).check().is_err());
    }

    #[test]
    fn settings_written_and_read_are_the_same() {
        let params = DcsbmParams::new(4).damping(0.25).draw(Draw::Sampled).degree_prior(0.5);
        let text = serde_json::to_string(&params).unwrap();
        assert_eq!(serde_json::from_str::<DcsbmParams>(&text).unwrap(), params);
    }
}
