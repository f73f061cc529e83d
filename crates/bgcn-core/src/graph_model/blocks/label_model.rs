//! What the label models share: inference of q(z) and B, and graphs drawn from them. They differ in the likelihood of a
//! link and in the weights of the nodes: [`LabelParams`].
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm.
//! Differs: a draw costs O(N + edges drawn + K²), in `dcsbm` O(N + points drawn). Every pair is an exact, independent
//! Bernoulli variable given the labels.

use super::grouped::Grouped;
use super::labels::{LabelPosterior, Likelihood};
use super::pairs::BlockBelief;
use super::walk::Source;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::dcsbm::throw;
use crate::graph_model::sbm::{Draw, SbmParams};
use crate::graph_model::{Array, Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::Stream;
use std::sync::Arc;

/// Settings of a label model.
pub trait LabelParams: Clone + Send + Sync {
    /// Of a link.
    const LIKELIHOOD: Likelihood;

    /// The settings that both have.
    fn blocks(&self) -> &SbmParams;

    /// theta `[n]`, the weights of the nodes; 1 in the plain model.
    fn weights(&self, graph: &Graph) -> Vec<f32>;
}

/// A label model of one observed graph: where inference stands.
#[derive(Clone, Debug)]
pub struct LabelModel<'g, P> {
    pub(in crate::graph_model) params: Checked<P>,
    pub(in crate::graph_model) posterior: LabelPosterior<'g>,
}

impl<'g, P: LabelParams> LabelModel<'g, P> {
    /// The model of `graph` before any belief: every label is as likely as the next.
    pub fn new(params: &Checked<P>, graph: &'g Graph) -> Self {
        Self::weighted(params, graph, params.weights(graph))
    }

    fn weighted(params: &Checked<P>, graph: &'g Graph, theta: Vec<f32>) -> Self {
        let blocks = params.blocks();
        let posterior = LabelPosterior::new(graph, blocks.communities, theta, blocks.settings(P::LIKELIHOOD));
        Self { params: params.clone(), posterior }
    }

    /// The model of `graph` at a belief, before any inference.
    #[cfg(test)]
    pub fn start(params: &Checked<P>, graph: &'g Graph, belief: Belief<'_>) -> Result<Self, Error> {
        let mut model = Self::new(params, graph);
        model.posterior.restart(belief)?;
        Ok(model)
    }

    /// The model of `graph` at a λ that was kept in files. With `Draw::Hard`, B is taken from the graph.
    pub fn resume(params: &Checked<P>, graph: &'g Graph, lambda: &Parameters) -> Result<Self, Error> {
        let theta = match P::LIKELIHOOD {
            Likelihood::Bernoulli => params.weights(graph),
            Likelihood::Poisson => saved_weights(graph, lambda)?,
        };
        let mut model = Self::weighted(params, graph, theta);
        model.posterior.resume(lambda)?;
        Ok(model)
    }

    /// Each node's likeliest label; of equals, the first.
    pub fn labels(&self) -> Vec<u32> {
        self.posterior.q().labels()
    }
}

fn saved_weights(graph: &Graph, lambda: &Parameters) -> Result<Vec<f32>, Error> {
    let theta = lambda.rows("theta", 1).map_err(Error::start)?;
    if let Some(bad) = theta.iter().find(|theta| !(0.0..=f32::MAX).contains(*theta)) {
        return Err(Error::start(format!("{bad} is no weight of a node; weights are finite and not negative")));
    }
    if theta.len() != graph.nodes() {
        return Err(Error::start(format!("there are {} weights, the graph has {}", theta.len(), graph.nodes())));
    }
    Ok(theta.to_vec())
}

impl<P: LabelParams> GraphModel for LabelModel<'_, P> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.posterior.restart(belief)
    }

    fn infer(&mut self, iterations: usize, _stream: Stream) -> Result<Report, Error> {
        Ok(self.posterior.infer(iterations))
    }

    fn sample(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let (labels, b) = match self.params.blocks().draw {
            Draw::Hard => (self.labels(), self.posterior.hard_blocks()),
            Draw::Sampled => (self.posterior.sample_labels(&mut stream), self.posterior.blocks()),
        };
        let (grouped, mut random) = (Grouped::new(&labels, b.k()), Source::new(stream.fast()));
        match P::LIKELIHOOD {
            Likelihood::Bernoulli => into.fill(grouped.nodes(), |edges| grouped.draw(b, &mut random, edges)),
            Likelihood::Poisson => into.fill_merging(grouped.nodes(), |edges| {
                throw((&grouped, self.posterior.theta()), b, &mut random, edges);
            }),
        }
    }

    /// Averaged over q: Σ_kl q_ak q_bl p(y_ab = 1 | k, l), which is how often graphs drawn with `sampled` labels have
    /// the edge.
    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if a == b {
            return 0.0;
        }
        let (q, theta) = (self.posterior.q(), self.posterior.theta());
        let (x, y, weight) = (q.row(a), q.row(b), f64::from(theta[a as usize]) * f64::from(theta[b as usize]));
        match P::LIKELIHOOD {
            Likelihood::Bernoulli => self.posterior.blocks().probability(x, y, |rate| rate),
            Likelihood::Poisson => self.posterior.blocks().probability(x, y, |rate| -(-weight * rate).exp_m1()),
        }
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        let (q, b) = (self.posterior.q(), self.posterior.blocks());
        Some(Arc::new(match P::LIKELIHOOD {
            Likelihood::Bernoulli => BlockBelief::new(q, b),
            Likelihood::Poisson => BlockBelief::weighted(q, self.posterior.theta(), b),
        }))
    }

    /// q and B, and theta where nodes have weights.
    fn parameters(&self) -> Option<Parameters> {
        let mut parameters = self.posterior.blocks().parameters("q", self.posterior.q());
        if P::LIKELIHOOD == Likelihood::Poisson {
            let theta = Array::Rows { columns: 1, values: self.posterior.theta().to_vec() };
            parameters.arrays.insert("theta".to_owned(), theta);
        }
        Some(parameters)
    }
}
