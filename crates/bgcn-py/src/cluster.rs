//! Shares of an evaluation, for processes and machines that Python's schedulers find.

use crate::dataset::Dataset;
use crate::{calls, errors};
use bgcn_core::posterior::Watch;
use bgcn_files::Source;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// `bgcn reproduce` with shares that run elsewhere; the log is locked until it is closed.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct Evaluation {
    /// What was asked for, for `run_shard`.
    #[pyo3(get)]
    text: String,
    /// Bytes that a trial takes, at most.
    #[pyo3(get)]
    memory: u64,
    /// The folder of the results.
    #[pyo3(get)]
    out: PathBuf,
    /// Whether --quiet was given.
    #[pyo3(get)]
    quiet: bool,
    data: BTreeMap<String, Arc<bgcn_core::data::Dataset>>,
    open: Mutex<Option<bgcn_cli::Evaluation>>,
}

#[pymethods]
impl Evaluation {
    /// Reads the data and opens the log, with the arguments of `bgcn reproduce`.
    #[new]
    fn new(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Self> {
        let mut open = py.detach(|| bgcn_cli::Evaluation::new(arguments)).map_err(errors::of_failure)?;
        let data = std::mem::take(&mut open.data).into_iter().map(|(name, data)| (name, Arc::new(data))).collect();
        let (text, memory, out, quiet) = (open.text.clone(), open.memory, open.out.clone(), open.quiet);
        Ok(Self { text, memory, out, quiet, data, open: Mutex::new(Some(open)) })
    }

    /// The data by name.
    fn datasets(&self) -> BTreeMap<String, Dataset> {
        let handed = |data: &Arc<_>| Dataset { data: Arc::clone(data), source: Source::default() };
        self.data.iter().map(|(name, data)| (name.clone(), handed(data))).collect()
    }

    /// Takes the log of a share that has run; how many trials are new.
    fn take(&self, py: Python<'_>, folder: PathBuf) -> PyResult<usize> {
        py.detach(|| match &mut *self.open.lock().expect("no thread panics while it holds the log") {
            Some(open) => open.take(&folder).map_err(errors::of_failure),
            None => Err(PyRuntimeError::new_err("the evaluation is closed")),
        })
    }

    /// Unlocks the log.
    fn close(&self) {
        *self.open.lock().expect("as above") = None;
    }
}

/// Runs a share, `i/n`, into the log of a folder; whether all shares must run once more with their logs joined.
#[pyfunction]
pub fn run_shard(
    py: Python<'_>,
    text: &str,
    datasets: BTreeMap<String, Bound<'_, Dataset>>,
    shard: &str,
    folder: PathBuf,
    threads: u16,
) -> PyResult<bool> {
    let shard = shard.parse().map_err(PyValueError::new_err::<String>)?;
    let data = datasets.into_iter().map(|(name, data)| (name, (*data.get().data).clone())).collect();
    let work = |watch: Watch<'_>| Ok(bgcn_cli::run_shard((text, data), shard, (&folder, threads), watch));
    calls::run(py, 1, None, work)?.map_err(errors::of_failure)
}
