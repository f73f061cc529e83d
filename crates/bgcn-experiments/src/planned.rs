//! A contender on a dataset: what it does, and what its trials depend on.

use crate::identity::{Identity, RESULTS_EPOCH, identity};
use crate::{Contender, Error, Study};
use bgcn::Checked;
use bgcn::data::Dataset;
use bgcn::posterior::Plan;
use serde_json::{Value, json};

/// What a contender does on a dataset.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) plan: Checked<Plan>,
    /// The plan as JSON.
    recipe: Value,
    /// The fingerprint of the dataset.
    data: String,
}

impl Planned {
    /// `data` has this fingerprint.
    pub(crate) fn new(contender: &Contender, data: &Dataset, fingerprint: &str) -> Result<Self, Error> {
        let plan = contender.plan(data)?;
        let recipe = serde_json::to_value(&*plan).expect("plans become JSON");
        Ok(Self { plan, recipe, data: fingerprint.to_owned() })
    }

    /// What a trial of study `S` depends on, which fixes `protocol` beside the fields of its key.
    pub(crate) fn identity<S: Study>(&self, key: &S::Key, protocol: Value) -> Identity {
        let key = serde_json::to_value(key).expect("keys become JSON");
        let fields: Vec<&String> = key.as_object().into_iter().flat_map(|key| key.keys()).collect();
        let study = json!({ "name": S::NAME, "key": fields, "protocol": protocol });
        identity(&self.recipe, &self.data, &study, RESULTS_EPOCH)
    }
}
