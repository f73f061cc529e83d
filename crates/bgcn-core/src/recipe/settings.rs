//! The tables of the recipe that belong to no network and no graph model: each setting with its default.

use super::{DecoyKind, Doubted, ScheduleKind, WeightSampling};
use crate::setting::{FROM_0, FROM_1, NOT_NEGATIVE, POSITIVE, PROBABILITY, Range, SHARE, table};

/// The value for the schedule `published`, or for `algorithm1`.
fn of<T>(kind: ScheduleKind, published: T, algorithm1: T) -> T {
    if kind == ScheduleKind::Published { published } else { algorithm1 }
}

/// Weights still improve while graphs are drawn, of several models the longer: docs/ablations.md.
fn draws(kind: ScheduleKind, models: usize) -> usize {
    of(kind, if models > 1 { 200 } else { 150 }, 10)
}

/// How many of so many draws are averaged: as many as 30 of 99.
pub(super) fn averaged(draws: usize) -> usize {
    (draws * 30 / 99).max(1)
}

table! {
    /// How many graphs and weights are sampled, and when; the defaults of so many graph models.
    pub struct Schedule(kind: ScheduleKind, models: usize) {
        kind: ScheduleKind = kind, Range::Word(&ScheduleKind::WORDS), "",
            "sampling schedule: the authors' code, or Algorithm 1; the option --schedule", "authors' code";
        pretraining: usize = of(kind, 201, 200), FROM_0, "epochs",
            "training steps on the observed graph before the first draw",
            "201: authors' code; algorithm1 200: Kipf and Welling (2017)";
        draws: usize = draws(kind, models), FROM_1, "graphs",
            "N_G, graphs drawn for each sample of the graph model's parameters",
            "measured: docs/ablations.md; the authors draw 99";
        averaged: usize = averaged(draws(kind, models)), FROM_1, "graphs",
            "how many of the last draws are averaged; published only",
            "30 of 99 draws: docs/ablations.md; the authors average 59";
        infer_every: usize = 10, FROM_1, "epochs", "training steps between two inferences; published only",
            "measured: docs/ablations.md; the authors infer every 20";
        samples: usize = 10, FROM_1, "weights", "S, weights sampled for each graph; algorithm1 only",
            "a choice of ours: docs/estimator.md";
        lambdas: usize = 1, FROM_1, "samples", "V, samples of the graph model's parameters; algorithm1 only",
            "paper: the maximum";
        graph_epochs: usize = 60, FROM_0, "epochs", "training steps on each drawn graph; algorithm1 only",
            "a choice of ours";
        weight_sampling: WeightSampling = WeightSampling::Masks,
            Range::Word(&WeightSampling::WORDS), "",
            "how weights are sampled for a graph: dropout masks of one network, networks trained on, preconditioned \
             Langevin dynamics, fresh networks; algorithm1 only",
            "paper: Monte Carlo dropout";
        sgld_step: f64 = 1e-4, Range::Above(0.0, 1.0), "", "step size of sgld", "a choice of ours";
        sgld_temperature: f64 = 1e-2, Range::Number(0.0, 1e6), "",
            "temperature of sgld; 1 samples the posterior, 0 is plain descent", "a choice of ours";
        sgld_memory: f64 = 0.99, Range::Number(0.0, 0.999_999), "share",
            "share of the running mean of squared gradients, which preconditions sgld, that a step keeps",
            "Li et al. (2016)";
        sgld_floor: f64 = 1e-5, POSITIVE, "", "added to the root of that mean before it divides a step of sgld",
            "Li et al. (2016)";
        keep: usize = 8, FROM_1, "weights", "weights kept for later predictions", "a choice of ours: 0.7 MB on Cora";
    }
}

