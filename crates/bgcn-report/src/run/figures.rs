//! The report's charts: reliability, accuracy–coverage, uncertainty by degree, predicted numbers,
//! doubts and finds among edges.

use crate::html::escape;
use crate::svg::{Axis, Chart, Drawing};
use crate::text::grouped;
use bgcn::findings::{ClassMetrics, DegreeBin, EdgePrecision, Findings, Judgement, ValueMetrics};
use bgcn_core::links::DecoyBin;
use bgcn_core::metrics::RecallPoint;

/// Points of a curve below which each is marked.
const FEW: usize = 10;

/// A chart with its caption, which is HTML.
fn figure(drawing: Drawing, title: &str, caption: &str) -> String {
    let svg = drawing.inline();
    format!("<figure>{svg}<figcaption><b>{title}.</b> {caption}</figcaption></figure>\n")
}

/// The plain network's name and scores, where it was fitted.
pub fn plain<'a>(findings: &Findings<'a>) -> Option<(&'a str, &'a ClassMetrics)> {
    match findings.plain.map(|plain| (plain.method.as_str(), &plain.judgement)) {
        Some((method, Judgement::Classes(metrics))) => Some((method, metrics)),
        _ => None,
    }
}

/// "Solid: ours; dashed: the other", where there is another.
fn who(findings: &Findings<'_>) -> String {
    let ours = escape(&findings.about.method);
    plain(findings).map_or(String::new(), |(method, _)| format!(" Solid: {ours}; dashed: {}.", escape(method)))
}

/// The area of a dot follows the count, so that an outlier of two looks like one.
fn radius(count: usize, total: usize) -> f64 {
    1.5 + 6.5 * (count as f64 / total as f64).sqrt()
}

pub fn reliability(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let points = |metrics: &ClassMetrics| -> Vec<(f64, f64)> {
        metrics.reliability.iter().filter(|bin| bin.count > 0).map(|bin| (bin.confidence, bin.accuracy)).collect()
    };
    let mut chart = Chart::new(Axis::share("confidence", 0.0), Axis::share("share that is right", 0.0));
    chart = chart.line(&[(0.0, 0.0), (1.0, 1.0)], "ideal");
    if let Some((_, metrics)) = plain(findings) {
        chart = chart.line(&points(metrics), "plain").dots(&points(metrics), 2.0, "dot-plain");
    }
    chart = chart.line(&points(metrics), "ours");
    for bin in metrics.reliability.iter().filter(|bin| bin.count > 0) {
        chart = chart.dots(&[(bin.confidence, bin.accuracy)], radius(bin.count, metrics.nodes), "dot-ours");
    }
    let alt = format!("Reliability curve; expected calibration error {:.1} percent", 100.0 * metrics.scores.ece);
    let caption = format!(
        "On the thin diagonal a confidence of 80 % means being right in 80 % of the cases; above it, the predictions \
         are underconfident. The larger a dot, the more nodes. Calibration error {:.1} %.{}",
        100.0 * metrics.scores.ece,
        who(findings)
    );
    figure(chart.finish(alt), "Reliability", &caption)
}

pub fn coverage(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let points = |metrics: &ClassMetrics| -> Vec<(f64, f64)> {
        metrics.coverage.iter().map(|point| (point.coverage, point.accuracy)).collect()
    };
    let all: Vec<f64> = points(metrics)
        .into_iter()
        .chain(plain(findings).into_iter().flat_map(|(_, m)| points(m)))
        .map(|p| p.1)
        .collect();
    let lowest = all.iter().copied().fold(1.0, f64::min);
    let low = [0.8, 0.5].into_iter().find(|low| lowest > low + 0.02).unwrap_or(0.0);
    let mut chart = Chart::new(Axis::share("share of nodes answered", 0.0), Axis::share("share that is right", low));
    if let Some((_, metrics)) = plain(findings) {
        chart = chart.line(&points(metrics), "plain");
    }
    chart = chart.line(&points(metrics), "ours");
    let half = metrics.coverage.iter().find(|point| point.coverage >= 0.5).map_or(0.0, |point| point.accuracy);
    let alt = format!("Accuracy of the most confident half {:.1} percent", 100.0 * half);
    let caption = format!(
        "Leaving the least confident nodes unanswered raises the accuracy: of the most confident half, {:.1} % are \
         right.{}",
        100.0 * half,
        who(findings)
    );
    figure(chart.finish(alt), "Accuracy and coverage", &caption)
}

/// Stacked bars: the uncertainty that every draw has, and on top the uncertainty between draws.
pub fn uncertainty_by_degree(findings: &Findings<'_>) -> String {
    let bins = &findings.by_degree;
    let name = |bin: &DegreeBin| match bin.to {
        Some(to) if to == bin.from => to.to_string(),
        Some(to) => format!("{}–{to}", bin.from),
        None => format!("{}+", bin.from),
    };
    let names: Vec<String> = bins.iter().map(name).collect();
    let top = bins.iter().map(|bin| bin.data + bin.model).fold(1e-9, f64::max);
    let (label, caption) = match findings.all_nodes {
        Some(_) => {
            ("entropy (nats)", "Bars: the part that every draw has (data); on top, the part between draws (model).")
        }
        None => ("variance", "Bars: noise, the same everywhere; on top, the variance between draws."),
    };
    let mut chart = Chart::new(Axis::names("neighbours", &names), Axis::numbers(label, 0.0, 1.05 * top));
    for (i, bin) in bins.iter().enumerate() {
        let x = [i as f64 + 0.14, i as f64 + 0.86];
        chart = chart.bar(x, [0.0, bin.data], "fill-data").bar(x, [bin.data, bin.data + bin.model], "fill-model");
    }
    let drawing = chart.finish("Mean uncertainty of nodes by their number of neighbours");
    figure(drawing, "Uncertainty by degree", caption)
}

