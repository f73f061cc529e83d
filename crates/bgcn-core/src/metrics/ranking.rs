//! Rankings by a score: area under the ROC curve, precision and recall, average precision.
//! Paper: not in it.
//! Differs: cases of equal score are one step, as in scikit-learn, so that no order of ties can flatter a ranking.

use serde::Serialize;

/// Area under the ROC curve: how often a positive case scores above a negative one, ties counting half.
///
/// `None` where one of the two kinds is absent. O(n log n).
pub fn area_under_roc(scored: &[(f64, bool)]) -> Option<f64> {
    let mut sorted = scored.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let positives = sorted.iter().filter(|(_, positive)| *positive).count() as f64;
    let negatives = sorted.len() as f64 - positives;
    if positives == 0.0 || negatives == 0.0 {
        return None;
    }
    let (mut below, mut wins) = (0.0, 0.0);
    for group in sorted.chunk_by(|a, b| a.0 == b.0) {
        let here = group.iter().filter(|(_, positive)| *positive).count() as f64;
        let others = group.len() as f64 - here;
        wins += here * (below + 0.5 * others);
        below += others;
    }
    Some(wins / (positives * negatives))
}

/// What is found by looking at all cases from some score upwards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, serde::Deserialize)]
pub struct RecallPoint {
    /// Share of all positive cases that is found.
    pub recall: f64,
    /// Share of the cases looked at that is positive.
    pub precision: f64,
}

/// The precision–recall curve, highest score first: one point for each distinct score.
///
/// `positives` counts all positive cases. `scored` may hold only the cases that score highest; the curve then ends at
/// the recall they reach. Empty where nothing is positive. O(n log n). Panics when `scored` has more positive cases
/// than `positives`.
pub fn precision_recall(scored: &[(f64, bool)], positives: usize) -> Vec<RecallPoint> {
    let here = scored.iter().filter(|(_, positive)| *positive).count();
    assert!(here <= positives, "{here} positive cases were scored, of {positives} in all");
    if positives == 0 {
        return Vec::new();
    }
    let mut sorted = scored.to_vec();
    sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (mut seen, mut hits) = (0, 0);
    let step = |group: &[(f64, bool)]| {
        seen += group.len();
        hits += group.iter().filter(|(_, positive)| *positive).count();
        RecallPoint { recall: hits as f64 / positives as f64, precision: hits as f64 / seen as f64 }
    };
    sorted.chunk_by(|a, b| a.0 == b.0).map(step).collect()
}

/// Average precision Σ_i (recall_i − recall_{i−1}) precision_i of a [`precision_recall`] curve; `None` of an empty one.
///
/// Of a curve that ends early it is a lower bound: what was not looked at counts as never found.
pub fn average_precision(curve: &[RecallPoint]) -> Option<f64> {
    let mut before = 0.0;
    let gain = |point: &RecallPoint| {
        let gained = point.recall - before;
        before = point.recall;
        gained * point.precision
    };
    (!curve.is_empty()).then(|| curve.iter().map(gain).sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn precision_and_recall_agree_with_scikit_learn() {
        // Made by golden/precision_recall.py.
        let golden: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/golden/precision_recall.json")).unwrap();
        let numbers =
            |v: &serde_json::Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
        for case in golden["cases"].as_array().unwrap() {
            let positive = case["positive"].as_array().unwrap().iter().map(|x| x.as_bool().unwrap());
            let scored: Vec<(f64, bool)> = numbers(&case["score"]).into_iter().zip(positive).collect();
            let curve = precision_recall(&scored, scored.iter().filter(|s| s.1).count());
            let (precision, recall) = (numbers(&case["precision"]), numbers(&case["recall"]));
            assert_eq!((curve.len(), recall.len()), (precision.len(), precision.len()));
            for (point, (p, r)) in curve.iter().zip(precision.iter().zip(&recall)) {
                assert!((point.precision - p).abs() < 1e-12 && (point.recall - r).abs() < 1e-12, "{point:?}: {p}, {r}");
            }
            let found = average_precision(&curve).unwrap();
            assert!((found - case["average_precision"].as_f64().unwrap()).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn a_curve_of_the_first_few_ends_early_and_bounds_the_average_from_below() {
        let all: Vec<(f64, bool)> = [true, false, true, false, false, true]
            .into_iter()
            .enumerate()
            .map(|(i, hit)| (-(i as f64), hit))
            .collect();
        let (whole, start) = (precision_recall(&all, 3), precision_recall(&all[..4], 3));
        assert_eq!(start, whole[..4]);
        assert_eq!(start[3], RecallPoint { recall: 2.0 / 3.0, precision: 0.5 });
        let (low, exact) = (average_precision(&start).unwrap(), average_precision(&whole).unwrap());
        assert!((low - (1.0 + 2.0 / 3.0) / 3.0).abs() < 1e-12 && (exact - low - 0.5 / 3.0).abs() < 1e-12);
        assert!(precision_recall(&all[3..5], 0).is_empty() && average_precision(&[]).is_none());
    }

    proptest! {
        #[test]
        fn every_point_equals_counting_all_cases_above_its_score(
            scored in prop::collection::vec((0u8..8, any::<bool>()), 0..60), unseen in 0usize..4,
        ) {
            let scored: Vec<_> = scored.iter().map(|&(s, p)| (f64::from(s), p)).collect();
            let positives = scored.iter().filter(|s| s.1).count() + unseen;
            let mut levels: Vec<f64> = scored.iter().map(|s| s.0).collect();
            levels.sort_by(|a, b| b.total_cmp(a));
            levels.dedup();
            let counted: Vec<RecallPoint> = levels.iter().filter(|_| positives > 0).map(|&level| {
                let above: Vec<_> = scored.iter().filter(|s| s.0 >= level).collect();
                let hits = above.iter().filter(|s| s.1).count() as f64;
                RecallPoint { recall: hits / positives as f64, precision: hits / above.len() as f64 }
            }).collect();
            let curve = precision_recall(&scored, positives);
            prop_assert_eq!(&curve, &counted);
            let reversed: Vec<_> = scored.iter().rev().copied().collect();
            prop_assert_eq!(precision_recall(&reversed, positives), counted);
            let average = average_precision(&curve).unwrap_or(0.0);
            prop_assert!((0.0..=1.0 + 1e-12).contains(&average));
        }

        #[test]
        fn equals_counting_all_pairs(scored in prop::collection::vec((0u8..6, any::<bool>()), 0..40)) {
            let scored: Vec<_> = scored.iter().map(|&(s, p)| (f64::from(s), p)).collect();
            let (mut wins, mut pairs) = (0.0, 0.0);
            for (p, _) in scored.iter().filter(|s| s.1) {
                for (q, _) in scored.iter().filter(|s| !s.1) {
                    pairs += 1.0;
                    wins += if p > q { 1.0 } else if p == q { 0.5 } else { 0.0 };
                }
            }
            match area_under_roc(&scored) {
                Some(area) => prop_assert!((area - wins / pairs).abs() < 1e-12),
                None => prop_assert_eq!(pairs, 0.0),
            }
        }
    }
}
