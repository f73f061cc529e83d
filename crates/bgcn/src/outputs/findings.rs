//! Every number and list that the summary, `metrics.json`, the report and other shells show, computed once.

use super::{Convergence, DegreeBin, EdgeFindings, Judgement};
use crate::data::Labels;
use crate::links::Links;
use crate::posterior::{Fit, ModelWeights, Predictions, Task};
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

/// What a fit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// What was run on what.
    pub about: About,
    /// Sizes.
    pub counts: Counts,
    /// Names of the classes; none for numbers.
    pub classes: Vec<String>,
    /// What was done to the features, in words.
    pub scaling: String,
    /// The test nodes' predictions beside their labels.
    pub judgement: Judgement,
    /// The plain network on the same labels, where it was fitted.
    pub plain: Option<Plain>,
    /// Confidence over all nodes; `None` for numbers.
    pub all_nodes: Option<AllNodes>,
    /// Uncertainty by number of neighbours.
    pub by_degree: Vec<DegreeBin>,
    /// True and predicted numbers of test nodes, evenly thinned; empty for classes.
    pub scatter: Vec<(f64, f64)>,
    /// How the weights of several graph models were found, where there are several.
    pub weights: Option<ModelWeights>,
    /// What was found among edges; `None` where they were not judged.
    pub edges: Option<EdgeFindings>,
    /// How the block model converges, where that is the graph model.
    pub convergence: Option<Convergence>,
}

/// Another fit to compare with.
#[derive(Clone, Debug, PartialEq)]
pub struct Plain {
    /// Its name.
    pub method: String,
    /// Its test nodes' predictions beside their labels.
    pub judgement: Judgement,
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

impl Findings {
    /// Everything, with what is believed of edges, and with the scores of the plain network, named, where it was
    /// fitted.
    pub fn of(about: About, task: Task<'_>, (fit, links): (&Fit, Links), plain: Option<(&str, &Fit)>) -> Self {
        let plain = plain.map(|(method, fit)| Plain { method: method.into(), judgement: Judgement::of(task, fit) });
        Self {
            plain,
            edges: Some(EdgeFindings::of(task.data, Some(&fit.predictions), links)),
            convergence: Convergence::of(task, fit),
            ..Self::scores(about, task, fit)
        }
    }

    /// What predictions and labels give alone, O(N C): without edges, convergence and a plain network.
    pub fn scores(about: About, task: Task<'_>, fit: &Fit) -> Self {
        let Task { data, split, .. } = task;
        Self {
            about,
            counts: Counts {
                nodes: data.nodes(),
                edges: data.graph.edges(),
                train: split.train.len(),
                validation: split.validation.len(),
                test: split.test.len(),
            },
            classes: match &data.labels {
                Labels::Classes { names, .. } => names.clone(),
                Labels::Values(_) => Vec::new(),
            },
            scaling: fit.learned.scaling(),
            judgement: Judgement::of(task, fit),
            plain: None,
            all_nodes: AllNodes::of(&fit.predictions),
            by_degree: DegreeBin::all(data, &fit.predictions),
            scatter: scatter(task, &fit.predictions),
            weights: fit.weights.clone(),
            edges: None,
            convergence: None,
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

fn scatter(task: Task<'_>, predictions: &Predictions) -> Vec<(f64, f64)> {
    let (Labels::Values(of), Predictions::Values(values)) = (&task.data.labels, predictions) else { return Vec::new() };
    let test = &task.split.test;
    let step = test.len().div_ceil(SCATTER).max(1);
    let point = |&a: &u32| Some((f64::from(of[a as usize]?), values.mean[a as usize]));
    test.iter().step_by(step).filter_map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{SplitKind, karate};
    use crate::recipe::Plan;
    use crate::rng::Seed;
    use std::ops::ControlFlow;

    #[test]
    fn findings_agree_with_the_fit_they_come_from() {
        let (data, seed) = (karate(), Seed::new(3));
        let split = data.split(&SplitKind::Random, 4, seed).unwrap();
        let task = Task { data: &data, split: &split, seed };
        let fit = |model: &str| {
            let plan = Plan::new().graph_model(model).seed(3);
            plan.fit_split(&data, &split, &|_| ControlFlow::Continue(())).unwrap()
        };
        let (bayesian, plain) = (fit("mmsbm"), fit("observed"));
        let links = |fit: &Fit| crate::links::judge(fit.recipe(), task, fit, &|_| ControlFlow::Continue(())).unwrap();
        let found = Findings::of(About::default(), task, (&bayesian, links(&bayesian)), Some(("gcn", &plain)));
        assert_eq!((found.counts.nodes, found.counts.edges, found.counts.train), (34, 78, 8));
        assert_eq!(found.by_degree.iter().map(|bin| bin.nodes).sum::<usize>(), 34);
        assert_eq!(found.plain.as_ref().map(|plain| &plain.judgement), Some(&Judgement::of(task, &plain)));
        let trace = &found.convergence.as_ref().expect("the block model was inferred").trace;
        assert!(trace.len() > 1 && trace.windows(2).all(|two| two[0].iteration < two[1].iteration));

        let edges = found.edges.as_ref().unwrap();
        let nodes = |edge: &super::super::EdgeFinding| (edge.nodes[0], edge.nodes[1]);
        let first: Vec<(u32, u32)> = edges.links.edges.iter().map(|edge| (edge.a, edge.b)).collect();
        assert_eq!(edges.suspicious.iter().map(nodes).collect::<Vec<_>>(), first);
        let around = &edges.neighbourhoods[0];
        let ends = around.ends.iter().map(|end| end.name.parse::<u32>().unwrap());
        let degrees: usize = ends.map(|a| data.graph.degree(a) - 1).sum();
        let drawn = 2 * around.common.len() + around.own[0].len() + around.own[1].len();
        assert!(drawn + around.more <= degrees && (around.more > 0 || drawn == degrees));

        let scores = Findings::scores(About::default(), task, &bayesian);
        assert_eq!(scores.judgement, found.judgement);
        assert!(scores.edges.is_none() && scores.plain.is_none() && scores.convergence.is_none());
        let (metrics, brief) = (found.metrics(), scores.brief());
        assert_eq!(metrics["test"]["accuracy"], brief["test_accuracy"]);
        assert!(metrics["plain"]["test"]["ece"].is_f64() && brief["train_nodes"] == 8);
        let plain = Findings::of(About::default(), task, (&plain, links(&plain)), None);
        assert!(plain.edges.is_some() && plain.convergence.is_none(), "the graph is taken for granted, not its edges");
    }
}
