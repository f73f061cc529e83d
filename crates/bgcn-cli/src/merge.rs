//! `bgcn merge`: join the result logs of several machines.

use crate::args::Shared;
use crate::screen;
use clap::Args;
use serde_json::json;
use std::collections::BTreeMap;
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
    for (folder, lacks) in &merged.apart {
        let (folder, lacks) = (folder.display(), lacks.join(", "));
        screen::remark(shared, &format!("{folder} has no trials on {lacks}, which other folders have."));
    }
    if shared.json {
        return screen::print_json(&json!({
            "out": command.out, "trials": merged.trials, "studies": merged.studies, "datasets": merged.datasets,
            "repeated": merged.repeated, "differing": merged.differing, "processors": merged.processors,
        }));
    }
    let counts = |of: &BTreeMap<String, usize>| -> String {
        of.iter().map(|(name, trials)| format!("{name} {trials}")).collect::<Vec<_>>().join(", ")
    };
    let about = if merged.datasets.is_empty() { String::new() } else { format!("; {}", counts(&merged.datasets)) };
    let (folders, out) = (command.folders.len(), command.out.display());
    screen::print(&format!(
        "Joined the trials of {folders} folders into {out}: {} ({}{about}), {} of them found more than once.\n\
         For the tables run bgcn reproduce as before, without --shard and with --out {out}; it runs only what is \
         missing.\n",
        merged.trials,
        counts(&merged.studies),
        merged.repeated
    ))
}
