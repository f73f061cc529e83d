//! The edge study as it is read.

use super::{EdgeTable, HIGHEST, LABELS_PER_CLASS, LOWEST, MethodRow};
use crate::summary::{Summary, or_dash};
use bgcn_report::Block;

/// The tables of the study.
pub fn blocks(tables: &[EdgeTable], partial: bool) -> Vec<Block> {
    let trials: usize = tables.iter().flat_map(|table| &table.rows).map(|row| row.either.n).sum();
    let tied: usize = tables.iter().flat_map(|table| &table.rows).map(|row| row.tied).sum();
    let mark = if partial { " **Partial**: more trials are left to other shares." } else { "" };
    let text = format!(
        "The {LOWEST} observed edges of lowest posterior probability, and the {HIGHEST} unobserved pairs of highest. \
         Counts are means ± standard deviations over fits on random splits with {LABELS_PER_CLASS} labels per class; \
         the paper prints one count each, without the number of fits or labels. Probabilities are averaged over the \
         inferences of a fit and use mixed memberships; equal ones go by node order, which mattered at the border of a \
         list in {tied} of {trials} trials. \"At random\" is the expected count of as many random pairs. The paper's \
         sentence, that most of these pairs are of the kind named, is reproduced partly where it holds but the mean is \
         more than two of its standard errors below the paper's count.{mark}"
    );
    vec![Block::Text(text), unlikely(tables), likely(tables)]
}

fn unlikely(tables: &[EdgeTable]) -> Block {
    let head = [
        "the 50 least likely edges",
        "different labels or degree below 2",
        "paper",
        "difference",
        "at random",
        "different labels",
        "degree below 2",
    ];
    let rows = rows(tables, |table, row| {
        let random = &table.at_random;
        let different = format!("{:.1} (at random {:.1})", row.different.mean, random.different);
        let low_degree = format!("{:.1} (at random {:.1})", row.low_degree.mean, random.low_degree);
        [
            beside(&row.either, table.published.map(|(either, _)| either)),
            vec![format!("{:.1}", random.either), different, low_degree],
        ]
        .concat()
    });
    Block::table(head, rows)
}

fn likely(tables: &[EdgeTable]) -> Block {
    let head = ["the 200 most likely other pairs", "equal labels", "paper", "difference", "at random"];
    let rows = rows(tables, |table, row| {
        [beside(&row.equal, table.published.map(|(_, equal)| equal)), vec![format!("{:.1}", table.at_random.equal)]]
            .concat()
    });
    Block::table(head, rows)
}

fn rows(tables: &[EdgeTable], cells: impl Fn(&EdgeTable, &MethodRow) -> Vec<String>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for table in tables {
        for row in &table.rows {
            let name = format!("{}, {}", table.dataset, row.method);
            rows.push(std::iter::once(name).chain(cells(table, row)).collect());
        }
    }
    rows
}

/// Ours, the paper's, the difference.
fn beside(ours: &Summary, paper: Option<usize>) -> Vec<String> {
    let difference = or_dash(paper, |paper| format!("{:+.1}", ours.mean - paper as f64));
    vec![ours.with_sd(1), or_dash(paper, |paper| paper.to_string()), difference]
}
