//! A fit, alive or read back: what is believed of nodes and edges, draws, later predictions, files.

use crate::dataset::{Dataset, Sets, rows_of, sets_of, split_of, whole};
use crate::{doorway, errors, settings};
use bgcn::data::{self, Features, Labels, NodeIds, Split};
use bgcn::graph::Graph;
use bgcn::graph_model::{BelievedPair, SavedModel};
use bgcn::outputs::{DataRecord, Findings, KeptRun, MemoryNeed, Record, RunFiles, RunFolder, RunRecord};
use bgcn::posterior::{self, Changed, Drawing, Fit, Learned, Posterior, Predictions, Task, Values};
use bgcn::rng::Seed;
use numpy::{IntoPyArray as _, PyArray1, ToPyArray as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// What a fit found.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct Fitted(State);

enum State {
    Alive(Box<Alive>),
    Kept(Box<Kept>),
}

/// A fit of this process. Its data has no features: nothing here reads them.
struct Alive {
    data: data::Dataset,
    split: Split,
    seed: Seed,
    record: Record,
    remarks: Vec<String>,
    fit: Fit,
    plain: Option<Fit>,
    findings: OnceLock<Findings>,
    /// λ as files keep it.
    saved: OnceLock<Option<SavedModel>>,
}

/// One that was read back, and the graph where it is known.
struct Kept {
    run: KeptRun,
    graph: Option<Graph>,
}

impl Alive {
    fn task(&self) -> Task<'_> {
        Task { data: &self.data, split: &self.split, seed: self.seed }
    }

    fn findings(&self) -> &Findings {
        self.findings.get_or_init(|| {
            let plain = self.plain.as_ref().map(|fit| (fit.recipe().kind().name(), fit));
            Findings::of(self.record.about(self.fit.recipe(), self.remarks.clone()), self.task(), &self.fit, plain)
        })
    }

    /// Calls with the files of a run folder.
    fn with_files<T>(&self, use_them: impl FnOnce(&RunFiles<'_>) -> T) -> T {
        let (findings, record) = (self.findings(), self.record.text());
        let page = bgcn_report::run_page(findings);
        use_them(&RunFiles { task: self.task(), fit: &self.fit, findings, record: &record, page: &page })
    }
}

#[pymethods]
impl Fitted {
    /// Fits a plan. `split` is a name or three arrays of nodes.
    #[staticmethod]
    #[pyo3(signature = (data, given, *, preset=None, seed=0, threads=0, split=None, sets=None, labels_per_class=None,
        baseline=false, told=None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn fit(
        py: Python<'_>,
        data: &Bound<'_, Dataset>,
        given: &Bound<'_, PyDict>,
        preset: Option<&str>,
        seed: u64,
        threads: usize,
        split: Option<&str>,
        sets: Option<Sets<'_>>,
        labels_per_class: Option<usize>,
        baseline: bool,
        told: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (dataset, data) = (data.get(), Arc::clone(&data.get().data));
        let plan = settings::plan(preset, given, seed)?;
        let (method, recipe) = (plan.method().map_err(errors::of)?, plan.resolve(&data).map_err(errors::of)?);
        let (split, name, labels) = match &sets {
            Some(sets) => (split_of(sets)?, "given".into(), labels_per_class),
            None => dataset.drawn(split.unwrap_or("auto"), labels_per_class, seed)?,
        };
        split.check(&data.labels, data.nodes()).map_err(errors::of)?;
        MemoryNeed::of(&recipe, &data).check(&data, &method).map_err(errors::of)?;
        let record = Record {
            run: RunRecord::new(method, seed, name, labels, baseline),
            data: DataRecord::new(&dataset.source, &data).map_err(errors::of)?,
            settings: Record::tables(recipe.settings()),
        };
        let warnings = py.import("warnings")?;
        for remark in recipe.remarks(&data) {
            warnings.call_method1("warn", (remark,))?;
        }
        let remarks = record.remarks(&data, &recipe);
        let task = Task { data: &data, split: &split, seed: Seed::new(seed) };
        let (fit, plain) = doorway::through(py, threads, told, |watch| {
            let fit = posterior::fit(&recipe, task, watch)?;
            let wanted = baseline && !recipe.is_plain();
            let plain = wanted.then(|| posterior::fit(&recipe.plain(), task, watch)).transpose()?;
            Ok((fit, plain))
        })?;
        let data = data::Dataset { fixed_split: data.fixed_split.clone(), ..without_features(&data) };
        let (findings, saved) = (OnceLock::new(), OnceLock::new());
        let alive = Alive { data, split, seed: Seed::new(seed), record, remarks, fit, plain, findings, saved };
        Ok(Self(State::Alive(Box::new(alive))))
    }

    /// Reads the folder of a run.
    #[staticmethod]
    fn load(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let run = doorway::through(py, 0, None, |_| KeptRun::read(&folder))?;
        let graph = run.graph();
        Ok(Self(State::Kept(Box::new(Kept { run, graph }))))
    }

    /// What `state` gave.
    #[staticmethod]
    fn restore(files: BTreeMap<String, Vec<u8>>, exact: Exact) -> PyResult<Self> {
        let mut run = KeptRun::from_files(files, Path::new("a pickled estimator")).map_err(errors::of)?;
        let fits = |length: usize, wanted: usize| match length == wanted {
            true => Ok(()),
            false => Err(PyValueError::new_err("the pickled estimator is damaged: its arrays do not fit")),
        };
        fits(exact.probabilities.len(), run.probabilities.len())?;
        run.probabilities = exact.probabilities;
        for (name, values) in exact.columns {
            fits(values.len(), run.columns.get(&name).map_or(0, Vec::len))?;
            run.columns.insert(name, values);
        }
        if let Some(observed) = &mut run.observed {
            fits(exact.edge_probabilities.len(), observed.len())?;
            observed.iter_mut().zip(&exact.edge_probabilities).for_each(|(pair, &p)| pair.p = p);
        }
        fits(exact.missing_probabilities.len(), run.missing.len())?;
        run.missing.iter_mut().zip(&exact.missing_probabilities).for_each(|(pair, &p)| pair.p = p);
        let graph = Graph::from_edges(run.ids.len(), &exact.edges).map_err(errors::of)?;
        Ok(Self(State::Kept(Box::new(Kept { run, graph: Some(graph) }))))
    }

    /// Everything that `restore` needs: files of a run folder, and what they round.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let files = py.detach(|| match &self.0 {
            State::Alive(alive) => alive.with_files(|files| files.bytes()),
            State::Kept(kept) => kept.run.files.clone(),
        });
        let bytes = PyDict::new(py);
        for (name, content) in &files {
            bytes.set_item(name, PyBytes::new(py, content))?;
        }
        let exact = PyDict::new(py);
        let columns = self.columns();
        exact.set_item("probabilities", self.probabilities().to_vec())?;
        exact.set_item("columns", columns)?;
        exact.set_item("edge_probabilities", self.observed_probabilities())?;
        exact.set_item("missing_probabilities", self.missing_probabilities())?;
        exact.set_item("edges", self.graph().map_or(Vec::new(), |graph| graph.edge_list().collect()))?;
        Ok((bytes, exact))
    }

    /// [n, c] for classes, `None` for numbers.
    fn probability_rows<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let classes = self.learned().classes.len();
        if self.learned().values.is_some() {
            return Ok(None);
        }
        let rows = self.probabilities();
        Ok(Some(crate::arrays::shaped(py, rows.to_vec(), [rows.len() / classes.max(1), classes])?.into_any()))
    }

    /// Other columns of what is believed of nodes, by name.
    fn node_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, values) in self.columns() {
            dict.set_item(name, values.into_pyarray(py))?;
        }
        Ok(dict)
    }

    /// Names of the classes, in the order of the columns.
    #[getter]
    fn class_names(&self) -> Vec<String> {
        self.learned().classes.clone()
    }

    #[getter]
    fn is_regression(&self) -> bool {
        self.learned().values.is_some()
    }

    /// Names of the nodes; `None` where they are 0, 1, 2, …
    #[getter]
    fn ids(&self) -> Option<Vec<String>> {
        let ids = match &self.0 {
            State::Alive(alive) => &alive.data.ids,
            State::Kept(kept) => &kept.run.ids,
        };
        match ids {
            NodeIds::Numbered(_) => None,
            NodeIds::Named(names) => Some(names.clone()),
        }
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        match &self.0 {
            State::Alive(alive) => alive.data.nodes(),
            State::Kept(kept) => kept.run.ids.len(),
        }
    }

    /// Columns of the features; 0 where there were none.
    #[getter]
    fn n_features(&self) -> usize {
        self.learned().inputs().unwrap_or(0)
    }

    /// What was done to the features, in words.
    #[getter]
    fn scaling(&self) -> String {
        self.learned().scaling()
    }

    /// Training, validation and test nodes.
    #[getter]
    fn split<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        match &self.0 {
            State::Alive(alive) => sets_of(py, &alive.split),
            State::Kept(kept) => sets_of(py, &kept.run.split),
        }
    }

    /// Labels as the run knew them: class numbers with -1, or values with NaN.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let labels = match &self.0 {
            State::Alive(alive) => &alive.data.labels,
            State::Kept(kept) => &kept.run.labels,
        };
        match labels {
            Labels::Classes { of, .. } => {
                of.iter().map(|class| class.map_or(-1, i64::from)).collect::<Vec<_>>().into_pyarray(py).into_any()
            }
            Labels::Values(of) => {
                of.iter().map(|value| value.unwrap_or(f32::NAN)).collect::<Vec<_>>().into_pyarray(py).into_any()
            }
        }
    }

    /// `run.toml`.
    #[getter]
    fn record(&self) -> String {
        self.kept_record().text()
    }

    /// method, seed, split, labels_per_class, dataset, version.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Record { run, data, .. } = self.kept_record();
        let dict = PyDict::new(py);
        dict.set_item("dataset", &data.name)?;
        dict.set_item("method", &run.method)?;
        dict.set_item("seed", run.seed)?;
        dict.set_item("split", &run.split)?;
        dict.set_item("labels_per_class", run.labels_per_class)?;
        dict.set_item("version", &run.version)?;
        Ok(dict)
    }

    /// Every setting that was used, as JSON.
    #[getter]
    fn settings(&self) -> String {
        serde_json::Value::from_iter(self.kept_record().by_key()).to_string()
    }

    /// Scores and curves, as JSON: the content of `metrics.json`.
    fn metrics(&self, py: Python<'_>) -> String {
        py.detach(|| match &self.0 {
            State::Alive(alive) => alive.findings().metrics().to_string(),
            State::Kept(kept) => file(&kept.run, "metrics.json"),
        })
    }

    /// The page of the report.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| match &self.0 {
            State::Alive(alive) => bgcn_report::run_page(alive.findings()),
            State::Kept(kept) => file(&kept.run, "report.html"),
        })
    }

    /// Writes the folder of a run.
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        doorway::through(py, 0, None, |_| {
            let folder = RunFolder::at(&folder, overwrite)?;
            Ok(match &self.0 {
                State::Alive(alive) => alive.with_files(|files| folder.write(files)),
                State::Kept(kept) => folder.write_bytes(&kept.run.files),
            }?)
        })
    }

    /// Observed edges, the least likely first: sources, targets, probabilities. `None` where the graph was taken for
    /// granted.
    fn suspicious<'py>(&self, py: Python<'py>, count: usize) -> Option<Bound<'py, PyTuple>> {
        let pairs = py.detach(|| match &self.0 {
            State::Alive(alive) => alive.fit.beliefs.as_ref().map(|_| alive.fit.suspicious(&alive.data, count)),
            State::Kept(kept) => kept.run.observed.as_ref().map(|observed| {
                let mut ranked = observed.clone();
                ranked.sort_by(|one, other| one.p.total_cmp(&other.p));
                ranked.truncate(count);
                ranked
            }),
        });
        pairs.map(|pairs| columns_of(py, &pairs))
    }

    /// Pairs without an edge, the most likely first; of a run that was read back at most those it has kept.
    fn missing<'py>(&self, py: Python<'py>, count: usize) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let pairs = py.detach(|| match &self.0 {
            State::Alive(alive) => Ok(alive.fit.beliefs.as_ref().map(|_| {
                let likely = alive.fit.missing(&alive.data, count);
                likely.into_iter().filter(|pair| pair.p > 0.0).collect::<Vec<_>>()
            })),
            State::Kept(kept) => match (&kept.run.observed, &kept.run.missing) {
                (None, _) => Ok(None),
                (_, missing) if count <= missing.len() || missing.len() < KEPT => {
                    Ok(Some(missing.iter().take(count).copied().collect()))
                }
                (_, missing) => Err(missing.len()),
            },
        });
        let pairs = pairs.map_err(|kept| {
            let text = "a run that was read back has the most likely of them; fit again for more";
            PyValueError::new_err(format!("{count} missing edges were asked for, but {kept} are kept: {text}"))
        })?;
        Ok(pairs.map(|pairs| columns_of(py, &pairs)))
    }

    /// The probability of every observed edge, in the order of `edges`.
    fn edge_probabilities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        py.detach(|| self.observed_probabilities()).into_pyarray(py)
    }

    /// Every observed edge once: sources and targets.
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)> {
        let graph = self.known_graph()?;
        let (sources, targets) = graph.edge_list().unzip::<u32, u32, Vec<_>, Vec<_>>();
        Ok((whole(py, sources.into_iter()), whole(py, targets.into_iter())))
    }

    /// Graphs `first` to `first + count`, drawn from the posterior: row starts and columns of each.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        first: u32,
        count: u32,
        threads: usize,
    ) -> PyResult<Vec<(Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>)>> {
        let Some(saved) = self.saved() else {
            let text = "the graph was taken for granted (graph_model observed), so every draw is the observed graph; \
                        fit with a graph model";
            return Err(PyValueError::new_err(text));
        };
        let (graph, learned) = (self.known_graph()?, self.learned());
        let graphs = doorway::through(py, threads, None, |watch| {
            let drawing = Drawing::new(&learned.recipe, &learned.shares, saved, graph)?;
            let mut graphs = Vec::with_capacity(count as usize);
            for i in 0..count {
                let (phase, done, total) = (posterior::Phase::Draws, i as usize, count as usize);
                if watch(posterior::Progress { phase, done, total }).is_break() {
                    return Err(bgcn::Error::Stopped);
                }
                graphs.push(drawing.draw(Seed::new(seed), first.wrapping_add(i)));
            }
            Ok(graphs)
        })?;
        Ok(graphs.iter().map(|graph| rows_of(py, graph)).collect())
    }

    /// Predicts other data: probabilities [n, c] or `None`, and the other columns.
    #[pyo3(signature = (data, seed, threads, told=None))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'_, Dataset>,
        seed: u64,
        threads: usize,
        told: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Option<Bound<'py, PyAny>>, Bound<'py, PyDict>)> {
        let (data, learned) = (&data.get().data, self.learned());
        let (graph, features, feature_names) = (&data.graph, &data.features, &data.feature_names[..]);
        let to = Changed { graph, features, feature_names, seed: Seed::new(seed) };
        let warnings = py.import("warnings")?;
        for remark in learned.remarks(to).map_err(errors::of)? {
            warnings.call_method1("warn", (remark,))?;
        }
        let predictions = doorway::through(py, threads, told, |watch| learned.apply(to, watch))?;
        let columns = PyDict::new(py);
        for (name, values) in columns_of_predictions(&predictions) {
            columns.set_item(name, values.into_pyarray(py))?;
        }
        let rows = match predictions {
            Predictions::Classes(Posterior { probabilities, classes, .. }) => {
                Some(crate::arrays::shaped(py, probabilities, [data.nodes(), classes])?.into_any())
            }
            Predictions::Values(_) => None,
        };
        Ok((rows, columns))
    }
}

