//! Options that only some graph models have, and what becomes of a model that is given them.

use bgcn::graph_model::copying::{Classes, Copies};
use bgcn::graph_model::mmsbm::{Delta, Draw, Inference};
use bgcn::graph_model::sbm;
use bgcn::posterior::{Error, GraphModelPlan, MixturePlan, Networks};
use clap::{Args, ValueEnum};

/// Names on the command line for names of the library.
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

/// Applies a setter for each option that was given.
macro_rules! apply {
    ($target:ident, $source:expr, $($name:ident),*) => {
        $(if let Some(value) = $source.$name { $target = $target.$name(value.into()); })*
    };
}

pub(crate) use {apply, names};

/// Settings of single graph models; those of another model than the chosen one are refused.
#[derive(Args, Default)]
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
    /// mixture: the models and their shares of the draws [default: copying=0.7,mmsbm=0.3]
    #[arg(long, value_parser = parse_share, value_delimiter = ',', value_name = "NAME=SHARE,…")]
    pub mix: Vec<(String, f64)>,
    /// mixture: a network for each model, or one for all, which costs less and gains less [default: each]
    #[arg(long, value_enum)]
    pub networks: Option<NetworksName>,
    /// mixture: how much its networks learn from each other at nodes without a label, 0 for nothing [default: 8]
    #[arg(long, value_name = "X")]
    pub lessons: Option<f64>,
    #[command(flatten)]
    pub own: OwnSettings,
}

/// Settings that one model alone has.
#[derive(Args, Default)]
#[command(next_help_heading = "Graph model")]
pub struct OwnSettings {
    /// dcsbm: links that every node is given beside its own when nodes are weighted, so that isolated ones can be drawn some
    #[arg(long, value_name = "X")]
    pub degree_prior: Option<f64>,
    /// copying: chance that a node takes the neighbours of another of its class [default: 0.8]
    #[arg(long, value_name = "P")]
    pub copy: Option<f64>,
    /// copying: how many others a node takes the neighbours of; auto: as many as make about four neighbours, so more than one on sparse
    /// graphs alone [default: auto]
    #[arg(long, value_parser = parse_copies, value_name = "X|auto")]
    pub copies: Option<Copies>,
    /// copying: each node's most likely class (map), or one drawn from the belief at every inference [default: map]
    #[arg(long, value_enum)]
    pub classes: Option<ClassesName>,
    /// erase: chance that an observed edge is left out [default: 0.5]
    #[arg(long, value_name = "P")]
    pub drop: Option<f64>,
}

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

names!(NetworksName => Networks {
    /// One for each model, trained on its draws alone
    Each,
    /// One for all, trained on draws of whichever is picked
    One,
});

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

/// A number of copies, or `auto`.
fn parse_copies(text: &str) -> Result<Copies, String> {
    match (text, text.parse::<f64>()) {
        ("auto", _) => Ok(Copies::Auto),
        (_, Ok(number)) => Ok(Copies::Fixed(number)),
        _ => Err("allowed are auto or a number of at least 1, such as 1.5".into()),
    }
}

/// A graph model and its share.
fn parse_share(text: &str) -> Result<(String, f64), String> {
    let allowed = "write NAME=SHARE, such as copying=0.7";
    let (name, share) = text.split_once('=').ok_or(allowed)?;
    Ok((name.to_owned(), share.parse().map_err(|_| format!("the share {share:?} is no number; {allowed}"))?))
}

/// An option, whether it was given, and the graph models that have it.
pub type OptionOf<'a> = (&'static str, bool, &'a [&'a str]);

/// The first option that was given though the chosen model has no use for it, which is a mistake, and what to do about it.
pub fn misplaced(chosen: &str, options: &[OptionOf<'_>]) -> Option<(&'static str, String)> {
    let &(name, _, of) = options.iter().find(|&&(_, set, of)| set && !of.contains(&chosen))?;
    let of = of.join(", ");
    Some((name, format!("it is a setting of --graph-model {of}, not of {chosen}; leave it out or change the model")))
}

impl ModelOptions {
    /// The model with these settings, none of which may be another model's.
    pub fn apply_to(&self, plan: GraphModelPlan) -> Result<GraphModelPlan, Error> {
        if let Some((name, allowed)) = misplaced(plan.name(), &self.given()) {
            return Err(Error::Setting { name, found: "set".into(), allowed });
        }
        Ok(match plan {
            GraphModelPlan::Observed => GraphModelPlan::Observed,
            GraphModelPlan::Mmsbm(mut params) => {
                apply!(params, self, inference, delta, prior_strength);
                if let Some(draw) = self.draw {
                    params = params.draw(draw.of_memberships()?);
                }
                GraphModelPlan::Mmsbm(params)
            }
            GraphModelPlan::Mmsb(mut params) => {
                apply!(params, self, prior_strength);
                if let Some(draw) = self.draw {
                    params = params.draw(draw.of_memberships()?);
                }
                GraphModelPlan::Mmsb(params)
            }
            GraphModelPlan::Sbm(mut params) => {
                apply!(params, self, prior_strength);
                if let Some(draw) = self.draw {
                    params = params.draw(draw.of_labels()?);
                }
                GraphModelPlan::Sbm(params)
            }
            GraphModelPlan::Dcsbm(mut params) => {
                apply!(params, self, prior_strength);
                apply!(params, self.own, degree_prior);
                if let Some(draw) = self.draw {
                    params = params.draw(draw.of_labels()?);
                }
                GraphModelPlan::Dcsbm(params)
            }
            GraphModelPlan::Copying(mut params) => {
                apply!(params, self.own, copy, copies, classes);
                GraphModelPlan::Copying(params)
            }
            GraphModelPlan::Erase(mut params) => {
                apply!(params, self.own, drop);
                GraphModelPlan::Erase(params)
            }
            GraphModelPlan::Mixture(usual) => GraphModelPlan::Mixture(self.mixed(usual)?),
        })
    }

    /// The mixture that was asked for, or the usual one.
    fn mixed(&self, usual: MixturePlan) -> Result<MixturePlan, Error> {
        let networks = self.networks.map_or(usual.networks, Networks::from);
        let lessons = self.lessons.unwrap_or(usual.lessons);
        let communities = usual.of.iter().find_map(|share| share.model.communities());
        let mixture = match communities {
            Some(communities) if !self.mix.is_empty() => {
                let named = self.mix.iter().map(|(name, share)| (name.as_str(), *share));
                MixturePlan::of_named(named, communities)?
            }
            _ => usual,
        };
        Ok(MixturePlan { networks, lessons, ..mixture })
    }

    fn given(&self) -> [OptionOf<'static>; 12] {
        let own = &self.own;
        [
            ("inference", self.inference.is_some(), &["mmsbm"]),
            ("delta", self.delta.is_some(), &["mmsbm"]),
            ("prior_strength", self.prior_strength.is_some(), &["mmsbm", "mmsb", "sbm", "dcsbm"]),
            ("draw", self.draw.is_some(), &["mmsbm", "mmsb", "sbm", "dcsbm"]),
            ("degree_prior", own.degree_prior.is_some(), &["dcsbm"]),
            ("copy", own.copy.is_some(), &["copying"]),
            ("copies", own.copies.is_some(), &["copying"]),
            ("classes", own.classes.is_some(), &["copying"]),
            ("drop", own.drop.is_some(), &["erase"]),
            ("mix", !self.mix.is_empty(), &["mixture"]),
            ("networks", self.networks.is_some(), &["mixture"]),
            ("lessons", self.lessons.is_some(), &["mixture"]),
        ]
    }
}
