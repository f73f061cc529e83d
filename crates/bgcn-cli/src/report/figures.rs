//! The report's charts: reliability, accuracy–coverage, uncertainty by degree, convergence, predicted numbers, finds among edges.

use super::svg::{Axis, Chart, figure};
use crate::fit::{Judgement, Outcome};
use crate::screen::grouped;
use bgcn::data::Labels;
use bgcn::metrics::RecallPoint;
use bgcn::posterior::{Posterior, Values};
use bgcn::run::{ClassMetrics, EdgePrecision, ValueMetrics};

/// Points drawn of a scatter at most; more only make the file larger.
const SCATTER: usize = 1500;
/// Points of a curve below which each is marked.
const FEW: usize = 10;
/// The bin of all nodes with more than 32 neighbours.
const LAST_BIN: usize = 7;

fn plain<'a>(outcome: &'a Outcome<'_>) -> Option<(&'a str, &'a ClassMetrics)> {
    match outcome.plain.as_ref().map(|plain| (plain.method.as_str(), &plain.judgement)) {
        Some((method, Judgement::Classes(metrics))) => Some((method, metrics)),
        _ => None,
    }
}

/// "Solid: ours; dashed: the other", where there is another.
fn who(outcome: &Outcome<'_>) -> String {
    let ours = super::svg::escape(&outcome.job.record.method);
    plain(outcome)
        .map_or(String::new(), |(method, _)| format!(" Solid: {ours}; dashed: {}.", super::svg::escape(method)))
}

pub fn reliability(outcome: &Outcome<'_>, metrics: &ClassMetrics) -> String {
    let points = |metrics: &ClassMetrics| -> Vec<(f64, f64)> {
        metrics.reliability.iter().filter(|bin| bin.count > 0).map(|bin| (bin.confidence, bin.accuracy)).collect()
    };
    let mut chart = Chart::new(Axis::share("confidence", 0.0), Axis::share("share that is right", 0.0));
    chart = chart.line(&[(0.0, 0.0), (1.0, 1.0)], "ideal");
    if let Some((_, metrics)) = plain(outcome) {
        chart = chart.line(&points(metrics), "plain").dots(&points(metrics), 2.0, "dot-plain");
    }
    chart = chart.line(&points(metrics), "ours");
    for bin in metrics.reliability.iter().filter(|bin| bin.count > 0) {
        // The area follows the count, so that an outlier of two nodes looks like one.
        let radius = 1.5 + 6.5 * (bin.count as f64 / metrics.nodes as f64).sqrt();
        chart = chart.dots(&[(bin.confidence, bin.accuracy)], radius, "dot-ours");
    }
    let alt = format!("Reliability curve; expected calibration error {:.1} percent", 100.0 * metrics.scores.ece);
    let caption = format!(
        "On the thin diagonal a confidence of 80 % means being right in 80 % of the cases; above it, the predictions are too \
         modest. The larger a dot, the more nodes. Calibration error {:.1} %.{}",
        100.0 * metrics.scores.ece,
        who(outcome)
    );
    figure(&chart.finish(&alt), "Reliability", &caption)
}

pub fn coverage(outcome: &Outcome<'_>, metrics: &ClassMetrics) -> String {
    let points = |metrics: &ClassMetrics| -> Vec<(f64, f64)> {
        metrics.coverage.iter().map(|point| (point.coverage, point.accuracy)).collect()
    };
    let all: Vec<f64> = points(metrics)
        .into_iter()
        .chain(plain(outcome).into_iter().flat_map(|(_, m)| points(m)))
        .map(|p| p.1)
        .collect();
    let lowest = all.iter().copied().fold(1.0, f64::min);
    let low = [0.8, 0.5].into_iter().find(|low| lowest > low + 0.02).unwrap_or(0.0);
    let mut chart = Chart::new(Axis::share("share of nodes answered", 0.0), Axis::share("share that is right", low));
    if let Some((_, metrics)) = plain(outcome) {
        chart = chart.line(&points(metrics), "plain");
    }
    chart = chart.line(&points(metrics), "ours");
    let half = metrics.coverage.iter().find(|point| point.coverage >= 0.5).map_or(0.0, |point| point.accuracy);
    let alt = format!("Accuracy of the most confident half {:.1} percent", 100.0 * half);
    let caption = format!(
        "Who may leave the least confident nodes unanswered is right more often: of the most confident half, {:.1} % are right.{}",
        100.0 * half,
        who(outcome)
    );
    figure(&chart.finish(&alt), "Accuracy and coverage", &caption)
}

