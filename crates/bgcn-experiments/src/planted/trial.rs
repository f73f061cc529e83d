//! One ranker in one cell.

use super::baselines;
use super::plant::{Kind, Planting};
use super::rank::{First, Ranking};
use super::{BASELINES, BINS, LINKS, SUSPICIOUS};
use crate::plans::Run;
use crate::study::in_range;
use crate::{Contender, Error};
use bgcn_core::data::{Dataset, Split, SplitKind};
use bgcn_core::links;
use bgcn_core::links::{Links, RATE};
use bgcn_core::metrics::expected_calibration_error;
use bgcn_core::posterior;
use bgcn_core::posterior::{Fit, Watch};
use bgcn_core::recipe::Recipe;
use bgcn_core::rng::For;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Among the attacks, whose other studies have 0 and 1.
const PLANTED: u32 = 2;

/// What is planted, and how many labels are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cell {
    /// How.
    pub kind: Kind,
    /// How many, in percent of the edges there were.
    pub percent: u32,
    /// Training nodes of each class.
    pub labels_per_class: usize,
}

impl Cell {
    pub(super) const fn new(kind: Kind, percent: u32, labels_per_class: usize) -> Self {
        Self { kind, percent, labels_per_class }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} %, {} labels", self.kind.name(), self.percent, self.labels_per_class)
    }
}

/// The key of a trial.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// Dataset name.
    pub dataset: String,
    /// What is planted.
    #[serde(flatten)]
    pub cell: Cell,
    /// The ranker: the link model, a method by its graph model, or all baselines.
    pub ranker: String,
    /// Which repetition, from 0; rankers share its split and its planted edges.
    pub run: u32,
}

/// What a trial found; what does not belong to its kind is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Of planted edges, by ranker.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub rankings: BTreeMap<String, Ranking>,
    /// Findings of the link model beside its ranking.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judged: Option<Judged>,
    /// Of hidden edges.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing: Option<Missing>,
    /// Where nothing was planted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clean: Option<Clean>,
}

/// P(spurious) and lists, against what is known to be spurious.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// ρ as found.
    pub rho: f64,
    /// The share of the observed edges that is known to be spurious.
    pub spurious: f64,
    /// Expected calibration error of P(spurious).
    pub ece: f64,
    /// Edges listed at a false discovery rate of [`RATE`].
    pub listed: usize,
    /// The share of them that is not known to be spurious; absent where none are listed.
    pub fdr: Option<f64>,
}

/// Hidden edges among the missing pairs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Missing {
    /// Of the first pairs, the shares that were hidden.
    #[serde(flatten)]
    pub first: First,
    /// The share of other observed edges that the search finds without seeing them.
    pub recall: Option<f64>,
}

/// The data as it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clean {
    /// ρ as found.
    pub rho: f64,
    /// Of the [`SUSPICIOUS`] most suspicious edges: how many join different classes.
    pub different: usize,
}

impl Outcome {
    pub(super) fn check(&self) -> Result<(), String> {
        self.rankings.iter().try_for_each(|(ranker, ranking)| ranking.check(ranker))?;
        self.judged.map_or(Ok(()), |judged| judged.check())?;
        if let Some(Missing { first, recall }) = &self.missing {
            first.check()?;
            in_range(&[("recall", recall.unwrap_or(0.0), 0.0..=1.0)])?;
        }
        self.clean.map_or(Ok(()), |Clean { rho, different }| {
            in_range(&[("rho", rho, 0.0..=1.0), ("different", different as f64, 0.0..=SUSPICIOUS as f64)])
        })
    }
}

impl Judged {
    /// Of edges that are known.
    pub(crate) fn of(links: &Links, spurious: impl Fn(u32, u32) -> bool) -> Self {
        let known = || links.edges.iter().map(|edge| spurious(edge.a, edge.b));
        let judged: Vec<(f64, bool)> = links.edges.iter().map(|edge| edge.p_spurious()).zip(known()).collect();
        let listed = links.at_rate(RATE);
        let wrong = known().take(listed).filter(|spurious| !spurious).count();
        Self {
            rho: links.rho,
            spurious: known().filter(|spurious| *spurious).count() as f64 / links.edges.len().max(1) as f64,
            ece: expected_calibration_error(&judged, BINS),
            listed,
            fdr: (listed > 0).then(|| wrong as f64 / listed as f64),
        }
    }

    pub(crate) fn check(&self) -> Result<(), String> {
        in_range(&[
            ("rho", self.rho, 0.0..=1.0),
            ("spurious", self.spurious, 0.0..=1.0),
            ("ece", self.ece, 0.0..=1.0),
            ("fdr", self.fdr.unwrap_or(0.0), 0.0..=1.0),
        ])
    }
}

