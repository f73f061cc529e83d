//! The report's charts: reliability, accuracy and coverage, uncertainty by degree, predicted numbers, edges.

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

/// The methods of solid and dashed lines, where there are two.
fn legend(findings: &Findings<'_>) -> String {
    let ours = escape(&findings.about.method);
    plain(findings).map_or(String::new(), |(method, _)| format!(" Solid: {ours}; dashed: {}.", escape(method)))
}

/// The area of a dot is proportional to the count.
fn radius(count: usize, total: usize) -> f64 {
    1.5 + 6.5 * (count as f64 / total as f64).sqrt()
}

pub fn reliability(findings: &Findings<'_>, metrics: &ClassMetrics) -> String {
    let points = |metrics: &ClassMetrics| -> Vec<(f64, f64)> {
        metrics.reliability.iter().filter(|bin| bin.count > 0).map(|bin| (bin.confidence, bin.accuracy)).collect()
    };
    let mut chart = Chart::new(Axis::share("confidence", 0.0), Axis::share("accuracy", 0.0));
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
        "Thin diagonal: perfect calibration; above it, the predictions are underconfident. The area of a dot is \
         proportional to its nodes. Expected calibration error {:.1} %.{}",
        100.0 * metrics.scores.ece,
        legend(findings)
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
    let mut chart = Chart::new(Axis::share("share of nodes kept", 0.0), Axis::share("accuracy", low));
    if let Some((_, metrics)) = plain(findings) {
        chart = chart.line(&points(metrics), "plain");
    }
    chart = chart.line(&points(metrics), "ours");
    let half = metrics.coverage.iter().find(|point| point.coverage >= 0.5).map_or(0.0, |point| point.accuracy);
    let alt = format!("Accuracy of the most confident half {:.1} percent", 100.0 * half);
    let caption = format!(
        "Accuracy over the most confident share of the nodes. Over the most confident half: {:.1} %.{}",
        100.0 * half,
        legend(findings)
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
        Some(_) => (
            "entropy (nats)",
            "Bars: expected entropy within draws (data); on top, mutual information between draws (model).",
        ),
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
    let chart = Chart::new(Axis::share("nominal coverage", 0.0), Axis::share("empirical coverage", 0.0));
    let chart = chart.line(&[(0.0, 0.0), (1.0, 1.0)], "ideal").line(&points, "ours").dots(&points, 3.5, "dot-ours");
    let caption = "Share of the true numbers inside the central intervals. Above the diagonal the intervals are \
        too wide.";
    figure(chart.finish("Coverage of predictive intervals"), "Interval coverage", caption)
}

/// P(spurious) beside the share of spurious edges that decoys imply; `None` where there was nothing to learn from.
pub fn decoy_calibration(bins: &[DecoyBin]) -> Option<String> {
    let total: usize = bins.iter().map(|bin| bin.edges).sum();
    let y = Axis::share("share that is spurious, by decoys", 0.0);
    let mut chart = Chart::new(Axis::share("P(spurious)", 0.0), y).line(&[(0.0, 0.0), (1.0, 1.0)], "ideal");
    for bin in bins {
        chart = chart.dots(&[(bin.claimed, bin.by_decoys)], radius(bin.edges, total), "dot-ours");
    }
    let caption = "Thin diagonal: perfect calibration; below it, P(spurious) is too high. The area of a dot is \
                   proportional to its edges.";
    let drawing = chart.finish("P(spurious) of observed edges against the share that decoys imply");
    (total > 0).then(|| figure(drawing, "Calibration by decoys", caption))
}

/// Spurious edges found by going down the ranking of observed edges; `None` where none is spurious.
pub fn spurious_found(found: &EdgePrecision) -> Option<String> {
    let (average, chance) = (found.suspicious_average_precision?, found.suspicious_by_chance);
    let [x, y] = [Axis::share("recall", 0.0), Axis::share("precision", 0.0)];
    let chart = recall_line(Chart::new(x, y), &found.suspicious_curve, chance);
    let caption = format!("Observed edges by P(spurious). Average precision {average:.2} (by chance {chance:.2}).");
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
    let x = Axis::share_up_to("recall", reached);
    let y = Axis::share_up_to("precision", best.fold(chance, f64::max));
    let chart = recall_line(Chart::new(x, y), &found.missing_curve, chance);
    let caption = format!(
        "Pairs without an edge by P(missing). The ranked pairs end at a recall of {:.1} %. Average precision at least \
         {average:.4} (by chance one pair in {}).",
        100.0 * reached,
        grouped((1.0 / chance).round() as usize)
    );
    Some(figure(chart.finish(format!("Average precision of likely pairs {average:.4}")), "Missing edges", &caption))
}

/// A precision–recall curve, and chance.
fn recall_line(chart: Chart, curve: &[RecallPoint], chance: f64) -> Chart {
    let points: Vec<(f64, f64)> = curve.iter().map(|point| (point.recall, point.precision)).collect();
    let chart = chart.line(&[(0.0, chance), (1.0, chance)], "ideal").line(&points, "ours");
    // Of a few steps, which large ties make, a line alone could be a point.
    if points.len() < FEW { chart.dots(&points, 3.5, "dot-ours") } else { chart }
}
