//! P(missed | not observed): unobserved pairs that are probably edges.
//!
//! Symbols: m the share of the true edges that was not observed; E the observed edges; C the candidates; s the share of
//! missed edges that the search finds.
//!
//! ```text
//! odds(missed | x) = f_observed(x) / f_candidate(x)  ·  m / (1 − m) (1 − ρ) E s / C
//! ```
//!
//! Candidates are already near each other in some way, so that random pairs would teach nothing about them: the ratio
//! is that of observed edges, those that the search finds when they are hidden, to candidates without an edge.

use super::GoOn;
use super::evidence::{COLUMNS, Scene};
use super::model::by_group;
use super::reasons::GROUPS;
use super::terms::Terms;
use super::tilt::{Rows, Tilt, sigmoid};
use crate::Error;
use rayon::prelude::*;

/// Candidates whose evidence is held at a time.
const CHUNK: usize = 100_000;
/// Pairs that one thread takes at a time.
const BLOCK: usize = 4096;
/// Candidates that the weights are found from, at most.
const ROWS: usize = 10_000;
const STEPS: usize = 20;

/// What is believed of an unobserved pair.
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

/// The `count` likeliest of the candidates, the likeliest first; their log-odds lack ln(1 − ρ). `found` are observed
/// edges that the search finds when they are hidden, a share `recall` of all that were; m is `share`.
pub(super) fn likeliest(
    scene: &Scene<'_>,
    candidates: &[(u32, u32)],
    (found, recall): (&[(u32, u32)], f64),
    (share, count): (f64, usize),
    go_on: GoOn<'_>,
) -> Result<Vec<MissedPair>, Error> {
    let step = candidates.len().div_ceil(ROWS).max(1);
    let rivals: Vec<(u32, u32)> = candidates.iter().copied().step_by(step).collect();
    let Some(ratio) = Ratio::fit(&scene.columns_of(found), &scene.columns_of(&rivals), go_on)? else {
        return Ok(Vec::new());
    };
    let missed = share / (1.0 - share) * scene.graph.edges() as f64 * recall;
    let prior = (missed / candidates.len() as f64).ln();
    ratio.best(scene, candidates, (prior, count), go_on)
}

/// ln f_observed / f_candidate, by logistic regression.
struct Ratio {
    terms: Terms,
    tilt: Tilt,
}

impl Ratio {
    /// `None` where there is nothing to learn from.
    fn fit(edges: &[[f32; COLUMNS]], rivals: &[[f32; COLUMNS]], go_on: GoOn<'_>) -> Result<Option<Self>, Error> {
        if edges.is_empty() || rivals.is_empty() {
            return Ok(None);
        }
        let terms = Terms::of(edges.iter().chain(rivals));
        let d = terms.len();
        if d == 0 {
            return Ok(None);
        }
        let n = edges.len() + rivals.len();
        let mut x = vec![0.0; n * d];
        x.chunks_exact_mut(d).zip(edges.iter().chain(rivals)).for_each(|(row, columns)| terms.values(columns, row));
        let observed: Vec<bool> = (0..n).map(|i| i < edges.len()).collect();
        let mut tilt = Tilt::without_floor(d);
        tilt.climb(&Rows { x: &x, d, observed: &observed, weights: &vec![1.0; n] }, false, STEPS, go_on)?;
        Ok(Some(Self { terms, tilt }))
    }

    fn judge(&self, (a, b): (u32, u32), columns: &[f32; COLUMNS], prior: f64, scratch: &mut Vec<f64>) -> MissedPair {
        scratch.resize(self.terms.len(), 0.0);
        self.terms.values(columns, scratch);
        let terms = by_group(&self.terms, &self.tilt, scratch).map(|term| term as f32);
        MissedPair { a, b, log_odds: self.tilt.ln_g(scratch) + prior, terms }
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