table! {
    /// The belief over classes that graph models start from: the network's prediction, pooled with the feature-only
    /// one, and spread by label propagation.
    #[derive(Copy)]
    pub struct Belief(self_weight: f64, neighbour_agreement: f64) {
        propagation_steps: usize = 5, FROM_0, "steps",
            "steps of label propagation before a graph model starts; the paper has none",
            "measured: docs/ablations.md";
        self_weight: f64 = self_weight, Range::Above(0.0, 1e6), "neighbours",
            "how many neighbours a node's own prediction counts for",
            "copying 1: docs/ablations.md; others 2: docs/estimator.md";
        neighbour_agreement: f64 = neighbour_agreement, Range::Number(0.0, 100.0), "",
            "exponent of the neighbour agreement, by which neighbours that contradict each other count less; 0 gives \
             every neighbour the same weight",
            "copying 0: docs/ablations.md; others 1.5: docs/estimator.md";
        feature_weight: f64 = 0.5, PROBABILITY, "share",
            "weight of the feature-only prediction (log-linear pooling); the paper has 0",
            "measured: docs/ablations.md";
    }
}

table! {
    /// How several graph models are weighted, by links hidden from them.
    #[derive(Copy)]
    pub struct Average() {
        evidence: f64 = 2.0, NOT_NEGATIVE, "links",
            "held-out links whose evidence weighs the graph models: weight times exp(evidence score); 0 takes the \
             weights given",
            "measured: docs/ablations.md";
        hidden_share: f64 = 0.1, Range::Above(0.0, 0.5), "share", "share of the links hidden from the models",
            "a choice of ours";
        density_share: f64 = 0.05, SHARE, "share", "share of the graph's density in the probability of a link",
            "a choice of ours";
        non_links: usize = 20_000, FROM_1, "pairs", "pairs drawn as an estimate of all without a link",
            "a choice of ours";
    }
}

table! {
    /// How single edges are judged.
    #[derive(Copy)]
    pub struct LinkSettings() {
        doubted: Doubted = Doubted::Kept, Range::Word(&Doubted::WORDS), "",
            "edges whose P(spurious) is above one half: kept, or left out before the fit is done anew, which takes \
             three times as long",
            "kept; preset robust leaves them out: docs/edges.md";
        decoys: DecoyKind = DecoyKind::Uniform, Range::Word(&DecoyKind::WORDS), "",
            "random edges that observed ones are compared with: between any two nodes, or from labelled nodes, as an \
             attacker aims them",
            "uniform: docs/edges.md; preset robust has aimed";
        decoy_share: f64 = 0.1, Range::Above(0.0, 1.0), "share", "decoys, as a share of the observed edges",
            "a choice of ours: docs/edges.md";
        missing_share: f64 = 0.1, Range::Above(0.0, 0.9), "share",
            "share of the true edges that is assumed not to be observed: the prior of P(missing)", "a choice of ours";
        unknown_share: f64 = 0.1, Range::Above(0.0, 0.9), "share",
            "share of the observed edges that is assumed to be spurious where nothing can be learned",
            "a choice of ours";
        least_decoys: usize = 200, FROM_1, "decoys",
            "decoys over all rounds, at least; small graphs take up to eight rounds", "a choice of ours";
        learned_from: usize = 50_000, FROM_1, "edges",
            "decoys of a round, and observed edges, that the link model is learned from, at most", "a choice of ours";
        hidden_edges: usize = 3_000, FROM_1, "edges",
            "observed edges that a round hides to learn P(missing), at most", "a choice of ours";
        candidates: usize = 250, Range::Count(40, 1_000_000), "nodes",
            "candidates for missing edges of a node, at most", "a choice of ours";
        ridge: f64 = 0.5, NOT_NEGATIVE, "", "ridge penalty on the standardised terms of the link model",
            "a choice of ours";
        folds: usize = 5, Range::Count(2, 1_000), "folds",
            "cross-fitting: an edge is judged by weights that are learned from the other folds", "a choice of ours";
    }
}

impl Default for LinkSettings {
    fn default() -> Self {
        Self::new()
    }
}