/// The ranking of the link model.
pub(crate) fn ranking(links: &Links, spurious: impl Fn(u32, u32) -> bool) -> Ranking {
    let scored: Vec<(f64, bool)> = links.edges.iter().map(|edge| (edge.log_odds, spurious(edge.a, edge.b))).collect();
    Ranking::of(&scored)
}

/// A trial with what it needs.
pub(super) struct Trial<'a> {
    pub(super) data: &'a Dataset,
    pub(super) contender: &'a Contender,
    pub(super) key: &'a Key,
}

impl Trial<'_> {
    pub(super) fn run(&self, seed: u64, watch: Watch<'_>) -> Result<Outcome, Error> {
        let Key { dataset, cell: Cell { kind, percent, labels_per_class }, ranker, run } = self.key;
        let (run, kind, percent) = (Run::new(ranker, dataset, *run, seed), *kind, *percent);
        let split = run.split(self.data, &SplitKind::Random, *labels_per_class)?;
        let stream = run.seed.at(For::Attack, [PLANTED, kind as u32, percent]);
        let planting = Planting::draw(self.data, kind, percent, stream)?;
        let data = planting.applied(self.data);
        // Settings that follow from the data follow from what is observed.
        let recipe = self.contender.recipe(&data)?;
        if ranker == LINKS {
            let (_, links) = run.fit(links::fit, &recipe, (&data, &split), watch)?;
            return Ok(self.judged(&links, &planting));
        }
        let fit = run.fit(posterior::fit, &recipe, (&data, &split), watch)?;
        let scores = match ranker.as_str() {
            BASELINES => self.baselines(&fit, (&data, &split), &recipe)?,
            _ => vec![(ranker.clone(), self.unlikeliness(&fit, &data)?)],
        };
        let planted: Vec<bool> = data.graph.edge_list().map(|(a, b)| planting.has(a, b)).collect();
        let rank = |scores: Vec<f64>| Ranking::of(&scores.into_iter().zip(planted.iter().copied()).collect::<Vec<_>>());
        let rankings = scores.into_iter().map(|(name, scores)| (name, rank(scores))).collect();
        Ok(Outcome { rankings, ..Outcome::default() })
    }

    fn judged(&self, links: &Links, planting: &Planting) -> Outcome {
        let has = |a, b| planting.has(a, b);
        let nothing = Outcome::default();
        match self.key.cell.kind {
            Kind::Clean => Outcome { clean: Some(self.clean(links)), ..nothing },
            Kind::Hidden => {
                let found: Vec<(f64, bool)> =
                    links.missing.iter().map(|pair| (pair.log_odds, has(pair.a, pair.b))).collect();
                let recall = links.recall.as_ref().map(|recall| recall.share());
                Outcome { missing: Some(Missing { first: First::of(&found), recall }), ..nothing }
            }
            Kind::Uniform | Kind::Between | Kind::Aimed => Outcome {
                rankings: BTreeMap::from([(LINKS.to_owned(), ranking(links, has))]),
                judged: Some(Judged::of(links, has)),
                ..nothing
            },
        }
    }

    fn clean(&self, links: &Links) -> Clean {
        let labels = &self.data.labels;
        let different = |a, b| matches!((labels.class(a), labels.class(b)), (Some(x), Some(y)) if x != y);
        let first = links.edges.iter().take(SUSPICIOUS);
        Clean { rho: links.rho, different: first.filter(|edge| different(edge.a, edge.b)).count() }
    }

    fn baselines(
        &self,
        fit: &Fit,
        (data, split): (&Dataset, &Split),
        recipe: &Recipe,
    ) -> Result<Vec<(String, Vec<f64>)>, Error> {
        let posterior = fit.predictions.classes().expect("the data has classes");
        let scores = baselines::scores((data, split), posterior, recipe.scaling)?;
        Ok(scores.into_iter().map(|(name, scores)| (name.to_owned(), scores)).collect())
    }

    /// −p(y_ab | λ) of every observed edge.
    fn unlikeliness(&self, fit: &Fit, data: &Dataset) -> Result<Vec<f64>, Error> {
        let beliefs = fit.beliefs.as_ref().ok_or_else(|| {
            let method = &self.key.ranker;
            Error::Request(format!(
                "the graph model of `{method}` has no edge probabilities; leave it out of the planted study"
            ))
        })?;
        Ok(data.graph.edge_list().map(|(a, b)| -beliefs.edge_probability(a, b)).collect())
    }
}
