//! Contenders on datasets: what they do, what their trials depend on, and a run of one of them.

use crate::identity::{Identity, identity};
use crate::{Contender, Datasets, Error, Study};
use bgcn_core::data::{Dataset, Labels, Split, SplitKind};
use bgcn_core::posterior::{Task, Watch};
use bgcn_core::recipe::{RESULTS_EPOCH, Recipe};
use bgcn_core::rng::Seed;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What every contender does on every dataset of a study, by the names of both.
#[derive(Debug)]
pub(crate) struct Plans(BTreeMap<(String, String), Planned>);

/// What a contender does on a dataset.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) recipe: Recipe,
    /// The fingerprint of the dataset.
    data: String,
}

impl Plans {
    /// Of the contenders on these of `data`.
    pub(crate) fn new<'a>(
        datasets: impl IntoIterator<Item = &'a str>,
        contenders: &[Contender],
        data: &Datasets,
    ) -> Result<Self, Error> {
        let mut plans = BTreeMap::new();
        for name in datasets {
            let dataset = &data[name];
            let fingerprint = dataset.fingerprint();
            for contender in contenders {
                let planned = Planned { recipe: contender.recipe(dataset)?, data: fingerprint.clone() };
                plans.insert((name.to_owned(), contender.name().to_owned()), planned);
            }
        }
        Ok(Self(plans))
    }

    /// What the method does on the dataset, both among those planned.
    pub(crate) fn of(&self, dataset: &str, method: &str) -> &Planned {
        &self.0[&(dataset.to_owned(), method.to_owned())]
    }
}

impl Planned {
    /// What a trial of study `S` depends on, which fixes `protocol` beside the fields of its key.
    pub(crate) fn identity<S: Study>(&self, key: &S::Key, protocol: Value) -> Identity {
        let key = serde_json::to_value(key).expect("keys become JSON");
        let fields: Vec<&String> = key.as_object().into_iter().flat_map(|key| key.keys()).collect();
        let study = json!({ "name": S::NAME, "key": fields, "protocol": protocol });
        identity(&json!(self.recipe.settings()), &self.data, &study, RESULTS_EPOCH)
    }
}

/// Large graphs first, so that no long trial is left alone at the end.
pub(crate) fn largest_first<T>(mut items: Vec<T>, data: &Datasets, name: impl Fn(&T) -> &str) -> Vec<T> {
    items.sort_by_key(|item| Reverse(data[name(item)].graph.edges()));
    items
}

/// One run of a method on a dataset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run<'a> {
    method: &'a str,
    dataset: &'a str,
    number: u32,
    pub(crate) seed: Seed,
}

/// A fit of the library.
type Fitting<T> = fn(&Recipe, Task<'_>, Watch<'_>) -> Result<T, bgcn_core::Error>;

impl<'a> Run<'a> {
    /// A repetition, whose seed follows from the study's.
    pub(crate) fn new(method: &'a str, dataset: &'a str, number: u32, seed: u64) -> Self {
        Self { method, dataset, number, seed: Seed::new(seed).trial(u64::from(number)) }
    }

    /// The same with a seed of its own.
    pub(crate) fn with_seed(self, seed: Seed) -> Self {
        Self { seed, ..self }
    }

    /// The split of the run; a random one that would take fewer labels of a class than the protocol says is refused.
    pub(crate) fn split(&self, data: &Dataset, kind: &SplitKind, n: usize) -> Result<Split, bgcn_core::Error> {
        let known = data.labels.class_counts();
        let small = known.iter().position(|&known| 0 < known && known < 2 * n);
        if let (SplitKind::Random, Some(class), Labels::Classes { names, .. }) = (kind, small, &data.labels) {
            let found = format!("class {:?} of {} has {} labelled nodes", names[class], data.name, known[class]);
            let next = "and a protocol tests on as many; ask for fewer, or label more nodes";
            return Err(bgcn_core::Error::Request(format!("{found}, but {n} per class were asked for, {next}.")));
        }
        data.split(kind, n, self.seed)
    }

    /// Fits the recipe to the data; an error names the run.
    pub(crate) fn fit<T>(
        &self,
        fitting: Fitting<T>,
        recipe: &Recipe,
        (data, split): (&Dataset, &Split),
        watch: Watch<'_>,
    ) -> Result<T, Error> {
        fitting(recipe, Task { data, split, seed: self.seed }, watch).map_err(|source| self.failed(source))
    }

    /// Why the run failed.
    pub(crate) fn failed(&self, source: bgcn_core::Error) -> Error {
        let (method, dataset) = (self.method.to_owned(), self.dataset.to_owned());
        Error::Fit { method, dataset, run: self.number, source: Box::new(source) }
    }
}
