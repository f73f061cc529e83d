//! Accuracy tables, set beside the published ones.

use super::{Cell, Key, Outcome, Scaled, SplitName};
use crate::published::{Printed, Published};
use crate::summary::Summary;
use bgcn_core::metrics::{Wilcoxon, wilcoxon_signed_rank};
use serde::Serialize;
use std::collections::BTreeMap;

/// The table of one dataset and split: methods down, labels per class across.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// Dataset.
    pub dataset: String,
    /// Split.
    pub split: SplitName,
    /// Every cell that has trials, by labels per class and then method.
    pub cells: Vec<CellResult>,
}

/// All tables of a run.
pub type Tables = Vec<Table>;

/// One method with one number of labels. Figures in percent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellResult {
    /// Training nodes of each class.
    pub labels_per_class: usize,
    /// Method.
    pub method: String,
    /// Accuracy over the runs.
    pub accuracy: Summary,
    /// Expected calibration error over the runs.
    pub ece: Summary,
    /// Negative log-likelihood over the runs (not a percentage).
    pub nll: Summary,
    /// Expected calibration error after temperature scaling, where every run has one.
    pub ece_scaled: Option<Summary>,
    /// Negative log-likelihood after temperature scaling, where every run has one.
    pub nll_scaled: Option<Summary>,
    /// The paper's mean and standard deviation, where it has them.
    pub published: Option<(f64, f64)>,
    /// How ours compares with it.
    pub verdict: Option<Verdict>,
    /// Whether this is the best method of its column.
    pub best: bool,
    /// For the best: p-value of the Wilcoxon signed-rank test against the second best, over the shared runs.
    pub p_against_second: Option<f64>,
}

/// Our mean against the published one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Ours less theirs, in points.
    pub difference: f64,
    /// The standard error of that difference.
    pub error: f64,
}

impl Verdict {
    pub(super) fn new(ours: &Summary, theirs: Printed, runs: usize) -> Self {
        let error = (ours.error().powi(2) + theirs.sd.powi(2) / runs as f64).sqrt();
        Self { difference: ours.mean - theirs.mean, error }
    }
}

/// The runs of every method in one cell.
pub(super) type Methods<'a> = BTreeMap<&'a str, BTreeMap<u32, Outcome>>;

/// Finished trials by cell.
pub(super) fn by_cell(outcomes: &BTreeMap<Key, Outcome>) -> BTreeMap<&Cell, Methods<'_>> {
    let mut cells: BTreeMap<&Cell, Methods<'_>> = BTreeMap::new();
    for (key, outcome) in outcomes {
        cells.entry(&key.cell).or_default().entry(&key.method).or_default().insert(key.run, *outcome);
    }
    cells
}

/// The method with the highest mean, and the Wilcoxon signed-rank test against the second on the runs they share.
pub(super) struct Lead<'a> {
    pub(super) best: &'a str,
    pub(super) against_second: Option<Wilcoxon>,
}

/// Who leads; `None` where there is no method. Of equals, the first by name.
pub(super) fn lead<'a>(methods: &Methods<'a>) -> Option<Lead<'a>> {
    let mean = |runs: &BTreeMap<u32, Outcome>| runs.values().map(|o| o.accuracy).sum::<f64>() / runs.len() as f64;
    let mut order: Vec<(&str, &BTreeMap<u32, Outcome>)> = methods.iter().map(|(&name, runs)| (name, runs)).collect();
    order.sort_by(|(_, a), (_, b)| mean(b).total_cmp(&mean(a)));
    let against_second = match order[..] {
        [(_, first), (_, second), ..] => {
            let pairs = first.iter().filter_map(|(run, o)| Some((o.accuracy, second.get(run)?.accuracy)));
            let (x, y): (Vec<f64>, Vec<f64>) = pairs.unzip();
            Some(wilcoxon_signed_rank(&x, &y))
        }
        _ => None,
    };
    Some(Lead { best: order.first()?.0, against_second })
}

