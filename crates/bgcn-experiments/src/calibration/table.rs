//! Outcomes of many graphs.

use super::{Cell, Key, Outcome};
use crate::summary::Summary;
use serde::Serialize;
use std::collections::BTreeMap;

/// Every kind of graph, and all together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CalibrationTable {
    /// By kind.
    pub cells: Vec<CellRow>,
    /// Over all of them.
    pub overall: Overall,
}

/// One kind of graph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellRow {
    /// Which.
    #[serde(flatten)]
    pub cell: Cell,
    /// ρ as found.
    pub rho: Summary,
    /// The share that is spurious.
    pub truth: f64,
    /// Expected calibration error of P(spurious).
    pub ece: Summary,
    /// Of the listed edges, the share that is true; over the graphs with a list.
    pub fdr: Option<Summary>,
    /// Edges listed.
    pub listed: Summary,
    /// Graphs without a list.
    pub empty: usize,
    /// Average precision of the ranking.
    pub average_precision: Summary,
}

/// Means over all kinds of graphs, each counting once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Overall {
    /// How many graphs.
    pub graphs: usize,
    /// |ρ found − truth|, of the means.
    pub rho_error: f64,
    /// Expected calibration error.
    pub ece: f64,
    /// False discoveries, over the kinds with a list.
    pub fdr: Option<f64>,
    /// The same over all graphs, where a graph without a list has no false discovery (Benjamini and Hochberg).
    pub fdr_of_all: f64,
    /// Share of the graphs without a list.
    pub empty: f64,
    /// Average precision.
    pub average_precision: f64,
}

/// Collects finished trials; `None` of none.
pub fn tabulate(outcomes: &BTreeMap<Key, Outcome>) -> Option<CalibrationTable> {
    let mut found: BTreeMap<Cell, Vec<Outcome>> = BTreeMap::new();
    for (key, outcome) in outcomes {
        found.entry(key.cell).or_default().push(*outcome);
    }
    let cells: Vec<CellRow> = found.iter().map(|(cell, outcomes)| row(*cell, outcomes)).collect();
    let mean = |of: &dyn Fn(&CellRow) -> Option<f64>| Summary::some(&cells, of).map(|summary| summary.mean);
    let overall = Overall {
        graphs: outcomes.len(),
        rho_error: mean(&|row| Some((row.rho.mean - row.truth).abs()))?,
        ece: mean(&|row| Some(row.ece.mean))?,
        fdr: mean(&|row| Some(row.fdr?.mean)),
        fdr_of_all: mean(&|row| {
            let listed = (row.rho.n - row.empty) as f64 / row.rho.n as f64;
            Some(row.fdr.map_or(0.0, |fdr| fdr.mean * listed))
        })?,
        empty: cells.iter().map(|row| row.empty).sum::<usize>() as f64 / outcomes.len() as f64,
        average_precision: mean(&|row| Some(row.average_precision.mean))?,
    };
    Some(CalibrationTable { cells, overall })
}

fn row(cell: Cell, outcomes: &[Outcome]) -> CellRow {
    let over = |of: fn(&Outcome) -> f64| Summary::over(outcomes, of);
    CellRow {
        cell,
        rho: over(|o| o.judged.rho),
        truth: over(|o| o.judged.spurious).mean,
        ece: over(|o| o.judged.ece),
        fdr: Summary::some(outcomes, |o| o.judged.fdr),
        listed: over(|o| o.judged.listed as f64),
        empty: outcomes.iter().filter(|o| o.judged.fdr.is_none()).count(),
        average_precision: over(|o| o.average_precision),
    }
}
