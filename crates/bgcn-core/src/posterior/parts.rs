//! A fit as independent parts, run on all threads, and how they are put together.
//! Paper: W_siv ~ p(W | Y_L, X, G_iv); given the graphs, the networks of different graphs are independent.
//!
//! A part reads the task, the pretrained weights and one drawn graph, and gives predictions and weights. Its streams
//! are named by (v, i, s), so that order and threads do not matter; [`put_together`] adds results in the order of the
//! parts.

use super::apply::Kept;
use super::task::{Gathered, Setup};
use super::{Phase, Watch, tell};
use crate::Error;
use crate::graph::Graph;
use crate::kernels::Matrix;
use crate::network::{Dropout, Langevin, Weights};
use crate::recipe::WeightSampling;
use crate::rng::{For, Seed};
use rayon::prelude::*;
use std::ops::Range;

/// The networks of one drawn graph.
pub(super) struct Part<'g> {
    /// Of its graph model.
    pub(super) seed: Seed,
    pub(super) v: usize,
    pub(super) i: usize,
    pub(super) graph: &'g Graph,
}

/// What a part gives: the softmax of each sample, and the weights of the first.
pub(super) struct Done {
    pub(super) softmaxes: Vec<Matrix>,
    pub(super) weights: Weights,
}

/// Runs parts on all threads; results in the order of the parts.
pub(super) fn run_parts(
    setup: &Setup<'_>,
    pretrained: &Weights,
    parts: &[Part<'_>],
    watch: Watch<'_>,
) -> Result<Vec<Done>, Error> {
    let schedule = &setup.recipe.schedule;
    // Samples that share a network belong together; the others are spread over threads too.
    let together = matches!(schedule.weight_sampling, WeightSampling::Masks | WeightSampling::Sgld);
    let size = if together { schedule.samples } else { 1 };
    let jobs: Vec<(&Part<'_>, Range<usize>)> =
        parts.iter().flat_map(|part| (0..schedule.samples).step_by(size).map(move |s| (part, s..s + size))).collect();
    let done: Vec<Done> = jobs
        .into_par_iter()
        .map(|(part, samples)| sample(setup, pretrained, part, samples, watch))
        .collect::<Result<_, _>>()?;
    let mut done = done.into_iter();
    let jobs_of_part = schedule.samples / size;
    let join = |_: &Part<'_>| {
        let mut whole = done.next().expect("as many as there were jobs");
        (1..jobs_of_part).for_each(|_| whole.softmaxes.extend(done.next().into_iter().flat_map(|more| more.softmaxes)));
        whole
    };
    Ok(parts.iter().map(join).collect())
}

/// Adds a part's result to the mean, with this weight; its weights are kept for later where `keep` names a graph model.
pub(super) fn put_together(gathered: &mut Gathered, done: Done, weight: f64, keep: Option<usize>) {
    done.softmaxes.iter().for_each(|softmax| gathered.mean.add_weighted(softmax, weight));
    gathered.kept.extend(keep.map(|member| Kept { member, weights: done.weights }));
}

/// W_siv ~ p(W | Y_L, X, G_iv), and what each predicts.
fn sample(
    setup: &Setup<'_>,
    pretrained: &Weights,
    part: &Part<'_>,
    samples: Range<usize>,
    watch: Watch<'_>,
) -> Result<Done, Error> {
    let (schedule, seed) = (&setup.recipe.schedule, part.seed);
    // Index 0 of i is the pretrained network's.
    let index = |s: usize| [part.v as u32, part.i as u32 + 1, s as u32];
    let (how, first) = (schedule.weight_sampling, index(samples.start));
    let (mut trainer, epochs) = match how {
        WeightSampling::Restarts => (setup.fresh(seed, first), setup.params.epochs),
        _ => (setup.from(pretrained.clone(), seed, first), schedule.graph_epochs),
    };
    let on = trainer.prepare(part.graph);
    let go_on = || tell(watch, Phase::Draws, schedule.draws * part.v + part.i, schedule.draws * schedule.lambdas);
    let mut softmaxes = Vec::with_capacity(samples.len());
    if how == WeightSampling::Sgld {
        let how = Langevin {
            step: schedule.sgld_step,
            temperature: schedule.sgld_temperature,
            memory: schedule.sgld_memory,
            floor: schedule.sgld_floor,
        };
        let mut noise = seed.at(For::Train, first).fast();
        for _ in samples {
            for _ in 0..epochs {
                go_on()?;
                trainer.langevin_step(&on, how, &mut noise)?;
            }
            softmaxes.push(trainer.predict(&on, Dropout::Off).clone());
        }
    } else {
        for _ in 0..epochs {
            go_on()?;
            trainer.step(&on)?;
        }
        for s in samples {
            let mut masks = seed.at(For::Mask, index(s));
            // Networks of their own initial weights differ enough; the others are samples by their masks.
            let dropout = if how == WeightSampling::Restarts { Dropout::Off } else { Dropout::On(&mut masks) };
            softmaxes.push(trainer.predict(&on, dropout).clone());
        }
    }
    Ok(Done { softmaxes, weights: trainer.weights().clone() })
}
