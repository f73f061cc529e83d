//! A run read back from its files: what was believed of nodes and edges, and what draws and predicts again.

use super::record::{Config, FILE as RECORD};
use super::run_folder::{EDGES, FILES, METRICS, MODEL, PREDICTIONS};
use super::tables::edges_of;
use super::{PredictionTable, Record};
use crate::Error;
use crate::data::read::table::text::Text;
use crate::data::{Labels, NodeIds, Split};
use crate::graph::Graph;
use crate::graph_model::{self, SavedModel};
use crate::links::at_rate;
use crate::posterior::Learned;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A run whose fit is gone. Numbers are those of the files: six decimals for what is believed of nodes.
#[derive(Clone, Debug)]
pub struct KeptRun {
    /// Every file by its name.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was run on what.
    pub record: Record,
    /// The nodes.
    pub ids: NodeIds,
    /// What is known of them.
    pub labels: Labels,
    /// What each was for.
    pub split: Split,
    /// [n, c] row after row; empty for numbers.
    pub probabilities: Vec<f32>,
    /// Every other column of numbers, by its name.
    pub columns: BTreeMap<String, Vec<f64>>,
    /// What predicts other graphs.
    pub learned: Learned,
    /// λ; `None` where the graph was taken for granted.
    pub saved: Option<SavedModel>,
    /// The observed edges, the most suspicious first.
    pub observed: Vec<KeptPair>,
    /// Likely pairs without an edge, the most likely first.
    pub missing: Vec<KeptPair>,
    /// (rate, edges), see [`crate::links::Links::lists`].
    pub lists: Vec<(f64, usize)>,
}

/// A pair of `edges.csv`.
#[derive(Clone, Debug, PartialEq)]
pub struct KeptPair {
    /// One end.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// P(spurious) of an observed edge, P(missing) of another pair.
    pub probability: f64,
    /// Why.
    pub reasons: String,
}

impl KeptRun {
    /// Reads the folder of a run.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        // A sentence about the folder, before one about a file.
        Record::read(folder)?;
        let mut files = BTreeMap::new();
        for name in FILES {
            match crate::files::read(&folder.join(name)) {
                Ok(bytes) => drop(files.insert(name.to_owned(), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("reading", &folder.join(name))(error)),
            }
        }
        Self::from_files(files, folder)
    }

    /// The same from files by name; the folder is for messages.
    pub fn from_files(files: BTreeMap<String, Vec<u8>>, folder: &Path) -> Result<Self, Error> {
        let path = |name: &str| folder.join(name);
        let file = |name: &str| {
            let next = "it is part of a run; fit again, or give another folder";
            files.get(name).ok_or_else(|| Error::bad_file(&path(name), "there is no such file", next))
        };
        let text = |name: &str| Text::decode(&path(name), file(name)?.clone());
        let toml = String::from_utf8_lossy(file(RECORD)?);
        let record = Record::of(Config::parse(&toml, &path(RECORD))?, &path(RECORD))?;
        let learned = Learned::from_bytes(file(MODEL)?)?;
        let table = PredictionTable::of(&text(PREDICTIONS)?)?;
        let nodes = Nodes { table: &table, path: &path(PREDICTIONS) };
        let ids = nodes.ids()?;
        let (probabilities, columns) = (nodes.probabilities(&learned.classes)?, nodes.columns(&learned.classes)?);
        let (labels, split) = (nodes.labels(&learned)?, nodes.split()?);
        let (observed, missing) = pairs(&text(EDGES)?, &ids, &path(EDGES))?;
        let lists = lists(file(METRICS)?, &path(METRICS))?;
        let json = files.get(graph_model::JSON);
        let tensors = files.get(graph_model::TENSORS).map(Vec::as_slice);
        let saved = json.map(|json| SavedModel::from_bytes(json, tensors, folder)).transpose()?;
        Ok(Self { record, ids, labels, split, probabilities, columns, learned, saved, observed, missing, lists, files })
    }

    /// The observed graph.
    pub fn graph(&self) -> Result<Graph, Error> {
        let edges: Vec<(u32, u32)> = self.observed.iter().map(|pair| (pair.a, pair.b)).collect();
        Graph::from_edges(self.ids.len(), &edges)
    }

    /// How many of the first edges can be listed at this false discovery rate.
    pub fn at_rate(&self, rate: f64) -> usize {
        at_rate(&self.lists, rate).min(self.observed.len())
    }
}

/// `predictions.csv`.
struct Nodes<'a> {
    table: &'a PredictionTable,
    path: &'a Path,
}

