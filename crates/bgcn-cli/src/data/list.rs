//! `bgcn data list`: built-in and known datasets.

use crate::args::Shared;
use crate::screen;
use bgcn_files::{BUILT_IN, Found, KNOWN, find};
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    what: &'static str,
    found: bool,
    fixed_split: bool,
    place: String,
}

pub fn run(shared: &Shared) -> anyhow::Result<()> {
    let places = shared.places();
    let built_in = BUILT_IN.iter().map(|&(name, what)| Row {
        name,
        what,
        found: true,
        fixed_split: false,
        place: "built in".into(),
    });
    let known = KNOWN.iter().map(|known| {
        let found = find(known, &places);
        Row {
            name: known.name,
            what: known.what,
            found: found.is_some(),
            fixed_split: matches!(found, Some(Found::Planetoid(_))),
            place: match found {
                Some(Found::Planetoid(folder)) => folder.display().to_string(),
                Some(Found::Linqs(folder)) => format!("{} (random splits only)", folder.display()),
                None => format!("not here yet: bgcn data fetch {}", known.name),
            },
        }
    });
    let rows: Vec<Row> = built_in.chain(known).collect();
    if shared.json {
        return screen::print_json(&serde_json::json!({ "datasets": rows }));
    }
    let mut table = screen::Table::default();
    for row in &rows {
        table.add_row([row.name, row.what, &row.place]);
    }
    screen::print(&(table.trim_fmt() + "\n"))
}
