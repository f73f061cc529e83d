//! A fit of this process: its edges are judged, and what else costs time is found, when somebody asks.

use crate::doorway;
use bgcn::data::{Dataset, Split};
use bgcn::graph_model::SavedModel;
use bgcn::links;
use bgcn::outputs::{Findings, Judgement, KeptPair, Plain, Record, RunFiles};
use bgcn::posterior::{Fit, Task};
use bgcn::rng::Seed;
use pyo3::prelude::*;
use std::sync::{Arc, OnceLock};

/// The fit with what it learned from.
pub struct Alive {
    pub data: Arc<Dataset>,
    pub split: Split,
    pub seed: Seed,
    pub record: Record,
    pub remarks: Vec<String>,
    pub fit: Fit,
    pub plain: Option<Fit>,
    findings: OnceLock<Findings>,
    /// λ as files keep it.
    saved: OnceLock<Option<SavedModel>>,
}

impl Alive {
    /// What `fit` found in the data; `plain` is the network by itself, where it was fitted.
    pub fn new(
        (data, split, seed): (Arc<Dataset>, Split, Seed),
        (record, remarks): (Record, Vec<String>),
        (fit, plain): (Fit, Option<Fit>),
    ) -> Self {
        Self { data, split, seed, record, remarks, fit, plain, findings: OnceLock::new(), saved: OnceLock::new() }
    }

    fn task(&self) -> Task<'_> {
        Task { data: &self.data, split: &self.split, seed: self.seed }
    }

    /// Everything that was found. The first call judges the edges, which costs another fit and more; one that is stopped
    /// leaves nothing behind.
    pub fn findings(&self, py: Python<'_>, threads: usize, told: Option<&Bound<'_, PyAny>>) -> PyResult<&Findings> {
        if let Some(findings) = self.findings.get() {
            return Ok(findings);
        }
        let found = doorway::through(py, threads, told, |watch| {
            let (task, recipe) = (self.task(), self.fit.recipe());
            let links = links::judge(recipe, task, &self.fit, watch)?;
            let plain = self.plain.as_ref().map(|fit| (fit.recipe().kind().name(), fit));
            Ok(Findings::of(self.record.about(recipe, self.remarks.clone()), task, (&self.fit, links), plain))
        })?;
        // Two threads may have judged at once; both have found the same.
        Ok(self.findings.get_or_init(|| found))
    }

    /// `metrics.json`; what it says of edges is there once they are judged.
    pub fn metrics(&self) -> String {
        if let Some(findings) = self.findings.get() {
            return findings.metrics().to_string();
        }
        let (task, about) = (self.task(), self.record.about(self.fit.recipe(), self.remarks.clone()));
        let plain = self
            .plain
            .as_ref()
            .map(|fit| Plain { method: fit.recipe().kind().name().into(), judgement: Judgement::of(task, fit) });
        Findings { plain, ..Findings::scores(about, task, &self.fit) }.metrics().to_string()
    }

    /// Calls with the files of a run folder.
    pub fn with_files<T>(&self, findings: &Findings, use_them: impl FnOnce(&RunFiles<'_>) -> T) -> T {
        let (record, page) = (self.record.text(), bgcn_report::run_page(findings));
        use_them(&RunFiles { task: self.task(), fit: &self.fit, findings, record: &record, page: &page })
    }

    /// The first observed edges, the most suspicious first.
    pub fn observed(&self, findings: &Findings, count: usize) -> Vec<KeptPair> {
        let links = &judged(findings).links;
        crate::edges::observed(links, &self.data, Some(&self.fit.predictions), count)
    }

    /// The first pairs without an edge, the most likely first.
    pub fn missing(&self, findings: &Findings, count: usize) -> Vec<KeptPair> {
        let links = &judged(findings).links;
        crate::edges::missing(links, &self.data, Some(&self.fit.predictions), count)
    }

    pub fn saved(&self) -> Option<&SavedModel> {
        self.saved.get_or_init(|| self.fit.saved_model(self.record.run.seed)).as_ref()
    }

    /// p(y_ab | λ) of every observed edge, in the graph's order; `None` where the graph was taken for granted.
    pub fn model_probabilities(&self) -> Option<Vec<f64>> {
        let beliefs = self.fit.beliefs.as_ref()?;
        Some(self.data.graph.edge_list().map(|(a, b)| beliefs.edge_probability(a, b)).collect())
    }
}

/// What was found among edges.
fn judged(findings: &Findings) -> &bgcn::outputs::EdgeFindings {
    findings.edges.as_ref().expect("findings of a fit and its links")
}
