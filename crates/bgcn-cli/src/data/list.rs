//! `bgcn data list`: built-in and known datasets.

use crate::args::Shared;
use crate::screen;
use bgcn_files::{BUILT_IN, Found, KNOWN, find};
use serde_json::json;

pub fn run(shared: &Shared) -> anyhow::Result<()> {
    let places = shared.places();
    let built_in = BUILT_IN.iter().map(|&(name, what)| (name, what, true, false, "built in".to_owned()));
    let known = KNOWN.iter().map(|known| {
        let found = find(known, &places);
        let fixed_split = matches!(found, Some(Found::Planetoid(_)));
        let place = match &found {
            Some(Found::Planetoid(folder)) => folder.display().to_string(),
            Some(Found::Linqs(folder)) => format!("{} (random splits only)", folder.display()),
            None => format!("not here yet: bgcn data fetch {}", known.name),
        };
        (known.name, known.what, found.is_some(), fixed_split, place)
    });
    let rows = built_in.chain(known);
    if shared.json {
        let object = |(name, what, found, fixed_split, place)| json!({ "name": name, "what": what, "found": found, "fixed_split": fixed_split, "place": place });
        return screen::print_json(&json!({ "datasets": rows.map(object).collect::<Vec<_>>() }));
    }
    let mut table = screen::Table::default();
    rows.for_each(|(name, what, _, _, place)| table.add_row([name, what, &place]));
    screen::print(&(table.trim_fmt() + "\n"))
}
