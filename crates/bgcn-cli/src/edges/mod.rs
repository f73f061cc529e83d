//! `bgcn edges`: suspicious and missing edges, their reasons, and the graph without the suspicious ones.

mod choice;
mod clean;
mod table;
mod why;

pub use table::edge_table;

use crate::args::{OwnFiles, Shared};
use crate::screen::{self, grouped};
use bgcn::Run;
use bgcn::findings::{EdgeFinding, Edges};
use bgcn_core::data::{Dataset, Error};
use bgcn_core::links;
use bgcn_core::links::{Links, RATE};
use bgcn_core::recipe::LinkSettings;
use bgcn_files::write::Form;
use bgcn_report::fdr_list;
use choice::Choice;
use clap::Args;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
P(spurious): the probability that an observed edge is wrong, calibrated with decoys (random edges added to the graph). \
P(missing): the probability that a pair without an edge should have one. Why: the reasons that set an edge apart from \
the average one, the strongest first; --json has every term of the log-odds.

A list at a stated false discovery rate, and the graph without it:
  bgcn edges RUN --fdr 0.1
  bgcn edges RUN --clean cleaned.npz
A graph without a fit, judged by its features, neighbours and known labels:
  bgcn edges --edges links.csv --features words.csv

Decoys are uniform random edges. An attacker who knows the method can add edges with a low P(spurious).";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Command {
    /// Folder of a run; or a dataset, judged without a fit
    #[arg(value_name = "RUN|DATA", required_unless_present = "edges")]
    name: Option<String>,
    #[command(flatten)]
    choice: Choice,
    /// Graph without the suspicious edges: .npz, .graphml, or a folder
    ///
    /// Edges of the list at --fdr [default: 0.1] are left out. Nodes, features, labels and the split stay. A path that
    /// does not end in .npz or .graphml is a folder of CSV files.
    #[arg(long, value_name = "OUT", help_heading = "Cleaned graph")]
    clean: Option<PathBuf>,
    /// Replace an existing file or folder
    #[arg(long, requires = "clean", help_heading = "Cleaned graph")]
    overwrite: bool,
    #[command(flatten)]
    own: OwnFiles,
}

/// Where the edges come from.
enum Judged {
    Run(Box<Run>),
    Data(Box<Dataset>, Links),
}

impl Judged {
    fn new(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        if let Some(folder) = command.name.as_deref().map(Path::new)
            && folder.join("run.toml").is_file()
        {
            return Ok(Self::Run(Box::new(Run::load(folder)?)));
        }
        let name = command.name.as_deref();
        let data = shared.load(&command.own.source(name)).map_err(|error| match name {
            Some(name) if error.is_input() => {
                Error::Request(format!("{name} holds no run.toml, so it was taken for data. {error}"))
            }
            _ => error,
        })?;
        let watch = |_| ControlFlow::Continue(());
        let links = links::judge_graph(&data, LinkSettings::default(), shared.seed(), &watch)?;
        Ok(Self::Data(Box::new(data), links))
    }

    fn edges(&self) -> Result<Edges<'_>, bgcn_core::Error> {
        match self {
            Self::Run(run) => run.judge(&|_| ControlFlow::Continue(())),
            Self::Data(data, links) => Ok(Edges { data, predictions: None, links }),
        }
    }
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    if let Some(out) = &command.clean {
        Form::of(out).check(out, command.overwrite)?;
    }
    let judged = Judged::new(command, shared)?;
    let edges = judged.edges()?;
    let name = match (&judged, &command.name) {
        (Judged::Run(_), Some(name)) => name.clone(),
        _ => edges.data.name.clone(),
    };
    if let Some(out) = &command.clean {
        let rate = command.choice.fdr.unwrap_or(RATE);
        return clean::run((&judged, &name), (out, command.overwrite), rate, shared);
    }
    command.choice.check(edges, &name)?;
    let chosen = command.choice.of(edges);
    if shared.json {
        let kind = if matches!(judged, Judged::Run(_)) { "run" } else { "dataset" };
        return screen::print_json(&object(command, edges, &chosen, (kind, &name)));
    }
    let mut text = command.choice.fdr.map_or(String::new(), |rate| list_line(edges.links, rate));
    for (p, rows) in ["P(spurious)", "P(missing)"].iter().zip(&chosen) {
        if !rows.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text += &format!("{gap}{}\n", edge_table(p, rows));
        }
    }
    let listed = command.choice.fdr.is_none_or(|rate| edges.links.at_rate(rate) > 0);
    if chosen.iter().all(Vec::is_empty) && listed {
        text += "No edge matches.\n";
    }
    screen::print(&text)
}

/// The list at a rate, and how many edges there are.
fn list_line(links: &Links, rate: f64) -> String {
    let (list, edges) = (fdr_list(&links.lists, rate), grouped(links.edges.len()));
    let mut letters = list.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    format!("{first}{} ({edges} observed).\n", letters.as_str())
}

fn object(command: &Command, edges: Edges<'_>, chosen: &[Vec<EdgeFinding>; 2], (kind, name): (&str, &str)) -> Value {
    let [observed, missing] = chosen;
    let row = |edge: &EdgeFinding, observed: bool| {
        let [source, target] = &edge.names;
        let p = edge.probability;
        let mut object = json!({
            "source": source, "target": target, "observed": observed, "p_spurious": observed.then_some(p),
            "p_missing": (!observed).then_some(p), "reasons": edge.reasons.to_string(),
        });
        if !edges.data.node_names.is_empty() {
            let [source, target] = &edge.called;
            (object["source_name"], object["target_name"]) = (json!(source), json!(target));
        }
        if edges.predictions.is_some() {
            let [source, target] = &edge.predicted;
            (object["source_predicted"], object["target_predicted"]) = (json!(source), json!(target));
        }
        object
    };
    let rows = observed.iter().map(|edge| row(edge, true)).chain(missing.iter().map(|edge| row(edge, false)));
    let mut object = json!({ "edges": rows.collect::<Vec<_>>() });
    object[kind] = json!(name);
    if edges.predictions.is_none() {
        object["remarks"] = json!(edges.data.remarks);
    }
    if let Some(rate) = command.choice.fdr {
        object["fdr"] = json!(rate);
        object["listed"] = json!(edges.links.at_rate(rate));
    }
    object
}
