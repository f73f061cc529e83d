//! What the attack did to each method, set beside the paper's tables.
//!
//! A target counts with its mean over the repetitions, so the errors below are those of a mean over targets.

use super::{Attack, Key, Kind, Outcome, Reading, Reason, Spread, Target, Targets};
use crate::Error;
use crate::accuracy::SplitName;
use crate::published::Published;
use crate::study::Study as _;
use crate::summary::Summary;
use bgcn_core::metrics::wilcoxon_signed_rank;
use serde::Serialize;
use std::collections::BTreeMap;

/// The attack on one dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// Which.
    pub dataset: String,
    /// When the edges were changed.
    pub attack: Kind,
    /// Split.
    pub split: SplitName,
    /// Training nodes of each class.
    pub labels_per_class: usize,
    /// Perturbed graphs of each target.
    pub repetitions: u32,
    /// In the order in which they were given.
    pub methods: Vec<MethodResult>,
    /// Every method against `gcn`, or against the first where that is missing.
    pub comparisons: Vec<Comparison>,
}

/// One method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodResult {
    /// Its name.
    pub method: String,
    /// On the observed graph.
    pub clean: Scores,
    /// On the perturbed ones.
    pub attacked: Scores,
    /// Points of accuracy lost.
    pub loss: f64,
    /// The paper's scores before and after, where it has them.
    pub published: Option<[PublishedScores; 2]>,
    /// Target by target.
    pub targets: Vec<TargetResult>,
}

/// Over the targets, each the mean of its repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Scores {
    /// Percent classified rightly.
    pub accuracy: Summary,
    /// Margin.
    pub margin: Summary,
    /// What the box plot shows of the margins.
    pub spread: Spread,
}

/// As printed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PublishedScores {
    /// Percent classified rightly.
    pub accuracy: f64,
    /// Mean margin.
    pub margin: f64,
}

/// One target, averaged over the repetitions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TargetResult {
    /// Which node.
    pub node: u32,
    /// Why it was chosen.
    pub reason: Reason,
    /// Percent of the clean runs that classify it rightly.
    pub clean_accuracy: f64,
    /// The same on perturbed graphs.
    pub attacked_accuracy: f64,
    /// Mean margin in the clean runs.
    pub clean_margin: f64,
    /// The same on perturbed graphs.
    pub attacked_margin: f64,
}

/// A method against the plain one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Which.
    pub method: String,
    /// Against which.
    pub baseline: String,
    /// Accuracy lost, as a share of what the baseline loses; `None` where that loses nothing.
    pub loss_ratio: Option<f64>,
    /// The same in the paper.
    pub published_ratio: Option<f64>,
    /// The paper's claim: at most two thirds of the baseline's loss.
    pub loses_at_most_two_thirds: bool,
    /// The paper's claim: a positive mean margin under attack.
    pub keeps_a_positive_margin: bool,
    /// The same nodes and graphs for both.
    pub shared: OnShared,
}

/// Two methods on the targets that both have, in the same perturbed graphs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OnShared {
    /// How many.
    pub targets: usize,
    /// Points of accuracy that the method loses.
    pub loss: f64,
    /// Points of accuracy that the baseline loses.
    pub baseline_loss: f64,
    /// Margin that the method loses.
    pub margin_loss: f64,
    /// Margin that the baseline loses.
    pub baseline_margin_loss: f64,
    /// p-value of the Wilcoxon signed-rank test between the two losses of margin.
    pub p: f64,
}

impl Attack<'_> {
    /// The results; all trials of the second study must have finished.
    pub fn results(
        &self,
        targets: &Targets,
        outcomes: &BTreeMap<Key, Outcome>,
        paper: &Published,
    ) -> Result<Results, Error> {
        let study = self.attacked(targets);
        self.all_finished(&study, outcomes)?;
        let trials = study.trials();
        let method = |name: &str| {
            let mine: Vec<&Outcome> =
                trials.iter().filter(|key| key.method == name).map(|key| &outcomes[key]).collect();
            let methods = paper.attack.get(&self.cell.dataset).filter(|_| self.options.kind == Kind::Poisoning);
            let published = methods.and_then(|methods| methods.get(name));
            let published = published.map(|printed| {
                let [clean, attacked] = [
                    (printed.accuracy.clean, printed.margin.clean),
                    (printed.accuracy.attacked, printed.margin.attacked),
                ];
                [clean, attacked].map(|(accuracy, margin)| PublishedScores { accuracy, margin })
            });
            MethodResult::new(name, &targets[name], &mine, published)
        };
        let methods: Vec<MethodResult> = self.contenders.iter().map(|contender| method(contender.name())).collect();
        let plain = methods.iter().find(|result| result.method == "gcn").unwrap_or(&methods[0]);
        let others = methods.iter().filter(|result| result.method != plain.method);
        Ok(Results {
            dataset: self.cell.dataset.clone(),
            attack: self.options.kind,
            split: self.cell.split,
            labels_per_class: self.cell.labels_per_class,
            repetitions: self.options.repetitions,
            comparisons: others.map(|other| Comparison::new(other, plain)).collect(),
            methods,
        })
    }
}

