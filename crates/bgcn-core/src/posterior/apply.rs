//! A posterior learned once, applied to other graphs and features: edges that changed, nodes that are new.
//! Paper: the same estimator; the weights are those that a fit has kept, not sampled ones.
//!
//! The kept weights predict the classes on the new graph, the random-graph model is inferred anew from graph and
//! prediction, and graphs are drawn from it; each is read by one of the kept weights, in turn. Nothing is trained, so
//! new nodes cost nothing more than old ones. The saved λ is not used: its rows belong to the nodes of the old graph.

use super::chain::Drawn;
use super::mean::{Mean, Predictions};
use super::task::fits;
use super::{NoiseFrom, Phase, Progress, ValueScale, Watch, belief, tell};
use crate::Error;
use crate::data::scaling::Aligned;
use crate::data::{Dataset, Features, Scaler};
use crate::graph::Graph;
use crate::graph_model::Belief;
use crate::kernels::Matrix;
use crate::network::{Dropout, Field, Input, Loss, Network, Operator, Pass, Tape, Weights, build};
use crate::recipe::{Member, Recipe, ScheduleKind};
use crate::rng::{For, Seed};
use std::borrow::Cow;
use std::sync::Arc;

/// What a fit leaves for later predictions. To and from bytes: [`Learned::to_bytes`], [`Learned::from_bytes`].
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// What was done.
    pub recipe: Recipe,
    /// w_m, the weights of the graph models in the order of the recipe.
    pub shares: Vec<f64>,
    /// Weights of the draws in the mean, the last one last.
    pub(crate) kept: Vec<Kept>,
    /// Outputs of the network: classes, or 1.
    pub outputs: usize,
    /// The names of the classes; empty for numbers.
    pub classes: Vec<String>,
    /// What is done to features, with the means and spreads of the fit.
    pub scaler: Scaler,
    /// What the columns of the features are called; empty where they have no names.
    pub feature_names: Vec<String>,
    /// By column of a table: what its empty cells count as; empty for other features.
    pub means: Vec<f32>,
    /// For numbers: how labels were scaled, σ² in scaled units and where it comes from.
    pub values: Option<(ValueScale, (f64, NoiseFrom))>,
}

/// Kept weights, and the graph model whose draws they were trained on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Kept {
    pub(crate) member: usize,
    pub(crate) weights: Weights,
}

/// What is to be predicted.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// The observed graph now.
    pub graph: &'a Graph,
    /// The features now: the columns of the fit, a row for every node of the graph.
    pub features: &'a Features,
    /// What the columns are called. Where the fit had names too, columns are found by them, in any order; empty takes
    /// them as they come.
    pub feature_names: &'a [String],
    /// Where all randomness comes from.
    pub seed: Seed,
}

impl Learned {
    /// Columns of the features, those included that the scaling drops; of one-hot node ids, all
    /// of them.
    pub fn inputs(&self) -> Option<usize> {
        self.scaler.widths().map(|(known, _)| known).or_else(|| self.reads())
    }

    /// Columns that the network reads.
    pub(super) fn reads(&self) -> Option<usize> {
        self.kept.first().and_then(|kept| kept.weights.tensors.first()).map(|tensor| tensor.shape.rows)
    }

    /// What is done to the features, in words.
    pub fn scaling(&self) -> String {
        self.scaler.text(&self.feature_names)
    }

