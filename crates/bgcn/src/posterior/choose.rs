//! Which graph model suits the data, found out without a test label.
//! Paper: takes one parametric model as an example, and does not say how to choose another.
//! Differs: some links are hidden; every model is inferred from what is left, exactly as in a fit, and asked how likely the hidden
//! links are. Then one is fitted: the best at that, or, where validation nodes may be looked at, the better of the default and its
//! best rival by the log score on those nodes. Or a mixture is fitted, with shares by that likelihood.
//! Symbols: H the hidden links, h their share of all links; M pairs that are not linked, drawn evenly from all u of them; p the
//! chance that a model gives a pair, s the scale at which it expects as many links as there are; ρ the density, which is mixed in
//! so that no link is impossible; w_m the share of model m, t (`EVIDENCE`).
//!
//! ```text
//! s = |H| / (Σ_H p + h u / |M| Σ_M p)
//! p̃ = (1 − η) s p + η ρ
//! score = 1/|H| (Σ_H log p̃ + h u / |M| Σ_M log(1 − p̃))      the log-likelihood of the hidden pairs, for each hidden link
//! w_m ∝ exp(t score_m)                                       the weight of the evidence of t links
//! ```
//!
//! The scale is there because drawing more edges than were observed can help a network without being believed: it is judged where a
//! model expects links, not how many.
//!
//! Links are far from independent given any of these models. Were they counted as if they were, as the posterior probabilities of the
//! models would, all weight would always be on one; a few links' worth keeps the models that are about as good.

use super::setup::{Problem, Setup};
use super::{Error, Fit, GraphModelPlan, MixturePlan, Plan, Predictions, Share, Task, Watch, with_network};
use crate::Checked;
use crate::graph::Graph;
use crate::graph_model::{GraphModel, HoldOut, Pair};
use crate::metrics::Judged;
use crate::network::Network;
use crate::rng::{For, Random as _};
use serde::{Deserialize, Serialize};

/// The share of links that are hidden, and of the density in a probability.
const HIDDEN: f64 = 0.1;
const ETA: f64 = 0.05;
/// Links whose evidence makes the shares of a mixture: a model 0.35 below the best score has half its share, one 1.1 below a ninth.
const EVIDENCE: f64 = 2.0; // measured: docs/ablations.md
/// Pairs that are drawn as an estimate of all without a link, at least; links among them are passed over.
const UNLINKED: usize = 20_000;

/// What graph models are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChooseBy {
    /// Links that were hidden from them: needs no label beyond the training nodes'.
    Links,
    /// Hidden links, then the log score on the validation nodes of the default and its best rival. Without validation nodes, and where
    /// numbers are predicted: `links`.
    Validation,
    /// None is chosen: the models of [`MixturePlan::USUAL`] are mixed, with shares by the likelihood of hidden links. Like `links`, it needs
    /// no label beyond the training nodes'.
    Average,
}

/// A choice and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Choice {
    /// What decided.
    pub decided_by: ChooseBy,
    /// Hidden links.
    pub links: usize,
    /// All that took part, the chosen one first if one was, then by `held_out`.
    pub candidates: Vec<Candidate>,
}

/// A graph model that took part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its name, one of [`super::GraphModelPlan::NAMES`].
    pub graph_model: String,
    /// Log-likelihood of the hidden pairs, for each hidden link.
    pub held_out: f64,
    /// By how much it lies below the best, and the standard error of that over the hidden links.
    pub below_best: (f64, f64),
    /// Mean log-probability of the validation nodes' labels; only of those that were fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<f64>,
    /// Its share of the draws, where models are mixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl Choice {
    /// The name of the model that was fitted.
    pub fn chosen(&self) -> &str {
        match self.decided_by {
            ChooseBy::Average => "mixture",
            ChooseBy::Links | ChooseBy::Validation => &self.candidates[0].graph_model,
        }
    }
}

