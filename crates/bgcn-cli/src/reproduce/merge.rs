//! `bgcn reproduce --merge`: one log out of those of several shares.

use super::Command;
use crate::args::Shared;
use crate::screen;
use bgcn_experiments::Merged;
use serde_json::{Value, json};
use std::collections::BTreeMap;

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let merged = bgcn_experiments::merge(&command.merge, &command.out)?;
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
        return screen::print_json(&as_json(command, &merged));
    }
    let counts = |of: &BTreeMap<String, usize>| -> String {
        of.iter().map(|(name, trials)| format!("{name} {trials}")).collect::<Vec<_>>().join(", ")
    };
    let about = if merged.datasets.is_empty() { String::new() } else { format!("; {}", counts(&merged.datasets)) };
    let (folders, out) = (command.merge.len(), command.out.display());
    screen::print(&format!(
        "Joined the trials of {folders} folders into {out}: {} ({}{about}), {} of them found more than once.\n\
         For the tables run bgcn reproduce as before, without --shard and with --out {out}; it runs only what is \
         missing.\n",
        merged.trials,
        counts(&merged.studies),
        merged.repeated
    ))
}

/// What [`run`] prints with `--json`.
pub fn json(command: &Command) -> anyhow::Result<Value> {
    Ok(as_json(command, &bgcn_experiments::merge(&command.merge, &command.out)?))
}

fn as_json(command: &Command, merged: &Merged) -> Value {
    json!({
        "out": command.out, "trials": merged.trials, "studies": merged.studies, "datasets": merged.datasets,
        "repeated": merged.repeated, "differing": merged.differing, "processors": merged.processors,
    })
}
