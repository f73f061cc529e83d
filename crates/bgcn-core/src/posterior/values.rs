//! Regression: numbers instead of classes, with a Gaussian likelihood.
//! Paper: named beside classification; no equation is given.
//! Here: y_a ~ N(z_a, σ²). The network predicts z_a on labels scaled to mean 0 and variance 1; draws of graphs and
//! weights spread z_a, and σ² is what remains of the squared residuals on nodes the network has not learned from.
//! Symbols: predictive variance of a node = variance between the draws + σ².

use super::mean::Mean;
use super::task::Setup;
use super::{Phase, Watch, tell};
use crate::Error;
use crate::data::Labels;
use crate::network::{Dropout, Targets};

/// Folds of the cross-validation where there is no validation set.
const FOLDS: usize = 5;

/// σ² never falls below this share of the labels' variance: a perfect fit of few nodes proves nothing.
const LEAST_NOISE: f64 = 1e-6;

/// The predictive distribution of a number at every node, in the labels' own units.
#[derive(Clone, Debug, PartialEq)]
pub struct Values {
    /// How many draws were averaged.
    pub draws: usize,
    /// `[n]` the prediction.
    pub mean: Vec<f64>,
    /// `[n]` variance between the draws: uncertainty because graphs and weights are unknown (model uncertainty).
    pub between: Vec<f64>,
    /// σ², the same for all nodes: uncertainty that no draw resolves (data uncertainty).
    pub noise: f64,
    /// Where σ² comes from.
    pub noise_from: NoiseFrom,
}

impl Values {
    /// Predictive variance of node `a`.
    pub fn variance(&self, a: u32) -> f64 {
        self.between[a as usize] + self.noise
    }
}

/// Where the noise variance comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoiseFrom {
    /// Residuals of the mean on the validation nodes, less what the draws explain.
    Validation,
    /// Residuals of plain networks on training nodes they were not trained on (five folds). Each saw fewer labels than
    /// the fit did, so this is a little too large.
    CrossValidation,
}

/// How the labels were scaled for the network.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct ValueScale {
    /// Mean of the training labels.
    pub centre: f64,
    /// Their standard deviation; 1 where they are all equal.
    pub spread: f64,
}

impl ValueScale {
    /// The scale of the training nodes' labels. At least two are needed, to tell noise from signal.
    pub(super) fn of_training(labels: &[Option<f32>], train: &[u32]) -> Result<Self, Error> {
        let known: Vec<f64> =
            train.iter().filter_map(|&a| labels.get(a as usize).copied().flatten()).map(f64::from).collect();
        if known.len() < 2 {
            let text = format!("{} training nodes have a number; a regression needs at least two", known.len());
            return Err(Error::Request(text));
        }
        let count = known.len() as f64;
        let centre = known.iter().sum::<f64>() / count;
        let variance = known.iter().map(|y| (y - centre).powi(2)).sum::<f64>() / count;
        Ok(Self { centre, spread: if variance > 0.0 { variance.sqrt() } else { 1.0 } })
    }

    pub(super) fn down(&self, y: f32) -> f32 {
        ((f64::from(y) - self.centre) / self.spread) as f32
    }

    pub(super) fn up(&self, z: f64) -> f64 {
        self.centre + self.spread * z
    }

    pub(super) fn up_variance(&self, variance: f64) -> f64 {
        self.spread * self.spread * variance
    }
}

/// σ² in scaled units: on the validation nodes where there are some, else by cross-validation.
pub(super) fn noise(setup: &Setup<'_>, mean: &Mean, watch: Watch<'_>) -> Result<(f64, NoiseFrom), Error> {
    let labels = match setup.values {
        Some((_, labels @ Labels::Values(_))) => labels,
        _ => unreachable!("noise is a matter of numbers"),
    };
    if let Some(validation) = setup.validation {
        // E (y − mean)² = σ² + the draws' variance, node by node.
        let unexplained = |&a: &u32| (number(labels, a) - mean.centre(a as usize)).powi(2) - mean.variance(a as usize);
        let sum: f64 = validation.nodes().iter().map(unexplained).sum();
        return Ok(((sum / validation.nodes().len() as f64).max(LEAST_NOISE), NoiseFrom::Validation));
    }
    let nodes = setup.train.nodes();
    let folds = FOLDS.min(nodes.len());
    let mut sum = 0.0;
    for fold in 0..folds {
        let (left_out, kept): (Vec<(usize, u32)>, _) =
            nodes.iter().copied().enumerate().partition(|(i, _)| i % folds == fold);
        let kept: Vec<u32> = kept.into_iter().map(|(_, a)| a).collect();
        let mut trainer = setup.trainer(setup.params, &Targets::new(labels, &kept)?, [0; 3]);
        let on = trainer.prepare(setup.graph);
        let epochs = setup.params.epochs;
        for epoch in 0..epochs {
            trainer.step(&on)?;
            tell(watch, Phase::Pretraining, epoch + 1, epochs)?;
        }
        let z = trainer.predict(&on, Dropout::Off);
        sum +=
            left_out.iter().map(|&(_, a)| (number(labels, a) - f64::from(z.row(a as usize)[0])).powi(2)).sum::<f64>();
    }
    Ok(((sum / nodes.len() as f64).max(LEAST_NOISE), NoiseFrom::CrossValidation))
}

/// The scaled number of a node that has one.
fn number(labels: &Labels, a: u32) -> f64 {
    match labels {
        Labels::Values(of) => f64::from(of[a as usize].expect("a node to learn from or to judge by has a number")),
        Labels::Classes { .. } => unreachable!("noise is a matter of numbers"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_back_undoes_scaling() {
        let labels = [Some(3.0), None, Some(7.0), Some(100.0)];
        let scale = ValueScale::of_training(&labels, &[0, 2]).unwrap();
        assert_eq!((scale.centre, scale.spread), (5.0, 2.0));
        assert_eq!((scale.down(7.0), scale.up(1.0), scale.up_variance(1.0)), (1.0, 7.0, 4.0));
        assert!(ValueScale::of_training(&labels, &[0, 1]).is_err());
        assert_eq!(ValueScale::of_training(&[Some(2.0), Some(2.0)], &[0, 1]).unwrap().spread, 1.0);
    }
}