/// A model with its plan and the log-likelihood of every hidden pair.
struct Entry {
    plan: Checked<Plan>,
    /// `[|H|]`, log p̃ of each.
    links: Vec<f64>,
    /// h u / |M| Σ log(1 − p̃), for each hidden link.
    others: f64,
    validation: Option<f64>,
    share: Option<f64>,
}

impl Entry {
    fn score(&self) -> f64 {
        self.links.iter().sum::<f64>() / self.links.len().max(1) as f64 + self.others
    }
}

/// Chooses among the graph models that can foresee a link, and fits the chosen one.
pub(super) fn fit(plan: &Checked<Plan>, by: ChooseBy, task: Task<'_>, watch: Watch<'_>) -> Result<Fit, Error> {
    let mut entries = compare(plan, task, watch)?;
    let links = entries[0].links.len();
    let best: Vec<f64> = entries[0].links.clone();
    let top = entries[0].score();
    let default = plan.graph_model.name();
    let unjudged = task.split.validation.is_empty() || task.data.labels.classes() < 2;
    let (decided_by, fit) = match by {
        ChooseBy::Average => (by, super::fit(&mixed(plan, &mut entries)?, task, watch)?),
        ChooseBy::Links => (by, super::fit(&entries[0].plan, task, watch)?),
        ChooseBy::Validation if unjudged => (ChooseBy::Links, super::fit(&entries[0].plan, task, watch)?),
        ChooseBy::Validation => {
            // The default, and the best of the others.
            let mine = entries.iter().position(|entry| entry.plan.graph_model.name() == default).unwrap_or(0);
            let rival = usize::from(mine == 0);
            let [one, two] = [mine, rival].map(|at| (at, super::fit(&entries[at].plan, task, watch)));
            let (one, two) = ((one.0, one.1?), (two.0, two.1?));
            let scores = [&one.1, &two.1].map(|fit| log_score(fit, task));
            (entries[one.0].validation, entries[two.0].validation) = (scores[0], scores[1]);
            let (at, fit) = if scores[1] > scores[0] { two } else { one };
            let chosen = entries.remove(at);
            entries.insert(0, chosen);
            (by, fit)
        }
    };
    let candidates = entries.iter().map(|entry| Candidate {
        graph_model: entry.plan.graph_model.name().into(),
        held_out: entry.score(),
        below_best: (top - entry.score(), error_of_difference(&best, &entry.links)),
        validation: entry.validation,
        share: entry.share,
    });
    let choice = Choice { decided_by, links, candidates: candidates.collect() };
    Ok(Fit { choice: Some(choice), ..fit })
}

/// The mixture of all, with shares that are noted in the entries.
fn mixed(plan: &Checked<Plan>, entries: &mut [Entry]) -> Result<Checked<Plan>, Error> {
    let best = entries.iter().map(Entry::score).fold(f64::MIN, f64::max);
    let weights: Vec<f64> = entries.iter().map(|entry| (EVIDENCE * (entry.score() - best)).exp()).collect();
    let total: f64 = weights.iter().sum();
    let mut of = Vec::new();
    for (entry, weight) in entries.iter_mut().zip(weights) {
        entry.share = Some(weight / total);
        // Too small a share to be drawn even once is none.
        if weight / total > f64::EPSILON {
            of.push(Share { weight: weight / total, model: entry.plan.graph_model.clone() });
        }
    }
    Plan { choose_by: None, graph_model: GraphModelPlan::Mixture(MixturePlan::of(of)), ..(**plan).clone() }.check()
}