/// Nodes in bins of their number of neighbours: 0, 1, 2, 3–4, 5–8, 9–16, 17–32, more.
fn by_degree(outcome: &Outcome<'_>) -> Vec<(String, Vec<u32>)> {
    let graph = &outcome.job.data.graph;
    let bin = |degree: usize| match degree {
        0..=2 => degree,
        _ => (1 + (usize::BITS - (degree - 1).leading_zeros()) as usize).min(LAST_BIN),
    };
    let mut bins: Vec<Vec<u32>> = Vec::new();
    for a in 0..graph.nodes() as u32 {
        let at = bin(graph.degree(a));
        if bins.len() <= at {
            bins.resize(at + 1, Vec::new());
        }
        bins[at].push(a);
    }
    let name = |at: usize| match at {
        0..=2 => at.to_string(),
        LAST_BIN => format!("{}+", (1 << (at - 2)) + 1),
        _ => format!("{}–{}", (1 << (at - 2)) + 1, 1 << (at - 1)),
    };
    bins.into_iter().enumerate().filter(|(_, nodes)| !nodes.is_empty()).map(|(at, nodes)| (name(at), nodes)).collect()
}

pub fn uncertainty_by_degree(outcome: &Outcome<'_>, posterior: &Posterior) -> String {
    let mean =
        |nodes: &[u32], of: &[f32]| nodes.iter().map(|&a| f64::from(of[a as usize])).sum::<f64>() / nodes.len() as f64;
    let bins: Vec<(String, f64, f64)> = by_degree(outcome)
        .into_iter()
        .map(|(name, nodes)| {
            (name, mean(&nodes, &posterior.expected_entropy), mean(&nodes, &posterior.mutual_information))
        })
        .collect();
    stacked(
        &bins,
        "entropy (nats)",
        "Bars: the part that every draw has (data); on top, the part that draws disagree about (model).",
    )
}

pub fn spread_by_degree(outcome: &Outcome<'_>, values: &Values) -> String {
    let bins: Vec<(String, f64, f64)> = by_degree(outcome)
        .into_iter()
        .map(|(name, nodes)| {
            let between = nodes.iter().map(|&a| values.between[a as usize]).sum::<f64>() / nodes.len() as f64;
            (name, values.noise, between)
        })
        .collect();
    stacked(&bins, "variance", "Bars: noise, the same everywhere; on top, the variance between draws.")
}

fn stacked(bins: &[(String, f64, f64)], label: &'static str, caption: &str) -> String {
    let names: Vec<String> = bins.iter().map(|(name, ..)| name.clone()).collect();
    let top = bins.iter().map(|(_, low, high)| low + high).fold(1e-9, f64::max);
    let mut chart = Chart::new(Axis::names("neighbours", &names), Axis::numbers(label, 0.0, 1.05 * top));
    for (i, (_, data, model)) in bins.iter().enumerate() {
        let x = [i as f64 + 0.14, i as f64 + 0.86];
        chart = chart.bar(x, [0.0, *data], "fill-data").bar(x, [*data, data + model], "fill-model");
    }
    figure(&chart.finish("Mean uncertainty of nodes by their number of neighbours"), "Uncertainty by degree", caption)
}

