//! The options of `bgcn fit`, and the plan they make.

use super::model_options::{ModelOptions, apply, names};
use bgcn::Checked;
use bgcn::data::{Dataset, Labels, SplitKind};
use bgcn::network::Kind;
use bgcn::posterior::{ChooseBy, Error, GraphModelPlan, ObservedEdges, Plan, Schedule, WeightSampling};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::str::FromStr;

/// Communities where numbers are predicted: levels of the predicted numbers, a choice of ours.
const LEVELS: usize = 5;

/// What is learned from which labels.
#[derive(Args)]
pub struct Options {
    /// The network
    #[arg(long, value_enum, default_value_t = NetworkName::Gcn)]
    pub network: NetworkName,
    /// Which graphs could have been observed: the one that was (a plain network), or draws of a model
    #[arg(long, value_enum, default_value_t = GraphModelName::Copying)]
    pub graph_model: GraphModelName,
    /// Training and test nodes: random, fixed (the dataset's own), all (learn from every label), or a file of id,set
    /// [default: fixed if the dataset is a folder with a split, random if every node has a label, else all]
    #[arg(long, value_name = "random|fixed|all|FILE")]
    pub split: Option<SplitChoice>,
    /// Training nodes of each class, for random and fixed splits
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub labels_per_class: usize,
    #[command(flatten)]
    pub training: Training,
    #[command(flatten)]
    pub bayes: Bayes,
}

#[derive(Args)]
#[command(next_help_heading = "Network")]
pub struct Training {
    /// Training steps of a plain network [default: 300, as in the authors' comparison]
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Layers [default: 2]
    #[arg(long, value_name = "N")]
    pub layers: Option<usize>,
    /// Hidden units, of each head for gat [default: 16; gat 8]
    #[arg(long, value_name = "N")]
    pub hidden: Option<usize>,
    /// Step size of Adam [default: 0.01; gat 0.005]
    #[arg(long, value_name = "X")]
    pub learning_rate: Option<f64>,
    /// Share of inputs dropped in training [default: 0.5; gat 0.6]; with --lessons a gcn drops a quarter more
    #[arg(long, value_name = "P")]
    pub dropout: Option<f64>,
    /// L2 penalty: half of it times the squared weights (of the first layer, but for gat) [default: 0.0005]
    #[arg(long, value_name = "X")]
    pub weight_decay: Option<f64>,
    /// Stop when the validation loss has not improved for N epochs, and return to the best weights
    #[arg(long, value_name = "N")]
    pub patience: Option<usize>,
    /// Highest Chebyshev polynomial, chebnet only [default: 3]
    #[arg(long, value_name = "N")]
    pub order: Option<usize>,
    /// Attention heads, gat only [default: 8]
    #[arg(long, value_name = "N")]
    pub heads: Option<usize>,
}

#[derive(Args)]
#[command(next_help_heading = "Schedule")]
pub struct Bayes {
    /// Order of inference, drawing and training
    #[arg(long, value_enum, default_value_t = ScheduleName::Authors)]
    pub schedule: ScheduleName,
    /// Training steps on the observed graph before the first draw
    #[arg(long, value_name = "N")]
    pub pretraining: Option<usize>,
    /// Graphs drawn [default: 150; 10 with --schedule paper]
    #[arg(long, value_name = "N")]
    pub draws: Option<usize>,
    /// How many of the last draws are averaged
    #[arg(long, value_name = "N")]
    pub averaged: Option<usize>,
    /// Training steps between two inferences
    #[arg(long, value_name = "N")]
    pub infer_every: Option<usize>,
    /// Rounds in which nodes hear their neighbours' guesses before the graph model starts from them [default: 5; 0 as in the paper]
    #[arg(long, value_name = "N")]
    pub belief_rounds: Option<usize>,
    /// How many neighbours a node's own guess is worth in those rounds [default: 2; copying 1]
    #[arg(long, value_name = "X")]
    pub own_weight: Option<f64>,
    /// How much less neighbours are heard there who contradict each other, and the graph at such nodes; 0 for no less [default: 1.5; copying 0]
    #[arg(long, value_name = "X")]
    pub coherence: Option<f64>,
    /// Say of a guess from the features alone, 0 to 1 [default: 0.5; 0 as in the paper]
    #[arg(long, value_name = "X")]
    pub feature_weight: Option<f64>,
    /// Iterations of each inference
    #[arg(long, value_name = "N")]
    pub iterations: Option<usize>,
    /// How weights are sampled, with --schedule paper [default: masks]
    #[arg(long, value_enum)]
    pub weights: Option<WeightsName>,
    /// Weights sampled for each graph, with --schedule paper
    #[arg(long, value_name = "N")]
    pub samples: Option<usize>,
    /// Samples of the graph model's parameters, with --schedule paper and --inference langevin or --classes sampled
    #[arg(long, value_name = "N")]
    pub lambdas: Option<usize>,
    /// What becomes of observed edges in a drawn graph [default: kept; mmsbm and erase redrawn; mixture and auto by-model]
    #[arg(long, value_enum)]
    pub observed_edges: Option<ObservedEdgesName>,
    /// With --graph-model auto: what decides [default: average]
    #[arg(long, value_enum)]
    pub choose_by: Option<ChooseByName>,
    #[command(flatten)]
    pub model: ModelOptions,
}

