//! The paper's claims about its accuracy tables: the significantly best method, and the least variance.
//!
//! Only the paper's four methods count, whatever else took part. A claim is open where one of them is missing, or where
//! so few runs differ that no Wilcoxon test could reach p < 0.05.

use super::tables::{Methods, Tables, by_cell, lead, percent};
use super::{Cell, Key, Outcome};
use crate::claim::{Claim, Standing};
use crate::published::Published;
use std::collections::BTreeMap;

/// The paper's methods.
pub(super) const METHODS: [&str; 4] = ["chebnet", "gcn", "gat", "gcn+mmsbm"];

/// Two-sided, six pairs that all agree give p = 2/64, five 2/32.
const FEWEST_PAIRS: usize = 6;

/// Points by which means must differ to be listed.
pub const FAR: f64 = 2.0;

/// Claims about the cells that have trials.
pub fn claims(outcomes: &BTreeMap<Key, Outcome>, paper: &Published) -> Vec<Claim> {
    let cells = of_the_paper(outcomes);
    let winners = cells.iter().filter_map(|(cell, methods)| Some(winner(cell, methods, paper.winner(cell)?)));
    winners.chain(spread(&cells, paper)).collect()
}

/// The paper's methods by cell.
fn of_the_paper(outcomes: &BTreeMap<Key, Outcome>) -> BTreeMap<&Cell, Methods<'_>> {
    let mut cells = by_cell(outcomes);
    cells.values_mut().for_each(|methods| methods.retain(|name, _| METHODS.contains(name)));
    cells
}

fn about(cell: &Cell) -> String {
    format!("{}, {}, {} labels", cell.dataset, cell.split, cell.labels_per_class)
}

fn winner(cell: &Cell, methods: &Methods<'_>, winner: &str) -> Claim {
    let absent: Vec<&str> = METHODS.into_iter().filter(|name| !methods.contains_key(name)).collect();
    let lead = lead(methods);
    let test = lead.as_ref().and_then(|lead| lead.against_second);
    let best = lead.map_or("none", |lead| lead.best);
    let standing = match test {
        Some(_) if best != winner && methods.contains_key(winner) => Standing::NotReproduced,
        Some(test) if best == winner && absent.is_empty() && test.n >= FEWEST_PAIRS => Standing::of(test.p < 0.05),
        _ => Standing::Open,
    };
    let without = if absent.is_empty() { String::new() } else { format!(" ({} not run)", absent.join(", ")) };
    Claim {
        topic: "Significantly the best method",
        about: about(cell),
        paper: winner.into(),
        here: format!("{best}{without}"),
        p: test.map(|test| test.p),
        standing,
    }
}

/// How often the Bayesian GCN has the smaller standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Smaller {
    /// Of the comparisons with another method in a cell.
    comparisons: usize,
    /// Standard deviations equal to the digit that is printed count for neither.
    smaller: usize,
    cells: usize,
    smallest: usize,
}

impl Smaller {
    /// `None` for cells without the Bayesian GCN or without another.
    fn add(&mut self, sd: impl Fn(&str) -> Option<f64>) -> Option<()> {
        // As printed, so that both figures are judged by one rule.
        let tenths = |sd: f64| (10.0 * sd).round();
        let own = tenths(sd("gcn+mmsbm")?);
        let others: Vec<f64> = METHODS[..3].iter().filter_map(|name| sd(name)).map(tenths).collect();
        self.comparisons += others.len();
        self.smaller += others.iter().filter(|other| own < **other).count();
        self.cells += usize::from(!others.is_empty());
        self.smallest += usize::from(!others.is_empty() && others.iter().all(|other| own < *other));
        Some(())
    }

    fn words(&self) -> String {
        let Self { comparisons, smaller, cells, smallest } = self;
        format!("smaller in {smaller} of {comparisons} comparisons, smallest of all in {smallest} of {cells} cells")
    }
}

/// "Bayesian GCNN provides lower variance results in most tested scenarios": over the cells there are.
fn spread(cells: &BTreeMap<&Cell, Methods<'_>>, paper: &Published) -> Option<Claim> {
    let (mut ours, mut theirs) = (Smaller::default(), Smaller::default());
    let mut fewest = usize::MAX;
    for (cell, methods) in cells {
        let sd = |name: &str| Some(percent(methods.get(name)?, |outcome| outcome.accuracy).sd);
        let printed = |name: &str| {
            // Where ours has no method, the paper's does not count either.
            methods.get(name)?;
            Some(paper.accuracy(cell, name)?.sd)
        };
        if printed("gcn+mmsbm").is_some() && ours.add(sd).is_some() {
            theirs.add(printed)?;
            fewest = methods.values().map(BTreeMap::len).min().unwrap_or(0).min(fewest);
        }
    }
    (ours.comparisons > 0).then(|| Claim {
        topic: "Lower variance",
        about: "standard deviation of the Bayesian GCN".into(),
        paper: format!("lower in most scenarios; by its own tables {}", theirs.words()),
        here: ours.words(),
        p: None,
        // A standard deviation over n runs is uncertain by about 1/√(2n) of itself.
        standing: if fewest < 10 { Standing::Open } else { Standing::of(2 * ours.smaller > ours.comparisons) },
    })
}

