//! Whether a score puts the cases one looks for first.

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
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
