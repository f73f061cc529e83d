//! How many suspicious edges are spurious, and how many likely ones missing, by the ground truth of generated data.
//! Paper: not in it; the edge study has no truth to compare with.
//! Differs: observed edges are all ranked. Of unobserved pairs only the likeliest are, for there are about N²/2.

use bgcn_core::data::Dataset;
use bgcn_core::links::{Links, MISSING};
use bgcn_core::metrics::{RecallPoint, average_precision, precision_recall};
use serde::{Deserialize, Serialize};

/// How many of the first are judged.
const FIRSTS: [usize; 3] = [10, 50, 100];
/// Points of a curve at most: a figure resolves no more.
const POINTS: usize = 100;

/// How many of the edges found are really wrong, or really missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgePrecision {
    /// Of the most suspicious observed edges.
    pub suspicious: Vec<PrecisionAt>,
    /// Share of all observed edges that is spurious: what guessing would find.
    pub suspicious_by_chance: f64,
    /// Average precision of the ranking of all observed edges; `None` where none is spurious.
    pub suspicious_average_precision: Option<f64>,
    /// Precision and recall from the most suspicious edge to all, thinned.
    pub suspicious_curve: Vec<RecallPoint>,
    /// Of the likeliest unobserved pairs.
    pub missing: Vec<PrecisionAt>,
    /// Share of all unobserved pairs that is a removed edge.
    pub missing_by_chance: f64,
    /// Average precision of the ranking of unobserved pairs, from below: those beyond the end of the curve count as
    /// never found. `None` where no edge is missing, or no other pair is ranked.
    pub missing_average_precision: Option<f64>,
    /// Precision and recall from the likeliest pair to the last one that was ranked, thinned.
    pub missing_curve: Vec<RecallPoint>,
}

/// The share of true finds among the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionAt {
    /// How many were looked at.
    pub first: usize,
    /// The share of them that is right.
    pub precision: f64,
}

impl EdgePrecision {
    /// Compares rankings with the ground truth; `None` where there is none. All observed edges are ranked, the most
    /// suspicious first; of other pairs the likeliest [`MISSING`].
    pub(super) fn of(data: &Dataset, links: &Links) -> Option<Self> {
        let truth = data.truth.as_ref()?;
        let (n, edges) = (data.nodes() as f64, data.graph.edges());
        let observed: Vec<Find> =
            links.edges.iter().map(|edge| (edge.log_odds, is_in(&truth.spurious, edge.a, edge.b))).collect();
        let unobserved: Vec<Find> =
            links.missing.iter().map(|pair| (pair.log_odds, is_in(&truth.missing, pair.a, pair.b))).collect();
        let suspicious_curve = precision_recall(&observed, truth.spurious.len());
        let whole = if unobserved.len() == MISSING { whole_ties(&unobserved) } else { &unobserved };
        let missing_curve = precision_recall(whole, truth.missing.len());
        Some(Self {
            suspicious: precisions(&observed),
            suspicious_by_chance: truth.spurious.len() as f64 / (edges as f64).max(1.0),
            suspicious_average_precision: average_precision(&suspicious_curve),
            suspicious_curve: thinned(&suspicious_curve),
            missing: precisions(&unobserved),
            missing_by_chance: truth.missing.len() as f64 / (n * (n - 1.0) / 2.0 - edges as f64).max(1.0),
            missing_average_precision: average_precision(&missing_curve),
            missing_curve: thinned(&missing_curve),
        })
    }
}

/// A find's score, and whether it is right.
type Find = (f64, bool);

/// Whether a pair is among `known`, which ascend.
fn is_in(known: &[(u32, u32)], a: u32, b: u32) -> bool {
    known.binary_search(&(a, b)).is_ok()
}

fn precisions(found: &[Find]) -> Vec<PrecisionAt> {
    let firsts = FIRSTS.into_iter().filter(|&first| first <= found.len());
    firsts
        .map(|first| {
            let hits = found[..first].iter().filter(|(_, hit)| *hit).count();
            PrecisionAt { first, precision: hits as f64 / first as f64 }
        })
        .collect()
}

/// The finds before those that score like the last, more of which may lie beyond the end.
fn whole_ties(found: &[Find]) -> &[Find] {
    let end = found.last().map_or(0, |last| found.partition_point(|find| find.0 > last.0));
    &found[..end]
}