/// Cells whose mean is more than [`FAR`] points from the paper's, as sentences.
pub(super) fn far_from_paper(tables: &Tables) -> Vec<String> {
    let mut far = Vec::new();
    for table in tables {
        for cell in &table.cells {
            if let (Some(verdict), Some((mean, _))) = (cell.verdict, cell.published)
                && verdict.difference.abs() > FAR
            {
                far.push(format!(
                    "{} on {}, {} split, {} labels: {:.1} against {mean:.1} ({:+.1} ± {:.1})",
                    cell.method,
                    table.dataset,
                    table.split,
                    cell.labels_per_class,
                    cell.accuracy.mean,
                    verdict.difference,
                    verdict.error
                ));
            }
        }
    }
    far
}

/// Cells where one of the paper's methods leads significantly here though the paper marks none.
pub(super) fn unmarked_winners(outcomes: &BTreeMap<Key, Outcome>, paper: &Published) -> Vec<String> {
    let cells = of_the_paper(outcomes);
    let unmarked = |(cell, methods): (&&Cell, &Methods<'_>)| {
        paper.accuracy(cell, "gcn+mmsbm")?;
        let lead = lead(methods)?;
        let p = lead.against_second?.p;
        let found = paper.winner(cell).is_none() && p < 0.05;
        found.then(|| format!("{} ({}, p = {p:.3})", about(cell), lead.best))
    };
    cells.iter().filter_map(unmarked).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{SplitName, tabulate};
    use super::*;
    use crate::published::published;

    /// Accuracy in percent by method, the same spread in every run.
    fn outcomes(methods: &[(&str, f64, f64)], runs: u32) -> BTreeMap<Key, Outcome> {
        let cell = Cell { dataset: "cora".into(), split: SplitName::Random, labels_per_class: 5 };
        let mut all = BTreeMap::new();
        for &(method, mean, spread) in methods {
            for run in 0..runs {
                let accuracy = (mean + spread * f64::from(run % 2)) / 100.0;
                let key = Key { cell: cell.clone(), method: method.into(), run };
                all.insert(key, Outcome { accuracy, nll: 1.0, ece: 0.1, brier: 0.4, scaled: None });
            }
        }
        all
    }

    fn found(methods: &[(&str, f64, f64)], runs: u32) -> Vec<Standing> {
        claims(&outcomes(methods, runs), &published()).iter().map(|claim| claim.standing).collect()
    }

    const THREE: [(&str, f64, f64); 3] = [("chebnet", 60.0, 3.0), ("gcn", 70.0, 3.0), ("gat", 69.0, 3.0)];

    #[test]
    fn the_winner_must_be_the_papers_and_significant() {
        use Standing::{NotReproduced, Open, Reproduced};
        let with = |mean, spread| [&THREE[..], &[("gcn+mmsbm", mean, spread)]].concat();
        assert_eq!(found(&with(74.0, 1.0), 10), [Reproduced, Reproduced]);
        assert_eq!(found(&with(69.5, 5.0), 10), [NotReproduced, NotReproduced], "another is better, and varies less");
        assert_eq!(found(&with(74.0, 1.0), 5), [Open, Open], "five runs cannot be significant");
        assert_eq!(found(&[("gcn", 70.0, 3.0), ("gcn+mmsbm", 74.0, 1.0)], 10)[0], Open, "two methods were not run");
        assert_eq!(found(&THREE, 10), [Open], "without the winner nothing can be said");
    }

    #[test]
    fn other_contenders_do_not_decide_a_claim_of_the_paper() {
        let all = [&THREE[..], &[("gcn+mmsbm", 74.0, 1.0), ("gcn+published", 90.0, 0.0)]].concat();
        let claims = claims(&outcomes(&all, 10), &published());
        assert_eq!((claims[0].here.as_str(), claims[0].standing), ("gcn+mmsbm", Standing::Reproduced));
    }

    #[test]
    fn the_papers_own_tables_are_counted_too() {
        let claims = claims(&outcomes(&[&THREE[..], &[("gcn+mmsbm", 74.0, 1.0)]].concat(), 10), &published());
        assert!(claims[1].paper.contains("smaller in 3 of 3 comparisons"), "{}", claims[1].paper);
    }

    #[test]
    fn means_far_from_the_papers_are_named() {
        let outcomes = outcomes(&[("gcn", 73.0, 0.0), ("gat", 70.0, 0.0)], 4);
        let far = far_from_paper(&tabulate(&outcomes, &published()));
        assert_eq!(far.len(), 1);
        assert!(far[0].starts_with("gcn on cora, random split, 5 labels: 73.0 against 70.0 (+3.0"), "{}", far[0]);
        assert_eq!(unmarked_winners(&outcomes, &published()), [""; 0]);
    }
}
