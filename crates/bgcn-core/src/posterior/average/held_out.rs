//! How likely a graph model makes links that were hidden from it; no label beyond the training nodes' is seen.
//! Symbols: H the held-out links, h their share of all links; M pairs that are not linked, drawn evenly from all u of
//! them; p the probability that a model gives a pair, s the scale at which it expects as many links as there are; ρ the
//! density, mixed in with share η so that no link is impossible.
//!
//! ```text
//! s = |H| / (Σ_H p + h u / |M| Σ_M p)
//! p̃ = (1 − η) s p + η ρ
//! score = 1/|H| (Σ_H log p̃ + h u / |M| Σ_M log(1 − p̃))   the log-likelihood of the hidden pairs, per hidden link
//! ```
//!
//! The scale is there because drawing more edges than were observed can help a network without being probable: the
//! score is about where a model expects links, not how many.

use crate::Error;
use crate::graph::Graph;
use crate::graph_model::{GraphModel, HoldOut, Pair};
use crate::posterior::task::Setup;
use crate::posterior::{Phase, Watch, tell};
use crate::recipe::{Average, Member};
use crate::rng::{For, Random as _, Seed};

/// The log-likelihood of every hidden pair under one model.
pub(super) struct Score {
    /// `[|H|]`, log p̃ of each.
    links: Vec<f64>,
    /// h u / |M| Σ log(1 − p̃), for each hidden link.
    others: f64,
}

impl Score {
    /// The score.
    pub(super) fn mean(&self) -> f64 {
        self.links.iter().sum::<f64>() / self.links.len().max(1) as f64 + self.others
    }

    /// |H|
    pub(super) fn links(&self) -> usize {
        self.links.len()
    }

    /// The standard error of the mean difference over the held-out links.
    pub(super) fn error_of_difference(&self, other: &Self) -> f64 {
        let differences = || other.links.iter().zip(&self.links).map(|(x, y)| x - y);
        let n = self.links.len() as f64;
        let mean = differences().sum::<f64>() / n;
        let squares: f64 = differences().map(|difference| (difference - mean).powi(2)).sum();
        (squares / (n - 1.0).max(1.0) / n).sqrt()
    }
}

/// The scores of all graph models of the recipe, inferred from the graph without the held-out links exactly as in a fit.
/// One network predicts for all.
pub(super) fn scores(setup: &Setup<'_>, watch: Watch<'_>) -> Result<Vec<Score>, Error> {
    let average = &setup.recipe.average;
    let hidden = HoldOut::draw(setup.graph, average.hidden_share, setup.seed.at(For::HoldOut, [0; 3]));
    if hidden.pairs.is_empty() {
        let text = "there are too few edges to hide some, by which graph models could be weighted; name one graph \
                    model, or set \
                    average.evidence to 0";
        return Err(Error::Request(text.into()));
    }
    let pairs = pairs(&hidden, setup.graph, average, setup.seed);
    let shown = Setup { graph: &hidden.graph, ..setup.clone() };
    let mut trainer = shown.pretrain([0; 3], setup.recipe.schedule.pretraining, watch)?;
    let (observed, edgeless) = (trainer.prepare(shown.graph), shown.edgeless(&trainer));
    let predicted = shown.predict(&mut trainer, &observed, edgeless.as_ref());
    let members = setup.recipe.members.iter();
    members.map(|member| score(&shown, member, (&predicted, &pairs), watch)).collect()
}

/// Infers a graph model from the shown graph and asks it for the pairs.
fn score(
    shown: &Setup<'_>,
    member: &Member,
    (predicted, pairs): (&[f32], &[Pair]),
    watch: Watch<'_>,
) -> Result<Score, Error> {
    tell(watch, Phase::Inference, 0, shown.recipe.iterations())?;
    let mut model = member.model.start(shown.graph)?;
    shown.restart(predicted, &mut *model)?;
    model.infer(member.model.iterations(), shown.seed.at(For::Lambda, [0; 3]))?;
    Ok(scored(&*model, shown.recipe.average.density_share, shown.graph, pairs))
}

