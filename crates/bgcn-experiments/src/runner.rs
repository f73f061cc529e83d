//! Runs the trials of a study that are not in the log yet, and keeps every finished one.

use crate::executor::run_parts;
use crate::log::{Line, Log, VERSION};
use crate::study::{Shard, Study};
use crate::{Error, Identity};
use bgcn_core::posterior::Watch;
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
    /// Classes of the processors that ran them; results of two classes can differ in the last bits.
    pub processors: BTreeSet<String>,
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

/// What the trials of a study depend on.
pub(crate) struct Settings<K> {
    /// The hash of each trial's.
    pub(crate) of: BTreeMap<K, String>,
    /// By hash.
    texts: BTreeMap<String, String>,
}

impl<K: Clone + Ord> Settings<K> {
    pub(crate) fn new<S: Study<Key = K>>(study: &S, trials: &[K]) -> Self {
        let (mut of, mut texts) = (BTreeMap::new(), BTreeMap::new());
        for key in trials {
            let Identity { hash, text } = study.settings(key);
            texts.entry(hash.clone()).or_insert(text);
            of.insert(key.clone(), hash);
        }
        Self { of, texts }
    }
}

/// Who watches a study.
pub struct Watching<'a, S: Study> {
    /// Called for every trial, those in the log first.
    pub trials: &'a (dyn Fn(Done<'_, S>) + Sync),
    /// Called for every fit inside the trials, and may end the study; the log keeps what is finished.
    pub fits: Watch<'a>,
}

impl<S: Study> Default for Watching<'_, S> {
    fn default() -> Self {
        Self { trials: &|_| {}, fits: &crate::unwatched }
    }
}

/// Runs what the log does not have of a share.
pub fn run<S: Study>(
    study: &S,
    log: &mut Log,
    shard: Shard,
    watch: Watching<'_, S>,
) -> Result<Finished<S::Key, S::Outcome>, Error> {
    let trials = study.trials();
    let Settings { of: settings, texts } = Settings::new(study, &trials);
    let found = log.finished(study, &settings)?;
    let seconds = found.values().map(|logged| logged.seconds).sum::<f64>();
    let processors = found.values().map(|logged| logged.processor.clone()).collect();
    let outcomes: BTreeMap<S::Key, S::Outcome> = found.into_iter().map(|(key, logged)| (key, logged.outcome)).collect();
    // In the order of keys, where the runs of one method are neighbours: every share gets as many slow trials.
    let mine: BTreeSet<&S::Key> =
        settings.keys().enumerate().filter(|(place, _)| shard.has(*place)).map(|(_, key)| key).collect();
    let pending: Vec<&S::Key> = trials.iter().filter(|key| mine.contains(key) && !outcomes.contains_key(key)).collect();
    let (run, reused) = (pending.len(), outcomes.len());
    let of = run + reused;
    outcomes.iter().for_each(|(key, outcome)| (watch.trials)(Done { key, outcome, reused: true, of }));
    let finished = Mutex::new((log, Finished { outcomes, run, reused, left: 0, seconds, processors }));
    run_parts(&pending, |key| {
        let line = trial(study, key, settings[*key].clone(), watch.fits)?;
        let (log, finished) = &mut *finished.lock().expect("no thread panics while it holds the log");
        log.append(&line, &texts[&line.settings])?;
        (watch.trials)(Done { key: &line.key, outcome: &line.outcome, reused: false, of });
        finished.seconds += line.seconds;
        finished.processors.insert(line.processor);
        finished.outcomes.insert(line.key, line.outcome);
        Ok::<(), Error>(())
    })?;
    let (_, mut finished) = finished.into_inner().expect("as above");
    finished.left = trials.len() - finished.outcomes.len();
    Ok(finished)
}

/// Runs one trial, whose settings have this hash.
fn trial<S: Study>(
    study: &S,
    key: &S::Key,
    settings: String,
    watch: Watch<'_>,
) -> Result<Line<S::Key, S::Outcome>, Error> {
    let start = Instant::now();
    let outcome = study.trial(key, watch)?;
    S::check(&outcome).map_err(|why| {
        let trial = serde_json::to_string(key).expect("keys become JSON");
        Error::Outcome(format!("the study `{}`, trial {trial}: {why}; please report this fault", S::NAME))
    })?;
    Ok(Line {
        study: S::NAME.into(),
        settings,
        seed: study.seed(),
        version: VERSION.into(),
        processor: bgcn_core::processor_class().into(),
        key: key.clone(),
        outcome,
        seconds: start.elapsed().as_secs_f64(),
    })
}
