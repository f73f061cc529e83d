//! A setting: its key, what it may be, and where its default comes from; each written once.
//!
//! Networks, graph models and schedules list theirs. `bgcn settings`, the check of every value, the documentation and
//! other languages all read these lists.

use crate::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;

/// One setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name inside its table: `copy` of `copying.copy`.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// What it may be.
    pub range: Range,
    /// What it counts; empty where it has no unit.
    pub unit: &'static str,
    /// Where the default comes from.
    pub source: &'static str,
}

/// What a setting may be.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// A whole number, both ends allowed.
    Count(usize, usize),
    /// A number, both ends allowed.
    Number(f64, f64),
    /// A number above the first and at most the second.
    Above(f64, f64),
    /// A number from the first to below the second.
    Below(f64, f64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// This word, or what the range allows.
    Or(&'static str, &'static Range),
}

/// An enum whose values are words: `Variant = "word"`, in files, options and the ranges of settings.
#[doc(hidden)]
#[macro_export]
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$of_variant:meta])* $variant:ident = $word:literal,)* }) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        $(#[$meta])*
        pub enum $name {
            $($(#[$of_variant])* #[serde(rename = $word)] $variant,)*
        }

        #[allow(dead_code)] // not everything is asked of every enum
        impl $name {
            /// All of them.
            pub const ALL: [Self; [$($word),*].len()] = [$(Self::$variant),*];

            /// Their words.
            pub const WORDS: [&'static str; [$($word),*].len()] = [$($word),*];

            /// The word in files and options.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// The one of this word.
            pub fn named(word: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|of| of.name() == word)
            }
        }
    };
}

/// A table of settings, each declared once: `field: type = default, range, unit, help, source;`.
///
/// Gives the struct, the list of its settings and, with the arguments that defaults depend on, `new`. Fields in
/// `beside` are not settings of this table.
macro_rules! table {
    (
        $(#[$meta:meta])*
        pub struct $name:ident($($arg:ident: $of:ty),*)
        $(beside { $($(#[$attribute:meta])* $other:ident: $kind:ty = $value:expr;)* })?
        { $($field:ident: $type:ty = $default:expr, $range:expr, $unit:literal, $help:literal, $source:literal;)* }
    ) => {
        #[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
        $(#[$meta])*
        pub struct $name {
            $(#[doc = $help] pub $field: $type,)*
            $($($(#[$attribute])* pub $other: $kind,)*)?
        }

        impl $name {
            /// The settings of this table.
            pub(crate) const SETTINGS: &[$crate::setting::Setting] = &[$($crate::setting::Setting {
                name: stringify!($field),
                help: $help,
                range: $range,
                unit: $unit,
                source: $source,
            }),*];

            /// The defaults.
            #[allow(clippy::new_without_default, reason = "some tables have no arguments")]
            pub fn new($($arg: $of),*) -> Self {
                Self { $($field: $default,)* $($($other: $value,)*)? }
            }
        }
    };
}
pub(crate) use table;
pub use words;

/// A whole number from 1.
pub(crate) const FROM_1: Range = Range::Count(1, 1_000_000_000);
/// A whole number from 0.
pub(crate) const FROM_0: Range = Range::Count(0, 1_000_000_000);
/// A number above 0.
pub(crate) const POSITIVE: Range = Range::Above(0.0, 1e15);
/// A number from 0.
pub(crate) const NOT_NEGATIVE: Range = Range::Number(0.0, 1e15);
/// A probability.
pub(crate) const PROBABILITY: Range = Range::Number(0.0, 1.0);
/// A share above 0.
pub(crate) const SHARE: Range = Range::Above(0.0, 1.0);
/// Numbers of classes, communities and levels.
pub(crate) const COMMUNITIES: Range = Range::Count(1, 1 << 20);

impl Range {
    /// Whether the value is allowed. NaN is not, whatever the range.
    pub fn contains(&self, value: &Value) -> bool {
        let number = value.as_f64();
        match *self {
            Self::Count(low, high) => value.as_u64().is_some_and(|n| (low as u64..=high as u64).contains(&n)),
            Self::Number(low, high) => number.is_some_and(|x| (low..=high).contains(&x)),
            Self::Above(low, high) => number.is_some_and(|x| x > low && x <= high),
            Self::Below(low, high) => number.is_some_and(|x| (low..high).contains(&x)),
            Self::Word(words) => value.as_str().is_some_and(|text| words.contains(&text)),
            Self::Or(word, range) => value.as_str() == Some(word) || range.contains(value),
        }
    }

    /// A value from text; a number where the range takes numbers, text otherwise.
    pub fn read(&self, text: &str) -> Value {
        let number = || text.parse::<f64>().ok().map(Value::from);
        match self {
            Self::Count(..) => text.parse::<u64>().ok().map(Value::from),
            Self::Number(..) | Self::Above(..) | Self::Below(..) => number(),
            Self::Word(_) => None,
            Self::Or(word, _) if text == *word => None,
            Self::Or(_, range) => Some(range.read(text)),
        }
        .unwrap_or_else(|| Value::from(text))
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Count(low, 1_000_000_000) => write!(f, "{low} or more"),
            Self::Count(low, high) => write!(f, "{low} to {high}"),
            Self::Number(low, 1e15) => write!(f, "{low} or more"),
            Self::Number(low, high) => write!(f, "{low} to {high}"),
            Self::Above(low, 1e15) => write!(f, "above {low}"),
            Self::Above(low, high) => write!(f, "above {low}, at most {high}"),
            Self::Below(low, high) => write!(f, "from {low}, below {high}"),
            Self::Word(words) => f.write_str(&words.join(" | ")),
            Self::Or(word, range) => write!(f, "{word}, or {range}"),
        }
    }
}

/// Checks a serialised table against its settings. `table` is the first half of the keys.
pub(crate) fn check(table: &str, settings: &[Setting], values: &impl Serialize) -> Result<(), Error> {
    let values = object(values);
    for setting in settings {
        if let Some(value) = values.get(setting.name)
            && !setting.range.contains(value)
        {
            return Err(setting.refuse(table, value));
        }
    }
    Ok(())
}

/// A table of settings as JSON.
pub(crate) fn object(values: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(values).expect("settings are plain values") {
        Value::Object(map) => map,
        other => unreachable!("settings are tables, not {other}"),
    }
}

impl Setting {
    /// The error for a value outside the range.
    pub(crate) fn refuse(&self, table: &str, found: &Value) -> Error {
        // A number that is not finite has no JSON.
        let found = if found.is_null() { "not a finite number".into() } else { shown(found) };
        Error::setting(format!("{table}.{}", self.name), found, format!("allowed: {}", self.range))
    }
}

/// A value as a person writes it.
pub fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A number, or what the data suggests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OrAuto {
    /// By the rule in the setting's help.
    Auto,
    /// This number.
    Fixed(f64),
}

impl Serialize for OrAuto {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Fixed(number) => serializer.serialize_f64(*number),
        }
    }
}

impl<'de> Deserialize<'de> for OrAuto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        match (value.as_str(), value.as_f64()) {
            (Some("auto"), _) => Ok(Self::Auto),
            (_, Some(number)) => Ok(Self::Fixed(number)),
            _ => Err(serde::de::Error::custom(format!("{value} is neither auto nor a number"))),
        }
    }
}

/// The word among `known` that is nearest to `word` by edits, where one is near.
pub fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let found = known.map(|other| (edits(word, other), other)).min_by_key(|(distance, _)| *distance)?;
    (found.0 <= word.chars().count().div_ceil(2)).then_some(found.1)
}

/// Insertions, deletions and replacements between two words.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn edits_are_counted() {
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn ranges_hold_their_ends_as_they_say_and_never_nan() {
        let holds = |range: Range, text: &str| range.contains(&range.read(text));
        assert!(holds(Range::Count(1, 9), "9") && !holds(Range::Count(1, 9), "0") && !holds(Range::Count(1, 9), "1.5"));
        assert!(holds(PROBABILITY, "0") && holds(PROBABILITY, "1e-3") && !holds(PROBABILITY, "1.1"));
        assert!(!holds(SHARE, "0") && holds(SHARE, "1"));
        assert!(holds(Range::Below(0.0, 1.0), "0.99") && !holds(Range::Below(0.0, 1.0), "1"));
        assert!(holds(Range::Word(&["a", "b"]), "b") && !holds(Range::Word(&["a", "b"]), "c"));
        assert!(holds(Range::Or("auto", &SHARE), "auto") && holds(Range::Or("auto", &SHARE), "0.5"));
        for range in [PROBABILITY, SHARE, POSITIVE, NOT_NEGATIVE, Range::Or("auto", &SHARE)] {
            assert!(["NaN", "inf", "-1", "x", ""].iter().all(|text| !holds(range, text)), "{range}");
        }
    }

    table! {
        /// Two settings.
        pub struct Example(copies: usize) {
            copies: usize = copies, FROM_1, "copies", "how many", "given";
            share: f64 = 0.25, SHARE, "share", "how much", "chosen";
        }
    }

    #[test]
    fn a_table_checks_its_fields_and_nan_is_outside_every_range() {
        let refused = |example: Example| check("example", Example::SETTINGS, &example).unwrap_err().to_string();
        assert!(check("example", Example::SETTINGS, &Example::new(3)).is_ok());
        assert!(refused(Example::new(0)).contains("example.copies is 0"));
        for bad in [f64::NAN, f64::INFINITY, 0.0, 1.5] {
            assert!(refused(Example { share: bad, ..Example::new(3) }).contains("example.share is"), "{bad}");
        }
    }

    #[test]
    fn auto_or_a_number_is_written_as_people_write_it() {
        for (value, written) in [(OrAuto::Auto, json!("auto")), (OrAuto::Fixed(1e-4), json!(1e-4))] {
            assert_eq!(serde_json::to_value(value).unwrap(), written);
            assert_eq!(serde_json::from_value::<OrAuto>(written).unwrap(), value);
        }
        assert!(serde_json::from_value::<OrAuto>(json!("often")).is_err());
    }
}
