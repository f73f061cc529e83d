//! The second study: targets before and after the attack.
//!
//! A trial without a target is a clean run, read at all targets of its method; with one, it is a run on a perturbed
//! graph. When the edges change after training, every trial is of the first sort, and reads the perturbed graphs too.

use super::{Attack, Kind, Run, Targets};
use crate::accuracy::Cell;
use crate::study::{Shown, Study, in_range};
use crate::{Error, Identity};
use bgcn_core::data::Dataset;
use bgcn_core::graph::Graph;
use bgcn_core::posterior::{Changed, Fit, Watch};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Runs on the observed and on perturbed graphs.
#[derive(Debug)]
pub struct Attacked<'a> {
    pub(super) attack: &'a Attack<'a>,
    pub(super) targets: &'a Targets,
}

/// The key of a trial.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// With which method.
    pub method: String,
    /// When the edges are changed.
    pub attack: Kind,
    /// Whose edges are changed before training; `None` for no change.
    pub target: Option<u32>,
    /// Which repetition, from 0.
    pub repetition: u32,
}

/// How a target was classified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Which node.
    pub target: u32,
    /// The score of its class less the best other.
    pub margin: f32,
    /// Whether the prediction is its class.
    pub right: bool,
}

/// What a trial found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// On the observed graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clean: Vec<Reading>,
    /// On perturbed graphs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attacked: Vec<Reading>,
}

impl Attacked<'_> {
    fn nodes(&self, method: &str) -> impl Iterator<Item = u32> {
        self.targets[method].iter().map(|target| target.node)
    }

    fn key(&self, method: &str, target: Option<u32>, repetition: u32) -> Key {
        let attack = self.attack;
        Key { cell: attack.cell.clone(), method: method.to_owned(), attack: attack.options.kind, target, repetition }
    }

    fn perturbed(&self, target: u32, repetition: u32) -> Graph {
        self.attack.perturbation(target, repetition).apply(&self.attack.data.graph)
    }

    fn clean_run(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let fit = self.attack.fit(&key.method, self.attack.data, Run::Clean(key.repetition), watch)?;
        let read = |node| self.attack.read(&fit.predictions, node);
        Ok(Outcome { clean: self.nodes(&key.method).map(read).collect(), attacked: Vec::new() })
    }

    fn poisoned_run(&self, key: &Key, target: u32, watch: Watch<'_>) -> Result<Outcome, Error> {
        // Copies features and labels too: 22 µs on Cora, where the changes take 185 µs and a fit 50 ms.
        let data = Dataset { graph: self.perturbed(target, key.repetition), ..self.attack.data.clone() };
        let fit = self.attack.fit(&key.method, &data, Run::Attacked(target, key.repetition), watch)?;
        Ok(Outcome { clean: Vec::new(), attacked: vec![self.attack.read(&fit.predictions, target)] })
    }

    fn evasion_run(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let attack = self.attack;
        let Fit { learned, .. } = attack.fit(&key.method, attack.data, Run::Clean(key.repetition), watch)?;
        let apply = |graph: &Graph, run: Run| {
            let to = Changed { graph, features: &attack.data.features, feature_names: &[], seed: attack.seed(run) };
            let predictions = learned.apply(to, watch);
            predictions.map_err(|source| attack.failed(&key.method, run, source))
        };
        let before = apply(&attack.data.graph, Run::Clean(key.repetition))?;
        let clean = self.nodes(&key.method).map(|node| attack.read(&before, node)).collect();
        let attacked = self.nodes(&key.method).map(|node| {
            let after = apply(&self.perturbed(node, key.repetition), Run::Attacked(node, key.repetition))?;
            Ok(attack.read(&after, node))
        });
        Ok(Outcome { clean, attacked: attacked.collect::<Result<_, Error>>()? })
    }
}

impl Study for Attacked<'_> {
    const NAME: &'static str = "attack";
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.attack.options.seed
    }

    /// Clean runs first; then every repetition of all methods, so that early means can be compared.
    fn trials(&self) -> Vec<Key> {
        let methods: Vec<&str> = self.attack.contenders.iter().map(|contender| contender.name()).collect();
        let mut trials = Vec::new();
        for repetition in 0..self.attack.options.repetitions {
            trials.extend(methods.iter().map(|method| self.key(method, None, repetition)));
        }
        if self.attack.options.kind == Kind::Poisoning {
            for repetition in 0..self.attack.options.repetitions {
                for method in &methods {
                    trials.extend(self.nodes(method).map(|node| self.key(method, Some(node), repetition)));
                }
            }
        }
        trials
    }

    /// Runs that read all targets depend on the list of them.
    fn settings(&self, key: &Key) -> Identity {
        let protocol = match key.target {
            Some(_) => Value::Null,
            None => json!({ "targets": self.nodes(&key.method).collect::<Vec<_>>() }),
        };
        self.attack.planned(&key.method).identity::<Self>(key, protocol)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        match (key.attack, key.target) {
            (Kind::Evasion, _) => self.evasion_run(key, watch),
            (Kind::Poisoning, None) => self.clean_run(key, watch),
            (Kind::Poisoning, Some(target)) => self.poisoned_run(key, target, watch),
        }
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        outcome.clean.iter().chain(&outcome.attacked).try_for_each(|&Reading { target, margin, right }| {
            in_range(&[("a margin", margin.into(), -1.0..=1.0)])?;
            match margin == 0.0 || right == (margin > 0.0) {
                true => Ok(()),
                false => Err(format!("node {target} has margin {margin} and `right` is {right}")),
            }
        })
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        let (what, readings) = match outcome.attacked.len() {
            0 => ("no attack", &outcome.clean),
            _ => ("attacked", &outcome.attacked),
        };
        let right = readings.iter().filter(|reading| reading.right).count();
        Shown {
            row: format!("{}, targets, {what}", key.cell.dataset),
            column: key.method.clone(),
            value: 100.0 * right as f64 / readings.len() as f64,
        }
    }
}
