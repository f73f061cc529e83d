//! A graph model by itself: inferred, scored on held-out links, drawn from.

use crate::arrays::{Numbers, slice};
use crate::dataset::{Dataset, Rows, drawn};
use crate::{calls, errors, settings};
use bgcn::graph_fit::{InferenceName, InferenceRequest, Needs, StartName};
use bgcn::graph_models::write_model;
use bgcn_core::graph_model::{Array, GraphBuffer, GraphModel, HoldOut, ModelSettings, SavedModel, registry};
use bgcn_core::posterior::{Phase, Progress};
use bgcn_core::rng::{For, Seed};
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;
use std::sync::Arc;

/// A graph model at its λ.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct GraphFit {
    data: Arc<bgcn_core::data::Dataset>,
    saved: SavedModel,
    about: String,
}

#[pymethods]
impl GraphFit {
    /// Infers a model from the graph of the data.
    #[staticmethod]
    #[pyo3(signature = (data, model, given, *, communities=None, inference=None, start=None, iterations=None,
        hold_out=0.0, seed=0, threads=0))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn infer(
        py: Python<'_>,
        data: &Bound<'_, Dataset>,
        model: &str,
        given: &Bound<'_, PyDict>,
        communities: Option<usize>,
        inference: Option<&str>,
        start: Option<&str>,
        iterations: Option<usize>,
        hold_out: f64,
        seed: u64,
        threads: usize,
    ) -> PyResult<Self> {
        let data = Arc::clone(&data.get().data);
        let entry = entry_of(model)?;
        let options = [
            ("inference", inference.is_some(), Needs::Inferences),
            ("iterations", iterations.is_some(), Needs::Iterations),
        ];
        for (option, _, needs) in options.into_iter().filter(|option| option.1) {
            needs.check(entry, option).map_err(errors::of)?;
        }
        let inference = inference.map(|name| named("inference", name, InferenceName::ALL, InferenceName::name));
        let inference = inference.transpose()?;
        let start = start.map(|name| named("start", name, StartName::ALL, StartName::name)).transpose()?;
        let start = start.unwrap_or_else(|| StartName::suiting(&data));
        if !(0.0..=0.5).contains(&hold_out) {
            return Err(PyValueError::new_err(format!("hold_out is {hold_out}; allowed are 0 to 0.5, such as 0.01")));
        }
        let communities = match communities.unwrap_or(data.labels.classes()) {
            0 => {
                let text = "there are no classes to take the number of communities from; give communities";
                return Err(PyValueError::new_err(text));
            }
            k => k,
        };
        let given = settings::of_dict(given)?;
        // Memberships, and as many numbers that the inference sums.
        let bytes = data.nodes().saturating_mul(communities).saturating_mul(8);
        errors::check_memory(&format!("{communities} communities of {} nodes", data.nodes()), bytes)?;
        let result = calls::run(py, threads, None, |watch| {
            let phase = Phase::Inference;
            let go_on = |done, total| watch(Progress { phase, done, total });
            let held = HoldOut::draw(&data.graph, hold_out, Seed::new(seed).at(For::HoldOut, [0; 3]));
            let request = InferenceRequest {
                data: &data,
                shown: &held.graph,
                held_out: &held.pairs,
                communities,
                start,
                iterations,
                settings: &given,
                trace_every: 0,
                seed: Seed::new(seed),
                go_on: &go_on,
            };
            request.run(entry, inference)
        })?;
        let about = serde_json::json!({
            "iterations": result.report.iterations,
            "log_posterior": result.log_posterior,
            "held_out": result.held_out,
            "impossible_links": result.impossible,
            "settings": result.saved.settings,
            "lambda": result.saved.parameters.small,
        });
        Ok(Self { data, saved: result.saved, about: about.to_string() })
    }

    /// What was found, with the settings and the small numbers of λ by name, as JSON.
    #[getter]
    fn about(&self) -> &str {
        &self.about
    }

    /// What λ has for every node, by name.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, array) in &self.saved.parameters.arrays {
            match array {
                Array::Rows { columns, values } => {
                    let shape = [self.saved.parameters.nodes, *columns];
                    dict.set_item(name, crate::arrays::shaped(py, values.clone(), shape)?)?;
                }
                Array::Labels(labels) => {
                    dict.set_item(name, crate::dataset::whole(py, labels.iter().copied()))?;
                }
            }
        }
        Ok(dict)
    }

    /// Graphs `first` to `first + count`: row starts and columns of each.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        first: u32,
        count: u32,
        threads: usize,
    ) -> PyResult<Vec<Rows<'py>>> {
        drawn(py, threads, (first, count), || {
            let (model, mut buffer) = (self.model()?, GraphBuffer::default());
            Ok(move |i| {
                model.sample(Seed::new(seed).at(For::Graph, [0, i, 0]), &mut buffer);
                buffer.graph().clone()
            })
        })
    }

    /// p(y_ab = 1 | λ) of pairs.
    fn edge_probability<'py>(
        &self,
        py: Python<'py>,
        sources: Numbers<'_>,
        targets: Numbers<'_>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (a, b) = (slice(&sources, "sources")?, slice(&targets, "targets")?);
        let nodes = self.data.nodes();
        if a.len() != b.len() {
            return Err(PyValueError::new_err(format!("{} sources and {} targets; give as many", a.len(), b.len())));
        }
        if let Some(&node) = a.iter().chain(b).find(|node| **node as usize >= nodes) {
            return Err(PyValueError::new_err(format!("node {node} does not exist; the graph has {nodes} nodes")));
        }
        let model = self.model().map_err(errors::of)?;
        let found: Vec<f64> = a.iter().zip(b).map(|(&a, &b)| model.edge_probability(a, b)).collect();
        Ok(found.into_pyarray(py))
    }

    /// Writes the folder that `bgcn graph sample` reads.
    fn save(&self, py: Python<'_>, folder: PathBuf, overwrite: bool) -> PyResult<()> {
        py.detach(|| write_model(&folder, overwrite, &self.data, &self.saved)).map_err(errors::of)
    }
}

impl GraphFit {
    fn model(&self) -> Result<Box<dyn GraphModel + '_>, bgcn_core::Error> {
        ModelSettings::of_saved(&self.saved)?.resume(&self.data.graph, &self.saved.parameters)
    }
}

/// The value of this name.
fn named<T: Copy, const N: usize>(what: &str, name: &str, all: [T; N], of: fn(T) -> &'static str) -> PyResult<T> {
    all.into_iter().find(|&known| of(known) == name).ok_or_else(|| refuse(what, name, all.map(of)))
}

/// A model that can be inferred.
fn entry_of(model: &str) -> PyResult<&'static registry::Entry> {
    let names = registry::ALL.iter().skip(1).map(|entry| entry.name);
    let entry = registry::entry(model).filter(|entry| entry.name != "observed");
    entry.ok_or_else(|| refuse("graph_model", model, names))
}

fn refuse<'a>(what: &str, found: &str, names: impl IntoIterator<Item = &'a str>) -> PyErr {
    let names: Vec<&str> = names.into_iter().collect();
    PyValueError::new_err(format!("{what} is {found:?}; allowed are {}", names.join(", ")))
}
