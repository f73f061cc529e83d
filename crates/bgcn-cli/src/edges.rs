//! `bgcn edges`: what a run believes of single edges.

use crate::args::Shared;
use crate::screen;
use bgcn::data::Error;
use bgcn::outputs::{EdgeRow, PredictionTable, Record, read_edges};
use clap::Args;
use serde_json::json;
use std::collections::HashMap;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Observed edges, the N least likely [default: 10, where nothing else is asked for]
    #[arg(long, value_name = "N")]
    suspicious: Option<usize>,
    /// Unobserved pairs, the N most likely [default: 10, where nothing else is asked for]
    #[arg(long, value_name = "N")]
    missing: Option<usize>,
    /// Only edges of this node
    #[arg(long, value_name = "ID")]
    node: Option<String>,
    /// Only edges whose probability is below P
    #[arg(long, value_name = "P", value_parser = probability)]
    below: Option<f64>,
    /// Only edges whose probability is above P
    #[arg(long, value_name = "P", value_parser = probability)]
    above: Option<f64>,
}

fn probability(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|p| (0.0..=1.0).contains(p));
    number.ok_or_else(|| "a probability is a number from 0 to 1".into())
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let record = Record::read(&command.run)?;
    let path = command.run.join("edges.csv");
    if record.settings.get("graph_model").is_some_and(|model| model == "observed") {
        let text = "the run took its graph for granted (--graph-model observed), so it believes in every edge alike. \
                    Fit with a graph model";
        return Err(Error::Request(format!("{}: {text}", command.run.display())).into());
    }
    let rows = read_edges(&path)?;
    let told = PredictionTable::read(&command.run.join("predictions.csv"))?;
    let ids: Vec<&str> = told.column("id").into_iter().flatten().collect();
    if let Some(node) = &command.node
        && !ids.contains(&node.as_str())
    {
        return Err(Error::Request(format!(
            "the run has no node {node:?}; ids are in the first column of predictions.csv"
        ))
        .into());
    }
    let predicted: Vec<&str> = match told.column("predicted") {
        Some(column) => column.collect(),
        None => told.column("mean").into_iter().flatten().collect(),
    };
    let predicted: HashMap<&str, &str> = ids.into_iter().zip(predicted).collect();
    let chosen = choose(command, rows);
    if shared.json {
        let edge = |row: &EdgeRow| {
            let of = |id: &str| predicted.get(id);
            json!({
                "source": row.source, "target": row.target, "observed": row.observed, "probability": row.probability,
                "source_predicted": of(&row.source), "target_predicted": of(&row.target),
            })
        };
        return screen::print_json(
            &json!({ "run": command.run, "edges": chosen.iter().map(edge).collect::<Vec<_>>() }),
        );
    }
    if chosen.is_empty() {
        return screen::print("No edge is like that.\n");
    }
    let header = ["Source", "Target", "Observed", "Source predicted", "Target predicted", "Probability"];
    let mut table = screen::table(&header).left(1..5);
    for row in &chosen {
        let of = |id: &str| predicted.get(id).copied().unwrap_or_default().to_owned();
        let observed = if row.observed { "yes" } else { "no" }.to_owned();
        let (source, target) = (row.source.clone(), row.target.clone());
        table.add_row([source, target, observed, of(&row.source), of(&row.target), format!("{:.5}", row.probability)]);
    }
    screen::print(&format!("{}\n", table.trim_fmt()))
}

/// Observed edges, least likely first, then unobserved ones, most likely first.
fn choose(command: &Command, rows: Vec<EdgeRow>) -> Vec<EdgeRow> {
    let wanted = |row: &EdgeRow| {
        command.node.as_ref().is_none_or(|node| row.source == *node || row.target == *node)
            && command.below.is_none_or(|p| row.probability < p)
            && command.above.is_none_or(|p| row.probability > p)
    };
    let (mut observed, mut missing): (Vec<EdgeRow>, Vec<EdgeRow>) =
        rows.into_iter().filter(wanted).partition(|row| row.observed);
    observed.sort_by(|x, y| x.probability.total_cmp(&y.probability));
    missing.sort_by(|x, y| y.probability.total_cmp(&x.probability));
    let filtered = command.node.is_some() || command.below.is_some() || command.above.is_some();
    let (keep_observed, keep_missing) = match (command.suspicious, command.missing) {
        (None, None) if filtered => (usize::MAX, usize::MAX),
        (None, None) => (10, 10),
        (suspicious, missing) => (suspicious.unwrap_or(0), missing.unwrap_or(0)),
    };
    observed.truncate(keep_observed);
    missing.truncate(keep_missing);
    observed.append(&mut missing);
    observed
}
