//! What the paper prints, for comparison.

use serde::Deserialize;
use std::collections::BTreeMap;

/// A printed mean with its standard deviation, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Figure {
    /// Mean over the runs.
    pub mean: f64,
    /// Standard deviation over the runs.
    pub sd: f64,
}

/// Accuracies by dataset, split, labels per class and method.
#[derive(Clone, Debug, Deserialize)]
pub struct Published {
    /// Runs behind each figure.
    pub runs: usize,
    accuracy: BTreeMap<String, BTreeMap<String, BTreeMap<String, BTreeMap<String, Figure>>>>,
}

impl Published {
    /// The printed accuracy of a method in a cell, where the paper has one.
    pub fn accuracy(&self, dataset: &str, split: &str, labels_per_class: usize, method: &str) -> Option<Figure> {
        self.accuracy.get(dataset)?.get(split)?.get(&labels_per_class.to_string())?.get(method).copied()
    }
}

/// The paper's figures.
pub fn published() -> Published {
    serde_json::from_str(include_str!("../data/paper.json")).expect("our own data file is well-formed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paper_prints_four_methods_in_eighteen_cells() {
        let paper = published();
        assert_eq!(paper.runs, 50);
        for dataset in ["cora", "citeseer", "pubmed"] {
            for split in ["random", "fixed"] {
                for labels in [5, 10, 20] {
                    for method in ["chebnet", "gcn", "gat", "bgcn"] {
                        assert!(paper.accuracy(dataset, split, labels, method).is_some());
                    }
                }
            }
        }
        assert_eq!(paper.accuracy("cora", "random", 5, "bgcn"), Some(Figure { mean: 74.6, sd: 2.8 }));
        assert_eq!(paper.accuracy("demo", "random", 5, "gcn"), None);
    }
}
