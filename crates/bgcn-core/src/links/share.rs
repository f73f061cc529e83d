//! ρ: how many of the observed edges are spurious.
//!
//! A spurious edge looks like a decoy. Put the observed edges among the decoys, from the worst to the best, each at the
//! share u of decoys that look worse: spurious ones are spread evenly over u, true ones are rare where u is small.
//!
//! ```text
//! density of u, observed edges, u below ³⁄₁₀ = ρ + c √u
//! ```
//!
//! ρ is what is left at u = 0. Both parts are found by expectation maximisation. The share of observed edges among the
//! worst decoys alone would count true edges with little evidence for them, too.

// What defines the estimator: its window, and the shape that true edges are assumed to have in it.
/// The worst share of the decoys that is looked at.
const WORST: f64 = 0.3;
/// How the density of true edges grows with u.
const POWER: f64 = 0.5;
/// Steps of expectation maximisation at most; it ends by its own tolerance.
const STEPS: usize = 5000;
/// ρ at most.
const MOST: f64 = 0.9;

/// ρ from log ratios of observed edges and of decoys; small ones are suspicious. At least half an edge.
pub(super) fn spurious(observed: &[f64], decoys: &[f64]) -> f64 {
    let mut sorted = decoys.to_vec();
    sorted.sort_by(f64::total_cmp);
    let d = sorted.len();
    // How many observed edges lie between two decoys.
    let mut counts = vec![0.0f64; d + 1];
    for z in observed {
        counts[sorted.partition_point(|decoy| decoy < z)] += 1.0;
    }
    let place = |i: usize| (i as f64 + 0.5) / (d + 1) as f64;
    let rising = |u: f64| (1.0 + POWER) * (u / WORST).powf(POWER);
    let worst = (0..=d).map(|i| (place(i), counts[i])).take_while(|(u, _)| *u < WORST);
    let worst: Vec<(f64, f64)> = worst.map(|(u, count)| (rising(u), count)).collect();
    let total: f64 = worst.iter().map(|(_, count)| count).sum();
    let least = 0.5 / observed.len().max(1) as f64;
    if total == 0.0 {
        return least;
    }
    let mut even = 0.5;
    for _ in 0..STEPS {
        let mut sum = 0.0;
        for &(rising, count) in &worst {
            sum += count * even / (even + (1.0 - even) * rising);
        }
        let before = std::mem::replace(&mut even, sum / total);
        if (even - before).abs() < 1e-9 {
            break;
        }
    }
    (even * total / observed.len() as f64 / WORST).clamp(least, MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    // Decoys spread evenly over (0, 1); of the observed edges one in five is, and the others crowd at the better end.
    #[test]
    fn an_even_part_is_found_beside_a_rising_one() {
        let place = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
        let decoys: Vec<f64> = (0..1000).map(|i| place(i, 1000)).collect();
        for power in [1.5f64, 4.0] {
            let spurious_edges = (0..2000).map(|i| place(i, 2000));
            let observed: Vec<f64> =
                spurious_edges.chain((0..8000).map(|i| place(i, 8000).powf(1.0 / power))).collect();
            let rho = spurious(&observed, &decoys);
            // A power of 1.5 is the model itself; 4 is flat enough at the worse end. Straight rises, a power of 2, are
            // taken for part of the square root, and ρ comes out too small.
            assert!((rho - 0.2).abs() < 0.05, "{rho} with power {power}");
        }
        assert!(spurious(&[2.0; 50], &decoys) <= 0.011, "every edge looks better than every decoy");
    }
}
