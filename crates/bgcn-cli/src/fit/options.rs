//! The options of `bgcn fit`, and the plan they make.

use bgcn::SplitChoice;
use bgcn_core::Error;
use bgcn_core::graph_model::registry;
use bgcn_core::network::Kind;
use bgcn_core::recipe::{Plan, Preset, Scaling};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value};

/// Method and labels.
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct Options {
    /// Network: gcn, chebnet or gat [default: gcn]
    #[arg(long, value_name = "NAME", value_parser = names(Kind::ALL.map(Kind::name)), hide_possible_values = true, ignore_case = true)]
    pub network: Option<String>,
    /// Random-graph model; `observed` trusts the graph [default: copying]
    #[arg(long, value_name = "NAME", long_help = about_graph_models())]
    pub graph_model: Option<String>,
    /// Settings: default, published, published-linear, algorithm1, robust
    ///
    /// default: highest accuracy; published: the authors' code step by step; published-linear: the same with sums in
    /// closed form; algorithm1: the algorithm as printed; robust: for graphs under attack.
    #[arg(long, value_name = "NAME", value_parser = names(Preset::ALL.map(Preset::name)), hide_possible_values = true, ignore_case = true)]
    pub preset: Option<String>,
    /// Sampling schedule: published or algorithm1 [default: published]
    ///
    /// The order of inference of λ, draws of graphs and training of networks: as in the authors' code (published), or
    /// as printed in the paper (algorithm1).
    #[arg(long, value_name = "NAME", value_parser = ["published", "algorithm1"], hide_possible_values = true, ignore_case = true)]
    pub schedule: Option<String>,
    /// Training steps in all, of the baseline too [default: 300]
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Features: unit_rows, standard, z_score or as_is [default: by kind]
    ///
    /// unit_rows divides every row by its sum (counts and words), standard standardises every column, skewed ones after
    /// a logarithm (measured quantities), z_score does so without logarithms and limits, as_is does nothing.
    #[arg(long, value_name = "NAME", value_parser = names(Scaling::WORDS), hide_possible_values = true, ignore_case = true)]
    pub scale: Option<String>,
    /// Any setting of `bgcn settings`, such as copying.copy=0.5; repeatable
    ///
    /// `bgcn settings` lists every setting with default, range, unit and source.
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Training nodes: random, fixed, all, or a file of id,set
    ///
    /// random draws training, validation and test nodes; fixed is the dataset's own split; all learns from every label;
    /// a file has lines id,train|validation|test [default: fixed if the dataset is a folder with a split, random if
    /// every node has a label, else all]
    #[arg(long, value_name = "SPLIT", help_heading = "Labels")]
    pub split: Option<SplitChoice>,
    /// Training nodes per class, half of a small class [default: 20]
    ///
    /// A class with fewer labelled nodes than twice the number trains on half of them and is tested on the other half.
    /// Of a split that is given, the first of each class; without a number it is used whole.
    #[arg(long, value_name = "N", help_heading = "Labels")]
    pub labels_per_class: Option<usize>,
}

/// One of these.
fn names<const N: usize>(names: [&'static str; N]) -> PossibleValuesParser {
    PossibleValuesParser::new(names)
}

/// Every graph model in about three words, in columns.
pub fn graph_models() -> String {
    let brief = |about: &'static str| about.split(':').next().unwrap_or(about);
    let mut models: Vec<(&str, &str)> = registry::ALL.iter().map(|entry| (entry.name, brief(entry.about))).collect();
    models.push(("auto", "copying+mmsbm"));
    let widest = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::len).max().unwrap_or(0);
    let mut lines = vec![String::new(); models.len().div_ceil(3)];
    for column in models.chunks(lines.len()) {
        let names = widest(&mut column.iter().map(|model| model.0));
        let words = widest(&mut column.iter().map(|model| model.1));
        for (line, (name, about)) in lines.iter_mut().zip(column) {
            *line += &format!("  {name:names$}  {about:words$}");
        }
    }
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    format!("Graph models, joined by + to average them:\n{}", lines.join("\n"))
}

/// Every graph model in a line.
fn about_graph_models() -> String {
    let mut text = "Random-graph model; several joined by + are averaged [default: copying]\n\n".to_owned();
    for entry in &registry::ALL {
        text += &format!("- {}: {}\n", entry.name, entry.about);
    }
    text + "- auto: copying+mmsbm, with model weights by held-out links"
}

impl Options {
    /// The plan: settings of a file, changed by the options.
    pub fn plan(&self, file: &Map<String, Value>) -> Result<Plan, Error> {
        let mut plan = Plan::new().set_all(file);
        if let Some(preset) = self.preset.as_deref().map(str::to_lowercase).as_deref().and_then(Preset::named) {
            plan = plan.preset(preset);
        }
        if let Some(model) = &self.graph_model {
            plan = plan.graph_model(model);
        }
        let words =
            [("network.kind", &self.network), ("schedule.kind", &self.schedule), ("features.scaling", &self.scale)];
        for (key, value) in words {
            if let Some(value) = value {
                plan = plan.set(key, value.to_lowercase().as_str());
            }
        }
        if let Some(epochs) = self.epochs {
            plan = plan.epochs(epochs);
        }
        self.set.iter().try_fold(plan, |plan, assignment| plan.set_text(assignment))
    }

    /// An option that a whole run's file decides already.
    pub fn given(&self) -> Option<&'static str> {
        let options = [
            ("--network", self.network.is_some()),
            ("--graph-model", self.graph_model.is_some()),
            ("--preset", self.preset.is_some()),
            ("--schedule", self.schedule.is_some()),
            ("--epochs", self.epochs.is_some()),
            ("--scale", self.scale.is_some()),
            ("--set", !self.set.is_empty()),
            ("--split", self.split.is_some()),
            ("--labels-per-class", self.labels_per_class.is_some()),
        ];
        options.into_iter().find_map(|(name, given)| given.then_some(name))
    }
}
