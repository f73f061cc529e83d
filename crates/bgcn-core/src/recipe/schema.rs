//! The settings of all tables under their keys: `bgcn settings`, checks, documentation and Python read this list.

use super::{Average, Belief, LinkSettings, Schedule};
use crate::data::Scaling;
use crate::graph_model::{ObservedEdges, registry};
use crate::network::Params;
use crate::setting::{POSITIVE, Range, Setting};

/// A setting under its key.
#[derive(Clone, Debug)]
pub struct Documented {
    /// `table.name`, as in `--set`.
    pub key: String,
    /// The table it belongs to: a part of the recipe, or a graph model.
    pub table: &'static str,
    /// What it is.
    pub setting: &'static Setting,
}

/// Settings whose values are no table of their own: of the features, of a graph model among others, and its name.
const FEATURES: &[Setting] = &[Setting {
    name: "scaling",
    help: "every row of the features divided by its sum (words), every column standardised, skewed ones after a \
           logarithm (tables), plain z-scores, or nothing; the option --scale",
    range: Range::Word(&Scaling::WORDS),
    unit: "",
    source: "by kind, measured: docs/data.md",
}];

const MEMBER: &[Setting] = &[
    Setting {
        name: "weight",
        help: "prior weight among several graph models",
        range: POSITIVE,
        unit: "",
        source: "equal",
    },
    Setting {
        name: "observed_edges",
        help: "observed edges are drawn anew with all others (paper), or stay and drawn ones are added",
        range: Range::Word(&ObservedEdges::WORDS),
        unit: "",
        source: "mmsbm redrawn; others kept: docs/ablations.md",
    },
];

const GRAPH_MODEL: &[Setting] = &[Setting {
    name: "",
    help: "random-graph model: observed trusts the graph; several, joined by +, are averaged; the option --graph-model",
    range: Range::Word(&[]),
    unit: "",
    source: "measured: docs/results.md",
}];

/// Every setting there is, in the order of the recipe, then by graph model.
pub fn schema() -> Vec<Documented> {
    let table = |table: &'static str, settings: &'static [Setting]| {
        settings.iter().map(move |setting| Documented { key: key(table, setting.name), table, setting })
    };
    let models = registry::ALL.iter().skip(1).flat_map(|entry| {
        let own = entry.settings.iter().flat_map(move |settings| table(entry.name, settings));
        table(entry.name, MEMBER).chain(own)
    });
    table("graph_model", GRAPH_MODEL)
        .chain(table("features", FEATURES))
        .chain(table("network", Params::SETTINGS))
        .chain(table("schedule", Schedule::SETTINGS))
        .chain(table("belief", Belief::SETTINGS))
        .chain(table("average", Average::SETTINGS))
        .chain(table("links", LinkSettings::SETTINGS))
        .chain(models)
        .collect()
}

fn key(table: &str, name: &str) -> String {
    if name.is_empty() { table.into() } else { format!("{table}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setting::nearest;
    use std::collections::BTreeSet;

    #[test]
    fn every_key_is_there_once_with_help_and_source() {
        let all = schema();
        let keys: BTreeSet<&str> = all.iter().map(|documented| documented.key.as_str()).collect();
        assert_eq!(keys.len(), all.len());
        for Documented { key, setting, .. } in &all {
            assert!(!setting.help.is_empty() && !setting.source.is_empty(), "{key}");
        }
    }

    #[test]
    fn a_slip_of_the_hand_is_understood() {
        let keys = schema();
        let near = |word| nearest(word, keys.iter().map(|documented| documented.key.as_str()));
        assert_eq!(near("copying.cpoy"), Some("copying.copy"));
        assert_eq!(near("schedule.draw"), Some("schedule.draws"));
        assert_eq!(near("zzzzzzzz"), None);
    }
}
