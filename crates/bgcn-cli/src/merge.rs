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
    if merged.processors.len() > 1 {
        let classes: Vec<&str> = merged.processors.iter().map(String::as_str).collect();
        let differing = match merged.differing {
            0 => String::new(),
            n => format!(" {n} trials that two of them ran do; the outcome of the folder named first counts."),
        };
        let text = "The trials ran on processors of several classes, whose results can differ in the last bits";
        screen::remark(shared, &format!("{text}: {}.{differing}", classes.join(", ")));
    }
    if shared.json {
        return screen::print_json(&json!({
            "out": command.out, "trials": merged.trials, "studies": merged.studies, "repeated": merged.repeated,
            "differing": merged.differing, "processors": merged.processors,
        }));
    }
    let studies: Vec<String> = merged.studies.iter().map(|(name, trials)| format!("{name} {trials}")).collect();
    let (folders, out) = (command.folders.len(), command.out.display());
    screen::print(&format!(
        "Joined the trials of {folders} folders into {out}: {} ({}), {} of them found more than once.\n\
         For the tables run bgcn reproduce as before, without --shard and with --out {out}; it runs only what is \
         missing.\n",
        merged.trials,
        studies.join(", "),
        merged.repeated
    ))
}
