//! `bgcn clean`: the graph of a run without the edges that look wrong.

use crate::args::Shared;
use crate::data::existing;
use crate::edges::rate;
use crate::fit::data_again;
use crate::screen::{self, grouped};
use bgcn::data::write::Form;
use bgcn::data::{Dataset, EdgeTruth};
use bgcn::graph::Graph;
use bgcn::links::RATE;
use bgcn::outputs::{KeptPair, KeptRun};
use clap::Args;
use serde_json::json;
use std::collections::HashSet;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The edges left out are those that `bgcn edges RUN --fdr RATE` lists. About the share RATE of them is true: a small \
rate takes away little, a large one also good edges. Nodes, features, labels and the split stay as they are.

  bgcn clean RUN --out cleaned.npz
  bgcn fit cleaned.npz";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Command {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// A file that ends in .npz or .graphml, or else a folder for edges.csv, features.csv and labels.csv
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The share of the edges left out that is expected to be true
    #[arg(long, value_name = "RATE", value_parser = rate, default_value_t = RATE)]
    fdr: f64,
    /// Replace the file, or what is in the folder
    #[arg(long)]
    overwrite: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let (form, existing) = (Form::of(&command.out), existing(command.overwrite));
    form.check(&command.out, existing)?;
    let run = KeptRun::read(&command.run)?;
    let mut data = data_again(&run.record, "Restore the data, or fit again", shared)?;
    let edges = data.graph.edges();
    let doubted = &run.observed[..run.at_rate(command.fdr)];
    leave_out(&mut data, doubted)?;
    let files = form.write(&data, &command.out, existing)?;
    let left_out = form.leaves_out(&data);
    if shared.json {
        return screen::print_json(&json!({
            "run": command.run, "fdr": command.fdr, "edges": edges, "removed": doubted.len(), "files": files,
            "left_out": left_out,
        }));
    }
    let mut text: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    if !left_out.is_empty() {
        text += &format!("left out, for GraphML has no place for it: {}\n", left_out.join(", "));
    }
    text += &match doubted.len() {
        0 => format!(
            "No edge could be listed at a false discovery rate of {}, so all {} edges are there. `bgcn edges {} --fdr \
             {0}` says why.\n",
            command.fdr,
            grouped(edges),
            command.run.display()
        ),
        n => format!(
            "{} of {} edges {} left out, at a false discovery rate of {}.\n",
            grouped(n),
            grouped(edges),
            if n == 1 { "is" } else { "are" },
            command.fdr
        ),
    };
    screen::print(&text)
}

/// Takes edges away. Where the ground truth is known, true ones among them are missing from now on.
fn leave_out(data: &mut Dataset, doubted: &[KeptPair]) -> anyhow::Result<()> {
    let doubted: HashSet<(u32, u32)> = doubted.iter().map(|pair| (pair.a.min(pair.b), pair.a.max(pair.b))).collect();
    let kept: Vec<(u32, u32)> = data.graph.edge_list().filter(|edge| !doubted.contains(edge)).collect();
    data.graph = Graph::from_edges(data.nodes(), &kept)?;
    if let Some(EdgeTruth { spurious, missing }) = &mut data.truth {
        let ordered = |&(a, b): &(u32, u32)| (a.min(b), a.max(b));
        let wrong: HashSet<(u32, u32)> = spurious.iter().map(ordered).collect();
        spurious.retain(|edge| !doubted.contains(&ordered(edge)));
        missing.extend(doubted.into_iter().filter(|edge| !wrong.contains(edge)));
        missing.sort_unstable();
    }
    Ok(())
}
