//! What `bgcn fit` prints: a readable summary, or one JSON object.

use crate::edges::edge_table;
use crate::screen::{self, grouped};
use bgcn::findings::{ClassMetrics, EdgeFindings, Findings, Judgement, PrecisionAt, Seconds, ValueMetrics};
use bgcn_core::links::RATE;
use bgcn_core::posterior::ModelWeights;
use bgcn_files::{Shell, pasted, spelled};
use bgcn_report::{UNJUDGED, WEIGHT_COLUMNS, fdr_list, split_text, weights, weights_text};
use serde_json::{Value, json};
use std::path::Path;

/// Edges of each kind that are shown.
const SHOWN: usize = 10;

/// The run as one JSON object.
pub fn json(findings: &Findings<'_>, (seconds, total): (Seconds, f64), folder: Option<&Path>) -> Value {
    let mut object = findings.brief();
    object["seconds"] = json!({ "load": seconds.load, "train": seconds.train, "total": total });
    if let Some(plain) = seconds.plain {
        object["seconds"]["plain"] = json!(plain);
    }
    if let Some(folder) = folder {
        object["out"] = json!(folder);
    }
    object
}

/// The run in a few lines and tables.
pub fn text(findings: &Findings<'_>, (seconds, total): (Seconds, f64), folder: Option<&Path>) -> String {
    let (about, counts) = (&findings.about, &findings.counts);
    let mut text = format!(
        "{} on {}: learned from {} labels ({}), {} nodes predicted{} in {:.2} s\nFeatures: {}\n\n",
        about.method,
        about.dataset,
        grouped(counts.train),
        split_text(about),
        grouped(counts.nodes),
        if findings.edges.is_some() { " and their edges judged" } else { "" },
        seconds.train,
        findings.scaling,
    );
    text += &match &findings.judgement {
        Judgement::Classes(metrics) => {
            format!("{}\n\n{}\n\n{}\n", scores(findings), confidence(metrics), by_class(findings, metrics))
        }
        Judgement::Values(_) => format!("{}\n", scores(findings)),
        Judgement::Nothing => format!("{UNJUDGED}\n"),
    };
    if let Some(advice) = &findings.advice {
        text += &format!("\n{}\n", spelled(advice, Shell::Command));
    }
    if let Some(found) = &findings.weights {
        text += &format!("\n{}\n{}\n", weight_table(found), weights_text(found));
    }
    if let Some(edges) = &findings.edges {
        text += &edge_tables(edges, folder);
    }
    if let Some(plain) = seconds.plain {
        text += &format!("\nThe plain network took {plain:.2} s; total {:.2} s.\n", total);
    }
    if let Some(folder) = folder {
        let shown = folder.display();
        text += &format!("\nEverything is in {shown}; open {shown}/report.html for the figures.\n");
        let (run, config) = (pasted(folder), pasted(&folder.join("run.toml")));
        text += &format!("Next:\n  bgcn edges {run}\n  bgcn predict {run} NEW-DATA\n  bgcn fit --config {config}\n");
    }
    text
}

/// A line of a table of scores: its name, and how to read and write it.
type Row<'a, M> = (&'a str, fn(&M) -> Option<f64>, Unit);

#[derive(Clone, Copy)]
enum Unit {
    Percent,
    Plain,
}

impl Unit {
    fn show(self, value: f64) -> String {
        match self {
            Self::Percent => format!("{:.1} %", 100.0 * value),
            Self::Plain => format!("{value:.3}"),
        }
    }

    fn show_change(self, change: f64) -> String {
        match self {
            Self::Percent => format!("{:+.1} points", 100.0 * change),
            Self::Plain => format!("{change:+.3}"),
        }
    }
}

const CLASS_ROWS: [Row<'static, ClassMetrics>; 5] = [
    ("Accuracy", |m| Some(m.scores.accuracy), Unit::Percent),
    ("NLL", |m| Some(m.scores.nll), Unit::Plain),
    ("ECE", |m| Some(m.scores.ece), Unit::Percent),
    ("Brier score", |m| Some(m.scores.brier), Unit::Plain),
    ("Error-detection AUROC", |m| m.error_detection.entropy, Unit::Plain),
];

const VALUE_ROWS: [Row<'static, ValueMetrics>; 3] = [
    ("RMSE", |m| Some(m.scores.rmse), Unit::Plain),
    ("NLL", |m| Some(m.scores.nll), Unit::Plain),
    ("Inside the 90 % interval", |m| Some(m.scores.coverage_90), Unit::Percent),
];

