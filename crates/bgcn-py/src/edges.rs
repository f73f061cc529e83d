//! What is believed of edges as columns, and the edges of a graph judged by themselves.

use crate::dataset::{Dataset, whole};
use crate::doorway;
use bgcn::data;
use bgcn::links::{self, Links, Wording};
use bgcn::outputs::{EdgeFindings, KeptPair};
use bgcn::posterior::Predictions;
use bgcn::recipe::LinkSettings;
use bgcn::rng::Seed;
use numpy::{IntoPyArray as _, PyArray1};
use pyo3::prelude::*;
use std::sync::Arc;

/// Sources, targets, probabilities, reasons.
pub type Columns<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Vec<String>);

/// Pairs as columns.
pub fn columns_of(py: Python<'_>, pairs: Vec<KeptPair>) -> Columns<'_> {
    let sources = whole(py, pairs.iter().map(|pair| pair.a));
    let targets = whole(py, pairs.iter().map(|pair| pair.b));
    let probabilities = pairs.iter().map(|pair| pair.probability).collect::<Vec<f64>>().into_pyarray(py);
    (sources, targets, probabilities, pairs.into_iter().map(|pair| pair.reasons).collect())
}

/// The first observed edges with P(spurious), the most suspicious first.
pub fn observed(links: &Links, data: &data::Dataset, predictions: Option<&Predictions>, count: usize) -> Vec<KeptPair> {
    let wording = Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions };
    let pair = |edge: &links::JudgedEdge| KeptPair {
        a: edge.a,
        b: edge.b,
        probability: edge.p_spurious(),
        reasons: wording.text_of_edge(edge),
    };
    links.edges.iter().take(count).map(pair).collect()
}

/// The first pairs without an edge with P(missing), the most likely first.
pub fn missing(links: &Links, data: &data::Dataset, predictions: Option<&Predictions>, count: usize) -> Vec<KeptPair> {
    let wording = Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions };
    let pair = |pair: &links::MissedPair| KeptPair {
        a: pair.a,
        b: pair.b,
        probability: pair.p_missing(),
        reasons: wording.text_of_pair(pair),
    };
    links.missing.iter().take(count).map(pair).collect()
}

/// Judges the edges of a graph without a fit: observed edges, pairs that may be missing, and JSON of the rest.
#[pyfunction]
#[pyo3(signature = (data, seed, threads, told=None))]
pub fn judge_edges<'py>(
    py: Python<'py>,
    data: &Bound<'_, Dataset>,
    seed: u64,
    threads: usize,
    told: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Columns<'py>, Columns<'py>, String)> {
    let data = Arc::clone(&data.get().data);
    let (edges, pairs, summary) = doorway::through(py, threads, told, |watch| {
        let links = links::judge_graph(&data, LinkSettings::default(), Seed::new(seed), watch)?;
        let edges = observed(&links, &data, None, usize::MAX);
        let pairs = missing(&links, &data, None, usize::MAX);
        Ok((edges, pairs, EdgeFindings::of(&data, None, links).summary().to_string()))
    })?;
    Ok((columns_of(py, edges), columns_of(py, pairs), summary))
}

/// How many of the first edges can be listed at a false discovery rate; `lists` has (rate, edges), both ascending.
#[pyfunction]
pub fn at_rate(lists: Vec<(f64, usize)>, rate: f64) -> usize {
    links::at_rate(&lists, rate)
}
