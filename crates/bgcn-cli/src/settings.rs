//! `bgcn settings`: every setting of the recipe with default, range, unit, source and one line of help.

use crate::args::Shared;
use crate::screen;
use bgcn_core::recipe::{Listed, listed};
use clap::Args;
use serde_json::{Value, json};

#[derive(Args)]
#[command(
    after_help = "Change a setting with `bgcn fit --set KEY=VALUE`, or several in a file with `bgcn fit --config FILE`."
)]
pub struct Command {
    /// Settings of this graph model alone
    #[arg(long, value_name = "NAME")]
    graph_model: Option<String>,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let listed = listed(command.graph_model.as_deref())?;
    if shared.json {
        let object = |Listed { documented, default, allowed }: &Listed| -> Value {
            let setting = documented.setting;
            json!({
                "key": documented.key, "default": default, "range": allowed, "unit": setting.unit,
                "source": setting.source, "help": setting.help,
            })
        };
        return screen::print_json(&json!({ "settings": listed.iter().map(object).collect::<Vec<_>>() }));
    }
    let mut text = String::new();
    for Listed { documented, default, allowed } in &listed {
        let setting = documented.setting;
        // Numbers have units, words have none.
        let counted = default.parse::<f64>().is_ok() && !setting.unit.is_empty();
        let unit = if counted { format!(" {}", setting.unit) } else { String::new() };
        text += &format!("{} = {default}{unit}\n    {}\n", documented.key, setting.help);
        text += &format!("    allowed: {allowed}\n    default from: {}\n", setting.source);
    }
    screen::print(&text)
}
