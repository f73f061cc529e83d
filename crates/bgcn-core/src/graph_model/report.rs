//! The report of an inference: iterations, convergence, exactness.

use serde::Serialize;

/// What a call of `infer` did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Report {
    /// Iterations run: those asked for, or fewer where stopping early was allowed.
    pub iterations: usize,
    /// Whether it stopped early because nothing moved any more.
    pub stopped_early: bool,
    /// One entry per traced iteration; empty unless a trace was asked for.
    pub trace: Vec<Progress>,
    /// How exact the closed-form sums over non-edges were; only where they were used.
    pub truncation: Option<Truncation>,
    /// Non-edges whose terms were computed one by one; 0 where their sums are in closed form.
    pub non_edges_visited: u64,
}

/// How well λ explains the graph after an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Progress {
    /// Iterations done.
    pub iteration: usize,
    /// log p(λ, G_obs), up to a constant.
    pub log_posterior: f64,
    /// Links that inference did not see, where some were held out.
    pub held_out: Option<HeldOut>,
}

/// The largest error that leaving out higher-order terms can have caused, over all iterations.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Truncation {
    /// Bound on the error of one gradient entry, relative to the non-edges' pull on that entry.
    pub bound: f64,
    /// What was done where the bound exceeded the tolerance.
    pub fallback: Option<Fallback>,
}

/// What replaces the second-order sums where communities are too dense for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Fallback {
    /// The exact sum over all pairs.
    Exact,
    /// The graph is too large for the exact sum: non-edges are sampled.
    Sampled,
}

/// Two nodes, and whether they are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// One end.
    pub a: u32,
    /// The other.
    pub b: u32,
    /// y_ab = 1.
    pub linked: bool,
}

/// Mean log-likelihoods of pairs that inference did not see. 0 over no pairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct HeldOut {
    /// Per link.
    pub per_link: f64,
    /// Per non-link.
    pub per_non_link: f64,
    /// Over all pairs.
    pub mean: f64,
    /// exp(−mean).
    pub perplexity: f64,
}

impl HeldOut {
    /// The means over `pairs` when `p(a, b)` is the probability of a link.
    pub fn mean(pairs: &[Pair], p: impl Fn(u32, u32) -> f64) -> Self {
        // A probability of exactly 0 or 1 that turns out wrong costs as much as the smallest positive number.
        let log = |x: f64| x.max(f64::MIN_POSITIVE).ln();
        let (mut sum, mut count) = ([0.0; 2], [0usize; 2]);
        for pair in pairs {
            let p = p(pair.a, pair.b);
            sum[usize::from(pair.linked)] += if pair.linked { log(p) } else { log(1.0 - p) };
            count[usize::from(pair.linked)] += 1;
        }
        let per = |sum: f64, count: usize| if count == 0 { 0.0 } else { sum / count as f64 };
        let mean = per(sum[0] + sum[1], pairs.len());
        Self { per_link: per(sum[1], count[1]), per_non_link: per(sum[0], count[0]), mean, perplexity: (-mean).exp() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn held_out_means_are_those_worked_out_by_hand() {
        let pair = |a, b, linked| Pair { a, b, linked };
        let held = HeldOut::mean(&[pair(0, 1, true), pair(0, 2, true), pair(1, 2, false)], |_, b| b as f64 / 4.0);
        assert!((held.per_link - (0.25f64.ln() + 0.5f64.ln()) / 2.0).abs() < 1e-15);
        assert!((held.per_non_link - 0.5f64.ln()).abs() < 1e-15);
        assert!((held.perplexity - 16f64.powf(1.0 / 3.0)).abs() < 1e-12);
    }

    #[test]
    fn impossible_pairs_and_no_pairs_stay_finite() {
        let pairs = [Pair { a: 0, b: 1, linked: true }, Pair { a: 0, b: 2, linked: false }];
        assert!(HeldOut::mean(&pairs, |_, b| f64::from(b == 2)).mean.is_finite());
        assert_eq!(HeldOut::mean(&[], |_, _| 0.5).mean, 0.0);
    }
}
