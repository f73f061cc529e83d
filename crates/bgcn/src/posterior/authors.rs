//! Schedule `authors`: the weights go on from graph to graph, and the last graphs are averaged.
//! Paper: Algorithm 1, as the authors' code carries it out.
//! Differs from the algorithm: one step of training on each drawn graph, weights and optimiser state never reset; λ is inferred
//! anew from the network's softmax on the observed graph every few epochs; predictions are made without dropout.
//! Symbols: i counts the draws; epochs count on from pretraining. In a mixture m counts the models, w_m is the share of one.
//!
//! A mixture has a network for each of its models, trained on that model's draws alone. They guess together: every λ_m starts from
//! the one belief that their weighted mean gives, and each network learns from it (`lesson`).
//!
//! ```text
//! p⁰ = Σ_m w_m p⁰_m                                             what all networks guess, where λ is inferred from
//! p(Z | Y_L, X, G_obs) ≈ Σ_m w_m 1/S Σ_i p(Z | W_im, G_im, X)   the sum over models outside all others
//! ```

use super::draw::Drawn;
use super::lesson::{self, Lesson};
use super::mixture::Chain;
use super::params::filled;
use super::setup::{Gathered, Setup};
use super::{Error, Phase, Progress, Watch};
use crate::graph_model::{Belief, GraphModel};
use crate::kernels::Matrix;
use crate::network::{Dropout, Hints, Network, Prepared, Trainer};
use crate::rng::For;
use rayon::prelude::*;

/// The plain network: all epochs on the observed graph, one softmax.
pub(super) fn plain<N: Network + Clone>(setup: &Setup<'_, N>, watch: Watch<'_>) -> Result<Gathered, Error> {
    let mut trainer = setup.pretrain([0; 3], setup.params.max_epochs(), watch)?;
    let on = trainer.prepare(setup.graph)?;
    let mut gathered = setup.nothing();
    gathered.mean.add(trainer.predict(&on, Dropout::Off));
    gathered.weights.push(trainer.weights().clone());
    Ok(gathered)
}

/// Pretraining on the observed graph, then a step on each drawn graph.
pub(super) fn run<N: Network + Clone>(
    setup: &Setup<'_, N>,
    model: &mut dyn GraphModel,
    watch: Watch<'_>,
) -> Result<Gathered, Error> {
    let (pretraining, infer_every) = (filled(setup.plan.pretraining), filled(setup.plan.infer_every));
    let (draws, averaged) = (setup.draws(), filled(setup.plan.averaged));
    let mut gathered = setup.nothing();
    let mut lines = Vec::new();
    for (m, chain) in (0..).zip(setup.plan.chains()) {
        lines.push(Line::start(setup, chain, setup.pretrain([m, 0, 0], pretraining, &mut *watch)?)?);
    }
    let observed = lines[0].drawn.clone();
    let alone = setup.alone(&lines[0].trainer)?;
    let lessons = if lesson::can_be_taught(&setup.train) { setup.plan.lessons() } else { 0.0 };
    let mut lesson = None;
    for i in 0..draws {
        if i == 0 || (pretraining + i).is_multiple_of(infer_every) {
            let guess = |line: &mut Line<'_, N>| {
                let guess = setup.guess(&mut line.trainer, &observed, alone.as_ref());
                (guess, line.chain.share)
            };
            let guesses: Vec<(Vec<f32>, f64)> = lines.par_iter_mut().map(guess).collect();
            let guess = weighted(guesses);
            let (k, belief) = setup.belief(&guess);
            lesson = (lessons > 0.0).then(|| Lesson::new(&belief, k, lessons, (i, draws)));
            model.restart(Belief { k, rows: &belief })?;
            setup.infer(model, [0, i as u32, 0], &mut gathered, &mut *watch)?;
        }
        let step =
            |(m, line): (usize, &mut Line<'_, N>)| line.step(setup, &*model, [m as u32, i as u32, 0], lesson.as_ref());
        lines.par_iter_mut().enumerate().try_for_each(step)?;
        if let Some(sample) = (i + averaged).checked_sub(draws) {
            let predicted: Vec<(&Matrix, f64)> = lines.par_iter_mut().map(Line::prediction).collect();
            predicted.into_iter().for_each(|(draw, share)| gathered.mean.add_weighted(draw, share));
            if setup.keeps(sample, averaged) {
                gathered.weights.extend(lines.iter().map(|line| line.trainer.weights().clone()));
            }
        }
        watch(Progress { phase: Phase::Draws, done: i + 1, total: draws });
    }
    Ok(gathered)
}

/// A network, and the draws that it is trained on.
struct Line<'a, N: Network> {
    chain: Chain,
    trainer: Trainer<'a, N>,
    graph: Drawn,
    /// The last draw as the network reads it; before the first, G_obs.
    drawn: Prepared<N::Operator>,
}

impl<'a, N: Network + Clone> Line<'a, N> {
    fn start(setup: &Setup<'_, N>, chain: Chain, trainer: Trainer<'a, N>) -> Result<Self, Error> {
        let drawn = trainer.prepare(setup.graph)?;
        Ok(Self { chain, trainer, graph: Drawn::new(setup.plan), drawn })
    }

    /// A draw and a step on it.
    fn step(
        &mut self,
        setup: &Setup<'_, N>,
        model: &dyn GraphModel,
        index: [u32; 3],
        lesson: Option<&Lesson>,
    ) -> Result<(), Error> {
        let graph = self.graph.draw(self.chain.part, model, setup.graph, setup.seed.at(For::Graph, index));
        let lesson = lesson.map(|lesson| (lesson, lesson.weight(self.chain.share))).filter(|(_, weight)| *weight > 0.0);
        let nodes = lesson.map_or(Vec::new(), |_| Lesson::nodes(setup, index));
        let hints = lesson.map(|(lesson, weight)| Hints { nodes: &nodes, belief: &lesson.belief, weight });
        self.trainer.assign_hinted(&mut self.drawn, graph, &nodes)?;
        self.trainer.step_hinted(&self.drawn, hints.filter(|hints| !hints.nodes.is_empty()))?;
        Ok(())
    }

    /// What the network predicts on the last draw, and how much that counts.
    fn prediction(&mut self) -> (&Matrix, f64) {
        (self.trainer.predict(&self.drawn, Dropout::Off), self.chain.share)
    }
}

/// Σ_m w_m p⁰_m.
fn weighted(guesses: Vec<(Vec<f32>, f64)>) -> Vec<f32> {
    let mut mean = vec![0.0; guesses[0].0.len()];
    for (rows, share) in guesses {
        mean.iter_mut().zip(rows).for_each(|(mean, p)| *mean += share as f32 * p);
    }
    mean
}
