//! The calibration study as it is read.

use super::{CalibrationTable, LABELS_PER_CLASS};
use crate::summary::or_dash;
use bgcn_core::links::RATE;
use bgcn_report::Block;

/// The table of the study.
pub fn blocks(table: &CalibrationTable, partial: bool) -> Vec<Block> {
    let mark = if partial { " **Partial**: more trials are left to other shares." } else { "" };
    let text = format!(
        "The link model on generated graphs, where every edge is known, with {LABELS_PER_CLASS} labels per class. ρ is \
         the share of spurious edges, the list has the edges at a false discovery rate of \
         {RATE}. All figures but lengths are percentages, means ± standard deviations over graphs; in the last line \
         every kind of graph counts once. False discoveries are the mean over graphs that get a list; \"of all \
         graphs\" counts those without one as 0, as false discovery rates are defined.{mark}"
    );
    let dash = || "–".to_owned();
    let mut rows = Vec::new();
    for row in &table.cells {
        rows.push(vec![
            row.cell.to_string(),
            row.rho.percent(),
            format!("{:.1}", 100.0 * row.truth),
            row.ece.percent(),
            or_dash(row.fdr, |fdr| fdr.percent()),
            row.listed.with_sd(0),
            format!("{} of {}", row.empty, row.rho.n),
            row.average_precision.percent(),
        ]);
    }
    let all = &table.overall;
    let share = |share: f64| format!("{:.1}", 100.0 * share);
    rows.push(vec![
        format!("all, {} graphs", all.graphs),
        format!("off by {}", share(all.rho_error)),
        dash(),
        share(all.ece),
        or_dash(all.fdr, |fdr| format!("{} (of all graphs {})", share(fdr), share(all.fdr_of_all))),
        dash(),
        format!("{} %", share(all.empty)),
        share(all.average_precision),
    ]);
    let list = format!("false discoveries in the list at {RATE}");
    let head = ["graphs", "ρ found", "spurious", "calibration error", &list, "length", "no list", "average precision"];
    vec![Block::Text(text), Block::table(head, rows)]
}
