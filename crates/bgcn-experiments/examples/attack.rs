//! The random attack, on the built-in set or on those named:
//! `cargo run --release --example attack -- [--evasion] [NAME…]`.
//!
//! `BGCN_DATA` says where Cora and CiteSeer are. With `BGCN_FIGURES` set to a folder, the figures are written there.

use bgcn::data::{Places, load, read::ReadOptions};
use bgcn_experiments::accuracy::SplitName;
use bgcn_experiments::attack::{Attack, Counts, Kind, Options};
use bgcn_experiments::{Contender, Datasets, Error, Log, Shard, Watching, published, run};
use bgcn_report::Page;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (flags, mut names): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with('-'));
    if names.is_empty() {
        names.push("demo".into());
    }
    let methods = ["gcn", "bgcn", "gcn+published"].map(|name| Contender::of_method(name).unwrap());
    let folder = tempfile::tempdir()?;
    for name in &names {
        let data: Datasets = [(name.clone(), load(name, &Places::new(None), &ReadOptions::default())?)].into();
        let mut options = Options::default();
        if flags.iter().any(|flag| flag == "--evasion") {
            options.kind = Kind::Evasion;
        }
        if data[name].fixed_split.is_none() {
            let targets = Counts { highest: 3, lowest: 3, shared: 4 };
            options = Options { split: SplitName::Random, repetitions: 1, clean_runs: 2, targets, ..options };
        }
        let attack = Attack::new(name, &methods, options, &data)?;
        let results = study(&attack, &mut Log::open(&folder.path().join(Log::FILE))?)?;
        println!("{}", Page { title: "Attack".into(), blocks: results.blocks() }.markdown());
        if let Some(figures) = std::env::var_os("BGCN_FIGURES").map(PathBuf::from) {
            std::fs::write(figures.join(results.file()), results.drawing().file())?;
        }
    }
    Ok(())
}

/// Clean runs, targets, attacked runs, results.
fn study(attack: &Attack<'_>, log: &mut Log) -> Result<bgcn_experiments::attack::Results, Error> {
    let clean = run(&attack.clean(), log, Shard::WHOLE, Watching::default())?;
    let targets = attack.targets(&clean.outcomes)?;
    let attacked = run(&attack.attacked(&targets), log, Shard::WHOLE, Watching::default())?;
    attack.results(&targets, &attacked.outcomes, &published())
}
