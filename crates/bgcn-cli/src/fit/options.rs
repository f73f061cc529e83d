//! The options of `bgcn fit`, and the plan they make.

use bgcn::Checked;
use bgcn::data::{Dataset, Labels, SplitKind};
use bgcn::graph_model::copying::Classes;
use bgcn::graph_model::mmsbm::{Delta, Draw, Inference};
use bgcn::graph_model::sbm;
use bgcn::network::{Kind, Params};
use bgcn::posterior::{Error, GraphModelPlan, ObservedEdges, Plan, Schedule, WeightSampling};
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
    /// Share of inputs dropped in training [default: 0.5; gat 0.6]
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
    /// How many neighbours a node's own guess is worth in those rounds [default: 2]
    #[arg(long, value_name = "X")]
    pub own_weight: Option<f64>,
    /// Say of a guess from the features alone, 0 to 1 [default: 0.3; mmsbm 0.5; 0 as in the paper]
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
    /// What becomes of observed edges in a drawn graph [default: kept; mmsbm and erase redrawn]
    #[arg(long, value_enum)]
    pub observed_edges: Option<ObservedEdgesName>,
    #[command(flatten)]
    pub model: ModelOptions,
}

/// Settings of single graph models; those of another model than the chosen one are refused.
#[derive(Args)]
#[command(next_help_heading = "Graph model")]
pub struct ModelOptions {
    /// mmsbm: how it is inferred
    #[arg(long, value_parser = parse_inference, value_name = "NAME")]
    pub inference: Option<Inference>,
    /// mmsbm: chance of a link between communities, a number or auto
    #[arg(long, value_parser = parse_delta, value_name = "X|auto")]
    pub delta: Option<Delta>,
    /// mmsbm (with --inference natural), mmsb, sbm, dcsbm: how strongly nodes are held to the network's belief
    #[arg(long, value_name = "X")]
    pub prior_strength: Option<f64>,
    /// Draw graphs from each node's strongest community (hard), with mmsbm and mmsb from mixed memberships, with sbm and dcsbm
    /// from labels sampled for every draw [default: hard]
    #[arg(long, value_enum)]
    pub draw: Option<AnyDrawName>,
    /// dcsbm: links that every node is given beside its own when nodes are weighted, so that isolated ones can be drawn some
    #[arg(long, value_name = "X")]
    pub degree_prior: Option<f64>,
    /// copying: chance that a node takes the neighbours of another of its class [default: 0.7]
    #[arg(long, value_name = "P")]
    pub copy: Option<f64>,
    /// copying: each node's most likely class (map), or one drawn from the belief at every inference [default: map]
    #[arg(long, value_enum)]
    pub classes: Option<ClassesName>,
    /// erase: chance that an observed edge is left out [default: 0.5]
    #[arg(long, value_name = "P")]
    pub drop: Option<f64>,
}

