//! A graph model by itself: a start, one inference, and the likelihood of held-out links.
//! Paper: "Posterior inference for the MMSBM", without the networks around it.

use bgcn_core::data::{Dataset, Error, SplitKind};
use bgcn_core::graph::Graph;
use bgcn_core::graph_model::mmsbm::{Ascent, FromGraph, Inference, Mmsbm, MmsbmParams, Start};
use bgcn_core::graph_model::registry::Entry;
use bgcn_core::graph_model::{Belief, GoOn, GraphModel, HeldOut, ModelSettings, Pair, Report, SavedModel};
use bgcn_core::posterior::{belief_from_labels, unwatched};
use bgcn_core::recipe::Plan;
use bgcn_core::rng::{For, Seed};
use serde_json::Value;
use std::time::Instant;

/// Iterations of mmsb, sbm and dcsbm by default: as for `natural`, whose steps are theirs, enough to converge. In a fit
/// they are fewer, to stay near the network's prediction.
const ITERATIONS: usize = 20;

bgcn_core::words! {
    /// How the block model is inferred.
    pub enum InferenceName {
        /// Ascent with closed-form sums over non-edges, all nodes every step.
        Linear = "linear",
        /// The published ascent on sampled nodes and non-edges.
        Minibatch = "minibatch",
        /// Damped natural steps under a prior around the start.
        Natural = "natural",
        /// Posterior samples by stochastic-gradient Riemannian Langevin dynamics.
        Langevin = "langevin",
        /// Mean-field variational inference.
        Variational = "variational",
        /// Coordinate ascent, the best from a start without labels.
        Coordinate = "coordinate",
    }
}

bgcn_core::words! {
    /// Where memberships start.
    pub enum StartName {
        /// The dataset's labels, all of them; they spread to nodes without one.
        Labels = "labels",
        /// The output of a GCN that has seen 20 labels of each class, as in the paper.
        Network = "network",
        /// Communities merged while modularity grows.
        Agglomerate = "agglomerate",
        /// Labels spread from far-apart nodes of high degree.
        Propagate = "propagate",
        /// Random memberships.
        Random = "random",
    }
}

impl StartName {
    /// The one that suits the data: its labels where it has classes.
    pub fn suiting(data: &Dataset) -> Self {
        if data.labels.classes() > 0 { Self::Labels } else { Self::Agglomerate }
    }
}

/// What an option needs of a graph model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Several ways to infer it.
    Inferences,
    /// Something to iterate.
    Iterations,
}

impl Needs {
    /// Refuses the option, by its name in the interface, where the model has no use for it.
    pub fn check(self, entry: &Entry, option: &str) -> Result<(), Error> {
        let model = entry.defaults(1, 1.0);
        let (used, needs) = match self {
            Self::Inferences => (entry.name == "mmsbm", "mmsbm"),
            Self::Iterations => (model.iterations() > 0, "a model that iterates"),
        };
        match used {
            true => Ok(()),
            false => Err(Error::Request(format!(
                "{option} was given, but only {needs} uses it, not {}; leave it out or change the model",
                entry.name
            ))),
        }
    }
}

/// An inference to be run.
#[derive(Clone, Copy)]
pub struct InferenceRequest<'a> {
    /// The nodes, and labels to start from.
    pub data: &'a Dataset,
    /// The graph without the held-out links.
    pub shown: &'a Graph,
    /// Pairs to judge by.
    pub held_out: &'a [Pair],
    /// k.
    pub communities: usize,
    /// Where memberships start.
    pub start: StartName,
    /// Exactly so many; `None` for as many as suit the inference.
    pub iterations: Option<usize>,
    /// Settings of the model, with or without its name before the dot.
    pub settings: &'a [(String, Value)],
    /// An entry of the trace every so many iterations; 0 for none.
    pub trace_every: usize,
    /// Where all randomness comes from.
    pub seed: Seed,
    /// Asked at every iteration where the model can stop between them.
    pub go_on: GoOn<'a>,
}