/// The log posterior over the iterations of an inference, as its distance to the last value.
pub fn convergence(outcome: &Outcome<'_>) -> Option<String> {
    let report = outcome.convergence()?;
    let last = report.trace.last()?;
    let points: Vec<(f64, f64)> = report.trace.iter().map(|p| (p.iteration as f64, p.log_posterior)).collect();
    let (low, high) = points.iter().fold((f64::MAX, f64::MIN), |(low, high), p| (low.min(p.1), high.max(p.1)));
    let margin = (0.06 * (high - low)).max(1.0);
    let y = Axis::numbers("log posterior", low - margin, high + margin);
    let chart = Chart::new(Axis::numbers("iteration", 0.0, last.iteration as f64), y);
    let chart = chart.line(&points, "ours").dots(&points, 2.5, "dot-ours");
    let (inferences, each) = (outcome.fit.inferences.len(), outcome.fit.inferences.last()?.iterations);
    let caption = format!(
        "How well the block model explains the graph while it is inferred, once more from the final predictions. In the run it was \
         inferred {inferences} times, with {each} iterations each."
    );
    Some(figure(
        &chart.finish("Log posterior of the block model by iteration"),
        "Convergence of the block model",
        &caption,
    ))
}

/// Predicted against true numbers of test nodes.
pub fn scatter(outcome: &Outcome<'_>, values: &Values) -> String {
    let Labels::Values(of) = &outcome.job.data.labels else { return String::new() };
    let test = &outcome.job.split.test;
    let step = test.len().div_ceil(SCATTER).max(1);
    let point = |&a: &u32| Some((f64::from(of[a as usize]?), values.mean[a as usize]));
    let points: Vec<(f64, f64)> = test.iter().step_by(step).filter_map(point).collect();
    let ends = points.iter().flat_map(|p| [p.0, p.1]);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)));
    let chart = Chart::new(Axis::numbers("true", low, high), Axis::numbers("predicted", low, high));
    let chart = chart.line(&[(low, low), (high, high)], "ideal").dots(&points, 2.5, "dot-soft");
    figure(
        &chart.finish("Predicted against true numbers"),
        "Predicted and true",
        "Test nodes; on the diagonal both are equal.",
    )
}

pub fn intervals(metrics: &ValueMetrics) -> String {
    let points: Vec<(f64, f64)> = metrics.intervals.iter().map(|i| (i.claimed, i.inside)).collect();
    let chart = Chart::new(Axis::share("probability claimed", 0.0), Axis::share("share inside", 0.0));
    let chart = chart.line(&[(0.0, 0.0), (1.0, 1.0)], "ideal").line(&points, "ours").dots(&points, 3.5, "dot-ours");
    let caption = "How many true numbers lie inside the central intervals. Above the diagonal the intervals are wider than need be.";
    figure(&chart.finish("Coverage of predictive intervals"), "Interval coverage", caption)
}

/// Spurious edges found by going down the ranking of observed edges; `None` where none is spurious.
pub fn spurious_found(found: &EdgePrecision) -> Option<String> {
    let (average, chance) = (found.suspicious_average_precision?, found.suspicious_by_chance);
    let [x, y] =
        [Axis::share("share of the spurious edges found", 0.0), Axis::share("share of the list that is right", 0.0)];
    let chart = recall_line(Chart::new(x, y), &found.suspicious_curve, chance);
    let caption = format!(
        "All observed edges, the most suspicious first. Average precision {average:.2}; by chance it would be {chance:.2}."
    );
    Some(figure(
        &chart.finish(&format!("Average precision of suspicious edges {average:.2}")),
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
        "Pairs without an edge, the likeliest first. Only the first are ranked, and the curve ends where they do: {:.1} % of the \
         missing edges are found. Average precision at least {average:.4}; by chance one pair in {} would be right.",
        100.0 * reached,
        grouped((1.0 / chance).round() as usize)
    );
    Some(figure(&chart.finish(&format!("Average precision of likely pairs {average:.4}")), "Missing edges", &caption))
}

/// A precision–recall curve, and what guessing would give.
fn recall_line(chart: Chart, curve: &[RecallPoint], chance: f64) -> Chart {
    let points: Vec<(f64, f64)> = curve.iter().map(|point| (point.recall, point.precision)).collect();
    let chart = chart.line(&[(0.0, chance), (1.0, chance)], "ideal").line(&points, "ours");
    // Of a few steps, which large ties make, a line alone could be a point.
    if points.len() < FEW { chart.dots(&points, 3.5, "dot-ours") } else { chart }
}
