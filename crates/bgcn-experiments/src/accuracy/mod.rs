//! The paper's accuracy tables: every method in every cell, many runs each, all methods on the same splits.

mod claims;
mod judged;
mod overall;
mod page;
mod tables;
mod trial;

pub use claims::{FAR, claims};
pub use judged::JudgedOn;
pub use overall::{Overall, overall, overall_blocks};
pub use page::{LEGEND, REST, dataset_blocks, remarks};
pub use tables::{CellResult, Table, Tables, Verdict, tabulate};
pub use trial::{Cell, Key, Outcome, Scaled, SplitName};

use crate::contender::Contender;
use crate::plans::{Plans, Run, largest_first};
use crate::study::{Shown, Study};
use crate::{Datasets, Error, Identity};
use bgcn_core::data::{Dataset, Split};
use bgcn_core::links;
use bgcn_core::metrics::{Judged, Temperature};
use bgcn_core::posterior::{Posterior, Watch};
use serde_json::json;
use std::collections::BTreeSet;

/// What to run: every contender in every cell, `runs` times each.
#[derive(Debug)]
pub struct Accuracy<'a> {
    /// Columns.
    cells: Vec<Cell>,
    /// Rows.
    contenders: &'a [Contender],
    runs: u32,
    seed: u64,
    judged_on: JudgedOn,
    data: &'a Datasets,
    plans: Plans,
}

impl<'a> Accuracy<'a> {
    /// Every contender in every cell, whose datasets must be among `data`.
    pub fn new(
        cells: Vec<Cell>,
        contenders: &'a [Contender],
        (runs, seed): (u32, u64),
        judged_on: JudgedOn,
        data: &'a Datasets,
    ) -> Result<Self, Error> {
        let names: BTreeSet<&str> = cells.iter().map(|cell| cell.dataset.as_str()).collect();
        let plans = Plans::new(names, contenders, data)?;
        Ok(Self { cells, contenders, runs, seed, judged_on, data, plans })
    }
}

impl Study for Accuracy<'_> {
    const NAME: &'static str = "accuracy";
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.seed
    }

    /// All methods of a run together, so that early means can be compared. Large graphs come first and the methods that
    /// draw graphs before the plain ones, so that no long trial is left alone at the end.
    fn trials(&self) -> Vec<Key> {
        let mut trials = Vec::new();
        for cell in largest_first(self.cells.iter().collect(), self.data, |cell| &cell.dataset) {
            let plain = |name: &str| self.plans.of(&cell.dataset, name).recipe.is_plain();
            let mut contenders: Vec<&Contender> = self.contenders.iter().collect();
            contenders.sort_by_key(|contender| plain(contender.name()));
            for run in 0..self.runs {
                for contender in &contenders {
                    trials.push(Key { cell: cell.clone(), method: contender.name().to_owned(), run });
                }
            }
        }
        trials
    }

    fn settings(&self, key: &Key) -> Identity {
        self.plans.of(&key.cell.dataset, &key.method).identity::<Self>(key, json!({ "judged_on": self.judged_on }))
    }

    /// Methods share the split of a run, and nothing else.
    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let (data, name) = (&self.data[&key.cell.dataset], &key.cell.dataset);
        let run = Run::new(&key.method, name, key.run, self.seed);
        let split = run.split(data, &key.cell.split.kind(), key.cell.labels_per_class)?;
        let fit = run.fit(links::fit_alone, &self.plans.of(name, &key.method).recipe, (data, &split), watch)?;
        let posterior = fit.predictions.classes();
        let posterior = posterior.ok_or_else(|| Error::Request(format!("{name} has no classes to predict")))?;
        judge(posterior, data, &split, &self.judged_on.nodes(&split, data))
            .ok_or_else(|| Error::Request(format!("{name}: the split leaves no node to judge by; use a larger graph")))
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        outcome.check()
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        let Cell { dataset, split, labels_per_class } = &key.cell;
        let row = format!("{dataset}, {split}, {labels_per_class} labels");
        Shown { row, column: key.method.clone(), value: 100.0 * outcome.accuracy }
    }
}

/// Scores on these nodes, as predicted and after temperature scaling.
fn judge(posterior: &Posterior, data: &Dataset, split: &Split, nodes: &[u32]) -> Option<Outcome> {
    let (p, c) = (&posterior.probabilities, posterior.classes);
    let scores = |p: &[f32]| Judged::new(p, c, &data.labels, nodes).scores();
    let plain = scores(p)?;
    let scaled = Temperature::fit(p, c, &data.labels, &split.validation).and_then(|temperature| {
        let scores = scores(&temperature.scale(p, c))?;
        Some(Scaled { temperature: temperature.value(), nll: scores.nll, ece: scores.ece })
    });
    Some(Outcome { accuracy: plain.accuracy, nll: plain.nll, ece: plain.ece, brier: plain.brier, scaled })
}
