//! A [`Run`]: a fit, its predictions, its judged edges. Computed and loaded runs are the
//! same type: exact arrays are stored with the run ([`exact`]), and tables of text are exports that nothing reads.
//!
//! Everything that is shown is a view: [`Run::findings`] for summary and report, [`Run::metrics`] for `metrics.json`,
//! [`Run::edges`] for edges with their reasons. Views depend on data, recipe and seed alone, never on time or threads.

mod advice;
mod by_degree;
mod edge_precision;
mod edges;
mod exact;
mod findings;
mod folder;
mod json;
mod judgement;
mod tables;
#[cfg(test)]
mod tests;

pub use by_degree::DegreeBin;
pub use edge_precision::{EdgePrecision, PrecisionAt};
pub use edges::{EdgeFinding, EdgeFindings, Edges, Neighbour, Neighbourhood};
pub use findings::{About, AllNodes, Counts, Findings};
pub use folder::{RunFiles, RunFolder};
pub use json::links_summary;
pub use judgement::{ClassMetrics, Coverage, ErrorDetection, Interval, Judgement, ValueMetrics};
pub use tables::PredictionRows;

use crate::record::Record;
use crate::request::Job;
use bgcn_core::Error;
use bgcn_core::data::{Dataset, Features, Split};
use bgcn_core::graph_model::SavedModel;
use bgcn_core::links;
use bgcn_core::links::Links;
use bgcn_core::posterior::{Changed, Drawing, Fit, Learned, ModelWeights, Predictions, Task, Watch};
use bgcn_core::rng::Seed;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// A fit and its results.
#[derive(Clone, Debug)]
pub struct Run {
    record: Record,
    remarks: Vec<String>,
    /// The graph, the labels, the ids; of a computed run also the features.
    data: Arc<Dataset>,
    /// Whether the features are there, by which edges are judged.
    has_features: bool,
    split: Split,
    predictions: Predictions,
    learned: Learned,
    model: Option<SavedModel>,
    edge_probabilities: Option<Vec<f64>>,
    weights: Option<ModelWeights>,
    plain: Option<Plain>,
    judged: OnceLock<Judged>,
    seconds: Seconds,
}

/// Judged edges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Judged {
    #[serde(flatten)]
    links: Links,
    /// How good the rankings are, where the ground truth is known.
    precision: Option<EdgePrecision>,
}

/// The plain network on the same labels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plain {
    /// Its name.
    pub method: String,
    /// Its test nodes' predictions beside their labels.
    pub judgement: Judgement,
}

/// How long the parts of a run took; not stored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seconds {
    /// Reading the data.
    pub load: f64,
    /// The fit, and judging where that was part of it.
    pub train: f64,
    /// The plain network, where it was trained.
    pub plain: Option<f64>,
}

impl Run {
    /// What a job's fit gave.
    pub(crate) fn new(job: Job, (fit, links): (Fit, Option<Links>), plain: Option<Plain>, seconds: Seconds) -> Self {
        let Job { data, split, record, remarks, .. } = job;
        let model = fit.saved_model(record.run.seed);
        let edges: Vec<(u32, u32)> = data.graph.edge_list().collect();
        let probability = |beliefs: bgcn_core::graph_model::EdgeBeliefs| {
            edges.par_iter().map(|&(a, b)| beliefs.edge_probability(a, b)).collect()
        };
        let edge_probabilities = fit.beliefs.map(probability);
        let judged = links.map_or_else(OnceLock::new, |links| Judged::of(&data, links).into());
        let (predictions, learned, weights) = (fit.predictions, fit.learned, fit.weights);
        let has_features = true;
        Self {
            record,
            remarks,
            data,
            has_features,
            split,
            predictions,
            learned,
            model,
            edge_probabilities,
            weights,
            plain,
            judged,
            seconds,
        }
    }

    /// What was run on what: `run.toml`.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Remarks on the data, the labels and the recipe, a sentence each.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Graph, labels and ids. A loaded run has no features.
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// Which nodes were for what.
    pub fn split(&self) -> &Split {
        &self.split
    }

    /// What is predicted of every node.
    pub fn predictions(&self) -> &Predictions {
        &self.predictions
    }

    /// What predicts other data.
    pub fn learned(&self) -> &Learned {
        &self.learned
    }

    /// λ; `None` where the observed graph is used.
    pub fn model(&self) -> Option<&SavedModel> {
        self.model.as_ref()
    }

