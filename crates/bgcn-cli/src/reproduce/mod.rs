//! `bgcn reproduce`: the paper's evaluation, beside the published figures, and that of the link model.

mod live;
mod machine;
mod merge;
mod report;
mod share;
mod studies;
mod trials;
mod what;

use crate::args::{self, Cli, Shared};
use crate::{Failure, screen};
use bgcn_core::data::Error;
use bgcn_core::posterior::Watch;
use bgcn_experiments::accuracy::{JudgedOn, SplitName};
use bgcn_experiments::{Contender, Shard, unwatched};
use bgcn_report::Page;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser as _};
use report::Report;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
pub use share::{Evaluation, run_shard};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Instant;
use studies::Studies;
use trials::Trials;
use what::What;

const AFTER_HELP: &str = "\
Files in the folder: trials.jsonl, the log, one finished trial a line; settings.jsonl, what these depend on, by hash; \
results.md (with figures beside it) and report.html, the results beside the paper's figures. The same command \
resumes a run that was stopped or killed.

With --json: `tables`, an array of objects whose `study` is accuracy (one for each dataset and split, with `cells`), \
datasets, edges, attack or planted (one for each dataset), or calibration (one); `claims` of the paper, each with its \
`standing`: reproduced, partly, not_reproduced or open; `trials_run`, `trials_reused`, `trials_left`, `rechecked`, `seconds`. `tables` and `claims` \
are the same after any interruption.";

/// Options of a run.
const RUNNING: [&str; 10] =
    ["what", "runs", "methods", "variants", "labels_per_class", "split", "judge", "evasion", "shard", "recheck"];

#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Command {
    #[command(flatten)]
    wanted: Wanted,
    /// Folder for the log and the results; repeat to resume
    #[arg(long, value_name = "DIR", default_value = "bgcn-results")]
    out: PathBuf,
    /// One of n shares of the trials, each with its own --out
    #[arg(long, value_name = "i/n", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Folders of shares to join into --out
    #[arg(long, value_name = "DIR", num_args = 1.., requires = "out", conflicts_with_all = RUNNING)]
    merge: Vec<PathBuf>,
    /// Logged trials to run again and compare to the last bit
    #[arg(long, value_name = "N", default_value_t = 0)]
    recheck: usize,
}

/// What decides the trials.
#[derive(Args, Clone, Serialize, Deserialize)]
struct Wanted {
    /// datasets, cora, citeseer, pubmed, edges, attack-DATA, planted-DATA, calibration, or all
    ///
    /// cora, citeseer, pubmed and other data (demo, karate, a folder, a file) give accuracy tables. attack-cora and
    /// attack-citeseer are the paper's attack. planted recovers edges planted in the three datasets, planted-cora in
    /// one. calibration is that of P(spurious), on generated graphs.
    #[arg(required_unless_present = "merge", value_name = "WHAT")]
    what: Vec<What>,
    /// Repetitions of every cell
    ///
    /// An attack takes at most 5, after 10 runs to choose targets from, planted and calibration at most 10.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Methods: a network (chebnet, gcn, gat), alone or with a graph model as in gat+mmsbm [default: by study]
    ///
    /// bgcn is gcn+mmsbm. Defaults: chebnet,gcn,gat,gcn+mmsbm,gcn+copying,gcn+auto; for edges gcn+mmsbm,gcn+published;
    /// for attacks gcn,gcn+mmsbm; for planted gcn+copying,gcn+mmsbm,gcn+sbm,gcn+dcsbm,gcn+auto.
    #[arg(long, value_delimiter = ',', value_name = "M,…", value_parser = method)]
    methods: Vec<String>,
    /// File of methods with changed settings: [[variant]] with name, method and set
    #[arg(long, value_name = "FILE")]
    variants: Option<PathBuf>,
    /// Training labels per class in the accuracy tables
    #[arg(long, value_delimiter = ',', default_value = "5,10,20", value_name = "N,…")]
    labels_per_class: Vec<usize>,
    /// Splits of the accuracy tables [default: random, and fixed where the data has one]
    #[arg(long, value_delimiter = ',', value_name = "S,…", value_parser = among::<SplitName>(["random", "fixed"]))]
    split: Vec<SplitName>,
    /// Nodes scored in the accuracy tables
    ///
    /// rest are the nodes in no set of the split, to choose settings by.
    #[arg(long, default_value = "test", value_name = "NODES", value_parser = among::<JudgedOn>(["test", "rest"]))]
    judge: JudgedOn,
    /// Attack after training (evasion), not before (poisoning)
    #[arg(long)]
    evasion: bool,
}

/// One of two values, by their names in the log.
fn among<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    names: [&'static str; 2],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names).map(|name| serde_json::from_value(name.into()).expect("it is among the names"))
}

