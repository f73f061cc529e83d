//! `bgcn settings`: every setting of the recipe with default, range, unit, source and one line of help.

use crate::args::Shared;
use crate::screen;
use bgcn::graph_model::registry;
use bgcn::network::Kind;
use bgcn::recipe::{Documented, Plan, ScheduleKind, schema};
use bgcn::setting::{Setting, shown};
use clap::Args;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Args)]
#[command(
    after_help = "Change a setting with `bgcn fit --set KEY=VALUE`, or several in a file with `bgcn fit --config FILE`."
)]
pub struct Command {
    /// Only settings that this graph model uses
    #[arg(long, value_name = "NAME")]
    graph_model: Option<String>,
}

/// Defaults that depend on the data, in words.
const BY_DATA: [(&str, &str); 3] =
    [("communities", "the number of classes"), ("copies", "by the mean degree"), ("scaling", "by the features")];

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let defaults = defaults(command.graph_model.as_deref())?;
    let default = |documented: &Documented| {
        let name = documented.setting.name;
        let by_data = BY_DATA.iter().find(|(known, _)| *known == name).map(|(_, words)| (*words).to_owned());
        Some(by_data.unwrap_or(defaults.get(&documented.key)?.clone()))
    };
    let listed: Vec<(Documented, String)> = schema()
        .into_iter()
        .filter_map(|documented| default(&documented).map(|default| (documented, default)))
        .collect();
    if shared.json {
        let object = |(documented, default): &(Documented, String)| -> Value {
            let setting = documented.setting;
            json!({
                "key": documented.key, "default": default, "range": allowed(setting), "unit": setting.unit,
                "source": setting.source, "help": setting.help,
            })
        };
        return screen::print_json(&json!({ "settings": listed.iter().map(object).collect::<Vec<_>>() }));
    }
    let mut text = String::new();
    for (documented, default) in &listed {
        let setting = documented.setting;
        // A number has its unit, a word speaks for itself.
        let counted = default.parse::<f64>().is_ok() && !setting.unit.is_empty();
        let unit = if counted { format!(" {}", setting.unit) } else { String::new() };
        text += &format!("{} = {default}{unit}\n    {}\n", documented.key, setting.help);
        text += &format!("    allowed: {}\n    default from: {}\n", allowed(setting), setting.source);
    }
    screen::print(&text)
}

/// What a setting may be; of graph models, their names.
fn allowed(setting: &Setting) -> String {
    let range = setting.range.to_string();
    let names: Vec<&str> = registry::ALL.iter().map(|entry| entry.name).collect();
    if range.is_empty() { format!("{}, auto, or several joined by +", names.join(", ")) } else { range }
}

/// The default of every setting that some recipe uses; of those that differ, the default recipe's.
fn defaults(graph_model: Option<&str>) -> Result<BTreeMap<String, String>, bgcn::Error> {
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
