//! Settings of edge erasure, each default with its source.

use super::Erase;
use crate::Error;
use crate::checked::Checked;
use crate::graph::Graph;
use crate::graph_model::registry::Settings;
use crate::graph_model::{GraphModel, Parameters};
use crate::setting::{self, PROBABILITY, Setting, object, settings};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Settings of edge erasure; a consuming builder, see [`EraseParams::check`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EraseParams {
    pub(crate) drop_rate: f64,
}

pub(crate) const SETTINGS: &[Setting] = settings! {
    "drop_rate": PROBABILITY, "probability", "edge drop rate: that an observed edge is left out",
        "the rate at which the paper drops inputs";
};

impl Default for EraseParams {
    fn default() -> Self {
        Self { drop_rate: 0.5 }
    }
}

impl EraseParams {
    /// The edge drop rate, from 0 (every draw is the observed graph) to 1.
    pub fn drop_rate(mut self, drop_rate: f64) -> Self {
        self.drop_rate = drop_rate;
        self
    }

    /// Accepts the settings or says which one is wrong.
    pub fn check(self) -> Result<Checked<Self>, Error> {
        setting::check("erase", SETTINGS, &self)?;
        Ok(Checked::vouched_for(self))
    }
}

impl Settings for EraseParams {
    fn check(&self) -> Result<(), Error> {
        self.clone().check().map(drop)
    }

    fn single_lambda(&self) -> Option<&'static str> {
        Some("erasure has no unknown parameters to sample")
    }

    fn start<'g>(&self, graph: &'g Graph) -> Result<Box<dyn GraphModel + 'g>, Error> {
        Ok(Box::new(Erase::new(&self.clone().check()?, graph)))
    }

    fn resume<'g>(&self, graph: &'g Graph, _parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        self.start(graph)
    }

    fn table(&self) -> Map<String, Value> {
        object(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_and_nothing_else_are_allowed() {
        for good in [0.0, 0.5, 1.0] {
            assert!(EraseParams::default().drop_rate(good).check().is_ok());
        }
        for bad in [f64::NAN, -0.1, 1.1, f64::INFINITY] {
            assert!(EraseParams::default().drop_rate(bad).check().unwrap_err().to_string().contains("drop"));
        }
    }
}
