//! The mixed-membership stochastic block model with a full block matrix.
//! Paper: the general model of which its assortative one (`mmsbm`) is a special case.
//! Differs: from `mmsbm`, in a free rate for every two communities instead of one background: communities may also
//! avoid each other, or themselves. The prior of the memberships is centred on the network's belief.
//! Symbols: `pi` [n, k], rows sum to 1, prior Dir(1 + κ p_a); `b` [k, k], symmetric, in (0, 1); p(y_ab = 1) = pi_aᵀ B
//! pi_b.

mod convergence;
mod gradient;
mod infer;
mod model;
mod params;
#[cfg(test)]
mod proof;
mod sample;

pub use crate::graph_model::mmsbm::Draw;
pub use params::MmsbParams;

use super::BlockMatrix;
use super::blocks::matrix::BlockPrior;
use super::blocks::memberships::Memberships;
use crate::checked::Checked;
use crate::graph::Graph;
use gradient::Gradient;

/// The block model of one observed graph: where inference stands, and the memory it uses.
#[derive(Clone, Debug)]
pub struct Mmsb<'g> {
    graph: &'g Graph,
    params: Checked<MmsbParams>,
    pi: Memberships,
    b: BlockMatrix,
    /// B given everyone's strongest community.
    hard: BlockMatrix,
    /// p, where the prior of pi is centred.
    belief: Memberships,
    prior: BlockPrior,
    /// Iterations since the start.
    t: usize,
    gradient: Gradient,
}
