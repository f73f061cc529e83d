//! `bgcn graph fit`: infer a graph model and show what it found.

use super::communities::Communities;
use super::infer::{assignments, inferences, rules, starts};
use crate::args::{Input, Shared};
use crate::screen::{self, grouped};
use bgcn::graph_fit::{InferenceName, InferenceRequest, InferenceResult, StartName};
use bgcn::graph_models::{check_model_folder, write_model};
use bgcn_core::data::{Dataset, Error};
use bgcn_core::graph_model::HoldOut;
use bgcn_core::graph_model::registry;
use bgcn_core::graph_model::registry::Entry;
use bgcn_core::rng::For;
use bgcn_files::pasted;
use clap::Args;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

const AFTER_HELP: &str = "\
Two inferences of the paper's block model, compared by held-out links:
  bgcn graph fit cora --hold-out 0.05 --inference linear,natural
A model that keeps degrees, from the labels, and graphs drawn from it:
  bgcn graph fit cora --graph-model dcsbm --out model
  bgcn graph sample model --count 10
Twenty blocks, without labels:
  bgcn graph fit cora --graph-model sbm --start agglomerate --communities 20

copying uses the classes as they are: it has no iterations.";

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Command {
    /// Random-graph model: the paper's block model (mmsbm), full block matrix (mmsb), stochastic block model (sbm),
    /// degree-corrected (dcsbm), node copying (copying)
    #[arg(long, value_parser = graph_model, default_value = "mmsbm", value_name = "mmsbm|mmsb|sbm|dcsbm|copying")]
    pub graph_model: &'static Entry,
    /// Communities [default: the number of classes]
    #[arg(long, value_name = "K")]
    pub communities: Option<usize>,
    /// Inference of mmsbm; several are compared [default: linear]
    #[arg(long, value_parser = inferences(), value_delimiter = ',', value_name = "NAME,…")]
    pub inference: Vec<InferenceName>,
    /// Start of the memberships [default: labels if there are classes, else agglomerate]
    #[arg(long, value_parser = starts())]
    pub start: Option<StartName>,
    /// Number of iterations [default: mmsbm 200, natural 20, coordinate 25; mmsb, sbm, dcsbm 20]
    #[arg(long, value_name = "N")]
    pub iterations: Option<usize>,
    /// Any setting of `bgcn settings --graph-model NAME`, such as mmsbm.delta=auto; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Iterations between entries of the trace
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub trace_every: usize,
    /// Share of the links, and as many non-links, held out for scores
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    pub hold_out: f64,
    /// Largest connected component alone
    #[arg(long)]
    largest_component: bool,
    /// Folder for graph-model.json, graph-model.safetensors and tables
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an existing model and its draws
    #[arg(long, requires = "out")]
    overwrite: bool,
    #[command(flatten)]
    input: Input,
}

/// A model that can be inferred or drawn from.
fn graph_model(text: &str) -> Result<&'static Entry, String> {
    let models = &registry::ALL[1..];
    models.iter().find(|entry| entry.name == text).ok_or_else(|| {
        let remark =
            if text == "observed" { "; with observed there is nothing to infer and nothing to draw" } else { "" };
        let names: Vec<&str> = models.iter().map(|entry| entry.name).collect();
        format!("allowed are {}{remark}", names.join(", "))
    })
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let begun = Instant::now();
    rules(command)?;
    if let Some(out) = &command.out {
        let options = "--out names another folder, --overwrite replaces a model";
        let refuse = |error| Error::Request(format!("{error} ({options})"));
        check_model_folder(out, command.overwrite).map_err(refuse)?;
    }
    let mut data = command.input.load(shared)?;
    if command.largest_component {
        data = data.largest_component();
    }
    let load = begun.elapsed().as_secs_f64();
    let results = infer(command, shared, &data)?;
    if let Some(out) = &command.out {
        write_model(out, command.overwrite, &data, &results[0].saved)?;
    }
    let total = begun.elapsed().as_secs_f64();
    if shared.json {
        let all: Vec<Value> = results.iter().map(|result| object(&data, result, [load, total])).collect();
        let first = all[0].clone();
        return screen::print_json(&if all.len() == 1 { first } else { json!({ "inferences": all }) });
    }
    let mut text = if results.len() == 1 { found(&data, &results[0]) } else { comparison(&data, &results) };
    if let Some(out) = &command.out {
        text += &format!("\nWritten to {}. Next:\n  bgcn graph sample {} --count 10\n", out.display(), pasted(out));
    }
    screen::print(&text)
}

