//! One inference, by name, from a start, by name.

use bgcn::data::Dataset;
use bgcn::graph::Graph;
use bgcn::graph_model::mmsbm::{Ascent, Delta, FromGraph, Inference, Lambda, Mmsbm, MmsbmParams, Start};
use bgcn::graph_model::{Belief, HeldOut, Pair, Report};
use bgcn::rng::{For, Seed};
use clap::ValueEnum;
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferenceName {
    /// Ascent with closed-form sums over non-edges, all nodes every step
    Linear,
    /// The published ascent on sampled nodes and non-edges
    Minibatch,
    /// The exact gradient over all pairs; small graphs only
    Full,
    /// Damped natural steps under a prior around the start
    Natural,
    /// Posterior samples by stochastic-gradient Riemannian Langevin dynamics
    Langevin,
    /// Mean-field variational inference
    Variational,
    /// Coordinate ascent, the best from a start without labels
    Coordinate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum StartName {
    /// The dataset's labels
    Labels,
    /// Communities merged while modularity grows
    Agglomerate,
    /// Labels spread from far-apart nodes of high degree
    Propagate,
    /// Chance
    Random,
}

/// What to infer, and how.
pub struct Question<'a> {
    pub data: &'a Dataset,
    /// The graph without the held-out links.
    pub shown: &'a Graph,
    pub held_out: &'a [Pair],
    pub communities: usize,
    pub start: StartName,
    pub iterations: Option<usize>,
    pub delta: Option<Delta>,
    pub trace_every: usize,
    pub seed: Seed,
}

/// What came out.
pub struct Answer {
    pub inference: InferenceName,
    pub lambda: Lambda,
    pub params: MmsbmParams,
    pub report: Report,
    pub log_posterior: Option<f64>,
    pub held_out: Option<HeldOut>,
    pub start_seconds: f64,
    pub infer_seconds: f64,
}

impl InferenceName {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        self.library().map_or("coordinate", Inference::name)
    }

    fn library(self) -> Option<Inference> {
        Some(match self {
            Self::Linear => Inference::Linear,
            Self::Minibatch => Inference::Minibatch,
            Self::Full => Inference::Full,
            Self::Natural => Inference::Natural,
            Self::Langevin => Inference::Langevin,
            Self::Variational => Inference::Variational,
            Self::Coordinate => return None,
        })
    }
}

impl Question<'_> {
    /// First memberships [n, k].
    fn memberships(&self) -> Vec<f32> {
        let k = self.communities;
        let from = match self.start {
            StartName::Agglomerate => FromGraph::Agglomerate,
            StartName::Propagate => FromGraph::Propagate,
            StartName::Random => FromGraph::Random,
            StartName::Labels => return self.labels(),
        };
        from.memberships(self.shown, k, self.seed.at(For::Lambda, [0; 3]))
    }

    /// Nine tenths of a labelled node's membership are its class's; an unlabelled node's are even.
    fn labels(&self) -> Vec<f32> {
        let k = self.communities;
        let mut rows = vec![1.0 / k as f32; self.shown.nodes() * k];
        for (a, row) in rows.chunks_exact_mut(k).enumerate() {
            if let Some(class) = self.data.labels.class(a as u32).filter(|&class| (class as usize) < k) {
                row.fill(0.1 / k as f32);
                row[class as usize] += 0.9;
            }
        }
        rows
    }

    /// Infers.
    pub fn answer(&self, name: InferenceName) -> Result<Answer, bgcn::graph_model::Error> {
        let begun = Instant::now();
        let pi = self.memberships();
        let start_seconds = begun.elapsed().as_secs_f64();
        let mut params = MmsbmParams::new(self.communities).trace_every(self.trace_every);
        if let Some(delta) = self.delta {
            params = params.delta(delta);
        }
        if let Some(inference) = name.library() {
            params = params.inference(inference);
        }
        let iterations = self.iterations.unwrap_or(match name {
            InferenceName::Natural => 20,
            InferenceName::Coordinate => Ascent::default().sweeps,
            _ => 200,
        });
        params = params.iterations(iterations);
        let checked = params.clone().check()?;
        let (lambda, report, log_posterior, infer_seconds) = if name == InferenceName::Coordinate {
            let begun = Instant::now();
            let found = Ascent { sweeps: iterations, ..Ascent::default() }.run(self.shown, self.communities, &pi)?;
            (found.lambda, Report { iterations, ..Report::default() }, None, begun.elapsed().as_secs_f64())
        } else {
            let belief = Belief { k: self.communities, rows: &pi };
            let mut model = Mmsbm::start(&checked, self.shown, Start::Belief(belief))?;
            if self.trace_every > 0 {
                model.watch(self.held_out.to_vec());
            }
            let begun = Instant::now();
            let report = model.infer(iterations, self.seed.at(For::Lambda, [0, 0, 1]))?;
            let seconds = begun.elapsed().as_secs_f64();
            (model.lambda().clone(), report, Some(model.log_posterior()), seconds)
        };
        let held_out =
            (!self.held_out.is_empty()).then(|| HeldOut::mean(self.held_out, |a, b| lambda.edge_probability(a, b)));
        Ok(Answer { inference: name, lambda, params, report, log_posterior, held_out, start_seconds, infer_seconds })
    }
}
