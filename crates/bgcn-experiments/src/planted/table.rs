//! Outcomes of many runs.

use super::compare::{Comparison, compare};
use super::{Cell, Clean, First, Judged, Key, LINKS, Missing, Outcome, Ranking, baselines};
use crate::summary::Summary;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The study of one dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlantedTable {
    /// Dataset.
    pub dataset: String,
    /// Every ranker in every cell with planted edges.
    pub rankings: Vec<RankerRow>,
    /// Findings of the link model beside its ranking, by cell.
    pub calibration: Vec<CalibrationRow>,
    /// Hidden edges.
    pub missing: Vec<MissingRow>,
    /// Nothing planted.
    pub clean: Option<CleanRow>,
    /// The link model against every other ranker.
    pub comparisons: Vec<Comparison>,
}

/// A ranker in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankerRow {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// Who.
    pub ranker: String,
    /// Average precision.
    pub average_precision: Summary,
    /// Of the first ten edges, the share that was planted.
    pub at_10: Summary,
    /// Of the first hundred.
    pub at_100: Summary,
    /// Of the first thousand.
    pub at_1000: Summary,
}

/// P(spurious), ρ and lists in a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// ρ as found.
    pub rho: Summary,
    /// The share of the observed edges that was planted.
    pub planted: f64,
    /// The same and, of all others, the share that is the clean graph's mean ρ.
    pub with_clean: Option<f64>,
    /// Expected calibration error of P(spurious).
    pub ece: Summary,
    /// Of the listed edges, the share that was not planted; over the runs with a list.
    pub fdr: Option<Summary>,
    /// Edges listed.
    pub listed: Summary,
}

/// Hidden edges among the missing pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MissingRow {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// Of the first ten pairs, the share that was hidden.
    pub at_10: Summary,
    /// Of the first hundred.
    pub at_100: Summary,
    /// Of the first thousand.
    pub at_1000: Summary,
    /// The share of other edges that the search finds without seeing them.
    pub recall: Option<Summary>,
}

/// The graph as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CleanRow {
    /// ρ as found.
    pub rho: Summary,
    /// Of the most suspicious edges, how many join different classes.
    pub different: Summary,
}

/// Collects finished trials, a table for each dataset.
pub fn tabulate(outcomes: &BTreeMap<Key, Outcome>) -> Vec<PlantedTable> {
    let datasets: BTreeSet<&str> = outcomes.keys().map(|key| key.dataset.as_str()).collect();
    datasets.into_iter().map(|dataset| table(outcomes, dataset)).collect()
}

/// What the runs of one dataset found, by cell.
#[derive(Default)]
struct Found {
    rankings: BTreeMap<Cell, BTreeMap<String, Vec<Ranking>>>,
    judged: BTreeMap<Cell, Vec<Judged>>,
    missing: BTreeMap<Cell, Vec<Missing>>,
    clean: Vec<Clean>,
}

fn table(outcomes: &BTreeMap<Key, Outcome>, dataset: &str) -> PlantedTable {
    let mut found = Found::default();
    for (Key { cell, .. }, outcome) in outcomes.iter().filter(|(key, _)| key.dataset == dataset) {
        for (ranker, ranking) in &outcome.rankings {
            found.rankings.entry(*cell).or_default().entry(ranker.clone()).or_default().push(*ranking);
        }
        found.clean.extend(outcome.clean);
        if let Some(judged) = outcome.judged {
            found.judged.entry(*cell).or_default().push(judged);
        }
        if let Some(missing) = outcome.missing {
            found.missing.entry(*cell).or_default().push(missing);
        }
    }
    let clean = clean_row(&found.clean);
    let clean_rho = clean.as_ref().map(|clean| clean.rho.mean);
    PlantedTable {
        dataset: dataset.to_owned(),
        rankings: found.rankings.iter().flat_map(|(cell, rankers)| ranker_rows(*cell, rankers)).collect(),
        calibration: found.judged.iter().map(|(cell, judged)| calibration_row(*cell, judged, clean_rho)).collect(),
        missing: found.missing.iter().map(|(cell, missing)| missing_row(*cell, missing)).collect(),
        clean,
        comparisons: compare(outcomes, dataset),
    }
}

fn firsts<T>(runs: &[T], of: impl Fn(&T) -> First) -> [Summary; 3] {
    let over = |at: fn(&First) -> f64| Summary::over(runs, |run| at(&of(run)));
    [over(|first| first.at_10), over(|first| first.at_100), over(|first| first.at_1000)]
}

/// The link model first, then graph models, then the baselines.
fn ranker_rows(cell: Cell, rankers: &BTreeMap<String, Vec<Ranking>>) -> Vec<RankerRow> {
    let place = |ranker: &str| match baselines::NAMES.iter().position(|name| *name == ranker) {
        Some(place) => 2 + place,
        None => usize::from(ranker != LINKS),
    };
    let row = |(ranker, rankings): (&String, &Vec<Ranking>)| {
        let [at_10, at_100, at_1000] = firsts(rankings, |ranking| ranking.first);
        let average_precision = Summary::over(rankings, |ranking| ranking.average_precision);
        RankerRow { cell, ranker: ranker.clone(), average_precision, at_10, at_100, at_1000 }
    };
    let mut rows: Vec<RankerRow> = rankers.iter().map(row).collect();
    rows.sort_by_key(|row| place(&row.ranker));
    rows
}

fn calibration_row(cell: Cell, judged: &[Judged], clean_rho: Option<f64>) -> CalibrationRow {
    let planted = Summary::over(judged, |judged| judged.spurious).mean;
    CalibrationRow {
        cell,
        rho: Summary::over(judged, |judged| judged.rho),
        planted,
        with_clean: clean_rho.map(|rho| planted + (1.0 - planted) * rho),
        ece: Summary::over(judged, |judged| judged.ece),
        fdr: Summary::some(judged, |judged| judged.fdr),
        listed: Summary::over(judged, |judged| judged.listed as f64),
    }
}

fn missing_row(cell: Cell, missing: &[Missing]) -> MissingRow {
    let [at_10, at_100, at_1000] = firsts(missing, |missing| missing.first);
    MissingRow { cell, at_10, at_100, at_1000, recall: Summary::some(missing, |missing| missing.recall) }
}

fn clean_row(clean: &[Clean]) -> Option<CleanRow> {
    (!clean.is_empty()).then(|| CleanRow {
        rho: Summary::over(clean, |clean| clean.rho),
        different: Summary::over(clean, |clean| clean.different as f64),
    })
}
