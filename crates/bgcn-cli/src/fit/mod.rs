//! `bgcn fit`: options become a [`Request`], and its run a folder and a summary.

mod options;
mod summary;

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::{Config, RunFiles, RunFolder};
use bgcn::{Job, Request};
use bgcn_core::data::Error;
use bgcn_core::posterior::{Phase, Progress};
use clap::Args;
use indicatif::{MultiProgress, ProgressBar};
use options::Options;
use serde_json::{Map, Value};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The dataset where none is named.
const DEMO: &str = "demo";

/// Where runs go that were given no folder.
const RUNS: &str = "bgcn-runs";

#[derive(Args)]
#[command(after_help = options::graph_models())]
pub struct Command {
    /// demo, karate, cora, citeseer, pubmed, a folder, or a graph file [default: demo]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    options: Options,
    /// File of settings, or the run.toml of a run to repeat
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    config: Option<PathBuf>,
    /// No plain network for comparison
    #[arg(long, help_heading = "Method")]
    no_baseline: bool,
    #[command(flatten)]
    own: OwnFiles,
    #[command(flatten)]
    files: FileOptions,
}

impl Command {
    /// What the options, and the file of settings or of a run, ask for.
    fn request(&self, shared: &Shared) -> anyhow::Result<Request> {
        match self.config.as_deref().map(|file| Ok::<_, Error>((file, Config::read(file)?))).transpose()? {
            Some((file, Config::Run(record))) => {
                if let Some(option) = self.given(shared) {
                    let text = format!(
                        "{option} was given, but the file of a run decides everything; leave one of the two out"
                    );
                    return Err(Error::Request(text).into());
                }
                Ok(Request::again(*record, file)?)
            }
            Some((_, Config::Settings(settings))) => self.asked_for(&settings, shared),
            None => self.asked_for(&Map::new(), shared),
        }
    }

    fn asked_for(&self, settings: &Map<String, Value>, shared: &Shared) -> anyhow::Result<Request> {
        let name = match (&self.name, &self.own.edges) {
            (None, None) => Some(DEMO),
            (name, _) => name.as_deref(),
        };
        let plan = self.options.plan(settings)?;
        plan.method().map_err(|error| match &self.config {
            Some(file) => Error::Request(format!("the settings of {} and the options: {error}", file.display())).into(),
            None => anyhow::Error::from(error),
        })?;
        Ok(Request::new(self.own.source(name))
            .plan(plan)
            .seed(shared.seed_number())
            .split(self.options.split.clone().unwrap_or_default())
            .labels_per_class(self.options.labels_per_class)
            .baseline(!self.no_baseline))
    }

    /// An option that the file of a run decides already.
    fn given(&self, shared: &Shared) -> Option<&'static str> {
        let others = [
            ("NAME", self.name.is_some()),
            ("--edges", self.own.edges.is_some()),
            ("--seed", shared.seed.is_some()),
            ("--no-baseline", self.no_baseline),
        ];
        self.options.given().or(others.into_iter().find_map(|(name, given)| given.then_some(name)))
    }
}

/// Where the results go.
#[derive(Args)]
#[command(next_help_heading = "Files")]
struct FileOptions {
    /// Folder for the run [default: a new one in bgcn-runs; none with --json]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace an existing run
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// No files
    #[arg(long, conflicts_with = "out")]
    no_files: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let start = Instant::now();
    let job = command.request(shared)?.prepare(&shared.places())?;
    let folder = folder(&command.files, shared, &job)?;
    job.warnings().iter().for_each(|text| screen::remark(shared, &format!("warning: {text}")));
    job.remarks().iter().for_each(|text| screen::remark(shared, text));
    // A script that wants the scores alone gets them without the comparison, and without edges unless their ground
    // truth is known.
    let whole = !shared.json || folder.is_some();
    let judge = whole || job.data().truth.is_some();
    let job = if whole { job } else { job.without_baseline() };
    let bars = Bars::new(shared);
    let run = job.judge_edges(judge).run(&|progress| bars.show(progress));
    bars.clear();
    let run = run?;
    let findings = run.findings();
    let path = match &folder {
        Some(folder) => {
            let page = bgcn_report::run_page(&findings);
            Some(folder.write(&RunFiles { run: &run, findings: &findings, page: &page })?)
        }
        None => None,
    };
    let seconds = (run.seconds(), start.elapsed().as_secs_f64());
    if shared.json {
        screen::print_json(&summary::json(&findings, seconds, path.as_deref()))
    } else {
        screen::print(&summary::text(&findings, seconds, path.as_deref()))
    }
}

/// Where the run is written, known to be free before the work starts.
fn folder(files: &FileOptions, shared: &Shared, job: &Job) -> anyhow::Result<Option<RunFolder>> {
    let folder = match &files.out {
        Some(path) => RunFolder::at(path, files.overwrite),
        None if files.no_files || shared.json => return Ok(None),
        None => RunFolder::free(Path::new(RUNS), &job.name()),
    };
    let options = "--out names another folder, --overwrite replaces a run";
    Ok(Some(folder.map_err(|error| Error::Request(format!("{error} ({options})")))?))
}

/// One bar per phase, below each other: the fit with decoys runs beside the fit without.
struct Bars {
    all: MultiProgress,
    bars: [ProgressBar; 4],
}

impl Bars {
    fn new(shared: &Shared) -> Self {
        let all = MultiProgress::new();
        let bar = |name: &str| {
            let bar =
                screen::progress(shared, 0, "{prefix:>12} {bar:30} {pos}/{len}  {elapsed} elapsed, {eta} remaining");
            let bar = bar.with_prefix(name.to_owned());
            if shared.quiet { bar } else { all.add(bar) }
        };
        let bars = ["pretraining", "inference", "draws", "decoys"].map(bar);
        Self { all, bars }
    }

    fn show(&self, progress: Progress) -> ControlFlow<()> {
        let bar = &self.bars[match progress.phase {
            Phase::Pretraining => 0,
            Phase::Inference => 1,
            Phase::Draws => 2,
            Phase::Decoys => 3,
        }];
        // The first step of a phase starts its clock: the time remaining is measured from there.
        if bar.position() == 0 || bar.position() > progress.done as u64 {
            bar.reset();
        }
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    }

    fn clear(&self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
        // Nothing stays behind where the screen cannot be cleared.
        let _ = self.all.clear();
    }
}
