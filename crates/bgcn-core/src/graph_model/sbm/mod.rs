//! The stochastic block model: every node has one label, and the labels of two nodes say how likely they are joined.
//! Paper: named among the random-graph models that p(λ | G_obs) may be about.
//! Differs: from the paper's `mmsbm`, in one label per node instead of memberships, and in a full K×K matrix instead of
//! a diagonal and one background: blocks may also avoid each other, or themselves.
//! Symbols: z_a the label, p(z_a = k) ∝ p_ak^κ around the network's belief p_a; `q` [n, k] its posterior; `b` [k, k],
//! symmetric; p(y_ab = 1) = B_{z_a z_b}.

mod infer;
mod model;
mod params;
mod sample;

pub use params::{Draw, SbmParams};

use super::BlockMatrix;
use super::blocks::labels::LabelPosterior;
use crate::checked::Checked;

/// The block model of one observed graph: where inference stands.
#[derive(Clone, Debug)]
pub struct Sbm<'g> {
    params: Checked<SbmParams>,
    posterior: LabelPosterior<'g>,
}
