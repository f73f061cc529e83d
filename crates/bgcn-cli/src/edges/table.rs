//! Edges in a table: names, predictions, the probability, and the strongest reasons in the room that is left.

use super::why;
use crate::screen;
use bgcn::findings::EdgeFinding;
use bgcn_report::{probability, with_name};

/// Characters in a line of the table.
const WIDTH: usize = 100;
/// Characters for reasons at least.
const LEAST: usize = 24;
/// Characters of a text beside an id at most.
const NAME: usize = 18;

/// A line for each edge; `p` is what the probability is called.
pub fn edge_table(p: &str, edges: &[EdgeFinding]) -> String {
    let predicted = edges.iter().any(|edge| !edge.predicted[0].is_empty());
    let mut header = vec!["Source", "Target"];
    header.extend(predicted.then_some("Predicted"));
    header.extend([p, "Why"]);
    let cells = |edge: &EdgeFinding| {
        let mut cells = [0, 1].map(|end| with_name(&edge.names[end], &edge.called[end], NAME)).to_vec();
        cells.extend(predicted.then(|| both(&edge.predicted)));
        cells.push(probability(edge.probability));
        cells
    };
    let rows: Vec<Vec<String>> = edges.iter().map(cells).collect();
    let width = |column: usize| {
        let texts = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let last = header.len() - 1;
    // A bar and a space before each cell, a space after it, a bar at the end.
    let used: usize = (0..last).map(|column| width(column) + 3).sum();
    let room = WIDTH.saturating_sub(used + 4).max(LEAST);
    let mut table = screen::table(&header).left((1..last - 1).chain([last]));
    for (mut row, edge) in rows.into_iter().zip(edges) {
        row.push(why::shortened(&edge.reasons, room));
        table.add_row(row);
    }
    table.trim_fmt()
}

fn both([one, other]: &[String; 2]) -> String {
    if one == other { format!("both {one}") } else { format!("{one} – {other}") }
}
