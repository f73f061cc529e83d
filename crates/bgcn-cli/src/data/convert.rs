//! `bgcn data convert`: any dataset as CSV files, as .npz or as GraphML.

use crate::args::{Input, Shared};
use crate::screen;
use bgcn_files::write::Form;
use clap::Args;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    #[command(flatten)]
    input: Input,
    /// File that ends in .npz or .graphml, or else a folder of CSV files
    #[arg(long, value_name = "PATH")]
    out: PathBuf,
    /// Replace an existing file or folder
    #[arg(long)]
    overwrite: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let existing = super::existing(command.overwrite);
    let form = Form::of(&command.out);
    form.check(&command.out, existing)?;
    let dataset = command.input.load(shared)?;
    let files = form.write(&dataset, &command.out, existing)?;
    let left_out = form.leaves_out(&dataset);
    if shared.json {
        return screen::print_json(&serde_json::json!({ "files": files, "left_out": left_out }));
    }
    let mut lines: String = files.iter().map(|file| format!("wrote {}\n", file.display())).collect();
    if !left_out.is_empty() {
        lines += &format!("left out, for GraphML has no place for it: {}\n", left_out.join(", "));
    }
    screen::print(&lines)
}
