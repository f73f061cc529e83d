//! The study of planted edges as it is read.

use super::{Cell, PlantedTable, RankerRow, SUSPICIOUS, WITH_LABELS};
use crate::claim::p_value;
use crate::summary::{Summary, or_dash};
use bgcn_core::links::RATE;
use bgcn_report::Block;

/// The tables of the study.
pub fn blocks(tables: &[PlantedTable], partial: bool) -> Vec<Block> {
    let mark = if partial { " **Partial**: more trials are left to other shares." } else { "" };
    let text = format!(
        "Rankings of edges planted in the graph, in percent of the edges there were. `links` is the link model with \
         the default settings; gcn+… rank by the probability of their graph model, the lowest first; the others are \
         simple rankings: the predicted chance of equal classes, also with the training labels (`{WITH_LABELS}`, which \
         is not compared), the cosine of the features, common neighbours, degrees. All figures are percentages, means \
         ± standard deviations over runs, each with another split and other planted edges. The data has wrong edges \
         too, which count as right: a perfect list has a false discovery rate above {RATE} here, and P(spurious) a \
         calibration error. In the study `calibration` every edge is known.{mark}"
    );
    let mut blocks = vec![Block::Text(text)];
    for table in tables {
        blocks.push(Block::Subheading(format!("Planted edges, {}", table.dataset)));
        blocks.push(rankings(table, "average precision", |row| &row.average_precision));
        blocks.push(rankings(table, "planted among the first 100", |row| &row.at_100));
        blocks.push(calibration(table));
        blocks.push(missing(table));
        blocks.push(comparisons(table));
    }
    blocks
}

/// Rankers by cells.
fn rankings(table: &PlantedTable, what: &str, of: impl Fn(&RankerRow) -> &Summary) -> Block {
    let (mut cells, mut rankers): (Vec<Cell>, Vec<&str>) = Default::default();
    for row in &table.rankings {
        if !cells.contains(&row.cell) {
            cells.push(row.cell);
        }
        if !rankers.contains(&row.ranker.as_str()) {
            rankers.push(&row.ranker);
        }
    }
    let cell = |ranker: &str, cell: &Cell| {
        let row = table.rankings.iter().find(|row| row.cell == *cell && row.ranker == ranker);
        or_dash(row, |row| of(row).percent())
    };
    let row = |ranker: &&str| {
        std::iter::once((*ranker).to_owned()).chain(cells.iter().map(|at| cell(ranker, at))).collect::<Vec<_>>()
    };
    let head = std::iter::once(what.to_owned()).chain(cells.iter().map(Cell::to_string)).collect();
    Block::Table { head, rows: rankers.iter().map(row).collect() }
}

fn calibration(table: &PlantedTable) -> Block {
    let list = format!("false discoveries in the list at {RATE}");
    let names = ["the link model", "ρ found", "planted", "planted + clean ρ", "calibration error", &list, "length"];
    let mut rows = Vec::new();
    if let Some(clean) = &table.clean {
        let different = format!("of {SUSPICIOUS} most suspicious edges {:.1} between classes", clean.different.mean);
        let nothing = || "–".to_owned();
        let first = format!("nothing planted; {different}");
        rows.push(vec![first, clean.rho.percent(), "0.0".into(), nothing(), nothing(), nothing(), nothing()]);
    }
    for row in &table.calibration {
        rows.push(vec![
            row.cell.to_string(),
            row.rho.percent(),
            format!("{:.1}", 100.0 * row.planted),
            or_dash(row.with_clean, |share| format!("{:.1}", 100.0 * share)),
            row.ece.percent(),
            or_dash(row.fdr, |fdr| fdr.percent()),
            row.listed.with_sd(0),
        ]);
    }
    Block::table(names, rows)
}

fn missing(table: &PlantedTable) -> Block {
    let names =
        ["missing edges", "hidden among the first 10", "first 100", "first 1000", "other edges the search finds"];
    let row = |row: &super::MissingRow| {
        vec![
            row.cell.to_string(),
            row.at_10.percent(),
            row.at_100.percent(),
            row.at_1000.percent(),
            or_dash(row.recall, |recall| recall.percent()),
        ]
    };
    Block::table(names, table.missing.iter().map(row).collect())
}

fn comparisons(table: &PlantedTable) -> Block {
    let names = ["links against", "runs", "links", "the other", "p", "p, Holm over the rankers", "links is"];
    let row = |one: &super::Comparison| {
        vec![
            format!("{}, {}", one.ranker, one.cell),
            one.runs.to_string(),
            format!("{:.1}", 100.0 * one.links),
            format!("{:.1}", 100.0 * one.other),
            p_value(one.p),
            p_value(one.p_holm),
            one.word().into(),
        ]
    };
    Block::table(names, table.comparisons.iter().map(row).collect())
}
