//! Every number and list that the summary, `metrics.json`, the report and other shells show, computed once.

use super::{DegreeBin, EdgeFindings, Judgement, Plain, Run};
use crate::record::Record;
use bgcn_core::data::Labels;
use bgcn_core::posterior::{ModelWeights, Predictions};
use bgcn_core::setting::shown;
use serde::Serialize;

/// Points of the scatter at most: more only make a picture larger.
const SCATTER: usize = 1500;

/// What is printed about a run besides what it found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// The name of the data.
    pub dataset: String,
    /// `gcn`, `gcn+mmsbm`, …
    pub method: String,
    /// The seed of all randomness.
    pub seed: u64,
    /// `random`, `fixed`, `all`, or a file.
    pub split: String,
    /// Training labels of each class; `None` where the split decides.
    pub labels_per_class: Option<usize>,
    /// The version of bgcn.
    pub version: String,
    /// SHA-256 over the data.
    pub fingerprint: String,
    /// Every setting by its name.
    pub settings: Vec<(String, String)>,
    /// What was guessed, dropped or doubtful, a sentence each.
    pub remarks: Vec<String>,
}

/// How large the data and the split are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nodes.
    pub nodes: usize,
    /// Observed edges.
    pub edges: usize,
    /// Nodes whose label was learned from.
    pub train: usize,
    /// Validation nodes.
    pub validation: usize,
    /// Test nodes.
    pub test: usize,
}

/// What there is to show of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings<'a> {
    /// What was run on what.
    pub about: About,
    /// Sizes.
    pub counts: Counts,
    /// Names of the classes; none for numbers.
    pub classes: &'a [String],
    /// What was done to the features, in words.
    pub scaling: String,
    /// The test nodes' predictions beside their labels.
    pub judgement: Judgement,
    /// The plain network on the same labels, where it was fitted.
    pub plain: Option<&'a Plain>,
    /// Where the fit does worse than it should, and what to try: a sentence, options called by their key.
    pub advice: Option<String>,
    /// Confidence over all nodes; `None` for numbers.
    pub all_nodes: Option<AllNodes>,
    /// Uncertainty by number of neighbours.
    pub by_degree: Vec<DegreeBin>,
    /// True and predicted numbers of test nodes, evenly thinned; empty for classes.
    pub scatter: Vec<(f64, f64)>,
    /// How the weights of several graph models were found, where there are several.
    pub weights: Option<&'a ModelWeights>,
    /// What was found among edges; `None` where they are not judged.
    pub edges: Option<EdgeFindings<'a>>,
}

/// Confidence over all nodes, labelled or not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AllNodes {
    /// Mean of the largest probability.
    pub mean_confidence: f64,
    /// Share of the nodes whose largest probability is above 0.9.
    pub above_90: f64,
    /// Draws that were averaged.
    pub draws: usize,
}

impl Run {
    /// What there is to show; edges where they are judged.
    pub fn findings(&self) -> Findings<'_> {
        let Self { data, split, predictions, learned, .. } = self;
        let judgement = Judgement::of(predictions, &data.labels, &split.test);
        Findings {
            about: About::of(self),
            counts: Counts {
                nodes: data.nodes(),
                edges: data.graph.edges(),
                train: split.train.len(),
                validation: split.validation.len(),
                test: split.test.len(),
            },
            classes: &learned.classes,
            scaling: learned.scaling(),
            advice: self.advice_on(&judgement),
            judgement,
            plain: self.plain.as_ref(),
            all_nodes: AllNodes::of(predictions),
            by_degree: DegreeBin::all(&data.graph, predictions),
            scatter: scatter(&data.labels, &split.test, predictions),
            weights: self.weights.as_ref(),
            edges: self.edges().map(|edges| edges.findings(self.judged.get().and_then(|j| j.precision.as_ref()))),
        }
    }
}

impl About {
    fn of(run: &Run) -> Self {
        let Record { run: what, data, .. } = &run.record;
        Self {
            dataset: data.name.clone(),
            method: what.method.clone(),
            seed: what.seed,
            split: what.split.clone(),
            labels_per_class: what.labels_per_class,
            version: what.version.clone(),
            fingerprint: data.fingerprint.clone(),
            settings: run.learned.recipe.settings().into_iter().map(|(key, value)| (key, shown(&value))).collect(),
            remarks: run.remarks.clone(),
        }
    }
}

impl AllNodes {
    fn of(predictions: &Predictions) -> Option<Self> {
        let posterior = predictions.classes()?;
        let rows = posterior.probabilities.chunks_exact(posterior.classes);
        let confidences: Vec<f32> = rows.map(|row| row.iter().copied().fold(0.0, f32::max)).collect();
        let n = confidences.len().max(1) as f64;
        Some(Self {
            mean_confidence: confidences.iter().map(|&p| f64::from(p)).sum::<f64>() / n,
            above_90: confidences.iter().filter(|&&p| p > 0.9).count() as f64 / n,
            draws: posterior.draws,
        })
    }
}

fn scatter(labels: &Labels, test: &[u32], predictions: &Predictions) -> Vec<(f64, f64)> {
    let (Labels::Values(of), Predictions::Values(values)) = (labels, predictions) else { return Vec::new() };
    let step = test.len().div_ceil(SCATTER).max(1);
    let point = |&a: &u32| Some((f64::from(of[a as usize]?), values.mean[a as usize]));
    test.iter().step_by(step).filter_map(point).collect()
}
