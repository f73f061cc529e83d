//! Runs the trials that are not in the log yet, in parallel, and keeps every finished one.

use crate::log::{Line, Log, LogError};
use crate::method::Method;
use crate::trial::{Cell, Key, Outcome, Scaled, SplitName};
use bgcn::data::{Dataset, Split, SplitKind};
use bgcn::metrics::Judged;
use bgcn::posterior::{self, Posterior, Task, Temperature};
use bgcn::rng::Seed;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

/// Why an experiment stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The result log.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The data or its split.
    #[error(transparent)]
    Data(#[from] bgcn::data::Error),
    /// A fit.
    #[error("{method} on {dataset}, run {run}: {source}")]
    Fit {
        /// Which method.
        method: String,
        /// Which dataset.
        dataset: String,
        /// Which run.
        run: u32,
        /// What went wrong.
        source: Box<posterior::Error>,
    },
}

impl Error {
    /// Whether the command line or the input is to blame, rather than the work itself.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Log(LogError::InUse { .. }) => true,
            Self::Log(_) => false,
            Self::Data(error) => error.is_input(),
            Self::Fit { source, .. } => source.is_input(),
        }
    }
}

/// What to run: every method in every cell, `runs` times each.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// Columns.
    pub cells: Vec<Cell>,
    /// Rows.
    pub methods: Vec<Method>,
    /// Repetitions.
    pub runs: u32,
    /// All randomness follows from this and the run.
    pub seed: u64,
}

/// Outcomes of all trials, new and old.
#[derive(Clone, Debug, Default)]
pub struct Finished {
    /// By trial.
    pub outcomes: BTreeMap<Key, Outcome>,
    /// Run now.
    pub run: usize,
    /// Taken from the log.
    pub reused: usize,
}

/// A trial that has just finished.
#[derive(Clone, Debug)]
pub struct Done<'a> {
    /// Which.
    pub key: &'a Key,
    /// How well.
    pub outcome: Outcome,
    /// Finished so far, old ones included.
    pub finished: usize,
    /// In all.
    pub total: usize,
}

impl Experiment {
    /// Every trial, cheap datasets first, all methods of a run together.
    pub fn trials(&self) -> Vec<Key> {
        let mut trials = Vec::new();
        for cell in &self.cells {
            for run in 0..self.runs {
                for method in &self.methods {
                    trials.push(Key { cell: cell.clone(), method: method.to_string(), run });
                }
            }
        }
        trials
    }

    /// Runs what the log does not have. `watch` is called after every trial.
    pub fn run(
        &self,
        data: &BTreeMap<String, Dataset>,
        log: Log,
        watch: &(dyn Fn(Done<'_>) + Sync),
    ) -> Result<Finished, Error> {
        let settings = self.settings(data)?;
        let old = log.finished(
            &|key| settings.get(&(key.cell.dataset.clone(), key.method.clone())).cloned().unwrap_or_default(),
            self.seed,
        );
        let trials = self.trials();
        let mut finished = Finished::default();
        for key in &trials {
            if let Some(outcome) = old.get(key) {
                finished.outcomes.insert(key.clone(), *outcome);
            }
        }
        finished.reused = finished.outcomes.len();
        let pending: Vec<&Key> = trials.iter().filter(|key| !finished.outcomes.contains_key(key)).collect();
        finished.run = pending.len();
        let shared = Mutex::new((log, finished));
        // One trial after another for each thread: `with_max_len` keeps rayon from handing out long stretches.
        pending.par_iter().with_max_len(1).try_for_each(|key| {
            let start = Instant::now();
            let outcome = self.trial(key, &data[&key.cell.dataset])?;
            let line = Line {
                settings: settings[&(key.cell.dataset.clone(), key.method.clone())].clone(),
                seed: self.seed,
                version: env!("CARGO_PKG_VERSION").into(),
                key: (*key).clone(),
                outcome,
                seconds: start.elapsed().as_secs_f64(),
            };
            let mut shared = shared.lock().expect("no thread panics while it holds the log");
            shared.0.append(line)?;
            shared.1.outcomes.insert((*key).clone(), outcome);
            watch(Done { key, outcome, finished: shared.1.outcomes.len(), total: trials.len() });
            Ok::<(), Error>(())
        })?;
        Ok(shared.into_inner().expect("as above").1)
    }

    /// A fingerprint of data, plan and version for each dataset and method: what a logged trial must share to count.
    fn settings(&self, data: &BTreeMap<String, Dataset>) -> Result<BTreeMap<(String, String), String>, Error> {
        let mut settings = BTreeMap::new();
        for (name, dataset) in data {
            let print = dataset.fingerprint();
            for method in &self.methods {
                let plan = method.plan(dataset).map_err(|source| failed(name, method, 0, source))?;
                let text = format!("{print} {:?} {}", *plan, env!("CARGO_PKG_VERSION"));
                let hash: String = Sha256::digest(text).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
                settings.insert((name.clone(), method.to_string()), hash);
            }
        }
        Ok(settings)
    }

    /// One trial. Methods share the split of a run, and nothing else.
    fn trial(&self, key: &Key, data: &Dataset) -> Result<Outcome, Error> {
        let method: Method = key.method.parse().expect("trials are made from methods");
        let seed = Seed::new(self.seed).trial(u64::from(key.run));
        let kind = match key.cell.split {
            SplitName::Random => SplitKind::Random,
            SplitName::Fixed => SplitKind::Fixed,
        };
        let split = data.split(&kind, key.cell.labels_per_class, seed)?;
        let fail = |source| failed(&key.cell.dataset, &method, key.run, source);
        let plan = method.plan(data).map_err(fail)?;
        let fit = posterior::fit(&plan, Task { data, split: &split, seed }, &mut |_| {}).map_err(fail)?;
        let no_classes = || bgcn::data::Error::Request(format!("{} has no classes to predict", key.cell.dataset));
        let posterior = fit.predictions.classes().ok_or_else(no_classes)?;
        judge(posterior, data, &split).ok_or_else(|| {
            let name = &key.cell.dataset;
            bgcn::data::Error::Request(format!("{name}: the split leaves no test node; use a larger graph")).into()
        })
    }
}

/// Scores on the test nodes, as predicted and after temperature scaling.
fn judge(posterior: &Posterior, data: &Dataset, split: &Split) -> Option<Outcome> {
    let (p, c) = (&posterior.probabilities, posterior.classes);
    let scores = |p: &[f32]| Judged::new(p, c, &data.labels, &split.test).scores();
    let plain = scores(p)?;
    let scaled = Temperature::fit(p, c, &data.labels, &split.validation).and_then(|temperature| {
        let scores = scores(&temperature.scale(p, c))?;
        Some(Scaled { temperature: temperature.value(), nll: scores.nll, ece: scores.ece })
    });
    Some(Outcome { accuracy: plain.accuracy, nll: plain.nll, ece: plain.ece, brier: plain.brier, scaled })
}

fn failed(dataset: &str, method: &Method, run: u32, source: posterior::Error) -> Error {
    Error::Fit { method: method.to_string(), dataset: dataset.to_owned(), run, source: Box::new(source) }
}
