//! The assortative mixed-membership stochastic block model.
//! Paper: "Posterior inference for the MMSBM", the equation labelled mmsbm_posterior.
//! Differs: beside the published minibatch ascent there is a closed form in linear time.
//! Symbols: `pi` [n, k], rows sum to 1; `beta` `[k]`, in (0, 1); `delta`, the chance of a link between communities.
//!
//! Two nodes a and b each pick a community, from pi_a and pi_b. Both pick k: they are joined with probability
//! beta_k. They differ: with probability delta. So p(y_ab = 1) = delta + Σ_k pi_ak pi_bk (beta_k − delta).

mod begin;
mod exact;
mod expanded_mean;
#[cfg(test)]
mod golden;
mod gradient;
mod infer;
mod lambda;
mod langevin;
mod linear;
mod minibatch;
mod natural;
mod pairs;
mod params;
mod phi;
mod posterior;
#[cfg(test)]
mod proof;
mod published;
mod residual;
mod sample;
mod saved;
mod start;
mod theta;
mod variational;

pub use begin::Start;
pub use lambda::Lambda;
pub use params::{BetaUpdate, Draw, Drift, Inference, MmsbmParams, Rows};
pub use sample::Sampler;
pub use start::{Ascent, FromGraph};

use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::{Belief, Error, GoOn, GraphBuffer, GraphModel, Pair, PairBelief, Parameters, Report};
use crate::kernels::Aligned;
use crate::rng::Stream;
use gradient::Gradient;
use langevin::Rates;
use linear::Linear;
use minibatch::Minibatch;
use std::sync::Arc;
use variational::MeanField;

/// The block model of one observed graph: where inference stands, and the memory it uses.
#[derive(Clone, Debug)]
pub struct Mmsbm<'g> {
    graph: &'g Graph,
    params: Checked<MmsbmParams>,
    lambda: Lambda,
    /// Row sums of phi `[n]` and theta `[k]`, the inverse step sizes; pi and beta hold the rest.
    phi_sum: Vec<f32>,
    theta_sum: Vec<f64>,
    /// The start, p [n, stride], where the prior is centred on it; else empty.
    belief: Aligned,
    /// Iterations since the start.
    t: usize,
    /// Whether a first run has found the row sums, and whether it is under way.
    scaled: bool,
    finding_scales: bool,
    /// Of the Gamma priors, where λ is sampled; else empty.
    rates: Rates,
    /// Pairs whose likelihood the trace shows.
    watched: Vec<Pair>,
    work: Work,
}

/// Scratch memory, kept between iterations.
#[derive(Clone, Debug, Default)]
struct Work {
    gradient: Gradient,
    linear: Linear,
    minibatch: Minibatch,
    mean_field: MeanField,
}

impl<'g> Mmsbm<'g> {
    /// λ as it stands.
    pub fn lambda(&self) -> &Lambda {
        &self.lambda
    }
}

impl GraphModel for Mmsbm<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.start_again(Start::Belief(belief))
    }

    fn infer(&mut self, iterations: usize, stream: Stream) -> Result<Report, Error> {
        Mmsbm::infer(self, iterations, stream)
    }

    fn infer_watched(&mut self, iterations: usize, mut stream: Stream, go_on: GoOn<'_>) -> Result<Report, Error> {
        self.run(iterations, &mut stream, go_on)
    }

    fn sample(&self, stream: Stream, into: &mut GraphBuffer) {
        // Preparing costs O(N K), less than drawing: nothing is kept that inference would have to throw away.
        Sampler::new(&self.lambda, self.params.draw).draw(stream, into);
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        self.lambda.edge_probability(a, b)
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        Some(Arc::new(self.lambda.clone()))
    }

    fn parameters(&self) -> Option<Parameters> {
        Some((&self.lambda).into())
    }
}
