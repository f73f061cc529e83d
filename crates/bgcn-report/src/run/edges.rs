//! The report's sections on edges: suspicious ones, missing ones, and the calibration of their probabilities.

use super::{figures, neighbourhood};
use crate::html::{escape, table};
use crate::text::{fdr_list, grouped, percent, probability, with_name};
use bgcn::findings::{EdgeFinding, EdgeFindings, Findings, PrecisionAt};
use bgcn_core::links::{Links, RATE};
use bgcn_core::recipe::DecoyKind;
use std::fmt::Write as _;

/// Edges of each kind in the tables.
const LISTED: usize = 10;

/// Characters of a text beside an id at most.
pub(super) const NAME: usize = 60;

/// Both kinds of edges, and the ground truth where it is known.
pub fn section(findings: &Findings<'_>, edges: &EdgeFindings<'_>) -> String {
    suspicious(findings, edges) + &missing(edges) + &found(edges)
}

fn suspicious(findings: &Findings<'_>, edges: &EdgeFindings<'_>) -> String {
    let links = edges.links;
    let mut text = format!("<h2>Suspicious edges</h2>\n<p>{}</p>\n", about(edges));
    match figures::decoy_calibration(&links.calibration) {
        Some(chart) => {
            let _ = write!(text, "<p>{LIMITS}</p>\n<div class=\"figures\">{chart}</div>\n");
        }
        None => text += "<p>There are too few edges to learn from: all edges have one P(spurious).</p>\n",
    }
    text += &edge_table("P(spurious)", &edges.suspicious);
    text += &drawings(findings, edges);
    if let Some(precision) = edges.precision {
        let share = |at: &PrecisionAt| format!("precision@{} {}", at.first, percent(at.precision));
        let shares: Vec<String> = precision.suspicious.iter().map(share).collect();
        let _ = writeln!(
            text,
            "<p class=\"soft\">Ground truth of the generated data: {} (by chance {}).</p>",
            shares.join(", "),
            percent(precision.suspicious_by_chance)
        );
    }
    text
}

/// The assumption behind decoys, and how to read the reasons.
const LIMITS: &str = "The estimate assumes that spurious edges are distributed like decoys. Spurious edges of another \
                      origin may be more or fewer, and an attacker who knows the method can add edges with a low \
                      P(spurious). The numbers after the reasons are terms of the log-odds of P(spurious).";

/// ρ, the list, and the decoys.
fn about(edges: &EdgeFindings<'_>) -> String {
    let Links { rho, decoys, decoy_kind, lists, .. } = edges.links;
    let drawn = match decoy_kind {
        DecoyKind::Uniform => "each between two nodes at random",
        DecoyKind::Aimed => "each at a labelled node, as an attacker would",
    };
    format!(
        "Estimated share of spurious edges: {}; {}. P(spurious) is calibrated with decoys: {} random edges added to \
         the graph, {drawn}.",
        percent(*rho),
        fdr_list(lists, RATE),
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
        "<p>Some of them with the neighbours of both ends{coloured}; the suspicious edge is dashed.</p>\n\
         <div class=\"legend\">{legend}</div>\n<div class=\"figures\">{drawings}</div>\n"
    )
}

fn missing(edges: &EdgeFindings<'_>) -> String {
    let mut text = "<h2>Missing edges</h2>\n".to_owned();
    if edges.missing.is_empty() {
        return text + "<p>No missing edge was found.</p>\n";
    }
    text += "<p>Pairs without an edge, ranked by the same kinds of evidence.";
    if let Some(recall) = edges.links.recall {
        let _ = write!(
            text,
            " Candidate search: of {} hidden edges, {} are among the candidates.",
            grouped(recall.hidden),
            percent(recall.share())
        );
    }
    text + "</p>\n" + &edge_table("P(missing)", &edges.missing)
}

/// Precision and recall of both rankings, where the truth is known.
fn found(edges: &EdgeFindings<'_>) -> String {
    let found = edges.precision;
    let charts = [found.and_then(figures::spurious_found), found.and_then(figures::missing_found)];
    let charts: String = charts.into_iter().flatten().collect();
    if charts.is_empty() {
        return charts;
    }
    format!(
        "<h2>Precision and recall of the edge lists</h2>\n<p>By the ground truth of the generated data. The dashed line \
         is chance.</p>\n\
         <div class=\"figures\">{charts}</div>\n"
    )
}

fn edge_table(p: &str, edges: &[EdgeFinding]) -> String {
    let both = |[one, other]: &[String; 2]| format!("{} – {}", escape(one), escape(other));
    let row = |edge: &EdgeFinding| {
        let p = escape(&probability(edge.probability));
        let names = [0, 1].map(|end| with_name(&edge.names[end], &edge.called[end], NAME));
        vec![both(&names), both(&edge.predicted), p, escape(&edge.reasons.to_string())]
    };
    table(&["edge", "predicted", p, "reasons"], edges.iter().take(LISTED).map(row), 4)
}
