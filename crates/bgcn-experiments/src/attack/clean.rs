//! The first study: how surely each method classifies the test nodes when nothing is attacked.

use super::{Attack, Run};
use crate::accuracy::Key;
use crate::study::{Shown, Study, in_range};
use crate::{Error, Identity};
use bgcn_core::posterior::Watch;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Runs of every method on the observed graph.
#[derive(Debug)]
pub struct Clean<'a>(pub(super) &'a Attack<'a>);

/// The margins of the test nodes in one run, in the order of the split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Margins(pub Vec<f32>);

impl Study for Clean<'_> {
    const NAME: &'static str = "attack-clean";
    type Key = Key;
    type Outcome = Margins;

    fn seed(&self) -> u64 {
        self.0.options.seed
    }

    fn trials(&self) -> Vec<Key> {
        let methods = |run| self.0.contenders.iter().map(move |contender| self.0.clean_key(contender.name(), run));
        (0..self.0.options.clean_runs).flat_map(methods).collect()
    }

    fn settings(&self, key: &Key) -> Identity {
        self.0.planned(&key.method).identity::<Self>(key, Value::Null)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Margins, Error> {
        let fit = self.0.fit(&key.method, self.0.data, Run::Choosing(key.run), watch)?;
        Ok(Margins(self.0.split.test.iter().map(|&node| self.0.read(&fit.predictions, node).margin).collect()))
    }

    fn check(outcome: &Margins) -> Result<(), String> {
        outcome.0.iter().try_for_each(|&margin| in_range(&[("a margin", margin.into(), -1.0..=1.0)]))
    }

    fn shown(&self, key: &Key, outcome: &Margins) -> Shown {
        let right = outcome.0.iter().filter(|&&margin| margin > 0.0).count();
        Shown {
            row: format!("{}, all test nodes", key.cell.dataset),
            column: key.method.clone(),
            value: 100.0 * right as f64 / outcome.0.len() as f64,
        }
    }
}
