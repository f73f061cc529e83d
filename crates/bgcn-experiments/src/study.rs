//! A study: many independent trials, each depending on nothing but its key, its settings and the seed.
//!
//! So trials can run in any order, on any number of threads and machines, and be resumed; [`crate::run`] does that for
//! any study. Each study makes its own tables.

use crate::{Error, Identity};
use bgcn_core::posterior::Watch;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Many independent trials. The log reads the studies of this crate alone.
pub trait Study: Sync {
    /// Its name in the log.
    const NAME: &'static str;
    /// The key of a trial. Trials that take equally long should be neighbours in its order.
    type Key: Clone + Ord + Serialize + DeserializeOwned + Send + Sync;
    /// What a trial found.
    type Outcome: Clone + PartialEq + Serialize + DeserializeOwned + Send + Sync;

    /// All randomness follows from this and the key.
    fn seed(&self) -> u64;

    /// Every trial, in the order in which they are started.
    fn trials(&self) -> Vec<Self::Key>;

    /// What else the outcome depends on; a logged trial counts only where it is the same.
    fn settings(&self, key: &Self::Key) -> Identity;

    /// Runs one trial; `watch` may end its fits.
    fn trial(&self, key: &Self::Key, watch: Watch<'_>) -> Result<Self::Outcome, Error>;

    /// Refuses an outcome that no trial can have.
    fn check(outcome: &Self::Outcome) -> Result<(), String>;

    /// Where an outcome goes in the running table.
    fn shown(&self, key: &Self::Key, outcome: &Self::Outcome) -> Shown;
}

/// Refuses the first value that is outside its range by more than rounding, or no number.
pub(crate) fn in_range(values: &[(&str, f64, RangeInclusive<f64>)]) -> Result<(), String> {
    const ROUNDING: f64 = 1e-4;
    let possible = |value: f64, range: &RangeInclusive<f64>| {
        value.is_finite() && value >= range.start() - ROUNDING && value <= range.end() + ROUNDING
    };
    match values.iter().find(|(_, value, range)| !possible(*value, range)) {
        Some((name, value, range)) => {
            Err(format!("{name} is {value}, which is not from {} to {}", range.start(), range.end()))
        }
        None => Ok(()),
    }
}

/// A place in the running table, and a value to be averaged there.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Row: `cora, random, 5 labels`, say.
    pub row: String,
    /// Column: a method.
    pub column: String,
    /// In the unit that the study prints.
    pub value: f64,
}

/// The share of a study that one process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    /// All of it.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// Whether the trial at this place, in the order of keys, is part of the share: neighbours go to different
    /// machines, so that each gets its share of the slow ones.
    pub fn has(&self, place: usize) -> bool {
        place % self.of == self.index
    }

    /// Whether it is all there is.
    pub fn is_whole(&self) -> bool {
        self.of == 1
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no share; write i/n, such as 1/4 for the first of four");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        match (index.parse::<usize>(), of.parse::<usize>()) {
            (Ok(index), Ok(of)) if (1..=of).contains(&index) => Ok(Self { index: index - 1, of }),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_disjoint_and_together_everything() {
        let shards: Vec<Shard> = (1..=3).map(|i| format!("{i}/3").parse().unwrap()).collect();
        for place in 0..20 {
            assert_eq!(shards.iter().filter(|shard| shard.has(place)).count(), 1);
        }
        assert!(Shard::WHOLE.has(17) && "1/1".parse::<Shard>().unwrap().is_whole());
    }

    #[test]
    fn values_outside_their_range_are_refused_by_name() {
        let check = |value: f64| in_range(&[("b", 0.5, 0.0..=1.0), ("a", value, 0.0..=1.0)]);
        assert!(check(0.0).is_ok() && check(1.0 + 1e-7).is_ok());
        for wrong in [-1.0, 1.5, f64::NAN, f64::INFINITY] {
            assert!(check(wrong).unwrap_err().starts_with(&format!("a is {wrong}")));
        }
        assert!(in_range(&[("a", f64::INFINITY, 0.0..=f64::INFINITY)]).is_err());
    }

    #[test]
    fn what_is_no_share_is_refused() {
        for text in ["", "1", "0/2", "3/2", "1/0", "-1/2", "a/b", "1/2/3"] {
            assert!(text.parse::<Shard>().unwrap_err().contains("1/4"), "{text}");
        }
    }
}
