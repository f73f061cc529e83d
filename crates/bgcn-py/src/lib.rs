//! bgcn for Python: the private module `bgcn._bgcn`, which `python/bgcn` dresses in the habits of the field.
//!
//! Arrays in, library calls, arrays out; no algorithm. Every long call goes through [`calls`].

mod arrays;
mod calls;
mod cluster;
mod dataset;
mod edges;
mod errors;
mod frame;
mod graph_model;
mod run;
mod settings;

use pyo3::prelude::*;

/// The library behind `bgcn`; use the names of that package.
#[pymodule]
mod _bgcn {
    #[pymodule_export]
    use crate::cluster::{Evaluation, run_shard};
    #[pymodule_export]
    use crate::dataset::Dataset;
    #[pymodule_export]
    use crate::edges::{at_rate, judge_edges};
    #[pymodule_export]
    use crate::frame::frame_features;
    #[pymodule_export]
    use crate::graph_model::GraphFit;
    #[pymodule_export]
    use crate::run::Run;
    #[pymodule_export]
    use crate::settings::{nearest, settings};
    use pyo3::prelude::*;
    use std::ffi::OsString;
    use std::process::ExitCode;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("processor", bgcn_core::processor_class())
    }

    /// Runs the `bgcn` command with these arguments, the first of which is its name; returns the exit code.
    #[pyfunction]
    fn command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        let code = py.detach(|| bgcn_cli::main_with(arguments));
        // An exit code can be compared, but not read.
        [0u8, 1, 2].into_iter().find(|&number| code == ExitCode::from(number)).unwrap_or(1)
    }

    /// The JSON that `bgcn reproduce` prints with these arguments.
    #[pyfunction]
    fn reproduce(py: Python<'_>, arguments: Vec<OsString>) -> PyResult<String> {
        let work = |watch: bgcn_core::posterior::Watch<'_>| Ok(bgcn_cli::reproduce(arguments, watch));
        let found = crate::calls::run(py, 1, None, work)?;
        found.map(|value| value.to_string()).map_err(crate::errors::of_failure)
    }
}