    /// The features of other data, the means of the fit in its empty cells; and a sentence on these.
    pub fn filled<'a>(&self, data: &'a Dataset) -> (Cow<'a, Features>, Option<String>) {
        let whose =
            if self.means.is_empty() { "this data; the run has kept none" } else { "the fit, not of this data" };
        let said = (!data.blanks.is_empty()).then(|| format!("note: empty cells count as the means of {whose}"));
        (data.filled(&self.feature_names, &self.means), said)
    }

    /// Remarks on the prediction of other data: columns that are left out.
    pub fn remarks(&self, to: Changed<'_>) -> Result<Vec<String>, Error> {
        Ok(self.aligned(to)?.remarks)
    }

    fn aligned<'a>(&self, to: Changed<'a>) -> Result<Aligned<'a>, Error> {
        Aligned::new(&self.scaler, &self.feature_names, (to.features, to.feature_names))
    }

    /// Predicts the nodes of another graph with other features.
    pub fn apply(&self, to: Changed<'_>, watch: Watch<'_>) -> Result<Predictions, Error> {
        fits(to.graph, to.features)?;
        let params = self.recipe.network.clone().check()?;
        let features = self.aligned(to)?.features;
        if self.inputs() != Some(features.columns()) {
            return Err(self.other_columns(&features));
        }
        let x = Input::new(self.scaler.apply(&features)?.as_ref());
        let network = build(&params, x.columns(), self.outputs);
        self.check_shapes(&network.shapes(), &features)?;
        let reader = Reader::new(network, to.graph.nodes(), x, self.values.is_some());
        finite(self.average(to, reader, watch)?)
    }

    /// What the kept weights predict from the features alone, without any edge.
    pub(crate) fn predict_from_features(&self, features: &Features) -> Result<Predictions, Error> {
        let (params, n) = (self.recipe.network.clone().check()?, features.nodes());
        let x = Input::new(self.scaler.apply(features)?.as_ref());
        let network = build(&params, x.columns(), self.outputs);
        self.check_shapes(&network.shapes(), features)?;
        let mut reader = Reader::new(network, n, x, self.values.is_some());
        Ok(self.finish(&self.read_all(&mut reader, &Graph::empty(n))))
    }

    fn empty_mean(&self, n: usize) -> Mean {
        if self.values.is_some() { Mean::of_values(n) } else { Mean::of_classes(n, self.outputs) }
    }

    /// The mean over all kept weights, on one graph.
    fn read_all(&self, reader: &mut Reader, graph: &Graph) -> Mean {
        let mut mean = self.empty_mean(graph.nodes());
        for Kept { member, weights } in &self.kept {
            mean.add_weighted(reader.read(weights, graph), self.shares[*member]);
        }
        mean
    }

    fn check_shapes(&self, shapes: &[crate::network::Shape], features: &Features) -> Result<(), Error> {
        let fits = |kept: &Kept| kept.weights.tensors.iter().map(|tensor| &tensor.shape).eq(shapes);
        if !self.kept.is_empty() && self.kept.iter().all(fits) { Ok(()) } else { Err(self.other_columns(features)) }
    }

    /// Whose fault it is that features do not fit the weights: of the data now, unless the fit itself had none.
    fn other_columns(&self, features: &Features) -> Error {
        let (d, known) = (features.columns(), self.inputs().unwrap_or_default());
        Error::Request(match (self.scaler.is_identity(), features) {
            (true, Features::Identity(_)) => format!(
                "the network was fitted without features, so its weights belong to the {known} nodes it saw; {d} nodes \
                 do not fit them. Fit again"
            ),
            (true, _) => format!(
                "the network was fitted without features, so that it cannot read the {d} columns of this data. Fit again"
            ),
            (false, Features::Identity(_)) => {
                format!("this data has no features, but the network reads {known} columns. Give the columns of the fit")
            }
            (false, _) => format!(
                "the features of this data have {d} columns, but the network reads {known}. Give the columns of the fit, \
                 in their order"
            ),
        })
    }

    fn average(&self, to: Changed<'_>, mut reader: Reader, watch: Watch<'_>) -> Result<Predictions, Error> {
        let (recipe, n) = (&self.recipe, to.graph.nodes());
        let predicted = self.read_all(&mut reader, to.graph);
        if recipe.is_plain() {
            return Ok(self.finish(&predicted));
        }
        let mut rows = predicted.rows();
        if recipe.communities() > 0 && recipe.belief.feature_weight > 0.0 && self.values.is_none() {
            let features = self.read_all(&mut reader, &Graph::empty(n));
            belief::pool(&recipe.belief, to.graph, &mut rows, features.rows().into_iter(), self.outputs);
        }
        let (k, rows) = belief::from_prediction(recipe, to.graph, &rows, self.outputs, None);
        let mut mean = self.empty_mean(n);
        for (m, member) in recipe.members.iter().enumerate() {
            self.add_draws(&mut mean, (m, member, Belief { k, rows: &rows }), to, &mut reader, watch)?;
        }
        Ok(self.finish(&mean))
    }

    /// Draws of one graph model, each read by one of its kept weights, in turn.
    fn add_draws(
        &self,
        mean: &mut Mean,
        (m, member, belief): (usize, &Member, Belief<'_>),
        to: Changed<'_>,
        reader: &mut Reader,
        watch: Watch<'_>,
    ) -> Result<(), Error> {
        let schedule = &self.recipe.schedule;
        let draws = match schedule.kind {
            ScheduleKind::Published => schedule.averaged,
            ScheduleKind::Algorithm1 => schedule.draws,
        };
        let mut model = member.model.start(to.graph)?;
        model.restart(belief)?;
        let total = member.model.iterations();
        tell(watch, Phase::Inference, 0, total)?;
        let go_on = |done, total| watch(Progress { phase: Phase::Inference, done, total });
        model.infer_watched(total, to.seed.at(For::Lambda, [m as u32, 0, 0]), &go_on)?;
        tell(watch, Phase::Inference, total, total)?;
        let mut graph = Drawn::new(member.observed_edges);
        let kept = self.kept.iter().filter(|kept| kept.member == m).cycle();
        for (i, kept) in (0..draws).zip(kept) {
            let drawn = graph.draw(&*model, to.graph, to.seed.at(For::Graph, [m as u32, i as u32, 0]));
            mean.add_weighted(reader.read(&kept.weights, drawn), self.shares[m]);
            tell(watch, Phase::Draws, i + 1, draws)?;
        }
        Ok(())
    }

    fn finish(&self, mean: &Mean) -> Predictions {
        match &self.values {
            None => Predictions::Classes(mean.posterior()),
            Some((scale, noise)) => Predictions::Values(mean.values(scale, *noise)),
        }
    }
}

