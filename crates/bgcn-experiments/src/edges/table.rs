//! Counts over many trials, beside the paper's and beside what pairs taken at random would give.

use super::{HIGHEST, Key, Kind, LOWEST, Outcome};
use crate::Datasets;
use crate::claim::{Claim, Standing};
use crate::published::Published;
use crate::summary::Summary;
use bgcn_core::data::Dataset;
use serde::Serialize;
use std::collections::BTreeMap;

/// With fewer trials their spread is too uncertain.
const FEWEST_TRIALS: usize = 5;

/// The edge study of one dataset.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeTable {
    /// Dataset.
    pub dataset: String,
    /// By method.
    pub rows: Vec<MethodRow>,
    /// What as many pairs at random would give.
    pub at_random: AtRandom,
    /// The paper's: of the 50 edges, then of the 200 pairs.
    pub published: Option<(usize, usize)>,
}

/// Counts of one method, over its trials.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MethodRow {
    /// Method.
    pub method: String,
    /// Of 50 edges: different labels.
    pub different: Summary,
    /// Of 50 edges: a node of degree below 2.
    pub low_degree: Summary,
    /// Of 50 edges: one or the other.
    pub either: Summary,
    /// Of 200 pairs: equal labels.
    pub equal: Summary,
    /// Trials where the border of a list ran through a tie.
    pub tied: usize,
    /// The most inferences that a trial averaged.
    pub inferences: usize,
}

/// What pairs taken at random would give on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct AtRandom {
    /// Of 50 observed edges: different labels.
    pub different: f64,
    /// Of 50 observed edges: a node of degree below 2.
    pub low_degree: f64,
    /// Of 50 observed edges: one or the other.
    pub either: f64,
    /// Of 200 unobserved pairs: equal labels.
    pub equal: f64,
}

impl AtRandom {
    fn of(data: &Dataset) -> Self {
        let edges = data.graph.edges();
        let share = |is: &dyn Fn(&Kind) -> bool| {
            let count = data.graph.edge_list().filter(|&(a, b)| is(&Kind::of(data, a, b))).count();
            LOWEST as f64 * count as f64 / edges.max(1) as f64
        };
        let pairs = |n: usize| n as f64 * (n as f64 - 1.0) / 2.0;
        let equal: f64 = data.labels.class_counts().into_iter().map(pairs).sum();
        let joined = data.graph.edge_list().filter(|&(a, b)| super::equal_labels(data, a, b)).count();
        let apart = pairs(data.nodes()) - edges as f64;
        Self {
            different: share(&|kind| kind.different),
            low_degree: share(&|kind| kind.low_degree),
            either: share(&Kind::either),
            equal: HIGHEST as f64 * (equal - joined as f64) / apart.max(1.0),
        }
    }
}

/// Collects finished trials.
pub fn tabulate(outcomes: &BTreeMap<Key, Outcome>, data: &Datasets, paper: &Published) -> Vec<EdgeTable> {
    let mut found: BTreeMap<&str, BTreeMap<&str, Vec<Outcome>>> = BTreeMap::new();
    for (key, outcome) in outcomes {
        found.entry(&key.dataset).or_default().entry(&key.method).or_default().push(*outcome);
    }
    let table = |(dataset, methods): (&str, BTreeMap<&str, Vec<Outcome>>)| {
        let study = &paper.edge_study;
        let lowest = study.lowest_observed.inter_community_or_degree_below_2.get(dataset);
        let highest = study.highest_unobserved.intra_community.get(dataset);
        EdgeTable {
            dataset: dataset.to_owned(),
            rows: methods.into_iter().map(|(method, outcomes)| row(method, &outcomes)).collect(),
            at_random: AtRandom::of(&data[dataset]),
            published: lowest.copied().zip(highest.copied()),
        }
    };
    found.into_iter().map(table).collect()
}

