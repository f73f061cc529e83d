//! Classification under attack: the edges of one node at a time are changed at random, and the node is classified
//! again.
//! Paper: "Classification under node attacks", its two tables and its figure.
//! Differs: the rounding of Δ is in [`Perturbation`], overlaps of targets in [`Counts`]; attacks after training
//! besides.
//! Symbols: the margin of a node, the score of its class less the best other score; positive when classified rightly.
//!
//! ```text
//! 1. clean     ten runs of every method on the observed graph            Clean, a study
//! 2. targets   from their mean margins, 40 test nodes for each method    Attack::targets
//! 3. attacked  five more clean runs; and for each target five perturbed
//!              graphs, one run on each                                   Attacked, a study
//! 4. results   200 outcomes of every method before and after             Attack::results
//! ```
//!
//! A perturbed graph depends on the target and the repetition alone, so that methods share the graphs of shared
//! targets. Every run has its own seed: runs of the first study, clean runs of the second, and attacked ones never
//! share weights. With shares of the work on several machines, each runs the first study whole: all need its targets.
//!
//! * [`Kind::Poisoning`], the paper's: the network is trained on the perturbed graph.
//! * [`Kind::Evasion`]: the network is trained on the observed graph, once for each repetition, and what it learned is
//!   applied to the perturbed graphs of all targets of that repetition. "No attack" is then the same learned network
//!   applied to the observed graph, so that nothing but the graph differs between the two.

mod claims;
mod clean;
mod figure;
mod perturb;
mod results;
mod spread;
mod tables;
mod targets;
#[cfg(test)]
mod tests;
mod trial;

pub use clean::{Clean, Margins};
pub use perturb::Perturbation;
pub use results::{Comparison, MethodResult, OnShared, PublishedScores, Results, Scores, TargetResult};
pub use spread::Spread;
pub use targets::{Counts, Reason, Target, Targets};
pub use trial::{Attacked, Key, Outcome, Reading};

use crate::accuracy::{self, Cell, SplitName};
use crate::contender::Contender;
use crate::plans::{self, Planned, Plans};
use crate::study::Study;
use crate::{Datasets, Error};
use bgcn_core::data::{Dataset, Split};
use bgcn_core::links;
use bgcn_core::posterior::{Fit, Predictions, Watch};
use bgcn_core::rng::{For, Seed};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use targets::MeanMargins;

/// When the edges are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Before training.
    Poisoning,
    /// After training.
    Evasion,
}

impl Kind {
    fn title(self, dataset: &str) -> String {
        match self {
            Self::Poisoning => format!("Random attack on {dataset}"),
            Self::Evasion => format!("Random attack on {dataset}, after training"),
        }
    }

    /// In the middle of a sentence.
    fn phrase(self) -> &'static str {
        match self {
            Self::Poisoning => "a random attack",
            Self::Evasion => "a random attack after training",
        }
    }
}

/// What to attack, and how often. The defaults are the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// When the edges are changed.
    pub kind: Kind,
    /// One split for all runs.
    pub split: SplitName,
    /// Training nodes of each class.
    pub labels_per_class: usize,
    /// Runs from which the targets are chosen.
    pub clean_runs: u32,
    /// Perturbed graphs of each target, and clean runs to compare them with.
    pub repetitions: u32,
    /// How many targets.
    pub targets: Counts,
    /// Where all randomness comes from.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            kind: Kind::Poisoning,
            split: SplitName::Fixed,
            labels_per_class: 20,
            clean_runs: 10,
            repetitions: 5,
            targets: Counts::default(),
            seed: 0,
        }
    }
}

/// The attack on one dataset: its two studies and what comes of them.
#[derive(Debug)]
pub struct Attack<'a> {
    contenders: &'a [Contender],
    options: Options,
    cell: Cell,
    data: &'a Dataset,
    split: Split,
    plans: Plans,
}

/// A run's place among all runs of an attack, which decides its seed.
#[derive(Clone, Copy, Debug)]
enum Run {
    /// To choose targets from.
    Choosing(u32),
    /// To compare the attacked runs with.
    Clean(u32),
    /// On the perturbed graph of this target and repetition.
    Attacked(u32, u32),
}

impl<'a> Attack<'a> {
    /// An attack on every contender; the dataset must be among `data`.
    pub fn new(
        dataset: &str,
        contenders: &'a [Contender],
        options: Options,
        data: &'a Datasets,
    ) -> Result<Self, Error> {
        let refuse = |why: String| Err(Error::Request(format!("the attack on {dataset}: {why}")));
        let Some(found) = data.get(dataset) else {
            return refuse("the dataset was not loaded; load it under this name".into());
        };
        let counts = options.targets;
        if options.clean_runs == 0 || options.repetitions == 0 || counts.highest + counts.lowest + counts.shared == 0 {
            return refuse("0 runs or 0 targets were asked for; at least 1 of each is needed".into());
        }
        let names: BTreeSet<&str> = contenders.iter().map(Contender::name).collect();
        if names.is_empty() || names.len() < contenders.len() {
            return refuse("the methods must be one or more, with a name of its own for each".into());
        }
        let split = found.split(&options.split.kind(), options.labels_per_class, Seed::new(options.seed))?;
        if found.labels.classes() < 2 || split.test.is_empty() {
            return refuse("targets are test nodes with a class; it has none, so use another dataset or split".into());
        }
        let cell = Cell { dataset: dataset.into(), split: options.split, labels_per_class: options.labels_per_class };
        let plans = Plans::new([dataset], contenders, data)?;
        Ok(Self { contenders, options, cell, data: found, split, plans })
    }

