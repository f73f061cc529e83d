//! Σ_m w_m over graph models: Bayesian model averaging.
//! Paper: "the framework is general": the sum over models m is one more factor outside the two innermost of
//! exact_posterior.
//! Differs: the paper takes one model.
//! Symbols: w_m the weight of model m, Σ_m w_m = 1; π_m its prior weight, t (`evidence`), score_m: see [`held_out`].
//!
//! ```text
//! w_m ∝ π_m exp(t score_m)
//! ```
//!
//! Links are far from independent given any of these models. Counted as if they were, as posterior probabilities of the
//! models would count them, all weight would always be on one; the evidence of a few links keeps models that are about
//! as good.

mod held_out;

use super::Watch;
use super::task::Setup;
use crate::Error;
use crate::network::Network;
use crate::recipe::Recipe;
use serde::{Deserialize, Serialize};

/// The weights of several graph models, and the evidence for them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelWeights {
    /// Links that were hidden to find them.
    pub links: usize,
    /// In the order of the recipe.
    pub models: Vec<ModelWeight>,
}

/// The weight of one graph model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelWeight {
    /// Its name.
    pub graph_model: String,
    /// w_m.
    pub weight: f64,
    /// Log-likelihood of the held-out pairs, for each held-out link.
    pub held_out: f64,
    /// By how much that lies below the best, and the standard error of the difference over the held-out links.
    pub below_best: (f64, f64),
}

/// The weights by held-out links; `None` where there is one model, or the prior weights are taken as they are.
pub(super) fn weights<N: Network + Clone>(
    setup: &Setup<'_, N>,
    watch: Watch<'_>,
) -> Result<Option<ModelWeights>, Error> {
    let recipe = setup.recipe;
    if recipe.members.len() < 2 || recipe.average.evidence == 0.0 {
        return Ok(None);
    }
    let scored = held_out::scores(setup, watch)?;
    let best = scored.iter().max_by(|x, y| x.mean().total_cmp(&y.mean())).expect("at least two models");
    let weight = |(member, score): (&crate::recipe::Member, &held_out::Score)| {
        member.weight * (recipe.average.evidence * (score.mean() - best.mean())).exp()
    };
    let raw: Vec<f64> = recipe.members.iter().zip(&scored).map(weight).collect();
    let total: f64 = raw.iter().sum();
    let models = recipe.members.iter().zip(&scored).zip(raw).map(|((member, score), raw)| ModelWeight {
        graph_model: member.model.name().into(),
        weight: raw / total,
        held_out: score.mean(),
        below_best: (best.mean() - score.mean(), score.error_of_difference(best)),
    });
    Ok(Some(ModelWeights { links: best.links(), models: models.collect() }))
}

/// w_m in the order of the recipe.
pub(super) fn shares(recipe: &Recipe, found: Option<&ModelWeights>) -> Vec<f64> {
    match found {
        Some(found) => found.models.iter().map(|model| model.weight).collect(),
        None => {
            let total: f64 = recipe.members.iter().map(|member| member.weight).sum();
            recipe.members.iter().map(|member| member.weight / total).collect()
        }
    }
}
