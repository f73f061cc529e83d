//! Where a fit does worse than it should on its test nodes, and what to try: one sentence.

use super::{Judgement, Run};
use bgcn_core::data::SplitKind;

/// How far mean confidence and accuracy may be apart.
const APART: f64 = 0.08;

/// The least difference that a table shows.
const SHOWN: f64 = 0.0005;

/// Homophily below which label propagation misleads.
const LOW_HOMOPHILY: f64 = 0.5;

impl Run {
    /// A sentence where the fit is less accurate than the plain network beside it, or its mean confidence is far from
    /// its accuracy: on the test nodes, with what to try.
    pub fn advice(&self) -> Option<String> {
        self.advice_on(&Judgement::of(&self.predictions, &self.data.labels, &self.split.test))
    }

    pub(super) fn advice_on(&self, judgement: &Judgement) -> Option<String> {
        let (worse, apart) = (self.worse_than_plain(judgement), Apart::of(judgement));
        let what = match (&worse, &apart) {
            (None, None) => return None,
            (Some(worse), Some(apart)) => format!("{worse}, and its {}", apart.text),
            (Some(worse), None) => worse.clone(),
            (None, Some(apart)) => format!("the {}", apart.text),
        };
        let next = self.to_try(worse.is_some(), apart.map(|apart| apart.above)).join(", or ");
        Some(format!("On the test nodes {what}: try {next}."))
    }

    /// What to try, by whether the fit is worse than the plain network, and whether its confidence is too high or too
    /// low.
    pub(super) fn to_try(&self, worse: bool, too_high: Option<bool>) -> Vec<String> {
        let (recipe, data) = (&self.learned.recipe, &self.data);
        let mut next = Vec::new();
        let homophily = data.graph.homophily(|a| data.labels.class(a)).filter(|&share| share < LOW_HOMOPHILY);
        if let Some(share) = homophily.filter(|_| !recipe.is_plain() && recipe.belief.propagation_steps > 0)
            && (worse || too_high == Some(true))
        {
            let share = 100.0 * share;
            next.push(format!("`belief.propagation_steps=0`, as {share:.0} % of the edges join equal classes"));
        }
        if worse {
            next.push("`graph_model=observed`, which trusts the graph".into());
        }
        let decay = recipe.network.weight_decay;
        if too_high == Some(false) && decay > 0.0 {
            next.push(format!("a weaker penalty, `network.weight_decay={}`", decay / 5.0));
        }
        let random = self.record.run.split == SplitKind::Random.name();
        next.push(if random { "more labels (`labels_per_class`)" } else { "more labels" }.into());
        next
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
struct Apart {
    text: String,
    above: bool,
}

impl Apart {
    fn of(judgement: &Judgement) -> Option<Self> {
        let Judgement::Classes(metrics) = judgement else { return None };
        let (confidence, accuracy) = (metrics.mean_confidence, metrics.scores.accuracy);
        let (apart, above) = ((confidence - accuracy).abs(), confidence > accuracy);
        let side = if above { "above" } else { "below" };
        let [confidence, accuracy, points] = [confidence, accuracy, apart].map(|share| 100.0 * share);
        let text =
            format!("mean confidence, {confidence:.0} %, is {points:.0} points {side} the accuracy, {accuracy:.0} %");
        (apart > APART).then_some(Self { text, above })
    }
}
