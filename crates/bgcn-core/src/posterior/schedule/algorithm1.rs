//! Schedule `algorithm1`: Algorithm 1 as printed.
//! Paper: Algorithm 1 and the equation labelled MC_posterior.
//! Differs: λ is the maximum a posteriori where V = 1, as in map_approx; of several graph models, each runs by itself
//! and the weights are taken outside.
//! Symbols: v, i and s count the λ, the graphs drawn from each, and the weights sampled for each.
//!
//! λ and the graphs are a chain; the networks given the graphs are independent parts, of all λ and graph models alike.

use crate::Error;
use crate::graph_model::GraphModel;
use crate::network::Weights;
use crate::posterior::chain::Drawn;
use crate::posterior::parts::{self, Part};
use crate::posterior::task::{Gathered, Setup};
use crate::posterior::{Phase, Progress, Watch, tell};
use crate::recipe::Member;
use crate::rng::{For, Seed};

/// Graphs held at a time; not a matter of threads, so that memory is not either.
const AT_A_TIME: usize = 8;

/// One graph model of the average.
struct Run<'a> {
    number: usize,
    member: &'a Member,
    weight: f64,
    seed: Seed,
}

/// A graph whose networks are not trained yet.
struct Waiting {
    number: usize,
    weight: f64,
    seed: Seed,
    v: usize,
    i: usize,
    graph: Drawn,
}

/// What all graph models share.
struct Work<'a, 's> {
    setup: &'a Setup<'s>,
    pretrained: Weights,
    gathered: Gathered,
    waiting: Vec<Waiting>,
    watch: Watch<'a>,
}

pub(in crate::posterior) fn run(setup: &Setup<'_>, shares: &[f64], watch: Watch<'_>) -> Result<Gathered, Error> {
    let mut trainer = setup.pretrain([0; 3], setup.recipe.schedule.pretraining, watch)?;
    let observed = trainer.prepare(setup.graph);
    let edgeless = setup.edgeless(&trainer);
    let predicted = setup.predict(&mut trainer, &observed, edgeless.as_ref());
    let pretrained = trainer.weights().clone();
    let mut work = Work { setup, pretrained, gathered: setup.nothing(), waiting: Vec::new(), watch };
    for (number, (member, &weight)) in setup.recipe.members.iter().zip(shares).enumerate() {
        let mut model = member.model.start(setup.graph)?;
        setup.restart(&predicted, &mut *model)?;
        let of = Run { number, member, weight, seed: setup.seed.member(number) };
        of.run(&mut *model, &mut work)?;
        work.gathered.lambdas.extend(model.parameters().map(|parameters| (member.model.name(), parameters)));
    }
    work.flush()?;
    Ok(work.gathered)
}

impl Work<'_, '_> {
    /// Adds a graph; enough of them are trained on together.
    fn add(&mut self, graph: Waiting) -> Result<(), Error> {
        self.waiting.push(graph);
        if self.waiting.len() < AT_A_TIME { Ok(()) } else { self.flush() }
    }

    /// Trains on the graphs that wait, and puts the results together in their order.
    fn flush(&mut self) -> Result<(), Error> {
        let (lambdas, draws) = (self.setup.recipe.schedule.lambdas, self.setup.recipe.schedule.draws);
        let waiting = std::mem::take(&mut self.waiting);
        let part = |of| {
            let Waiting { seed, v, i, graph, .. }: &Waiting = of;
            Part { seed: *seed, v: *v, i: *i, graph: graph.graph() }
        };
        let parts: Vec<Part<'_>> = waiting.iter().map(part).collect();
        let done = parts::run_parts(self.setup, &self.pretrained, &parts, self.watch)?;
        for (of, done) in waiting.iter().zip(done) {
            let keep = self.setup.keeps(of.v * draws + of.i, lambdas * draws).then_some(of.number);
            parts::put_together(&mut self.gathered, done, of.weight, keep);
        }
        match waiting.last() {
            Some(last) => tell(self.watch, Phase::Draws, last.v * draws + last.i + 1, lambdas * draws),
            None => Ok(()),
        }
    }
}

impl Run<'_> {
    fn run(&self, model: &mut dyn GraphModel, work: &mut Work<'_, '_>) -> Result<(), Error> {
        let (lambdas, draws) = (work.setup.recipe.schedule.lambdas, work.setup.recipe.schedule.draws);
        // A maximum goes on before every graph, as printed; a sample of λ is one λ for all of its graphs.
        let maximum = self.member.model.settings().single_lambda().is_some();
        self.burn_in(model, work.watch)?;
        for v in 0..lambdas {
            for i in 0..draws {
                let index = [v as u32, i as u32, 0];
                if maximum || i == 0 {
                    self.infer(model, index, &mut work.gathered, work.watch)?;
                }
                let mut graph = Drawn::new(self.member.observed_edges);
                graph.draw(model, work.setup.graph, self.seed.at(For::Graph, index));
                work.add(Waiting { number: self.number, weight: self.weight, seed: self.seed, v, i, graph })?;
            }
        }
        Ok(())
    }

    /// Iterations whose λ is not used: a chain of samples must first find its way from the start.
    fn burn_in(&self, model: &mut dyn GraphModel, watch: Watch<'_>) -> Result<(), Error> {
        let total = self.member.model.settings().burn_in();
        if total > 0 {
            tell(watch, Phase::Inference, 0, total)?;
            // The last index is no sample's: streams of λ have s = 0.
            let go_on = |done, total| watch(Progress { phase: Phase::Inference, done, total });
            model.infer_watched(total, self.seed.at(For::Lambda, [0, 0, 1]), &go_on)?;
            tell(watch, Phase::Inference, total, total)?;
        }
        Ok(())
    }

    /// Takes λ a little further, and notes it.
    fn infer(
        &self,
        model: &mut dyn GraphModel,
        index: [u32; 3],
        gathered: &mut Gathered,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let total = self.member.model.iterations();
        tell(watch, Phase::Inference, 0, total)?;
        let go_on = |done, total| watch(Progress { phase: Phase::Inference, done, total });
        gathered.inferences.push(model.infer_watched(total, self.seed.at(For::Lambda, index), &go_on)?);
        if let (Some(belief), Some(beliefs)) = (model.pair_belief(), &mut gathered.beliefs) {
            beliefs.add(belief)?;
        }
        tell(watch, Phase::Inference, total, total)
    }
}
