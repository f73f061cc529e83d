//! One inference of a graph model, from a start, by name.

use bgcn::data::{Dataset, SplitKind};
use bgcn::graph::Graph;
use bgcn::graph_model::mmsbm::{Ascent, BetaUpdate, Delta, FromGraph, Inference, Mmsbm, MmsbmParams, Start};
use bgcn::graph_model::{Belief, HeldOut, Pair, Report, SavedModel};
use bgcn::network::Kind;
use bgcn::posterior::{self, GraphModelPlan, Plan, Task, belief_from_labels};
use bgcn::rng::{For, Seed};
use clap::{Args, ValueEnum};
use std::time::Instant;

/// Rounds of mmsb, sbm and dcsbm where none are asked for: as for `natural`, whose steps are theirs, enough to converge.
const ROUNDS: usize = 20;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferenceName {
    /// Ascent with closed-form sums over non-edges, all nodes every step
    Linear,
    /// The published ascent on sampled nodes and non-edges
    Minibatch,
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
    /// The dataset's labels, all of them; nodes without one hear their neighbours
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
    /// As it was given.
    pub seed_number: u64,
}

/// Settings of the inference itself; the model's own defaults where they are left out.
#[derive(Args)]
#[command(next_help_heading = "Inference")]
pub struct Settings {
    /// mmsbm: community strengths by gradient steps as published, or by their closed-form maximum [default: ascent for minibatch and langevin, else em]
    #[arg(long, value_enum)]
    pub beta_update: Option<BetaName>,
    /// Stop once no membership moves by more than X in an iteration [default: run all iterations]
    #[arg(long, value_name = "X")]
    pub stop_below: Option<f64>,
    /// Record the log posterior every N iterations
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub trace_every: usize,
    /// Strength of the prior around the start: mmsbm (natural only), mmsb, sbm, dcsbm [default: 5; mmsb, sbm, dcsbm 0 from the graph alone]
    #[arg(long, value_name = "X")]
    pub prior_strength: Option<f64>,
    /// mmsbm: iterations before the first sample, langevin only [default: 1000]
    #[arg(long, value_name = "N")]
    pub burn_in: Option<usize>,
    /// mmsbm: iterations between samples, langevin only [default: 100]
    #[arg(long, value_name = "N")]
    pub thinning: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BetaName {
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
    /// How mmsbm was inferred; the other models have one way.
    pub inference: Option<InferenceName>,
    /// λ and the settings.
    pub saved: SavedModel,
    pub report: Report,
    pub log_posterior: Option<f64>,
    pub held_out: Option<HeldOut>,
    /// Held-out links that the model holds for impossible.
    pub impossible: usize,
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
            StartName::Labels if self.data.labels.classes() == 0 => {
                let found = "--start labels was given, but no node has a class; start from the graph alone with agglomerate, propagate \
                             or random";
                return Err(bgcn::data::Error::Request(found.into()).into());
            }
            StartName::Labels => return Ok(belief_from_labels(self.shown, &self.data.labels, k)),
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
        // Held-out links are hidden from the network too: its guess would tell of them.
        let data = Dataset { graph: self.shown.clone(), ..self.data.clone() };
        let task = Task { data: &data, split: &split, seed: self.seed };
        let fit = posterior::fit(&plan, task, &mut |_| {})?;
        Ok(fit.predictions.classes().map(|p| p.probabilities.clone()).unwrap_or_default())
    }

    /// Infers mmsbm.
    pub fn of_mmsbm(&self, name: InferenceName) -> anyhow::Result<Answer> {
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
        let (held_out, impossible) = self.judge(|a, b| lambda.edge_probability(a, b));
        Ok(Answer {
            inference: Some(name),
            saved: GraphModelPlan::Mmsbm(params).saved((&lambda).into(), self.seed_number),
            report,
            log_posterior,
            held_out,
            impossible,
            start_seconds,
            infer_seconds,
        })
    }

    /// Infers any other model.
    pub fn of_model(&self, plan: &GraphModelPlan) -> anyhow::Result<Answer> {
        let begun = Instant::now();
        let mut model = plan.start(self.shown)?;
        if let Some(k) = plan.communities() {
            let rows = self.memberships()?;
            model.restart(Belief { k, rows: &rows })?;
        }
        let start_seconds = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        // Models without anything to iterate do not look at the number.
        let report = model.infer(self.iterations.unwrap_or(ROUNDS), self.seed.at(For::Lambda, [0, 0, 1]))?;
        let infer_seconds = begun.elapsed().as_secs_f64();
        let (held_out, impossible) = self.judge(|a, b| model.edge_probability(a, b));
        let lambda = model.parameters().expect("every model has λ but `observed`, which is no choice here");
        Ok(Answer {
            inference: None,
            saved: plan.saved(lambda, self.seed_number),
            report,
            log_posterior: None,
            held_out,
            impossible,
            start_seconds,
            infer_seconds,
        })
    }

    /// How likely the held-out pairs are under `p`, and how many of the links it holds for impossible.
    fn judge(&self, p: impl Fn(u32, u32) -> f64) -> (Option<HeldOut>, usize) {
        let impossible = self.held_out.iter().filter(|pair| pair.linked && p(pair.a, pair.b) <= 0.0).count();
        ((!self.held_out.is_empty()).then(|| HeldOut::mean(self.held_out, p)), impossible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn::data::generate::Generator;
    use bgcn::graph_model::HoldOut;

    #[test]
    fn no_start_has_seen_the_held_out_links() {
        let generator = Generator::params().nodes(80).classes(2).words(50).check().unwrap();
        let whole = generator.generate(Seed::new(1)).unwrap();
        let held = HoldOut::draw(&whole.graph, 0.2, Seed::new(2).at(For::HoldOut, [0; 3]));
        let without = Dataset { graph: held.graph.clone(), ..whole.clone() };
        let settings = Settings {
            beta_update: None,
            stop_below: None,
            trace_every: 0,
            prior_strength: None,
            burn_in: None,
            thinning: None,
        };
        for &start in StartName::value_variants() {
            let rows = |data: &Dataset| {
                let (shown, seed) = (&held.graph, Seed::new(3));
                let (held_out, settings) = (&held.pairs[..], &settings);
                let (communities, iterations, delta) = (2, None, None);
                let question = Question {
                    data,
                    shown,
                    held_out,
                    communities,
                    start,
                    iterations,
                    delta,
                    settings,
                    seed,
                    seed_number: 3,
                };
                question.memberships().unwrap()
            };
            assert_eq!(rows(&whole), rows(&without), "{start:?}");
        }
    }
}
