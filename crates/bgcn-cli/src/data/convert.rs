//! `bgcn data convert`: any dataset as CSV files.

use crate::args::{Input, Shared};
use crate::screen;
use bgcn::data::write::{check_folder, write};
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    #[command(flatten)]
    input: Input,
    /// Folder for edges.csv, features.csv, labels.csv and, where the dataset has them, split.csv and the wrong edges
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Replace what is in the folder
    #[arg(long)]
    overwrite: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let existing = super::existing(command.overwrite);
    check_folder(&command.out, existing)?;
    let dataset = command.input.load(shared)?;
    let files = write(&dataset, &command.out, existing)?;
    if shared.json {
        return screen::print_json(&serde_json::json!({ "files": files }));
    }
    let lines: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    screen::print(&lines)
}
