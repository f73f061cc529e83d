//! What `bgcn fit` prints: a readable summary, or one JSON object.

use super::{Edges, Judgement, Outcome};
use crate::screen::{self, grouped};
use bgcn::data::Labels;
use bgcn::graph_model::BelievedPair;
use bgcn::posterior::{Choice, ChooseBy};
use bgcn::run::{ClassMetrics, PrecisionAt, ValueMetrics};
use serde_json::{Value, json};
use std::path::Path;

/// Edges of each kind that are shown.
const SHOWN: usize = 10;

/// The run as one JSON object.
pub fn json(outcome: &Outcome<'_>, folder: Option<&Path>, total: f64) -> Value {
    let mut object = outcome.described(add_scores);
    object["seconds"] = json!({ "load": outcome.job.load, "train": outcome.train, "total": total });
    if let Some(plain) = &outcome.plain {
        object["seconds"]["plain"] = json!(plain.seconds);
    }
    if let Some(found) = outcome.edges.as_ref().and_then(|edges| edges.precision.as_ref()) {
        object["edges_found"] = json!({
            "suspicious": found.suspicious,
            "suspicious_average_precision": found.suspicious_average_precision,
            "missing": found.missing,
            "missing_average_precision": found.missing_average_precision,
        });
    }
    if let Some(folder) = folder {
        object["out"] = json!(folder);
    }
    object
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

/// The run in a few lines and tables.
pub fn text(outcome: &Outcome<'_>, folder: Option<&Path>, total: f64) -> String {
    let (job, record) = (outcome.job, &outcome.job.record);
    let mut text = format!(
        "{} on {}: learned from {} labels ({}), {} nodes predicted in {:.2} s\n\n",
        record.method,
        record.data.name,
        grouped(job.split.train.len()),
        outcome.split(),
        grouped(job.data.nodes()),
        outcome.train,
    );
    text += &match &outcome.judgement {
        Judgement::Classes(metrics) => {
            format!("{}\n\n{}\n\n{}\n", scores(outcome), sureness(metrics), by_class(outcome, metrics))
        }
        Judgement::Values(_) => format!("{}\n", scores(outcome)),
        Judgement::Nothing => {
            "No test nodes have a label, so there is nothing to judge the predictions by.\n".to_owned()
        }
    };
    if let Some(choice) = &record.choice {
        text += &format!("\n{}\n{}\n", choice_table(choice), explain(choice));
    }
    if let Some(edges) = &outcome.edges {
        text += &edge_tables(outcome, edges);
    }
    if let Some(plain) = &outcome.plain {
        text += &format!("\nThe plain network took {:.2} s more; everything {total:.2} s.\n", plain.seconds);
    }
    if let Some(folder) = folder {
        let shown = folder.display();
        text += &format!("\nEverything is in {shown}; open {shown}/report.html for the figures.\n");
        text +=
            &format!("Next: bgcn edges {shown}, bgcn predict {shown} NEW-DATA, bgcn fit --config {shown}/run.toml\n");
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
    ("Spotting mistakes (AUROC)", |m| m.spotting_mistakes.entropy, Unit::Plain),
];

const VALUE_ROWS: [Row<'static, ValueMetrics>; 3] = [
    ("RMSE", |m| Some(m.scores.rmse), Unit::Plain),
    ("NLL", |m| Some(m.scores.nll), Unit::Plain),
    ("Inside the 90 % interval", |m| Some(m.scores.coverage_90), Unit::Percent),
];

/// The scores, beside those of the plain network where it was trained.
fn scores(outcome: &Outcome<'_>) -> String {
    let plain = outcome.plain.as_ref().map(|plain| &plain.judgement);
    match (&outcome.judgement, plain) {
        (Judgement::Classes(ours), Some(Judgement::Classes(plain))) => {
            side_by_side(outcome, &CLASS_ROWS, ours, Some(plain))
        }
        (Judgement::Classes(ours), _) => side_by_side(outcome, &CLASS_ROWS, ours, None),
        (Judgement::Values(ours), Some(Judgement::Values(plain))) => {
            side_by_side(outcome, &VALUE_ROWS, ours, Some(plain))
        }
        (Judgement::Values(ours), _) => side_by_side(outcome, &VALUE_ROWS, ours, None),
        (Judgement::Nothing, _) => String::new(),
    }
}

fn side_by_side<M>(outcome: &Outcome<'_>, rows: &[Row<'_, M>], ours: &M, plain: Option<&M>) -> String {
    let (nodes, method) = (grouped(outcome.job.split.test.len()), &outcome.job.record.method);
    let head = format!("{nodes} test nodes");
    let mut table = match &outcome.plain {
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

fn sureness(metrics: &ClassMetrics) -> String {
    format!(
        "How sure it is: {:.0} % on average, and right in {:.0} %; above 90 % for {:.0} % of the test nodes.",
        100.0 * metrics.mean_confidence,
        100.0 * metrics.scores.accuracy,
        100.0 * metrics.above_90
    )
}

fn by_class(outcome: &Outcome<'_>, metrics: &ClassMetrics) -> String {
    let Labels::Classes { names, .. } = &outcome.job.data.labels else { return String::new() };
    let mut table = screen::table(&["Class", "Accuracy", ""]).left([2]);
    for (name, accuracy) in names.iter().zip(&metrics.scores.class_accuracy) {
        let (value, bar) = match accuracy {
            Some(share) => (format!("{:.1} %", 100.0 * share), screen::bar(*share, 1.0, 30)),
            None => ("no test node".into(), String::new()),
        };
        table.add_row([name.clone(), value, bar]);
    }
    table.trim_fmt()
}

/// Graph models that were compared.
fn choice_table(choice: &Choice) -> String {
    let mut table = screen::table(&["Graph model", "Hidden links", "below the best", decided_column(choice)]);
    for row in compared(choice) {
        table.add_row(row);
    }
    table.trim_fmt()
}

/// What the last column of a comparison holds.
pub fn decided_column(choice: &Choice) -> &'static str {
    match choice.decided_by {
        ChooseBy::Average => "Share",
        ChooseBy::Links | ChooseBy::Validation => "Validation labels",
    }
}

/// Each candidate's name, its score of hidden links, how far that is below the best, and its share or its score of validation labels.
pub fn compared(choice: &Choice) -> impl Iterator<Item = [String; 4]> {
    choice.candidates.iter().map(|candidate| {
        let (below, error) = candidate.below_best;
        let below = if below == 0.0 { "best".into() } else { format!("{below:.3} ± {error:.3}") };
        let last = match (candidate.share, candidate.validation) {
            (Some(share), _) => format!("{:.0} %", 100.0 * share),
            (None, Some(score)) => format!("{score:.3}"),
            (None, None) => "–".into(),
        };
        [candidate.graph_model.clone(), format!("{:.3}", candidate.held_out), below, last]
    })
}

/// Why this one, in words.
pub fn explain(choice: &Choice) -> String {
    let chosen = choice.chosen();
    let links = grouped(choice.links);
    let compared = format!(
        "Graph models were compared by how likely they find {links} links that were hidden from them (log-likelihood for each, higher is \
         better)."
    );
    match choice.decided_by {
        ChooseBy::Links => {
            format!("{compared} Chosen: {chosen}, the best at that. No label but the training nodes' was used.")
        }
        ChooseBy::Validation => format!(
            "{compared} The default and its best rival were fitted, and the labels of the validation nodes (mean log-probability) decided. \
             Chosen: {chosen}. No test label was used."
        ),
        ChooseBy::Average => format!(
            "{compared} None was chosen: each draw comes from one of them, as often as its share says (∝ exp of that likelihood). No label but \
             the training nodes' was used."
        ),
    }
}

fn edge_tables(outcome: &Outcome<'_>, edges: &Edges) -> String {
    let mut text = format!("\n{}\n", edge_table(outcome, "Observed, but suspicious", &edges.suspicious));
    if edges.tied >= SHOWN {
        text += "These are equally unlikely; ties are in the order of the nodes.\n";
    }
    if edges.missing.is_empty() {
        return text + "\nNo edge that was not observed is believed in: the graph model only leaves edges out.\n";
    }
    text += &format!("\n{}\n", edge_table(outcome, "Not observed, but likely", &edges.missing));
    if let Some(precision) = &edges.precision {
        let shares = |found: &[PrecisionAt]| -> String {
            let one = |at: &PrecisionAt| format!("{:.0} % of {}", 100.0 * at.precision, at.first);
            found.iter().map(one).collect::<Vec<_>>().join(", ")
        };
        text += &format!(
            "\nThe generator knows: of the suspicious edges {} are spurious (by chance {:.0} %); of the likely ones {} were \
             taken away (by chance {:.2} %).\n",
            shares(&precision.suspicious),
            100.0 * precision.suspicious_by_chance,
            shares(&precision.missing),
            100.0 * precision.missing_by_chance,
        );
    }
    text
}

fn edge_table(outcome: &Outcome<'_>, title: &str, pairs: &[BelievedPair]) -> String {
    let mut table = screen::table(&[title, "", "Predicted", "", "Probability"]).left(1..4);
    let ids = &outcome.job.data.ids;
    for pair in pairs.iter().take(SHOWN) {
        let (source, target) = (ids.name(pair.a).into_owned(), ids.name(pair.b).into_owned());
        table.add_row([source, target, outcome.predicted(pair.a), outcome.predicted(pair.b), format!("{:.5}", pair.p)]);
    }
    table.trim_fmt()
}