/// A network without training: weights and a graph in, probabilities out.
struct Reader {
    network: Arc<dyn Network>,
    x: Input,
    all: Field,
    loss: Loss,
    operator: Box<dyn Operator>,
    tape: Tape,
    out: Matrix,
}

impl Reader {
    fn new(network: Arc<dyn Network>, n: usize, x: Input, numbers: bool) -> Self {
        Self {
            all: Field::all(n, network.hops()),
            operator: network.operator(),
            network,
            x,
            loss: if numbers { Loss::SquaredError } else { Loss::CrossEntropy },
            tape: Tape::default(),
            out: Matrix::default(),
        }
    }

    fn read(&mut self, weights: &Weights, graph: &Graph) -> &Matrix {
        self.operator.assign(graph);
        let pass = Pass { operator: &*self.operator, x: &self.x, field: &self.all };
        self.network.forward(weights, &pass, Dropout::Off, &mut self.tape);
        self.loss.predictions(&self.tape.z, self.all.wanted(), &mut self.out);
        &self.out
    }
}

/// Predictions that are numbers.
fn finite(predictions: Predictions) -> Result<Predictions, Error> {
    let all = |numbers: &[f32]| numbers.iter().all(|number| number.is_finite());
    let fine = match &predictions {
        Predictions::Classes(posterior) => all(&posterior.probabilities) && all(&posterior.entropy),
        Predictions::Values(values) => values.mean.iter().chain(&values.between).all(|number| number.is_finite()),
    };
    if fine {
        return Ok(predictions);
    }
    let text = "predicting: some results are no numbers. The weights of the model, or the features, are too large for \
                numbers of 32 bits; fit again, or look for values that do not belong";
    Err(Error::NotFinite(text.into()))
}