/// The held-out links, and enough pairs without one; links among those drawn are passed over.
fn pairs(hidden: &HoldOut, graph: &Graph, average: &Average, seed: Seed) -> Vec<Pair> {
    let (n, mut random) = (graph.nodes() as u64, seed.at(For::HoldOut, [1, 0, 0]).fast());
    let mut pairs: Vec<Pair> = hidden.pairs.iter().copied().filter(|pair| pair.linked).collect();
    for _ in 0..average.non_links.max(pairs.len()) {
        let (a, b) = (random.below(n) as u32, random.below(n) as u32);
        if a != b && !graph.has_edge(a, b) {
            pairs.push(Pair { a, b, linked: false });
        }
    }
    pairs
}

/// A model inferred from the shown `graph`, asked for hidden pairs; `eta` is the share of the density.
fn scored(model: &dyn GraphModel, eta: f64, graph: &Graph, pairs: &[Pair]) -> Score {
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
    let p = |raw: f64| (1.0 - eta) * (scale * raw).min(1.0) + eta * density;
    let absent = |raw: f64| (-p(raw)).max(f64::EPSILON - 1.0).ln_1p();
    let others = stands_for * others.into_iter().map(absent).sum::<f64>() / hidden.max(1.0);
    Score { links: links.into_iter().map(|raw| p(raw).ln()).collect(), others }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph_model::observed::Observed;
    use crate::graph_model::{Belief, GraphBuffer, PairBelief, Parameters, Report};
    use crate::rng::Stream;
    use std::sync::Arc;

    const ETA: f64 = 0.05;

    /// 10 pairs; 0–1 is shown, 2–3 hidden: two links, half of them hidden, eight pairs without one, of which two are
    /// asked for.
    fn five_nodes() -> (Graph, [Pair; 3]) {
        let graph = Graph::from_edges(5, &[(0, 1)]).unwrap();
        let pair = |a, b, linked| Pair { a, b, linked };
        let pairs = [pair(2, 3, true), pair(0, 4, false), pair(1, 3, false)];
        (graph, pairs)
    }

    #[test]
    fn a_score_worked_out_by_hand() {
        // G_obs itself as a model finds 2–3 impossible but for the density, 0.2, and so do the two pairs without a
        // link.
        let (graph, pairs) = five_nodes();
        let score = scored(&Observed::new(&graph), ETA, &graph, &pairs).mean();
        let floor: f64 = ETA * 0.2;
        let wanted = floor.ln() + 0.5 * 8.0 * (1.0 - floor).ln();
        assert!((score - wanted).abs() < 1e-12, "{score} instead of {wanted}");
    }

    /// Every pair is as likely as any other.
    struct Even(f64);

    impl GraphModel for Even {
        fn restart(&mut self, _: Belief<'_>) -> Result<(), Error> {
            Ok(())
        }

        fn infer(&mut self, _: usize, _: Stream) -> Result<Report, Error> {
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
        let (graph, pairs) = five_nodes();
        let wanted = 0.2f64.ln() + 4.0 * 0.8f64.ln();
        for p in [1e-6, 0.1, 0.2, 0.9, 1.0] {
            let score = scored(&Even(p), ETA, &graph, &pairs).mean();
            assert!((score - wanted).abs() < 1e-12, "{p}: {score} instead of {wanted}");
        }
    }

    #[test]
    fn the_error_of_a_difference_is_that_of_a_mean() {
        // Differences 1, 2, 3: variance 1, error sqrt(1/3).
        let score = |links: &[f64]| Score { links: links.to_vec(), others: 0.0 };
        let error = |x: &[f64], y: &[f64]| score(x).error_of_difference(&score(y));
        assert!((error(&[1.0, 3.0, 3.0], &[0.0, 1.0, 0.0]) - (1.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(error(&[1.0], &[0.0]), 0.0);
    }
}
