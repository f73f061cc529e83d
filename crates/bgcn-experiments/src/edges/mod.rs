//! The paper's edge study: are the edges of lowest posterior probability wrong, and the likeliest other pairs right?
//! Paper: "we examined the 50 observed edges with lowest average posterior probability", and the 200 most probable
//! others.
//! Differs: the paper does not state its number of labels or inferences. Here a trial is a fit on a random split with
//! 20 labels per class, its probabilities averaged over the inferences of that fit; the counts of many trials are
//! averaged.
//! Symbols: p(y_ab = 1) from mixed memberships, which hardly ever tie (hard ones tie all pairs across communities);
//! where they do, node order decides, and the outcome has a mark.

mod page;
mod table;

pub use page::blocks;
pub use table::{AtRandom, EdgeTable, MethodRow, claims, tabulate};

use crate::contender::Contender;
use crate::plans::{Plans, Run, largest_first};
use crate::study::{Shown, Study, in_range};
use crate::{Datasets, Error, Identity};
use bgcn_core::data::{Dataset, SplitKind};
use bgcn_core::posterior;
use bgcn_core::posterior::Watch;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Observed edges looked at, those of lowest probability.
pub const LOWEST: usize = 50;
/// Unobserved pairs looked at, those of highest probability.
pub const HIGHEST: usize = 200;
/// Training nodes of each class.
pub const LABELS_PER_CLASS: usize = 20;

/// One fit of one method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Dataset name.
    pub dataset: String,
    /// With a graph model.
    pub method: String,
    /// Which repetition, from 0.
    pub run: u32,
}

/// What the extreme pairs of a fit are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Of the [`LOWEST`] observed edges: how many join different labels.
    pub different: usize,
    /// How many touch a node of degree below 2.
    pub low_degree: usize,
    /// How many do one or the other.
    pub either: usize,
    /// Of the [`HIGHEST`] unobserved pairs: how many join equal labels; an unknown label equals none.
    pub equal: usize,
    /// Whether a pair just outside either list has the probability of the last inside.
    pub tied: bool,
    /// How many inferences were averaged.
    pub inferences: usize,
}

/// What to run: every contender on every dataset, `runs` times each.
#[derive(Debug)]
pub struct Edges<'a> {
    datasets: Vec<String>,
    contenders: &'a [Contender],
    runs: u32,
    seed: u64,
    data: &'a Datasets,
    plans: Plans,
}

impl<'a> Edges<'a> {
    /// Every contender, each with a graph model, on the named ones of `data`.
    pub fn new(
        datasets: Vec<String>,
        contenders: &'a [Contender],
        (runs, seed): (u32, u64),
        data: &'a Datasets,
    ) -> Result<Self, Error> {
        for contender in contenders {
            if !contender.draws_graphs()? {
                return Err(Error::Request(format!(
                    "`{}` uses the observed graph, so all edges have probability 1; for the edge study name methods \
                     with a graph model, such as gcn+mmsbm or gat+mmsbm",
                    contender.name()
                )));
            }
        }
        let plans = Plans::new(datasets.iter().map(String::as_str), contenders, data)?;
        Ok(Self { datasets, contenders, runs, seed, data, plans })
    }
}

impl Study for Edges<'_> {
    const NAME: &'static str = "edges";
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
                let key =
                    |contender: &Contender| Key { dataset: dataset.clone(), method: contender.name().to_owned(), run };
                trials.extend(self.contenders.iter().map(key));
            }
        }
        trials
    }

    fn settings(&self, key: &Key) -> Identity {
        let protocol = json!({ "lowest": LOWEST, "highest": HIGHEST, "labels_per_class": LABELS_PER_CLASS });
        self.plans.of(&key.dataset, &key.method).identity::<Self>(key, protocol)
    }

    fn trial(&self, key: &Key, watch: Watch<'_>) -> Result<Outcome, Error> {
        let data = &self.data[&key.dataset];
        let run = Run::new(&key.method, &key.dataset, key.run, self.seed);
        let split = run.split(data, &SplitKind::Random, LABELS_PER_CLASS)?;
        let recipe = &self.plans.of(&key.dataset, &key.method).recipe;
        let fit = run.fit(posterior::fit, recipe, (data, &split), watch)?;
        let beliefs = fit.beliefs.ok_or_else(|| {
            let method = &key.method;
            Error::Request(format!(
                "the graph model of `{method}` has no edge probabilities; leave it out of the edge study"
            ))
        })?;
        // One more than needed, to see whether the border runs through a tie.
        let (lowest, highest) = (LOWEST + 1, HIGHEST + 1);
        let lowest =
            beliefs.least_likely_observed(&data.graph, lowest).iter().map(|pair| (pair.a, pair.b, pair.p)).collect();
        let highest =
            beliefs.most_likely_unobserved(&data.graph, highest).iter().map(|pair| (pair.a, pair.b, pair.p)).collect();
        Ok(Extremes { lowest, highest }.inspect(data, beliefs.inferences()))
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        let Outcome { different, low_degree, either, equal, .. } = *outcome;
        let (lowest, highest) = (0.0..=LOWEST as f64, 0.0..=HIGHEST as f64);
        let least = different.max(low_degree) as f64;
        in_range(&[
            ("different", different as f64, lowest.clone()),
            ("low_degree", low_degree as f64, lowest),
            ("either", either as f64, least..=(different + low_degree).min(LOWEST) as f64),
            ("equal", equal as f64, highest),
        ])
    }

    fn shown(&self, key: &Key, outcome: &Outcome) -> Shown {
        let row = format!("{}, edges of {LOWEST}", key.dataset);
        Shown { row, column: key.method.clone(), value: outcome.either as f64 }
    }
}