fn row(method: &str, outcomes: &[Outcome]) -> MethodRow {
    let over = |of: fn(&Outcome) -> usize| Summary::over(outcomes, |outcome| of(outcome) as f64);
    MethodRow {
        method: method.to_owned(),
        different: over(|o| o.different),
        low_degree: over(|o| o.low_degree),
        either: over(|o| o.either),
        equal: over(|o| o.equal),
        tied: outcomes.iter().filter(|outcome| outcome.tied).count(),
        inferences: outcomes.iter().map(|outcome| outcome.inferences).max().unwrap_or(0),
    }
}

/// "In the majority of cases", and "most of these": that holds where our mean is more than half, and above what pairs
/// at random would give by more than two standard errors. The paper's count is reached as well where our mean is not
/// below it by more than two standard errors, those of our mean, since the paper gives no spread; else the claim holds
/// partly.
pub fn claims(tables: &[EdgeTable]) -> Vec<Claim> {
    let mut claims = Vec::new();
    for table in tables {
        let Some((either, equal)) = table.published else { continue };
        for row in &table.rows {
            let about = |what: &str| format!("{}, {}: {what}", table.dataset, row.method);
            let claim = |what: &str, (paper, all): (usize, usize), ours: &Summary, random: f64| Claim {
                topic: "Edges of low and high posterior probability",
                about: about(what),
                paper: format!("{paper} of {all}"),
                here: format!("{:.1} of {all} (at random {random:.1})", ours.mean),
                p: None,
                standing: {
                    let (most, error) = (2.0 * ours.mean > all as f64, 2.0 * ours.error());
                    match most && ours.mean > random + error {
                        _ if ours.n < FEWEST_TRIALS => Standing::Open,
                        false => Standing::NotReproduced,
                        true if ours.mean < paper as f64 - error => Standing::Partly,
                        true => Standing::Reproduced,
                    }
                },
            };
            let unlikely = "least likely edges between labels or at degree below 2";
            claims.push(claim(unlikely, (either, LOWEST), &row.either, table.at_random.either));
            claims.push(claim("likely pairs of equal labels", (equal, HIGHEST), &row.equal, table.at_random.equal));
        }
    }
    claims
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::data::karate;

    #[test]
    fn chance_on_the_karate_club_counted_by_hand() {
        let data = karate();
        let found = AtRandom::of(&data);
        // 78 edges, of which 10 join the factions of 17 and 17; one member has a single acquaintance.
        let different = data.graph.edge_list().filter(|&(a, b)| data.labels.class(a) != data.labels.class(b)).count();
        assert!((found.different - 50.0 * different as f64 / 78.0).abs() < 1e-12);
        assert!((found.low_degree - 50.0 / 78.0).abs() < 1e-12);
        let counts = data.labels.class_counts();
        let within: usize = counts.iter().map(|n| n * (n - 1) / 2).sum();
        let wanted = 200.0 * (within - (78 - different)) as f64 / (34.0 * 33.0 / 2.0 - 78.0);
        assert!((found.equal - wanted).abs() < 1e-9);
    }

    #[test]
    fn a_claim_needs_the_majority_more_than_chance_and_the_papers_count() {
        let summary = |mean| Summary { n: 16, mean, sd: 2.0 }; // two standard errors are 1
        let table = |either, equal| EdgeTable {
            dataset: "cora".into(),
            rows: vec![MethodRow {
                method: "gcn+mmsbm".into(),
                different: summary(1.0),
                low_degree: summary(1.0),
                either: summary(either),
                equal: summary(equal),
                tied: 0,
                inferences: 10,
            }],
            at_random: AtRandom { different: 9.0, low_degree: 9.0, either: 30.0, equal: 35.0 },
            published: Some((39, 177)),
        };
        let standings = |either, equal| claims(&[table(either, equal)]).iter().map(|c| c.standing).collect::<Vec<_>>();
        assert_eq!(standings(40.0, 180.0), [Standing::Reproduced; 2]);
        assert_eq!(standings(38.1, 176.1), [Standing::Reproduced; 2]);
        assert_eq!(standings(37.9, 175.9), [Standing::Partly; 2]);
        assert_eq!(standings(30.9, 99.9), [Standing::NotReproduced; 2]);
    }
}
