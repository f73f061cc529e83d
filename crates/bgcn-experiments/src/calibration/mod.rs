//! Calibration of the link model: on generated graphs, where every edge is known, are P(spurious), ρ and lists right?
//! Paper: not in it.
//! Differs: graphs of several sizes, homophilies and shares of spurious edges; a fit sees 20 labels per class.
//! Symbols: ρ, the share of the observed edges that is spurious.

mod page;
mod table;

pub use page::blocks;
pub use table::{CalibrationTable, CellRow, Overall, tabulate};

use crate::contender::Contender;
use crate::identity::identity;
use crate::plans::Run;
use crate::planted::{Judged, ranking};
use crate::study::{Shown, Study, in_range};
use crate::{Error, Identity};
use bgcn_core::data::generate::Generator;
use bgcn_core::data::{Dataset, SplitKind};
use bgcn_core::links;
use bgcn_core::links::RATE;
use bgcn_core::posterior::Watch;
use bgcn_core::recipe::{Plan, RESULTS_EPOCH};
use bgcn_core::rng::Seed;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::fmt;

/// Sizes.
pub const NODES: [usize; 3] = [10_000, 3_000, 1_000];
/// Homophilies, in percent.
pub const HOMOPHILY: [u32; 3] = [20, 60, 100];
/// Shares of spurious edges, in percent.
pub const SPURIOUS: [u32; 3] = [5, 10, 30];
/// Repetitions, at most.
pub const RUNS: u32 = 10;
/// Training nodes of each class.
pub const LABELS_PER_CLASS: usize = 20;
const MEAN_DEGREE: f64 = 10.0;
const FEATURE_STRENGTH: f64 = 0.6;
/// The defaults.
const METHOD: &str = "gcn+copying";

/// A kind of graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// Nodes.
    pub nodes: usize,
    /// Share of the true edges inside a topic, in percent.
    pub homophily: u32,
    /// Share of the observed edges that is spurious, in percent.
    pub spurious: u32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} nodes, homophily {} %, {} % spurious", self.nodes, self.homophily, self.spurious)
    }
}

/// One generated graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Of which kind.
    #[serde(flatten)]
    pub cell: Cell,
    /// Which repetition, from 0.
    pub run: u32,
}

/// The findings of the link model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// ρ, P(spurious) and lists against the truth.
    #[serde(flatten)]
    pub judged: Judged,
    /// Average precision of the ranking.
    pub average_precision: f64,
}

/// Every kind of graph, `runs` times.
#[derive(Debug)]
pub struct Calibration {
    cells: Vec<Cell>,
    runs: u32,
    seed: u64,
    contender: Contender,
    /// Of the contender, before it sees data.
    recipe: Value,
}

impl Calibration {
    /// All sizes, homophilies and shares.
    pub fn new((runs, seed): (u32, u64)) -> Result<Self, Error> {
        let mut cells = Vec::new();
        for nodes in NODES {
            for homophily in HOMOPHILY {
                cells.extend(SPURIOUS.map(|spurious| Cell { nodes, homophily, spurious }));
            }
        }
        let recipe = json!(Plan::of_method(METHOD)?.defaults()?.settings());
        Ok(Self { cells, runs, seed, contender: Contender::of_method(METHOD)?, recipe })
    }

    fn generate(&self, cell: Cell, seed: Seed) -> Result<Dataset, Error> {
        let share = |percent: u32| f64::from(percent) / 100.0;
        let generator = Generator {
            nodes: cell.nodes,
            mean_degree: MEAN_DEGREE,
            homophily: share(cell.homophily),
            spurious: share(cell.spurious),
            feature_strength: FEATURE_STRENGTH,
            ..Generator::default()
        };
        Ok(generator.generate(seed)?)
    }
}

impl Study for Calibration {
    const NAME: &'static str = "calibration";
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Large graphs first.
    fn trials(&self) -> Vec<Key> {
        self.cells.iter().flat_map(|&cell| (0..self.runs).map(move |run| Key { cell, run })).collect()
    }

    fn settings(&self, _: &Key) -> Identity {
        let protocol = json!({
            "mean_degree": MEAN_DEGREE, "feature_strength": FEATURE_STRENGTH, "others": format!("{:?}", Generator::default()),
            "labels_per_class": LABELS_PER_CLASS, "rate": RATE, "bins": crate::planted::BINS,
        });
        let study =
            json!({ "name": Self::NAME, "key": ["homophily", "nodes", "run", "spurious"], "protocol": protocol });
        identity(&self.recipe, "generated", &study, RESULTS_EPOCH)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let name = key.cell.to_string();
        let run = Run::new(METHOD, &name, key.run, self.seed);
        let data = self.generate(key.cell, run.seed)?;
        let split = run.split(&data, &SplitKind::Random, LABELS_PER_CLASS)?;
        let (_, links) = run.fit(links::fit, &self.contender.recipe(&data)?, (&data, &split), watch)?;
        let truth = &data.truth.as_ref().expect("generated data has its true edges").spurious;
        let spurious = |a, b| truth.binary_search(&(a, b)).is_ok();
        let judged = Judged::of(&links, spurious);
        Ok(Outcome { judged, average_precision: ranking(&links, spurious).average_precision })
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        outcome.judged.check()?;
        in_range(&[("average_precision", outcome.average_precision, 0.0..=1.0)])
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        let Cell { nodes, homophily, spurious } = key.cell;
        Shown {
            row: format!("{nodes} nodes, homophily {homophily} %"),
            column: format!("{spurious} %: ECE"),
            value: 100.0 * outcome.judged.ece,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Log, Shard, Watching, run};

    #[test]
    fn small_graphs_go_through_the_log_and_become_a_table() {
        let mut study = Calibration::new((1, 0)).unwrap();
        assert_eq!(study.trials().len(), 27);
        study.cells = vec![Cell { nodes: 1_000, homophily: 100, spurious: 30 }];
        let folder = tempfile::tempdir().unwrap();
        let go = || run(&study, &mut Log::open(folder.path()).unwrap(), Shard::WHOLE, Watching::default()).unwrap();
        let (first, again) = (go(), go());
        assert_eq!((first.run, again.run, again.reused), (1, 0, 1));
        assert_eq!(first.outcomes, again.outcomes);
        let outcome = first.outcomes.values().next().unwrap();
        assert!((outcome.judged.spurious - 0.3).abs() < 1e-3 && outcome.average_precision > 0.3, "{outcome:?}");
        let table = tabulate(&first.outcomes).unwrap();
        assert_eq!((table.cells.len(), table.overall.graphs), (1, 1));
        assert_eq!(blocks(&table, false).len(), 2);
        assert!(tabulate(&Default::default()).is_none());
    }
}
