//! The edge study as it is read.

use super::{EdgeTable, HIGHEST, LABELS_PER_CLASS, LOWEST, MethodRow};
use crate::summary::Summary;
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
    let mut blocks = vec![Block::Text(text)];
    blocks.push(unlikely(tables));
    blocks.push(likely(tables));
    blocks
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
        let mut cells = beside(&row.either, table.published.map(|(either, _)| either));
        cells.push(format!("{:.1}", table.at_random.either));
        cells.push(format!("{:.1} (at random {:.1})", row.different.mean, table.at_random.different));
        cells.push(format!("{:.1} (at random {:.1})", row.low_degree.mean, table.at_random.low_degree));
        cells
    });
    Block::Table { head: head.map(str::to_owned).into(), rows }
}

fn likely(tables: &[EdgeTable]) -> Block {
    let head = ["the 200 most likely other pairs", "equal labels", "paper", "difference", "at random"];
    let rows = rows(tables, |table, row| {
        let mut cells = beside(&row.equal, table.published.map(|(_, equal)| equal));
        cells.push(format!("{:.1}", table.at_random.equal));
        cells
    });
    Block::Table { head: head.map(str::to_owned).into(), rows }
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
    let difference = paper.map_or("–".into(), |paper| format!("{:+.1}", ours.mean - paper as f64));
    let paper = paper.map_or("–".into(), |paper| paper.to_string());
    vec![format!("{:.1} ± {:.1}", ours.mean, ours.sd), paper, difference]
}
