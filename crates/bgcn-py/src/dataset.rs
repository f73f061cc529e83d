//! Data: from arrays, from files and names, and back to arrays.

use crate::arrays::{Numbers, shaped, slice, starts};
use crate::{calls, errors};
use bgcn::SplitChoice;
use bgcn_core::Error;
use bgcn_core::data;
use bgcn_core::data::{DatasetBuilder, EdgeTruth, FeatureRows, Features, Labels, NodeIds, Split};
use bgcn_core::graph::{Graph, Merged};
use bgcn_core::posterior::{Phase, Progress};
use bgcn_core::rng::Seed;
use bgcn_files::{Places, Source};
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1, ToPyArray as _};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyTuple};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

/// A graph, features and labels, checked. It does not change.
#[pyclass(frozen, subclass, module = "bgcn._bgcn")]
pub struct Dataset {
    pub data: Arc<data::Dataset>,
    /// Where it was read; empty for arrays.
    pub source: Source,
}

/// Edges as (smaller, larger).
type Pairs = Vec<(u32, u32)>;

const ASYMMETRIC: &str =
    "the adjacency is not symmetric; directions are ignored: nodes are joined where either entry is not 0";

/// Whether every edge of a matrix stands in both directions.
fn symmetric(merged: &Merged) -> bool {
    merged.given - merged.self_loops - merged.duplicates == 2 * merged.reciprocal
}

/// Refuses classes that may be numbers.
fn refuse_numbers(labels: &Labels) -> PyResult<()> {
    let Some((alone, known)) = labels.alone() else { return Ok(()) };
    let found = format!("y: {alone} of {known} labelled nodes are alone in their class");
    let next = "Are the labels numbers? Then use BayesianGCNRegressor, or regression=True; write classes as words";
    Err(PyValueError::new_err(format!("{found}. {next}")))
}

/// What [`Dataset::merged`] gave.
fn merged_of(counts: &BTreeMap<String, usize>) -> Merged {
    let count = |name: &str| counts.get(name).copied().unwrap_or(0);
    Merged {
        given: count("given"),
        self_loops: count("self_loops"),
        duplicates: count("duplicates"),
        reciprocal: count("reciprocal"),
    }
}

/// A dataset in the making, with one thing more where it is given.
fn with<'a, T>(
    builder: DatasetBuilder<'a>,
    given: Option<T>,
    set: impl FnOnce(DatasetBuilder<'a>, T) -> DatasetBuilder<'a>,
) -> DatasetBuilder<'a> {
    match given {
        Some(given) => set(builder, given),
        None => builder,
    }
}

/// Three lists of nodes: training, validation, test.
pub type Sets<'py> = (Numbers<'py>, Numbers<'py>, Numbers<'py>);

pub fn split_of(sets: &Sets<'_>) -> PyResult<Split> {
    Ok(Split {
        train: slice(&sets.0, "training nodes")?.to_vec(),
        validation: slice(&sets.1, "validation nodes")?.to_vec(),
        test: slice(&sets.2, "test nodes")?.to_vec(),
    })
}

pub fn sets_of<'py>(py: Python<'py>, split: &Split) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, split.sets().map(|(_, nodes)| whole(py, nodes.iter().copied())))
}

/// Node numbers as Python's users index with them.
pub fn whole(py: Python<'_>, numbers: impl Iterator<Item = u32>) -> Bound<'_, PyArray1<i64>> {
    numbers.map(i64::from).collect::<Vec<_>>().into_pyarray(py)
}

/// Row starts and columns of a symmetric matrix, as scipy has them.
pub type Rows<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

fn rows_of<'py>(py: Python<'py>, graph: &Graph) -> Rows<'py> {
    let offsets = graph.offsets().iter().map(|&offset| offset as i64).collect::<Vec<_>>().into_pyarray(py);
    (offsets, whole(py, graph.targets().iter().copied()))
}

