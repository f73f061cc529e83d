//! Runs the trials of a study that are not in the log yet, in parallel, and keeps every finished one.

use crate::Error;
use crate::log::{Line, Log};
use crate::study::{Shard, Study};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

/// Outcomes of all trials, new and old.
#[derive(Clone, Debug)]
pub struct Finished<K, O> {
    /// By trial.
    pub outcomes: BTreeMap<K, O>,
    /// Run now.
    pub run: usize,
    /// Taken from the log.
    pub reused: usize,
    /// Left to other shares.
    pub left: usize,
}

/// A trial that has just finished, or was found in the log.
#[derive(Debug)]
pub struct Done<'a, S: Study> {
    /// Which.
    pub key: &'a S::Key,
    /// How it went.
    pub outcome: &'a S::Outcome,
    /// Whether it was found in the log.
    pub reused: bool,
}

/// Runs what the log does not have. `watch` is called for every trial, those in the log first.
pub fn run<S: Study>(
    study: &S,
    log: &mut Log,
    shard: Shard,
    watch: &(dyn Fn(Done<'_, S>) + Sync),
) -> Result<Finished<S::Key, S::Outcome>, Error> {
    let trials = study.trials();
    let settings: BTreeMap<S::Key, String> = trials.iter().map(|key| (key.clone(), study.settings(key))).collect();
    let outcomes: BTreeMap<S::Key, S::Outcome> = log.finished(study.name(), &settings, study.seed());
    outcomes.iter().for_each(|(key, outcome)| watch(Done { key, outcome, reused: true }));
    let mine = trials.iter().enumerate().filter(|(place, _)| shard.has(*place));
    let pending: Vec<&S::Key> = mine.map(|(_, key)| key).filter(|key| !outcomes.contains_key(key)).collect();
    let (run, reused) = (pending.len(), outcomes.len());
    let shared = Mutex::new((log, outcomes));
    // One trial after another for each thread: `with_max_len` keeps rayon from handing out long stretches.
    pending.par_iter().with_max_len(1).try_for_each(|key| {
        let start = Instant::now();
        let outcome = study.trial(key)?;
        let line = Line {
            study: study.name().into(),
            settings: settings[*key].clone(),
            seed: study.seed(),
            version: env!("CARGO_PKG_VERSION").into(),
            key: (*key).clone(),
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        };
        let mut shared = shared.lock().expect("no thread panics while it holds the log");
        shared.0.append(&line)?;
        watch(Done { key, outcome: &line.outcome, reused: false });
        shared.1.insert(line.key, line.outcome);
        Ok::<(), Error>(())
    })?;
    let outcomes = shared.into_inner().expect("as above").1;
    let left = trials.len() - outcomes.len();
    Ok(Finished { outcomes, run, reused, left })
}