    /// What is done to which dataset, for a heading.
    pub fn title(&self) -> String {
        self.options.kind.title(&self.cell.dataset)
    }

    /// The first study: runs on the observed graph.
    pub fn clean(&self) -> Clean<'_> {
        Clean(self)
    }

    /// Whom to attack; all runs of the first study must have finished.
    pub fn targets(&self, outcomes: &BTreeMap<accuracy::Key, Margins>) -> Result<Targets, Error> {
        self.all_finished(&self.clean(), outcomes)?;
        let mut of = BTreeMap::new();
        for contender in self.contenders {
            let mut sums = vec![0.0; self.split.test.len()];
            for run in 0..self.options.clean_runs {
                let margins = &outcomes[&self.clean_key(contender.name(), run)];
                sums.iter_mut().zip(&margins.0).for_each(|(sum, &margin)| *sum += f64::from(margin));
            }
            let runs = f64::from(self.options.clean_runs);
            of.insert(contender.name().to_owned(), sums.into_iter().map(|sum| sum / runs).collect());
        }
        let stream = Seed::new(self.options.seed).at(For::Attack, [0; 3]);
        let targets = MeanMargins { nodes: &self.split.test, of }.choose(self.options.targets, stream);
        match targets.iter().find(|(_, list)| list.is_empty()) {
            Some((method, _)) => Err(Error::Request(format!(
                "the attack on {}: {method} classifies no test node rightly, so there is nothing to attack; give it \
                 more labels",
                self.cell.dataset
            ))),
            None => Ok(targets),
        }
    }

    /// The second study: runs on perturbed graphs, and clean ones to compare them with.
    pub fn attacked<'t>(&'t self, targets: &'t Targets) -> Attacked<'t> {
        Attacked { attack: self, targets }
    }

    /// The changes around a target in one repetition; the same for all methods.
    pub fn perturbation(&self, target: u32, repetition: u32) -> Perturbation {
        let stream = Seed::new(self.options.seed).at(For::Attack, [1, target, repetition]);
        Perturbation::draw(&self.data.graph, &self.data.labels, target, stream)
    }

    fn clean_key(&self, method: &str, run: u32) -> accuracy::Key {
        accuracy::Key { cell: self.cell.clone(), method: method.to_owned(), run }
    }

    /// Whether every trial of a study has its outcome.
    fn all_finished<S: Study>(&self, study: &S, outcomes: &BTreeMap<S::Key, S::Outcome>) -> Result<(), Error> {
        let trials = study.trials();
        let missing = trials.iter().filter(|key| !outcomes.contains_key(key)).count();
        if missing == 0 {
            return Ok(());
        }
        Err(Error::Request(format!(
            "the attack on {}: {missing} of the {} trials of its study `{}` have not been run; run the other shares \
             and join them with `bgcn reproduce --merge`",
            self.cell.dataset,
            trials.len(),
            S::NAME
        )))
    }

    /// Nodes are fewer than 2³² − 1, so no two runs have the same number.
    fn seed(&self, run: Run) -> Seed {
        let (high, low) = match run {
            Run::Choosing(run) => (0, run),
            Run::Clean(repetition) => (u32::MAX, repetition),
            Run::Attacked(target, repetition) => (target + 1, repetition),
        };
        Seed::new(self.options.seed).trial(u64::from(high) << 32 | u64::from(low))
    }

    fn planned(&self, method: &str) -> &Planned {
        self.plans.of(&self.cell.dataset, method)
    }

    /// Trains on `data`, which differs from the dataset in its graph alone.
    fn fit(&self, method: &str, data: &Dataset, run: Run, watch: Watch<'_>) -> Result<Fit, Error> {
        let (name, recipe) = (self.name_of(run), &self.planned(method).recipe);
        self.run(method, &name, run).fit(links::fit_alone, recipe, (data, &self.split), watch)
    }

    fn failed(&self, method: &str, run: Run, source: bgcn_core::Error) -> Error {
        self.run(method, &self.name_of(run), run).failed(source)
    }

    fn run<'r>(&self, method: &'r str, name: &'r str, run: Run) -> plans::Run<'r> {
        let (Run::Choosing(number) | Run::Clean(number) | Run::Attacked(_, number)) = run;
        plans::Run::new(method, name, number, self.options.seed).with_seed(self.seed(run))
    }

    /// The dataset as messages name it.
    fn name_of(&self, run: Run) -> String {
        let name = &self.cell.dataset;
        match run {
            Run::Choosing(_) | Run::Clean(_) => name.clone(),
            Run::Attacked(target, _) => format!("{name} with node {target} attacked"),
        }
    }

    /// How a node came out.
    fn read(&self, predictions: &Predictions, target: u32) -> Reading {
        let posterior = predictions.classes().expect("the dataset was checked to have classes");
        let truth = self.data.labels.class(target).expect("splits hold labelled nodes only");
        let row = posterior.row(target);
        let others = row.iter().zip(0..).filter(|(_, class)| *class != truth).map(|(&score, _)| score);
        let margin = row[truth as usize] - others.fold(f32::NEG_INFINITY, f32::max);
        Reading { target, margin, right: posterior.prediction(target) == truth }
    }
}
