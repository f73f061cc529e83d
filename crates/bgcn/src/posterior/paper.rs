//! Schedule `paper`: Algorithm 1. N_b iterations of inference, one graph, S weights sampled for it; N_G times.
//! Paper: Algorithm 1 and the equation labelled MC_posterior; V = 1 is map_approx.
//! Differs: the algorithm says that weights are sampled by Monte Carlo dropout, not how the network comes to know the drawn
//! graph. Four readings have names, see [`WeightSampling`]. With V > 1 a λ is drawn once for all its graphs.
//! Symbols: (v, i, s) count λ, its graphs, and the weights sampled for each.
//!
//! λ and the graphs are a chain; the networks given the graphs are independent and trained in parallel.

use super::draw::Drawn;
use super::params::filled;
use super::setup::{Gathered, Setup};
use super::{Error, Phase, Progress, Watch, WeightSampling};
use crate::graph::Graph;
use crate::graph_model::GraphModel;
use crate::kernels::Matrix;
use crate::network::{Dropout, Langevin, Network, Weights};
use crate::rng::For;
use rayon::prelude::*;

/// Graphs held at a time; not a matter of threads, so that memory is not either.
const AT_A_TIME: usize = 8;

/// A drawn graph, and the samples of weights to be made for it by one job.
struct Job {
    v: usize,
    i: usize,
    samples: std::ops::Range<usize>,
}

/// Softmaxes of a job's samples, and its last weights.
type Done = (Vec<Matrix>, Weights);

pub(super) fn run<N: Network + Clone>(
    setup: &Setup<'_, N>,
    model: &mut dyn GraphModel,
    watch: Watch<'_>,
) -> Result<Gathered, Error> {
    let (lambdas, draws) = (filled(setup.plan.lambdas), setup.draws());
    let mut gathered = setup.nothing();
    let mut trainer = setup.pretrain([0; 3], filled(setup.plan.pretraining), &mut *watch)?;
    let observed = trainer.prepare(setup.graph)?;
    let alone = setup.alone(&trainer)?;
    setup.restart(&setup.guess(&mut trainer, &observed, alone.as_ref()), model)?;
    let pretrained = trainer.weights().clone();
    setup.burn_in(model, &mut *watch)?;
    for v in 0..lambdas {
        for first in (0..draws).step_by(AT_A_TIME) {
            let mut graphs = Vec::new();
            for i in first..draws.min(first + AT_A_TIME) {
                let index = [v as u32, i as u32, 0];
                if lambdas == 1 || i == 0 {
                    setup.infer(model, index, &mut gathered, &mut *watch)?;
                }
                let mut graph = Drawn::new(setup.plan);
                graph.draw(None, model, setup.graph, setup.seed.at(For::Graph, index));
                graphs.push(graph);
            }
            let jobs = jobs(setup, v, first..first + graphs.len());
            let done: Vec<Done> = jobs
                .par_iter()
                .map(|job| sample(setup, &pretrained, job, graphs[job.i - first].graph()))
                .collect::<Result<_, _>>()?;
            for (job, (softmaxes, weights)) in jobs.iter().zip(done) {
                softmaxes.iter().for_each(|softmax| gathered.mean.add(softmax));
                if job.samples.start == 0 && setup.keeps(v * draws + job.i, lambdas * draws) {
                    gathered.weights.push(weights);
                }
            }
            let done = v * draws + first + graphs.len();
            watch(Progress { phase: Phase::Draws, done, total: lambdas * draws });
        }
    }
    Ok(gathered)
}

/// One job per graph where its samples belong together, else one per sample; in the order of (i, s).
fn jobs<N>(setup: &Setup<'_, N>, v: usize, graphs: std::ops::Range<usize>) -> Vec<Job> {
    let samples = filled(setup.plan.samples);
    let together = matches!(setup.plan.weight_sampling, Some(WeightSampling::Masks | WeightSampling::Sgld));
    let size = if together { samples } else { 1 };
    let of_graph = |i| (0..samples).step_by(size).map(move |s| Job { v, i, samples: s..s + size });
    graphs.flat_map(of_graph).collect()
}

/// W_siv ~ p(W | Y_L, X, G_iv), and what each says.
fn sample<N: Network + Clone>(
    setup: &Setup<'_, N>,
    pretrained: &Weights,
    job: &Job,
    graph: &Graph,
) -> Result<Done, Error> {
    // Index 0 of i is the pretrained network's.
    let index = |s: usize| [job.v as u32, job.i as u32 + 1, s as u32];
    let how = setup.plan.weight_sampling.expect("a checked plan says how");
    let first = index(job.samples.start);
    let (mut trainer, epochs) = match how {
        WeightSampling::Restarts => (setup.fresh(first), setup.params.max_epochs()),
        _ => (setup.from(pretrained.clone(), first), filled(setup.plan.graph_epochs)),
    };
    let on = trainer.prepare(graph)?;
    let mut softmaxes = Vec::with_capacity(job.samples.len());
    if how == WeightSampling::Sgld {
        let how = Langevin { step: setup.plan.sgld_step, temperature: setup.plan.sgld_temperature };
        let mut noise = setup.seed.at(For::Train, first).fast();
        for _ in job.samples.clone() {
            for _ in 0..epochs {
                trainer.langevin_step(&on, how, &mut noise)?;
            }
            softmaxes.push(trainer.predict(&on, Dropout::Off).clone());
        }
    } else {
        for _ in 0..epochs {
            trainer.step(&on)?;
        }
        for s in job.samples.clone() {
            let mut masks = setup.seed.at(For::Mask, index(s));
            // Networks of their own initial weights differ enough; the others are samples by their masks.
            let dropout = if how == WeightSampling::Restarts { Dropout::Off } else { Dropout::On(&mut masks) };
            softmaxes.push(trainer.predict(&on, dropout).clone());
        }
    }
    Ok((softmaxes, trainer.weights().clone()))
}