/// All candidates on the graph without the hidden links, the best first.
fn compare(plan: &Checked<Plan>, task: Task<'_>, watch: Watch<'_>) -> Result<Vec<Entry>, Error> {
    let plans = plan.candidates()?;
    let hidden = HoldOut::draw(&task.data.graph, HIDDEN, task.seed.at(For::HoldOut, [0; 3]));
    if hidden.pairs.is_empty() {
        let text = "there are too few edges to hide some, by which graph models could be compared; name a graph model";
        return Err(Error::Data(text.into()));
    }
    // Models that will be averaged are compared from the guess of a network like those that will be fitted.
    let lessons = if plan.choose_by == Some(ChooseBy::Average) { MixturePlan::LESSONS } else { 0.0 };
    let problem = Problem::new(&plans[0], task)?.with_lessons(lessons)?;
    let params = problem.params.clone();
    let mut entries = with_network!(&params, problem.x.columns(), problem.train.outputs(), |network| {
        let setup = Setup { graph: &hidden.graph, ..problem.setup(&plans[0], task, network) };
        score_all(setup, &plans, &pairs(&hidden, task), watch)
    })?;
    // Stable: of equals, the order of the names.
    entries.sort_by(|x, y| y.score().total_cmp(&x.score()));
    Ok(entries)
}

/// The hidden links, and enough pairs without one.
fn pairs(hidden: &HoldOut, task: Task<'_>) -> Vec<Pair> {
    let graph = &task.data.graph;
    let (n, mut random) = (graph.nodes() as u64, task.seed.at(For::HoldOut, [1, 0, 0]).fast());
    let mut pairs: Vec<Pair> = hidden.pairs.iter().copied().filter(|pair| pair.linked).collect();
    for _ in 0..UNLINKED.max(pairs.len()) {
        let (a, b) = (random.below(n) as u32, random.below(n) as u32);
        if a != b && !graph.has_edge(a, b) {
            pairs.push(Pair { a, b, linked: false });
        }
    }
    pairs
}

/// One network guesses for all models.
fn score_all<'a, N: Network + Clone>(
    mut setup: Setup<'a, N>,
    plans: &'a [Checked<Plan>],
    pairs: &[Pair],
    watch: Watch<'_>,
) -> Result<Vec<Entry>, Error> {
    let graph = setup.graph;
    let pretrained = {
        let trainer = setup.pretrain([0; 3], super::params::filled(setup.plan.pretraining), watch)?;
        trainer.weights().clone()
    };
    let mut entries = Vec::new();
    for plan in plans {
        setup.plan = plan;
        let mut trainer = setup.from(pretrained.clone(), [0; 3]);
        let (observed, alone) = (trainer.prepare(graph)?, setup.alone(&trainer)?);
        let guess = setup.guess(&mut trainer, &observed, alone.as_ref());
        let mut model = plan.graph_model.start(graph)?;
        setup.restart(&guess, &mut *model)?;
        setup.infer(&mut *model, [0; 3], &mut setup.nothing(), &mut *watch)?;
        entries.push(scored(&*model, plan, graph, pairs));
    }
    Ok(entries)
}

/// A model inferred from the shown `graph`, asked for hidden pairs.
fn scored(model: &dyn GraphModel, plan: &Checked<Plan>, graph: &Graph, pairs: &[Pair]) -> Entry {
    let nodes = graph.nodes() as f64;
    let all = nodes * (nodes - 1.0) / 2.0;
    let raw = |wanted: bool| -> Vec<f64> {
        let of = pairs.iter().filter(|pair| pair.linked == wanted);
        of.map(|pair| model.edge_probability(pair.a, pair.b)).collect()
    };
    let (links, others) = (raw(true), raw(false));
    let (edges, hidden) = ((graph.edges() + links.len()) as f64, links.len() as f64);
    let density = edges / all;
    // Of h u pairs, M is a sample.
    let stands_for = hidden / edges * (all - edges) / others.len().max(1) as f64;
    let expected = links.iter().sum::<f64>() + stands_for * others.iter().sum::<f64>();
    let scale = if expected > 0.0 { hidden / expected } else { 1.0 };
    let p = |raw: f64| (1.0 - ETA) * (scale * raw).min(1.0) + ETA * density;
    let absent = |raw: f64| (-p(raw)).max(f64::EPSILON - 1.0).ln_1p();
    let others = stands_for * others.into_iter().map(absent).sum::<f64>() / hidden.max(1.0);
    let links = links.into_iter().map(|raw| p(raw).ln()).collect();
    Entry { plan: plan.clone(), links, others, validation: None, share: None }
}

