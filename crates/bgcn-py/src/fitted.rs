//! A fit, alive or read back: what is believed of nodes and edges, draws, later predictions, files.

use crate::alive::Alive;
use crate::dataset::{Dataset, Sets, rows_of, sets_of, split_of, whole};
use crate::{doorway, edges, errors, settings};
use bgcn::data::{Labels, NodeIds, Split};
use bgcn::graph::Graph;
use bgcn::graph_model::SavedModel;
use bgcn::links;
use bgcn::outputs::{DataRecord, KeptPair, KeptRun, MemoryNeed, Record, RunFolder, RunRecord};
use bgcn::posterior::{self, Changed, Drawing, Learned, Posterior, Predictions, Task, Values};
use bgcn::recipe::Recipe;
use bgcn::rng::Seed;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a fit found.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct Fitted(State);

enum State {
    Alive(Box<Alive>),
    Kept(Box<Kept>),
}

/// One that was read back.
struct Kept {
    run: KeptRun,
    graph: Graph,
    /// p(y_ab | λ) of every observed edge, which pickles keep and folders do not.
    model: Option<Vec<f64>>,
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
        let Planned { method, recipe, split, name, labels } =
            Planned::new(dataset, (given, preset, seed), (split, sets.as_ref(), labels_per_class))?;
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
            let fit = links::fit_alone(&recipe, task, watch)?;
            let wanted = baseline && !recipe.is_plain();
            let plain = wanted.then(|| posterior::fit(&recipe.plain(), task, watch)).transpose()?;
            Ok((fit, plain))
        })?;
        let alive = Alive::new((data, split, Seed::new(seed)), (record, remarks), (fit, plain));
        Ok(Self(State::Alive(Box::new(alive))))
    }

    /// Bytes that a fit takes on top of the data.
    #[staticmethod]
    #[pyo3(signature = (data, given, preset=None))]
    fn memory(data: &Bound<'_, Dataset>, given: &Bound<'_, PyDict>, preset: Option<&str>) -> PyResult<u64> {
        let data = &data.get().data;
        let recipe = settings::plan(preset, given, 0)?.resolve(data).map_err(errors::of)?;
        Ok(MemoryNeed::of(&recipe, data).total())
    }

    /// Reads the folder of a run.
    #[staticmethod]
    fn load(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let run = doorway::through(py, 0, None, |_| KeptRun::read(&folder))?;
        let graph = run.graph().map_err(errors::of)?;
        Ok(Self(State::Kept(Box::new(Kept { run, graph, model: None }))))
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
        fits(exact.spurious.len(), run.observed.len())?;
        run.observed.iter_mut().zip(&exact.spurious).for_each(|(pair, &p)| pair.probability = p);
        fits(exact.missing.len(), run.missing.len())?;
        run.missing.iter_mut().zip(&exact.missing).for_each(|(pair, &p)| pair.probability = p);
        let (graph, model) = (run.graph().map_err(errors::of)?, exact.model);
        fits(model.as_ref().map_or(graph.edges(), Vec::len), graph.edges())?;
        Ok(Self(State::Kept(Box::new(Kept { run, graph, model }))))
    }

    /// Everything that `restore` needs: files of a run folder, and what they round.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyDict>, Bound<'py, PyDict>)> {
        let probabilities = |pairs: &[KeptPair]| pairs.iter().map(|pair| pair.probability).collect::<Vec<f64>>();
        let (files, spurious, missing, model) = match &self.0 {
            State::Alive(alive) => {
                let findings = alive.findings(py, 0, None)?;
                py.detach(|| {
                    let found = findings.edges.as_ref().expect("they are judged");
                    let spurious = found.links.edges.iter().map(|edge| edge.p_spurious()).collect();
                    let missing = found.missing.iter().map(|edge| edge.probability).collect();
                    let files = alive.with_files(findings, |files| files.bytes());
                    (files, spurious, missing, alive.model_probabilities())
                })
            }
            State::Kept(kept) => {
                let Kept { run, model, .. } = &**kept;
                (run.files.clone(), probabilities(&run.observed), probabilities(&run.missing), model.clone())
            }
        };
        let bytes = PyDict::new(py);
        for (name, content) in &files {
            bytes.set_item(name, PyBytes::new(py, content))?;
        }
        let exact = PyDict::new(py);
        exact.set_item("probabilities", self.probabilities().to_vec())?;
        exact.set_item("columns", self.columns())?;
        exact.set_item("spurious", spurious)?;
        exact.set_item("missing", missing)?;
        exact.set_item("model", model)?;
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

    /// Scores and curves, as JSON: the content of `metrics.json`. What it says of edges is there once they are judged.
    fn metrics(&self, py: Python<'_>) -> String {
        py.detach(|| match &self.0 {
            State::Alive(alive) => alive.metrics(),
            State::Kept(kept) => file(&kept.run, "metrics.json"),
        })
    }

    /// Judges the edges, unless that was done: costs another fit and more.
    #[pyo3(signature = (threads, told=None))]
    fn judge(&self, py: Python<'_>, threads: usize, told: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if let State::Alive(alive) = &self.0 {
            alive.findings(py, threads, told)?;
        }
        Ok(())
    }

    /// The page of the report.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        Ok(match &self.0 {
            State::Alive(alive) => {
                let findings = alive.findings(py, 0, None)?;
                py.detach(|| bgcn_report::run_page(findings))
            }
            State::Kept(kept) => file(&kept.run, "report.html"),
        })
    }

    /// Writes the folder of a run.
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        let folder = RunFolder::at(&folder, overwrite).map_err(errors::of)?;
        match &self.0 {
            State::Alive(alive) => {
                let findings = alive.findings(py, 0, None)?;
                doorway::through(py, 0, None, |_| {
                    Ok(alive.with_files(findings, |files| folder.write(files)).map(drop)?)
                })
            }
            State::Kept(kept) => {
                doorway::through(py, 0, None, |_| Ok(folder.write_bytes(&kept.run.files).map(drop)?))
            }
        }
    }

    /// The first `count` observed edges, or all, the most suspicious first: sources, targets, P(spurious), reasons.
    #[pyo3(signature = (count=None))]
    fn observed<'py>(&self, py: Python<'py>, count: Option<usize>) -> PyResult<edges::Columns<'py>> {
        let count = count.unwrap_or(usize::MAX);
        let pairs = match &self.0 {
            State::Alive(alive) => {
                let findings = alive.findings(py, 0, None)?;
                py.detach(|| alive.observed(findings, count))
            }
            State::Kept(kept) => kept.run.observed.iter().take(count).cloned().collect(),
        };
        Ok(edges::columns_of(py, pairs))
    }

    /// Pairs without an edge, the most likely first: sources, targets, P(missing), reasons. At most those that are kept.
    fn missing<'py>(&self, py: Python<'py>, count: usize) -> PyResult<edges::Columns<'py>> {
        let (pairs, most, next) = match &self.0 {
            State::Alive(alive) => {
                let findings = alive.findings(py, 0, None)?;
                (py.detach(|| alive.missing(findings, count)), links::MISSING, "ask for fewer")
            }
            State::Kept(kept) => {
                let pairs = kept.run.missing.iter().take(count).cloned().collect();
                (pairs, KEPT, "a run that was read back has the most likely of them; fit again for more")
            }
        };
        if pairs.len() == most && count > most {
            let text = format!("{count} missing edges were asked for, but {most} are kept: {next}");
            return Err(PyValueError::new_err(text));
        }
        Ok(edges::columns_of(py, pairs))
    }

    /// Every observed edge with p(y_ab | λ): sources, targets, probabilities. `None` where the graph was taken for
    /// granted.
    fn edge_probabilities<'py>(&self, py: Python<'py>) -> PyResult<Option<Believed<'py>>> {
        let (graph, probabilities) = match &self.0 {
            State::Alive(alive) => (&alive.data.graph, py.detach(|| alive.model_probabilities())),
            State::Kept(kept) => match (&kept.model, &kept.run.saved) {
                (None, Some(_)) => {
                    let text = "a run folder does not keep the probabilities of its graph model; fit again for them. \
                                edges() has P(spurious) of every edge";
                    return Err(PyValueError::new_err(text));
                }
                (model, _) => (&kept.graph, model.clone()),
            },
        };
        let Some(probabilities) = probabilities else { return Ok(None) };
        let (sources, targets) = graph.edge_list().unzip::<u32, u32, Vec<_>, Vec<_>>();
        let (sources, targets) = (whole(py, sources.into_iter()), whole(py, targets.into_iter()));
        Ok(Some((sources, targets, probabilities.into_pyarray(py))))
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
        let (graph, learned) = (self.graph(), self.learned());
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

