//! The report of a run: one file with everything in it, for a screen, a phone and paper.

mod edges;
mod figures;
mod neighbourhood;
mod weights;

use crate::html::{document, escape, table};
use crate::text::{grouped, percent};
use bgcn::findings::{About, ClassMetrics, Findings, Judgement, ValueMetrics};
use bgcn_core::data::split::LABELS_PER_CLASS;
use bgcn_core::posterior::ModelWeights;
use std::fmt::Write as _;
pub use weights::{WEIGHT_COLUMNS, weights, weights_text};

/// Classes of a confusion matrix at most.
const MOST_CLASSES: usize = 30;

/// The whole page.
pub fn run_page(findings: &Findings<'_>) -> String {
    let title = format!("{} on {}", findings.about.method, findings.about.dataset);
    let mut body = head(findings, &title);
    body += &match &findings.judgement {
        Judgement::Classes(metrics) => judged_classes(findings, metrics),
        Judgement::Values(metrics) => judged_values(findings, metrics),
        Judgement::Nothing => format!("<p>{UNJUDGED}</p>\n"),
    };
    body += &findings.advice.as_ref().map(|text| format!("<p><b>Note.</b> {}</p>\n", escape(text))).unwrap_or_default();
    body += &findings.weights.map(averaged).unwrap_or_default();
    body += &uncertainty(findings);
    body += &findings.edges.as_ref().map(|found| edges::section(findings, found)).unwrap_or_default();
    body += &remarks(&findings.about);
    body += &settings(findings);
    document(&title, &(body + &foot(&findings.about)))
}

/// Instead of scores, where no test node has a label.
pub const UNJUDGED: &str = "No test node has a label, so there are no scores. Predictions, uncertainty and edges are \
                            unaffected. For scores, choose a split with test nodes, or a number of labels per class.";

/// The split, in words.
pub fn split_text(about: &About) -> String {
    match about.split.as_str() {
        "all" => "all labels".into(),
        "random" => match about.labels_per_class {
            Some(n) if n < LABELS_PER_CLASS => format!("random split, {n} of each class"),
            _ => "random split".into(),
        },
        "fixed" => "fixed split".into(),
        "given" => "given split".into(),
        file => format!("split of {file}"),
    }
}

fn head(findings: &Findings<'_>, title: &str) -> String {
    let counts = &findings.counts;
    format!(
        "<h1>{}</h1>\n<p class=\"soft\">{} nodes, {} edges; learned from {} labels ({}), judged by {} test \
         nodes.</p>\n",
        escape(title),
        grouped(counts.nodes),
        grouped(counts.edges),
        grouped(counts.train),
        escape(&split_text(&findings.about)),
        grouped(counts.test),
    )
}

/// Remarks on the data.
fn remarks(about: &About) -> String {
    if about.remarks.is_empty() {
        return String::new();
    }
    let list: String = about.remarks.iter().map(|remark| format!("<li>{}</li>\n", escape(remark))).collect();
    format!("<h2>Remarks on the data</h2>\n<ul>\n{list}</ul>\n")
}

/// Large numbers with a line below each.
fn facts(facts: &[(String, String)]) -> String {
    let fact = |(number, about): &(String, String)| {
        format!("<div><b>{}</b><small>{}</small></div>", escape(number), escape(about))
    };
    format!("<div class=\"facts\">{}</div>\n", facts.iter().map(fact).collect::<String>())
}

fn judged_classes(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let against = |of: fn(&ClassMetrics) -> String| match figures::plain(findings) {
        Some((method, plain)) => format!("; {method} {}", of(plain)),
        None => String::new(),
    };
    let mut found = vec![
        (percent(metrics.scores.accuracy), format!("accuracy{}", against(|m| percent(m.scores.accuracy)))),
        (percent(metrics.mean_confidence), format!("mean confidence{}", against(|m| percent(m.mean_confidence)))),
        (format!("{:.3}", metrics.scores.nll), format!("NLL{}", against(|m| format!("{:.3}", m.scores.nll)))),
        (percent(metrics.scores.ece), format!("expected calibration error{}", against(|m| percent(m.scores.ece)))),
    ];
    if let Some(area) = metrics.error_detection.entropy {
        let plain = against(|m| m.error_detection.entropy.map_or("–".into(), |area| format!("{area:.3}")));
        found.push((format!("{area:.3}"), format!("error-detection AUROC by entropy{plain}")));
    }
    format!(
        "{}<h2>Calibration</h2>\n<div class=\"figures\">{}{}</div>\n{}",
        facts(&found),
        figures::reliability(findings, metrics),
        figures::coverage(findings, metrics),
        confusion(findings, metrics)
    )
}