/// Pairs of nodes and their probabilities, in order, one more than are looked at.
struct Extremes {
    lowest: Vec<(u32, u32, f64)>,
    highest: Vec<(u32, u32, f64)>,
}

impl Extremes {
    fn inspect(&self, data: &Dataset, inferences: usize) -> Outcome {
        let tied = |pairs: &[(u32, u32, f64)], n: usize| pairs.len() > n && pairs[n - 1].2 == pairs[n].2;
        let least = || self.lowest.iter().take(LOWEST).map(|&(a, b, _)| Kind::of(data, a, b));
        Outcome {
            different: least().filter(|kind| kind.different).count(),
            low_degree: least().filter(|kind| kind.low_degree).count(),
            either: least().filter(Kind::either).count(),
            equal: self.highest.iter().take(HIGHEST).filter(|(a, b, _)| equal_labels(data, *a, *b)).count(),
            tied: tied(&self.lowest, LOWEST) || tied(&self.highest, HIGHEST),
            inferences,
        }
    }
}

/// What kind of edge.
struct Kind {
    different: bool,
    low_degree: bool,
}

impl Kind {
    fn of(data: &Dataset, a: u32, b: u32) -> Self {
        let different = matches!((data.labels.class(a), data.labels.class(b)), (Some(x), Some(y)) if x != y);
        Self { different, low_degree: data.graph.degree(a).min(data.graph.degree(b)) < 2 }
    }

    fn either(&self) -> bool {
        self.different || self.low_degree
    }
}

fn equal_labels(data: &Dataset, a: u32, b: u32) -> bool {
    matches!((data.labels.class(a), data.labels.class(b)), (Some(x), Some(y)) if x == y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::{demo, karate};
    use std::collections::BTreeMap;

    fn contenders(names: &[&str]) -> Vec<Contender> {
        names.iter().map(|name| Contender::of_method(name).unwrap()).collect()
    }

    #[test]
    fn only_the_extremes_count_and_a_tie_at_the_border_is_noted() {
        let data = karate();
        let edges: Vec<(u32, u32)> = data.graph.edge_list().take(LOWEST + 1).collect();
        let wrong = edges[..LOWEST].iter().filter(|&&(a, b)| data.labels.class(a) != data.labels.class(b)).count();
        let extremes = |last: f64| Extremes {
            lowest: (0..).zip(&edges).map(|(i, &(a, b))| (a, b, if i < LOWEST { 0.5 } else { last })).collect(),
            highest: vec![(0, 1, 0.9), (0, 33, 0.8)],
        };
        let found = extremes(0.6).inspect(&data, 3);
        assert_eq!((found.different, found.equal, found.tied, found.inferences), (wrong, 1, false, 3));
        assert!(found.either <= found.different + found.low_degree && found.either >= found.different);
        assert!(extremes(0.5).inspect(&data, 3).tied);
    }

    #[test]
    fn a_method_without_a_graph_model_is_refused() {
        let data = Datasets::from([("karate".to_owned(), karate())]);
        let error = Edges::new(vec!["karate".into()], &contenders(&["gcn"]), (1, 0), &data).unwrap_err();
        assert!(error.is_input() && error.to_string().contains("gcn+mmsbm"), "{error}");
    }

    #[test]
    fn the_least_likely_edges_are_worse_than_edges_at_random() {
        let data = Datasets::from([("demo".to_owned(), demo())]);
        let contenders = contenders(&["gcn+mmsbm"]);
        let study = Edges::new(vec!["demo".into()], &contenders, (1, 0), &data).unwrap();
        let key = study.trials().remove(0);
        let outcome = study.trial(&key, &crate::unwatched).unwrap();
        let table = &tabulate(&BTreeMap::from([(key, outcome)]), &data, &crate::published())[0];
        assert!(outcome.either as f64 > table.at_random.either, "{outcome:?}, {table:?}");
        assert!(outcome.equal as f64 > table.at_random.equal, "{outcome:?}, {table:?}");
    }
}
