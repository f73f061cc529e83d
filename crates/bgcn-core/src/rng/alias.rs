//! Drawing an item with probability proportional to its weight, in constant time (Walker's alias method).

/// For each item as a column of its own: the chance that it is meant, and the item meant otherwise. Exact up to rounding.
pub(crate) fn alias(weights: &[f64]) -> Vec<(f64, u32)> {
    let scale = weights.len() as f64 / weights.iter().sum::<f64>();
    let mut columns: Vec<(f64, u32)> = weights.iter().zip(0..).map(|(weight, i)| (weight * scale, i)).collect();
    let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..columns.len()).partition(|&i| columns[i].0 < 1.0);
    while let (Some(&s), Some(&l)) = (small.last(), large.last()) {
        small.pop();
        columns[s].1 = l as u32;
        columns[l].0 -= 1.0 - columns[s].0;
        if columns[l].0 < 1.0 {
            large.pop();
            small.push(l);
        }
    }
    // What is left is 1 up to rounding.
    small.into_iter().chain(large).for_each(|i| columns[i].0 = 1.0);
    columns
}
