//! A run: what is predicted of nodes and edges, draws, later predictions, files. Requests in, arrays out.

use crate::dataset::{Dataset, Rows, Sets, drawn, sets_of, split_of, whole};
use crate::{calls, edges, errors, settings};
use bgcn::{Request, SplitChoice};
use bgcn::{RunFiles, RunFolder};
use bgcn_core::data::NodeIds;
use bgcn_core::posterior::{MemoryNeed, Posterior, Predictions, Values};
use bgcn_core::rng::Seed;
use bgcn_files::Places;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyBytes, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A fit and what came of it.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct Run(bgcn::Run);

/// Sources, targets, probabilities.
type Pairs<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl Run {
    /// Fits a plan. `split` is a name or three arrays of nodes.
    #[staticmethod]
    #[pyo3(signature = (data, given, *, preset=None, seed=0, threads=0, split="auto", sets=None, labels_per_class=None,
        baseline=false, watch=None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn fit(
        py: Python<'_>,
        data: &Bound<'_, Dataset>,
        given: &Bound<'_, PyDict>,
        preset: Option<&str>,
        seed: u64,
        threads: usize,
        split: &str,
        sets: Option<Sets<'_>>,
        labels_per_class: Option<usize>,
        baseline: bool,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let data = data.get();
        let split = match &sets {
            Some(sets) => SplitChoice::Given(split_of(sets)?),
            None => split.parse().map_err(PyValueError::new_err)?,
        };
        let request = Request::of_data(Arc::clone(&data.data), data.source.clone())
            .plan(settings::plan(preset, given)?)
            .seed(seed)
            .split(split)
            .labels_per_class(labels_per_class)
            .baseline(baseline);
        let job = request.prepare(&Places::new(None)).map_err(errors::of)?;
        // Remarks on the data were given when it was made.
        warn(py, &job.remarks()[job.data().remarks.len()..])?;
        calls::run(py, threads, watch, |watch| job.run(watch)).map(Self)
    }

    /// Bytes that a fit takes on top of the data.
    #[staticmethod]
    #[pyo3(signature = (data, given, preset=None))]
    fn memory(data: &Bound<'_, Dataset>, given: &Bound<'_, PyDict>, preset: Option<&str>) -> PyResult<u64> {
        let data = &data.get().data;
        let recipe = settings::plan(preset, given)?.resolve(data).map_err(errors::of)?;
        Ok(MemoryNeed::of(&recipe, data).total())
    }

    /// Reads the folder of a run.
    #[staticmethod]
    fn load(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        calls::run(py, 0, None, |_| bgcn::Run::load(&folder)).map(Self)
    }

    /// What `files` gave, and `data`, where that gave any.
    #[staticmethod]
    #[pyo3(signature = (files, data=None))]
    fn restore(files: BTreeMap<String, Vec<u8>>, data: Option<&Bound<'_, Dataset>>) -> PyResult<Self> {
        let run = bgcn::Run::from_files(&files, Path::new("a pickled estimator")).map_err(errors::of)?;
        Ok(Self(match data {
            Some(data) => run.with_data(Arc::clone(&data.get().data)).map_err(errors::of)?,
            None => run,
        }))
    }

    /// Files of a run folder that hold everything to the last bit.
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = py.detach(|| self.0.to_files());
        files.iter().map(|(name, content)| (name, PyBytes::new(py, content))).into_py_dict(py)
    }

    /// The data, where its edges have yet to be judged by it.
    #[getter]
    fn data(&self) -> Option<Dataset> {
        let data = self.0.unjudged_data()?;
        Some(Dataset { data, source: Default::default() })
    }

    /// [n, c] for classes, `None` for numbers.
    fn probability_rows<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        rows(py, self.0.predictions())
    }

    /// Other columns of what is predicted of nodes, by name.
    fn node_columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        columns(py, self.0.predictions())
    }

    /// Names of the classes, in the order of the columns.
    #[getter]
    fn class_names(&self) -> Vec<String> {
        self.0.learned().classes.clone()
    }

    #[getter]
    fn is_regression(&self) -> bool {
        self.0.learned().values.is_some()
    }

    /// Names of the nodes; `None` where they are 0, 1, 2, …
    #[getter]
    fn ids(&self) -> Option<Vec<String>> {
        match &self.0.data().ids {
            NodeIds::Numbered(_) => None,
            NodeIds::Named(names) => Some(names.clone()),
        }
    }

    /// Texts that are shown beside the ids; empty where there are none.
    #[getter]
    fn node_names(&self) -> Vec<String> {
        self.0.data().node_names.clone()
    }

    /// Where the fit does worse than it should, and what to try.
    #[getter]
    fn advice(&self) -> Option<String> {
        self.0.advice().map(|text| errors::spelled(&text).into_owned())
    }

    #[getter]
    fn n_nodes(&self) -> usize {
        self.0.data().nodes()
    }

    #[getter]
    fn n_edges(&self) -> usize {
        self.0.data().graph.edges()
    }

    /// Columns of the features; 0 where there were none.
    #[getter]
    fn n_features(&self) -> usize {
        self.0.learned().inputs().unwrap_or(0)
    }

    /// What was done to the features, in words.
    #[getter]
    fn scaling(&self) -> String {
        self.0.learned().scaling()
    }

    /// Training, validation and test nodes.
    #[getter]
    fn split<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        sets_of(py, self.0.split())
    }

    /// method, seed and dataset.
    #[getter]
    fn about<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (run, data) = (&self.0.record().run, &self.0.record().data);
        let dict = PyDict::new(py);
        dict.set_item("dataset", &data.name)?;
        dict.set_item("method", &run.method)?;
        dict.set_item("seed", run.seed)?;
        Ok(dict)
    }

    /// Every setting that was used, as JSON.
    #[getter]
    fn settings(&self) -> String {
        serde_json::Value::from_iter(self.0.record().by_key()).to_string()
    }

    /// Scores and curves, as JSON: the content of `metrics.json`, with edges where they are judged.
    fn metrics(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.findings().metrics().to_string())
    }

    /// Judges the edges, unless that was done: costs another fit and more.
    #[pyo3(signature = (threads, watch=None))]
    fn judge(&self, py: Python<'_>, threads: usize, watch: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        calls::run(py, threads, watch, |watch| self.0.judge(watch).map(drop))
    }

    /// The page of the report, with edges where they are judged.
    fn report(&self, py: Python<'_>) -> String {
        py.detach(|| bgcn_report::run_page(&self.0.findings()))
    }

    /// Writes the folder of a run.
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        let folder = RunFolder::at(&folder, overwrite).map_err(errors::of)?;
        calls::run(py, 0, None, |watch| {
            self.0.judge(watch)?;
            let findings = self.0.findings();
            let page = bgcn_report::run_page(&findings);
            folder.write(&RunFiles { run: &self.0, findings: &findings, page: &page }).map(drop)
        })
    }

    /// The first `count` observed edges, or all, the most suspicious first: sources, targets, P(spurious), reasons.
    #[pyo3(signature = (count=None))]
    fn observed<'py>(&self, py: Python<'py>, count: Option<usize>) -> PyResult<edges::Columns<'py>> {
        let judged = self.judged()?;
        let pairs = py.detach(|| judged.observed().take(count.unwrap_or(usize::MAX)).collect());
        Ok(edges::columns_of(py, pairs))
    }

    /// Pairs without an edge, the most likely first: sources, targets, P(missing), reasons.
    #[pyo3(signature = (count=None))]
    fn missing<'py>(&self, py: Python<'py>, count: Option<usize>) -> PyResult<edges::Columns<'py>> {
        let judged = self.judged()?;
        if let Some(count) = count.filter(|&count| count > bgcn_core::links::MISSING) {
            let text = format!(
                "{count} missing edges were asked for, but {} are kept: ask for fewer",
                bgcn_core::links::MISSING
            );
            return Err(PyValueError::new_err(text));
        }
        let pairs = py.detach(|| judged.missing().take(count.unwrap_or(usize::MAX)).collect());
        Ok(edges::columns_of(py, pairs))
    }

    /// Every observed edge with p(y_ab | λ): sources, targets, probabilities. `None` where the observed graph is used.
    fn edge_probabilities<'py>(&self, py: Python<'py>) -> Option<Pairs<'py>> {
        let probabilities = self.0.edge_probabilities()?.to_vec();
        let (sources, targets) = self.0.data().graph.edge_list().unzip::<u32, u32, Vec<_>, Vec<_>>();
        Some((whole(py, sources.into_iter()), whole(py, targets.into_iter()), probabilities.into_pyarray(py)))
    }

    /// Graphs `first` to `first + count`, drawn from the posterior: row starts and columns of each.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        first: u32,
        count: u32,
        threads: usize,
    ) -> PyResult<Vec<Rows<'py>>> {
        drawn(py, threads, (first, count), || {
            let drawing = self.0.drawing()?;
            Ok(move |i| drawing.draw(Seed::new(seed), i))
        })
    }

    /// Predicts other data: probabilities [n, c] or `None`, and the other columns.
    #[pyo3(signature = (data, seed, threads, watch=None))]
    fn apply<'py>(
        &self,
        py: Python<'py>,
        data: &Bound<'_, Dataset>,
        seed: u64,
        threads: usize,
        watch: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<(Option<Bound<'py, PyAny>>, Bound<'py, PyDict>)> {
        let data = &data.get().data;
        let (predictions, remarks) =
            calls::run(py, threads, watch, |watch| self.0.apply(data, Seed::new(seed), watch))?;
        warn(py, &remarks)?;
        Ok((rows(py, &predictions)?, columns(py, &predictions)?))
    }
}

