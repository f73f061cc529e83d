//! Runs logged trials again: the same program on the same class of processor must find the same to the last bit.

use crate::Error;
use crate::identity::digest;
use crate::item::{Hands, Item, accept};
use crate::log::{Log, Logged};
use crate::runner::Settings;
use crate::study::Study;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

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

/// Runs the chosen trials of a study again and tells how many are equal to the log; that one differs is an error.
/// `watch` is called for every trial with how many there are. `hands` carry them out, or the threads of this pool.
pub fn recheck<S: Study>(
    study: &S,
    log: &Log,
    sample: &Sample,
    (watch, hands): (&(dyn Fn(usize) + Sync), Option<&dyn Hands>),
) -> Result<usize, Error> {
    let settings = Settings::new(study, &study.trials()).of;
    let found = log.finished(study, &settings)?;
    let chosen: Vec<(&S::Key, &Logged<S::Outcome>)> =
        found.iter().filter(|(key, _)| sample.ranks.contains(&sample.rank::<S>(key))).collect();
    let mut again: BTreeMap<S::Key, String> = BTreeMap::new();
    match hands {
        Some(hands) => {
            let mut items = chosen.iter().map(|(key, _)| Item::new(study, key, &settings[*key]));
            hands.carry_out(&mut items, &mut |lines| {
                let before = again.len();
                for text in lines {
                    let line = accept(study, &settings, text)?;
                    again.entry(line.key).or_insert_with(|| json(&line.outcome));
                }
                (before..again.len()).for_each(|_| watch(chosen.len()));
                Ok(again.len() - before)
            })?;
        }
        None => {
            let run = |(key, _): &(&S::Key, &Logged<S::Outcome>)| {
                let now = json(&study.trial(key, &crate::unwatched)?);
                watch(chosen.len());
                Ok(((*key).clone(), now))
            };
            again = chosen.par_iter().map(run).collect::<Result<_, Error>>()?;
        }
    }
    let changed: Vec<Option<(String, String)>> = chosen
        .iter()
        .map(|(key, logged)| {
            let (then, now) = (json(&logged.outcome), again.remove(key).expect("every chosen trial ran"));
            (then != now).then_some((then, now))
        })
        .collect();
    let (equal, of) = (changed.iter().filter(|change| change.is_none()).count(), chosen.len());
    let first = chosen.iter().zip(changed).find_map(|(trial, change)| Some((trial, change?)));
    let Some(((key, logged), (then, now))) = first else {
        return Ok(equal);
    };
    let (before, here) = (&logged.processor, bgcn::processor_class());
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