/// What is fitted, and to which labels.
struct Planned {
    method: String,
    recipe: Recipe,
    split: Split,
    /// The split's name, and the labels of each class that it took.
    name: String,
    labels: Option<usize>,
}

impl Planned {
    fn new(
        data: &Dataset,
        (given, preset, seed): (&Bound<'_, PyDict>, Option<&str>, u64),
        (split, sets, labels_per_class): (Option<&str>, Option<&Sets<'_>>, Option<usize>),
    ) -> PyResult<Self> {
        let plan = settings::plan(preset, given, seed)?;
        let (method, recipe) = (plan.method().map_err(errors::of)?, plan.resolve(&data.data).map_err(errors::of)?);
        let (split, name, labels) = match sets {
            Some(sets) => (split_of(sets)?, "given".into(), labels_per_class),
            None => data.drawn(split.unwrap_or("auto"), labels_per_class, seed)?,
        };
        split.check(&data.data.labels, data.data.nodes()).map_err(errors::of)?;
        Ok(Self { method, recipe, split, name, labels })
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
    /// P(spurious) of observed edges and P(missing) of other pairs, in the order of the files.
    spurious: Vec<f64>,
    missing: Vec<f64>,
    /// p(y_ab | λ), in the graph's order.
    model: Option<Vec<f64>>,
}

/// Sources, targets, probabilities.
type Believed<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

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
            State::Alive(alive) => alive.saved(),
            State::Kept(kept) => kept.run.saved.as_ref(),
        }
    }

    fn graph(&self) -> &Graph {
        match &self.0 {
            State::Alive(alive) => &alive.data.graph,
            State::Kept(kept) => &kept.graph,
        }
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

fn file(run: &KeptRun, name: &str) -> String {
    run.files.get(name).map_or(String::new(), |bytes| String::from_utf8_lossy(bytes).into_owned())
}
