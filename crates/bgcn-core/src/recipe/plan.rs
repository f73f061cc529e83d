//! The settings that are given.

use super::tables::Settings;
use super::{Preset, Recipe, ScheduleKind, schema};
use crate::Error;
use crate::data::{Dataset, Split, SplitKind};
use crate::links;
use crate::network::Kind;
use crate::posterior::{self, Fit, Task};
use crate::rng::Seed;
use serde_json::{Map, Value};

/// A preset, a seed, and the few settings that differ from the defaults; a consuming builder.
///
/// Nothing is checked before [`Plan::resolve`] or [`Plan::fit`] sees the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    preset: Preset,
    seed: u64,
    epochs: Option<usize>,
    settings: Settings,
}

impl Plan {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// The plan of a method such as `gcn`, `gat+mmsbm`, `gcn+auto`, `gcn+published`; `bgcn` is `gcn+mmsbm`.
    pub fn of_method(method: &str) -> Result<Self, Error> {
        let name = if method == "bgcn" { "gcn+mmsbm" } else { method };
        let (network, model) = name.split_once('+').unwrap_or((name, "observed"));
        let allowed = "a method is a network (gcn, chebnet, gat), alone or with a graph model, such as gcn, \
                       gat+mmsbm, gcn+auto or \
                       gcn+published";
        let kind = Kind::named(network).ok_or_else(|| Error::setting("method", method, allowed))?;
        let plan = Self::new().network(kind);
        let plan = match Preset::named(model) {
            Some(preset) => plan.preset(preset),
            None => plan.graph_model(model),
        };
        // Names of graph models are checked here: a method is named long before its data is read.
        plan.defaults().map_err(|_| Error::setting("method", method, allowed))?;
        Ok(plan)
    }

    /// The name of the method, as [`Plan::of_method`] reads it.
    pub fn method(&self) -> Result<String, Error> {
        let recipe = self.defaults()?;
        Ok(match self.preset {
            Preset::Published | Preset::PublishedLinear | Preset::Algorithm1 => {
                format!("{}+{}", recipe.network.kind.name(), self.preset.name())
            }
            Preset::Default | Preset::Robust => recipe.method(),
        })
    }

    /// Settings under a name, which those given one by one change.
    pub fn preset(mut self, preset: Preset) -> Self {
        self.preset = preset;
        self
    }

    /// The network.
    pub fn network(self, kind: Kind) -> Self {
        self.set("network.kind", kind.name())
    }

    /// The graph model: a name, `auto`, or several joined by +.
    pub fn graph_model(self, name: &str) -> Self {
        self.set("graph_model", if name == "auto" { super::AUTO } else { name })
    }

    /// The order of inference, drawing and training.
    pub fn schedule(self, kind: ScheduleKind) -> Self {
        self.set("schedule.kind", kind.name())
    }

    /// Training steps in all, pretraining included, of what is fitted and of the plain network that it is compared
    /// with. The parts of a schedule keep their proportion; settings that are given one by one win.
    pub fn epochs(mut self, epochs: usize) -> Self {
        self.epochs = Some(epochs);
        self
    }

    /// Where all randomness comes from.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// One setting; `bgcn settings` lists the keys.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(key.to_owned(), value.into());
        self
    }

    /// Settings in tables: `{"copying": {"copy": 0.5}}`, or with dots in their names.
    pub fn set_all(mut self, tables: &Map<String, Value>) -> Self {
        fn flatten(prefix: &str, tables: &Map<String, Value>, into: &mut Settings) {
            for (name, value) in tables {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                match value {
                    Value::Object(table) => flatten(&key, table, into),
                    value => drop(into.insert(key, value.clone())),
                }
            }
        }
        flatten("", tables, &mut self.settings);
        self
    }

    /// One setting from text: `copying.copy=0.5`.
    pub fn set_text(self, assignment: &str) -> Result<Self, Error> {
        let Some((key, text)) = assignment.split_once('=') else {
            return Err(Error::setting(
                assignment,
                "without a value",
                "write key=value, such as copying.copy=0.5, and names of datasets before it",
            ));
        };
        let known = schema().into_iter().find(|documented| documented.key == key.trim());
        let value = known.map_or_else(|| Value::from(text.trim()), |known| known.setting.range.read(text.trim()));
        Ok(self.set(key.trim(), value))
    }

    /// The training steps that were asked for, and the settings given one by one.
    pub(super) fn asked(&self) -> (Option<usize>, &Settings) {
        (self.epochs, &self.settings)
    }

    /// The settings of the preset and those given one by one.
    pub(super) fn given(&self) -> Result<Settings, Error> {
        let mut given: Settings =
            self.preset.settings().into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        if let (Some(preset), Some(found)) = (given.get("graph_model"), self.settings.get("graph_model"))
            && preset != found
        {
            let (name, model) = (self.preset.name(), crate::setting::shown(preset));
            let allowed = format!("preset {name} has graph model {model}; leave one of the two out");
            return Err(Error::setting("graph_model", crate::setting::shown(found), allowed));
        }
        let inference = "mmsbm.inference";
        if self.settings.get(inference).is_some_and(|other| given.get(inference).is_some_and(|ours| ours != other)) {
            given.retain(|key, _| !super::presets::of_inference(key));
        }
        given.extend(self.settings.clone());
        Ok(given)
    }

    /// Learns from the split that comes with the data, or else from every label there is.
    ///
    /// ```
    /// use bgcn_core::{Error, recipe::Plan};
    /// let data = bgcn_core::data::karate();
    /// let fit = Plan::new().seed(1).set("schedule.draws", 20).fit(&data)?;
    /// assert_eq!(fit.predictions.classes().unwrap().nodes(), 34);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn fit(&self, data: &Dataset) -> Result<Fit, Error> {
        let split = match &data.fixed_split {
            Some(split) => split.clone(),
            None => data.split(&SplitKind::All, 0, Seed::new(self.seed))?,
        };
        self.fit_split(data, &split, &posterior::unwatched)
    }

    /// Learns from a split; `watch` sees every epoch, inference and draw, and may stop the fit.
    pub fn fit_split(&self, data: &Dataset, split: &Split, watch: posterior::Watch<'_>) -> Result<Fit, Error> {
        let recipe: Recipe = self.resolve(data)?;
        links::fit_alone(&recipe, Task { data, split, seed: Seed::new(self.seed) }, watch)
    }
}
