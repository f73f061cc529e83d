//! Judged edges as columns, and the edges of a graph judged without a fit.

use crate::calls;
use crate::dataset::{Dataset, whole};
use bgcn::findings::{EdgeFinding, Edges, links_summary};
use bgcn_core::links;
use bgcn_core::recipe::LinkSettings;
use bgcn_core::rng::Seed;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// Sources, targets, probabilities, reasons.
pub type Columns<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Vec<String>);

/// Pairs as columns.
pub fn columns_of(py: Python<'_>, pairs: Vec<EdgeFinding>) -> Columns<'_> {
    let ends = |end: usize| whole(py, pairs.iter().map(|pair| pair.nodes[end]));
    let probabilities = pairs.iter().map(|pair| pair.probability).collect::<Vec<f64>>().into_pyarray(py);
    (ends(0), ends(1), probabilities, pairs.iter().map(|pair| pair.reasons.to_string()).collect())
}

/// Judges the edges of a graph without a fit: observed edges, pairs that may be missing, and JSON of the rest.
#[pyfunction]
#[pyo3(signature = (data, seed, threads, watch=None))]
pub fn judge_edges<'py>(
    py: Python<'py>,
    data: &Bound<'_, Dataset>,
    seed: u64,
    threads: usize,
    watch: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Columns<'py>, Columns<'py>, String)> {
    let data = Arc::clone(&data.get().data);
    let (edges, pairs, summary) = calls::run(py, threads, watch, |watch| {
        let links = links::judge_graph(&data, LinkSettings::default(), Seed::new(seed), watch)?;
        let judged = Edges { data: &data, predictions: None, links: &links };
        Ok((judged.observed().collect(), judged.missing().collect(), links_summary(&links).to_string()))
    })?;
    Ok((columns_of(py, edges), columns_of(py, pairs), summary))
}

/// The length of the longest list at a false discovery rate; `lists` has (rate, edges), both ascending.
#[pyfunction]
pub fn at_rate(lists: Vec<(f64, usize)>, rate: f64) -> usize {
    links::at_rate(&lists, rate)
}
