//! The assortative mixed-membership stochastic block model.
//! Paper: "Posterior inference for the MMSBM", the equation labelled mmsbm_posterior.
//! Differs: beside the published minibatch ascent there are the exact sum and a closed form in linear time.
//! Symbols: `pi` [n, k], rows sum to 1; `beta` [k], in (0, 1); `delta`, the chance of a link between communities.
//!
//! Two nodes a and b each pick a community, from pi_a and pi_b. Both pick k: they are joined with probability
//! beta_k. They differ: with probability delta. So p(y_ab = 1) = delta + Σ_k pi_ak pi_bk (beta_k − delta).

mod lambda;
mod params;

pub use lambda::Lambda;
pub use params::{BetaUpdate, Delta, Draw, Drift, Inference, MmsbmParams};
