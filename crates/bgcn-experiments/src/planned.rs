//! A contender on a dataset: what it does, and what its trials depend on.

use crate::identity::{Identity, identity};
use crate::{Contender, Error, Study};
use bgcn::data::Dataset;
use bgcn::outputs::MemoryNeed;
use bgcn::recipe::{RESULTS_EPOCH, Recipe};
use serde_json::{Value, json};

/// What a contender does on a dataset.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) recipe: Recipe,
    /// The fingerprint of the dataset.
    data: String,
    /// Bytes of a fit.
    pub(crate) memory: u64,
}

impl Planned {
    /// `data` has this fingerprint.
    pub(crate) fn new(contender: &Contender, data: &Dataset, fingerprint: &str) -> Result<Self, Error> {
        let recipe = contender.recipe(data)?;
        let memory = MemoryNeed::of(&recipe, data).total();
        Ok(Self { recipe, data: fingerprint.to_owned(), memory })
    }

    /// What a trial of study `S` depends on, which fixes `protocol` beside the fields of its key.
    pub(crate) fn identity<S: Study>(&self, key: &S::Key, protocol: Value) -> Identity {
        let key = serde_json::to_value(key).expect("keys become JSON");
        let fields: Vec<&String> = key.as_object().into_iter().flat_map(|key| key.keys()).collect();
        let study = json!({ "name": S::NAME, "key": fields, "protocol": protocol });
        identity(&json!(self.recipe.settings()), &self.data, &study, RESULTS_EPOCH)
    }
}
