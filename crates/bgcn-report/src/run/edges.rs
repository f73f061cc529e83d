//! The report's sections on edges: which look wrong, which seem to be missing, and how far that can be trusted.

use super::{figures, neighbourhood};
use crate::html::{escape, table};
use crate::text::{grouped, percent, probability};
use bgcn::findings::{EdgeFinding, EdgeFindings, Findings, PrecisionAt};
use bgcn_core::links::{Links, RATE};
use bgcn_core::recipe::DecoyKind;
use std::fmt::Write as _;

/// Edges of each kind in the tables.
const LISTED: usize = 10;

/// Both kinds of edges, and the ground truth where it is known.
pub fn section(findings: &Findings<'_>, edges: &EdgeFindings<'_>) -> String {
    suspicious(findings, edges) + &missing(edges) + &found(edges)
}

fn suspicious(findings: &Findings<'_>, edges: &EdgeFindings<'_>) -> String {
    let links = edges.links;
    let mut text = format!("<h2>Edges that look wrong</h2>\n<p>{}</p>\n", about(edges));
    match figures::decoy_calibration(&links.calibration) {
        Some(chart) => {
            let _ = write!(text, "<p>{LIMITS}</p>\n<div class=\"figures\">{chart}</div>\n");
        }
        None => text += "<p>There are too few edges to learn from, so every edge is doubted alike.</p>\n",
    }
    text += &edge_table("P(spurious)", &edges.suspicious);
    text += &drawings(findings, edges);
    if let Some(precision) = edges.precision {
        let share = |at: &PrecisionAt| format!("{} of the first {}", percent(at.precision), at.first);
        let shares: Vec<String> = precision.suspicious.iter().map(share).collect();
        let _ = writeln!(
            text,
            "<p class=\"soft\">Ground truth of the generated data: {} are spurious; by chance it would be {}.</p>",
            shares.join(", "),
            percent(precision.suspicious_by_chance)
        );
    }
    text
}

/// What decoys cannot tell.
const LIMITS: &str = "Decoys speak for spurious edges that came about as they did. Edges that came about in another \
                      way may be more or fewer than that, and edges that somebody aimed who knows the method can look \
                      innocent. The numbers after the reasons are terms of the log-odds: above 0 they speak for being \
                      spurious, and their sum is the log-odds of P(spurious).";

/// ρ, the list, and what P(spurious) is measured against.
fn about(edges: &EdgeFindings<'_>) -> String {
    let Links { rho, decoys, decoy_kind, .. } = edges.links;
    let listed = match edges.listed {
        0 => format!("None can be listed with a false discovery rate of {:.0}\u{a0}%.", 100.0 * RATE),
        n => format!(
            "{} {} be listed with a false discovery rate of {:.0}\u{a0}%, so that about one in ten of them is true.",
            grouped(n),
            if n == 1 { "edge can" } else { "edges can" },
            100.0 * RATE
        ),
    };
    let drawn = match decoy_kind {
        DecoyKind::Uniform => "each between two nodes at random",
        DecoyKind::Aimed => "each aimed at a labelled node, as an attacker would",
    };
    format!(
        "About {} of the observed edges look spurious. {listed} P(spurious) is measured against decoys: {} random \
         edges of our own that were added to the graph for this, {drawn}.",
        percent(*rho),
        grouped(*decoys)
    )
}

fn drawings(findings: &Findings<'_>, edges: &EdgeFindings<'_>) -> String {
    if edges.neighbourhoods.is_empty() {
        return String::new();
    }
    let coloured = if findings.classes.is_empty() { "" } else { ", coloured by predicted class" };
    let name = |(i, name): (usize, &String)| {
        format!("<span><i style=\"background:var(--k{})\"></i>{}</span>", i % 10, escape(name))
    };
    let legend: String = findings.classes.iter().enumerate().map(name).collect();
    let drawings: String = edges.neighbourhoods.iter().map(neighbourhood::draw).collect();
    format!(
        "<p>Some of them with the neighbours of both ends{coloured}; the doubtful edge is dashed.</p>\n\
         <div class=\"legend\">{legend}</div>\n<div class=\"figures\">{drawings}</div>\n"
    )
}

fn missing(edges: &EdgeFindings<'_>) -> String {
    let mut text = "<h2>Edges that seem to be missing</h2>\n".to_owned();
    if edges.missing.is_empty() {
        return text + "<p>The search found no pair of nodes that could be one.</p>\n";
    }
    text += "<p>Not observed, but likely by the same kinds of evidence.";
    if let Some(recall) = edges.links.recall {
        let _ = write!(
            text,
            " Not every pair is looked at: of {} edges that were hidden for this, the search found {}.",
            grouped(recall.hidden),
            percent(recall.share())
        );
    }
    text + "</p>\n" + &edge_table("P(missing)", &edges.missing)
}

/// How good both rankings are, where the truth is known.
fn found(edges: &EdgeFindings<'_>) -> String {
    let found = edges.precision;
    let charts = [found.and_then(figures::spurious_found), found.and_then(figures::missing_found)];
    let charts: String = charts.into_iter().flatten().collect();
    if charts.is_empty() {
        return charts;
    }
    format!(
        "<h2>How many of these edges are found</h2>\n<p>Precision and recall by the ground truth of the generated \
         data. Going down a list, the line shows which share of the wrong or missing edges has been found so far (to \
         the right) and which share of the list was right (upwards). Guessing stays on the dashed line.</p>\n\
         <div class=\"figures\">{charts}</div>\n"
    )
}

fn edge_table(p: &str, edges: &[EdgeFinding]) -> String {
    let both = |[one, other]: &[String; 2]| format!("{} – {}", escape(one), escape(other));
    let row = |edge: &EdgeFinding| {
        let p = escape(&probability(edge.probability));
        vec![both(&edge.names), both(&edge.predicted), p, escape(&edge.reasons.to_string())]
    };
    table(&["edge", "predicted", p, "reasons"], edges.iter().take(LISTED).map(row), 4)
}
