//! P(missed | not observed): unobserved pairs that are probably edges.
//!
//! Symbols: m the share of the true edges that was not observed; E the observed edges; C the candidates; s the share of
//! missed edges that the search finds.
//!
//! ```text
//! odds(missed | x) = f_observed(x) / f_candidate(x)  ·  m / (1 − m) (1 − ρ) E s / C
//! ```
//!
//! Candidates are already near each other in some way, so random pairs are no counterexamples. And an edge that a fit has
//! seen is no example of one that it has not. So the ratio is that of hidden edges which the search
//! finds, to candidates without an edge, both in the graphs that the edges were hidden from.

use super::GoOn;
use super::candidates::Recall;
use super::evidence::{COLUMNS, Scene};
use super::model::by_group;
use super::reasons::GROUPS;
use super::terms::Terms;
use super::tilt::{Rows, Tilt, sigmoid};
use crate::Error;
use crate::recipe::LinkSettings;
use rayon::prelude::*;

// No result depends on these two.
/// Candidates whose evidence is held at a time.
const CHUNK: usize = 100_000;
/// Pairs that one thread takes at a time.
const BLOCK: usize = 4096;
/// Steps of the ascent at most; it ends by its own tolerance.
const STEPS: usize = 20;
// Limits of work.
/// Rivals that the first step looks at, and that the second takes each for itself.
const SAMPLE: usize = 8_000;
const LIKELIEST: usize = 8_000;

/// P(missing) of an unobserved pair, with its evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissedPair {
    /// The smaller node.
    pub a: u32,
    /// The larger node.
    pub b: u32,
    /// ln P / (1 − P) for P(missed | not observed, evidence).
    pub log_odds: f64,
    /// What the evidence adds to them, by [`super::Group`], relative to an average pair.
    pub terms: [f32; GROUPS],
    /// Words of both nodes; `None` where the features are not words.
    pub shared_words: Option<u32>,
}

impl MissedPair {
    /// P(missed | not observed, evidence).
    pub fn p_missing(&self) -> f64 {
        sigmoid(self.log_odds)
    }

    /// The log-odds of an average pair, to which the terms add up.
    pub fn average(&self) -> f64 {
        self.log_odds - self.terms.iter().map(|&term| f64::from(term)).sum::<f64>()
    }
}

/// What there is to learn from, in graphs from which edges were hidden.
#[derive(Default)]
pub(super) struct Examples {
    /// Edges that were hidden.
    pub(super) hidden: usize,
    /// The evidence of those that the search finds.
    pub(super) found: Vec<[f32; COLUMNS]>,
    /// The evidence of candidates without an edge.
    pub(super) rivals: Vec<[f32; COLUMNS]>,
}

impl Examples {
    pub(super) fn add(&mut self, more: Self) {
        self.hidden += more.hidden;
        self.found.extend(more.found);
        self.rivals.extend(more.rivals);
    }

    /// `None` where no edge was hidden.
    pub(super) fn recall(&self) -> Option<Recall> {
        (self.hidden > 0).then_some(Recall { hidden: self.hidden, found: self.found.len() })
    }
}

/// The `count` likeliest of the candidates, the likeliest first; their log-odds lack ln(1 − ρ).
pub(super) fn likeliest(
    scene: &Scene<'_>,
    candidates: &[(u32, u32)],
    examples: &Examples,
    (settings, count): (LinkSettings, usize),
    go_on: GoOn<'_>,
) -> Result<Vec<MissedPair>, Error> {
    let Some(recall) = examples.recall() else { return Ok(Vec::new()) };
    let Some(ratio) = Ratio::of(examples, settings.ridge, go_on)? else { return Ok(Vec::new()) };
    let share = settings.missing_share;
    let missed = share / (1.0 - share) * scene.graph.edges() as f64 * recall.share();
    let prior = (missed / candidates.len() as f64).ln();
    ratio.best(scene, candidates, (prior, count), go_on)
}

/// ln f_observed / f_candidate, by logistic regression.
struct Ratio {
    terms: Terms,
    tilt: Tilt,
}

