//! Where a fit does worse than it should on its test nodes, and what to try: one sentence.

use super::{Judgement, Run};
use bgcn_core::data::SplitKind;

/// How far mean confidence and accuracy may be apart.
const APART: f64 = 0.08;

/// The least difference that a table shows.
const SHOWN: f64 = 0.0005;

impl Run {
    /// A sentence where the fit is less accurate than the plain network beside it, or its mean confidence is far from
    /// its accuracy: on the test nodes, with what to try.
    pub fn advice(&self) -> Option<String> {
        self.advice_on(&Judgement::of(&self.predictions, &self.data.labels, &self.split.test))
    }

    pub(super) fn advice_on(&self, judgement: &Judgement) -> Option<String> {
        let (worse, apart) = (self.worse_than_plain(judgement), confidence_apart(judgement));
        let what = match (&worse, &apart) {
            (None, None) => return None,
            (Some(worse), Some(apart)) => format!("{worse}, and its {apart}"),
            (Some(worse), None) => worse.clone(),
            (None, Some(apart)) => format!("the {apart}"),
        };
        let trusting = (!self.learned.recipe.is_plain()).then_some("`graph_model=observed`, which trusts the graph");
        let labels = match self.record.run.split == SplitKind::Random.name() {
            true => "more labels (`labels_per_class`)",
            false => "more labels",
        };
        let next: Vec<&str> = trusting.into_iter().chain([labels]).collect();
        Some(format!("On the test nodes {what}: try {}.", next.join(", or ")))
    }

    /// How much less accurate than the plain network it is.
    fn worse_than_plain(&self, judgement: &Judgement) -> Option<String> {
        let (plain, method) = (self.plain.as_ref()?, &self.record.run.method);
        match (judgement, &plain.judgement) {
            (Judgement::Classes(ours), Judgement::Classes(theirs)) => {
                let lost = theirs.scores.accuracy - ours.scores.accuracy;
                let points = 100.0 * lost;
                (lost >= SHOWN).then(|| format!("{method} is {points:.1} points less accurate than {}", plain.method))
            }
            (Judgement::Values(ours), Judgement::Values(theirs)) => {
                let [ours, theirs] = [ours, theirs].map(|metrics| metrics.scores.rmse);
                let text =
                    || format!("the RMSE of {method}, {ours:.3}, is above that of {}, {theirs:.3}", plain.method);
                (ours - theirs >= SHOWN).then(text)
            }
            _ => None,
        }
    }
}

/// How far the mean confidence is from the accuracy, where that is far.
fn confidence_apart(judgement: &Judgement) -> Option<String> {
    let Judgement::Classes(metrics) = judgement else { return None };
    let (confidence, accuracy) = (metrics.mean_confidence, metrics.scores.accuracy);
    let (apart, side) = ((confidence - accuracy).abs(), if confidence > accuracy { "above" } else { "below" });
    let [confidence, accuracy, points] = [confidence, accuracy, apart].map(|share| 100.0 * share);
    let text =
        || format!("mean confidence, {confidence:.0} %, is {points:.0} points {side} the accuracy, {accuracy:.0} %");
    (apart > APART).then(text)
}
