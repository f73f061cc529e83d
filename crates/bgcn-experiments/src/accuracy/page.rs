//! The accuracy tables as they are read: ours, the paper's, the difference; then the claims, then calibration.

use super::claims::{FAR, far_from_paper, unmarked_winners};
use super::{CellResult, Key, Outcome, Table, Tables};
use crate::contender::Contender;
use crate::published::Published;
use crate::summary::{Summary, or_dash};
use bgcn_report::Block;
use std::collections::BTreeMap;

/// How to read the tables.
pub const LEGEND: &str = "Accuracy in percent on the test nodes (1,000 of them in the paper's datasets), mean ± \
     standard deviation over the runs; where the paper prints a figure, that, and the difference with its standard \
     error. The best of a column is **bold**, with an asterisk where a Wilcoxon signed-rank test against the second \
     best, on the same splits, gives p < 0.05. `gcn+mmsbm` is the GCN on the paper's block model with the defaults of \
     bgcn, which depart from the paper's, `gcn+copying` the GCN on node copying, `gcn+auto` on an average of both; the \
     plain networks take 300 training steps, as in the authors' comparison.";

/// What to know first where other nodes than those decide.
pub const REST: &str = "Judged on the nodes that are in none of the split's sets, so that settings can be chosen \
     without a look at the test nodes. In this section, test nodes are those, and the paper has no figures to \
     compare.";

/// How to read the calibration tables.
const CALIBRATION: &str = "Expected calibration error in percent over 15 bins and mean negative log-likelihood on the \
     test nodes; \"scaled\" after temperature scaling on the validation nodes.";

/// The tables of one dataset, its methods in the order of the contenders.
pub fn dataset_blocks(tables: &Tables, dataset: &str, contenders: &[Contender], partial: bool) -> Vec<Block> {
    let mark = if partial { ", partial" } else { "" };
    let mut blocks = Vec::new();
    let of_dataset = || tables.iter().filter(|table| table.dataset == dataset);
    for table in of_dataset() {
        blocks.push(Block::Subheading(format!("{dataset}, {} split{mark}", table.split)));
        blocks.push(accuracy(table, contenders));
    }
    for table in of_dataset() {
        blocks.push(Block::Subheading(format!("{dataset}, {} split: calibration{mark}", table.split)));
        blocks.push(Block::Text(CALIBRATION.into()));
        blocks.push(calibration(table, contenders));
    }
    blocks
}

/// Where our means are far from the paper's, and where we find a winner that it does not mark.
pub fn remarks(outcomes: &BTreeMap<Key, Outcome>, tables: &Tables, paper: &Published) -> Vec<Block> {
    let published = tables.iter().flat_map(|table| &table.cells).filter(|cell| cell.published.is_some()).count();
    if published == 0 {
        return Vec::new();
    }
    let far = far_from_paper(tables);
    let text = match &far[..] {
        [] => format!("No mean is more than {FAR} points from the paper's, of {published} that it prints."),
        far => format!(
            "More than {FAR} points from the paper's mean, in {} of {published} cells: {}.",
            far.len(),
            far.join("; ")
        ),
    };
    let unmarked = unmarked_winners(outcomes, paper);
    let mut blocks = vec![Block::Text(text)];
    if !unmarked.is_empty() {
        let text = format!("Significantly the best here, where the paper marks no method: {}.", unmarked.join("; "));
        blocks.push(Block::Text(text));
    }
    blocks
}

/// Methods down, labels across.
fn accuracy(table: &Table, contenders: &[Contender]) -> Block {
    let mut labels: Vec<usize> = table.cells.iter().map(|cell| cell.labels_per_class).collect();
    labels.dedup();
    let published = table.cells.iter().any(|cell| cell.published.is_some());
    let mut head = vec!["method".to_owned()];
    for n in &labels {
        head.push(format!("{n} labels"));
        head.extend(["paper", "difference"].iter().filter(|_| published).map(|&text| text.to_owned()));
    }
    let mut rows = Vec::new();
    for contender in contenders {
        let name = contender.name();
        let mut row = vec![name.to_owned()];
        for &n in &labels {
            let cell = table.cells.iter().find(|cell| cell.method == name && cell.labels_per_class == n);
            let columns = cell.map_or(["–".to_owned(), "–".into(), "–".into()], columns);
            row.extend(columns.into_iter().take(if published { 3 } else { 1 }));
        }
        rows.push(row);
    }
    Block::Table { head, rows }
}

fn columns(cell: &CellResult) -> [String; 3] {
    let star = if cell.p_against_second.is_some_and(|p| p < 0.05) { "\\*" } else { "" };
    let ours = cell.accuracy.with_sd(1);
    let ours = if cell.best { format!("{star}**{ours}**") } else { ours };
    match (cell.published, cell.verdict) {
        (Some((mean, sd)), Some(verdict)) => {
            let difference = format!("{:+.1} ± {:.1}", verdict.difference, verdict.error);
            [ours, format!("{mean:.1} ± {sd:.1}"), difference]
        }
        _ => [ours, "–".into(), "–".into()],
    }
}

fn calibration(table: &Table, contenders: &[Contender]) -> Block {
    let mean = |summary: Option<Summary>, digits: usize| or_dash(summary, |s| format!("{:.digits$}", s.mean));
    let mut rows = Vec::new();
    for contender in contenders {
        for cell in table.cells.iter().filter(|cell| cell.method == contender.name()) {
            rows.push(vec![
                contender.name().to_owned(),
                cell.labels_per_class.to_string(),
                mean(Some(cell.ece), 1),
                mean(Some(cell.nll), 3),
                mean(cell.ece_scaled, 1),
                mean(cell.nll_scaled, 3),
            ]);
        }
    }
    Block::table(["method", "labels", "ECE", "NLL", "ECE, scaled", "NLL, scaled"], rows)
}

#[cfg(test)]
mod tests {
    use super::super::{Cell, SplitName, tabulate};
    use super::*;
    use crate::published;

    fn text(dataset: &str) -> String {
        let cell = Cell { dataset: dataset.into(), split: SplitName::Random, labels_per_class: 5 };
        let mut outcomes = BTreeMap::new();
        for (method, accuracy) in [("gcn", 0.75), ("gcn+mmsbm", 0.76)] {
            for run in 0..8 {
                let key = Key { cell: cell.clone(), method: method.into(), run };
                outcomes.insert(key, Outcome { accuracy, nll: 1.0, ece: 0.125, brier: 0.4, scaled: None });
            }
        }
        let contenders = ["gcn+mmsbm", "gcn", "gat"].map(|name| Contender::of_method(name).unwrap());
        let tables = tabulate(&outcomes, &published());
        let mut blocks = dataset_blocks(&tables, dataset, &contenders, true);
        blocks.extend(remarks(&outcomes, &tables, &published()));
        bgcn_report::Page { title: "t".into(), blocks }.markdown()
    }

    #[test]
    fn ours_stands_beside_the_papers_and_far_means_are_named() {
        let text = text("cora");
        for part in ["\\***76.0 ± 0.0**", "74.6 ± 2.8", "+1.4 ± 0.4", "12.5", "random split, partial", "| gat"] {
            assert!(text.contains(part), "no {part} in {text}");
        }
        assert!(text.contains("in 1 of 2 cells: gcn on cora"), "{text}");
    }

    #[test]
    fn data_that_the_paper_does_not_know_gets_no_empty_columns() {
        let text = text("demo");
        assert!(!text.contains("paper") && text.contains("\\***76.0 ± 0.0**"), "{text}");
    }
}
