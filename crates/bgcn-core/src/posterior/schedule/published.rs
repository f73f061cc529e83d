//! Schedule `published`: the weights go on from graph to graph, and the last graphs are averaged.
//! Paper: Algorithm 1, as the authors' code runs it.
//! Differs from the algorithm: one step of training on each drawn graph, weights and optimiser state never reset; λ is
//! inferred anew from the network's softmax on the observed graph every few epochs; predictions are made without
//! dropout.
//! Symbols: i counts the draws; epochs count on from pretraining. m counts the graph models, w_m is the weight of one.
//!
//! Each of several graph models has a network of its own, trained on its draws alone. Every λ_m starts from one belief,
//! which the weighted mean of the networks' predictions gives.
//!
//! ```text
//! p⁰ = Σ_m w_m p⁰_m                                             the prediction that every λ_m starts from
//! p(Z | Y_L, X, G_obs) ≈ Σ_m w_m 1/S Σ_i p(Z | W_im, G_im, X)   the sum over models outside all others
//! ```

use crate::Error;
use crate::graph_model::{Belief, Report};
use crate::kernels::Matrix;
use crate::network::Dropout;
use crate::posterior::apply::Kept;
use crate::posterior::chain::{Chain, edge_beliefs, joined};
use crate::posterior::task::{Gathered, Setup};
use crate::posterior::{Phase, Watch, tell};
use crate::rng::For;
use rayon::prelude::*;

/// The plain network: all epochs on the observed graph, one softmax.
pub(in crate::posterior) fn plain(setup: &Setup<'_>, watch: Watch<'_>) -> Result<Gathered, Error> {
    let mut trainer = setup.pretrain([0; 3], setup.params.epochs, watch)?;
    let on = trainer.prepare(setup.graph);
    let mut gathered = setup.nothing();
    gathered.mean.add(trainer.predict(&on, Dropout::Off));
    gathered.kept.push(Kept { member: 0, weights: trainer.weights().clone() });
    Ok(gathered)
}

/// Pretraining on the observed graph, then a step on each drawn graph.
pub(in crate::posterior) fn run(setup: &Setup<'_>, shares: &[f64], watch: Watch<'_>) -> Result<Gathered, Error> {
    let schedule = &setup.recipe.schedule;
    let (pretraining, draws, averaged) = (schedule.pretraining, schedule.draws, schedule.averaged);
    let mut gathered = setup.nothing();
    let mut chains = Vec::new();
    for (m, (member, &share)) in (0..).zip(setup.recipe.members.iter().zip(shares)) {
        chains.push(Chain::start(setup, member, share, setup.pretrain([m, 0, 0], pretraining, watch)?)?);
    }
    let observed = chains[0].trainer.prepare(setup.graph);
    let edgeless = setup.edgeless(&chains[0].trainer);
    for i in 0..draws {
        if i == 0 || (pretraining + i).is_multiple_of(schedule.infer_every) {
            let predict =
                |chain: &mut Chain<'_>| (setup.predict(&mut chain.trainer, &observed, edgeless.as_ref()), chain.weight);
            let predicted = weighted(chains.par_iter_mut().map(predict).collect());
            let (k, rows) = setup.belief(&predicted);
            infer(setup, &mut chains, (Belief { k, rows: &rows }, i), &mut gathered, watch)?;
        }
        chains.par_iter_mut().enumerate().try_for_each(|(m, chain)| chain.step(setup, [m as u32, i as u32, 0]))?;
        if let Some(sample) = (i + averaged).checked_sub(draws) {
            let predicted: Vec<(&Matrix, f64)> = chains.par_iter_mut().map(Chain::prediction).collect();
            predicted.into_iter().for_each(|(draw, weight)| gathered.mean.add_weighted(draw, weight));
            if setup.keeps(sample, averaged) {
                let kept =
                    |(member, chain): (usize, &Chain<'_>)| Kept { member, weights: chain.trainer.weights().clone() };
                gathered.kept.extend(chains.iter().enumerate().map(kept));
            }
        }
        tell(watch, Phase::Draws, i + 1, draws)?;
    }
    gathered.lambdas =
        chains.iter().filter_map(|chain| Some((chain.member.model.name(), chain.model.parameters()?))).collect();
    Ok(gathered)
}

/// λ of every graph model, from one belief, before draw number `i`.
fn infer(
    setup: &Setup<'_>,
    chains: &mut [Chain<'_>],
    (belief, i): (Belief<'_>, usize),
    gathered: &mut Gathered,
    watch: Watch<'_>,
) -> Result<(), Error> {
    let total = setup.recipe.iterations();
    tell(watch, Phase::Inference, 0, total)?;
    let infer = |(m, chain): (usize, &mut Chain<'_>)| {
        chain.infer(belief, setup.seed.at(For::Lambda, [m as u32, i as u32, 0]), watch)
    };
    let reports: Vec<Report> = chains.iter_mut().enumerate().map(infer).collect::<Result<_, _>>()?;
    gathered.inferences.push(joined(reports));
    if let (Some(belief), Some(beliefs)) = (edge_beliefs(chains), &mut gathered.beliefs) {
        beliefs.add(belief)?;
    }
    tell(watch, Phase::Inference, total, total)
}

/// Σ_m w_m p⁰_m.
fn weighted(predictions: Vec<(Vec<f32>, f64)>) -> Vec<f32> {
    let mut mean = vec![0.0; predictions[0].0.len()];
    for (rows, weight) in predictions {
        mean.iter_mut().zip(rows).for_each(|(mean, p)| *mean += weight as f32 * p);
    }
    mean
}
