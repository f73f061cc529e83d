//! The first study: how surely each method classifies the test nodes when nothing is attacked.

use super::{Attack, Run};
use crate::Error;
use crate::accuracy::Key;
use crate::study::{Shown, Study};
use serde::{Deserialize, Serialize};

/// Runs of every method on the observed graph.
#[derive(Debug)]
pub struct Clean<'a>(pub(super) &'a Attack<'a>);

/// The margins of the test nodes in one run, in the order of the split.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Margins(pub Vec<f32>);

impl Study for Clean<'_> {
    type Key = Key;
    type Outcome = Margins;

    fn name(&self) -> &'static str {
        "attack-clean"
    }

    fn seed(&self) -> u64 {
        self.0.options.seed
    }

    fn trials(&self) -> Vec<Key> {
        let methods = |run| self.0.contenders.iter().map(move |contender| self.0.clean_key(contender.name(), run));
        (0..self.0.options.clean_runs).flat_map(methods).collect()
    }

    fn settings(&self, key: &Key) -> String {
        self.0.recipes[&key.method].1.clone()
    }

    fn trial(&self, key: &Key) -> Result<Margins, Error> {
        let fit = self.0.fit(&key.method, self.0.data, Run::Choosing(key.run))?;
        Ok(Margins(self.0.split.test.iter().map(|&node| self.0.read(&fit.predictions, node).margin).collect()))
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
