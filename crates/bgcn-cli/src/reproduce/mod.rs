//! `bgcn reproduce`: the paper's accuracy tables, beside the published figures.

use crate::args::Shared;
use crate::screen;
use anyhow::Context as _;
use bgcn::data::{load, tables::Options};
use bgcn::files::write_atomically;
use bgcn_experiments::accuracy::{Accuracy, Cell, CellResult, SplitName, Table, tabulate};
use bgcn_experiments::{Contender, Datasets, Log, Method, Shard, Study as _, Summary, published};
use clap::{Args, ValueEnum};
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
    /// A file of methods with settings changed, compared with the others: [[variant]] with name, method and plan
    #[arg(long, value_name = "FILE")]
    variants: Option<PathBuf>,
    /// Training labels of each class
    #[arg(long, value_delimiter = ',', default_value = "5,10,20", value_name = "N,…")]
    labels_per_class: Vec<usize>,
    /// Splits
    #[arg(long, value_delimiter = ',', value_enum, default_value = "random,fixed", value_name = "S,…")]
    split: Vec<Split>,
    /// Folder for the result log (trials.jsonl) and the tables (tables.md); the same command goes on where it stopped
    #[arg(long, value_name = "DIR", default_value = "bgcn-results")]
    out: PathBuf,
    /// Run only the i-th of n shares of the trials, on this machine; join the folders with bgcn merge
    #[arg(long, value_name = "i/n", default_value_t = Shard::WHOLE)]
    shard: Shard,
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
    let mut data = Datasets::new();
    for what in &command.what {
        data.insert(what.name().into(), load(what.name(), &shared.places(), &Options::default())?);
    }
    let contenders = command.contenders()?;
    let study = Accuracy::new(command.cells(), &contenders, (command.runs, shared.seed), &data)?;
    let mut log = Log::open(&command.out.join(Log::FILE))?;
    let total = study.trials().len() as u64;
    let bar = screen::progress(shared, total, "{bar:30} {pos}/{len} trials  {elapsed} gone, {eta} left  {msg}");
    let finished = bgcn_experiments::run(&study, &mut log, command.shard, &|done| {
        let shown = study.shown(done.key, done.outcome);
        bar.inc(1);
        bar.set_message(format!("{} {}: {:.1} %", shown.row, shown.column, shown.value));
    });
    bar.finish_and_clear();
    let finished = finished?;
    let tables = tabulate(&finished.outcomes, &published());
    let page: String =
        tables.iter().map(|table| markdown(table, &contenders) + &calibration(table, &contenders)).collect();
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

impl Command {
    fn contenders(&self) -> anyhow::Result<Vec<Contender>> {
        let mut contenders: Vec<Contender> = self.methods.iter().cloned().map(Contender::from).collect();
        if let Some(file) = &self.variants {
            let text = std::fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
            contenders.extend(Contender::read_variants(&text)?);
        }
        Ok(contenders)
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for what in &self.what {
            for split in &self.split {
                for &labels_per_class in &self.labels_per_class {
                    let split = match split {
                        Split::Random => SplitName::Random,
                        Split::Fixed => SplitName::Fixed,
                    };
                    cells.push(Cell { dataset: what.name().into(), split, labels_per_class });
                }
            }
        }
        cells
    }
}

/// Methods down, labels across: ours, the paper's in brackets, the difference; the best in bold, an asterisk if significantly.
fn markdown(table: &Table, contenders: &[Contender]) -> String {
    let mut labels: Vec<usize> = table.cells.iter().map(|cell| cell.labels_per_class).collect();
    labels.dedup();
    let mut text = format!("\n### {}, {} split\n\n|", table.dataset, table.split);
    let heads: Vec<String> = labels.iter().map(|n| format!(" {n} labels | paper | difference |")).collect();
    let _ = write!(text, " method |{}\n|---|{}\n", heads.concat(), "---|---|---|".repeat(labels.len()));
    for contender in contenders {
        let name = contender.name();
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
fn calibration(table: &Table, contenders: &[Contender]) -> String {
    let mut text = format!(
        "\nCalibration on {}, {} split:\n\n| method | labels | ECE | NLL | ECE, scaled | NLL, scaled |\n|---|---|---|---|---|---|\n",
        table.dataset, table.split
    );
    for contender in contenders {
        let name = contender.name();
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
