//! Which graph models a mixture is of, and their shares.

use super::GraphModelPlan;
use crate::graph::Graph;
use crate::graph_model::mixture::{Mixture, Part, parameters_of};
use crate::graph_model::{Error, GraphModel, Parameters};
use serde::{Deserialize, Serialize};

/// A model of a mixture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Share {
    /// Its weight among the others', above 0.
    pub weight: f64,
    /// The model with its settings; no mixture itself.
    pub model: GraphModelPlan,
}

/// The networks of a mixture. In schedule `paper` every draw has networks of its own anyway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Networks {
    /// One for each model, trained on its draws alone; the shares weigh what they predict and guess. Costs as much as all models' fits.
    Each,
    /// One for all, trained on draws of whichever model is picked. Costs about one fit.
    One,
}

impl Networks {
    /// What settings mean that were saved before there was a choice.
    fn before() -> Self {
        Self::One
    }
}

/// A network that goes from draw to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Chain {
    /// The model that draws for it; `None`: whichever the graph model picks.
    pub(super) part: Option<usize>,
    /// What it says counts so much.
    pub(super) share: f64,
}

impl Chain {
    /// The only network there is.
    pub(super) const ALL: Self = Self { part: None, share: 1.0 };
}

/// The models that can be mixed, in words: those that start from a belief.
const ALLOWED: &str = "allowed are mmsbm, mmsb, sbm, dcsbm and copying";

/// Several graph models, and who is trained on their draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixturePlan {
    /// The models.
    pub of: Vec<Share>,
    /// Who is trained on their draws.
    #[serde(default = "Networks::before")]
    pub networks: Networks,
    /// ℓ, how much their networks learn from each other at nodes without a label; at least 0. Settings saved before there were lessons
    /// mean none.
    #[serde(default)]
    pub lessons: f64,
}

impl MixturePlan {
    /// The models that differ most in what they draw, with their usual shares: the default and the paper's. Copied neighbourhoods keep
    /// degrees and ties between classes, the block model draws even and pure communities.
    pub const USUAL: [(&str, f64); 2] = [("copying", 0.7), ("mmsbm", 0.3)]; // about what hidden links say: docs/graph-models.md

    /// ℓ where nothing else is asked for.
    pub const LESSONS: f64 = 8.0; // measured: docs/ablations.md

    /// Models by name with their weights, each with its defaults.
    pub fn of_named<'n>(named: impl IntoIterator<Item = (&'n str, f64)>, communities: usize) -> Result<Self, Error> {
        let share = |(name, weight)| {
            let model = GraphModelPlan::named(name, communities);
            Ok(Share { weight, model: model.ok_or_else(|| Error::setting("mixture", name, ALLOWED))? })
        };
        Ok(Self::of(named.into_iter().map(share).collect::<Result<_, Error>>()?))
    }

    /// These models, with a network for each that learns from the others.
    pub fn of(of: Vec<Share>) -> Self {
        Self { of, networks: Networks::Each, lessons: Self::LESSONS } // measured: docs/ablations.md
    }

    /// The networks that go along the draws.
    pub(super) fn chains(&self) -> Vec<Chain> {
        match self.networks {
            Networks::One => vec![Chain::ALL],
            Networks::Each => {
                let total: f64 = self.of.iter().map(|share| share.weight).sum();
                let chain = |(part, share): (usize, &Share)| Chain { part: Some(part), share: share.weight / total };
                self.of.iter().enumerate().map(chain).collect()
            }
        }
    }

    /// Columns of the belief that the models start from.
    pub(super) fn communities(&self) -> Option<usize> {
        self.of.iter().find_map(|share| share.model.communities())
    }

    /// Whether the models and their weights are allowed.
    pub(super) fn check(&self) -> Result<(), Error> {
        let wrong = |found: String, allowed: &'static str| Err(Error::setting("mixture", found, allowed));
        if self.of.is_empty() {
            return wrong("no model".into(), "it needs at least one; try copying=0.7,mmsbm=0.3");
        }
        if !(0.0..=1e6).contains(&self.lessons) {
            let allowed = "it must be at least 0, which is for none, and at most 1e6; try 8";
            return Err(Error::setting("lessons", self.lessons, allowed));
        }
        for (i, Share { weight, model }) in self.of.iter().enumerate() {
            let name = model.name();
            if !(f64::MIN_POSITIVE..=1e9).contains(weight) {
                return wrong(
                    format!("{name}={weight}"),
                    "a share must be above 0 and at most 1e9; leave out what has none",
                );
            }
            if model.communities().is_none() || matches!(model, GraphModelPlan::Mixture(_)) {
                return wrong(name.into(), ALLOWED);
            }
            if self.of[..i].iter().any(|other| other.model.name() == name) {
                return wrong(format!("{name} twice"), "each model may take part once");
            }
            if model.communities() != self.communities() {
                return wrong(format!("{name} with other communities"), "all must have the same number");
            }
            model.check()?;
        }
        Ok(())
    }

    /// The models on a graph, before a guess.
    pub(super) fn start<'g>(&self, graph: &'g Graph) -> Result<Mixture<'g>, Error> {
        self.with(|model| model.start(graph))
    }

    /// The models on a graph at these λ.
    pub(super) fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Mixture<'g>, Error> {
        self.with(|model| model.resume(graph, &parameters_of(model.name(), parameters)))
    }

    fn with<'g>(
        &self,
        begin: impl Fn(&GraphModelPlan) -> Result<Box<dyn GraphModel + 'g>, Error>,
    ) -> Result<Mixture<'g>, Error> {
        self.check()?;
        let part = |Share { weight, model }: &Share| {
            let (name, iterations) = (model.name(), model.iterations().unwrap_or(0));
            Ok(Part { name, share: *weight, iterations, model: begin(model)? })
        };
        Ok(Mixture::new(self.of.iter().map(part).collect::<Result<_, Error>>()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(named: &[(&'static str, f64)]) -> String {
        MixturePlan::of_named(named.iter().copied(), 3).unwrap().check().unwrap_err().to_string()
    }

    #[test]
    fn what_cannot_be_mixed_is_refused_and_named() {
        assert!(refused(&[]).contains("at least one"));
        assert!(refused(&[("copying", 0.0)]).contains("copying=0"));
        assert!(refused(&[("copying", f64::NAN)]).contains("NaN"));
        assert!(refused(&[("copying", 1.0), ("erase", 1.0)]).contains("erase"));
        assert!(refused(&[("mixture", 1.0)]).contains("mixture"));
        assert!(refused(&[("sbm", 1.0), ("copying", 1.0), ("sbm", 2.0)]).contains("sbm twice"));
        let unknown = MixturePlan::of_named([("copying", 1.0), ("magic", 1.0)], 3);
        assert!(unknown.unwrap_err().to_string().contains("magic"));
        let mut uneven = MixturePlan::of_named([("copying", 1.0)], 3).unwrap();
        uneven.of.extend(MixturePlan::of_named([("sbm", 1.0)], 4).unwrap().of);
        assert!(uneven.check().unwrap_err().to_string().contains("same number"));
    }
}
