//! What is to be fitted: the data, the split and the recipe, from the command line or from a `run.toml`.

use super::Command;
use super::options::SplitChoice;
use crate::args::Shared;
use crate::screen;
use bgcn::data::{Dataset, Error, Split, SplitKind};
use bgcn::outputs::{Config, DataRecord, MemoryNeed, Record, RunRecord, Source};
use bgcn::recipe::{RESULTS_EPOCH, Recipe};
use bgcn::rng::Seed;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Instant;

/// The dataset where none is named.
const DEMO: &str = "demo";

pub struct Job {
    pub data: Dataset,
    pub split: Split,
    pub recipe: Recipe,
    /// Everything that is needed to do it again.
    pub record: Record,
    /// What a person should know.
    pub remarks: Vec<String>,
    /// Seconds that reading the data took.
    pub load: f64,
}

impl Job {
    pub fn new(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        match command.config.as_deref().map(Config::read).transpose()? {
            Some(Config::Run(record)) => {
                if let Some(option) = command.given(shared) {
                    let text = format!(
                        "{option} was given, but the file of a run decides everything; leave one of the two out"
                    );
                    return Err(Error::Request(text).into());
                }
                Self::again(*record, command.config.as_deref().unwrap_or(Path::new("")), shared)
            }
            Some(Config::Settings(settings)) => Self::asked_for(command, &settings, shared),
            None => Self::asked_for(command, &Map::new(), shared),
        }
    }

    fn asked_for(command: &Command, settings: &Map<String, Value>, shared: &Shared) -> anyhow::Result<Self> {
        let name = match (&command.name, &command.own.edges) {
            (None, None) => Some(DEMO),
            (name, _) => name.as_deref(),
        };
        // Settings that no data could allow are refused before it is read.
        let plan = command.options.plan(settings, shared.seed_number())?;
        let method = plan.method().map_err(|error| match &command.config {
            Some(file) => Error::Request(format!("the settings of {} and the options: {error}", file.display())).into(),
            None => anyhow::Error::from(error),
        })?;
        let source = command.own.source(name);
        let (data, load) = timed_load(&source, shared)?;
        let recipe = plan.resolve(&data)?;
        let split_kind = command.options.split_kind(&data, source.is_own())?;
        let asked = command.options.labels_per_class;
        if let (SplitKind::All, Some(n)) = (&split_kind, asked) {
            let text =
                format!("--labels-per-class {n} and --split all contradict each other; leave one of the two out");
            return Err(Error::Request(text).into());
        }
        let (seed, labels) = (shared.seed_number(), data.labels_taken(&split_kind, asked));
        let record = Record {
            run: RunRecord::new(method, seed, split_kind.name(), labels, !command.no_baseline),
            data: DataRecord::new(&source, &data)?,
            settings: Record::tables(recipe.settings()),
        };
        let split = data.split(&split_kind, record.run.labels_per_class, shared.seed())?;
        let remarks = record.remarks(&data, &recipe);
        Ok(Self { data, split, recipe, record, remarks, load })
    }

    fn again(record: Record, path: &Path, shared: &Shared) -> anyhow::Result<Self> {
        let start = Instant::now();
        let data = data_again(&record, "Restore the data, or start a new run without --config", shared)?;
        let load = start.elapsed().as_secs_f64();
        let (version, epoch) = (&record.run.version, record.run.results_epoch);
        if epoch != RESULTS_EPOCH {
            let text = format!(
                "warning: the run was made by version {version} with results epoch {epoch}, this is {RESULTS_EPOCH}; \
                 results may differ"
            );
            screen::remark(shared, &text);
        }
        let recipe = Recipe::of_settings(&record.by_key())?;
        let run = &record.run;
        let choice: SplitChoice = run.split.parse().map_err(|allowed: String| {
            Error::Request(format!("{}: split is {:?}; {allowed}", path.display(), run.split))
        })?;
        let split = data.split(&choice.of(&data)?, run.labels_per_class, Seed::new(run.seed))?;
        let remarks = record.remarks(&data, &recipe);
        Ok(Self { data, split, recipe, record, remarks, load })
    }

    pub fn seed(&self) -> Seed {
        Seed::new(self.record.run.seed)
    }

    /// The plain network with the same settings, where the job is more than that and a comparison is wanted.
    pub fn plain(&self) -> Option<Recipe> {
        (!self.recipe.is_plain() && self.record.run.baseline).then(|| self.recipe.plain())
    }

    /// Refuses work that the machine's memory will not hold.
    pub fn check_memory(&self) -> Result<(), bgcn::Error> {
        MemoryNeed::of(&self.recipe, &self.data).check(&self.data, &self.record.run.method)
    }
}

/// The data of a run, read again; refused where it has changed.
pub fn data_again(record: &Record, next: &str, shared: &Shared) -> Result<Dataset, Error> {
    let data = record.data.source()?.load(&shared.places())?;
    let (found, expected) = (data.fingerprint(), &record.data.fingerprint);
    if found == *expected {
        return Ok(data);
    }
    Err(Error::Request(format!(
        "the data of {} has changed since: its fingerprint is {found}, the run was made from {expected}. {next}",
        data.name
    )))
}

fn timed_load(source: &Source, shared: &Shared) -> Result<(Dataset, f64), Error> {
    let start = Instant::now();
    let data = source.load(&shared.places())?;
    Ok((data, start.elapsed().as_secs_f64()))
}