impl Nodes<'_> {
    fn bad(&self, found: String) -> Error {
        Error::bad_file(self.path, found, "expected what `bgcn fit` writes there; fit again, or give another run")
    }

    fn texts(&self, name: &str) -> Result<Vec<&str>, Error> {
        let column = self.table.column(name).ok_or_else(|| self.bad(format!("no column {name}")))?;
        Ok(column.collect())
    }

    fn ids(&self) -> Result<NodeIds, Error> {
        Ok(NodeIds::from_names(self.texts("id")?.into_iter().map(str::to_owned).collect()))
    }

    fn numbers(&self, name: &str) -> Result<Vec<f64>, Error> {
        let read = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
        let number = |(line, text): (usize, &str)| {
            read(text).ok_or_else(|| self.bad(format!("line {}, {name}: {text:?} is no number", line + 2)))
        };
        self.texts(name)?.into_iter().enumerate().map(number).collect()
    }

    fn probabilities(&self, classes: &[String]) -> Result<Vec<f32>, Error> {
        let columns: Vec<Vec<f64>> =
            classes.iter().map(|name| self.numbers(&format!("p_{name}"))).collect::<Result<_, _>>()?;
        let rows = 0..if classes.is_empty() { 0 } else { self.table.len() };
        Ok(rows.flat_map(|a| columns.iter().map(move |column| column[a] as f32)).collect())
    }

    /// What stands after the words and the probabilities.
    fn columns(&self, classes: &[String]) -> Result<BTreeMap<String, Vec<f64>>, Error> {
        let first = if classes.is_empty() { 3 } else { 4 + classes.len() };
        let names = self.table.header().iter().skip(first);
        names.map(|name| Ok((name.clone(), self.numbers(name)?))).collect()
    }

    fn labels(&self, learned: &Learned) -> Result<Labels, Error> {
        let texts = self.texts("label")?;
        if learned.values.is_some() {
            let number = |text: &str| text.parse::<f32>().ok();
            return Ok(Labels::Values(texts.into_iter().map(number).collect()));
        }
        let index: HashMap<&str, u32> = learned.classes.iter().map(String::as_str).zip(0..).collect();
        let of = texts.into_iter().map(|text| match text {
            "" => Ok(None),
            text => {
                index.get(text).copied().map(Some).ok_or_else(|| self.bad(format!("label {text:?} is no class of it")))
            }
        });
        Ok(Labels::Classes { names: learned.classes.clone(), of: of.collect::<Result<_, _>>()? })
    }

    fn split(&self) -> Result<Split, Error> {
        let mut split = Split::default();
        for (a, set) in (0..).zip(self.texts("set")?) {
            match set {
                "train" => split.train.push(a),
                "validation" => split.validation.push(a),
                "test" => split.test.push(a),
                "none" => {}
                other => return Err(self.bad(format!("line {}: set {other:?}", a + 2))),
            }
        }
        Ok(split)
    }
}

/// Observed edges and others of `edges.csv`.
fn pairs(text: &Text, ids: &NodeIds, path: &Path) -> Result<(Vec<KeptPair>, Vec<KeptPair>), Error> {
    let index = ids.index();
    let (mut observed, mut missing) = (Vec::new(), Vec::new());
    for row in edges_of(text)? {
        let node = |name: &str| {
            let next = "predictions.csv beside it has no such node; are both files of one run?";
            index.get(name).copied().ok_or_else(|| Error::bad_file(path, format!("node {name:?}"), next))
        };
        let probability = row.p_spurious.or(row.p_missing).unwrap_or_default();
        let (a, b, reasons) = (node(&row.source)?, node(&row.target)?, row.reasons);
        let pair = KeptPair { a, b, probability, reasons };
        if row.observed { observed.push(pair) } else { missing.push(pair) }
    }
    Ok((observed, missing))
}

