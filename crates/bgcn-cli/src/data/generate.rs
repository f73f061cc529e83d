//! `bgcn data generate`: synthetic networks of any size whose wrong edges are known.

use crate::args::Shared;
use crate::screen;
use bgcn_core::data::generate::Generator;
use bgcn_files::write::Form;
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    /// Folder of edges.csv, features.csv, labels.csv, spurious.csv and missing.csv
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Number of nodes
    #[arg(long, value_name = "N", default_value_t = Generator::default().nodes)]
    nodes: usize,
    /// Mean number of neighbours
    #[arg(long, value_name = "D", default_value_t = Generator::default().mean_degree)]
    mean_degree: f64,
    /// Number of topics (classes)
    #[arg(long, value_name = "K", default_value_t = Generator::default().classes)]
    classes: usize,
    /// Share of spurious edges, between uniform pairs of nodes
    #[arg(long, value_name = "SHARE", default_value_t = Generator::default().spurious)]
    spurious: f64,
    /// Share of the true edges that are removed
    #[arg(long, value_name = "SHARE", default_value_t = Generator::default().missing)]
    missing: f64,
    /// Exponent of the tail of the degrees; smaller is heavier
    #[arg(long, value_name = "X", default_value_t = Generator::default().tail)]
    tail: f64,
    /// Share of nodes with two topics
    #[arg(long, value_name = "SHARE", default_value_t = Generator::default().mixed)]
    mixed: f64,
    /// Share of the true edges within a topic; the others end in the next topic
    #[arg(long, value_name = "H", default_value_t = Generator::default().homophily)]
    homophily: f64,
    /// Number of distinct words (features); 0 for none
    #[arg(long, value_name = "N", default_value_t = Generator::default().words)]
    words: usize,
    /// Mean number of words in a document
    #[arg(long, value_name = "X", default_value_t = Generator::default().words_per_node)]
    words_per_node: f64,
    /// Share of a document's words from its topic
    #[arg(long, value_name = "S", default_value_t = Generator::default().feature_strength)]
    feature_strength: f64,
    /// Replace an existing dataset
    #[arg(long)]
    overwrite: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let &Command { nodes, mean_degree, classes, spurious, missing, tail, mixed, homophily, .. } = command;
    let &Command { words, words_per_node, feature_strength, .. } = command;
    let edges =
        Generator { nodes, mean_degree, classes, spurious, missing, tail, mixed, homophily, ..Generator::default() };
    let generator = Generator { words, words_per_node, feature_strength, ..edges };
    generator.check()?;
    Form::Csv.check(&command.out, command.overwrite)?;
    let start = Instant::now();
    let dataset = generator.generate(shared.seed())?;
    let generated = start.elapsed().as_secs_f64();
    screen::remark(
        shared,
        &format!("generated {} nodes in {generated:.1} s; writing", screen::grouped(dataset.nodes())),
    );
    let files = Form::Csv.write(&dataset, &command.out, command.overwrite)?;
    let seconds = serde_json::json!({ "generate": generated, "total": start.elapsed().as_secs_f64() });
    let description = dataset.describe();
    if shared.json {
        let mut object = serde_json::to_value(&description)?;
        object["files"] = serde_json::to_value(&files)?;
        object["seconds"] = seconds;
        return screen::print_json(&object);
    }
    super::info::show(&dataset, &description)?;
    screen::print(&format!("\nWritten to {}\n", command.out.display()))
}
