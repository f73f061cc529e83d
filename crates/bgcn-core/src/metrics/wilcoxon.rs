//! The Wilcoxon signed-rank test: whether one of two methods is better on the same trials.
//! Paper: the asterisks of its tables, two-sided at p < 0.05.
//! Differs: the paper does not say how ties and zeros are treated. Zeros are dropped (Wilcoxon's own rule), ties share
//! their mean rank, and up to 200 pairs the distribution is exact, ties included; beyond, normal with tie correction.

use serde::Serialize;

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Wilcoxon {
    /// Pairs that differ.
    pub n: usize,
    /// Sum of the ranks of positive differences.
    pub w_plus: f64,
    /// Two-sided p-value; 1 where no pair differs.
    pub p: f64,
    /// Whether the p-value is exact.
    pub exact: bool,
}

/// Largest number of pairs with an exact distribution; the table then has 20,101 entries.
const EXACT_UP_TO: usize = 200;

/// Tests whether the differences `x − y` are symmetric around 0. Pairs beyond the shorter slice are ignored.
pub fn wilcoxon_signed_rank(x: &[f64], y: &[f64]) -> Wilcoxon {
    let mut differences: Vec<f64> = x.iter().zip(y).map(|(x, y)| x - y).filter(|&d| d != 0.0).collect();
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = differences.len();
    // Twice the ranks, so that shared ranks are whole numbers.
    let mut ranks = Vec::with_capacity(n);
    let mut ties = 0.0;
    for group in differences.chunk_by(|a, b| a.abs() == b.abs()) {
        let first = ranks.len() as u64 + 1;
        let size = group.len() as u64;
        ranks.extend(std::iter::repeat_n(2 * first + size - 1, group.len()));
        ties += (size * size * size - size) as f64;
    }
    let doubled: u64 = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0).map(|(r, _)| r).sum();
    let w_plus = doubled as f64 / 2.0;
    let exact = n <= EXACT_UP_TO;
    let p = if n == 0 {
        1.0
    } else if exact {
        exact_p(&ranks, doubled)
    } else {
        normal_p(n as f64, w_plus, ties)
    };
    Wilcoxon { n, w_plus, p, exact }
}

/// Twice the smaller tail over all 2^n signs, by adding one rank after another to the distribution of the sum.
fn exact_p(doubled_ranks: &[u64], observed: u64) -> f64 {
    let total: u64 = doubled_ranks.iter().sum();
    let mut chance = vec![0.0f64; total as usize + 1];
    chance[0] = 1.0;
    let mut reached = 0;
    for &rank in doubled_ranks {
        reached += rank as usize;
        for sum in (0..=reached).rev() {
            let with = if sum >= rank as usize { chance[sum - rank as usize] } else { 0.0 };
            chance[sum] = 0.5 * (chance[sum] + with);
        }
    }
    let smaller = observed.min(total - observed) as usize;
    (2.0 * chance[..=smaller].iter().sum::<f64>()).min(1.0)
}

fn normal_p(n: f64, w_plus: f64, ties: f64) -> f64 {
    let mean = n * (n + 1.0) / 4.0;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ties / 48.0;
    let z = (w_plus - mean) / variance.sqrt();
    erfc(z.abs() / std::f64::consts::SQRT_2)
}

/// The complementary error function for x ≥ 0: series below 2, continued fraction above.
fn erfc(x: f64) -> f64 {
    let scale = (-x * x).exp() / std::f64::consts::PI.sqrt();
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for k in 1..200 {
            term *= 2.0 * x * x / (2 * k + 1) as f64;
            sum += term;
        }
        1.0 - 2.0 * scale * sum
    } else {
        let tail = (1..=60).rev().fold(x, |below, k| x + 0.5 * k as f64 / below);
        scale / tail
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn agrees_with_scipy() {
        // Made by golden/wilcoxon.py.
        let golden: serde_json::Value = serde_json::from_str(include_str!("../../tests/golden/wilcoxon.json")).unwrap();
        let numbers =
            |v: &serde_json::Value| v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect::<Vec<_>>();
        for case in golden["cases"].as_array().unwrap() {
            let found = wilcoxon_signed_rank(&numbers(&case["x"]), &numbers(&case["y"]));
            let p = if found.exact { &case["exact"] } else { &case["normal"] }.as_f64().unwrap();
            assert!((found.p / p - 1.0).abs() < 1e-9, "{found:?} against {p}");
            assert_eq!(found.w_plus, case["w_plus"].as_f64().unwrap());
        }
    }

    #[test]
    fn equal_methods_have_p_one() {
        assert_eq!(wilcoxon_signed_rank(&[1.0, 2.0], &[1.0, 2.0]), Wilcoxon { n: 0, w_plus: 0.0, p: 1.0, exact: true });
    }

    proptest! {
        #[test]
        fn exact_with_ties_equals_all_sign_patterns(d in prop::collection::vec(-4i8..5, 1..11)) {
            let x: Vec<f64> = d.iter().map(|&d| f64::from(d)).collect();
            let found = wilcoxon_signed_rank(&x, &vec![0.0; x.len()]);
            let sizes: Vec<f64> = x.iter().map(|d| d.abs()).filter(|&d| d > 0.0).collect();
            let below = |d: f64, e: f64| if e < d { 1.0 } else if e == d { 0.5 } else { 0.0 };
            let rank = |d: f64| sizes.iter().map(|&e| below(d, e)).sum::<f64>() + 0.5;
            let n = sizes.len();
            let extreme = |w: f64| (w - n as f64 * (n as f64 + 1.0) / 4.0).abs();
            let hits = (0u32..1 << n).filter(|signs| {
                let w: f64 = (0..n).filter(|i| signs >> i & 1 == 1).map(|i| rank(sizes[i])).sum();
                extreme(w) >= extreme(found.w_plus) - 1e-9
            }).count();
            prop_assert!((found.p - (hits as f64 / f64::from(1u32 << n)).min(1.0)).abs() < 1e-9);
        }
    }
}
