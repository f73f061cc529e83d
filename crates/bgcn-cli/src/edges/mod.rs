//! `bgcn edges`: which edges look wrong, which seem to be missing, and why.

mod beliefs;
mod choice;
mod table;
mod why;

pub use choice::rate;
pub use table::{Shown, edge_table};

use crate::args::{OwnFiles, Shared};
use crate::screen::{self, grouped};
use beliefs::Beliefs;
use bgcn::outputs::EdgeRow;
use choice::Choice;
use clap::Args;
use serde_json::{Value, json};

const AFTER_HELP: &str = "\
P(spurious) is the probability that an observed edge is wrong, measured against decoys: random edges of our own that \
are added to the graph. P(missing) is the probability that a pair without an edge should have one. Why names what \
moves an edge away from the average one, the strongest first; --json has every term of the log-odds.

A list with a stated error, from a run:
  bgcn edges RUN --fdr 0.1
The same list taken out of the graph:
  bgcn clean RUN --out cleaned.npz
A graph without a fit, judged by its features, neighbours and known labels:
  bgcn edges --edges links.csv --features words.csv

Decoys speak for spurious edges that came about as they did. Edges aimed by somebody who knows the method can look \
innocent.";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Command {
    /// The folder of a run; or data, as `bgcn fit` takes it, which is judged without a fit
    #[arg(value_name = "RUN|DATA", required_unless_present = "edges")]
    name: Option<String>,
    #[command(flatten)]
    choice: Choice,
    #[command(flatten)]
    own: OwnFiles,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let beliefs = Beliefs::new(command, shared)?;
    command.choice.check(&beliefs)?;
    let chosen = command.choice.of(&beliefs);
    if shared.json {
        return screen::print_json(&object(command, &beliefs, &chosen));
    }
    let mut text = String::new();
    if let Some(rate) = command.choice.fdr {
        text += &said_of_list(&beliefs, rate);
    }
    let (observed, missing): (Vec<&EdgeRow>, Vec<&EdgeRow>) = chosen.iter().partition(|row| row.observed);
    for (p, rows) in [("P(spurious)", observed), ("P(missing)", missing)] {
        if !rows.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            let rows: Vec<Shown<'_>> = rows.into_iter().map(|row| beliefs.shown(row)).collect();
            text += &format!("{gap}{}\n", edge_table(p, &rows));
        }
    }
    if chosen.is_empty() && command.choice.fdr.is_none_or(|rate| beliefs.at_rate(rate) > 0) {
        text += "No edge is like that.\n";
    }
    screen::print(&text)
}

/// How long the list is and what that means; or that there is none, and why.
fn said_of_list(beliefs: &Beliefs, rate: f64) -> String {
    let (listed, edges) = (beliefs.at_rate(rate), grouped(beliefs.edges()));
    if listed > 0 {
        let (verb, most) = (if listed == 1 { "is" } else { "are" }, (rate * listed as f64).round() as usize);
        return format!(
            "{} of {edges} edges {verb} listed at a false discovery rate of {rate}: they look spurious, and about {} \
             of them can be expected to be true.\n",
            grouped(listed),
            if most == 0 { "none".into() } else { grouped(most) },
        );
    }
    let why = match beliefs.least_rate() {
        Some(least) => {
            let digits = if least > 0.99 { 4 } else { 2 };
            // Rounded up, so that the rate that is named gives a list.
            let up = 10f64.powi(digits);
            let least = ((least * up).ceil() / up).min(1.0);
            format!(
                "Spurious edges cannot be told from true ones that well here. The smallest rate with a list is \
                 {least:.*}.",
                digits as usize
            )
        }
        None => "There are too few edges to learn from decoys.".into(),
    };
    format!("None of {edges} edges can be listed at a false discovery rate of {rate}. {why}\n")
}

fn object(command: &Command, beliefs: &Beliefs, chosen: &[&EdgeRow]) -> Value {
    let edge = |row: &&EdgeRow| {
        let mut edge = json!(row);
        if let [Some(source), Some(target)] = beliefs.predicted(row) {
            (edge["source_predicted"], edge["target_predicted"]) = (json!(source), json!(target));
        }
        edge
    };
    let mut object = json!({ "edges": chosen.iter().map(edge).collect::<Vec<_>>() });
    object[if beliefs.of_run { "run" } else { "dataset" }] = json!(beliefs.name);
    if let Some(rate) = command.choice.fdr {
        object["fdr"] = json!(rate);
        object["listed"] = json!(beliefs.at_rate(rate));
    }
    object
}
