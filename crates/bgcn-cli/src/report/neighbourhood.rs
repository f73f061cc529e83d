//! Small drawings of suspicious edges: the two ends, and the neighbours around them.

use super::svg::{escape, wrap};
use crate::fit::Outcome;
use bgcn::graph_model::BelievedPair;
use bgcn::posterior::Predictions;
use std::f64::consts::PI;
use std::fmt::Write as _;

const SIZE: [f64; 2] = [300.0, 200.0];
/// Neighbours of one end that are drawn at most.
const MOST: usize = 9;

/// The pair in the middle, own neighbours to its sides, common ones above and below.
pub fn draw(outcome: &Outcome<'_>, pair: &BelievedPair) -> String {
    let graph = &outcome.job.data.graph;
    let (a, b) = (pair.a, pair.b);
    let (left, right) = ((105.0, 95.0), (195.0, 95.0));
    let mut links = String::new();
    let mut nodes = String::new();
    let mut link = |from: (f64, f64), to: (f64, f64)| {
        let _ = write!(
            links,
            r#"<line class="link" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}"/>"#,
            from.0, from.1, to.0, to.1
        );
    };
    let mut node = |at: (f64, f64), c: u32, class: &str| {
        let _ = write!(
            nodes,
            r#"<circle class="{}{class}" cx="{:.1}" cy="{:.1}" r="{}"><title>{}: {}</title></circle>"#,
            colour(outcome, c),
            at.0,
            at.1,
            if class.is_empty() { 7 } else { 11 },
            escape(&outcome.job.data.ids.name(c)),
            escape(&outcome.predicted(c)),
        );
    };
    let common: Vec<u32> = graph.neighbours(a).iter().copied().filter(|&c| graph.has_edge(c, b)).take(4).collect();
    for (i, &c) in common.iter().enumerate() {
        let at = (150.0 + 14.0 * (i / 2) as f64, if i % 2 == 0 { 36.0 } else { 154.0 });
        link(left, at);
        link(right, at);
        node(at, c, "");
    }
    let mut hidden = 0;
    for (end, centre, other, facing) in [(a, left, b, PI), (b, right, a, 0.0)] {
        let own: Vec<u32> =
            graph.neighbours(end).iter().copied().filter(|&c| c != other && !graph.has_edge(c, other)).collect();
        let shown = own.len().min(MOST);
        hidden += own.len() - shown;
        for (i, &c) in own.iter().take(MOST).enumerate() {
            let angle = facing + 1.1 * PI * ((i as f64 + 0.5) / shown as f64 - 0.5);
            let at = (centre.0 + 82.0 * angle.cos(), centre.1 + 76.0 * angle.sin());
            link(centre, at);
            node(at, c, "");
        }
    }
    node(left, a, " ring");
    node(right, b, " ring");
    let mut body = links;
    let _ = write!(
        body,
        r#"<line class="doubt" x1="{}" y1="{}" x2="{}" y2="{}"/>{nodes}"#,
        left.0, left.1, right.0, right.1
    );
    if hidden > 0 {
        let (x, y) = (SIZE[0] / 2.0, SIZE[1] - 4.0);
        let _ = write!(body, r#"<text x="{x}" y="{y}" text-anchor="middle">{hidden} more not drawn</text>"#);
    }
    let ids = &outcome.job.data.ids;
    let alt = format!("Edge between {} and {} with the neighbours of both", ids.name(a), ids.name(b));
    let caption = format!(
        "<b>{} – {}</b>: {} and {}, probability {:.5}",
        escape(&ids.name(a)),
        escape(&ids.name(b)),
        escape(&outcome.predicted(a)),
        escape(&outcome.predicted(b)),
        pair.p
    );
    format!("<figure>{}<figcaption>{caption}</figcaption></figure>\n", wrap(SIZE, &alt, &body))
}

/// The style class of a node's predicted class.
fn colour(outcome: &Outcome<'_>, a: u32) -> String {
    match &outcome.fit.predictions {
        Predictions::Classes(posterior) => format!("k{}", posterior.prediction(a) % 10),
        Predictions::Values(_) => "k0".into(),
    }
}
