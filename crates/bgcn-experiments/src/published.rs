//! What the paper prints, for comparison.

use crate::accuracy::Cell;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A printed mean with its standard deviation, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Printed {
    /// Mean over the runs.
    pub mean: f64,
    /// Standard deviation over the runs.
    pub sd: f64,
}

/// A dataset as the paper counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Nodes.
    pub nodes: usize,
    /// Citations, before directions and repetitions are merged.
    pub edges: usize,
    /// Columns of the features.
    pub features: usize,
    /// Classes.
    pub classes: usize,
}

/// Before and after an attack.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Attacked {
    /// On the observed graph.
    pub clean: f64,
    /// On the perturbed ones.
    pub attacked: f64,
}

/// One method under attack.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct UnderAttack {
    /// In percent of the outcomes.
    pub accuracy: Attacked,
    /// Mean classification margin.
    pub margin: Attacked,
}

/// What the edge study counted.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct EdgeStudy {
    /// The observed edges of lowest probability.
    pub lowest_observed: LowestObserved,
    /// The unobserved pairs of highest probability.
    pub highest_unobserved: HighestUnobserved,
}

/// The observed edges of lowest probability.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LowestObserved {
    /// How many join different classes or touch a node of degree below 2, by dataset.
    pub inter_community_or_degree_below_2: BTreeMap<String, usize>,
}

/// The unobserved pairs of highest probability.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct HighestUnobserved {
    /// How many join equal classes, by dataset.
    pub intra_community: BTreeMap<String, usize>,
}

type ByCell<T> = BTreeMap<String, BTreeMap<String, BTreeMap<String, T>>>;

/// Every figure of the paper.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    /// Runs behind each accuracy.
    pub runs: usize,
    accuracy: ByCell<BTreeMap<String, Printed>>,
    #[serde(rename = "significant_winner_p_below_0.05")]
    winners: ByCell<String>,
    /// By name.
    pub datasets: BTreeMap<String, Counts>,
    /// By dataset and method.
    pub attack: BTreeMap<String, BTreeMap<String, UnderAttack>>,
    /// The edge study.
    pub edge_study: EdgeStudy,
}

impl Published {
    /// The same without accuracies, which are of the test nodes: nothing to set beside others.
    pub fn without_accuracy(mut self) -> Self {
        (self.accuracy, self.winners) = Default::default();
        self
    }

    /// The printed accuracy of a method in a cell, where the paper has one.
    pub fn accuracy(&self, cell: &Cell, method: &str) -> Option<Printed> {
        of_cell(&self.accuracy, cell)?.get(method).copied()
    }

    /// The method that the paper marks as significantly the best in a cell.
    pub fn winner(&self, cell: &Cell) -> Option<&str> {
        of_cell(&self.winners, cell).map(String::as_str)
    }
}

fn of_cell<'a, T>(all: &'a ByCell<T>, cell: &Cell) -> Option<&'a T> {
    all.get(&cell.dataset)?.get(&cell.split.to_string())?.get(&cell.labels_per_class.to_string())
}

/// The paper's figures, under our names of the methods.
pub fn published() -> Published {
    // The paper's "bgcn" is our gcn+mmsbm.
    let text = include_str!("../data/paper.json").replace(r#""bgcn""#, r#""gcn+mmsbm""#);
    serde_json::from_str(&text).expect("our own data file is well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::SplitName;

    #[test]
    fn the_paper_prints_four_methods_in_eighteen_cells() {
        let paper = published();
        assert_eq!(paper.runs, 50);
        let cell = |dataset: &str, split, labels_per_class| Cell { dataset: dataset.into(), split, labels_per_class };
        let mut winners = Vec::new();
        for dataset in ["cora", "citeseer", "pubmed"] {
            for split in [SplitName::Random, SplitName::Fixed] {
                for labels in [5, 10, 20] {
                    let cell = cell(dataset, split, labels);
                    for method in ["chebnet", "gcn", "gat", "gcn+mmsbm"] {
                        assert!(paper.accuracy(&cell, method).is_some());
                    }
                    winners.extend(paper.winner(&cell).filter(|_| dataset != "pubmed").map(str::to_owned));
                }
            }
        }
        assert_eq!(winners, ["gcn+mmsbm"; 10], "ten cells of Cora and CiteSeer");
        let of = |dataset: &str, method: &str| paper.accuracy(&cell(dataset, SplitName::Random, 5), method);
        assert_eq!(of("cora", "gcn+mmsbm"), Some(Printed { mean: 74.6, sd: 2.8 }));
        assert_eq!(of("demo", "gcn"), None);
        assert_eq!(paper.attack["citeseer"]["gcn"].accuracy.attacked, 43.0);
        assert_eq!(paper.edge_study.highest_unobserved.intra_community["cora"], 177);
    }
}