/// The lists in `metrics.json`.
pub(super) fn lists(json: &[u8], path: &Path) -> Result<Vec<(f64, usize)>, Error> {
    let next = "expected links.lists as `bgcn fit` writes them; fit again, or give another run";
    let bad = |found: String| Error::bad_file(path, found, next);
    let metrics: serde_json::Value = serde_json::from_slice(json).map_err(|error| bad(error.to_string()))?;
    let lists = metrics.get("links").and_then(|links| links.get("lists")).cloned();
    let lists = lists.ok_or_else(|| bad("there are no lists of edges".into()))?;
    serde_json::from_value(lists).map_err(|error| bad(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{self, Dataset, demo, karate};
    use crate::outputs::{DataRecord, Findings, RunFiles, RunRecord, Source};
    use crate::posterior::{Drawing, Fit, Predictions, Task};
    use crate::recipe::Plan;
    use crate::rng::Seed;

    fn kept(data: &Dataset, split: &Split, fit: &Fit) -> KeptRun {
        let record = Record {
            run: RunRecord::new(fit.recipe().method(), 3, "given".into(), None, false),
            data: DataRecord::new(&Source::default(), data).unwrap(),
            settings: Record::tables(fit.recipe().settings()),
        };
        let task = Task { data, split, seed: Seed::new(3) };
        let links = crate::links::judge(fit.recipe(), task, fit, &|_| std::ops::ControlFlow::Continue(())).unwrap();
        let findings = Findings::of(record.about(fit.recipe(), Vec::new()), task, (fit, links), None);
        let files = RunFiles { task, fit, findings: &findings, record: &record.text(), page: "page" };
        KeptRun::from_files(files.bytes(), Path::new("run")).unwrap()
    }

    fn plan() -> Plan {
        Plan::new().seed(3).set("schedule.draws", 4).set("schedule.averaged", 2)
    }

    #[test]
    fn a_run_of_classes_comes_back_and_draws_the_same_graphs() {
        let data = demo();
        let split = data.split(&data::SplitKind::Random, 5, Seed::new(3)).unwrap();
        let fit = plan().fit_split(&data, &split, &|_| std::ops::ControlFlow::Continue(())).unwrap();
        let run = kept(&data, &split, &fit);
        let Predictions::Classes(posterior) = &fit.predictions else { unreachable!() };
        let near = |x: &f32, y: &f32| (x - y).abs() <= 0.5e-6 + 1e-7;
        assert!(run.probabilities.iter().zip(&posterior.probabilities).all(|(x, y)| near(x, y)));
        assert_eq!(run.probabilities.len(), posterior.probabilities.len());
        assert_eq!(
            run.columns.keys().collect::<Vec<_>>(),
            ["disagreement", "entropy", "expected_entropy", "mutual_information"]
        );
        assert_eq!((&run.labels, run.split.sets().map(|(_, of)| of.len())), (&data.labels, [35, 500, 1000]));
        assert_eq!((run.learned.clone(), run.graph().unwrap()), (fit.learned.clone(), data.graph.clone()));
        let draw = |saved: &SavedModel| {
            Drawing::new(fit.recipe(), &fit.learned.shares, saved, &data.graph).unwrap().draw(Seed::new(1), 0)
        };
        assert_eq!(draw(run.saved.as_ref().unwrap()), draw(&fit.saved_model(3).unwrap()));
        assert_eq!(run.missing.len(), 200);
        // Its files are a run again.
        assert_eq!(KeptRun::from_files(run.files.clone(), Path::new("run")).unwrap().probabilities, run.probabilities);
    }

    #[test]
    fn a_run_of_numbers_on_the_observed_graph_comes_back() {
        let mut data = karate();
        data.labels = Labels::Values((0..34).map(|a| (a % 3 > 0).then_some(a as f32 / 8.0)).collect());
        let split = data.split(&data::SplitKind::All, 0, Seed::new(3)).unwrap();
        let plan = Plan::new().graph_model("observed");
        let fit = plan.fit_split(&data, &split, &|_| std::ops::ControlFlow::Continue(())).unwrap();
        let run = kept(&data, &split, &fit);
        assert_eq!((&run.labels, run.graph().unwrap(), run.probabilities.len()), (&data.labels, data.graph.clone(), 0));
        assert_eq!(run.columns["mean"].len(), 34);
    }

    #[test]
    fn what_is_missing_or_changed_is_named() {
        let data = karate();
        let fit = plan().fit(&data).unwrap();
        let split = data.split(&data::SplitKind::All, 0, Seed::new(3)).unwrap();
        let files = kept(&data, &split, &fit).files;
        let error = |name: &str, bytes: Option<&str>| {
            let mut files = files.clone();
            match bytes {
                Some(bytes) => drop(files.insert(name.into(), bytes.into())),
                None => drop(files.remove(name)),
            }
            KeptRun::from_files(files, Path::new("run")).unwrap_err().to_string()
        };
        assert!(error("model.safetensors", None).contains("model.safetensors: there is no such file"));
        assert!(error("run.toml", Some("x = 1\n")).contains("no [run] in it"));
        assert!(error("predictions.csv", Some("id,label,set\n1,,none\n")).contains("no column"));
        let edges = "source,target,observed,p_spurious,p_missing,reasons\n0,99,1,0.5,,why\n";
        assert!(error("edges.csv", Some(edges)).contains("node \"99\""));
    }
}