/// Collects finished trials into tables.
pub fn tabulate(outcomes: &BTreeMap<Key, Outcome>, paper: &Published) -> Tables {
    let mut tables: Tables = Vec::new();
    for (cell, methods) in by_cell(outcomes) {
        let same = |table: &Table| table.dataset == cell.dataset && table.split == cell.split;
        if !tables.last().is_some_and(same) {
            tables.push(Table { dataset: cell.dataset.clone(), split: cell.split, cells: Vec::new() });
        }
        let table = tables.last_mut().expect("just pushed");
        table.cells.extend(column(cell, &methods, paper));
    }
    tables
}

fn column(cell: &Cell, methods: &Methods<'_>, paper: &Published) -> Vec<CellResult> {
    let lead = lead(methods);
    let best = |method: &str| lead.as_ref().filter(|lead| lead.best == method);
    methods
        .iter()
        .map(|(&method, runs)| {
            let accuracy = percent(runs, |o| o.accuracy);
            let published = paper.accuracy(cell, method);
            CellResult {
                labels_per_class: cell.labels_per_class,
                method: method.to_owned(),
                verdict: published.map(|figure| Verdict::new(&accuracy, figure, paper.runs)),
                published: published.map(|figure| (figure.mean, figure.sd)),
                ece: percent(runs, |o| o.ece),
                accuracy,
                nll: Summary::over(runs.values(), |o| o.nll),
                ece_scaled: scaled(runs, |s| 100.0 * s.ece),
                nll_scaled: scaled(runs, |s| s.nll),
                best: best(method).is_some(),
                p_against_second: best(method).and_then(|lead| Some(lead.against_second?.p)),
            }
        })
        .collect()
}

/// Over all runs, in percent.
pub(super) fn percent(runs: &BTreeMap<u32, Outcome>, of: fn(&Outcome) -> f64) -> Summary {
    Summary::over(runs.values(), |outcome| 100.0 * of(outcome))
}

/// Over all runs; `None` where one was not scaled.
fn scaled(runs: &BTreeMap<u32, Outcome>, of: fn(&Scaled) -> f64) -> Option<Summary> {
    Summary::of(&runs.values().map(|outcome| outcome.scaled.as_ref().map(of)).collect::<Option<Vec<f64>>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::published::published;

    fn outcomes() -> BTreeMap<Key, Outcome> {
        let cell = Cell { dataset: "cora".into(), split: SplitName::Random, labels_per_class: 5 };
        let accuracy =
            |method: &str, run: u32| 0.70 + 0.01 * f64::from(run % 3) + if method == "gat" { 0.02 } else { 0.0 };
        let mut all = BTreeMap::new();
        for method in ["gcn", "gat"] {
            for run in 0..10 {
                let key = Key { cell: cell.clone(), method: method.into(), run };
                all.insert(
                    key,
                    Outcome { accuracy: accuracy(method, run), nll: 1.0, ece: 0.1, brier: 0.4, scaled: None },
                );
            }
        }
        all
    }

    #[test]
    fn the_best_method_is_tested_against_the_second_on_the_same_runs() {
        let tables = tabulate(&outcomes(), &published());
        let [gat, gcn] = &tables[0].cells[..] else { panic!("two cells") };
        assert!(gat.best && !gcn.best);
        // Ten equal differences: all signs agree, so p = 2 / 2^10.
        assert!((gat.p_against_second.unwrap() - 2.0 / 1024.0).abs() < 1e-12);
        assert_eq!(gcn.p_against_second, None);
    }

    #[test]
    fn the_difference_to_the_paper_comes_with_its_error() {
        let tables = tabulate(&outcomes(), &published());
        let gcn = &tables[0].cells[1];
        assert_eq!(gcn.published, Some((70.0, 3.7)));
        let verdict = gcn.verdict.unwrap();
        assert!((verdict.difference - 0.9).abs() < 1e-9);
        let error = (gcn.accuracy.sd.powi(2) / 10.0 + 3.7f64.powi(2) / 50.0).sqrt();
        assert!((verdict.error - error).abs() < 1e-12);
    }
}
