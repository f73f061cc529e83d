//! What is to be fitted: the data, the split and the plan, from the command line or from a `run.toml`.

use super::Command;
use super::options::SplitChoice;
use super::record::{DataRecord, Record, is_known};
use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::Checked;
use bgcn::data::{Dataset, Error, Split, SplitKind};
use bgcn::outputs::{MemoryNeed, available_memory};
use bgcn::posterior::{self, Fit, GraphModelPlan, Plan};
use bgcn::rng::Seed;
use std::path::Path;
use std::time::Instant;

pub struct Job {
    pub data: Dataset,
    pub split: Split,
    pub plan: Checked<Plan>,
    /// Everything that is needed to do it again.
    pub record: Record,
    /// Seconds that reading the data took.
    pub load: f64,
}

impl Job {
    pub fn new(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        match &command.config {
            Some(path) => Self::again(path, shared),
            None => Self::asked_for(command, shared),
        }
    }

    fn asked_for(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        let name = command.name.as_deref();
        let (data, load) = timed_load(&command.own, name, shared)?;
        let plan = command.options.plan(&data)?;
        let split_kind = command.options.split_kind(&data, !name.is_some_and(is_known));
        let split_kind = match split_kind {
            SplitKind::File(path) => SplitKind::File(std::path::absolute(path)?),
            other => other,
        };
        let record = Record {
            version: env!("CARGO_PKG_VERSION").into(),
            method: method(&plan),
            seed: shared.seed,
            split: split_kind.name(),
            labels_per_class: command.options.labels_per_class,
            baseline: !command.no_baseline,
            data: DataRecord::new(name, &command.own, &data)?,
            choice: None,
            plan: (*plan).clone(),
        };
        let split = data.split(&split_kind, record.labels_per_class, Seed::new(record.seed))?;
        Ok(Self { data, split, plan, record, load })
    }

    fn again(path: &Path, shared: &Shared) -> anyhow::Result<Self> {
        let record = Record::read(path)?;
        let own = record.data.own_files()?;
        let (data, load) = timed_load(&own, record.data.source.as_deref(), shared)?;
        let (found, expected) = (data.fingerprint(), &record.data.fingerprint);
        if found != *expected {
            let text = format!(
                "the data of {} has changed since: its fingerprint is {found}, the run was made from {expected}. \
                 Restore the data, or start a new run without --config",
                data.name
            );
            return Err(Error::Request(text).into());
        }
        if record.version != env!("CARGO_PKG_VERSION") {
            let (then, now) = (&record.version, env!("CARGO_PKG_VERSION"));
            screen::remark(
                shared,
                &format!("warning: the run was made by version {then}, this is {now}; results may differ"),
            );
        }
        let plan = record.plan.clone().check()?;
        let SplitChoice(kind) = record.split.parse().map_err(|allowed: String| {
            Error::Request(format!("{}: split is {:?}; {allowed}", path.display(), record.split))
        })?;
        let split = data.split(&kind, record.labels_per_class, Seed::new(record.seed))?;
        Ok(Self { data, split, plan, record, load })
    }

    /// Notes the graph model that was chosen, so that the run is repeated with it.
    pub fn carried_out(&mut self, fit: &Fit) {
        self.plan = fit.plan.clone();
        self.record.plan = (*self.plan).clone();
        self.record.method = method(&self.plan);
        if fit.choice.is_some() {
            self.record.choice.clone_from(&fit.choice);
        }
    }

    pub fn seed(&self) -> Seed {
        Seed::new(self.record.seed)
    }

    /// The plain network with the same settings, where the job is more than that and a comparison is wanted.
    pub fn plain(&self) -> Option<Result<Checked<Plan>, posterior::Error>> {
        let bayesian = *self.plan.model() != GraphModelPlan::Observed;
        let network = self.plan.network_params().clone();
        (bayesian && self.record.baseline)
            .then(|| Plan::new(network.kind(), GraphModelPlan::Observed).network(network).check())
    }

    /// Refuses work that the machine's memory will not hold.
    pub fn check_memory(&self) -> Result<(), posterior::Error> {
        let need = MemoryNeed::of(&self.plan, &self.data);
        match available_memory() {
            Some(available) if need.total() > available => {
                Err(posterior::Error::Data(too_large(self, &need, available)))
            }
            _ => Ok(()),
        }
    }
}

fn too_large(job: &Job, need: &MemoryNeed, available: u64) -> String {
    let gb = |bytes: u64| format!("{:.1} GB", bytes as f64 / 1e9);
    format!(
        "fitting {} to {} ({} nodes, {} edges, {} features) takes about {}, but {} are available: activations {}, weights {}, \
         graph model {}, graphs {}, features {}, means {}. Take fewer hidden units or layers, or a machine with more memory",
        job.record.method,
        job.data.name,
        screen::grouped(job.data.nodes()),
        screen::grouped(job.data.graph.edges()),
        screen::grouped(job.data.features.columns()),
        gb(need.total()),
        gb(available),
        gb(need.activations),
        gb(need.weights),
        gb(need.graph_model),
        gb(need.graphs),
        gb(need.features),
        gb(need.mean),
    )
}

fn timed_load(own: &OwnFiles, name: Option<&str>, shared: &Shared) -> Result<(Dataset, f64), Error> {
    let start = Instant::now();
    let data = own.load(name, shared)?;
    Ok((data, start.elapsed().as_secs_f64()))
}

/// `gcn`, `gcn+mmsbm`, …
fn method(plan: &Plan) -> String {
    let network = plan.network_params().kind().name();
    match plan.model() {
        GraphModelPlan::Observed => network.into(),
        _ if plan.choosing().is_some() => format!("{network}+auto"),
        model => format!("{network}+{}", model.name()),
    }
}
