//! Runs each study that was asked for, and adds what it found to the report.

use super::report::Report;
use super::trials::Trials;
use super::what::{KNOWN, What};
use super::{Command, Wanted};
use crate::args::Shared;
use bgcn_core::data::Error;
use bgcn_core::posterior::MemoryNeed;
use bgcn_experiments::Contender;
use bgcn_experiments::accuracy::{self, Accuracy, Cell, JudgedOn, SplitName};
use bgcn_experiments::attack::{self, Attack};
use bgcn_experiments::calibration::{self, Calibration};
use bgcn_experiments::edges::{self, Edges};
use bgcn_experiments::planted::{self, Planted};
use bgcn_experiments::{Claim, Datasets, Finished, Published, Standing, datasets, published};
use bgcn_files::read::ReadOptions;
use bgcn_files::{BUILT_IN, known, load};
use bgcn_report::Block;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The datasets of the edge study.
const EDGES: [&str; 2] = ["cora", "citeseer"];

/// What was asked for, without its data: beside that, all that another machine needs to run trials.
#[derive(Serialize, Deserialize)]
pub struct Asked {
    wanted: Wanted,
    seed: u64,
    /// The content of the file of variants.
    variants: Option<String>,
    parts: Vec<What>,
    /// The datasets of the accuracy tables, in the order asked for.
    accuracy: Vec<String>,
    /// The datasets under attack, in the order asked for.
    attacked: Vec<String>,
    /// The datasets in which edges are planted, in the order asked for.
    planted: Vec<String>,
}

/// What was asked for, with its data.
pub struct Studies {
    pub asked: Asked,
    pub data: Datasets,
    /// The methods of each study.
    contenders: Contenders,
    paper: Published,
}

struct Contenders {
    accuracy: Vec<Contender>,
    edges: Vec<Contender>,
    attack: Vec<Contender>,
    planted: Vec<Contender>,
}

impl Contenders {
    fn of(asked: &Asked) -> anyhow::Result<Self> {
        let among = |default: &[&str]| asked.wanted.contenders(default, asked.variants.as_deref());
        let mut edges = among(&["gcn+mmsbm", "gcn+published"])?;
        // Where more is asked for, plain methods are meant for that.
        if asked.parts.len() > 1 {
            let drawing = edges.iter().map(Contender::draws_graphs).collect::<Result<Vec<_>, _>>()?;
            let mut drawing = drawing.into_iter();
            edges.retain(|_| drawing.next() == Some(true));
        }
        Ok(Self {
            accuracy: among(&["chebnet", "gcn", "gat", "gcn+mmsbm", "gcn+copying", "gcn+auto"])?,
            edges,
            attack: among(&["gcn", "gcn+mmsbm"])?,
            planted: among(&planted::METHODS)?,
        })
    }
}

/// Reads a dataset; its name, which for a folder is that of its content.
fn read(name: &str, data: &mut Datasets, shared: &Shared) -> Result<String, Error> {
    let named = known(name).is_some() || BUILT_IN.iter().any(|(built_in, _)| *built_in == name);
    let loaded = load(name, &shared.places(), &ReadOptions::default())?;
    let key = if named { name.to_owned() } else { loaded.name.clone() };
    if data.contains_key(&key) {
        return Err(Error::Request(format!(
            "two datasets are called {key}; reproduce them one after another, each with its own --out"
        )));
    }
    data.insert(key.clone(), loaded);
    Ok(key)
}

/// Claims stay open while trials are left to other shares.
fn settled<K, O>(mut claims: Vec<Claim>, finished: &Finished<K, O>) -> Vec<Claim> {
    if finished.left > 0 {
        claims.iter_mut().for_each(|claim| claim.standing = Standing::Open);
    }
    claims
}

