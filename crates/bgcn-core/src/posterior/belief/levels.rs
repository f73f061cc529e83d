//! Predicted numbers as memberships in levels, so that a block model can start from them.
//! Paper: none; it names real-valued labels without saying what communities they have.

/// Soft membership [n, k] of predicted numbers in k levels; rows sum to 1.
///
/// The levels are the numbers' quantiles (j + ½)/k; a node belongs to level j by exp(−½ (distance / gap)²), where the
/// gap is the median distance between neighbouring levels. Where all levels are equal, every node belongs to all of them equally.
pub(super) fn belief(numbers: &[f32], k: usize) -> Vec<f32> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable_by(f32::total_cmp);
    let level = |j: usize| f64::from(sorted[((2 * j + 1) * sorted.len() / (2 * k)).min(sorted.len() - 1)]);
    let levels: Vec<f64> = if sorted.is_empty() { Vec::new() } else { (0..k).map(level).collect() };
    let mut gaps: Vec<f64> = levels.windows(2).map(|pair| pair[1] - pair[0]).filter(|&gap| gap > 0.0).collect();
    gaps.sort_unstable_by(f64::total_cmp);
    let gap = gaps.get(gaps.len().saturating_sub(1) / 2).copied().unwrap_or(1.0);
    let row = |&z: &f32| {
        let square = |level: &f64| ((f64::from(z) - level) / gap).powi(2);
        // Relative to the nearest level, so that a number far from all of them does not vanish in every column.
        let nearest = levels.iter().map(square).fold(f64::INFINITY, f64::min);
        let raw: Vec<f64> = levels.iter().map(|level| (0.5 * (nearest - square(level))).exp()).collect();
        let total: f64 = raw.iter().sum();
        raw.into_iter().map(move |p| (p / total) as f32)
    };
    numbers.iter().flat_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beliefs_of_numbers_peak_at_their_level_and_never_vanish() {
        let rows = belief(&[0.0, 0.1, 5.0, 5.1, 10.0, 1e20], 3);
        let best = |a: usize| (0..3).fold(0, |best, j| if rows[a * 3 + j] > rows[a * 3 + best] { j } else { best });
        assert_eq!([best(0), best(2), best(5)], [0, 1, 2]);
        assert!(rows.chunks(3).all(|row| (row.iter().sum::<f32>() - 1.0).abs() < 1e-6), "averaged as they are");
        assert!(belief(&[2.0; 4], 2).iter().all(|&p| p == 0.5));
        assert!(belief(&[], 3).is_empty());
    }
}
