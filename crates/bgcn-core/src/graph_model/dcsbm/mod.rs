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

pub use crate::graph_model::sbm::Draw;
pub use params::DcsbmParams;

use super::blocks::labels::LabelPosterior;
use crate::checked::Checked;
use crate::graph_model::blocks::pairs::BlockBelief;
use crate::graph_model::{Array, Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

/// The degree-corrected block model of one observed graph: where inference stands.
#[derive(Clone, Debug)]
pub struct Dcsbm<'g> {
    params: Checked<DcsbmParams>,
    posterior: LabelPosterior<'g>,
}

impl GraphModel for Dcsbm<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.posterior.restart(belief)
    }

    fn infer(&mut self, iterations: usize, _stream: Stream) -> Result<Report, Error> {
        Ok(self.posterior.infer(iterations))
    }

    fn sample(&self, stream: Stream, into: &mut GraphBuffer) {
        self.draw(stream, into);
    }

    /// Averaged over q: Σ_kl q_ak q_bl (1 − exp(−theta_a theta_b B_kl)), which is how often graphs drawn with `sampled`
    /// labels have the edge.
    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let weight = f64::from(self.theta()[a as usize]) * f64::from(self.theta()[b as usize]);
        self.posterior.blocks().probability(self.row(a), self.row(b), |rate| -(-weight * rate).exp_m1())
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(BlockBelief::weighted(self.posterior.q(), self.theta(), self.posterior.blocks())))
    }

    /// q, theta and B.
    fn parameters(&self) -> Option<Parameters> {
        let mut parameters = self.posterior.blocks().parameters("q", self.posterior.q());
        let theta = Array::Rows { columns: 1, values: self.theta().to_vec() };
        parameters.arrays.insert("theta".to_owned(), theta);
        Some(parameters)
    }
}