/// Pairs without an edge that a run folder keeps.
const KEPT: usize = 200;

/// What the files of a run round.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Exact {
    probabilities: Vec<f32>,
    columns: BTreeMap<String, Vec<f64>>,
    edge_probabilities: Vec<f64>,
    missing_probabilities: Vec<f64>,
    edges: Vec<(u32, u32)>,
}

impl Fitted {
    fn learned(&self) -> &Learned {
        match &self.0 {
            State::Alive(alive) => &alive.fit.learned,
            State::Kept(kept) => &kept.run.learned,
        }
    }

    fn kept_record(&self) -> &Record {
        match &self.0 {
            State::Alive(alive) => &alive.record,
            State::Kept(kept) => &kept.run.record,
        }
    }

    fn saved(&self) -> Option<&SavedModel> {
        match &self.0 {
            State::Alive(alive) => alive.saved.get_or_init(|| alive.fit.saved_model(alive.record.run.seed)).as_ref(),
            State::Kept(kept) => kept.run.saved.as_ref(),
        }
    }

    fn graph(&self) -> Option<&Graph> {
        match &self.0 {
            State::Alive(alive) => Some(&alive.data.graph),
            State::Kept(kept) => kept.graph.as_ref(),
        }
    }

    fn known_graph(&self) -> PyResult<&Graph> {
        self.graph().ok_or_else(|| {
            let text = "the run took its graph for granted and has not kept it; fit again, or with a graph model";
            PyValueError::new_err(text)
        })
    }