impl Ratio {
    /// In two steps, since the likeliest pairs are rare among all rivals: after the first, those that look likeliest
    /// count each for itself, and a sample for all others. `None` where there is nothing to learn from.
    fn of(Examples { found, rivals, .. }: &Examples, ridge: f64, go_on: GoOn<'_>) -> Result<Option<Self>, Error> {
        let step = rivals.len().div_ceil(SAMPLE).max(1);
        let sample = rivals.iter().step_by(step).map(|columns| (*columns, step as f64));
        let Some(first) = Self::fit(found, &sample.collect::<Vec<_>>(), ridge, go_on)? else { return Ok(None) };
        if step == 1 {
            return Ok(Some(first));
        }
        let scores: Vec<f64> = rivals.par_iter().with_min_len(BLOCK).map(|columns| first.score(columns)).collect();
        let mut sorted = scores.clone();
        let (_, &mut least, _) = sorted.select_nth_unstable_by(LIKELIEST, |x, y| y.total_cmp(x));
        let scored = || rivals.iter().zip(&scores);
        let likeliest = scored().filter(|(_, score)| **score > least).map(|(columns, _)| (*columns, 1.0));
        let others = scored().step_by(step).filter(|(_, score)| **score <= least);
        let both: Vec<_> = likeliest.chain(others.map(|(columns, _)| (*columns, step as f64))).collect();
        Self::fit(found, &both, ridge, go_on)
    }

    /// With rivals that stand for so many each.
    fn fit(
        edges: &[[f32; COLUMNS]],
        rivals: &[([f32; COLUMNS], f64)],
        ridge: f64,
        go_on: GoOn<'_>,
    ) -> Result<Option<Self>, Error> {
        if edges.is_empty() || rivals.is_empty() {
            return Ok(None);
        }
        let rows = || edges.iter().chain(rivals.iter().map(|(columns, _)| columns));
        let terms = Terms::of(rows());
        let d = terms.len();
        if d == 0 {
            return Ok(None);
        }
        let n = edges.len() + rivals.len();
        let mut x = vec![0.0; n * d];
        x.chunks_exact_mut(d).zip(rows()).for_each(|(row, columns)| terms.values(columns, row));
        let observed: Vec<bool> = (0..n).map(|i| i < edges.len()).collect();
        // So that rivals weigh as much as there are rows of them.
        let scale = rivals.len() as f64 / rivals.iter().map(|(_, weight)| weight).sum::<f64>();
        let weights = rivals.iter().map(|(_, weight)| weight * scale);
        let weights: Vec<f64> = edges.iter().map(|_| 1.0).chain(weights).collect();
        let mut tilt = Tilt::without_floor(d, ridge);
        tilt.climb(&Rows { x: &x, d, observed: &observed, weights: &weights }, false, STEPS, go_on)?;
        Ok(Some(Self { terms, tilt }))
    }

    fn score(&self, columns: &[f32; COLUMNS]) -> f64 {
        let mut row = vec![0.0; self.terms.len()];
        self.terms.values(columns, &mut row);
        self.tilt.ln_g(&row)
    }

    fn judge(&self, (a, b): (u32, u32), columns: &[f32; COLUMNS], prior: f64, scratch: &mut Vec<f64>) -> MissedPair {
        scratch.resize(self.terms.len(), 0.0);
        self.terms.values(columns, scratch);
        let terms = by_group(&self.terms, &self.tilt, scratch).map(|term| term as f32);
        MissedPair { a, b, log_odds: self.tilt.ln_g(scratch) + prior, terms, shared_words: None }
    }

    /// The `count` candidates with the largest ratio, the largest first.
    fn best(
        &self,
        scene: &Scene<'_>,
        candidates: &[(u32, u32)],
        (prior, count): (f64, usize),
        go_on: GoOn<'_>,
    ) -> Result<Vec<MissedPair>, Error> {
        let mut best: Vec<MissedPair> = Vec::new();
        for chunk in candidates.chunks(CHUNK) {
            go_on()?;
            let columns = scene.columns_of(chunk);
            let judged = chunk.par_chunks(BLOCK).zip(columns.par_chunks(BLOCK)).map(|(pairs, columns)| {
                let mut scratch = Vec::new();
                let judge = |(&pair, columns)| self.judge(pair, columns, prior, &mut scratch);
                pairs.iter().zip(columns).map(judge).collect::<Vec<_>>()
            });
            best.extend(judged.collect::<Vec<_>>().concat());
            best.par_sort_by(|x, y| y.log_odds.total_cmp(&x.log_odds).then((x.a, x.b).cmp(&(y.a, y.b))));
            best.truncate(count);
        }
        Ok(best)
    }
}
