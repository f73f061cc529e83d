//! Whether the link model ranks planted edges better than each other ranker, run by run.
//!
//! Where 10 % uniform edges are planted. p-values are Wilcoxon's, two-sided, and corrected by Holm over the rankers of
//! a cell: with ten runs the smallest is 2/1024, which stays below 0.05 for up to 25 rankers.

use super::baselines::WITH_LABELS;
use super::{Cell, Key, Kind, LINKS, Outcome};
use bgcn_core::metrics::wilcoxon_signed_rank;
use serde::Serialize;
use std::collections::BTreeMap;

/// What is planted where rankers are compared, in percent.
const PERCENT: u32 = 10;
/// Two-sided.
const LEVEL: f64 = 0.05;

/// The link model and another ranker on the same graphs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Where.
    #[serde(flatten)]
    pub cell: Cell,
    /// The other.
    pub ranker: String,
    /// Runs that both have.
    pub runs: usize,
    /// Mean average precision of the link model.
    pub links: f64,
    /// Mean average precision of the other.
    pub other: f64,
    /// Two-sided p-value.
    pub p: f64,
    /// The same, corrected for the number of rankers in the cell.
    pub p_holm: f64,
}

impl Comparison {
    /// In a table.
    pub fn word(&self) -> &'static str {
        match self.links > self.other {
            _ if self.p_holm >= LEVEL => "open",
            true => "better",
            false => "**worse**",
        }
    }
}

/// Average precision by ranker and run.
type ByRanker<'a> = BTreeMap<&'a str, BTreeMap<u32, f64>>;

/// Every comparison on one dataset.
pub fn compare(outcomes: &BTreeMap<Key, Outcome>, dataset: &str) -> Vec<Comparison> {
    let mut cells: BTreeMap<Cell, ByRanker<'_>> = BTreeMap::new();
    let compared = |key: &Key| key.dataset == dataset && key.cell.kind == Kind::Uniform && key.cell.percent == PERCENT;
    for (key, outcome) in outcomes.iter().filter(|(key, _)| compared(key)) {
        for (ranker, ranking) in outcome.rankings.iter().filter(|(ranker, _)| *ranker != WITH_LABELS) {
            let runs = cells.entry(key.cell).or_default().entry(ranker).or_default();
            runs.insert(key.run, ranking.average_precision);
        }
    }
    cells.iter().flat_map(|(cell, rankers)| in_cell(*cell, rankers)).collect()
}

fn in_cell(cell: Cell, rankers: &ByRanker<'_>) -> Vec<Comparison> {
    let Some(links) = rankers.get(LINKS) else { return Vec::new() };
    let mut compared = Vec::new();
    for (ranker, runs) in rankers.iter().filter(|(ranker, _)| **ranker != LINKS) {
        let pairs = links.iter().filter_map(|(run, links)| Some((*links, *runs.get(run)?)));
        let (ours, other): (Vec<f64>, Vec<f64>) = pairs.unzip();
        if ours.is_empty() {
            continue;
        }
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let p = wilcoxon_signed_rank(&ours, &other).p;
        compared.push(Comparison {
            cell,
            ranker: (*ranker).to_owned(),
            runs: ours.len(),
            links: mean(&ours),
            other: mean(&other),
            p,
            p_holm: p,
        });
    }
    let corrected = holm(&compared.iter().map(|one| one.p).collect::<Vec<_>>());
    compared.iter_mut().zip(corrected).for_each(|(one, p)| one.p_holm = p);
    compared
}

/// Holm's correction: the smallest of m p-values times m, the next times m − 1, and so on, never descending.
fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&i, &j| p[i].total_cmp(&p[j]));
    let (mut corrected, mut least) = (vec![1.0; p.len()], 0.0f64);
    for (rank, i) in order.into_iter().enumerate() {
        least = least.max(p[i] * (p.len() - rank) as f64).min(1.0);
        corrected[i] = least;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::super::{First, Ranking};
    use super::*;

    #[test]
    fn holm_worked_out_by_hand() {
        let found = holm(&[0.01, 0.04, 0.03, 0.5]);
        let wanted = [0.04, 0.09, 0.09, 0.5];
        assert!(found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() < 1e-12), "{found:?}");
        assert!(holm(&[]).is_empty());
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
    }

    #[test]
    fn better_in_ten_runs_is_better_and_in_three_open() {
        let outcomes = |runs: u32| {
            let mut all = BTreeMap::new();
            for (ranker, mean) in [(LINKS, 0.6), ("cosine", 0.4), ("degrees", 0.7), (WITH_LABELS, 0.1)] {
                for run in 0..runs {
                    let cell = Cell::new(Kind::Uniform, 10, 20);
                    let key = Key { dataset: "d".into(), cell, ranker: ranker.into(), run };
                    let first = First { at_10: 0.0, at_100: 0.0, at_1000: 0.0 };
                    let ranking = Ranking { average_precision: mean + 0.001 * f64::from(run), first };
                    let rankings = BTreeMap::from([(ranker.to_owned(), ranking)]);
                    all.insert(key, Outcome { rankings, ..Outcome::default() });
                }
            }
            all
        };
        let words = |runs| compare(&outcomes(runs), "d").iter().map(Comparison::word).collect::<Vec<_>>();
        assert_eq!(words(10), ["better", "**worse**"]);
        assert_eq!(words(3), ["open", "open"]);
        assert!(compare(&outcomes(3), "e").is_empty());
    }
}
