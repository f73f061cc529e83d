//! One inference, by name, from a start, by name.

use bgcn::data::{Dataset, SplitKind};
use bgcn::graph::Graph;
use bgcn::graph_model::mmsbm::{Ascent, BetaUpdate, Delta, FromGraph, Inference, Lambda, Mmsbm, MmsbmParams, Start};
use bgcn::graph_model::{Belief, HeldOut, Pair, Report};
use bgcn::network::Kind;
use bgcn::posterior::{self, GraphModelPlan, Plan, Task};
use bgcn::rng::{For, Seed};
use clap::{Args, ValueEnum};
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
    /// The dataset's labels, all of them
    Labels,
    /// The output of a GCN that has seen 20 labels of each class, as in the paper
    Network,
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
    pub settings: &'a Settings,
    pub seed: Seed,
}

/// Settings of the inference itself; the block model's own defaults where they are left out.
#[derive(Args)]
#[command(next_help_heading = "Inference")]
pub struct Settings {
    /// Community strengths by gradient steps as published, or by their closed-form maximum [default: ascent for minibatch and langevin, else em]
    #[arg(long, value_enum)]
    beta_update: Option<BetaName>,
    /// Stop once no membership moves by more than X in an iteration [default: run all iterations]
    #[arg(long, value_name = "X")]
    stop_below: Option<f64>,
    /// Record the log posterior every N iterations
    #[arg(long, value_name = "N", default_value_t = 0)]
    trace_every: usize,
    /// Strength of the prior around the start, natural only [default: 5]
    #[arg(long, value_name = "X")]
    prior_strength: Option<f64>,
    /// Iterations before the first sample, langevin only [default: 1000]
    #[arg(long, value_name = "N")]
    burn_in: Option<usize>,
    /// Iterations between samples, langevin only [default: 100]
    #[arg(long, value_name = "N")]
    thinning: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum BetaName {
    /// Gradient steps on theta
    Ascent,
    /// The maximum given the responsibilities
    Em,
}

impl Settings {
    fn apply(&self, mut params: MmsbmParams) -> MmsbmParams {
        params = params.trace_every(self.trace_every);
        if let Some(update) = self.beta_update {
            params = params.beta_update(Some(match update {
                BetaName::Ascent => BetaUpdate::Ascent,
                BetaName::Em => BetaUpdate::Em,
            }));
        }
        if self.stop_below.is_some() {
            params = params.stop_below(self.stop_below);
        }
        if let Some(strength) = self.prior_strength {
            params = params.prior_strength(strength);
        }
        if let Some(burn_in) = self.burn_in {
            params = params.burn_in(burn_in);
        }
        if let Some(thinning) = self.thinning {
            params = params.thinning(thinning);
        }
        params
    }
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
    fn memberships(&self) -> anyhow::Result<Vec<f32>> {
        let k = self.communities;
        let from = match self.start {
            StartName::Agglomerate => FromGraph::Agglomerate,
            StartName::Propagate => FromGraph::Propagate,
            StartName::Random => FromGraph::Random,
            StartName::Labels => return Ok(self.labels()),
            StartName::Network => return self.network(),
        };
        Ok(from.memberships(self.shown, k, self.seed.at(For::Lambda, [0; 3])))
    }

    /// A plain GCN's softmax.
    fn network(&self) -> anyhow::Result<Vec<f32>> {
        if self.communities != self.data.labels.classes() {
            let (k, classes) = (self.communities, self.data.labels.classes());
            let found =
                format!("--start network has a community for each of the {classes} classes, but --communities is {k}");
            return Err(bgcn::data::Error::Request(found).into());
        }
        let split = self.data.split(&SplitKind::Random, 20, self.seed)?;
        let plan = Plan::new(Kind::Gcn, GraphModelPlan::Observed).check()?;
        let task = Task { data: self.data, split: &split, seed: self.seed };
        let fit = posterior::fit(&plan, task, &mut |_| {})?;
        Ok(fit.predictions.classes().map(|p| p.probabilities.clone()).unwrap_or_default())
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
    pub fn answer(&self, name: InferenceName) -> anyhow::Result<Answer> {
        let begun = Instant::now();
        let pi = self.memberships()?;
        let start_seconds = begun.elapsed().as_secs_f64();
        let mut params = self.settings.apply(MmsbmParams::new(self.communities));
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
            if self.settings.trace_every > 0 {
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
