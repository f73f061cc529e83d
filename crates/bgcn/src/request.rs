//! A fit: [`Request`] → [`Job`] → [`Run`], for command, Python and report.
//!
//! ```text
//! Request   data, plan, split, outputs                                      translated from options or a run.toml
//! Job       data read, recipe resolved, labels split, record written        every error but those of the fit itself
//! Run       fitted, and judged where that was asked for                     crate::run
//! ```

use crate::record::{DataRecord, Record, RunRecord, Source};
use crate::run::{Judgement, Plain, Run, Seconds};
use bgcn_core::Error;
use bgcn_core::data::{Dataset, Split, SplitKind};
use bgcn_core::links;
use bgcn_core::links::Links;
use bgcn_core::posterior;
use bgcn_core::posterior::{Fit, Task, Watch};
use bgcn_core::recipe::{Doubted, Plan, Recipe};
use bgcn_core::rng::Seed;
use bgcn_files::Places;
use bgcn_files::read::table;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Instant;

/// Which labels the networks see, and which judge them.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum SplitChoice {
    /// What suits the data, see [`SplitKind::suiting`].
    #[default]
    Auto,
    /// Drawn with the seed.
    Random,
    /// The one that comes with the data.
    Fixed,
    /// Every label is learned from.
    All,
    /// A file of rows id,set.
    File(PathBuf),
    /// Sets of nodes.
    Given(Split),
}

impl FromStr for SplitChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "auto" => Self::Auto,
            "random" => Self::Random,
            "fixed" => Self::Fixed,
            "all" => Self::All,
            // A pipe is one, too.
            file if Path::new(file).exists() && !Path::new(file).is_dir() => Self::File(file.into()),
            _ => {
                let allowed = "random, fixed, all, or a file of lines id,train|validation|test";
                return Err(format!("split is {text:?}; allowed are {allowed}"));
            }
        })
    }
}

impl SplitChoice {
    /// The kind of split; a file is read, for the nodes of `data`. `own` data is not a known dataset.
    pub fn kind(&self, data: &Dataset, own: bool, labels_per_class: Option<usize>) -> Result<SplitKind, Error> {
        let kind = match self {
            Self::Auto => SplitKind::suiting(data, own, labels_per_class),
            Self::Random => SplitKind::Random,
            Self::Fixed => SplitKind::Fixed,
            Self::All => SplitKind::All,
            Self::File(path) => table::split_kind(path, data)?,
            Self::Given(split) => SplitKind::Given { name: GIVEN.into(), split: split.clone() },
        };
        if let (Self::All, Some(n)) = (self, labels_per_class) {
            let both = format!("`labels_per_class={n}` and `split=all`, which learns from every label");
            return Err(Error::Request(format!("{both}, contradict each other; leave one of the two out")));
        }
        Ok(kind)
    }
}

/// The name of a split that was given as sets.
const GIVEN: &str = "given";

/// Where the data of a request is.
#[derive(Clone, Debug)]
enum From {
    Files(Source),
    Memory(Arc<Dataset>, Source),
}

/// What is to be fitted; a consuming builder.
#[derive(Clone, Debug)]
#[must_use]
pub struct Request {
    from: From,
    plan: Plan,
    seed: u64,
    split: SplitChoice,
    labels_per_class: Option<usize>,
    baseline: bool,
    judge_edges: bool,
    /// Of a run that is repeated: its record, and settings of it without a successor.
    again: Option<(Box<Record>, Vec<String>)>,
}

impl Request {
    /// A fit with the defaults to data that is read from files, or known by name.
    pub fn new(source: Source) -> Self {
        Self::from(From::Files(source))
    }

    /// The same to data in memory; `source` is where it was read, empty for arrays.
    pub fn of_data(data: Arc<Dataset>, source: Source) -> Self {
        Self::from(From::Memory(data, source))
    }

    fn from(from: From) -> Self {
        Self {
            from,
            plan: Plan::new(),
            seed: 0,
            split: SplitChoice::Auto,
            labels_per_class: None,
            baseline: false,
            judge_edges: false,
            again: None,
        }
    }

    /// The run of a record once more. Of a run of an earlier version, settings without a successor are left out.
    pub fn again(record: Record, file: &Path) -> Result<Self, Error> {
        let mut settings = record.by_key();
        let dropped = match record.is_of_this_format() {
            true => Recipe::of_settings(&settings).map(|_| Vec::new())?,
            false => record.dropped(),
        };
        settings.retain(|key, _| !dropped.contains(key));
        let wrong = |why: String| Error::Request(format!("{}: {why}", file.display()));
        Ok(Self {
            plan: Plan::new().set_all(&Record::tables(settings)),
            seed: record.run.seed,
            split: record.run.split.parse().map_err(wrong)?,
            labels_per_class: record.run.labels_per_class,
            baseline: record.run.baseline,
            judge_edges: true,
            ..Self::new(record.data.source()?)
        }
        .repeating(record, dropped))
    }

    fn repeating(self, record: Record, dropped: Vec<String>) -> Self {
        Self { again: Some((Box::new(record), dropped)), ..self }
    }

    /// The settings.
    pub fn plan(self, plan: Plan) -> Self {
        Self { plan, ..self }
    }

