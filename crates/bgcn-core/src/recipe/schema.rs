//! Every setting once: key, help, range, unit, source. `bgcn settings`, checks, documentation and Python read this
//! list.

use crate::data::Scaling;
use crate::graph_model::registry;
use crate::network;
use crate::setting::{FROM_0, FROM_1, NOT_NEGATIVE, POSITIVE, PROBABILITY, Range, SHARE, Setting, settings};

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

const FEATURES: &[Setting] = settings! {
    "scaling": Range::Word(&Scaling::WORDS), "",
        "every row of the features divided by its sum (words), every column standardised, skewed ones after a \
         logarithm (tables), plain z-scores, or nothing; the option --scale",
        "by kind, measured: docs/data.md";
};

const SCHEDULE: &[Setting] = settings! {
    "kind": Range::Word(&["published", "algorithm1"]), "",
        "order of inference, drawing and training: the authors' code, or Algorithm 1; the option \
         --schedule", "authors' code";
    "pretraining": FROM_0, "epochs", "training steps on the observed graph before the first draw",
        "201: authors' code; algorithm1 200: Kipf and Welling (2017)";
    "draws": FROM_1, "graphs", "N_G, graphs drawn for each sample of the graph model's parameters",
        "measured: docs/ablations.md; the authors draw 99";
    "averaged": FROM_1, "graphs", "how many of the last draws are averaged; published only",
        "30 of 99 draws: docs/ablations.md; the authors average 59";
    "infer_every": FROM_1, "epochs", "training steps between two inferences; published only",
        "measured: docs/ablations.md; the authors infer every 20";
    "samples": FROM_1, "weights", "S, weights sampled for each graph; algorithm1 only", "a choice of ours: \
                                        docs/estimator.md";
    "lambdas": FROM_1, "samples", "V, samples of the graph model's parameters; algorithm1 only", "paper: the maximum";
    "graph_epochs": FROM_0, "epochs", "training steps on each drawn graph; algorithm1 only", "a choice of ours";
    "weight_sampling": Range::Word(&["masks", "retrain", "sgld", "restarts"]), "",
        "how weights are sampled for a graph: dropout masks of one network, networks trained on, preconditioned \
         Langevin dynamics, fresh networks; algorithm1 only",
        "paper: Monte Carlo dropout";
    "sgld_step": Range::Above(0.0, 1.0), "", "step size of sgld", "a choice of ours";
    "sgld_temperature": Range::Number(0.0, 1e6), "", "temperature of sgld; 1 samples the posterior", "a choice of ours";
    "sgld_memory": Range::Number(0.0, 0.999_999), "share",
        "share of the running mean of squared gradients, which preconditions sgld, that a step keeps",
        "Li et al. (2016)";
    "sgld_floor": POSITIVE, "", "added to the root of that mean before it divides a step of sgld", "Li et al. (2016)";
    "keep": FROM_1, "weights", "weights kept for later predictions", "a choice of ours: 0.7 MB on Cora";
};

const BELIEF: &[Setting] = settings! {
    "propagation_steps": FROM_0, "steps", "steps of label propagation before a graph model starts; the paper has none",
        "measured: docs/ablations.md";
    "self_weight": Range::Above(0.0, 1e6), "neighbours", "how many neighbours a node's own prediction counts for",
        "copying 1: docs/ablations.md; others 2: docs/estimator.md";
    "neighbour_agreement": Range::Number(0.0, 100.0), "",
        "exponent of the neighbour agreement, by which neighbours that contradict each other count less; 0 counts \
         all alike",
        "copying 0: docs/ablations.md; others 1.5: docs/estimator.md";
    "feature_weight": PROBABILITY, "share", "weight of the feature-only prediction (log-linear pooling); the paper \
                                        has 0",
        "measured: docs/ablations.md";
};

const AVERAGE: &[Setting] = settings! {
    "evidence": NOT_NEGATIVE, "links",
        "held-out links whose evidence weighs the graph models: weight times exp(evidence score); 0 takes the \
         weights given",
        "measured: docs/ablations.md";
    "hidden_share": Range::Above(0.0, 0.5), "share", "share of the links hidden from the models", "a choice of ours";
    "density_share": SHARE, "share", "share of the graph's density in the probability of a link", "a choice of ours";
    "non_links": FROM_1, "pairs", "pairs drawn as an estimate of all without a link", "a choice of ours";
};

const LINKS: &[Setting] = settings! {
    "doubted": Range::Word(&["kept", "left_out"]), "",
        "edges whose P(spurious) is above one half: they stay, or are left out and the fit is done anew, which takes \
         three times as long",
        "kept; preset robust leaves them out: docs/edges.md";
    "decoys": Range::Word(&["uniform", "aimed"]), "",
        "random edges that observed ones are compared with: between any two nodes, or from labelled nodes, as an \
         attacker aims them",
        "uniform: docs/edges.md; preset robust has aimed";
    "decoy_share": Range::Above(0.0, 1.0), "share", "decoys, as a share of the observed edges",
        "a choice of ours: docs/edges.md";
    "missing_share": Range::Above(0.0, 0.9), "share", "share of the true edges that is assumed not to be observed: \
                                        the prior of P(missing)",
        "a choice of ours";
};

/// Of each graph model that starts from a belief, beside its own.
const MEMBER: &[Setting] = settings! {
    "weight": POSITIVE, "", "prior weight among several graph models", "equal";
    "observed_edges": Range::Word(&["redrawn", "kept"]), "",
        "observed edges are drawn anew with all others (paper), or stay and drawn ones are added",
        "mmsbm redrawn; others kept: docs/ablations.md";
};

const GRAPH_MODEL: &[Setting] = settings! {
    "": Range::Word(&[]), "",
        "which graphs could have been observed: a model, or several joined by + and averaged; the option --graph-model",
        "measured: docs/results.md";
};

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
        .chain(table("network", network::SETTINGS))
        .chain(table("schedule", SCHEDULE))
        .chain(table("belief", BELIEF))
        .chain(table("average", AVERAGE))
        .chain(table("links", LINKS))
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
