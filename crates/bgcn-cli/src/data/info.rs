//! `bgcn data info`: a dataset in a table and a picture.

use crate::args::{Input, Shared};
use crate::screen::{self, grouped};
use bgcn_core::data::{Dataset, Description};
use clap::Args;

#[derive(Args)]
pub struct Command {
    #[command(flatten)]
    input: Input,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    // The remarks are part of the description.
    let dataset = command.input.source().load(&shared.places())?;
    let description = dataset.describe();
    if shared.json { screen::print_json(&description) } else { show(&dataset, &description) }
}

/// Table, classes and degree picture.
pub fn show(dataset: &Dataset, d: &Description) -> anyhow::Result<()> {
    let mut text = format!("{}\n{}\n", d.name, overview(d));
    if !d.class_counts.is_empty() {
        text += &format!("\n{}\n", classes(d));
    }
    text += &format!("\nNodes by degree\n{}", degrees(&dataset.graph.degree_histogram()));
    if !d.remarks.is_empty() {
        text += &format!("\nRemarks\n{}", screen::list(&d.remarks));
    }
    screen::print(&text)
}

fn overview(d: &Description) -> String {
    let mut table = screen::Table::default();
    let mut row = |name: &str, value: String| {
        table.add_row([name.to_string(), value]);
    };
    row("Nodes", grouped(d.nodes));
    let dropped =
        [(d.self_loops, "self-loops"), (d.duplicates, "repeated"), (d.reciprocal, "given in both directions")];
    let dropped: Vec<String> = dropped
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count)))
        .collect();
    row("Edges as published", grouped(d.edges_published));
    let merged = if dropped.is_empty() { String::new() } else { format!(" (merged: {})", dropped.join(", ")) };
    row("Edges as used", grouped(d.edges) + &merged);
    if let (Some(spurious), Some(missing)) = (d.spurious, d.missing) {
        row("Edges known wrong", format!("{} spurious, {} missing", grouped(spurious), grouped(missing)));
    }
    row("Features", features(d));
    if d.feature_form != "identity" {
        row("Scaling", format!("{} ({}): {}", d.scaling.name, d.scaling.why, d.scaling.text));
    }
    row("Labelled", format!("{} of {}", grouped(d.labelled), grouped(d.nodes)));
    row("Homophily", d.homophily.map_or("unknown: no edge with two labelled ends".into(), |h| format!("{h:.3}")));
    let largest = 100.0 * d.largest_component as f64 / d.nodes.max(1) as f64;
    row("Components", format!("{} (the largest holds {largest:.1} % of the nodes)", grouped(d.components)));
    row("Isolated nodes", grouped(d.isolated));
    let g = &d.degrees;
    row("Degree", format!("mean {:.2}, median {}, 99 % up to {}, largest {}", g.mean, g.median, g.p99, grouped(g.max)));
    row("Splits", if d.fixed_split { "fixed, random" } else { "random" }.into());
    table.trim_fmt()
}

fn features(d: &Description) -> String {
    if d.feature_form == "identity" {
        return "none (one-hot node ids)".into();
    }
    let cells = (d.nodes * d.features).max(1) as f64;
    let density = 100.0 * d.feature_nonzeros as f64 / cells;
    format!(
        "{}, {}: {} non-zeros, density {density:.2} %",
        grouped(d.features),
        d.feature_form,
        grouped(d.feature_nonzeros)
    )
}

fn classes(d: &Description) -> String {
    let most = d.class_counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let mut table = screen::table(&["Class", "Nodes", ""]).left([2]);
    for (name, count) in d.class_counts.iter().take(30) {
        table.add_row([name.clone(), grouped(*count), screen::bar(*count as f64, most as f64, 30)]);
    }
    if d.class_counts.len() > 30 {
        table.add_row([format!("… and {} more", d.class_counts.len() - 30), String::new(), String::new()]);
    }
    table.trim_fmt()
}

/// Bars over degree ranges that double: 0, 1, 2–3, 4–7, …
fn degrees(histogram: &[usize]) -> String {
    let range = |bin: u32| if bin == 0 { (0, 0) } else { (1usize << (bin - 1), (1usize << bin) - 1) };
    let bins = usize::BITS - histogram.len().saturating_sub(1).leading_zeros() + 1;
    let counts: Vec<usize> = (0..bins)
        .map(|bin| {
            let (low, high) = range(bin);
            histogram[low.min(histogram.len())..(high + 1).min(histogram.len())].iter().sum()
        })
        .collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let mut text = String::new();
    for (bin, &count) in counts.iter().enumerate() {
        let (low, high) = range(bin as u32);
        let label = if low == high { low.to_string() } else { format!("{low}–{high}") };
        text += &format!("{label:>13}  {:<40} {}\n", screen::bar(count as f64, most as f64, 40), grouped(count));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn degree_ranges_double_and_count_every_node_once() {
        let picture = super::degrees(&[1, 2, 3, 4, 5]);
        let counts: Vec<&str> = picture.lines().map(|line| line.rsplit(' ').next().unwrap()).collect();
        assert_eq!(counts, ["1", "2", "7", "5"]);
        assert_eq!(super::degrees(&[]).lines().count(), 1);
    }
}