    /// Where all randomness comes from; 0 without.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Which labels are seen.
    pub fn split(self, split: SplitChoice) -> Self {
        Self { split, ..self }
    }

    /// Training nodes of each class; by the split without.
    pub fn labels_per_class(self, labels_per_class: Option<usize>) -> Self {
        Self { labels_per_class, ..self }
    }

    /// Whether the plain network is trained too, for comparison.
    pub fn baseline(self, baseline: bool) -> Self {
        Self { baseline, ..self }
    }

    /// Whether the edges are judged with the fit, rather than when [`Run::judge`] is called.
    pub fn judge_edges(self, judge_edges: bool) -> Self {
        Self { judge_edges, ..self }
    }

    /// Reads the data, resolves the recipe and splits the labels. Settings that no data could allow are refused before
    /// the data is read.
    pub fn prepare(self, places: &Places) -> Result<Job, Error> {
        let method = self.plan.method()?;
        let begun = Instant::now();
        let (data, source) = match self.from {
            From::Files(source) => (Arc::new(source.load(places)?), source),
            From::Memory(data, source) => (data, source),
        };
        let load = begun.elapsed().as_secs_f64();
        let recipe = self.plan.resolve(&data)?;
        let kind = self.split.kind(&data, source.is_own(), self.labels_per_class)?;
        let labels = data.labels_taken(&kind, self.labels_per_class);
        let split = data.split(&kind, labels, Seed::new(self.seed))?;
        split.check(&data.labels, data.nodes())?;
        let mut record = Record {
            run: RunRecord::new(method, self.seed, kind.name(), labels, self.baseline),
            data: DataRecord::new(&source, &data)?,
            settings: Record::tables(recipe.settings()),
        };
        let mut warnings = Vec::new();
        if let Some((before, dropped)) = self.again {
            before.check_data(&data, "Restore the data, or start a new run without `config`")?;
            warnings = before.differences(&dropped);
            if before.is_of_this_format() {
                record = *before;
            }
        }
        let remarks = record.remarks(&data, &recipe);
        let (judge_edges, baseline) = (self.judge_edges, self.baseline);
        Ok(Job { data, split, recipe, record, remarks, warnings, judge_edges, baseline, load })
    }

    /// [`Request::prepare`] and [`Job::run`] in one, with known datasets where they are by default.
    pub fn run(self, watch: Watch<'_>) -> Result<Run, Error> {
        self.prepare(&Places::new(None))?.run(watch)
    }
}

/// A request with its data read and its settings resolved.
#[derive(Clone, Debug)]
pub struct Job {
    pub(crate) data: Arc<Dataset>,
    pub(crate) split: Split,
    pub(crate) recipe: Recipe,
    pub(crate) record: Record,
    pub(crate) remarks: Vec<String>,
    warnings: Vec<String>,
    judge_edges: bool,
    baseline: bool,
    load: f64,
}

impl Job {
    /// The data.
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// What is fitted, how.
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// `run.toml`.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Remarks on the data, the labels and the recipe, a sentence each; stored with the run.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// How a repeated run may differ from the first, a sentence each; not stored.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Data, method and seed, for the name of a folder.
    pub fn name(&self) -> String {
        let Record { run, data, .. } = &self.record;
        format!("{}-{}-s{}", data.name, run.method, run.seed)
    }

    /// Whether the edges are judged with the fit; replaces the choice of the request.
    pub fn judge_edges(self, judge_edges: bool) -> Self {
        Self { judge_edges, ..self }
    }

    /// The same without the plain network.
    pub fn without_baseline(self) -> Self {
        Self { baseline: false, ..self }
    }

    /// Fits, trains the plain network where that was asked for, and judges the edges where that was.
    pub fn run(self, watch: Watch<'_>) -> Result<Run, Error> {
        let task = Task { data: &self.data, split: &self.split, seed: Seed::new(self.record.run.seed) };
        let begun = Instant::now();
        let (fit, links) = self.fit(task, watch)?;
        let train = begun.elapsed().as_secs_f64();
        let begun = Instant::now();
        let wanted = self.baseline && !self.recipe.is_plain();
        let plain = wanted.then(|| self.plain(task, watch)).transpose()?;
        let seconds = Seconds { load: self.load, train, plain: plain.is_some().then(|| begun.elapsed().as_secs_f64()) };
        Ok(Run::new(self, (fit, links), plain, seconds))
    }

    /// The fit. Where suspicious edges are left out of it, it has judged them.
    fn fit(&self, task: Task<'_>, watch: Watch<'_>) -> Result<(Fit, Option<Links>), Error> {
        if self.judge_edges || self.recipe.links.doubted == Doubted::LeftOut {
            let (fit, links) = links::fit(&self.recipe, task, watch)?;
            return Ok((fit, Some(links)));
        }
        Ok((posterior::fit(&self.recipe, task, watch)?, None))
    }

    fn plain(&self, task: Task<'_>, watch: Watch<'_>) -> Result<Plain, Error> {
        let recipe = self.recipe.plain();
        let fit = posterior::fit(&recipe, task, watch)?;
        let judgement = Judgement::of(&fit.predictions, &self.data.labels, &self.split.test);
        Ok(Plain { method: recipe.kind().name().into(), judgement })
    }
}
