//! The datasets as they are read.

use super::DatasetTable;
use bgcn_report::Block;
use std::fmt::Display;

/// The paper's table beside ours, then the paper's sentence on Pubmed, measured.
pub fn blocks(tables: &[DatasetTable]) -> Vec<Block> {
    let used = "As the paper prints them, in brackets where our files hold another number. Directions, repeated \
                citations and self-citations \
                are merged into a simple undirected graph, which has fewer edges than there are citations.";
    let shape = "Density is edges over pairs of nodes. Degrees are few at any size, so density falls as a graph \
                 grows; neighbours of the \
                 same class do not. The tail index α is Hill's estimate over the largest twentieth of the degrees: \
                 smaller is heavier.";
    vec![
        Block::Text(used.into()),
        table(
            tables,
            &[
                ("nodes", &|t| beside(t, |counts| counts.nodes)),
                ("citations", &|t| beside(t, |counts| counts.edges)),
                ("edges of the simple graph", &|t| t.simple_edges.to_string()),
                ("features", &|t| beside(t, |counts| counts.features)),
                ("classes", &|t| beside(t, |counts| counts.classes)),
            ],
        ),
        Block::Text(shape.into()),
        table(
            tables,
            &[
                ("edges inside classes", &|t| percent(t.communities.inside_share)),
                ("density inside classes", &|t| format!("{:.5}", t.communities.inside_density)),
                ("density between classes", &|t| format!("{:.6}", t.communities.between_density)),
                ("inside over between", &|t| ratio(t.communities.inside_density, t.communities.between_density)),
                ("neighbours of the same class", &|t| format!("{:.2}", t.communities.same_class_neighbours)),
                ("mean degree", &|t| format!("{:.2}", t.degrees.mean)),
                ("median degree", &|t| t.degrees.median.to_string()),
                ("99th percentile", &|t| t.degrees.p99.to_string()),
                ("largest degree", &|t| t.degrees.max.to_string()),
                ("nodes of degree 0 or 1", &|t| percent(t.degrees.at_most_one)),
                ("standard deviation over mean", &|t| format!("{:.2}", t.degrees.variation)),
                ("edge ends at the top hundredth of nodes", &|t| percent(t.degrees.top_share)),
                ("tail index α", &|t| t.degrees.tail_index.map_or("–".into(), |alpha| format!("{alpha:.2}"))),
            ],
        ),
    ]
}

type Cell<'a> = &'a dyn Fn(&DatasetTable) -> String;

/// Facts down, datasets across.
fn table(tables: &[DatasetTable], rows: &[(&str, Cell<'_>)]) -> Block {
    let head = std::iter::once("".into()).chain(tables.iter().map(|table| table.dataset.clone())).collect();
    let row =
        |(name, cell): &(&str, Cell<'_>)| std::iter::once((*name).to_owned()).chain(tables.iter().map(cell)).collect();
    Block::Table { head, rows: rows.iter().map(row).collect() }
}

fn beside<T: Display + PartialEq>(table: &DatasetTable, of: fn(&crate::published::Counts) -> T) -> String {
    let ours = of(&table.read);
    match table.published.as_ref().map(of) {
        Some(printed) if printed != ours => format!("{printed} ({ours})"),
        _ => ours.to_string(),
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn ratio(one: f64, other: f64) -> String {
    if other > 0.0 { format!("{:.0}", one / other) } else { "–".into() }
}