    fn probabilities(&self) -> &[f32] {
        match &self.0 {
            State::Alive(alive) => alive.fit.predictions.classes().map_or(&[], |posterior| &posterior.probabilities),
            State::Kept(kept) => &kept.run.probabilities,
        }
    }

    fn columns(&self) -> BTreeMap<String, Vec<f64>> {
        match &self.0 {
            State::Alive(alive) => columns_of_predictions(&alive.fit.predictions),
            State::Kept(kept) => kept.run.columns.clone(),
        }
    }

    /// Of the pairs that a run folder keeps.
    fn missing_probabilities(&self) -> Vec<f64> {
        match &self.0 {
            State::Alive(alive) => {
                let edges = alive.findings().edges.as_ref();
                edges.map_or(Vec::new(), |found| found.missing.iter().map(|edge| edge.probability).collect())
            }
            State::Kept(kept) => kept.run.missing.iter().map(|pair| pair.p).collect(),
        }
    }

    fn observed_probabilities(&self) -> Vec<f64> {
        match &self.0 {
            State::Alive(alive) => alive.fit.beliefs.as_ref().map_or(Vec::new(), |beliefs| {
                alive.data.graph.edge_list().map(|(a, b)| beliefs.edge_probability(a, b)).collect()
            }),
            State::Kept(kept) => {
                kept.run.observed.as_ref().map_or(Vec::new(), |pairs| pairs.iter().map(|pair| pair.p).collect())
            }
        }
    }
}

