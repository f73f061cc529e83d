//! A posterior learned once, applied to other graphs and features: edges that changed, nodes that are new.
//! Paper: the same estimator; the weights are no longer sampled but taken from those a fit has kept.
//!
//! The kept weights guess the classes on the new graph, the random-graph model is inferred anew from graph and guess, and
//! graphs are drawn from it; each is read by one of the kept weights, in turn. Nothing is trained, so new nodes cost nothing
//! more than old ones. The saved λ is not used: its rows belong to the nodes of the old graph.

use super::belief;
use super::draw::Drawn;
use super::mean::{Mean, Predictions};
use super::setup::input;
use super::{Error, GraphModelPlan, NoiseFrom, Phase, Plan, Progress, Schedule, ValueScale, Watch};
use crate::Checked;
use crate::data::Features;
use crate::graph::Graph;
use crate::graph_model::Belief;
use crate::kernels::Matrix;
use crate::network::{Dropout, Field, Input, Loss, Network, Operator as _, Pass, Tape, Weights};
use crate::rng::{For, Seed};

/// What a fit leaves for later predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// Weights of the draws in the mean, the last one last.
    pub weights: Vec<Weights>,
    /// Outputs of the network: classes, or 1.
    pub outputs: usize,
    /// For numbers: how labels were scaled, σ² in scaled units and where it comes from.
    pub values: Option<(ValueScale, (f64, NoiseFrom))>,
}

/// What is to be predicted.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// The observed graph now.
    pub graph: &'a Graph,
    /// The features now: the same columns as before, a row for every node of the graph.
    pub features: &'a Features,
    /// Where all randomness comes from.
    pub seed: Seed,
}

impl Learned {
    /// Predicts the nodes of another graph with other features. The plan must be the one of the fit.
    pub fn apply(&self, plan: &Checked<Plan>, to: Changed<'_>, watch: Watch<'_>) -> Result<Predictions, Error> {
        if to.graph.nodes() != to.features.nodes() {
            let (n, rows) = (to.graph.nodes(), to.features.nodes());
            let text = format!("the graph has {n} nodes, but there are features for {rows}; every node needs its row");
            return Err(Error::Data(text));
        }
        let params = plan.network.clone().check()?;
        super::with_network!(&params, to.features.columns(), self.outputs, |network| {
            self.check_shapes(&network.shapes(), to.features)?;
            let reader = Reader::new(network, to.graph.nodes(), input(plan, to.features), self.values.is_some());
            self.average(plan, to, reader, watch)
        })
    }

    fn check_shapes(&self, shapes: &[crate::network::Shape], features: &Features) -> Result<(), Error> {
        let fits = |weights: &Weights| weights.tensors.iter().map(|tensor| &tensor.shape).eq(shapes);
        if !self.weights.is_empty() && self.weights.iter().all(fits) {
            return Ok(());
        }
        let d = features.columns();
        Err(Error::Data(match features {
            Features::Identity(_) => format!(
                "the network was fitted without features, so its weights belong to the nodes it saw; {d} nodes do not fit them. Fit again"
            ),
            _ => format!(
                "the features have {d} columns, which do not fit the saved weights; give the columns of the fit, in their order"
            ),
        }))
    }

    fn average<N: Network>(
        &self,
        plan: &Plan,
        to: Changed<'_>,
        mut reader: Reader<N>,
        watch: Watch<'_>,
    ) -> Result<Predictions, Error> {
        let n = to.graph.nodes();
        let empty = || if self.values.is_some() { Mean::of_values(n) } else { Mean::of_classes(n, self.outputs) };
        // Kept weights come in rounds, one of each chain.
        let chains = plan.chains();
        if !self.weights.len().is_multiple_of(chains.len()) {
            let (kept, networks) = (self.weights.len(), chains.len());
            return Err(Error::Data(format!("{kept} kept weights are not as many for each of {networks} networks")));
        }
        let kept: Vec<(&Weights, f64)> =
            self.weights.iter().zip(chains.iter().cycle()).map(|(weights, chain)| (weights, chain.share)).collect();
        let mut guess = empty();
        kept.iter().for_each(|&(weights, share)| guess.add_weighted(reader.read(weights, to.graph), share));
        let draws = match (plan.schedule, plan.averaged, plan.draws) {
            (Schedule::Authors, Some(averaged), _) => averaged,
            (Schedule::Paper, _, Some(draws)) => draws,
            _ => 0,
        };
        if plan.graph_model == GraphModelPlan::Observed || draws == 0 {
            return Ok(self.finish(&guess));
        }
        let mut guess = guess.rows();
        if plan.say_of_features() > 0.0 && self.values.is_none() {
            let (mut features, none) = (empty(), Graph::empty(n));
            kept.iter().for_each(|&(weights, share)| features.add_weighted(reader.read(weights, &none), share));
            belief::pool(plan, to.graph, &mut guess, features.rows().into_iter(), self.outputs);
        }
        let (k, rows) = belief::from_guess(plan, to.graph, &guess, self.outputs, None);
        let mut model = plan.graph_model.start(to.graph)?;
        model.restart(Belief { k, rows: &rows })?;
        let total = plan.iterations.unwrap_or(0);
        watch(Progress { phase: Phase::Inference, done: 0, total });
        model.infer(total, to.seed.at(For::Lambda, [0; 3]))?;
        watch(Progress { phase: Phase::Inference, done: total, total });
        let (mut mean, mut graph) = (empty(), Drawn::new(plan));
        let rounds = kept.chunks_exact(chains.len()).cycle();
        for (i, round) in (0..draws).zip(rounds) {
            for (m, (chain, &(weights, share))) in (0..).zip(chains.iter().zip(round)) {
                let stream = to.seed.at(For::Graph, [m, i as u32, 0]);
                let drawn = graph.draw(chain.part, &*model, to.graph, stream);
                mean.add_weighted(reader.read(weights, drawn), share);
            }
            watch(Progress { phase: Phase::Draws, done: i + 1, total: draws });
        }
        Ok(self.finish(&mean))
    }

    fn finish(&self, mean: &Mean) -> Predictions {
        match &self.values {
            None => Predictions::Classes(mean.posterior()),
            Some((scale, noise)) => Predictions::Values(mean.values(scale, *noise)),
        }
    }
}

/// A network without training: weights and a graph in, probabilities out.
struct Reader<N: Network> {
    network: N,
    x: Input,
    all: Field,
    loss: Loss,
    operator: N::Operator,
    tape: Tape<N::Kept>,
    out: Matrix,
}

impl<N: Network> Reader<N> {
    fn new(network: N, n: usize, x: Input, numbers: bool) -> Self {
        Self {
            all: Field::all(n, network.hops()),
            network,
            x,
            loss: if numbers { Loss::SquaredError } else { Loss::CrossEntropy },
            operator: N::Operator::default(),
            tape: Tape::default(),
            out: Matrix::default(),
        }
    }

    fn read(&mut self, weights: &Weights, graph: &Graph) -> &Matrix {
        self.operator.assign(graph);
        let pass = Pass { operator: &self.operator, x: &self.x, field: &self.all };
        self.network.forward(weights, &pass, Dropout::Off, &mut self.tape);
        self.loss.predictions(&self.tape.z, self.all.wanted(), &mut self.out);
        &self.out
    }
}