    /// p(y_ab | λ) of every observed edge, in the graph's order; `None` where the observed graph is used.
    pub fn edge_probabilities(&self) -> Option<&[f64]> {
        self.edge_probabilities.as_deref()
    }

    /// The weights of several graph models, and how they were found.
    pub fn weights(&self) -> Option<&ModelWeights> {
        self.weights.as_ref()
    }

    /// The plain network, where it was trained.
    pub fn plain(&self) -> Option<&Plain> {
        self.plain.as_ref()
    }

    /// How long the parts took; zeros where the run was loaded.
    pub fn seconds(&self) -> Seconds {
        self.seconds
    }

    /// The run with the data it was made from, so that its edges can be judged.
    pub fn with_data(self, data: Arc<Dataset>) -> Result<Self, Error> {
        self.check_graph(&data)?;
        Ok(Self { data, has_features: true, ..self })
    }

    /// Refuses data with another graph than the run has.
    pub fn check_graph(&self, data: &Dataset) -> Result<(), Error> {
        if data.graph == self.data.graph {
            return Ok(());
        }
        let text = "the data is not what the run was made from: its graph differs. Give the run's own data";
        Err(Error::Request(text.into()))
    }

    /// The data, where it is in memory and its edges are not judged.
    pub fn unjudged_data(&self) -> Option<Arc<Dataset>> {
        (self.has_features && self.judged.get().is_none()).then(|| Arc::clone(&self.data))
    }

    /// The edges, where they are judged.
    pub fn edges(&self) -> Option<Edges<'_>> {
        let judged = self.judged.get()?;
        Some(Edges { data: &self.data, predictions: Some(&self.predictions), links: &judged.links })
    }

    /// The edges; judges them unless that was done, which costs about another fit. One that is stopped leaves nothing
    /// behind.
    pub fn judge(&self, watch: Watch<'_>) -> Result<Edges<'_>, Error> {
        if self.judged.get().is_none() {
            if !self.has_features {
                let text = "the edges of this run were not judged before it was stored, and its features were not \
                            stored with it. Judge the edges before storing, or fit again";
                return Err(Error::Request(text.into()));
            }
            let task = Task { data: &self.data, split: &self.split, seed: self.seed() };
            let links = links::judge(&self.learned, &self.predictions, task, watch)?;
            // Two threads may have judged at once; both have found the same.
            let _ = self.judged.set(Judged::of(&self.data, links));
        }
        Ok(self.edges().expect("they are judged"))
    }

    /// Predictions for other data, new nodes included, and remarks, a sentence each. Nothing is
    /// trained again.
    pub fn apply(&self, data: &Dataset, seed: Seed, watch: Watch<'_>) -> Result<(Predictions, Vec<String>), Error> {
        self.check_nodes(data)?;
        let (features, filled) = self.learned.filled(data);
        let to = Changed { graph: &data.graph, features: &features, feature_names: &data.feature_names, seed };
        let remarks = filled.into_iter().chain(self.learned.remarks(to)?).collect();
        Ok((self.learned.apply(to, watch)?, remarks))
    }

    /// Without features, the weights of the first layer belong to single nodes: these must be the ones of the run, in
    /// their order.
    fn check_nodes(&self, data: &Dataset) -> Result<(), Error> {
        let others = || (0..data.nodes() as u32).any(|a| data.ids.name(a) != self.data.ids.name(a));
        let of_nodes = matches!(data.features, Features::Identity(_)) && self.learned.inputs() == Some(data.nodes());
        if of_nodes && self.data.nodes() == data.nodes() && others() {
            let text = "it has no features, so the weights belong to the nodes of the run, and these are others, or in \
                        another order. Fit again, or give the nodes features";
            return Err(Error::Request(format!("predicting {}: {text}", data.name)));
        }
        Ok(())
    }

    /// Graphs drawn from p(G | λ).
    pub fn drawing(&self) -> Result<Drawing<'_>, Error> {
        let Some(model) = &self.model else {
            let text = "the observed graph is used (graph_model observed), so that every draw is that graph; fit with a \
                        graph model";
            return Err(Error::Request(text.into()));
        };
        Drawing::new(&self.learned.recipe, &self.learned.shares, model, &self.data.graph)
    }

    fn seed(&self) -> Seed {
        Seed::new(self.record.run.seed)
    }
}

impl Judged {
    fn of(data: &Dataset, links: Links) -> Self {
        Self { precision: EdgePrecision::of(data, &links), links }
    }
}