/// The same nodes, edges and labels.
fn without_features(data: &data::Dataset) -> data::Dataset {
    data::Dataset {
        name: data.name.clone(),
        graph: data.graph.clone(),
        merged: data.merged,
        edges_published: data.edges_published,
        features: Features::Identity(data.nodes()),
        labels: data.labels.clone(),
        ids: data.ids.clone(),
        fixed_split: None,
        truth: data.truth.clone(),
        remarks: data.remarks.clone(),
        feature_names: Vec::new(),
    }
}

/// The columns of `predictions.csv` beside the probabilities.
fn columns_of_predictions(predictions: &Predictions) -> BTreeMap<String, Vec<f64>> {
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
    let named = |columns: Vec<(&str, Vec<f64>)>| columns.into_iter().map(|(name, of)| (name.to_owned(), of)).collect();
    match predictions {
        Predictions::Classes(posterior) => named(vec![
            ("entropy", wide(&posterior.entropy)),
            ("expected_entropy", wide(&posterior.expected_entropy)),
            ("mutual_information", wide(&posterior.mutual_information)),
            ("disagreement", wide(&posterior.disagreement)),
        ]),
        Predictions::Values(values) => {
            let Values { mean, between, noise, .. } = values;
            let nodes = 0..mean.len() as u32;
            named(vec![
                ("mean", mean.clone()),
                ("sd", nodes.map(|a| values.variance(a).sqrt()).collect()),
                ("model_sd", between.iter().map(|variance| variance.sqrt()).collect()),
                ("noise_sd", vec![noise.sqrt(); mean.len()]),
            ])
        }
    }
}

fn columns_of<'py>(py: Python<'py>, pairs: &[BelievedPair]) -> Bound<'py, PyTuple> {
    let sources = whole(py, pairs.iter().map(|pair| pair.a)).into_any();
    let targets = whole(py, pairs.iter().map(|pair| pair.b)).into_any();
    let probabilities = pairs.iter().map(|pair| pair.p).collect::<Vec<f64>>().to_pyarray(py).into_any();
    PyTuple::new(py, [sources, targets, probabilities]).expect("three arrays")
}

fn file(run: &KeptRun, name: &str) -> String {
    run.files.get(name).map_or(String::new(), |bytes| String::from_utf8_lossy(bytes).into_owned())
}
