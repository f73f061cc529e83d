//! Each method over all cells at once: against our own GCN on the same splits, and against the best that the paper
//! prints.

use super::{Key, Outcome, Tables};
use crate::published::Published;
use bgcn_core::metrics::wilcoxon_signed_rank;
use bgcn_report::Block;
use serde::Serialize;
use std::collections::BTreeMap;

/// The paper's methods, among which its best is looked for.
const PRINTED: [&str; 4] = ["chebnet", "gcn", "gat", "gcn+mmsbm"];

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
pub fn overall(outcomes: &BTreeMap<Key, Outcome>, tables: &Tables, paper: &Published) -> Vec<Overall> {
    let mut methods: Vec<&str> = Vec::new();
    for cell in tables.iter().flat_map(|table| &table.cells) {
        if !methods.contains(&cell.method.as_str()) {
            methods.push(&cell.method);
        }
    }
    methods.iter().filter_map(|method| over_cells(method, outcomes, tables, paper)).collect()
}

fn over_cells(method: &str, outcomes: &BTreeMap<Key, Outcome>, tables: &Tables, paper: &Published) -> Option<Overall> {
    let (mut above, mut below, mut below_best) = (0, 0, 0);
    let (mut accuracy, mut ece, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for table in tables {
        for cell in table.cells.iter().filter(|cell| cell.method == method) {
            let of = |key: &&Key, method: &str| {
                key.method == method
                    && key.cell.dataset == table.dataset
                    && key.cell.split == table.split
                    && key.cell.labels_per_class == cell.labels_per_class
            };
            let mut pairs = Vec::new();
            for (key, outcome) in outcomes.iter().filter(|(key, _)| of(key, method)) {
                let plain = Key { method: "gcn".into(), ..key.clone() };
                pairs.extend(outcomes.get(&plain).map(|plain| (outcome.accuracy, plain.accuracy)));
            }
            if pairs.is_empty() {
                continue;
            }
            let (ours, plain): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
            let difference: f64 = ours.iter().sum::<f64>() - plain.iter().sum::<f64>();
            if wilcoxon_signed_rank(&ours, &plain).p < 0.05 {
                above += usize::from(difference > 0.0);
                below += usize::from(difference < 0.0);
            }
            accuracy.push(cell.accuracy.mean);
            ece.push(cell.ece.mean);
            let split = table.split.to_string();
            let printed =
                PRINTED.iter().filter_map(|m| paper.accuracy(&table.dataset, &split, cell.labels_per_class, m));
            if let Some(printed) = printed.max_by(|a, b| a.mean.total_cmp(&b.mean)) {
                let error = (cell.accuracy.error().powi(2) + printed.sd.powi(2) / paper.runs as f64).sqrt();
                below_best += usize::from(cell.accuracy.mean < printed.mean - error);
                best.push(printed.mean);
            }
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
        let best = o.best_printed.map_or("–".to_owned(), |best| format!("{best:.2}"));
        let below = o.best_printed.map_or("–".to_owned(), |_| o.below_best_printed.to_string());
        vec![
            o.method.clone(),
            o.cells.to_string(),
            format!("{:.2}", o.accuracy),
            best,
            below,
            o.above_gcn.to_string(),
            o.below_gcn.to_string(),
            format!("{:.1}", o.ece),
        ]
    };
    let text = "All cells together: each method against our own `gcn` on the same splits (Wilcoxon signed-rank, p < \
                0.05), and against the best method that the paper prints in each cell.";
    let head = head.map(str::to_owned).into();
    vec![Block::Text(text.into()), Block::Table { head, rows: overall.iter().map(row).collect() }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Cell, SplitName, tabulate};
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
        let found = overall(&outcomes, &tabulate(&outcomes, &published()), &published());
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
