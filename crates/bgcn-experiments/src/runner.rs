//! Runs the trials of a study that are not in the log yet, in parallel, and keeps every finished one. The threads of
//! this process carry them out, or [`Hands`] elsewhere; this process alone writes the log.

use crate::item::{Hands, Item, accept};
use crate::log::{Line, Log, VERSION};
use crate::study::{Shard, Study};
use crate::{Error, Identity};
use bgcn::posterior::Watch;
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
    pub(crate) texts: BTreeMap<String, String>,
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

/// Whoever watches a study.
pub struct Watching<'a, S: Study> {
    /// Called for every trial, those in the log first.
    pub trials: &'a (dyn Fn(Done<'_, S>) + Sync),
    /// Sees every fit inside the trials, and may end the study; the log keeps what is finished.
    pub fits: Watch<'a>,
    /// Who carries out the trials; the threads of this pool where there is nobody.
    pub hands: Option<&'a dyn Hands>,
}

impl<S: Study> Default for Watching<'_, S> {
    /// Nobody.
    fn default() -> Self {
        Self { trials: &|_| {}, fits: &crate::unwatched, hands: None }
    }
}

/// What is known so far.
struct Ledger<'a, S: Study> {
    log: &'a mut Log,
    /// What the trials depend on: hashes by trial, texts by hash.
    settings: &'a Settings<S::Key>,
    trials: &'a (dyn Fn(Done<'_, S>) + Sync),
    of: usize,
    outcomes: BTreeMap<S::Key, S::Outcome>,
    processors: BTreeSet<String>,
    seconds: f64,
}

impl<S: Study> Ledger<'_, S> {
    /// Takes finished trials into the log, all of them with one sync.
    fn take(&mut self, lines: Vec<Line<S::Key, S::Outcome>>) -> Result<(), Error> {
        self.log.append(&lines, |hash| &self.settings.texts[hash])?;
        for line in lines {
            (self.trials)(Done { key: &line.key, outcome: &line.outcome, reused: false, of: self.of });
            self.seconds += line.seconds;
            if !self.processors.contains(&line.processor) {
                self.processors.insert(line.processor);
            }
            self.outcomes.insert(line.key, line.outcome);
        }
        Ok(())
    }

    /// The same with lines from other machines. A trial that came twice counts once; how many were new.
    fn take_foreign(&mut self, study: &S, texts: &[String]) -> Result<usize, Error> {
        let mut lines: BTreeMap<S::Key, Line<S::Key, S::Outcome>> = BTreeMap::new();
        for text in texts {
            let line = accept(study, &self.settings.of, text)?;
            if !self.outcomes.contains_key(&line.key) {
                lines.entry(line.key.clone()).or_insert(line);
            }
        }
        let new = lines.len();
        self.take(lines.into_values().collect())?;
        Ok(new)
    }
}

/// Runs what the log does not have.
pub fn run<S: Study>(
    study: &S,
    log: &mut Log,
    shard: Shard,
    watch: Watching<'_, S>,
) -> Result<Finished<S::Key, S::Outcome>, Error> {
    let trials = study.trials();
    let settings = Settings::new(study, &trials);
    let found = log.finished(study, &settings.of)?;
    let seconds = found.values().map(|logged| logged.seconds).sum::<f64>();
    let processors: BTreeSet<String> = found.values().map(|logged| logged.processor.clone()).collect();
    let outcomes: BTreeMap<S::Key, S::Outcome> = found.into_iter().map(|(key, logged)| (key, logged.outcome)).collect();
    // In the order of keys, where the runs of one method are neighbours: every share gets as many slow trials.
    let mine: BTreeSet<&S::Key> =
        settings.of.keys().enumerate().filter(|(place, _)| shard.has(*place)).map(|(_, key)| key).collect();
    let pending: Vec<&S::Key> = trials.iter().filter(|key| mine.contains(key) && !outcomes.contains_key(key)).collect();
    let (run, reused) = (pending.len(), outcomes.len());
    let of = run + reused;
    outcomes.iter().for_each(|(key, outcome)| (watch.trials)(Done { key, outcome, reused: true, of }));
    let ledger = Ledger { log, settings: &settings, trials: watch.trials, of, outcomes, processors, seconds };
    let ledger = match watch.hands {
        Some(hands) => {
            let mut ledger = ledger;
            let mut items = pending.iter().map(|key| Item::new(study, key, &settings.of[*key]));
            hands.carry_out(&mut items, &mut |lines| ledger.take_foreign(study, lines))?;
            ledger
        }
        None => {
            let shared = Mutex::new(ledger);
            // A bridge starts trials in their order, one after another for each thread. Splitting the list would start
            // in its middle too, and a thread that waits inside a trial could be given another one.
            pending.iter().par_bridge().try_for_each(|key| {
                let line = trial(study, key, settings.of[*key].clone(), watch.fits)?;
                shared.lock().expect("no thread panics while it holds the log").take(vec![line])
            })?;
            shared.into_inner().expect("as above")
        }
    };
    let Ledger { outcomes, seconds, processors, .. } = ledger;
    let left = trials.len() - outcomes.len();
    Ok(Finished { outcomes, run, reused, left, seconds, processors })
}

/// Runs one trial, whose settings have this hash.
pub(crate) fn trial<S: Study>(
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
        processor: bgcn::processor_class().into(),
        key: key.clone(),
        outcome,
        seconds: start.elapsed().as_secs_f64(),
    })
}