/// A name that is a method's.
fn method(name: &str) -> Result<String, String> {
    Contender::of_method(name).map(|contender| contender.name().to_owned()).map_err(|error| error.to_string())
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    if !command.merge.is_empty() {
        return merge::run(command, shared);
    }
    let start = Instant::now();
    let (report, page) = results(command, shared, &unwatched)?;
    if shared.json {
        return screen::print_json(&report.json(start));
    }
    screen::print(&page.markdown())?;
    screen::remark(shared, &report.remark(&command.out, start));
    Ok(())
}

/// What `bgcn reproduce --json` prints, with these arguments after `reproduce`. `watch` may end the fits; the log keeps
/// what is finished.
pub fn reproduce(words: impl IntoIterator<Item = OsString>, watch: Watch<'_>) -> Result<Value, Failure> {
    let (command, shared) = arguments(words)?;
    let work = || match command.merge.is_empty() {
        true => {
            let start = Instant::now();
            Ok(results(&command, &shared, watch)?.0.json(start))
        }
        false => merge::json(&command),
    };
    shared.on_threads(work).flatten().map_err(|error| Failure::of(&error))
}

/// The command that these words after `reproduce` are.
fn arguments(words: impl IntoIterator<Item = OsString>) -> Result<(Command, Shared), Failure> {
    let words = ["bgcn", "reproduce"].map(OsString::from).into_iter().chain(words);
    let wrong = |error: clap::Error| Failure { message: error.to_string().trim_end().to_owned(), is_input: true };
    let Cli { command, shared } = Cli::try_parse_from(words).map_err(wrong)?;
    let args::Command::Reproduce(command) = command else { unreachable!("the first word is its name") };
    Ok((command, shared))
}

/// Runs the trials and writes the pages.
fn results(command: &Command, shared: &Shared, watch: Watch<'_>) -> anyhow::Result<(Report, Page)> {
    let studies = Studies::read(command, shared)?;
    let mut trials = Trials::open(&command.out, command.shard, shared, watch)?.rechecking(command.recheck);
    let mut report = Report::default();
    studies.run(&mut trials, &mut report)?;
    let page = report.page(&command.line(shared));
    page.write(&command.out).map_err(Error::io("writing", &command.out))?;
    if command.recheck > 0 {
        trials.again();
        studies.run(&mut trials, &mut Report::default())?;
        report.rechecked = trials.equal();
    }
    Ok((report, page))
}

/// Text that another version of the program may have written.
fn reading(what: &'static str) -> impl FnOnce(serde_json::Error) -> Error {
    move |error| {
        Error::Request(format!("{what} cannot be read: {error}; run the same version of bgcn on every machine"))
    }
}

impl Wanted {
    /// The methods asked for, or these, and those of a file of variants.
    fn contenders(&self, default: &[&str], variants: Option<&str>) -> anyhow::Result<Vec<Contender>> {
        let asked: Vec<&str> = self.methods.iter().map(String::as_str).collect();
        let methods = if asked.is_empty() { default } else { &asked };
        let mut contenders: Vec<Contender> =
            methods.iter().map(|name| Contender::of_method(name)).collect::<Result<_, _>>()?;
        if let Some(text) = variants {
            contenders.extend(Contender::read_variants(text)?);
        }
        Ok(contenders)
    }
}

impl Command {
    /// The command that gives the same results, without paths of this machine.
    fn line(&self, shared: &Shared) -> String {
        let wanted = &self.wanted;
        let list = |items: Vec<String>| items.join(",");
        let mut words = vec!["bgcn reproduce".to_owned()];
        words.extend(wanted.what.iter().map(What::to_string));
        words.push(format!("--runs {}", wanted.runs));
        if !wanted.methods.is_empty() {
            words.push(format!("--methods {}", list(wanted.methods.clone())));
        }
        words.extend(wanted.variants.as_ref().map(|file| format!("--variants {}", file.display())));
        if wanted.labels_per_class != [5, 10, 20] {
            let labels = wanted.labels_per_class.iter().map(usize::to_string).collect();
            words.push(format!("--labels-per-class {}", list(labels)));
        }
        if !wanted.split.is_empty() {
            words.push(format!("--split {}", list(wanted.split.iter().map(SplitName::to_string).collect())));
        }
        words.extend((wanted.judge == JudgedOn::Rest).then(|| "--judge rest".to_owned()));
        words.extend(wanted.evasion.then(|| "--evasion".to_owned()));
        if !self.shard.is_whole() {
            words.push(format!("--shard {}", self.shard));
        }
        words.push(format!("--seed {}", shared.seed_number()));
        words.join(" ")
    }
}
