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
    let form = Form::of(&command.out);
    form.check(&command.out, command.overwrite)?;
    let dataset = command.input.load(shared)?;
    let files = form.write(&dataset, &command.out, command.overwrite)?;
    let left_out = form.leaves_out(&dataset);
    if shared.json {
        return screen::print_json(&serde_json::json!({
            "files": files, "left_out": left_out, "remarks": dataset.remarks,
        }));
    }
    screen::print(&super::written(&files, &left_out))
}
