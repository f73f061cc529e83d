//! What came out of a fit: predictions, what judges them, the plain network beside them, and what is believed of edges.

use super::job::Job;
use bgcn::data::Labels;
use bgcn::graph_model::mmsbm::{Mmsbm, Start};
use bgcn::graph_model::{Belief, BelievedPair, Report};
use bgcn::posterior::{Fit, GraphModelPlan, Predictions};
use bgcn::rng::{For, Seed};
use bgcn::run::{ClassMetrics, EdgePrecision, ValueMetrics};
use serde_json::{Value, json};

/// Unobserved pairs in `edges.csv`.
const MISSING: usize = 200;
/// Observed edges that are ranked for the summary, the report and the precision.
const SUSPICIOUS: usize = 100;

/// How good predictions are; nothing where no test node has a label.
pub enum Judgement {
    Classes(ClassMetrics),
    Values(ValueMetrics),
    Nothing,
}

/// Another fit to compare with.
pub struct Plain {
    pub method: String,
    pub judgement: Judgement,
    pub seconds: f64,
}

/// What is believed of edges.
pub struct Edges {
    /// Observed, least likely first.
    pub suspicious: Vec<BelievedPair>,
    /// Unobserved, most likely first.
    pub missing: Vec<BelievedPair>,
    pub precision: Option<EdgePrecision>,
    /// Every edge of these has the same probability as the first.
    pub tied: usize,
}

pub struct Outcome<'a> {
    pub job: &'a Job,
    pub fit: &'a Fit,
    pub judgement: Judgement,
    pub plain: Option<Plain>,
    pub edges: Option<Edges>,
    /// Seconds of the fit alone.
    pub train: f64,
}

impl Judgement {
    pub fn of(job: &Job, fit: &Fit) -> Self {
        let (labels, test) = (&job.data.labels, &job.split.test);
        match &fit.predictions {
            Predictions::Classes(p) => ClassMetrics::of(p, labels, test).map_or(Self::Nothing, Self::Classes),
            Predictions::Values(v) => ValueMetrics::of(v, labels, test).map_or(Self::Nothing, Self::Values),
        }
    }

    /// Everything there is to say, as `test`.
    fn add_to(&self, object: &mut Value) {
        match self {
            Self::Classes(metrics) => object["test"] = json!(metrics),
            Self::Values(metrics) => object["test"] = json!(metrics),
            Self::Nothing => {}
        }
    }
}

impl Edges {
    pub fn of(job: &Job, fit: &Fit) -> Option<Self> {
        let beliefs = fit.beliefs.as_ref()?;
        let suspicious = beliefs.least_likely_observed(&job.data.graph, SUSPICIOUS);
        let mut missing = beliefs.most_likely_unobserved(&job.data.graph, MISSING);
        missing.retain(|pair| pair.p > 0.0);
        let precision = EdgePrecision::of(&job.data, beliefs);
        let same = |pair: &&BelievedPair| (pair.p - suspicious[0].p).abs() <= 1e-3 * suspicious[0].p;
        let tied = suspicious.iter().take_while(same).count();
        Some(Self { precision, tied, suspicious, missing })
    }
}

impl Outcome<'_> {
    /// Names of the classes; none for numbers.
    pub fn classes(&self) -> &[String] {
        match &self.job.data.labels {
            Labels::Classes { names, .. } => names,
            Labels::Values(_) => &[],
        }
    }

    /// Which labels were learned from, in words.
    pub fn split(&self) -> String {
        match self.job.record.split.as_str() {
            "all" => "all there are".into(),
            kind @ ("random" | "fixed") => format!("{kind} split"),
            file => format!("split of {file}"),
        }
    }

    /// What is predicted of a node, in a word.
    pub fn predicted(&self, a: u32) -> String {
        match &self.fit.predictions {
            Predictions::Classes(posterior) => self.classes()[posterior.prediction(a) as usize].clone(),
            Predictions::Values(values) => format!("{:.3}", values.mean[a as usize]),
        }
    }

    /// What was run on what, and how good it is and the plain network beside it, as `judge` puts that: the part that `metrics.json` and
    /// `--json` have in common.
    pub fn described(&self, judge: fn(&Judgement, &mut Value)) -> Value {
        let (job, record) = (self.job, &self.job.record);
        let mut object = json!({
            "dataset": record.data.name,
            "method": record.method,
            "split": record.split,
            "labels_per_class": record.labels_per_class,
            "seed": record.seed,
            "nodes": job.data.nodes(),
            "edges": job.data.graph.edges(),
            "train_nodes": job.split.train.len(),
            "validation_nodes": job.split.validation.len(),
            "test_nodes": job.split.test.len(),
        });
        if let Some(choice) = &record.choice {
            object["choice"] = json!(choice);
        }
        judge(&self.judgement, &mut object);
        if let Some(plain) = &self.plain {
            object["plain"] = json!({ "method": plain.method });
            judge(&plain.judgement, &mut object["plain"]);
        }
        object
    }

    /// `metrics.json`.
    pub fn metrics(&self) -> Value {
        let mut object = self.described(Judgement::add_to);
        if let Predictions::Classes(posterior) = &self.fit.predictions {
            let confidence = |a: u32| posterior.row(a).iter().copied().fold(0.0, f32::max);
            let confidences: Vec<f32> = (0..self.job.data.nodes() as u32).map(confidence).collect();
            let n = confidences.len().max(1) as f64;
            object["all_nodes"] = json!({
                "mean_confidence": confidences.iter().map(|&p| f64::from(p)).sum::<f64>() / n,
                "above_90": confidences.iter().filter(|&&p| p > 0.9).count() as f64 / n,
                "draws": posterior.draws,
            });
        }
        if let Some(precision) = self.edges.as_ref().and_then(|edges| edges.precision.as_ref()) {
            object["edges_found"] = json!(precision);
        }
        object
    }

    /// An inference of the block model from the final predictions, watched at every iteration; for the report's figure.
    pub fn convergence(&self) -> Option<Report> {
        let (GraphModelPlan::Mmsbm(params), Predictions::Classes(posterior)) =
            (self.job.plan.model(), &self.fit.predictions)
        else {
            return None;
        };
        let iterations = self.fit.inferences.last()?.iterations.clamp(10, 200);
        let params = params.clone().trace_every((iterations / 40).max(1)).check().ok()?;
        let belief = Belief { k: posterior.classes, rows: &posterior.probabilities };
        let mut model = Mmsbm::start(&params, &self.job.data.graph, Start::Belief(belief)).ok()?;
        // Another trial than the fit's, so that no stream is used twice.
        model.infer(iterations, Seed::new(self.job.record.seed).at(For::Lambda, [0, u32::MAX, 0])).ok()
    }
}
