//! Agreement of two groupings of the nodes: normalised mutual information.

use std::collections::BTreeMap;

/// Normalised mutual information of pairs of group numbers: 2 I(x; y) / (H(x) + H(y)), from 0 to 1.
///
/// 1 where both put everything into one group, 0 for no pairs.
pub fn normalized_mutual_information(pairs: &[(u32, u32)]) -> f64 {
    if pairs.is_empty() {
        return 0.0;
    }
    let n = pairs.len() as f64;
    let count = |keys: &mut dyn Iterator<Item = (u32, u32)>| {
        let mut counts: BTreeMap<(u32, u32), f64> = BTreeMap::new();
        keys.for_each(|key| *counts.entry(key).or_default() += 1.0);
        counts.into_values().map(|c| -c / n * (c / n).ln()).sum::<f64>()
    };
    let x = count(&mut pairs.iter().map(|&(x, _)| (x, 0)));
    let y = count(&mut pairs.iter().map(|&(_, y)| (0, y)));
    let both = count(&mut pairs.iter().copied());
    if x + y == 0.0 { 1.0 } else { (2.0 * (x + y - both) / (x + y)).clamp(0.0, 1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renaming_groups_changes_nothing_and_independence_shares_nothing() {
        assert!((normalized_mutual_information(&[(0, 5), (0, 5), (1, 2), (2, 9)]) - 1.0).abs() < 1e-12);
        assert!(normalized_mutual_information(&[(0, 0), (0, 1), (1, 0), (1, 1)]).abs() < 1e-12);
        assert_eq!(normalized_mutual_information(&[(3, 3)]), 1.0);
        // Worked out by hand: H(x) = ln 2, H(y) = 3/4 ln(4/3) + 1/4 ln 4, H(x, y) = 1/2 ln 2 + 1/2 ln 4.
        let (x, both) = (2f64.ln(), 1.5 * 2f64.ln());
        let y = 0.75 * (4.0f64 / 3.0).ln() + 0.25 * 4f64.ln();
        let expected = 2.0 * (x + y - both) / (x + y);
        assert!((normalized_mutual_information(&[(0, 0), (0, 0), (1, 0), (1, 1)]) - expected).abs() < 1e-12);
    }
}
