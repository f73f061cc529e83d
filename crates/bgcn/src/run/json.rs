//! [`Findings`] as JSON: all of them for `metrics.json`, the scores alone for scripts.

use super::{ClassMetrics, Findings, Judgement, ValueMetrics};
use bgcn_core::links::{Links, RATE};
use serde_json::{Value, json};

impl Findings<'_> {
    /// `metrics.json`.
    pub fn metrics(&self) -> Value {
        let mut object = self.described(|judgement, object| match judgement {
            Judgement::Classes(metrics) => object["test"] = json!(metrics),
            Judgement::Values(metrics) => object["test"] = json!(metrics),
            Judgement::Nothing => {}
        });
        if let Some(all_nodes) = &self.all_nodes {
            object["all_nodes"] = json!(all_nodes);
        }
        if let Some(edges) = &self.edges {
            object["links"] = links_summary(edges.links);
        }
        if let Some(precision) = self.edges.as_ref().and_then(|edges| edges.precision) {
            object["edges_found"] = json!(precision);
        }
        object
    }

    /// The scores in a flat object: `test_accuracy`, `test_ece`, `train_nodes`, … without curves and tables.
    pub fn brief(&self) -> Value {
        let mut object = self.described(add_scores);
        if let Some(edges) = &self.edges {
            object["links"] = json!({ "rho": edges.links.rho, "listed": edges.listed });
        }
        if let Some(found) = self.edges.as_ref().and_then(|edges| edges.precision) {
            object["edges_found"] = json!({
                "suspicious": found.suspicious,
                "suspicious_average_precision": found.suspicious_average_precision,
                "missing": found.missing,
                "missing_average_precision": found.missing_average_precision,
            });
        }
        object
    }

    /// What both have in common: what was run on what, and the scores of the fit and of the plain network, as `judge`
    /// puts them.
    fn described(&self, judge: fn(&Judgement, &mut Value)) -> Value {
        let (about, counts) = (&self.about, &self.counts);
        let mut object = json!({
            "dataset": about.dataset,
            "method": about.method,
            "split": about.split,
            "labels_per_class": about.labels_per_class,
            "seed": about.seed,
            "remarks": about.remarks,
            "nodes": counts.nodes,
            "edges": counts.edges,
            "train_nodes": counts.train,
            "validation_nodes": counts.validation,
            "test_nodes": counts.test,
            "scaling": self.scaling,
        });
        if let Some(weights) = self.weights {
            object["model_weights"] = json!(weights);
        }
        judge(&self.judgement, &mut object);
        if let Some(advice) = &self.advice {
            object["advice"] = json!(advice);
        }
        if let Some(plain) = self.plain {
            object["plain"] = json!({ "method": plain.method });
            judge(&plain.judgement, &mut object["plain"]);
        }
        object
    }
}

fn add_scores(judgement: &Judgement, object: &mut Value) {
    match judgement {
        Judgement::Classes(ClassMetrics { scores, .. }) => {
            object["test_accuracy"] = json!(scores.accuracy);
            object["test_class_accuracy"] = json!(scores.class_accuracy);
            object["test_nll"] = json!(scores.nll);
            object["test_ece"] = json!(scores.ece);
            object["test_brier"] = json!(scores.brier);
        }
        Judgement::Values(ValueMetrics { scores, .. }) => {
            object["test_rmse"] = json!(scores.rmse);
            object["test_nll"] = json!(scores.nll);
            object["test_coverage_90"] = json!(scores.coverage_90);
        }
        Judgement::Nothing => {}
    }
}

/// All edges together: ρ, decoys, lists, calibration, recall.
pub fn links_summary(links: &Links) -> Value {
    let mut summary = json!(links);
    summary["listed"] = json!(links.at_rate(RATE));
    summary
}