names!(NetworkName => Kind {
    /// Graph convolutional network
    Gcn,
    /// Chebyshev polynomials of the Laplacian
    Chebnet,
    /// Graph attention network
    Gat,
});

names!(ScheduleName => Schedule {
    /// As in the authors' code: weights go on, a fresh graph every step
    Authors,
    /// Algorithm 1 as printed
    Paper,
});

names!(WeightsName => WeightSampling {
    /// One network per graph, several dropout masks
    Masks,
    /// Several networks per graph, from the pretrained weights
    Retrain,
    /// Stochastic-gradient Langevin dynamics
    Sgld,
    /// Several networks per graph, from fresh weights
    Restarts,
});

names!(ChooseByName => ChooseBy {
    /// How likely a model finds links that were hidden from it
    Links,
    /// The same, then the labels of validation nodes (links, where there are none)
    Validation,
    /// None: copying and mmsbm are mixed, with shares by how likely they find hidden links
    Average,
});

names!(ObservedEdgesName => ObservedEdges {
    /// They are drawn anew with all others
    Redrawn,
    /// They stay, and what is drawn comes to them
    Kept,
    /// As is usual with the model that drew
    ByModel,
});

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GraphModelName {
    /// Only the observed graph: a plain network
    Observed,
    /// Assortative mixed-membership stochastic block model
    Mmsbm,
    /// Mixed-membership stochastic block model, any two communities with a rate of their own
    Mmsb,
    /// Stochastic block model
    Sbm,
    /// Degree-corrected stochastic block model
    Dcsbm,
    /// Node copying: nodes take the neighbours of others of their class
    Copying,
    /// Observed edges are left out at random
    Erase,
    /// Draws of several models, by --mix
    Mixture,
    /// Whatever suits the data: copying and mmsbm in shares that hidden links tell, or with --choose-by one of mmsbm, mmsb, sbm,
    /// dcsbm and copying
    Auto,
}

/// Where training and test nodes come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitChoice(pub SplitKind);

impl FromStr for SplitChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self(match text {
            "random" => SplitKind::Random,
            "fixed" => SplitKind::Fixed,
            "all" => SplitKind::All,
            _ if PathBuf::from(text).is_file() => SplitKind::File(text.into()),
            _ => return Err("allowed are random, fixed, all, or a file of lines id,train|validation|test".into()),
        }))
    }
}

impl Options {
    /// The plan for a dataset, checked.
    pub fn plan(&self, data: &Dataset) -> Result<Checked<Plan>, Error> {
        let kind = Kind::from(self.network);
        let (training, bayes, model) = (&self.training, &self.bayes, self.graph_model(data)?);
        let mut plan = match (self.graph_model, bayes.choose_by) {
            (GraphModelName::Auto, by) => Plan::new(kind, model).choose_by(by.map_or(ChooseBy::Average, Into::into)),
            (_, Some(_)) => {
                let (name, found) = ("choose_by", "set".to_owned());
                let allowed = "only --graph-model auto uses it; leave it out".to_owned();
                return Err(Error::Setting { name, found, allowed });
            }
            (_, None) => Plan::new(kind, model),
        };
        let mut network = plan.network_params().clone();
        apply!(network, training, epochs, layers, hidden, learning_rate, dropout, weight_decay, patience, order, heads);
        plan = plan.network(network).schedule(bayes.schedule.into());
        apply!(plan, bayes, pretraining, draws, averaged, infer_every, iterations, samples, lambdas, observed_edges);
        apply!(plan, bayes, belief_rounds, own_weight, coherence, feature_weight);
        if let Some(weights) = bayes.weights {
            plan = plan.weight_sampling(weights.into());
        }
        plan.check()
    }

    fn graph_model(&self, data: &Dataset) -> Result<GraphModelPlan, Error> {
        let communities = match &data.labels {
            Labels::Classes { names, .. } => names.len().max(1),
            Labels::Values(_) => LEVELS,
        };
        let name = match self.graph_model {
            GraphModelName::Auto => GraphModelPlan::DEFAULT.to_owned(), // what the others must beat
            named => named.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned()),
        };
        let plan = GraphModelPlan::named(&name, communities).expect("every name of the command is one of the library");
        self.bayes.model.apply_to(plan)
    }

    /// The split that was asked for, or the one that suits the data.
    pub fn split_kind(&self, data: &Dataset, own: bool) -> SplitKind {
        match &self.split {
            Some(SplitChoice(kind)) => kind.clone(),
            None if own && data.fixed_split.is_some() => SplitKind::Fixed,
            None if data.labels.known() == data.nodes() || !own => SplitKind::Random,
            None => SplitKind::All,
        }
    }
}
