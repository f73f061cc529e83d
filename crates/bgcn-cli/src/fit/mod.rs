//! `bgcn fit`: learn labels, with honest uncertainty.

mod job;
mod options;
mod summary;

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::data::Error;
use bgcn::links::{self, Links};
use bgcn::outputs::{EdgeFindings, Findings, RunFiles, RunFolder};
use bgcn::posterior::{self, Fit, Phase, Task, Watch};
use clap::Args;
use indicatif::{MultiProgress, ProgressBar};
pub use job::{Job, data_again};
use options::Options;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use summary::Seconds;

/// Where runs go that were given no folder.
const RUNS: &str = "bgcn-runs";

#[derive(Args)]
#[command(after_help = "More: bgcn fit --help, bgcn settings.")]
pub struct Command {
    /// demo, karate, cora, citeseer, pubmed, a folder or a file of a graph [default: demo]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    options: Options,
    /// A file of settings, or a run.toml to repeat to the byte
    #[arg(long, value_name = "FILE", help_heading = "Method")]
    config: Option<PathBuf>,
    /// Skip the plain network trained for comparison
    #[arg(long, help_heading = "Method")]
    no_baseline: bool,
    #[command(flatten)]
    own: OwnFiles,
    #[command(flatten)]
    files: FileOptions,
}

impl Command {
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
    /// Folder for the run [default: a new one in bgcn-runs; with --json none]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a run that is in the folder
    #[arg(long, requires = "out")]
    overwrite: bool,
    /// Write no files
    #[arg(long, conflicts_with = "out")]
    no_files: bool,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let start = Instant::now();
    let job = Job::new(command, shared)?;
    let folder = folder(command, shared, &job)?;
    job.check_memory()?;
    job.remarks.iter().for_each(|text| screen::remark(shared, text));
    // A script that wants the scores alone gets them without the comparison, and without edges unless their ground
    // truth is known.
    let whole = !shared.json || folder.is_some();
    let ((fit, links), train) = if whole || job.data.truth.is_some() {
        let ((fit, links), seconds) = timed(shared, |watch| links::fit(&job.recipe, task(&job), watch))?;
        ((fit, Some(links)), seconds)
    } else {
        let (fit, seconds) = timed(shared, |watch| links::fit_alone(&job.recipe, task(&job), watch))?;
        ((fit, None), seconds)
    };
    let plain = if whole { plain(&job, shared)? } else { None };
    let named = plain.as_ref().map(|(fit, _)| (fit.recipe().kind().name(), fit));
    let findings = findings(&job, (&fit, links), whole, named);
    let mut path = None;
    if let Some(folder) = &folder {
        let (record, page) = (job.record.text(), bgcn_report::run_page(&findings));
        let files = RunFiles { task: task(&job), fit: &fit, findings: &findings, record: &record, page: &page };
        path = Some(folder.write(&files)?);
    }
    let seconds = Seconds {
        load: job.load,
        train,
        plain: plain.map(|(_, seconds)| seconds),
        total: start.elapsed().as_secs_f64(),
    };
    let path = path.as_deref();
    if shared.json {
        screen::print_json(&summary::json(&findings, &seconds, path))
    } else {
        screen::print(&summary::text(&findings, &seconds, path))
    }
}

fn task(job: &Job) -> Task<'_> {
    Task { data: &job.data, split: &job.split, seed: job.seed() }
}

/// What is shown: everything, or for scripts the scores alone.
fn findings(job: &Job, (fit, links): (&Fit, Option<Links>), whole: bool, plain: Option<(&str, &Fit)>) -> Findings {
    let (about, task) = (job.record.about(&job.recipe, job.remarks.clone()), task(job));
    match links {
        Some(links) if whole => Findings::of(about, task, (fit, links), plain),
        links => {
            let edges = links.map(|links| EdgeFindings::of(task.data, Some(&fit.predictions), links));
            Findings { edges, ..Findings::scores(about, task, fit) }
        }
    }
}

/// Where the run is written, known to be free before the work starts.
fn folder(command: &Command, shared: &Shared, job: &Job) -> anyhow::Result<Option<RunFolder>> {
    let files = &command.files;
    let folder = match &files.out {
        Some(path) => RunFolder::at(path, files.overwrite),
        None if files.no_files || shared.json => return Ok(None),
        None => {
            let record = &job.record;
            let name = format!("{}-{}-s{}", record.data.name, record.run.method, record.run.seed);
            RunFolder::free(Path::new(RUNS), &name)
        }
    };
    let options = "--out names another folder, --overwrite replaces a run";
    Ok(Some(folder.map_err(|error| Error::Request(format!("{error} ({options})")))?))
}

/// Fits with progress, and takes the time.
fn timed<T>(shared: &Shared, fit: impl FnOnce(Watch<'_>) -> Result<T, bgcn::Error>) -> Result<(T, f64), bgcn::Error> {
    let begun = Instant::now();
    let bars = Bars::new(shared);
    let fit = fit(&|progress| bars.show(progress));
    bars.clear();
    Ok((fit?, begun.elapsed().as_secs_f64()))
}

/// The plain network on the same labels.
fn plain(job: &Job, shared: &Shared) -> Result<Option<(Fit, f64)>, bgcn::Error> {
    job.plain().map(|recipe| timed(shared, |watch| posterior::fit(&recipe, task(job), watch))).transpose()
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
            let bar = screen::progress(shared, 0, "{prefix:>12} {bar:30} {pos}/{len}  {elapsed} gone, {eta} left");
            let bar = bar.with_prefix(name.to_owned());
            if shared.quiet { bar } else { all.add(bar) }
        };
        let bars = ["pretraining", "inference", "draws", "decoys"].map(bar);
        Self { all, bars }
    }

    fn show(&self, progress: posterior::Progress) -> ControlFlow<()> {
        let bar = &self.bars[match progress.phase {
            Phase::Pretraining => 0,
            Phase::Inference => 1,
            Phase::Draws => 2,
            Phase::Decoys => 3,
        }];
        // The first step of a phase starts its clock: the time left is measured from there.
        if bar.position() == 0 {
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
