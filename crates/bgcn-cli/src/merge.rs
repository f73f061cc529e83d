//! `bgcn merge`: join the result logs of several machines.

use crate::args::Shared;
use crate::screen;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    /// Folders that bgcn reproduce --shard wrote
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Folder for the joined log; may be one of those joined
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let merged = bgcn_experiments::merge(&command.folders, &command.out)?;
    if shared.json {
        return screen::print_json(&json!({
            "out": command.out, "trials": merged.trials, "studies": merged.studies, "repeated": merged.repeated,
        }));
    }
    let studies: Vec<String> = merged.studies.iter().map(|(name, trials)| format!("{name} {trials}")).collect();
    let (folders, out) = (command.folders.len(), command.out.display());
    screen::print(&format!(
        "Joined the trials of {folders} folders into {out}: {} ({}), {} of them found more than once.\n\
         For the tables run bgcn reproduce as before, without --shard and with --out {out}; it runs only what is missing.\n",
        merged.trials,
        studies.join(", "),
        merged.repeated
    ))
}