macro_rules! names {
    ($(#[$about:meta])* $name:ident => $target:ty { $($(#[$doc:meta])* $variant:ident),* $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
        pub enum $name { $($(#[$doc])* $variant),* }

        impl From<$name> for $target {
            fn from(name: $name) -> Self {
                match name { $($name::$variant => <$target>::$variant),* }
            }
        }
    };
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

names!(DrawName => Draw {
    /// Every node in its strongest community
    Hard,
    /// Every pair picks communities anew
    Mixed,
});

/// `--draw` of a fit: some models know other ways than the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum AnyDrawName {
    /// Every node in its strongest community
    Hard,
    /// mmsbm, mmsb: every pair picks communities anew
    Mixed,
    /// sbm, dcsbm: labels are sampled anew for every draw
    Sampled,
}

impl AnyDrawName {
    fn of_memberships(self) -> Result<Draw, Error> {
        match self {
            Self::Hard => Ok(Draw::Hard),
            Self::Mixed => Ok(Draw::Mixed),
            Self::Sampled => Err(other_draw("sampled", "this model draws hard or mixed; sbm and dcsbm sample labels")),
        }
    }

    fn of_labels(self) -> Result<sbm::Draw, Error> {
        match self {
            Self::Hard => Ok(sbm::Draw::Hard),
            Self::Sampled => Ok(sbm::Draw::Sampled),
            Self::Mixed => Err(other_draw("mixed", "this model draws hard or sampled; mmsbm and mmsb mix memberships")),
        }
    }
}

fn other_draw(found: &str, allowed: &str) -> Error {
    Error::Setting { name: "draw", found: found.into(), allowed: allowed.into() }
}

names!(ClassesName => Classes {
    /// The most likely one
    Map,
    /// Drawn from the belief at every inference
    Sampled,
});

names!(ObservedEdgesName => ObservedEdges {
    /// They are drawn anew with all others
    Redrawn,
    /// They stay, and what is drawn comes to them
    Kept,
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

fn parse_inference(text: &str) -> Result<Inference, String> {
    let names: Vec<&str> = Inference::ALL.iter().map(|inference| inference.name()).collect();
    let found = Inference::ALL.into_iter().find(|inference| inference.name() == text);
    found.ok_or_else(|| format!("allowed are {}", names.join(", ")))
}

/// A probability, or `auto`.
pub fn parse_delta(text: &str) -> Result<Delta, String> {
    match (text, text.parse::<f64>()) {
        ("auto", _) => Ok(Delta::Auto),
        (_, Ok(number)) => Ok(Delta::Fixed(number)),
        _ => Err("allowed are auto or a probability such as 1e-4".into()),
    }
}

/// Applies a setter for each option that was given.
macro_rules! apply {
    ($target:ident, $source:expr, $($name:ident),*) => {
        $(if let Some(value) = $source.$name { $target = $target.$name(value.into()); })*
    };
}

impl Options {
    /// The plan for a dataset, checked.
    pub fn plan(&self, data: &Dataset) -> Result<Checked<Plan>, Error> {
        let kind = Kind::from(self.network);
        let mut network = Params::new(kind).epochs(300);
        let training = &self.training;
        apply!(network, training, epochs, layers, hidden, learning_rate, dropout, weight_decay, patience, order, heads);
        let bayes = &self.bayes;
        let mut plan = Plan::new(kind, self.graph_model(data)?).network(network).schedule(bayes.schedule.into());
        apply!(plan, bayes, pretraining, draws, averaged, infer_every, iterations, samples, lambdas, observed_edges);
        apply!(plan, bayes, belief_rounds, own_weight, feature_weight);
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
        let name = self.graph_model.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned());
        let options = &self.bayes.model;
        options.refuse_others(&name)?;
        Ok(match GraphModelPlan::named(&name, communities).expect("every name of the command is one of the library") {
            GraphModelPlan::Observed => GraphModelPlan::Observed,
            GraphModelPlan::Mmsbm(mut params) => {
                apply!(params, options, inference, delta, prior_strength);
                if let Some(draw) = options.draw {
                    params = params.draw(draw.of_memberships()?);
                }
                GraphModelPlan::Mmsbm(params)
            }
            GraphModelPlan::Mmsb(mut params) => {
                apply!(params, options, prior_strength);
                if let Some(draw) = options.draw {
                    params = params.draw(draw.of_memberships()?);
                }
                GraphModelPlan::Mmsb(params)
            }
            GraphModelPlan::Sbm(mut params) => {
                apply!(params, options, prior_strength);
                if let Some(draw) = options.draw {
                    params = params.draw(draw.of_labels()?);
                }
                GraphModelPlan::Sbm(params)
            }
            GraphModelPlan::Dcsbm(mut params) => {
                apply!(params, options, prior_strength, degree_prior);
                if let Some(draw) = options.draw {
                    params = params.draw(draw.of_labels()?);
                }
                GraphModelPlan::Dcsbm(params)
            }
            GraphModelPlan::Copying(mut params) => {
                apply!(params, options, copy, classes);
                GraphModelPlan::Copying(params)
            }
            GraphModelPlan::Erase(mut params) => {
                apply!(params, options, drop);
                GraphModelPlan::Erase(params)
            }
        })
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

impl ModelOptions {
    /// An option that the chosen model has no use for is a mistake.
    fn refuse_others(&self, chosen: &str) -> Result<(), Error> {
        let options = [
            ("inference", self.inference.is_some(), &["mmsbm"][..]),
            ("delta", self.delta.is_some(), &["mmsbm"]),
            ("prior_strength", self.prior_strength.is_some(), &["mmsbm", "mmsb", "sbm", "dcsbm"]),
            ("draw", self.draw.is_some(), &["mmsbm", "mmsb", "sbm", "dcsbm"]),
            ("degree_prior", self.degree_prior.is_some(), &["dcsbm"]),
            ("copy", self.copy.is_some(), &["copying"]),
            ("classes", self.classes.is_some(), &["copying"]),
            ("drop", self.drop.is_some(), &["erase"]),
        ];
        match options.into_iter().find(|&(_, set, of)| set && !of.contains(&chosen)) {
            None => Ok(()),
            Some((name, _, of)) => {
                let of = of.join(", ");
                let allowed =
                    format!("it is a setting of --graph-model {of}, not of {chosen}; leave it out or change the model");
                Err(Error::Setting { name, found: "set".into(), allowed })
            }
        }
    }
}