impl Studies {
    /// Reads the data that the parts need, before anything runs.
    pub fn read(command: &Command, shared: &Shared) -> anyhow::Result<Self> {
        let wanted = command.wanted.clone();
        let mut parts: Vec<What> = Vec::new();
        for part in wanted.what.iter().flat_map(What::parts) {
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        if wanted.evasion && !parts.iter().any(|part| matches!(part, What::Attack(_))) {
            let found = "--evasion is about attacks, but no attack is asked for; add attack-cora, attack-citeseer, \
                         attack-demo or attack-FOLDER, or leave it out";
            return Err(Error::Request(found.into()).into());
        }
        let (mut accuracy, mut attacked, mut planted) = (Vec::new(), Vec::new(), Vec::new());
        let mut data = Datasets::new();
        let mut keys = BTreeMap::new();
        for part in &parts {
            let names: Vec<&str> = match part {
                What::Datasets => KNOWN.into(),
                What::Edges => EDGES.into(),
                What::Accuracy(name) | What::Attack(name) | What::Planted(name) => vec![name],
                What::Calibration => Vec::new(),
                What::All | What::AllPlanted => unreachable!("it was taken apart"),
            };
            for name in names {
                let key = match keys.get(name) {
                    Some(key) => key,
                    None => keys.entry(name.to_owned()).or_insert(read(name, &mut data, shared)?),
                };
                match part {
                    What::Accuracy(_) => accuracy.push(key.clone()),
                    What::Attack(_) => attacked.push(key.clone()),
                    What::Planted(_) => planted.push(key.clone()),
                    _ => {}
                }
            }
        }
        let read = |file: &PathBuf| bgcn_files::files::read_to_string(file).map_err(Error::io("reading", file));
        let variants = wanted.variants.as_ref().map(read).transpose()?;
        let seed = shared.seed_number();
        Self::new(Asked { wanted, seed, variants, parts, accuracy, attacked, planted }, data)
    }

    /// What was asked for, with data that was read before.
    pub fn new(asked: Asked, data: Datasets) -> anyhow::Result<Self> {
        let needed = [&asked.accuracy, &asked.attacked, &asked.planted].into_iter().flatten().map(String::as_str);
        let edges = asked.parts.contains(&What::Edges).then_some(EDGES).into_iter().flatten();
        if let Some(name) = needed.chain(edges).find(|name| !data.contains_key(*name)) {
            return Err(Error::Request(format!("the dataset {name} was not handed over with the evaluation")).into());
        }
        Ok(Self { contenders: Contenders::of(&asked)?, asked, data, paper: published() })
    }

    /// Bytes that a trial takes at most; where edges are planted, a fit with decoys runs beside the other.
    pub fn memory(&self) -> anyhow::Result<u64> {
        let Contenders { accuracy, edges, attack, planted } = &self.contenders;
        let of_edges =
            if self.asked.parts.contains(&What::Edges) { EDGES.map(str::to_owned).into() } else { Vec::new() };
        let studies = [
            (accuracy, &self.asked.accuracy, 1),
            (edges, &of_edges, 1),
            (attack, &self.asked.attacked, 1),
            (planted, &self.asked.planted, 2),
        ];
        let mut most = 0;
        for (contenders, names, fits) in studies {
            for data in names.iter().map(|name| &self.data[name]) {
                for contender in contenders {
                    most = most.max(fits * MemoryNeed::of(&contender.recipe(data)?, data).total());
                }
            }
        }
        Ok(most)
    }

    /// Runs every study.
    pub fn run(&self, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        self.datasets(report);
        self.accuracy(trials, report)?;
        self.edges(trials, report)?;
        self.asked.attacked.iter().try_for_each(|name| self.attack(name, trials, report))?;
        self.planted(trials, report)?;
        self.calibration(trials, report)
    }

    fn datasets(&self, report: &mut Report) {
        if self.asked.parts.contains(&What::Datasets) {
            let tables = datasets::measure(&KNOWN.map(str::to_owned), &self.data, &self.paper);
            report.section("Datasets", datasets::blocks(&tables));
            report.claims(datasets::claims(&tables));
            report.tables("datasets", &tables);
        }
    }

    fn accuracy(&self, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        if self.asked.accuracy.is_empty() {
            return Ok(());
        }
        let (contenders, judged_on) = (&self.contenders.accuracy, self.asked.wanted.judge);
        let study = Accuracy::new(self.cells(), contenders, self.runs(), judged_on, &self.data)?;
        let finished = trials.run(&study)?;
        let (paper, note) = match judged_on {
            JudgedOn::Test => (self.paper.clone(), None),
            JudgedOn::Rest => (self.paper.clone().without_accuracy(), Some(Block::Text(accuracy::REST.into()))),
        };
        let tables = accuracy::tabulate(&finished.outcomes, &paper);
        let mut first: Vec<Block> = note.into_iter().collect();
        first.push(Block::Text(accuracy::LEGEND.into()));
        let overall = accuracy::overall(&finished.outcomes, &paper);
        first.extend(accuracy::overall_blocks(&overall));
        first.extend(accuracy::remarks(&finished.outcomes, &tables, &paper));
        report.section("Accuracy", first);
        report.claims(settled(accuracy::claims(&finished.outcomes, &paper), &finished));
        for name in &self.asked.accuracy {
            let blocks = accuracy::dataset_blocks(&tables, name, contenders, finished.left > 0);
            report.section(&format!("Accuracy on {name}"), blocks);
        }
        report.tables("accuracy", &tables);
        report.count(&finished);
        Ok(())
    }

    fn edges(&self, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        if !self.asked.parts.contains(&What::Edges) {
            return Ok(());
        }
        if self.contenders.edges.is_empty() {
            let text = "Left out: every method asked for uses the observed graph.";
            report.section("Edges", vec![Block::Text(text.into())]);
            return Ok(());
        }
        let names = EDGES.map(str::to_owned).into();
        let finished = trials.run(&Edges::new(names, &self.contenders.edges, self.runs(), &self.data)?)?;
        let tables = edges::tabulate(&finished.outcomes, &self.data, &self.paper);
        report.section("Edges", edges::blocks(&tables, finished.left > 0));
        report.claims(settled(edges::claims(&tables), &finished));
        report.tables("edges", &tables);
        report.count(&finished);
        Ok(())
    }

    fn attack(&self, name: &str, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        let attack = Attack::new(name, &self.contenders.attack, self.attack_options(name), &self.data)?;
        let clean = trials.run_first(&attack.clean())?;
        report.count(&clean);
        if clean.left > 0 {
            report.follows = true;
            return Ok(());
        }
        let targets = attack.targets(&clean.outcomes)?;
        let attacked = trials.run(&attack.attacked(&targets))?;
        report.count(&attacked);
        if attacked.left > 0 {
            let text = format!(
                "**Partial**: {} trials are left to other shares. The margins can be compared when all targets are \
                 there: join the folders with `bgcn reproduce --merge`.",
                attacked.left
            );
            report.section(&attack.title(), vec![Block::Text(text)]);
            return Ok(());
        }
        let results = attack.results(&targets, &attacked.outcomes, &self.paper)?;
        report.blocks(results.blocks());
        report.claims(results.paper_claims());
        report.tables("attack", &[results]);
        Ok(())
    }

    fn planted(&self, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        if self.asked.planted.is_empty() {
            return Ok(());
        }
        let (names, runs) = (self.asked.planted.clone(), self.few_runs(planted::RUNS));
        let finished = trials.run(&Planted::new(names, &self.contenders.planted, runs, &self.data)?)?;
        let tables = planted::tabulate(&finished.outcomes);
        report.section("Planted edges", planted::blocks(&tables, finished.left > 0));
        report.tables("planted", &tables);
        report.count(&finished);
        Ok(())
    }

    fn calibration(&self, trials: &mut Trials<'_>, report: &mut Report) -> anyhow::Result<()> {
        if !self.asked.parts.contains(&What::Calibration) {
            return Ok(());
        }
        let finished = trials.run(&Calibration::new(self.few_runs(calibration::RUNS))?)?;
        if let Some(table) = calibration::tabulate(&finished.outcomes) {
            report.section("Calibration of the link model", calibration::blocks(&table, finished.left > 0));
            report.tables("calibration", &[table]);
        }
        report.count(&finished);
        Ok(())
    }

    /// The paper's, or fewer repetitions where fewer runs are asked for.
    fn attack_options(&self, name: &str) -> attack::Options {
        let default = attack::Options::default();
        attack::Options {
            kind: if self.asked.wanted.evasion { attack::Kind::Evasion } else { attack::Kind::Poisoning },
            split: if self.data[name].fixed_split.is_some() { SplitName::Fixed } else { SplitName::Random },
            clean_runs: default.clean_runs.min(self.asked.wanted.runs),
            repetitions: default.repetitions.min(self.asked.wanted.runs),
            seed: self.asked.seed,
            ..default
        }
    }

    fn runs(&self) -> (u32, u64) {
        (self.asked.wanted.runs, self.asked.seed)
    }

    /// The same, for a study of at most so many runs.
    fn few_runs(&self, most: u32) -> (u32, u64) {
        (self.asked.wanted.runs.min(most), self.asked.seed)
    }

    fn cells(&self) -> Vec<Cell> {
        let mut cells = Vec::new();
        for dataset in &self.asked.accuracy {
            let splits = match &self.asked.wanted.split[..] {
                [] if self.data[dataset].fixed_split.is_some() => &[SplitName::Random, SplitName::Fixed],
                [] => &[SplitName::Random][..],
                asked => asked,
            };
            for &split in splits {
                for &labels_per_class in &self.asked.wanted.labels_per_class {
                    cells.push(Cell { dataset: dataset.clone(), split, labels_per_class });
                }
            }
        }
        cells
    }
}