fn judged_values(findings: &Findings<'_>, metrics: &ValueMetrics) -> String {
    let against = |of: fn(&ValueMetrics) -> String| match findings.plain.as_ref().map(|p| (&p.method, &p.judgement)) {
        Some((method, Judgement::Values(plain))) => format!("; {method} {}", of(plain)),
        _ => String::new(),
    };
    let rmse = |metrics: &ValueMetrics| format!("{:.4}", metrics.scores.rmse);
    let nll = |metrics: &ValueMetrics| format!("{:.3}", metrics.scores.nll);
    let inside = |metrics: &ValueMetrics| percent(metrics.scores.coverage_90);
    let found = [
        (rmse(metrics), format!("root mean squared error{}", against(rmse))),
        (nll(metrics), format!("NLL{}", against(nll))),
        (inside(metrics), format!("of the truth inside the 90 % interval{}", against(inside))),
    ];
    let (scatter, intervals) = (figures::scatter(&findings.scatter), figures::intervals(metrics));
    format!("{}<div class=\"figures\">{scatter}{intervals}</div>\n", facts(&found))
}

/// True classes down, predicted ones across; the diagonal in one colour, errors in another.
fn confusion(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let names = findings.classes;
    if names.len() > MOST_CLASSES {
        return format!("<p class=\"soft\">{} classes: no confusion matrix is shown.</p>\n", names.len());
    }
    let mut text = "<h2>Confusion matrix</h2>\n<p>True classes down, predicted ones across; shares of each row.</p>\n\
         <div class=\"wide\"><table class=\"confusion\"><tr><th></th>"
        .to_owned();
    for name in names {
        let _ = write!(text, "<th class=\"n\">{}</th>", escape(name));
    }
    text += "<th class=\"n\">nodes</th></tr>\n";
    for (i, (name, row)) in names.iter().zip(&metrics.confusion).enumerate() {
        let total: usize = row.iter().sum();
        let _ = write!(text, "<tr><th>{}</th>", escape(name));
        for (j, count) in row.iter().enumerate() {
            let share = *count as f64 / total.max(1) as f64;
            let class = if i == j { "n hit" } else { "n miss" };
            let shown = if *count == 0 { "·".into() } else { format!("{:.0} %", 100.0 * share) };
            let _ = write!(text, "<td class=\"{class}\" style=\"--s:{share:.3}\">{shown}</td>");
        }
        let _ = writeln!(text, "<td class=\"n\">{total}</td></tr>");
    }
    text + "</table></div>\n"
}

fn averaged(found: &ModelWeights) -> String {
    let head = WEIGHT_COLUMNS.map(str::to_lowercase);
    let rows = weights(found).map(|row| row.iter().map(|cell| escape(cell)).collect());
    format!("<h2>Graph models</h2>\n<p>{}</p>\n{}", weights_text(found), table(&head, rows, 1))
}

fn uncertainty(findings: &Findings<'_>) -> String {
    let by_degree = figures::uncertainty_by_degree(findings);
    format!("<h2>Uncertainty</h2>\n<div class=\"figures\">{by_degree}</div>\n")
}

fn settings(findings: &Findings<'_>) -> String {
    let about = &findings.about;
    if about.settings.is_empty() {
        return String::new();
    }
    let setting =
        |(name, value): &(String, String)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", escape(name), escape(value));
    let settings: String = about.settings.iter().map(setting).collect();
    let scaling = escape(&findings.scaling);
    format!("<h2>Settings</h2>\n<p>Features: {scaling}.</p>\n<dl class=\"settings\">\n{settings}</dl>\n")
}

fn foot(about: &About) -> String {
    format!(
        "<footer>bgcn {}, seed {}; data {}. <code>bgcn fit --config run.toml</code> repeats this run.</footer>\n",
        escape(&about.version),
        about.seed,
        escape(&about.fingerprint)
    )
}
