//! `report.html`: one file with everything in it, for a screen, a phone and paper.

mod figures;
mod neighbourhood;
mod svg;

use crate::fit::{Edges, Judgement, Outcome, compared, decided_column, explain};
use crate::screen::grouped;
use bgcn::graph_model::BelievedPair;
use bgcn::posterior::{Choice, Predictions};
use bgcn::run::{ClassMetrics, ValueMetrics};
use std::fmt::Write as _;
use svg::escape;

const STYLE: &str = include_str!("style.css");

/// Edges of each kind in the tables, and suspicious ones that are drawn.
const LISTED: usize = 10;
const DRAWN: usize = 6;
/// Classes beyond which the confusion table would not be read.
const MOST_CLASSES: usize = 30;

/// The whole page.
pub fn page(outcome: &Outcome<'_>) -> String {
    let record = &outcome.job.record;
    let title = format!("{} on {}", record.method, record.data.name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n<style>\n{STYLE}</style>\n\
         </head>\n<body>\n",
        escape(&title)
    );
    page += &head(outcome, &title);
    page += &match &outcome.judgement {
        Judgement::Classes(metrics) => judged_classes(outcome, metrics),
        Judgement::Values(metrics) => judged_values(outcome, metrics),
        Judgement::Nothing => {
            "<p>No test node has a label, so there is nothing to judge the predictions by. They are in \
             <code>predictions.csv</code>.</p>\n"
                .to_owned()
        }
    };
    page += &record.choice.as_ref().map(chosen).unwrap_or_default();
    page += &believed(outcome);
    if let Some(edges) = &outcome.edges {
        page += &edge_section(outcome, edges);
    }
    page + &foot(outcome) + "</body>\n</html>\n"
}

fn head(outcome: &Outcome<'_>, title: &str) -> String {
    let job = outcome.job;
    format!(
        "<h1>{}</h1>\n<p class=\"soft\">{} nodes, {} edges; learned from {} labels ({}), judged by {} test nodes.</p>\n",
        escape(title),
        grouped(job.data.nodes()),
        grouped(job.data.graph.edges()),
        grouped(job.split.train.len()),
        escape(&outcome.split()),
        grouped(job.split.test.len()),
    )
}

/// Large numbers with a line below each.
fn facts(facts: &[(String, String)]) -> String {
    let fact = |(number, about): &(String, String)| {
        format!("<div><b>{}</b><small>{}</small></div>", escape(number), escape(about))
    };
    format!("<div class=\"facts\">{}</div>\n", facts.iter().map(fact).collect::<String>())
}

fn percent(share: f64) -> String {
    format!("{:.1}\u{a0}%", 100.0 * share)
}

fn judged_classes(outcome: &Outcome<'_>, metrics: &ClassMetrics) -> String {
    let against = |of: fn(&ClassMetrics) -> String| match outcome.plain.as_ref().map(|p| (&p.method, &p.judgement)) {
        Some((method, Judgement::Classes(plain))) => format!("; {method} {}", of(plain)),
        _ => String::new(),
    };
    let mut found = vec![
        (percent(metrics.scores.accuracy), format!("right{}", against(|m| percent(m.scores.accuracy)))),
        (percent(metrics.mean_confidence), format!("sure on average{}", against(|m| percent(m.mean_confidence)))),
        (format!("{:.3}", metrics.scores.nll), format!("NLL{}", against(|m| format!("{:.3}", m.scores.nll)))),
        (percent(metrics.scores.ece), format!("calibration error{}", against(|m| percent(m.scores.ece)))),
    ];
    if let Some(area) = metrics.spotting_mistakes.entropy {
        let plain = against(|m| m.spotting_mistakes.entropy.map_or("–".into(), |area| format!("{area:.3}")));
        found.push((format!("{area:.3}"), format!("AUROC of spotting mistakes by entropy{plain}")));
    }
    format!(
        "{}<h2>How far the probabilities can be trusted</h2>\n<div class=\"figures\">{}{}</div>\n{}",
        facts(&found),
        figures::reliability(outcome, metrics),
        figures::coverage(outcome, metrics),
        confusion(outcome, metrics)
    )
}

fn judged_values(outcome: &Outcome<'_>, metrics: &ValueMetrics) -> String {
    let against = |of: fn(&ValueMetrics) -> String| match outcome.plain.as_ref().map(|p| (&p.method, &p.judgement)) {
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
    let scatter = outcome.fit.predictions.values().map(|values| figures::scatter(outcome, values)).unwrap_or_default();
    format!("{}<div class=\"figures\">{scatter}{}</div>\n", facts(&found), figures::intervals(metrics))
}

/// True classes down, predicted ones across; right in one colour, mistakes in another.
fn confusion(outcome: &Outcome<'_>, metrics: &ClassMetrics) -> String {
    let names = outcome.classes();
    if names.len() > MOST_CLASSES {
        return format!("<p class=\"soft\">{} classes are too many for a confusion table.</p>\n", names.len());
    }
    let mut text =
        "<h2>Which classes are confused</h2>\n<p>True classes down, predicted ones across; shares of each row.</p>\n\
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
            let class = if i == j { "n" } else { "n miss" };
            let shown = if *count == 0 { "·".into() } else { format!("{:.0} %", 100.0 * share) };
            let _ = write!(text, "<td class=\"{class}\" style=\"--s:{share:.3}\">{shown}</td>");
        }
        let _ = writeln!(text, "<td>{total}</td></tr>");
    }
    text + "</table></div>\n"
}

