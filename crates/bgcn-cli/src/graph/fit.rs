//! `bgcn graph fit`: infer a block model and show what it found.

use super::infer::{Answer, InferenceName, Question, Settings, StartName};
use crate::args::{Input, Shared};
use crate::screen::{self, grouped};
use bgcn::data::{Dataset, Error, Labels};
use bgcn::files::write_atomically;
use bgcn::graph_model::mmsbm::{self, Delta, HoldOut};
use bgcn::metrics::normalized_mutual_information;
use bgcn::rng::For;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    #[command(flatten)]
    input: Input,
    /// Communities [default: the number of classes]
    #[arg(long, value_name = "K")]
    communities: Option<usize>,
    /// How to infer; several, separated by commas, are compared
    #[arg(long, value_enum, value_delimiter = ',', default_value = "linear", value_name = "NAME,…")]
    inference: Vec<InferenceName>,
    /// Where memberships start [default: labels if there are classes, else agglomerate]
    #[arg(long, value_enum)]
    start: Option<StartName>,
    /// Iterations, exactly that many [default: 200; natural 20, coordinate 25]
    #[arg(long, value_name = "N")]
    iterations: Option<usize>,
    /// Chance of a link between communities: a number, or auto
    #[arg(long, value_parser = crate::fit::parse_delta, value_name = "X|auto")]
    delta: Option<Delta>,
    /// Share of the links (and as many non-links) hidden from inference, to judge it by
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    hold_out: f64,
    #[command(flatten)]
    settings: Settings,
    /// Use the largest connected component alone
    #[arg(long)]
    largest_component: bool,
    /// Folder for graph-model.json, graph-model.safetensors, nodes.csv and observed.csv
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut data = command.input.load(shared)?;
    if command.largest_component {
        data = data.largest_component();
    }
    let load = begun.elapsed().as_secs_f64();
    let communities = communities(command, &data)?;
    if !(0.0..=0.5).contains(&command.hold_out) {
        let found = command.hold_out;
        return Err(Error::Request(format!("--hold-out is {found}; allowed are 0 to 0.5, such as 0.01")).into());
    }
    let held = HoldOut::draw(&data.graph, command.hold_out, shared.seed().at(For::HoldOut, [0; 3]));
    let question = Question {
        data: &data,
        shown: &held.graph,
        held_out: &held.pairs,
        communities,
        start: command.start.unwrap_or(if data.labels.classes() > 0 {
            StartName::Labels
        } else {
            StartName::Agglomerate
        }),
        iterations: command.iterations,
        delta: command.delta,
        settings: &command.settings,
        seed: shared.seed(),
    };
    let bar = screen::progress(shared, command.inference.len() as u64, "{prefix} {bar:20} {pos}/{len} {elapsed}");
    let mut answers = Vec::new();
    for &name in &command.inference {
        bar.set_prefix(name.name());
        answers.push(question.answer(name)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    if let Some(out) = &command.out {
        write(out, &data, &answers[0], shared.seed)?;
    }
    let total = begun.elapsed().as_secs_f64();
    if shared.json {
        let all: Vec<Value> = answers.iter().map(|answer| object(&data, answer, [load, total])).collect();
        let first = all[0].clone();
        return screen::print_json(&if all.len() == 1 { first } else { json!({ "inferences": all }) });
    }
    let mut text = if answers.len() == 1 { communities_table(&data, &answers[0]) } else { comparison(&data, &answers) };
    if let Some(out) = &command.out {
        text += &format!("\nWritten to {}. Next: bgcn graph sample {} --count 10\n", out.display(), out.display());
    }
    screen::print(&text)
}

fn communities(command: &Command, data: &Dataset) -> Result<usize, Error> {
    match command.communities.unwrap_or(data.labels.classes()) {
        0 => Err(Error::Request(format!(
            "{} has no classes to take the number of communities from; give --communities K",
            data.name
        ))),
        k => Ok(k),
    }
}

/// Agreement of the strongest communities with the classes, where there are classes.
fn agreement(data: &Dataset, answer: &Answer) -> Option<f64> {
    let labels = answer.lambda.labels();
    let pairs: Vec<(u32, u32)> =
        (0..data.nodes() as u32).filter_map(|a| Some((labels[a as usize], data.labels.class(a)?))).collect();
    (!pairs.is_empty()).then(|| normalized_mutual_information(&pairs))
}

fn object(data: &Dataset, answer: &Answer, [load, total]: [f64; 2]) -> Value {
    json!({
        "dataset": data.name,
        "nodes": data.nodes(),
        "edges": data.graph.edges(),
        "communities": answer.lambda.k(),
        "inference": answer.inference.name(),
        "iterations": answer.report.iterations,
        "beta": answer.lambda.beta(),
        "delta": answer.lambda.delta(),
        "sizes": answer.lambda.sizes(),
        "log_posterior": answer.log_posterior,
        "held_out": answer.held_out,
        "class_agreement_nmi": agreement(data, answer),
        "truncation": answer.report.truncation,
        "trace": answer.report.trace,
        "seconds": { "load": load, "start": answer.start_seconds, "infer": answer.infer_seconds, "total": total },
    })
}

/// Names of the communities: the classes where there are as many, else numbers.
fn names(data: &Dataset, k: usize) -> Vec<String> {
    match &data.labels {
        Labels::Classes { names, .. } if names.len() == k => names.clone(),
        _ => (1..=k).map(|k| format!("community {k}")).collect(),
    }
}

fn communities_table(data: &Dataset, answer: &Answer) -> String {
    let lambda = &answer.lambda;
    let n = data.nodes().max(1) as f64;
    let mut text = format!(
        "{} iterations of {} on {} ({} nodes, {} edges) in {:.3} s\n\n",
        answer.report.iterations,
        answer.inference.name(),
        data.name,
        grouped(data.nodes()),
        grouped(data.graph.edges()),
        answer.infer_seconds,
    );
    let mut hard = vec![0usize; lambda.k()];
    let mut sure = vec![0usize; lambda.k()];
    for (a, &k) in lambda.labels().iter().enumerate() {
        hard[k as usize] += 1;
        sure[k as usize] += usize::from(lambda.row(a as u32)[k as usize] > 0.9);
    }
    let mut table = screen::table(&["Community", "Strength", "Size", "Strongest in", "of these over 90 %", "Share"]);
    for (k, (name, size)) in names(data, lambda.k()).into_iter().zip(lambda.sizes()).enumerate() {
        let of_these =
            if hard[k] == 0 { "–".into() } else { format!("{:.0} %", 100.0 * sure[k] as f64 / hard[k] as f64) };
        table.add_row([
            name,
            format!("{:.5}", lambda.beta()[k]),
            format!("{size:.1}"),
            grouped(hard[k]),
            of_these,
            screen::bar(size / n, 1.0, 20),
        ]);
    }
    text += &format!("{}\n\nLinks between communities: probability {:.2e}\n", table.trim_fmt(), lambda.delta());
    if let Some(nmi) = agreement(data, answer) {
        text += &format!("Agreement with the classes (NMI): {nmi:.3}\n");
    }
    if let Some(held) = &answer.held_out {
        text += &format!(
            "Held-out pairs: {:.3} per link, {:.4} per non-link, mean {:.4}, perplexity {:.3}\n",
            held.per_link, held.per_non_link, held.mean, held.perplexity
        );
    }
    text
}

fn comparison(data: &Dataset, answers: &[Answer]) -> String {
    let mut table =
        screen::table(&["Inference", "Iterations", "Seconds", "Log posterior", "Held-out mean", "NMI with classes"]);
    for answer in answers {
        let or_dash = |number: Option<String>| number.unwrap_or_else(|| "–".into());
        table.add_row([
            answer.inference.name().to_owned(),
            answer.report.iterations.to_string(),
            format!("{:.4}", answer.infer_seconds),
            or_dash(answer.log_posterior.map(|l| format!("{l:.1}"))),
            or_dash(answer.held_out.map(|held| format!("{:.4}", held.mean))),
            or_dash(agreement(data, answer).map(|nmi| format!("{nmi:.3}"))),
        ]);
    }
    table.trim_fmt() + "\n"
}

/// The model, and beside it the nodes' ids and the observed edges, so that drawn graphs can be compared.
fn write(out: &Path, data: &Dataset, answer: &Answer, seed: u64) -> anyhow::Result<()> {
    mmsbm::write(out, &answer.lambda, &answer.params, seed)?;
    super::sample::write_graph(&out.join("observed.csv"), &data.graph)?;
    write_atomically(&out.join("nodes.csv"), |w| {
        writeln!(w, "node,id")?;
        (0..data.nodes() as u32).try_for_each(|a| writeln!(w, "{a},{}", bgcn::data::tables::quoted(data.ids.name(a))))
    })?;
    Ok(())
}
