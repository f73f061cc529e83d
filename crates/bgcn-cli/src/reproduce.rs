//! `bgcn reproduce`: the paper's accuracy tables, beside the published figures.

use crate::args::Shared;
use crate::screen;
use bgcn::data::{Dataset, load, tables::Options};
use bgcn::files::write_atomically;
use bgcn_experiments::{Cell, CellResult, Experiment, Log, Method, SplitName, Summary, Table, published, tabulate};
use clap::{Args, ValueEnum};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct Command {
    /// Which tables
    #[arg(required = true, value_enum)]
    what: Vec<What>,
    /// Repetitions of every cell
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Methods: a network (chebnet, gcn, gat), alone or with a graph model as in gat+mmsbm; bgcn is gcn+mmsbm
    #[arg(long, value_delimiter = ',', default_value = "chebnet,gcn,gat,bgcn", value_name = "M,…")]
    methods: Vec<Method>,
    /// Training labels of each class
    #[arg(long, value_delimiter = ',', default_value = "5,10,20", value_name = "N,…")]
    labels_per_class: Vec<usize>,
    /// Splits
    #[arg(long, value_delimiter = ',', value_enum, default_value = "random,fixed", value_name = "S,…")]
    split: Vec<Split>,
    /// Folder for the result log (trials.jsonl) and the tables (tables.md); the same command goes on where it stopped
    #[arg(long, value_name = "DIR", default_value = "bgcn-results")]
    out: PathBuf,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Accuracy on Cora
    Cora,
    /// Accuracy on CiteSeer
    Citeseer,
    /// Accuracy on Pubmed
    Pubmed,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Split {
    /// Drawn anew for every run
    Random,
    /// The dataset's own
    Fixed,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            Self::Cora => "cora",
            Self::Citeseer => "citeseer",
            Self::Pubmed => "pubmed",
        }
    }
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let start = Instant::now();
    let mut data: BTreeMap<String, Dataset> = BTreeMap::new();
    for what in &command.what {
        data.insert(what.name().into(), load(what.name(), &shared.places(), &Options::default())?);
    }
    let experiment = experiment(command, shared.seed);
    let log = Log::open(&command.out.join("trials.jsonl"))?;
    let total = experiment.trials().len() as u64;
    let bar = screen::progress(shared, total, "{bar:30} {pos}/{len} trials  {elapsed} gone, {eta} left  {msg}");
    let finished = experiment.run(&data, log, &|done| {
        bar.set_position(done.finished as u64);
        bar.set_message(format!(
            "{} {} {}: {:.1} %",
            done.key.cell.dataset,
            done.key.cell.labels_per_class,
            done.key.method,
            100.0 * done.outcome.accuracy
        ));
    });
    bar.finish_and_clear();
    let finished = finished?;
    let tables = tabulate(&finished.outcomes, &published());
    let page: String =
        tables.iter().map(|table| markdown(table, &command.methods) + &calibration(table, &command.methods)).collect();
    let file = command.out.join("tables.md");
    write_atomically(&file, |w| w.write_all(page.as_bytes()))?;
    if shared.json {
        return screen::print_json(&serde_json::json!({
            "tables": tables, "trials_run": finished.run, "trials_reused": finished.reused,
            "seconds": { "total": start.elapsed().as_secs_f64() },
        }));
    }
    screen::print(&page)?;
    screen::remark(
        shared,
        &format!(
            "{} trials run, {} taken from the log, in {:.1} s. Tables: {}",
            finished.run,
            finished.reused,
            start.elapsed().as_secs_f64(),
            file.display()
        ),
    );
    Ok(())
}

fn experiment(command: &Command, seed: u64) -> Experiment {
    let mut cells = Vec::new();
    for what in &command.what {
        for split in &command.split {
            for &labels_per_class in &command.labels_per_class {
                let split = match split {
                    Split::Random => SplitName::Random,
                    Split::Fixed => SplitName::Fixed,
                };
                cells.push(Cell { dataset: what.name().into(), split, labels_per_class });
            }
        }
    }
    Experiment { cells, methods: command.methods.clone(), runs: command.runs, seed }
}

/// Methods down, labels across: ours, the paper's in brackets, the difference; the best in bold, an asterisk if significantly.
fn markdown(table: &Table, methods: &[Method]) -> String {
    let mut labels: Vec<usize> = table.cells.iter().map(|cell| cell.labels_per_class).collect();
    labels.dedup();
    let mut text = format!("\n### {}, {} split\n\n|", table.dataset, table.split);
    let heads: Vec<String> = labels.iter().map(|n| format!(" {n} labels | paper | difference |")).collect();
    let _ = write!(text, " method |{}\n|---|{}\n", heads.concat(), "---|---|---|".repeat(labels.len()));
    for method in methods {
        let name = method.to_string();
        let _ = write!(text, "| {name} |");
        for &n in &labels {
            let cell = table.cells.iter().find(|cell| cell.method == name && cell.labels_per_class == n);
            text += &cell.map_or_else(|| " – | – | – |".into(), columns);
        }
        text.push('\n');
    }
    text
}

/// Calibration: ECE in percent and NLL, as predicted and after a temperature fitted on the validation nodes.
fn calibration(table: &Table, methods: &[Method]) -> String {
    let mut text = format!(
        "\nCalibration on {}, {} split:\n\n| method | labels | ECE | NLL | ECE, scaled | NLL, scaled |\n|---|---|---|---|---|---|\n",
        table.dataset, table.split
    );
    for method in methods {
        let name = method.to_string();
        for cell in table.cells.iter().filter(|cell| cell.method == name) {
            let or_dash = |summary: Option<Summary>, digits: usize| {
                summary.map_or("–".into(), |s| format!("{:.digits$}", s.mean))
            };
            let _ = writeln!(
                text,
                "| {name} | {} | {:.1} | {:.3} | {} | {} |",
                cell.labels_per_class,
                cell.ece.mean,
                cell.nll.mean,
                or_dash(cell.ece_scaled, 1),
                or_dash(cell.nll_scaled, 3),
            );
        }
    }
    text
}

fn columns(cell: &CellResult) -> String {
    let star = if cell.p_against_second.is_some_and(|p| p < 0.05) { "\\*" } else { "" };
    let ours = format!("{:.1} ± {:.1}", cell.accuracy.mean, cell.accuracy.sd);
    let ours = if cell.best { format!("{star}**{ours}**") } else { ours };
    match (cell.published, cell.verdict) {
        (Some((mean, sd)), Some(verdict)) => {
            format!(" {ours} | {mean:.1} ± {sd:.1} | {:+.1} ± {:.1} |", verdict.difference, verdict.error)
        }
        _ => format!(" {ours} | – | – |"),
    }
}
