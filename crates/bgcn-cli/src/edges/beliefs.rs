//! What is believed of edges: read from a run, or found in data alone.

use super::Command;
use super::table::Shown;
use crate::args::Shared;
use bgcn::data::{Dataset, Error};
use bgcn::links::{self, Links, Wording};
use bgcn::outputs::{EdgeRow, KeptPair, KeptRun, PredictionTable};
use bgcn::recipe::LinkSettings;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;

pub struct Beliefs {
    /// The run's folder, or the name of the data.
    pub name: String,
    /// Whether they come from a run.
    pub of_run: bool,
    /// Observed edges, the most suspicious first, then others, the most likely first.
    rows: Vec<EdgeRow>,
    /// How many are observed.
    observed: usize,
    /// (rate, edges), see [`Links::lists`].
    lists: Vec<(f64, usize)>,
    /// What is predicted, by id; empty without a fit.
    predicted: HashMap<String, String>,
    ids: HashSet<String>,
}

impl Beliefs {
    pub fn new(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        match &command.name {
            Some(name) if Path::new(name).join("run.toml").is_file() => Self::of_run(Path::new(name)),
            name => {
                let data = command.own.load(name.as_deref(), shared).map_err(|error| match name {
                    Some(name) if error.is_input() => {
                        Error::Request(format!("{name} holds no run.toml, so it was taken for data. {error}"))
                    }
                    _ => error,
                })?;
                let watch = |_| ControlFlow::Continue(());
                let links = links::judge_graph(&data, LinkSettings::default(), shared.seed(), &watch)?;
                Ok(Self::of_data(&data, &links))
            }
        }
    }

    fn of_run(folder: &Path) -> anyhow::Result<Self> {
        let run = KeptRun::read(folder)?;
        let told = PredictionTable::read(&folder.join("predictions.csv"))?;
        let predicted: Vec<&str> = match told.column("predicted") {
            Some(column) => column.collect(),
            None => told.column("mean").into_iter().flatten().collect(),
        };
        let name = |a: u32| run.ids.name(a).into_owned();
        let row = |pair: &KeptPair, observed: bool| EdgeRow {
            source: name(pair.a),
            target: name(pair.b),
            observed,
            p_spurious: observed.then_some(pair.probability),
            p_missing: (!observed).then_some(pair.probability),
            reasons: pair.reasons.clone(),
        };
        let observed = run.observed.iter().map(|pair| row(pair, true));
        Ok(Self {
            name: folder.display().to_string(),
            of_run: true,
            rows: observed.chain(run.missing.iter().map(|pair| row(pair, false))).collect(),
            observed: run.observed.len(),
            lists: run.lists.clone(),
            predicted: (0..).map(name).zip(predicted.into_iter().map(str::to_owned)).collect(),
            ids: (0..run.ids.len() as u32).map(name).collect(),
        })
    }

    fn of_data(data: &Dataset, links: &Links) -> Self {
        let wording = Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions: None };
        let name = |a: u32| data.ids.name(a).into_owned();
        let observed = links.edges.iter().map(|edge| EdgeRow {
            source: name(edge.a),
            target: name(edge.b),
            observed: true,
            p_spurious: Some(edge.p_spurious()),
            p_missing: None,
            reasons: wording.text_of_edge(edge),
        });
        let missing = links.missing.iter().map(|pair| EdgeRow {
            source: name(pair.a),
            target: name(pair.b),
            observed: false,
            p_spurious: None,
            p_missing: Some(pair.p_missing()),
            reasons: wording.text_of_pair(pair),
        });
        Self {
            name: data.name.clone(),
            of_run: false,
            rows: observed.chain(missing).collect(),
            observed: links.edges.len(),
            lists: links.lists.clone(),
            predicted: HashMap::new(),
            ids: (0..data.nodes() as u32).map(name).collect(),
        }
    }

    /// Observed edges, and others.
    pub fn rows(&self) -> (&[EdgeRow], &[EdgeRow]) {
        self.rows.split_at(self.observed)
    }

    /// How many edges are observed.
    pub fn edges(&self) -> usize {
        self.observed
    }

    /// How many of the first edges can be listed at this false discovery rate.
    pub fn at_rate(&self, rate: f64) -> usize {
        links::at_rate(&self.lists, rate).min(self.observed)
    }

    /// The smallest rate at which anything can be listed.
    pub fn least_rate(&self) -> Option<f64> {
        self.lists.first().map(|step| step.0)
    }

    pub fn has_node(&self, id: &str) -> bool {
        self.ids.contains(id)
    }

    /// What is predicted of both ends.
    pub fn predicted(&self, row: &EdgeRow) -> [Option<&str>; 2] {
        [&row.source, &row.target].map(|id| self.predicted.get(id).map(String::as_str))
    }

    /// What a table shows of an edge.
    pub fn shown<'a>(&'a self, row: &'a EdgeRow) -> Shown<'a> {
        Shown {
            names: [&row.source, &row.target],
            observed: Some(row.observed),
            predicted: self.predicted(row).map(Option::unwrap_or_default),
            probability: row.p_spurious.or(row.p_missing).unwrap_or_default(),
            reasons: &row.reasons,
        }
    }
}
