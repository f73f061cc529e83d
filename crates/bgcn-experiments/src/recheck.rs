//! Runs logged trials again: the same program on the same class of processor must find the same to the last bit.

use crate::Error;
use crate::executor::run_parts;
use crate::identity::digest;
use crate::log::{Log, Logged};
use crate::runner::Settings;
use crate::study::Study;
use serde::Serialize;
use std::collections::BTreeSet;

/// Characters of an outcome in a message.
const SHOWN: usize = 400;

/// A random choice among the trials of several studies, the same for the same seed.
#[derive(Clone, Debug)]
pub struct Sample {
    size: usize,
    seed: u64,
    /// The smallest of all ranks.
    ranks: BTreeSet<String>,
}

impl Sample {
    /// At most `size` trials.
    pub fn new(size: usize, seed: u64) -> Self {
        Self { size, seed, ranks: BTreeSet::new() }
    }

    /// Adds trials to choose among.
    pub fn offer<'k, S: Study<Key: 'k>>(&mut self, keys: impl IntoIterator<Item = &'k S::Key>) {
        for key in keys {
            self.ranks.insert(self.rank::<S>(key));
            if self.ranks.len() > self.size {
                self.ranks.pop_last();
            }
        }
    }

    /// A number that is random for each trial.
    fn rank<S: Study>(&self, key: &S::Key) -> String {
        digest(&format!("{} {} {}", self.seed, S::NAME, json(key)))
    }
}

/// Runs the chosen trials of a study again, and counts those equal to the log; one that differs is an error.
/// `watch` is called for every trial with how many there are.
pub fn recheck<S: Study>(
    study: &S,
    log: &Log,
    sample: &Sample,
    watch: &(dyn Fn(usize) + Sync),
) -> Result<usize, Error> {
    let found = log.finished(study, &Settings::new(study, &study.trials()).of)?;
    let chosen: Vec<(&S::Key, &Logged<S::Outcome>)> =
        found.iter().filter(|(key, _)| sample.ranks.contains(&sample.rank::<S>(key))).collect();
    let again = run_parts(&chosen, |(key, _)| {
        let now = json(&study.trial(key, &crate::unwatched)?);
        watch(chosen.len());
        Ok::<String, Error>(now)
    })?;
    let changed = |(trial, now)| {
        let (_, logged): &(&S::Key, &Logged<S::Outcome>) = trial;
        let then = json(&logged.outcome);
        (then != now).then_some((trial, then, now))
    };
    let mut changed = chosen.iter().zip(again).filter_map(changed);
    let Some(((key, logged), then, now)) = changed.next() else {
        return Ok(chosen.len());
    };
    let (equal, of) = (chosen.len() - 1 - changed.count(), chosen.len());
    let (before, here) = (&logged.processor, bgcn_core::processor_class());
    let cause = match before == here {
        true => "the log was edited, or results changed without another RESULTS_EPOCH".into(),
        false => format!(
            "{before} and {here} processors may differ in the last bits: run this on a processor of the class that is \
             logged"
        ),
    };
    let from = then.bytes().zip(now.bytes()).take_while(|(a, b)| a == b).count();
    Err(Error::Outcome(format!(
        "{equal} of {of} trials of the study `{}` are equal to the log when run again, but not trial {}: logged {} on \
         {before}, now {} on {here}; {cause}",
        S::NAME,
        json(key),
        around(&then, from),
        around(&now, from)
    )))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("keys and outcomes become JSON")
}

/// The text, or of a long one what stands around this place.
fn around(text: &str, place: usize) -> String {
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let skipped = place.saturating_sub(SHOWN / 4);
    let part: String = text.chars().skip(skipped).take(SHOWN / 2).collect();
    format!("…{part}…")
}
