//! Runs the trials of a study that are not in the log yet, in parallel, and keeps every finished one.

use crate::Error;
use crate::log::{Line, Log};
use crate::study::{Shard, Study};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
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
    /// Time that all of them took, added up.
    pub seconds: f64,
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
    /// How many trials will have been reported in all.
    pub of: usize,
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
    let found: BTreeMap<S::Key, (S::Outcome, f64)> = log.finished(study.name(), &settings, study.seed());
    let seconds = found.values().map(|(_, seconds)| seconds).sum::<f64>();
    let outcomes: BTreeMap<S::Key, S::Outcome> = found.into_iter().map(|(key, (outcome, _))| (key, outcome)).collect();
    // In the order of keys, where the runs of one method are neighbours: every share gets as many slow trials.
    let mine: BTreeSet<&S::Key> =
        settings.keys().enumerate().filter(|(place, _)| shard.has(*place)).map(|(_, key)| key).collect();
    let pending: Vec<&S::Key> = trials.iter().filter(|key| mine.contains(key) && !outcomes.contains_key(key)).collect();
    let (run, reused) = (pending.len(), outcomes.len());
    let of = run + reused;
    outcomes.iter().for_each(|(key, outcome)| watch(Done { key, outcome, reused: true, of }));
    let shared = Mutex::new((log, outcomes, seconds));
    // A bridge starts trials in their order, one after another for each thread. Splitting the list would start in its middle
    // too, and a thread that waits inside a trial could be given another one.
    pending.iter().par_bridge().try_for_each(|key| {
        let start = Instant::now();
        let outcome = study.trial(key)?;
        let line = Line {
            study: study.name().into(),
            settings: settings[*key].clone(),
            seed: study.seed(),
            version: env!("CARGO_PKG_VERSION").into(),
            key: (**key).clone(),
            outcome,
            seconds: start.elapsed().as_secs_f64(),
        };
        let mut shared = shared.lock().expect("no thread panics while it holds the log");
        shared.0.append(&line)?;
        watch(Done { key, outcome: &line.outcome, reused: false, of });
        shared.2 += line.seconds;
        shared.1.insert(line.key, line.outcome);
        Ok::<(), Error>(())
    })?;
    let (_, outcomes, seconds) = shared.into_inner().expect("as above");
    let left = trials.len() - outcomes.len();
    Ok(Finished { outcomes, run, reused, left, seconds })
}
