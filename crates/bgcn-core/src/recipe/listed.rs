//! Every setting with its default in words, for lists that people read.

use super::{Documented, Plan, ScheduleKind, schema};
use crate::Error;
use crate::graph_model::registry;
use crate::network::Kind;
use crate::setting::shown;
use std::collections::BTreeMap;

/// Defaults that depend on the data, in words.
const BY_DATA: [(&str, &str); 3] = [
    ("communities", "the number of classes"),
    ("copies", "by the mean degree"),
    ("scaling", "by the kind of the features"),
];

/// A setting as a list shows it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Key, help, unit and source.
    pub documented: Documented,
    /// The default, in words where it depends on the data.
    pub default: String,
    /// What it may be.
    pub allowed: String,
}

/// The settings that some recipe uses, or some recipe with this graph model.
pub fn listed(graph_model: Option<&str>) -> Result<Vec<Listed>, Error> {
    let defaults = defaults(graph_model)?;
    let list = |documented: Documented| {
        let by_data = BY_DATA.iter().find(|(name, _)| *name == documented.setting.name);
        let default = match by_data {
            Some((_, words)) => (*words).to_owned(),
            None => defaults.get(&documented.key)?.clone(),
        };
        let allowed = allowed(&documented);
        Some(Listed { documented, default, allowed })
    };
    Ok(schema().into_iter().filter_map(list).collect())
}

/// What a setting may be; of graph models, their names.
fn allowed(documented: &Documented) -> String {
    let range = documented.setting.range.to_string();
    let names: Vec<&str> = registry::ALL.iter().map(|entry| entry.name).collect();
    if range.is_empty() { format!("{}, auto, or several joined by +", names.join(", ")) } else { range }
}

/// The default of every setting that some recipe uses; of those that differ, the default recipe's.
fn defaults(graph_model: Option<&str>) -> Result<BTreeMap<String, String>, Error> {
    let models: Vec<&str> = match graph_model {
        Some(model) => vec![model],
        None => ["copying", "auto", "mmsb+sbm+dcsbm"]
            .into_iter()
            .chain(registry::ALL.iter().map(|entry| entry.name))
            .collect(),
    };
    let mut all = BTreeMap::new();
    for schedule in [ScheduleKind::Published, ScheduleKind::Algorithm1] {
        for model in &models {
            for kind in Kind::ALL {
                let recipe = Plan::new().graph_model(model).network(kind).schedule(schedule).defaults()?;
                for (key, value) in recipe.settings() {
                    all.entry(key).or_insert_with(|| shown(&value));
                }
            }
        }
    }
    Ok(all)
}