/// Graphs `first` to `first + count`, by what `begin` gives for drawing one of them.
pub fn drawn<'py, D: FnMut(u32) -> Graph>(
    py: Python<'py>,
    threads: usize,
    (first, count): (u32, u32),
    begin: impl FnOnce() -> Result<D, Error> + Send,
) -> PyResult<Vec<Rows<'py>>> {
    let graphs = calls::run(py, threads, None, |watch| {
        let mut draw = begin()?;
        let one = |i: u32| match watch(Progress { phase: Phase::Draws, done: i as usize, total: count as usize }) {
            ControlFlow::Break(()) => Err(Error::Stopped),
            ControlFlow::Continue(()) => Ok(draw(first.wrapping_add(i))),
        };
        (0..count).map(one).collect::<Result<Vec<Graph>, Error>>()
    })?;
    Ok(graphs.iter().map(|graph| rows_of(py, graph)).collect())
}

#[pymethods]
impl Dataset {
    /// The same data, for a class that extends this one.
    #[new]
    fn new(of: &Bound<'_, Self>) -> Self {
        let Self { data, source } = of.get();
        Self { data: Arc::clone(data), source: source.clone() }
    }

    /// From arrays: edges as two columns; features dense (`columns`, `values`) or sparse (`indptr`, `indices` too);
    /// labels as class numbers, -1 for none, with names, or as real values, NaN for none. A `matrix` has every edge
    /// twice. What is known beside: remarks made before, the ground truth, what was merged; `ask`: whether classes that may be
    /// numbers are refused.
    #[staticmethod]
    #[pyo3(name = "_from_arrays", signature = (nodes, sources, targets, *, columns=None, values=None, indptr=None, indices=None,
        feature_names=None, classes=None, class_names=None, numbers=None, ids=None, node_names=None, split=None, name=None,
        source=None, matrix=false, remarks=None, truth=None, merged=None, ask=true))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn from_arrays(
        py: Python<'_>,
        nodes: usize,
        sources: Numbers<'_>,
        targets: Numbers<'_>,
        columns: Option<usize>,
        values: Option<PyReadonlyArray1<'_, f32>>,
        indptr: Option<PyReadonlyArray1<'_, i64>>,
        indices: Option<Numbers<'_>>,
        feature_names: Option<Vec<String>>,
        classes: Option<PyReadonlyArray1<'_, i64>>,
        class_names: Option<Vec<String>>,
        numbers: Option<PyReadonlyArray1<'_, f32>>,
        ids: Option<Vec<String>>,
        node_names: Option<Vec<String>>,
        split: Option<Sets<'_>>,
        name: Option<&str>,
        source: Option<String>,
        matrix: bool,
        remarks: Option<Vec<String>>,
        truth: Option<(Pairs, Pairs)>,
        merged: Option<BTreeMap<String, usize>>,
        ask: bool,
    ) -> PyResult<Self> {
        Graph::check_nodes(nodes).map_err(errors::of)?;
        // Row starts of the graph, three times while it is built, and a label.
        errors::check_memory(&format!("a graph of {nodes} nodes"), nodes.saturating_mul(32))?;
        let (sources, targets) = (slice(&sources, "sources of edges")?, slice(&targets, "targets of edges")?);
        if sources.len() != targets.len() {
            let found = format!("edges: {} sources and {} targets", sources.len(), targets.len());
            return Err(PyValueError::new_err(format!("{found}; every edge has one of each")));
        }
        let offsets = indptr.as_ref().map(starts).transpose()?;
        let indices = indices.as_ref().map(|array| slice(array, "columns of features")).transpose()?;
        let values = values.as_ref().map(|array| slice(array, "features")).transpose()?;
        let rows = match (columns, values, &offsets, indices) {
            (Some(columns), Some(values), Some(offsets), Some(indices)) => {
                Some(FeatureRows::Sparse { columns, offsets, indices, values })
            }
            (Some(columns), Some(values), ..) => Some(FeatureRows::Dense { columns, values }),
            _ => None,
        };
        let class = |&class: &i64| u32::try_from(class).ok();
        let known = classes.map(|array| array.as_array().iter().map(class).collect::<Vec<_>>());
        let number = |&number: &f32| (!number.is_nan()).then_some(number);
        let numbers = numbers.map(|array| array.as_array().iter().map(number).collect::<Vec<_>>());
        let split = split.as_ref().map(split_of).transpose()?;
        let build = || {
            let builder = data::Dataset::builder(nodes).edge_index(sources, targets);
            let builder = with(builder, rows, DatasetBuilder::features);
            let builder = with(builder, feature_names, DatasetBuilder::feature_names);
            let builder = with(builder, known.as_deref(), DatasetBuilder::labels);
            let builder = with(builder, class_names, DatasetBuilder::class_names);
            let builder = with(builder, numbers.as_deref(), DatasetBuilder::values);
            let builder = with(builder, ids, DatasetBuilder::ids);
            let builder = with(builder, node_names, DatasetBuilder::node_names);
            let builder = with(builder, split, DatasetBuilder::split);
            with(builder, name, DatasetBuilder::name).build()
        };
        let mut data = py.detach(build).map_err(errors::of)?;
        if ask {
            refuse_numbers(&data.labels)?;
        }
        data.remarks.splice(..0, remarks.unwrap_or_default());
        let lopsided = matrix && !symmetric(&data.merged);
        data.remarks.extend(lopsided.then(|| ASYMMETRIC.to_owned()));
        data.truth = truth.map(|(spurious, missing)| EdgeTruth { spurious, missing });
        data.merged = merged.map_or(data.merged, |counts| merged_of(&counts));
        Ok(Self { data: Arc::new(data), source: Source { name: source, ..Source::default() } })
    }

    /// A known dataset, a folder or a file of a graph, or files one by one: a `Source` as JSON.
    #[staticmethod]
    #[pyo3(name = "_load", signature = (source, *, data_dir=None, in_memory=false))]
    fn load(py: Python<'_>, source: &str, data_dir: Option<PathBuf>, in_memory: bool) -> PyResult<Self> {
        let source = serde_json::from_str::<serde_json::Value>(source)
            .and_then(serde_json::from_value::<Source>)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        let places = Places::new(data_dir.as_deref());
        let data = calls::run(py, 0, None, |_| source.load(&places))?;
        // Temporary files cannot be read again, like arrays in memory.
        let source = if in_memory { Source::default() } else { source };
        Ok(Self { data: Arc::new(data), source })
    }

    /// What was guessed, merged, dropped or ignored when the data was read from files, a sentence each.
    #[getter]
    fn remarks(&self) -> Vec<String> {
        self.data.remarks.iter().map(|remark| errors::spelled(remark).into_owned()).collect()
    }

    /// A short name for tables.
    #[getter]
    fn name(&self) -> &str {
        &self.data.name
    }

    /// The name it was read by; `None` for arrays.
    #[getter(_source)]
    fn source(&self) -> Option<&str> {
        self.source.name.as_deref()
    }

    /// Nodes.
    #[getter]
    fn n_nodes(&self) -> usize {
        self.data.nodes()
    }

    /// Edges, each counted once.
    #[getter]
    fn n_edges(&self) -> usize {
        self.data.graph.edges()
    }

    /// Columns of features; 0 without.
    #[getter]
    fn n_features(&self) -> usize {
        match &self.data.features {
            Features::Identity(_) => 0,
            features => features.columns(),
        }
    }

    /// Names of the columns of features; empty where they have none.
    #[getter]
    fn feature_names(&self) -> Vec<String> {
        self.data.feature_names.clone()
    }

    /// Names of the classes; `None` for numbers.
    #[getter]
    fn class_names(&self) -> Option<Vec<String>> {
        match &self.data.labels {
            Labels::Classes { names, .. } => Some(names.clone()),
            Labels::Values(_) => None,
        }
    }

    /// Names of the nodes; `None` where they are 0, 1, 2, …
    #[getter(_names)]
    fn names(&self) -> Option<Vec<String>> {
        match &self.data.ids {
            NodeIds::Numbered(_) => None,
            NodeIds::Named(names) => Some(names.clone()),
        }
    }

    /// Texts that are shown beside the ids; empty where there are none.
    #[getter]
    fn node_names(&self) -> Vec<String> {
        self.data.node_names.clone()
    }

    /// SHA-256 over the content; the same for the same data in the command.
    #[getter]
    fn fingerprint(&self, py: Python<'_>) -> String {
        py.detach(|| self.data.fingerprint())
    }

    /// What the edge list held beside the edges: entries given, self-loops, duplicates, reciprocal entries.
    #[getter]
    fn merged<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Merged { given, self_loops, duplicates, reciprocal } = self.data.merged;
        [("given", given), ("self_loops", self_loops), ("duplicates", duplicates), ("reciprocal", reciprocal)]
            .into_py_dict(py)
    }

    /// Class numbers with -1 for none, or real values with NaN for none.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.data.labels {
            Labels::Classes { of, .. } => {
                of.iter().map(|class| class.map_or(-1, i64::from)).collect::<Vec<_>>().into_pyarray(py).into_any()
            }
            Labels::Values(of) => {
                of.iter().map(|value| value.unwrap_or(f32::NAN)).collect::<Vec<_>>().into_pyarray(py).into_any()
            }
        }
    }

    /// Row starts and columns of the adjacency matrix; every edge twice.
    #[pyo3(name = "_graph_rows")]
    fn graph_rows<'py>(&self, py: Python<'py>) -> Rows<'py> {
        rows_of(py, &self.data.graph)
    }

    /// `None`, one array, or (values, columns, row starts, number of columns).
    #[pyo3(name = "_feature_rows")]
    fn feature_rows<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(match &self.data.features {
            Features::Identity(_) => None,
            Features::Dense(rows) => {
                let shape = [self.data.nodes(), rows.columns];
                Some(shaped(py, rows.values.clone(), shape)?.into_any())
            }
            Features::Sparse(rows) => {
                let starts: Vec<i64> = rows.offsets.iter().map(|&offset| offset as i64).collect();
                let columns = whole(py, rows.indices.iter().copied());
                let parts = (rows.values.to_pyarray(py), columns, starts.into_pyarray(py), rows.columns);
                Some(parts.into_pyobject(py)?.into_any())
            }
        })
    }

    /// A hash by which features are recognised when they come back.
    #[pyo3(name = "_features_digest")]
    fn features_digest(&self, py: Python<'_>) -> u64 {
        py.detach(|| digest(&self.data.features))
    }

    /// The fixed split, where there is one.
    #[getter(_fixed_sets)]
    fn fixed_sets<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.data.fixed_split.as_ref().map(|split| sets_of(py, split)).transpose()
    }

    /// Of generated data: edges that are noise, and edges that were removed.
    #[getter]
    fn truth(&self) -> Option<(Pairs, Pairs)> {
        self.data.truth.as_ref().map(|truth| (truth.spurious.clone(), truth.missing.clone()))
    }

    /// Share of the edges between known classes that join equal ones.
    #[getter]
    fn homophily(&self) -> Option<f64> {
        self.data.graph.homophily(|a| self.data.labels.class(a))
    }

    /// The split of a kind: random, fixed, all, auto or a file.
    #[pyo3(name = "_sets", signature = (kind, labels_per_class, seed))]
    fn sets<'py>(
        &self,
        py: Python<'py>,
        kind: &str,
        labels_per_class: Option<usize>,
        seed: u64,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let choice: SplitChoice = kind.parse().map_err(PyValueError::new_err)?;
        let kind = choice.kind(&self.data, self.source.is_own(), labels_per_class).map_err(errors::of)?;
        let labels = self.data.labels_taken(&kind, labels_per_class);
        sets_of(py, &self.data.split(&kind, labels, Seed::new(seed)).map_err(errors::of)?)
    }
}

/// Mixes the bits of every value with its place.
fn digest(features: &Features) -> u64 {
    const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, bits: u64| (state ^ bits).wrapping_mul(MIX).rotate_left(29);
    let words = |state: u64, words: &[u32]| words.iter().fold(state, |state, &word| mix(state, u64::from(word)));
    match features {
        Features::Identity(nodes) => mix(1, *nodes as u64),
        Features::Dense(rows) => words(mix(2, rows.columns as u64), bytemuck::cast_slice(&rows.values)),
        Features::Sparse(rows) => {
            let starts =
                rows.offsets.iter().fold(mix(3, rows.columns as u64), |state, &start| mix(state, start as u64));
            words(words(starts, &rows.indices), bytemuck::cast_slice(&rows.values))
        }
    }
}
