//! An evaluation on several machines: the side that keeps the log, and the side that runs trials.

use crate::dataset::Dataset;
use crate::errors;
use bgcn::outputs::Source;
use bgcn_cli::{Bench, Session};
use bgcn_experiments::Item;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// `bgcn reproduce` with its trials carried out elsewhere.
#[pyclass(frozen, module = "bgcn._bgcn")]
pub struct Evaluation(Mutex<Session>);

impl Evaluation {
    fn session(&self) -> MutexGuard<'_, Session> {
        self.0.lock().expect("nobody panics while they hold it")
    }
}

#[pymethods]
impl Evaluation {
    /// Reads the data and opens the log, with the arguments of `bgcn reproduce`.
    #[new]
    fn new(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<Self> {
        let session = py.detach(|| bgcn_cli::reproduce_elsewhere(arguments)).map_err(errors::of_failure)?;
        Ok(Self(Mutex::new(session)))
    }

    /// What a `Bench` needs beside the data.
    #[getter]
    fn text(&self) -> String {
        self.session().evaluation()
    }

    /// The data by name.
    fn datasets(&self) -> BTreeMap<String, Dataset> {
        let session = self.session();
        let handed = |data: &bgcn::data::Dataset| Dataset { data: Arc::new(data.clone()), source: Source::default() };
        session.data().iter().map(|(name, data)| (name.clone(), handed(data))).collect()
    }

    /// Whether --json was given, and whether --quiet.
    #[getter]
    fn options(&self) -> (bool, bool) {
        let session = self.session();
        (session.json, session.quiet)
    }

    /// At most so many trials as JSON, each with the bytes it takes; waits for the first; None when there will be no
    /// more.
    fn pending(&self, py: Python<'_>, most: usize, seconds: f64) -> PyResult<Option<Vec<(String, u64)>>> {
        let patience =
            Duration::try_from_secs_f64(seconds).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let json = |item: Item| (serde_json::to_string(&item).expect("items become JSON"), item.memory);
        let found = py.detach(|| self.session().fetch(most, patience));
        Ok(found.map(|items| items.into_iter().map(json).collect()))
    }

    /// Lines of finished trials, which the log will have within milliseconds.
    fn record(&self, lines: Vec<String>) {
        self.session().hand_in(lines);
    }

    /// How far it is: study, done, reused, of, lines, groups, latest (seconds).
    fn progress<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let progress = self.session().progress();
        let dict = PyDict::new(py);
        dict.set_item("study", progress.study)?;
        dict.set_item("done", progress.done)?;
        dict.set_item("reused", progress.reused)?;
        dict.set_item("of", progress.of)?;
        dict.set_item("lines", progress.lines)?;
        dict.set_item("groups", progress.groups)?;
        dict.set_item("latest", progress.latest.as_secs_f64())?;
        Ok(dict)
    }

    /// Ends it; the log keeps what was recorded.
    fn stop(&self, py: Python<'_>) {
        py.detach(|| {
            let mut session = self.session();
            session.stop();
            let _ = session.finish();
        });
    }

    /// The results: JSON, the page, a remark.
    fn finish(&self, py: Python<'_>) -> PyResult<(String, String, String)> {
        let done = py.detach(|| self.session().finish()).map_err(errors::of_failure)?;
        Ok((done.json.to_string(), done.page, done.remark))
    }
}

/// Carries out trials of an evaluation.
#[pyclass(frozen, module = "bgcn._bgcn", name = "Bench")]
pub struct TrialBench(Bench);

#[pymethods]
impl TrialBench {
    /// From the text and the data of an `Evaluation`, on so many threads.
    #[new]
    fn new(
        py: Python<'_>,
        text: &str,
        datasets: BTreeMap<String, Bound<'_, Dataset>>,
        threads: usize,
    ) -> PyResult<Self> {
        let data: BTreeMap<String, Arc<bgcn::data::Dataset>> =
            datasets.into_iter().map(|(name, data)| (name, Arc::clone(&data.get().data))).collect();
        let own = || data.into_iter().map(|(name, data)| (name, (*data).clone())).collect();
        py.detach(|| Bench::new(text, own(), threads)).map(Self).map_err(errors::of_failure)
    }

    /// Runs a trial; its line of the log.
    fn run(&self, py: Python<'_>, item: &str) -> PyResult<String> {
        let item: Item = serde_json::from_str(item)
            .map_err(|error| PyValueError::new_err(format!("the trial cannot be read: {error}")))?;
        let mut raised = None;
        let line = py.detach(|| {
            let mut go_on = || {
                raised = raised.take().or_else(|| Python::attach(|py| py.check_signals().err()));
                raised.is_none()
            };
            self.0.run(item, &mut go_on)
        });
        match raised {
            Some(error) => Err(error),
            None => line.map_err(errors::of_failure),
        }
    }
}
