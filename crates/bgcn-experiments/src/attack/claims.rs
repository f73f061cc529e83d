//! The paper's claims about its attack: the Bayesian GCN loses less accuracy, and keeps its margin much better.

use super::{Comparison, MethodResult, Results};
use crate::claim::{Claim, Standing};

/// The paper's repetitions; with fewer nothing is said.
const FEWEST: u32 = 5;

impl Results {
    /// Claims about the methods that the paper attacks.
    pub fn paper_claims(&self) -> Vec<Claim> {
        let find = |name: &str| self.methods.iter().find(|method| method.method == name);
        let pairs = self.comparisons.iter().filter_map(|comparison| {
            let (method, plain) = (find(&comparison.method)?, find(&comparison.baseline)?);
            (method.published.is_some() && plain.published.is_some()).then_some((comparison, method, plain))
        });
        pairs.flat_map(|(comparison, method, plain)| self.of_pair(comparison, method, plain)).collect()
    }

    fn of_pair(&self, comparison: &Comparison, method: &MethodResult, plain: &MethodResult) -> [Claim; 2] {
        let Comparison { shared, baseline, .. } = comparison;
        let claim = |what: &str, paper: String, here: String, holds: bool| Claim {
            topic: "Robustness under a random attack",
            about: format!("{}, {}: {what}", self.dataset, comparison.method),
            paper,
            here,
            p: None,
            standing: if self.repetitions < FEWEST { Standing::Open } else { Standing::of(holds) },
        };
        let published = |of: &MethodResult| of.published.map_or(f64::NAN, |[_, attacked]| attacked.margin);
        let losses = |own: Option<f64>, other: Option<f64>| {
            let own_and_other = own.zip(other).map(|(own, other)| format!("{own:.1} points, {baseline} {other:.1}"));
            own_and_other.unwrap_or_default()
        };
        let margins = |own: f64, other: f64| format!("{own:.3}, {baseline} {other:.3}");
        let kept =
            comparison.keeps_a_positive_margin && shared.margin_loss < shared.baseline_margin_loss && shared.p < 0.05;
        [
            claim(
                "accuracy lost, at most two thirds of the plain loss",
                losses(method.published_loss(), plain.published_loss()),
                losses(Some(method.loss), Some(plain.loss)),
                comparison.loses_at_most_two_thirds,
            ),
            Claim {
                p: Some(shared.p),
                ..claim(
                    "margin under attack, positive and kept better on shared targets",
                    margins(published(method), published(plain)),
                    margins(method.attacked.margin.mean, plain.attacked.margin.mean),
                    kept,
                )
            },
        ]
    }
}