/// Predicted against true numbers of test nodes.
pub fn scatter(points: &[(f64, f64)]) -> String {
    let ends = points.iter().flat_map(|p| [p.0, p.1]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    let chart = Chart::new(Axis::numbers("true", low, high), Axis::numbers("predicted", low, high));
    let chart = chart.line(&[(low, low), (high, high)], "ideal").dots(points, 2.5, "dot-soft");
    let drawing = chart.finish("Predicted against true numbers");
    figure(drawing, "Predicted and true", "Test nodes; on the diagonal both are equal.")
}

pub fn intervals(metrics: &ValueMetrics) -> String {
    let points: Vec<(f64, f64)> = metrics.intervals.iter().map(|i| (i.claimed, i.inside)).collect();
    let chart = Chart::new(Axis::share("probability claimed", 0.0), Axis::share("share inside", 0.0));
    let chart = chart.line(&[(0.0, 0.0), (1.0, 1.0)], "ideal").line(&points, "ours").dots(&points, 3.5, "dot-ours");
    let caption = "How many true numbers lie inside the central intervals. Above the diagonal the intervals are \
        wider than need be.";
    figure(chart.finish("Coverage of predictive intervals"), "Interval coverage", caption)
}

/// P(spurious) beside the share of spurious edges that the decoys tell; `None` where there was nothing to learn from.
pub fn decoy_calibration(bins: &[DecoyBin]) -> Option<String> {
    let total: usize = bins.iter().map(|bin| bin.edges).sum();
    let y = Axis::share("share that is spurious", 0.0);
    let mut chart = Chart::new(Axis::share("P(spurious)", 0.0), y).line(&[(0.0, 0.0), (1.0, 1.0)], "ideal");
    for bin in bins {
        chart = chart.dots(&[(bin.claimed, bin.by_decoys)], radius(bin.edges, total), "dot-ours");
    }
    let caption = "On the thin diagonal a P(spurious) of 80 % means that 80 % of such edges are spurious, as far as \
                   decoys can tell; below it, edges are doubted too much. The larger a dot, the more edges.";
    let drawing = chart.finish("P(spurious) of observed edges against the share that the decoys tell");
    (total > 0).then(|| figure(drawing, "P(spurious) beside what the decoys say", caption))
}

/// Spurious edges found by going down the ranking of observed edges; `None` where none is spurious.
pub fn spurious_found(found: &EdgePrecision) -> Option<String> {
    let (average, chance) = (found.suspicious_average_precision?, found.suspicious_by_chance);
    let [x, y] =
        [Axis::share("share of the spurious edges found", 0.0), Axis::share("share of the list that is right", 0.0)];
    let chart = recall_line(Chart::new(x, y), &found.suspicious_curve, chance);
    let caption = format!(
        "All observed edges, the most suspicious first. Average precision {average:.2}; by chance it would be \
         {chance:.2}."
    );
    Some(figure(
        chart.finish(format!("Average precision of suspicious edges {average:.2}")),
        "Spurious edges",
        &caption,
    ))
}

/// Missing edges found by going down the ranking of unobserved pairs; `None` where none is missing or ranked.
pub fn missing_found(found: &EdgePrecision) -> Option<String> {
    let (average, chance) = (found.missing_average_precision?, found.missing_by_chance);
    let (reached, best) = (found.missing_curve.last()?.recall, found.missing_curve.iter().map(|point| point.precision));
    let x = Axis::share_up_to("share of the missing edges found", reached);
    let y = Axis::share_up_to("share of the list that is right", best.fold(chance, f64::max));
    let chart = recall_line(Chart::new(x, y), &found.missing_curve, chance);
    let caption = format!(
        "Pairs without an edge, the likeliest first. Only the first are ranked, and the curve ends where they do: \
         {:.1} % of the missing edges are found. Average precision at least {average:.4}; by chance one pair in {} \
         would be right.",
        100.0 * reached,
        grouped((1.0 / chance).round() as usize)
    );
    Some(figure(chart.finish(format!("Average precision of likely pairs {average:.4}")), "Missing edges", &caption))
}

/// A precision–recall curve, and what guessing would give.
fn recall_line(chart: Chart, curve: &[RecallPoint], chance: f64) -> Chart {
    let points: Vec<(f64, f64)> = curve.iter().map(|point| (point.recall, point.precision)).collect();
    let chart = chart.line(&[(0.0, chance), (1.0, chance)], "ideal").line(&points, "ours");
    // Of a few steps, which large ties make, a line alone could be a point.
    if points.len() < FEW { chart.dots(&points, 3.5, "dot-ours") } else { chart }
}
