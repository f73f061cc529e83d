//! Schedule `algorithm1`: Algorithm 1 as printed.
//! Paper: Algorithm 1 and the equation labelled MC_posterior.
//! Differs: λ is the maximum a posteriori where V = 1, as in map_approx; of several graph models, each runs by itself
//! and the weights are taken outside.
//! Symbols: v, i and s count the λ, the graphs drawn from each, and the weights sampled for each.
//!
//! λ and the graphs are a chain; the networks given the graphs are independent parts.

use crate::Error;
use crate::graph_model::GraphModel;
use crate::network::{Network, Weights};
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

pub(in crate::posterior) fn run<N: Network + Clone>(
    setup: &Setup<'_, N>,
    shares: &[f64],
    watch: Watch<'_>,
) -> Result<Gathered, Error> {
    let mut gathered = setup.nothing();
    let mut trainer = setup.pretrain([0; 3], setup.recipe.schedule.pretraining, watch)?;
    let observed = trainer.prepare(setup.graph)?;
    let edgeless = setup.edgeless(&trainer)?;
    let predicted = setup.predict(&mut trainer, &observed, edgeless.as_ref());
    let pretrained = trainer.weights().clone();
    for (number, (member, &weight)) in setup.recipe.members.iter().zip(shares).enumerate() {
        let mut model = member.model.start(setup.graph)?;
        setup.restart(&predicted, &mut *model)?;
        let of = Run { number, member, weight, seed: setup.seed.member(number) };
        of.carry_out(setup, &mut *model, &pretrained, &mut gathered, watch)?;
        gathered.lambdas.extend(model.parameters().map(|parameters| (member.model.name(), parameters)));
    }
    Ok(gathered)
}

impl Run<'_> {
    fn carry_out<N: Network + Clone>(
        &self,
        setup: &Setup<'_, N>,
        model: &mut dyn GraphModel,
        pretrained: &Weights,
        gathered: &mut Gathered,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let (lambdas, draws) = (setup.recipe.schedule.lambdas, setup.recipe.schedule.draws);
        // A maximum goes on before every graph, as printed; a sample of λ is one λ for all of its graphs.
        let maximum = self.member.model.settings().single_lambda().is_some();
        self.burn_in(model, watch)?;
        for v in 0..lambdas {
            for first in (0..draws).step_by(AT_A_TIME) {
                let mut graphs = Vec::new();
                for i in first..draws.min(first + AT_A_TIME) {
                    let index = [v as u32, i as u32, 0];
                    if maximum || i == 0 {
                        self.infer(model, index, gathered, watch)?;
                    }
                    let mut graph = Drawn::new(self.member.observed_edges);
                    graph.draw(model, setup.graph, self.seed.at(For::Graph, index));
                    graphs.push(graph);
                }
                let graphs: Vec<_> = graphs.iter().map(Drawn::graph).collect();
                let part = |(i, graph)| Part { seed: self.seed, v, i, graph };
                let parts: Vec<Part<'_>> = (first..).zip(graphs).map(part).collect();
                for (part, done) in parts.iter().zip(parts::carry_out(setup, pretrained, &parts, watch)?) {
                    let keep = setup.keeps(v * draws + part.i, lambdas * draws).then_some(self.number);
                    parts::put_together(gathered, done, self.weight, keep);
                }
                tell(watch, Phase::Draws, v * draws + first + parts.len(), lambdas * draws)?;
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
