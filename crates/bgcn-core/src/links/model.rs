//! The link model: ln g of any pair, cross-fitted, and ρ.
//!
//! Edges fall into folds; each is judged by weights that were found without it.

use super::GoOn;
use super::evidence::COLUMNS;
use super::reasons::{GROUPS, Group};
use super::share;
use super::terms::Terms;
use super::tilt::{Rows, Tilt, logit};
use crate::Error;
use crate::recipe::LinkSettings;
use crate::rng::Seed;
use rayon::prelude::*;

// Steps of the ascent at most, which ends by its own tolerance: of a fold, which starts from the weights of all edges,
// and of all edges.
const FOLD_STEPS: usize = 6;
const STEPS: usize = 40;

/// One row of evidence.
pub(super) struct Seen {
    pub(super) pair: (u32, u32),
    pub(super) columns: [f32; COLUMNS],
}

/// ln g with its parts.
pub(super) struct Judged {
    pub(super) ln_g: f64,
    /// What each group adds to it, relative to the mean of the rows that were learned from.
    pub(super) terms: [f32; GROUPS],
}

pub(super) struct LinkModel {
    terms: Terms,
    folds: Vec<Tilt>,
    seed: Seed,
    /// ρ.
    pub(super) rho: f64,
    /// The smaller of its two estimates.
    pub(super) least_rho: f64,
    /// Log-odds of being spurious, of the observed edges and the decoys that were learned from.
    pub(super) observed: Vec<f64>,
    pub(super) decoys: Vec<f64>,
}

impl LinkModel {
    /// Learns the density ratio of observed edges, seen in so many rounds, to decoys. `None` where there is nothing to learn from.
    pub(super) fn fit(
        (observed, decoys): (&[Seen], &[Seen]),
        rounds: usize,
        (settings, seed): (LinkSettings, Seed),
        go_on: GoOn<'_>,
    ) -> Result<Option<Self>, Error> {
        let step = observed.len().div_ceil(settings.learned_from).max(1);
        let observed: Vec<&Seen> = observed.iter().step_by(step).collect();
        if observed.is_empty() || decoys.is_empty() {
            return Ok(None);
        }
        let all: Vec<&Seen> = observed.iter().copied().chain(decoys).collect();
        let terms = Terms::of(all.iter().map(|seen| &seen.columns));
        let d = terms.len();
        if d == 0 {
            return Ok(None);
        }
        let mut x = vec![0.0; all.len() * d];
        x.chunks_exact_mut(d).zip(&all).for_each(|(row, seen)| terms.values(&seen.columns, row));
        let is_observed: Vec<bool> = (0..all.len()).map(|i| i < observed.len()).collect();
        let weight = |&observed: &bool| if observed { 1.0 / rounds as f64 } else { 1.0 };
        let weights: Vec<f64> = is_observed.iter().map(weight).collect();
        let fold: Vec<usize> = all.iter().map(|seen| fold(seed, seen.pair, settings.folds)).collect();

        let mut whole = Tilt::first(d, settings.ridge);
        whole.climb(&Rows { x: &x, d, observed: &is_observed, weights: &weights }, true, STEPS, go_on)?;
        let folds: Vec<Tilt> = (0..settings.folds)
            .into_par_iter()
            .map(|k| {
                let left_out = |(weight, &fold): (&f64, &usize)| if fold == k { 0.0 } else { *weight };
                let weights: Vec<f64> = weights.iter().zip(&fold).map(left_out).collect();
                let mut tilt = whole.clone();
                tilt.climb(&Rows { x: &x, d, observed: &is_observed, weights: &weights }, false, FOLD_STEPS, go_on)?;
                Ok(tilt)
            })
            .collect::<Result<_, Error>>()?;
        let ln_g: Vec<f64> = x.chunks_exact(d).zip(&fold).map(|(row, &k)| folds[k].ln_g(row)).collect();
        let (of_observed, of_decoys) = ln_g.split_at(observed.len());
        // Two estimates, one of the whole shape and one of the worst edges alone, err to different sides.
        let estimates = [whole.rho(), share::spurious(of_observed, of_decoys)];
        let (rho, least_rho) = (0.5 * (estimates[0] + estimates[1]), estimates[0].min(estimates[1]));
        let log_odds = |ln_g: &[f64]| ln_g.iter().map(|ln_g| logit(rho) - ln_g).collect();
        let (observed, decoys) = (log_odds(of_observed), log_odds(of_decoys));
        Ok(Some(Self { terms, folds, seed, rho, least_rho, observed, decoys }))
    }

    /// A pair by its evidence.
    pub(super) fn judge(&self, pair: (u32, u32), columns: &[f32; COLUMNS], scratch: &mut Vec<f64>) -> Judged {
        let tilt = &self.folds[fold(self.seed, pair, self.folds.len())];
        scratch.resize(self.terms.len(), 0.0);
        self.terms.values(columns, scratch);
        let terms = by_group(&self.terms, tilt, scratch).map(|term| term as f32);
        Judged { ln_g: tilt.ln_g(scratch), terms }
    }
}

/// What each group adds to ln g of a row.
pub(super) fn by_group(terms: &Terms, tilt: &Tilt, row: &[f64]) -> [f64; GROUPS] {
    let mut sums = [0.0; GROUPS];
    for (i, (x, w)) in row.iter().zip(&tilt.w[1..]).enumerate() {
        sums[Group::of_column(terms.column(i)) as usize] += x * w;
    }
    sums
}

/// The fold of a pair, by a hash of its nodes and the seed.
fn fold(seed: Seed, (a, b): (u32, u32), folds: usize) -> usize {
    let mut z = seed.number() ^ (u64::from(a) << 32 | u64::from(b));
    for multiplier in [0xbf58_476d_1ce4_e5b9u64, 0x94d0_49bb_1331_11eb] {
        z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(multiplier);
    }
    ((z ^ (z >> 31)) % folds as u64) as usize
}