/// The result of an inference.
#[derive(Clone, Debug)]
pub struct InferenceResult {
    /// How mmsbm was inferred; the other models have one way.
    pub inference: Option<InferenceName>,
    /// λ and the settings.
    pub saved: SavedModel,
    /// What the inference did.
    pub report: Report,
    /// Of λ, where the model has one.
    pub log_posterior: Option<f64>,
    /// How likely the held-out pairs are.
    pub held_out: Option<HeldOut>,
    /// Held-out links of probability 0.
    pub impossible: usize,
    /// Seconds until the inference began.
    pub start_seconds: f64,
    /// Seconds of the inference.
    pub infer_seconds: f64,
}

impl InferenceName {
    fn library(self) -> Option<Inference> {
        Inference::named(self.name())
    }
}

impl InferenceRequest<'_> {
    /// First memberships [n, k].
    fn memberships(&self) -> Result<Vec<f32>, bgcn_core::Error> {
        let k = self.communities;
        match self.start {
            StartName::Network => self.network(),
            StartName::Labels if self.data.labels.classes() == 0 => {
                let found = "the start is labels, but no node has a class; start from the graph alone with agglomerate, \
                             propagate or random";
                Err(Error::Request(found.into()))
            }
            StartName::Labels => Ok(belief_from_labels(self.shown, &self.data.labels, k)),
            alone => {
                let from = FromGraph::named(alone.name()).expect("the other starts are those from the graph");
                Ok(from.memberships(self.shown, k, self.seed.at(For::Lambda, [0; 3])))
            }
        }
    }

    /// A plain GCN's softmax.
    fn network(&self) -> Result<Vec<f32>, bgcn_core::Error> {
        if self.communities != self.data.labels.classes() {
            let (k, classes) = (self.communities, self.data.labels.classes());
            let found =
                format!("the start network has a community for each of the {classes} classes, but {k} are asked for");
            return Err(Error::Request(found));
        }
        let split = self.data.split(&SplitKind::Random, None, self.seed)?;
        // Held-out links are hidden from the network too: its prediction would depend on them.
        let data = Dataset { graph: self.shown.clone(), ..self.data.clone() };
        let plan = Plan::new().graph_model("observed").seed(self.seed.number());
        let fit = plan.fit_split(&data, &split, &unwatched)?;
        Ok(fit.predictions.classes().map(|p| p.probabilities.clone()).unwrap_or_default())
    }

    /// Infers this model; `inference` is of mmsbm alone.
    pub fn run(&self, entry: &Entry, inference: Option<InferenceName>) -> Result<InferenceResult, bgcn_core::Error> {
        entry.defaults(self.communities, 1.0).allow(self.shown.nodes())?;
        match entry.name {
            "mmsbm" => self.of_mmsbm(inference.unwrap_or(InferenceName::Linear)),
            _ => self.of_model(entry),
        }
    }

    /// Infers mmsbm.
    fn of_mmsbm(&self, name: InferenceName) -> Result<InferenceResult, bgcn_core::Error> {
        let begun = Instant::now();
        let pi = self.memberships()?;
        let start_seconds = begun.elapsed().as_secs_f64();
        let mut params = MmsbmParams::alone(self.communities, name.library().unwrap_or(Inference::Linear));
        if name == InferenceName::Coordinate {
            params.iterations = Ascent::default().sweeps;
        }
        params.iterations = self.iterations.unwrap_or(params.iterations);
        // Communities found in the graph are a start, not a belief to stay near.
        let given = matches!(self.start, StartName::Labels | StartName::Network);
        let sampled = matches!(name, InferenceName::Langevin | InferenceName::Variational);
        if sampled && !given {
            params.prior_strength = 0.0;
        }
        let model = self.changed(ModelSettings::Mmsbm(params))?;
        let ModelSettings::Mmsbm(params) = model.traced(self.trace_every) else { unreachable!("the same model") };
        let (iterations, checked) = (params.iterations, params.check()?);
        let (lambda, report, log_posterior, infer_seconds) = if name == InferenceName::Coordinate {
            let begun = Instant::now();
            let found = Ascent { sweeps: iterations, ..Ascent::default() }.run(self.shown, self.communities, &pi)?;
            (found, Report { iterations, ..Report::default() }, None, begun.elapsed().as_secs_f64())
        } else {
            let belief = Belief { k: self.communities, rows: &pi };
            let mut model = Mmsbm::start(&checked, self.shown, Start::Belief(belief))?;
            if self.trace_every > 0 {
                model.watch(self.held_out.to_vec());
            }
            let begun = Instant::now();
            let report = model.infer_watched(iterations, self.seed.at(For::Lambda, [0, 0, 1]), self.go_on)?;
            let seconds = begun.elapsed().as_secs_f64();
            (model.lambda().clone(), report, Some(model.log_posterior()), seconds)
        };
        let (held_out, impossible) = self.judge(|a, b| lambda.edge_probability(a, b));
        Ok(InferenceResult {
            inference: Some(name),
            saved: model.saved((&lambda).into(), self.seed.number()),
            report,
            log_posterior,
            held_out,
            impossible,
            start_seconds,
            infer_seconds,
        })
    }

    /// The model with the settings that were given.
    fn changed(&self, model: ModelSettings) -> Result<ModelSettings, bgcn_core::Error> {
        let mut changes = Vec::new();
        for (key, value) in self.settings {
            let own = key.strip_prefix(model.name()).and_then(|rest| rest.strip_prefix('.'));
            changes.push((own.unwrap_or(key), value.clone()));
        }
        model.with(&changes)
    }

    /// Infers any other model.
    fn of_model(&self, entry: &Entry) -> Result<InferenceResult, bgcn_core::Error> {
        let begun = Instant::now();
        let degree = 2.0 * self.shown.edges() as f64 / self.shown.nodes().max(1) as f64;
        let defaults = entry.defaults(self.communities, degree);
        let mut own = Vec::new();
        if defaults.iterations() > 0 {
            own.push(("iterations", self.iterations.unwrap_or(ITERATIONS).into()));
            // Labels and networks are evidence of the classes, a start from the graph alone is none.
            if !matches!(self.start, StartName::Labels | StartName::Network) {
                own.push(("prior_strength", 0.0.into()));
            }
        }
        let settings = self.changed(defaults.with(&own)?)?;
        let traced = settings.traced(self.trace_every);
        let mut model = traced.start(self.shown)?;
        let rows = self.memberships()?;
        model.restart(Belief { k: settings.communities(), rows: &rows })?;
        let start_seconds = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let report = model.infer_watched(settings.iterations(), self.seed.at(For::Lambda, [0, 0, 1]), self.go_on)?;
        let infer_seconds = begun.elapsed().as_secs_f64();
        let (held_out, impossible) = self.judge(|a, b| model.edge_probability(a, b));
        let lambda = model.parameters().expect("every model has λ but `observed`, which is no choice here");
        Ok(InferenceResult {
            inference: None,
            saved: settings.saved(lambda, self.seed.number()),
            report,
            log_posterior: None,
            held_out,
            impossible,
            start_seconds,
            infer_seconds,
        })
    }

    /// How likely the held-out pairs are under `p`, and how many of the links have probability 0.
    fn judge(&self, p: impl Fn(u32, u32) -> f64) -> (Option<HeldOut>, usize) {
        let impossible = self.held_out.iter().filter(|pair| pair.linked && p(pair.a, pair.b) <= 0.0).count();
        ((!self.held_out.is_empty()).then(|| HeldOut::mean(self.held_out, p)), impossible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::generate::Generator;
    use bgcn_core::graph_model::HoldOut;
    use std::ops::ControlFlow;

    #[test]
    fn no_start_has_seen_the_held_out_links() {
        let generator = Generator { nodes: 80, classes: 2, words: 50, ..Generator::default() };
        let whole = generator.generate(Seed::new(1)).unwrap();
        let held = HoldOut::draw(&whole.graph, 0.2, Seed::new(2).at(For::HoldOut, [0; 3]));
        let without = Dataset { graph: held.graph.clone(), ..whole.clone() };
        for start in StartName::ALL {
            let rows = |data: &Dataset| {
                let request = InferenceRequest {
                    data,
                    shown: &held.graph,
                    held_out: &held.pairs,
                    communities: 2,
                    start,
                    iterations: None,
                    settings: &[],
                    trace_every: 0,
                    seed: Seed::new(3),
                    go_on: &|_, _| ControlFlow::Continue(()),
                };
                request.memberships().unwrap()
            };
            assert_eq!(rows(&whole), rows(&without), "{start:?}");
        }
    }
}