/// The standard error of the mean difference over the hidden links.
fn error_of_difference(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let mean = x.iter().zip(y).map(|(x, y)| x - y).sum::<f64>() / n;
    let squares: f64 = x.iter().zip(y).map(|(x, y)| (x - y - mean).powi(2)).sum();
    (squares / (n - 1.0).max(1.0) / n).sqrt()
}

/// Mean log-probability of the validation nodes' labels.
fn log_score(fit: &Fit, task: Task<'_>) -> Option<f64> {
    let Predictions::Classes(posterior) = &fit.predictions else { return None };
    let judged = Judged::new(&posterior.probabilities, posterior.classes, &task.data.labels, &task.split.validation);
    judged.scores().map(|scores| -scores.nll)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Graph;
    use crate::graph_model::Error as ModelError;
    use crate::graph_model::{Belief, GraphBuffer, Observed, PairBelief, Parameters, Report};
    use crate::network::Kind;
    use crate::posterior::GraphModelPlan;
    use crate::rng::Stream;
    use std::sync::Arc;

    /// 10 pairs; 0–1 is shown, 2–3 hidden: two links, half of them hidden, eight pairs without one, of which two are asked for.
    fn five_nodes() -> (Graph, Checked<Plan>, [Pair; 3]) {
        let graph = Graph::from_edges(5, &[(0, 1)]).unwrap();
        let plan = Plan::new(Kind::Gcn, GraphModelPlan::mmsbm(2)).check().unwrap();
        let pair = |a, b, linked| Pair { a, b, linked };
        let pairs = [pair(2, 3, true), pair(0, 4, false), pair(1, 3, false)];
        (graph, plan, pairs)
    }

    #[test]
    fn a_score_worked_out_by_hand() {
        // G_obs itself as a model finds 2–3 impossible but for the density, 0.2, and so do the two pairs without a link.
        let (graph, plan, pairs) = five_nodes();
        let entry = scored(&Observed::new(&graph), &plan, &graph, &pairs);
        let floor: f64 = ETA * 0.2;
        let wanted = floor.ln() + 0.5 * 8.0 * (1.0 - floor).ln();
        assert!((entry.score() - wanted).abs() < 1e-12, "{} instead of {wanted}", entry.score());
    }

    /// Every pair is as likely as any other.
    struct Even(f64);

    impl GraphModel for Even {
        fn restart(&mut self, _: Belief<'_>) -> Result<(), ModelError> {
            Ok(())
        }

        fn infer(&mut self, _: usize, _: Stream) -> Result<Report, ModelError> {
            Ok(Report::default())
        }

        fn sample(&self, _: Stream, _: &mut GraphBuffer) {}

        fn edge_probability(&self, _: u32, _: u32) -> f64 {
            self.0
        }

        fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
            None
        }

        fn parameters(&self) -> Option<Parameters> {
            None
        }
    }

    #[test]
    fn how_many_links_a_model_expects_is_not_judged() {
        // Scaled to one hidden link among five pairs (the link and half of the eight others), any even model
        // gives each the density, 0.2.
        let (graph, plan, pairs) = five_nodes();
        let wanted = 0.2f64.ln() + 4.0 * 0.8f64.ln();
        for p in [1e-6, 0.1, 0.2, 0.9, 1.0] {
            let score = scored(&Even(p), &plan, &graph, &pairs).score();
            assert!((score - wanted).abs() < 1e-12, "{p}: {score} instead of {wanted}");
        }
    }

    #[test]
    fn the_error_of_a_difference_is_that_of_a_mean() {
        // Differences 1, 2, 3: variance 1, error sqrt(1/3).
        assert!((error_of_difference(&[1.0, 3.0, 3.0], &[0.0, 1.0, 0.0]) - (1.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(error_of_difference(&[1.0], &[0.0]), 0.0);
    }
}