/// Which graph models were compared, and why one was taken.
fn chosen(choice: &Choice) -> String {
    let mut text = format!(
        "<h2>Which graph model</h2>\n<p>{}</p>\n<div class=\"wide\"><table><tr><th>graph model</th><th class=\"n\">hidden links</th>\
         <th class=\"n\">below the best</th><th class=\"n\">{}</th></tr>\n",
        explain(choice),
        decided_column(choice).to_lowercase(),
    );
    for [graph_model, links, below, last] in compared(choice) {
        let _ = writeln!(
            text,
            "<tr><td>{graph_model}</td><td class=\"n\">{links}</td><td class=\"n\">{below}</td><td class=\"n\">{last}</td></tr>"
        );
    }
    text + "</table></div>\n"
}

/// What is believed whatever the test nodes say.
fn believed(outcome: &Outcome<'_>) -> String {
    let charts = match &outcome.fit.predictions {
        Predictions::Classes(posterior) => {
            figures::uncertainty_by_degree(outcome, posterior) + &figures::convergence(outcome).unwrap_or_default()
        }
        Predictions::Values(values) => figures::spread_by_degree(outcome, values),
    };
    format!("<h2>Where it is unsure</h2>\n<div class=\"figures\">{charts}</div>\n")
}

fn edge_section(outcome: &Outcome<'_>, edges: &Edges) -> String {
    let classes = matches!(outcome.fit.predictions, Predictions::Classes(_));
    let coloured = if classes { ", coloured by predicted class" } else { "" };
    let mut text = format!(
        "<h2>Edges that look wrong</h2>\n<p>Observed, but unlikely under the graph model. Drawn with the neighbours of both \
         ends{coloured}; the doubtful edge is dashed.</p>\n"
    );
    if classes {
        let name = |(i, name): (usize, &String)| {
            format!("<span><i style=\"background:var(--k{})\"></i>{}</span>", i % 10, escape(name))
        };
        let _ = writeln!(
            text,
            "<div class=\"legend\">{}</div>",
            outcome.classes().iter().enumerate().map(name).collect::<String>()
        );
    }
    let drawings: String = edges.suspicious.iter().take(DRAWN).map(|pair| neighbourhood::draw(outcome, pair)).collect();
    let _ = write!(text, "<div class=\"figures\">{drawings}</div>\n{}", edge_table(outcome, &edges.suspicious));
    if let Some(precision) = &edges.precision {
        let shares: Vec<String> = precision
            .suspicious
            .iter()
            .map(|at| format!("{} of the first {}", percent(at.precision), at.first))
            .collect();
        let chance = percent(precision.suspicious_by_chance);
        let _ = writeln!(
            text,
            "<p class=\"soft\">The generator knows: {} are spurious; by chance it would be {chance}.</p>",
            shares.join(", ")
        );
    }
    if !edges.missing.is_empty() {
        let table = edge_table(outcome, &edges.missing);
        let _ = write!(text, "<h2>Edges that seem to be missing</h2>\n<p>Not observed, but likely.</p>\n{table}");
    }
    text + &edges_found(edges)
}

/// How good both rankings are, where the truth is known.
fn edges_found(edges: &Edges) -> String {
    let found = edges.precision.as_ref();
    let charts: String = [found.and_then(figures::spurious_found), found.and_then(figures::missing_found)]
        .into_iter()
        .flatten()
        .collect();
    if charts.is_empty() {
        return charts;
    }
    format!(
        "<h2>How many of these edges are found</h2>\n<p>The generator knows which edges it added and which it took away: going down a \
         list, the line shows how many of them have been found so far (to the right) and what share of the list was right \
         (upwards), and guessing would stay on the dashed line.</p>\n<div class=\"figures\">{charts}</div>\n"
    )
}

fn edge_table(outcome: &Outcome<'_>, pairs: &[BelievedPair]) -> String {
    let ids = &outcome.job.data.ids;
    let mut text =
        "<div class=\"wide\"><table><tr><th>edge</th><th>predicted</th><th class=\"n\">probability</th></tr>\n"
            .to_owned();
    for pair in pairs.iter().take(LISTED) {
        let _ = writeln!(
            text,
            "<tr><td>{} – {}</td><td>{} – {}</td><td class=\"n\">{:.5}</td></tr>",
            escape(&ids.name(pair.a)),
            escape(&ids.name(pair.b)),
            escape(&outcome.predicted(pair.a)),
            escape(&outcome.predicted(pair.b)),
            pair.p
        );
    }
    text + "</table></div>\n"
}

fn foot(outcome: &Outcome<'_>) -> String {
    let record = &outcome.job.record;
    format!(
        "<footer>bgcn {}, seed {}; data {}. <code>bgcn fit --config run.toml</code> repeats this run.</footer>\n",
        escape(&record.version),
        record.seed,
        escape(&record.data.fingerprint)
    )
}
