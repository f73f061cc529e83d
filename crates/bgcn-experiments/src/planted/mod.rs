//! Planted edges: does the link model find edges that the study planted or hid, and better than simpler rankings?
//! Paper: not in it; its edge study looks at labels, since the wrong edges are unknown.
//! Differs: a share of the edges is planted or hidden, so that it is known. The data has wrong edges too, which
//! count as right here: ranking can be compared, and ρ, P(spurious) and lists beside what a clean run finds. What is
//! exact is in [`crate::calibration`].
//! Symbols: ρ, the share of the observed edges that is spurious.
//!
//! ```text
//! clean     nothing is planted                                        20 labels per class
//! uniform   10 % between any two nodes, and 5 and 30 %                20; of 10 %, 5 as well
//! between   10 % between different classes                            20
//! aimed     10 %, all ending at a hundredth of the nodes              20
//! hidden    10 % are taken away, to be found among missing pairs      20
//! ```

mod baselines;
mod compare;
mod page;
mod plant;
mod rank;
mod table;
mod trial;

pub use baselines::WITH_LABELS;
pub use compare::{Comparison, compare};
pub use page::blocks;
pub use plant::{Kind, Planting};
pub use rank::{First, Ranking};
pub use table::{CalibrationRow, CleanRow, MissingRow, PlantedTable, RankerRow, tabulate};
pub(crate) use trial::ranking;
pub use trial::{Cell, Clean, Judged, Key, Missing, Outcome};

use crate::contender::Contender;
use crate::plans::{Plans, largest_first};
use crate::study::{Shown, Study};
use crate::{Datasets, Error, Identity};
use bgcn_core::data::Labels;
use bgcn_core::links::RATE;
use bgcn_core::posterior::Watch;
use serde_json::json;
use std::collections::BTreeMap;

/// The link model among the rankers.
pub const LINKS: &str = "links";
/// The trial that gives all simple rankings.
const BASELINES: &str = "baselines";
/// The defaults, by which links are judged and the baselines' classes predicted.
const DEFAULT: &str = "gcn+copying";
/// Graph models whose p(y_ab | λ) ranks edges too, where none are asked for.
pub const METHODS: [&str; 5] = ["gcn+copying", "gcn+mmsbm", "gcn+sbm", "gcn+dcsbm", "gcn+auto"];
/// Repetitions, at most.
pub const RUNS: u32 = 10;
/// Edges looked at where nothing was planted.
pub const SUSPICIOUS: usize = 20;
/// Bins of the calibration error.
pub(crate) const BINS: usize = 10;

/// What is run of every dataset.
pub const CELLS: [Cell; 8] = [
    Cell::new(Kind::Clean, 0, 20),
    Cell::new(Kind::Uniform, 5, 20),
    Cell::new(Kind::Uniform, 10, 5),
    Cell::new(Kind::Uniform, 10, 20),
    Cell::new(Kind::Uniform, 30, 20),
    Cell::new(Kind::Between, 10, 20),
    Cell::new(Kind::Aimed, 10, 20),
    Cell::new(Kind::Hidden, 10, 20),
];

/// Every cell of every dataset, `runs` times each.
#[derive(Debug)]
pub struct Planted<'a> {
    datasets: Vec<String>,
    /// By name; the default is among them.
    contenders: BTreeMap<String, Contender>,
    /// Graph models that rank edges, in the order asked for.
    methods: Vec<String>,
    runs: u32,
    seed: u64,
    data: &'a Datasets,
    plans: Plans,
}

impl<'a> Planted<'a> {
    /// On the named ones of `data`; contenders rank by their graph model, and those without one are left out.
    pub fn new(
        datasets: Vec<String>,
        contenders: &[Contender],
        (runs, seed): (u32, u64),
        data: &'a Datasets,
    ) -> Result<Self, Error> {
        let mut methods = Vec::new();
        let mut all = BTreeMap::from([(DEFAULT.to_owned(), Contender::of_method(DEFAULT)?)]);
        for contender in contenders {
            if contender.draws_graphs()? {
                methods.push(contender.name().to_owned());
                all.insert(contender.name().to_owned(), contender.clone());
            }
        }
        if let Some(name) = datasets.iter().find(|name| !matches!(data[*name].labels, Labels::Classes { .. })) {
            return Err(Error::Request(format!("{name} has no classes, which the planted study needs")));
        }
        let contenders: Vec<Contender> = all.values().cloned().collect();
        let plans = Plans::new(datasets.iter().map(String::as_str), &contenders, data)?;
        Ok(Self { datasets, contenders: all, methods, runs, seed, data, plans })
    }

    /// Who ranks in a cell: where nothing is planted, or edges are hidden, the link model alone.
    fn rankers(&self, cell: &Cell) -> Vec<String> {
        let mut rankers = vec![LINKS.to_owned()];
        if !matches!(cell.kind, Kind::Clean | Kind::Hidden) {
            rankers.extend(self.methods.iter().cloned());
            rankers.push(BASELINES.to_owned());
        }
        rankers
    }

    /// The method behind a ranker.
    fn method<'k>(&self, key: &'k Key) -> &'k str {
        if [LINKS, BASELINES].contains(&key.ranker.as_str()) { DEFAULT } else { &key.ranker }
    }
}

impl Study for Planted<'_> {
    const NAME: &'static str = "planted";
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Large graphs first.
    fn trials(&self) -> Vec<Key> {
        let mut trials = Vec::new();
        for dataset in largest_first(self.datasets.iter().collect(), self.data, |name| name) {
            for run in 0..self.runs {
                for cell in CELLS {
                    let key = |ranker| Key { dataset: dataset.clone(), cell, ranker, run };
                    trials.extend(self.rankers(&cell).into_iter().map(key));
                }
            }
        }
        trials
    }

    fn settings(&self, key: &Key) -> Identity {
        let protocol = json!({ "rate": RATE, "bins": BINS, "suspicious": SUSPICIOUS });
        self.plans.of(&key.dataset, self.method(key)).identity::<Self>(key, protocol)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let method = self.method(key);
        let trial = trial::Trial { data: &self.data[&key.dataset], contender: &self.contenders[method], key };
        trial.run(self.seed, watch)
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        outcome.check()
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        let (what, value) = match outcome {
            Outcome { missing: Some(missing), .. } => ("first 100", missing.first.at_100),
            Outcome { clean: Some(clean), .. } => ("ρ", clean.rho),
            _ => {
                let best = outcome.rankings.values().map(|ranking| ranking.average_precision);
                ("average precision", best.fold(0.0, f64::max))
            }
        };
        let Key { dataset, cell, ranker, .. } = key;
        Shown { row: format!("{dataset}, {cell}: {what}"), column: ranker.clone(), value: 100.0 * value }
    }
}

#[cfg(test)]
mod tests;