/// The scores, beside those of the plain network where it was trained.
fn scores(findings: &Findings<'_>) -> String {
    let plain = findings.plain.as_ref().map(|plain| &plain.judgement);
    match (&findings.judgement, plain) {
        (Judgement::Classes(ours), Some(Judgement::Classes(plain))) => {
            comparison(findings, &CLASS_ROWS, ours, Some(plain))
        }
        (Judgement::Classes(ours), _) => comparison(findings, &CLASS_ROWS, ours, None),
        (Judgement::Values(ours), Some(Judgement::Values(plain))) => {
            comparison(findings, &VALUE_ROWS, ours, Some(plain))
        }
        (Judgement::Values(ours), _) => comparison(findings, &VALUE_ROWS, ours, None),
        (Judgement::Nothing, _) => String::new(),
    }
}

fn comparison<M>(findings: &Findings<'_>, rows: &[Row<'_, M>], ours: &M, plain: Option<&M>) -> String {
    let (nodes, method) = (grouped(findings.counts.test), &findings.about.method);
    let head = format!("{nodes} test nodes");
    let mut table = match &findings.plain {
        Some(plain) => screen::table(&[&head, &plain.method, method, "change"]),
        None => screen::table(&[&head, method]),
    };
    for (name, read, unit) in rows {
        let Some(value) = read(ours) else { continue };
        match plain.and_then(read) {
            Some(before) => table.add_row([
                (*name).to_owned(),
                unit.show(before),
                unit.show(value),
                unit.show_change(value - before),
            ]),
            None => table.add_row([(*name).to_owned(), unit.show(value)]),
        };
    }
    table.trim_fmt()
}

fn confidence(metrics: &ClassMetrics) -> String {
    format!(
        "Mean confidence {:.0} %, accuracy {:.0} %; confidence above 90 % for {:.0} % of the test nodes.",
        100.0 * metrics.mean_confidence,
        100.0 * metrics.scores.accuracy,
        100.0 * metrics.above_90
    )
}

fn by_class(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let mut table = screen::table(&["Class", "Accuracy", ""]).left([2]);
    for (name, accuracy) in findings.classes.iter().zip(&metrics.scores.class_accuracy) {
        let (value, bar) = match accuracy {
            Some(share) => (format!("{:.1} %", 100.0 * share), screen::bar(*share, 1.0, 30)),
            None => ("no test node".into(), String::new()),
        };
        table.add_row([name.clone(), value, bar]);
    }
    table.trim_fmt()
}

/// Graph models that are averaged.
fn weight_table(found: &ModelWeights) -> String {
    let mut table = screen::table(&WEIGHT_COLUMNS);
    for row in weights(found) {
        table.add_row(row);
    }
    table.trim_fmt()
}

fn edge_tables(edges: &EdgeFindings<'_>, folder: Option<&Path>) -> String {
    let mut text = format!(
        "\nSuspicious edges:\n\n{}\n\n",
        edge_table("P(spurious)", &edges.suspicious[..SHOWN.min(edges.suspicious.len())])
    );
    text += &listed(edges, folder);
    if edges.missing.is_empty() {
        text += "\nNo missing edge was found.\n";
    } else {
        text += &format!(
            "\nMissing edges:\n\n{}\n",
            edge_table("P(missing)", &edges.missing[..SHOWN.min(edges.missing.len())])
        );
    }
    if let Some(precision) = &edges.precision {
        let shares = |found: &[PrecisionAt]| -> String {
            let one = |at: &PrecisionAt| format!("precision@{} {:.0} %", at.first, 100.0 * at.precision);
            found.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        text += &format!(
            "\nGround truth of the generated data: suspicious edges {} (by chance {:.0} %); missing edges {} (by \
             chance {:.2} %).\n",
            shares(&precision.suspicious),
            100.0 * precision.suspicious_by_chance,
            shares(&precision.missing),
            100.0 * precision.missing_by_chance,
        );
    }
    text
}

/// The share of spurious edges, and the list at the default rate.
fn listed(edges: &EdgeFindings<'_>, folder: Option<&Path>) -> String {
    let how = match folder {
        Some(folder) if edges.listed > 0 => format!(": bgcn edges {} --fdr {RATE}", pasted(folder)),
        _ => String::new(),
    };
    let list = fdr_list(&edges.links.lists, RATE);
    format!("Estimated share of spurious edges: {:.1} %; {list}{how}.\n", 100.0 * edges.links.rho)
}
