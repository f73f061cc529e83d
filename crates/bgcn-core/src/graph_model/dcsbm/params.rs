//! Settings of the degree-corrected block model: those of the plain one, and one for the degrees.

use super::Dcsbm;
use crate::Error;
use crate::checked::Checked;
use crate::graph_model::blocks::block_settings;
use crate::graph_model::sbm::SbmParams;
use crate::setting::{self, NOT_NEGATIVE, table};

table! {
    /// Settings of the degree-corrected block model, see [`DcsbmParams::check`].
    pub struct DcsbmParams(communities: usize)
    beside {
        /// Those of the plain model.
        #[serde(flatten)]
        blocks: SbmParams = SbmParams::new(communities);
    }
    {
        degree_prior: f64 = 1.0, NOT_NEGATIVE, "links",
            "g, links added to every degree when nodes are weighted; above 0, isolated nodes can be drawn edges",
            "a choice of ours";
    }
}

impl DcsbmParams {
    /// Accepts the settings, or names the one that is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("dcsbm", SbmParams::SETTINGS, &self)?;
        setting::check("dcsbm", Self::SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }
}

block_settings!(DcsbmParams, Dcsbm, blocks);
