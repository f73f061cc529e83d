//! Schedule `authors`: the weights go on from graph to graph, and the last graphs are averaged.
//! Paper: Algorithm 1, as the authors' code carries it out.
//! Differs from the algorithm: one step of training on each drawn graph, weights and optimiser state never reset; λ is inferred
//! anew from the network's softmax on the observed graph every few epochs; predictions are made without dropout.
//! Symbols: i counts the draws; epochs count on from pretraining.

use super::draw::Drawn;
use super::params::filled;
use super::setup::{Gathered, Setup};
use super::{Error, Phase, Progress, Watch};
use crate::graph_model::GraphModel;
use crate::network::{Dropout, Network};
use crate::rng::For;

/// The plain network: all epochs on the observed graph, one softmax.
pub(super) fn plain<N: Network + Clone>(setup: &Setup<'_, N>, watch: Watch<'_>) -> Result<Gathered, Error> {
    let mut trainer = setup.pretrain(setup.params.max_epochs(), watch)?;
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
    let mut trainer = setup.pretrain(pretraining, watch)?;
    let observed = trainer.prepare(setup.graph)?;
    let alone = setup.alone(&trainer)?;
    let mut drawn = observed.clone();
    let mut graph = Drawn::new(setup.plan);
    for i in 0..draws {
        if i == 0 || (pretraining + i).is_multiple_of(infer_every) {
            let guess = setup.guess(&mut trainer, &observed, alone.as_ref());
            setup.restart(guess, model)?;
            setup.infer(model, [0, i as u32, 0], &mut gathered, &mut *watch)?;
        }
        graph.draw(model, setup.graph, setup.seed.at(For::Graph, [0, i as u32, 0]));
        trainer.assign(&mut drawn, graph.graph())?;
        trainer.step(&drawn)?;
        if let Some(sample) = (i + averaged).checked_sub(draws) {
            gathered.mean.add(trainer.predict(&drawn, Dropout::Off));
            if setup.keeps(sample, averaged) {
                gathered.weights.push(trainer.weights().clone());
            }
        }
        watch(Progress { phase: Phase::Draws, done: i + 1, total: draws });
    }
    Ok(gathered)
}
