//! Each method over all cells at once: against our own GCN on the same splits, and against the best that the paper
//! prints.

use super::claims::METHODS;
use super::tables::{Methods, by_cell, percent};
use super::{Cell, Key, Outcome, Verdict};
use crate::published::Published;
use crate::summary::or_dash;
use bgcn_core::metrics::wilcoxon_signed_rank;
use bgcn_report::Block;
use serde::Serialize;
use std::collections::BTreeMap;

/// One method over all cells that it and `gcn` have. Accuracies and ECE in percent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// Method.
    pub method: String,
    /// Cells.
    pub cells: usize,
    /// Mean accuracy over the cells.
    pub accuracy: f64,
    /// Mean expected calibration error over the cells, before any scaling.
    pub ece: f64,
    /// Cells where it is above `gcn`, Wilcoxon signed-rank p < 0.05.
    pub above_gcn: usize,
    /// Cells where it is below `gcn`, p < 0.05.
    pub below_gcn: usize,
    /// Mean over the cells of the best accuracy that the paper prints in each; `None` where it prints none in one.
    pub best_printed: Option<f64>,
    /// Cells where it is below that best by more than one standard error of the difference.
    pub below_best_printed: usize,
}

/// Every method over all cells; nothing where `gcn` is missing.
pub fn overall(outcomes: &BTreeMap<Key, Outcome>, paper: &Published) -> Vec<Overall> {
    let cells = by_cell(outcomes);
    let mut methods: Vec<&str> = Vec::new();
    for method in cells.values().flat_map(|methods| methods.keys()) {
        if !methods.contains(method) {
            methods.push(method);
        }
    }
    methods.iter().filter_map(|method| over_cells(method, &cells, paper)).collect()
}

fn over_cells(method: &str, cells: &BTreeMap<&Cell, Methods<'_>>, paper: &Published) -> Option<Overall> {
    let (mut above, mut below, mut below_best) = (0, 0, 0);
    let (mut accuracy, mut ece, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for (cell, methods) in cells {
        let (Some(runs), Some(plain)) = (methods.get(method), methods.get("gcn")) else { continue };
        let pairs = runs.iter().filter_map(|(run, o)| Some((o.accuracy, plain.get(run)?.accuracy)));
        let (ours, plain): (Vec<f64>, Vec<f64>) = pairs.unzip();
        if ours.is_empty() {
            continue;
        }
        let difference: f64 = ours.iter().sum::<f64>() - plain.iter().sum::<f64>();
        if wilcoxon_signed_rank(&ours, &plain).p < 0.05 {
            above += usize::from(difference > 0.0);
            below += usize::from(difference < 0.0);
        }
        let found = percent(runs, |o| o.accuracy);
        accuracy.push(found.mean);
        ece.push(percent(runs, |o| o.ece).mean);
        let printed = METHODS.iter().filter_map(|method| paper.accuracy(cell, method));
        if let Some(printed) = printed.max_by(|a, b| a.mean.total_cmp(&b.mean)) {
            let verdict = Verdict::new(&found, printed, paper.runs);
            below_best += usize::from(verdict.difference < -verdict.error);
            best.push(printed.mean);
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    (!accuracy.is_empty()).then(|| Overall {
        method: method.to_owned(),
        cells: accuracy.len(),
        accuracy: mean(&accuracy),
        ece: mean(&ece),
        above_gcn: above,
        below_gcn: below,
        best_printed: (best.len() == accuracy.len()).then(|| mean(&best)),
        below_best_printed: below_best,
    })
}

/// The table of them.
pub fn overall_blocks(overall: &[Overall]) -> Vec<Block> {
    if overall.len() < 2 {
        return Vec::new();
    }
    let head = [
        "method",
        "cells",
        "mean accuracy",
        "paper's best of each cell",
        "cells below that best by over one error",
        "significantly above gcn",
        "significantly below gcn",
        "mean ECE",
    ];
    let row = |o: &Overall| {
        vec![
            o.method.clone(),
            o.cells.to_string(),
            format!("{:.2}", o.accuracy),
            or_dash(o.best_printed, |best| format!("{best:.2}")),
            or_dash(o.best_printed, |_| o.below_best_printed.to_string()),
            o.above_gcn.to_string(),
            o.below_gcn.to_string(),
            format!("{:.1}", o.ece),
        ]
    };
    let text = "All cells together: each method against our own `gcn` on the same splits (Wilcoxon signed-rank, p < \
                0.05), and against the best method that the paper prints in each cell.";
    vec![Block::Text(text.into()), Block::table(head, overall.iter().map(row).collect())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::SplitName;
    use crate::published::published;

    #[test]
    fn counts_worked_out_by_hand() {
        let mut outcomes = BTreeMap::new();
        for (dataset, gain) in [("cora", 0.02), ("citeseer", -0.02)] {
            for (method, gain) in [("gcn", 0.0), ("gat", gain)] {
                for run in 0..10 {
                    let cell = Cell { dataset: dataset.into(), split: SplitName::Random, labels_per_class: 5 };
                    let accuracy = 0.745 + gain + 0.001 * f64::from(run);
                    let outcome = Outcome { accuracy, nll: 1.0, ece: 0.1, brier: 0.4, scaled: None };
                    outcomes.insert(Key { cell, method: method.into(), run }, outcome);
                }
            }
        }
        let found = overall(&outcomes, &published());
        let gat = found.iter().find(|o| o.method == "gat").unwrap();
        assert_eq!((gat.cells, gat.above_gcn, gat.below_gcn), (2, 1, 1));
        // The paper's best are 74.6 and 63.0: 76.95 and 72.95 are above both.
        assert!((gat.accuracy - 74.95).abs() < 1e-9 && (gat.ece - 10.0).abs() < 1e-9);
        assert_eq!((gat.best_printed.map(|b| (b * 10.0).round()), gat.below_best_printed), (Some(688.0), 0));
        let gcn = found.iter().find(|o| o.method == "gcn").unwrap();
        assert_eq!((gcn.above_gcn, gcn.below_gcn), (0, 0));
        assert_eq!(overall_blocks(&found).len(), 2);
    }
}