impl MethodResult {
    fn new(name: &str, targets: &[Target], trials: &[&Outcome], published: Option<[PublishedScores; 2]>) -> Self {
        let mean = |readings: fn(&Outcome) -> &[Reading], node: u32| {
            let at: Vec<&Reading> =
                trials.iter().flat_map(|trial| readings(trial)).filter(|reading| reading.target == node).collect();
            let of = |value: fn(&Reading) -> f64| at.iter().map(|r| value(r)).sum::<f64>() / at.len() as f64;
            (of(|reading| if reading.right { 100.0 } else { 0.0 }), of(|reading| f64::from(reading.margin)))
        };
        let result = |target: &Target| {
            let (clean_accuracy, clean_margin) = mean(|trial| &trial.clean, target.node);
            let (attacked_accuracy, attacked_margin) = mean(|trial| &trial.attacked, target.node);
            let (node, reason) = (target.node, target.reason);
            TargetResult { node, reason, clean_accuracy, attacked_accuracy, clean_margin, attacked_margin }
        };
        let targets: Vec<TargetResult> = targets.iter().map(result).collect();
        let clean = Scores::new(&targets, |target| (target.clean_accuracy, target.clean_margin));
        let attacked = Scores::new(&targets, |target| (target.attacked_accuracy, target.attacked_margin));
        let loss = clean.accuracy.mean - attacked.accuracy.mean;
        Self { method: name.to_owned(), clean, attacked, loss, published, targets }
    }

    /// Points of accuracy lost in the paper.
    pub(super) fn published_loss(&self) -> Option<f64> {
        self.published.map(|[clean, attacked]| clean.accuracy - attacked.accuracy)
    }
}

impl Scores {
    fn new(targets: &[TargetResult], of: fn(&TargetResult) -> (f64, f64)) -> Self {
        let (accuracies, margins): (Vec<f64>, Vec<f64>) = targets.iter().map(of).unzip();
        let some = "every method has targets";
        Self {
            accuracy: Summary::of(&accuracies).expect(some),
            margin: Summary::of(&margins).expect(some),
            spread: Spread::of(&margins).expect(some),
        }
    }
}

impl Comparison {
    fn new(method: &MethodResult, plain: &MethodResult) -> Self {
        let published = method.published_loss().zip(plain.published_loss());
        Self {
            method: method.method.clone(),
            baseline: plain.method.clone(),
            loss_ratio: (plain.loss > 0.0).then(|| method.loss / plain.loss),
            published_ratio: published.map(|(method, plain)| method / plain),
            loses_at_most_two_thirds: 3.0 * method.loss <= 2.0 * plain.loss,
            keeps_a_positive_margin: method.attacked.margin.mean > 0.0,
            shared: OnShared::new(method, plain),
        }
    }
}

impl OnShared {
    fn new(method: &MethodResult, plain: &MethodResult) -> Self {
        let partner = |target: &TargetResult| plain.targets.iter().find(|other| other.node == target.node);
        let pairs: Vec<(&TargetResult, &TargetResult)> =
            method.targets.iter().filter_map(|target| Some((target, partner(target)?))).collect();
        let accuracy = |target: &TargetResult| target.clean_accuracy - target.attacked_accuracy;
        let margin = |target: &TargetResult| target.clean_margin - target.attacked_margin;
        let (mine, others): (Vec<f64>, Vec<f64>) = pairs.iter().map(|(a, b)| (margin(a), margin(b))).unzip();
        let mean = |values: &mut dyn Iterator<Item = f64>| values.sum::<f64>() / pairs.len().max(1) as f64;
        Self {
            targets: pairs.len(),
            loss: mean(&mut pairs.iter().map(|(a, _)| accuracy(a))),
            baseline_loss: mean(&mut pairs.iter().map(|(_, b)| accuracy(b))),
            margin_loss: mean(&mut mine.iter().copied()),
            baseline_margin_loss: mean(&mut others.iter().copied()),
            p: wilcoxon_signed_rank(&mine, &others).p,
        }
    }
}
