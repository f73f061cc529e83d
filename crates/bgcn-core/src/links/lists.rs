//! Lists at a stated false discovery rate (target–decoy), and the calibration of P(spurious), both by counting decoys.
//!
//! Decoys look like spurious edges: among the observed edges above a threshold, about ρ n_o / n_d times the decoys above
//! it are spurious. Too large a ρ would promise too much, so lists take the smaller of its two estimates. One decoy less
//! is counted, so that a list that rests on few decoys is not offered.

use super::model::LinkModel;
use super::tilt::sigmoid;
use super::{DecoyBin, JudgedEdge};

// What a reader is shown; no probability depends on it.
/// Bins of the calibration.
const BINS: usize = 10;
/// Steps of the lists that are kept, at most.
const STEPS: usize = 400;

/// Log-odds of being spurious where decoys are in the graph, largest first.
pub(super) struct Compared {
    observed: Vec<f64>,
    decoys: Vec<f64>,
    rho: f64,
    least_rho: f64,
}

impl Compared {
    pub(super) fn new(model: &LinkModel) -> Self {
        let sorted = |of: &[f64]| {
            let mut of = of.to_vec();
            of.sort_by(|x, y| y.total_cmp(x));
            of
        };
        let LinkModel { observed, decoys, rho, least_rho, .. } = model;
        Self { observed: sorted(observed), decoys: sorted(decoys), rho: *rho, least_rho: *least_rho }
    }

    /// ρ n_o / n_d.
    fn for_a_decoy(&self, rho: f64) -> f64 {
        rho * self.observed.len() as f64 / self.decoys.len().max(1) as f64
    }

    /// (rate, edges): the longest list of the most suspicious edges at each false discovery rate; both ascend. The rate is the
    /// larger of the estimates by probabilities and by decoys.
    pub(super) fn lists(&self, edges: &[JudgedEdge]) -> Vec<(f64, usize)> {
        let (mut right, mut observed, mut decoys) = (0.0, 0, 0);
        let mut rates = Vec::with_capacity(edges.len());
        for (i, edge) in edges.iter().enumerate() {
            right += 1.0 - edge.p_spurious();
            while self.observed.get(observed).is_some_and(|&other| other >= edge.log_odds) {
                observed += 1;
            }
            while self.decoys.get(decoys).is_some_and(|&other| other >= edge.log_odds) {
                decoys += 1;
            }
            let spurious =
                self.for_a_decoy(self.least_rho) * (decoys as f64 - 1.0).max(0.0) / (observed as f64).max(1.0);
            rates.push((right / (i + 1) as f64).max(1.0 - spurious).clamp(0.0, 1.0));
        }
        let mut least = f64::INFINITY;
        for rate in rates.iter_mut().rev() {
            least = rate.min(least);
            *rate = least;
        }
        let mut steps: Vec<(f64, usize)> = Vec::new();
        for (i, &rate) in rates.iter().enumerate() {
            match steps.last_mut() {
                Some(last) if last.0 >= rate => last.1 = i + 1,
                _ => steps.push((rate, i + 1)),
            }
        }
        let every = steps.len().div_ceil(STEPS).max(1);
        let end = steps.len();
        steps.into_iter().enumerate().filter(|(i, _)| i % every == 0 || i + 1 == end).map(|(_, step)| step).collect()
    }

    /// P(spurious) of observed edges beside the decoys' estimate, in bins of equal width; empty ones are left out.
    pub(super) fn calibration(&self) -> Vec<DecoyBin> {
        let bin = |p: f64| ((p * BINS as f64) as usize).min(BINS - 1);
        let (mut counts, mut sums, mut decoys) = ([0usize; BINS], [0.0; BINS], [0usize; BINS]);
        for p in self.observed.iter().map(|&log_odds| sigmoid(log_odds)) {
            counts[bin(p)] += 1;
            sums[bin(p)] += p;
        }
        self.decoys.iter().for_each(|&log_odds| decoys[bin(sigmoid(log_odds))] += 1);
        let filled = (0..BINS).filter(|&i| counts[i] > 0);
        filled
            .map(|i| DecoyBin {
                edges: counts[i],
                claimed: sums[i] / counts[i] as f64,
                by_decoys: (self.for_a_decoy(self.rho) * decoys[i] as f64 / counts[i] as f64).min(1.0),
            })
            .collect()
    }
}
