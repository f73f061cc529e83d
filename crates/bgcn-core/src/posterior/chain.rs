//! One graph model and one network: infer, draw, step, predict.
//! Paper: G_iv ~ p(G | λ_v), and the training steps on it.
//! Differs: with `kept`, the draw is joined with G_obs: observed edges stay, drawn ones are added.

use super::task::Setup;
use super::{Phase, Progress, Watch};
use crate::Error;
use crate::graph::Graph;
use crate::graph_model::{Belief, GraphBuffer, GraphModel, ObservedEdges, PairBelief, Report, weighted};
use crate::kernels::Matrix;
use crate::network::{Dropout, Prepared, Trainer};
use crate::recipe::Member;
use crate::rng::{For, Stream};
use std::sync::Arc;

/// The last draw, and the memory for the next.
#[derive(Clone, Debug)]
pub(super) struct Drawn {
    buffer: GraphBuffer,
    union: Graph,
    kept: bool,
}

impl Drawn {
    pub(super) fn new(edges: ObservedEdges) -> Self {
        Self { buffer: GraphBuffer::default(), union: Graph::empty(0), kept: edges == ObservedEdges::Kept }
    }

    /// Draws from the model of `observed`.
    pub(super) fn draw(&mut self, model: &dyn GraphModel, observed: &Graph, stream: Stream) -> &Graph {
        model.sample(stream, &mut self.buffer);
        if self.kept {
            self.union.assign_union(self.buffer.graph(), observed);
        }
        self.graph()
    }

    /// The last draw, to be kept.
    pub(super) fn into_graph(self) -> Graph {
        if self.kept { self.union } else { self.buffer.graph().clone() }
    }

    /// The last draw.
    pub(super) fn graph(&self) -> &Graph {
        if self.kept { &self.union } else { self.buffer.graph() }
    }
}

/// A graph model, its network, and what its predictions count.
pub(super) struct Chain<'a> {
    /// w_m
    pub(super) weight: f64,
    pub(super) member: &'a Member,
    pub(super) model: Box<dyn GraphModel + 'a>,
    pub(super) trainer: Trainer<'a>,
    graph: Drawn,
    /// The last draw as the network reads it; before the first, G_obs.
    pub(super) drawn: Prepared,
}

impl<'a> Chain<'a> {
    pub(super) fn start(
        setup: &'a Setup<'_>,
        member: &'a Member,
        weight: f64,
        trainer: Trainer<'a>,
    ) -> Result<Self, Error> {
        let drawn = trainer.prepare(setup.graph);
        let model = member.model.start(setup.graph)?;
        Ok(Self { weight, member, model, trainer, graph: Drawn::new(member.observed_edges), drawn })
    }

    /// Infers λ anew from a belief.
    pub(super) fn infer(&mut self, belief: Belief<'_>, stream: Stream, watch: Watch<'_>) -> Result<Report, Error> {
        self.model.restart(belief)?;
        let go_on = |done, total| watch(Progress { phase: Phase::Inference, done, total });
        self.model.infer_watched(self.member.model.iterations(), stream, &go_on)
    }

    /// A draw and a step on it.
    pub(super) fn step(&mut self, setup: &Setup<'_>, index: [u32; 3]) -> Result<(), Error> {
        let graph = self.graph.draw(&*self.model, setup.graph, setup.seed.at(For::Graph, index));
        self.trainer.assign(&mut self.drawn, graph);
        self.trainer.step(&self.drawn)?;
        Ok(())
    }

    /// What the network predicts on the last draw, and how much that counts.
    pub(super) fn prediction(&mut self) -> (&Matrix, f64) {
        (self.trainer.predict(&self.drawn, Dropout::Off), self.weight)
    }
}

/// Edge probabilities of all chains together: Σ_m w_m p_m(y_ab = 1 | λ_m); `None` where the observed graph is used.
pub(super) fn edge_beliefs(chains: &[Chain<'_>]) -> Option<Arc<dyn PairBelief>> {
    let parts = chains.iter().map(|chain| Some((chain.weight, chain.model.pair_belief()?)));
    weighted(parts.collect::<Option<Vec<_>>>()?)
}

/// The reports of all chains as one.
pub(super) fn joined(reports: Vec<Report>) -> Report {
    let mut all = Report { stopped_early: true, ..Report::default() };
    for report in reports {
        all.iterations += report.iterations;
        all.non_edges_visited += report.non_edges_visited;
        all.stopped_early &= report.stopped_early;
        all.truncation = all.truncation.or(report.truncation);
        all.trace.extend(report.trace);
    }
    all
}