/// One result, or one for each inference that was asked for.
fn infer(command: &Command, shared: &Shared, data: &Dataset) -> anyhow::Result<Vec<InferenceResult>> {
    let communities = communities(command, data)?;
    if !(0.0..=0.5).contains(&command.hold_out) {
        let found = command.hold_out;
        return Err(Error::Request(format!("--hold-out is {found}; allowed are 0 to 0.5, such as 0.01")).into());
    }
    let held = HoldOut::draw(&data.graph, command.hold_out, shared.seed().at(For::HoldOut, [0; 3]));
    let settings = assignments(command)?;
    let request = InferenceRequest {
        data,
        shown: &held.graph,
        held_out: &held.pairs,
        communities,
        start: command.start.unwrap_or_else(|| StartName::suiting(data)),
        iterations: command.iterations,
        settings: &settings,
        trace_every: command.trace_every,
        seed: shared.seed(),
        go_on: &|_, _| ControlFlow::Continue(()),
    };
    let inferences: Vec<Option<InferenceName>> = match &command.inference[..] {
        [] => vec![None],
        several => several.iter().copied().map(Some).collect(),
    };
    let bar = screen::progress(shared, inferences.len() as u64, "{prefix} {bar:20} {pos}/{len} {elapsed}");
    let mut results = Vec::new();
    for inference in inferences {
        bar.set_prefix(inference.map_or(command.graph_model.name, InferenceName::name));
        results.push(request.run(command.graph_model, inference)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(results)
}

/// How many.
fn communities(command: &Command, data: &Dataset) -> Result<usize, Error> {
    match command.communities.unwrap_or(data.labels.classes()) {
        0 => Err(Error::Request(format!(
            "{} has no classes to take the number of communities from; give --communities K",
            data.name
        ))),
        k => Ok(k),
    }
}

fn object(data: &Dataset, result: &InferenceResult, [load, total]: [f64; 2]) -> Value {
    let communities = Communities::of(&result.saved.parameters);
    let mut object = json!({
        "dataset": data.name,
        "nodes": data.nodes(),
        "edges": data.graph.edges(),
        "graph_model": result.saved.model,
        "settings": result.saved.settings,
        "inference": result.inference.map(InferenceName::name),
        "iterations": result.report.iterations,
        "sizes": communities.as_ref().map(Communities::sizes),
        "log_posterior": result.log_posterior,
        "held_out": result.held_out,
        "impossible_links": result.impossible,
        "class_agreement_nmi": communities.as_ref().and_then(|communities| communities.agreement(data)),
        "truncation": result.report.truncation,
        "trace": result.report.trace,
        "seconds": { "load": load, "start": result.start_seconds, "infer": result.infer_seconds, "total": total },
    });
    // communities, and beta and delta or b: what the model's λ has beside the nodes' rows.
    result.saved.parameters.small.iter().for_each(|(name, value)| object[name] = value.clone());
    object
}

/// What was done, and the communities where the model has some.
fn found(data: &Dataset, result: &InferenceResult) -> String {
    let model = &result.saved.model;
    let done = match (result.inference, result.report.iterations) {
        (Some(inference), n) => format!("{n} iterations of {}", inference.name()),
        (None, 0) => model.clone(),
        (None, n) => format!("{n} iterations of {model}"),
    };
    let (nodes, edges) = (grouped(data.nodes()), grouped(data.graph.edges()));
    let (name, seconds) = (&data.name, result.infer_seconds);
    let mut text = format!("{done} on {name} ({nodes} nodes, {edges} edges) in {seconds:.3} s\n\n");
    if let Some(communities) = Communities::of(&result.saved.parameters) {
        text += &communities_table(data, &communities);
    }
    if let Some(held) = &result.held_out {
        text += &format!(
            "Held-out pairs: {:.3} per link, {:.4} per non-link, mean {:.4}, perplexity {:.3}\n",
            held.per_link, held.per_non_link, held.mean, held.perplexity
        );
    }
    if result.impossible > 0 {
        text += &format!(
            "{} of the held-out links are impossible under the model, which decides these means\n",
            result.impossible
        );
    }
    text
}

fn communities_table(data: &Dataset, communities: &Communities) -> String {
    let n = data.nodes().max(1) as f64;
    let mut table = screen::table(&["Community", "Strength", "Size", "Strongest in", "of these over 90 %", "Share"]);
    let counts = communities.hard_and_sure();
    let rows = communities.names(data).into_iter().zip(communities.sizes()).zip(counts);
    for (k, ((name, size), (hard, over_90))) in rows.enumerate() {
        let of_these = if hard == 0 { "–".into() } else { format!("{:.0} %", 100.0 * over_90 as f64 / hard as f64) };
        table.add_row([
            name,
            communities.strengths.as_ref().map_or("–".into(), |strengths| format!("{:.5}", strengths[k])),
            format!("{size:.1}"),
            grouped(hard),
            of_these,
            screen::bar(size / n, 1.0, 20),
        ]);
    }
    let mut text = table.trim_fmt() + "\n\n";
    match communities.between {
        Some([low, high]) if low == high => text += &format!("Links between communities: probability {low:.2e}\n"),
        Some([low, high]) => text += &format!("Links between communities: strength from {low:.2e} to {high:.2e}\n"),
        None => {}
    }
    if let Some(nmi) = communities.agreement(data) {
        text += &format!("Agreement with the classes (NMI): {nmi:.3}\n");
    }
    text
}

fn comparison(data: &Dataset, results: &[InferenceResult]) -> String {
    let mut table =
        screen::table(&["Inference", "Iterations", "Seconds", "Log posterior", "Held-out mean", "NMI with classes"]);
    for result in results {
        let nmi = Communities::of(&result.saved.parameters).and_then(|communities| communities.agreement(data));
        let or_dash = |number: Option<String>| number.unwrap_or_else(|| "–".into());
        table.add_row([
            result.inference.map_or("–", InferenceName::name).to_owned(),
            result.report.iterations.to_string(),
            format!("{:.4}", result.infer_seconds),
            or_dash(result.log_posterior.map(|l| format!("{l:.1}"))),
            or_dash(result.held_out.map(|held| format!("{:.4}", held.mean))),
            or_dash(nmi.map(|nmi| format!("{nmi:.3}"))),
        ]);
    }
    table.trim_fmt() + "\n"
}
