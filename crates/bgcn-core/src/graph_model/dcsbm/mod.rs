//! The degree-corrected stochastic block model: labels decide which nodes are joined, their weights how often.
//! Paper: named among the random-graph models that p(λ | G_obs) may be about.
//! Differs: from `sbm`, in nodes of one block that may have any degrees, so heavy tails are kept.
//! Symbols: z_a the label, p(z_a = k) ∝ p_ak^κ around the network's belief p_a; `q` [n, k] its posterior; `theta`
//! `[n]`, of mean 1; `b` [k, k], symmetric; rate_ab = theta_a theta_b B_{z_a z_b}; p(y_ab = 1) = 1 − exp(−rate_ab).
//!
//! Inference takes y_ab for the Poisson number itself, as is usual: log p differs by about rate/2 where a pair is
//! joined.

mod infer;
mod params;
mod sample;

pub use params::DcsbmParams;
pub(crate) use sample::throw;

/// The degree-corrected block model of one observed graph.
pub type Dcsbm<'g> = super::blocks::label_model::LabelModel<'g, DcsbmParams>;