impl Run {
    fn judged(&self) -> PyResult<bgcn::findings::Edges<'_>> {
        self.0.edges().ok_or_else(|| PyValueError::new_err("the edges are not judged; call judge first"))
    }
}

fn warn(py: Python<'_>, remarks: &[String]) -> PyResult<()> {
    let warnings = py.import("warnings")?;
    let warned = |remark: &String| warnings.call_method1("warn", (errors::spelled(remark),)).map(drop);
    remarks.iter().try_for_each(warned)
}

fn rows<'py>(py: Python<'py>, predictions: &Predictions) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Predictions::Classes(Posterior { probabilities, classes, .. }) = predictions else { return Ok(None) };
    let nodes = probabilities.len() / (*classes).max(1);
    Ok(Some(crate::arrays::shaped(py, probabilities.clone(), [nodes, *classes])?.into_any()))
}

/// The columns of `predictions.csv` beside the probabilities.
fn columns<'py>(py: Python<'py>, predictions: &Predictions) -> PyResult<Bound<'py, PyDict>> {
    let wide = |values: &[f32]| values.iter().map(|&value| f64::from(value)).collect::<Vec<f64>>();
    let columns = match predictions {
        Predictions::Classes(posterior) => vec![
            ("disagreement", wide(&posterior.disagreement)),
            ("entropy", wide(&posterior.entropy)),
            ("expected_entropy", wide(&posterior.expected_entropy)),
            ("mutual_information", wide(&posterior.mutual_information)),
        ],
        Predictions::Values(values) => {
            let Values { mean, between, noise, .. } = values;
            vec![
                ("mean", mean.clone()),
                ("model_sd", between.iter().map(|variance| variance.sqrt()).collect()),
                ("noise_sd", vec![noise.sqrt(); mean.len()]),
                ("sd", (0..mean.len() as u32).map(|a| values.variance(a).sqrt()).collect()),
            ]
        }
    };
    columns.into_iter().map(|(name, values)| (name, values.into_pyarray(py))).into_py_dict(py)
}