/// At most [`POINTS`] points of a curve, the first in each even step of recall; the first and the last of all among
/// them.
fn thinned(curve: &[RecallPoint]) -> Vec<RecallPoint> {
    let [first, middle @ .., last] = curve else { return curve.to_vec() };
    let step = |point: &RecallPoint| {
        // No recall gained is 0 / 0, and NaN is converted to 0.
        ((point.recall - first.recall) / (last.recall - first.recall) * (POINTS - 2) as f64) as usize
    };
    let mut kept = vec![*first];
    let mut before = 0;
    for point in middle {
        if step(point) > before {
            kept.push(*point);
            before = step(point);
        }
    }
    kept.push(*last);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{EdgeTruth, karate};
    use bgcn_core::links::{GROUPS, JudgedEdge, MissedPair};
    use bgcn_core::recipe::DecoyKind;

    /// Edges between numbers of unlike parity have one high P(spurious); two pairs have a P(missing).
    fn links(data: &Dataset) -> Links {
        let edge = |(a, b): (u32, u32)| {
            let log_odds = if (a + b) % 2 == 0 { -1.0 } else { 1.0 };
            JudgedEdge { a, b, log_odds, terms: [0.0; GROUPS], shared_words: None, blind: false }
        };
        let mut edges: Vec<JudgedEdge> = data.graph.edge_list().map(edge).collect();
        edges.sort_by(|x, y| y.log_odds.total_cmp(&x.log_odds));
        let pair = |b: u32, log_odds: f64| MissedPair { a: 0, b, log_odds, terms: [0.0; GROUPS], shared_words: None };
        let mut absent = (1..34u32).filter(|&b| !data.graph.has_edge(0, b));
        let missing = vec![pair(absent.next().unwrap(), 0.5), pair(absent.next().unwrap(), 0.2)];
        Links {
            edges,
            rho: 0.1,
            decoys: 1,
            decoy_kind: DecoyKind::Uniform,
            with_predictions: false,
            calibration: Vec::new(),
            lists: Vec::new(),
            missing,
            recall: None,
        }
    }

    #[test]
    fn finds_are_judged_by_the_ground_truth_and_by_nothing_else() {
        let mut data = karate();
        let links = links(&data);
        assert_eq!(EdgePrecision::of(&data, &links), None);
        let (within, across): (Vec<_>, Vec<_>) = data.graph.edge_list().partition(|(a, b)| (a + b) % 2 == 0);
        // Five of the suspicious edges are wrong, and one of the others; the first pair is missing.
        let mut spurious: Vec<(u32, u32)> = across[..5].iter().chain(&within[..1]).copied().collect();
        spurious.sort_unstable();
        data.truth = Some(EdgeTruth { spurious, missing: vec![(0, links.missing[0].b)] });
        let found = EdgePrecision::of(&data, &links).unwrap();
        assert!(found.suspicious[0].precision >= 0.1 && (found.suspicious_by_chance - 6.0 / 78.0).abs() < 1e-12);
        // All edges across are tied and so are all within: two steps, worked out by hand.
        let share = 5.0 / across.len() as f64;
        let curve =
            [(5.0 / 6.0, share), (1.0, 6.0 / 78.0)].map(|(recall, precision)| RecallPoint { recall, precision });
        assert_eq!(found.suspicious_curve, curve);
        let average = found.suspicious_average_precision.unwrap();
        assert!((average - (5.0 / 6.0 * share + 6.0 / 78.0 / 6.0)).abs() < 1e-12);
        assert_eq!(found.missing_average_precision, Some(1.0));
    }

    #[test]
    fn a_thinned_curve_keeps_its_ends_and_its_shape() {
        let point = |i: usize| RecallPoint { recall: i as f64 / 5000.0, precision: 1.0 - i as f64 / 10_000.0 };
        let curve: Vec<RecallPoint> = (1..=5000).map(point).collect();
        let thin = thinned(&curve);
        assert_eq!((thin.len(), thin[0], thin.last()), (POINTS - 1, curve[0], curve.last()));
        assert!(thin.windows(2).all(|two| (0.009..0.012).contains(&(two[1].recall - two[0].recall))));
        let tail = vec![curve[4999]; 300];
        assert_eq!(thinned(&[curve.clone(), tail].concat()).len(), POINTS);
        assert_eq!(thinned(&[curve[0]; 300]).len(), 2, "no recall is gained");
        for few in 0..4 {
            assert_eq!(thinned(&curve[..few]), curve[..few]);
        }
    }
}
