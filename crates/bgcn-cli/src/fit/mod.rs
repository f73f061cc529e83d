//! `bgcn fit`: learn labels, with honest uncertainty.

mod job;
mod options;
mod record;
mod summary;

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::data::Error;
use bgcn::outputs::{About, EdgeFindings, Findings, RunFiles, RunFolder};
use bgcn::posterior::{self, Fit, Phase, Task};
use bgcn::recipe::Recipe;
use bgcn::setting::shown;
use clap::Args;
use indicatif::ProgressBar;
pub use job::Job;
use options::Options;
pub use record::Record;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;
use summary::Seconds;

/// Where runs go that were given no folder.
const RUNS: &str = "bgcn-runs";

#[derive(Args)]
#[command(after_help = "More: bgcn fit --help, bgcn settings.")]
pub struct Command {
    /// demo, karate, cora, citeseer, pubmed, a folder, an .npz or edge file [default: demo]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    options: Options,
    /// A file of settings, or a run.toml to repeat to the byte
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Skip the plain network trained for comparison
    #[arg(long)]
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
    warn_about(&job, shared);
    let (fit, train) = fit(&job, &job.recipe, shared)?;
    // A script that wants the scores alone gets them without the comparison.
    let whole = !shared.json || folder.is_some();
    let plain = if whole { plain(&job, shared)? } else { None };
    let named = plain.as_ref().map(|(fit, _)| (fit.recipe().kind().name(), fit));
    let findings = findings(&job, &fit, whole, named)?;
    if let Some(folder) = &folder {
        let (record, page) = (job.record.text()?, bgcn_report::run_page(&findings));
        let files = RunFiles { task: task(&job), fit: &fit, findings: &findings, record: &record, page: &page };
        folder.write(&files)?;
    }
    let seconds = Seconds {
        load: job.load,
        train,
        plain: plain.map(|(_, seconds)| seconds),
        total: start.elapsed().as_secs_f64(),
    };
    let path = folder.as_ref().map(RunFolder::path);
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
fn findings(job: &Job, fit: &Fit, whole: bool, plain: Option<(&str, &Fit)>) -> anyhow::Result<Findings> {
    let (record, task) = (&job.record, task(job));
    let settings = job.recipe.settings().into_iter().map(|(key, value)| (key, shown(&value)));
    let about = About {
        dataset: record.data.name.clone(),
        method: record.run.method.clone(),
        seed: record.run.seed,
        split: record.run.split.clone(),
        labels_per_class: record.run.labels_per_class,
        version: record.run.version.clone(),
        fingerprint: record.data.fingerprint.clone(),
        settings: settings.collect(),
    };
    let mut findings = match whole {
        true => Findings::of(about, task, fit, plain),
        false => Findings::scores(about, task, fit),
    };
    if !whole && job.data.truth.is_some() {
        findings.edges = EdgeFindings::of(&job.data, fit);
    }
    Ok(findings)
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

/// Fits and takes the time.
fn fit(job: &Job, recipe: &Recipe, shared: &Shared) -> Result<(Fit, f64), bgcn::Error> {
    let begun = Instant::now();
    let bars = Bars::new(shared);
    let fit = posterior::fit(recipe, task(job), &|progress| bars.show(progress));
    bars.clear();
    Ok((fit?, begun.elapsed().as_secs_f64()))
}

/// The plain network on the same labels.
fn plain(job: &Job, shared: &Shared) -> Result<Option<(Fit, f64)>, bgcn::Error> {
    job.plain().map(|recipe| fit(job, &recipe, shared)).transpose()
}

/// Sampled pairs above which a fit takes more than about a minute: Pubmed has 4.4e9, at 100 million a second.
const MANY_PAIRS: f64 = 6e9;

/// Homophily below which an assortative model is doubtful.
const LOW_HOMOPHILY: f64 = 0.5;

fn warn_about(job: &Job, shared: &Shared) {
    let data = &job.data;
    let pairs = job.recipe.sampled_pairs(data.nodes());
    if pairs > MANY_PAIRS {
        let text = format!(
            "note: the paper's minibatches grow with the square of the nodes; here they visit {:.0} billion pairs, which \
             takes about {:.0} minutes. --preset published-linear has the same sums in linear time",
            pairs / 1e9,
            pairs / 6e9
        );
        screen::remark(shared, &text);
    }
    let homophily = data.graph.homophily(|a| data.labels.class(a));
    if job.recipe.graph_model() == "mmsbm"
        && let Some(homophily) = homophily.filter(|&h| h < LOW_HOMOPHILY)
    {
        let text = format!(
            "warning: only {:.0} % of the edges join equal classes; the block model assumes that most do, so it may \
             not \
             suit this graph. Compare with --graph-model copying or observed",
            100.0 * homophily
        );
        screen::remark(shared, &text);
    }
}

/// One bar per phase, shown one after another.
struct Bars([ProgressBar; 3]);

impl Bars {
    fn new(shared: &Shared) -> Self {
        let bar = |name: &str| {
            let bar = screen::progress(shared, 0, "{prefix:>12} {bar:30} {pos}/{len}  {elapsed} gone, {eta} left");
            bar.with_prefix(name.to_owned())
        };
        Self([bar("pretraining"), bar("inference"), bar("draws")])
    }

    fn show(&self, progress: posterior::Progress) -> ControlFlow<()> {
        let bar = &self.0[match progress.phase {
            Phase::Pretraining => 0,
            Phase::Inference => 1,
            Phase::Draws => 2,
        }];
        bar.set_length(progress.total as u64);
        bar.set_position(progress.done as u64);
        ControlFlow::Continue(())
    }

    fn clear(&self) {
        self.0.iter().for_each(ProgressBar::finish_and_clear);
    }
}
