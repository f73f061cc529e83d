//! A recipe as settings by key, and back: what run.toml, the log, `bgcn compare`, the report and the hash are made of.

use super::{Member, Recipe, ScheduleKind, schema};
use crate::Error;
use crate::graph_model::registry;
use crate::network::Kind;
use crate::setting::{object, shown};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Settings by key.
pub(crate) type Settings = BTreeMap<String, Value>;

type Tables = BTreeMap<String, Map<String, Value>>;

impl Recipe {
    /// Every setting that has an effect in this recipe, by key.
    pub fn settings(&self) -> Settings {
        let mut all: Settings = [("graph_model".into(), Value::from(self.graph_model()))].into();
        for (table, values) in self.tables() {
            let used = values.into_iter().filter(|(name, _)| self.uses(&table, name));
            all.extend(used.map(|(name, value)| (format!("{table}.{name}"), value)));
        }
        all
    }

    /// The recipe of settings that [`Recipe::settings`] has given; none may be missing.
    pub fn of_settings(settings: &Settings) -> Result<Self, Error> {
        let text = |key: &str| settings.get(key).and_then(Value::as_str).unwrap_or_default();
        let (kind, schedule) = (text("network.kind"), text("schedule.kind"));
        let mut recipe = Self::defaults(kind, text("graph_model"), schedule, super::resolve::Facts::UNKNOWN)?;
        recipe.set(settings)?;
        let wanted = recipe.settings();
        if let Some(missing) = wanted.keys().find(|key| !settings.contains_key(*key)) {
            let allowed = "a saved recipe has every setting; was the file edited, or written by another version?";
            return Err(Error::setting(missing, "missing", allowed));
        }
        Ok(recipe)
    }

    /// Changes these settings. Each must be known, in its range, and of use in this recipe.
    pub(crate) fn set(&mut self, settings: &Settings) -> Result<(), Error> {
        let (schema, mut tables) = (schema(), self.tables());
        let known: BTreeMap<&str, _> = schema.iter().map(|documented| (documented.key.as_str(), documented)).collect();
        for (key, value) in settings {
            let Some(documented) = known.get(key.as_str()) else {
                let near = super::nearest(key, known.keys().copied());
                let near = near.map_or(".".into(), |near| format!("; did you mean {near}?"));
                let allowed = format!("there is no such setting{near} `bgcn settings` lists all of them");
                return Err(Error::setting(key, shown(value), allowed));
            };
            let (table, name) = (documented.table, documented.setting.name);
            if name.is_empty() {
                continue; // the graph models are chosen before any setting
            }
            let used = tables.get(table).is_some_and(|values| values.contains_key(name)) && self.uses(table, name);
            if !used {
                return Err(Error::setting(key, shown(value), self.why_unused(table, name)));
            }
            if !documented.setting.range.contains(value) {
                return Err(documented.setting.refuse(table, value));
            }
            tables.entry(table.into()).or_default().insert(name.into(), value.clone());
        }
        self.assign(tables)
    }

    /// All tables, with settings of no use too.
    fn tables(&self) -> Tables {
        let mut tables: Tables = [
            ("features".into(), [("scaling".into(), self.scaling.name().into())].into_iter().collect()),
            ("network".into(), object(&self.network)),
            ("schedule".into(), object(&self.schedule)),
            ("belief".into(), object(&self.belief)),
            ("average".into(), object(&self.average)),
            ("links".into(), object(&self.links)),
        ]
        .into();
        for Member { weight, observed_edges, model } in &self.members {
            let mut table = model.table();
            table.insert("weight".into(), Value::from(*weight));
            table.insert("observed_edges".into(), observed_edges.name().into());
            tables.insert(model.name().into(), table);
        }
        tables
    }

    fn assign(&mut self, mut tables: Tables) -> Result<(), Error> {
        let mut take = |table: &str| tables.remove(table).unwrap_or_default();
        self.scaling = read("features.scaling", take("features").remove("scaling").unwrap_or_default())?;
        self.network = read("network", Value::Object(take("network")))?;
        self.schedule = read("schedule", Value::Object(take("schedule")))?;
        self.belief = read("belief", Value::Object(take("belief")))?;
        self.average = read("average", Value::Object(take("average")))?;
        self.links = read("links", Value::Object(take("links")))?;
        for member in &mut self.members {
            let name = member.model.name();
            let mut table = take(name);
            member.weight = table.remove("weight").and_then(|weight| weight.as_f64()).unwrap_or(1.0);
            let edges = table.remove("observed_edges").unwrap_or_default();
            member.observed_edges = read(&format!("{name}.observed_edges"), edges)?;
            member.model = member.model.entry().read(table)?;
        }
        Ok(())
    }

    /// Whether a setting has an effect in this recipe.
    fn uses(&self, table: &str, name: &str) -> bool {
        let (plain, several) = (self.is_plain(), self.members.len() > 1);
        let algorithm1 = self.schedule.kind == ScheduleKind::Algorithm1;
        match (table, name) {
            ("schedule", "kind") => true,
            ("schedule", "averaged" | "infer_every") => !algorithm1 && !plain,
            ("schedule", "pretraining" | "draws" | "keep") => algorithm1 || !plain,
            ("schedule", "lambdas") => algorithm1 && !plain,
            ("schedule", _) => algorithm1,
            ("belief", _) => self.communities() > 0,
            ("network", "order") => self.network.kind == Kind::Chebnet,
            ("network", "heads" | "output_heads") => self.network.kind == Kind::Gat,
            ("average", _) | (_, "weight") => several,
            (_, "observed_edges") => self.communities() > 0,
            _ => true,
        }
    }

    fn why_unused(&self, table: &str, name: &str) -> String {
        let (method, model) = (self.method(), self.graph_model());
        let others: BTreeSet<&str> = registry::ALL.iter().map(|entry| entry.name).collect();
        match table {
            _ if others.contains(table) && !model.split('+').any(|used| used == table) => {
                format!(
                    "it belongs to graph model {table}, not to {model}; leave it out, or set graph_model to {table}"
                )
            }
            "schedule" => {
                let kind = self.schedule.kind.name();
                format!("it has no use with {method} and schedule {kind}; leave it out or change the schedule")
            }
            "belief" => {
                format!("only graph models that start from a belief over classes use it, not {model}; leave it out")
            }
            _ if table == "average" || name == "weight" => {
                format!("only several graph models are averaged, such as auto; leave it out or change {model}")
            }
            "network" => format!("a {} has no {name}; leave it out or change the network", self.network.kind.name()),
            _ => format!("it has no use with {method}; leave it out"),
        }
    }
}

fn read<T: DeserializeOwned>(key: &str, value: Value) -> Result<T, Error> {
    let found = shown(&value);
    serde_json::from_value(value).map_err(|error| Error::setting(key, found, error.to_string()))
}
