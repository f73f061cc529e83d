//! Suspicious observed edges and missing edges (link prediction): a link model with decoys.
//! Paper: not in it; its edge study ranks by p(y_ab | λ), which [`crate::graph_model::EdgeBeliefs`] still gives.
//! Differs: a graph model that is good to draw from is a poor judge of single edges. Here pairs of nodes are judged by
//! evidence that does not count the pair's own edge: features, common neighbours, degrees, predicted classes.
//! Symbols: g the density ratio of a pair's evidence, true edges over decoys; ρ the share of observed edges that are
//! spurious.
//!
//! ```text
//! 1. decoys      random edges are added to the graph, and as many edges hidden            decoys
//! 2. fit         the networks predict classes from that graph                             posterior
//! 3. evidence    eight numbers for every observed edge and every decoy                    evidence, similarity, classes
//! 4. g and ρ     observed edges are a mixture, ρ + (1 − ρ) g: regression, cross-fitted    terms, tilt, share, model
//! 5. P(spurious | observed, evidence) = ρ / (ρ + (1 − ρ) g)                               judge
//! 6. lists with a stated false discovery rate, checked by counting decoys                 lists
//! 7. P(missed | not observed, evidence), for likely candidates, from the hidden edges     candidates, missing
//! ```
//!
//! An observed edge takes part in the fit that judges it, a random pair does not, so the two cannot be compared. Decoys
//! take part like observed edges. What is learned among decoys is applied to the
//! evidence of the graph without them. Decoys do not stand for spurious edges of another origin: for those of an
//! attacker, draw them aimed.
//!
//! Time and memory grow with the edges. Same data, recipe and seed, same bytes, whatever the threads.

mod candidates;
mod classes;
mod decoys;
mod evidence;
mod judge;
mod lists;
mod missing;
mod model;
mod reasons;
mod share;
mod similarity;
mod terms;
#[cfg(test)]
mod tests;
mod tilt;

pub use candidates::Recall;
pub use judge::{MISSING, fit, fit_alone, judge, judge_given, judge_graph};
pub use missing::MissedPair;
pub use reasons::{GROUPS, Group, Reason, Reasons, Wording};
pub use similarity::UnitRows;

use crate::recipe::DecoyKind;
use serde::{Deserialize, Serialize};
use tilt::sigmoid;

/// Asked now and then: an error ends the work.
type GoOn<'a> = &'a (dyn Fn() -> Result<(), crate::Error> + Sync);

/// The false discovery rate of lists by default: it chooses a list, no probability depends on it.
pub const RATE: f64 = 0.1;
/// P(spurious) at most, so that six digits are below 1.
const MOST: f64 = 0.999_999;

/// P(spurious) of an observed edge, with its evidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedEdge {
    /// The smaller node.
    pub a: u32,
    /// The larger node.
    pub b: u32,
    /// ln P / (1 − P) for P(spurious | observed, evidence); edges are ranked by it.
    pub log_odds: f64,
    /// What the evidence adds to the log-odds, by [`Group`], relative to an average edge.
    pub terms: [f32; GROUPS],
    /// Whether there is no evidence at all: then P(spurious) is ρ.
    pub blind: bool,
    /// Words of both nodes; `None` where the features are not words.
    pub shared_words: Option<u32>,
}

impl JudgedEdge {
    /// An edge without evidence.
    fn blind((a, b): (u32, u32), log_odds: f64) -> Self {
        Self { a, b, log_odds, terms: [0.0; GROUPS], blind: true, shared_words: None }
    }

    /// P(spurious | observed, evidence), below 1.
    pub fn p_spurious(&self) -> f64 {
        sigmoid(self.log_odds).min(MOST)
    }

    /// The log-odds of an average edge, to which the terms add up.
    pub fn average(&self) -> f64 {
        self.log_odds - self.terms.iter().map(|&term| f64::from(term)).sum::<f64>()
    }
}

/// P(spurious) in one bin, beside the decoys' estimate for the same edges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecoyBin {
    /// Observed edges in the bin.
    pub edges: usize,
    /// Their mean P(spurious).
    pub claimed: f64,
    /// The share of them that is spurious by the number of decoys in the bin.
    pub by_decoys: f64,
}

/// P(spurious) of every observed edge, and P(missing) of unobserved pairs. Serialised without the two lists of pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Links {
    /// Every observed edge, the most suspicious first.
    #[serde(skip)]
    pub edges: Vec<JudgedEdge>,
    /// ρ, the share of the observed edges that is spurious.
    pub rho: f64,
    /// Decoys that were drawn, over all rounds.
    pub decoys: usize,
    /// How they were drawn.
    pub decoy_kind: DecoyKind,
    /// Whether predicted classes or numbers were among the evidence.
    pub with_predictions: bool,
    /// P(spurious) beside the decoys' estimate, in ten equal bins; empty ones are left out.
    pub calibration: Vec<DecoyBin>,
    /// (rate, edges): how many of the first edges have this false discovery rate; both ascend.
    pub lists: Vec<(f64, usize)>,
    /// Unobserved pairs, the most likely first; at most [`MISSING`].
    #[serde(skip)]
    pub missing: Vec<MissedPair>,
    /// How many edges the search for missing ones finds that it cannot see; `None` without edges.
    pub recall: Option<Recall>,
}

impl Links {
    /// The length of the longest list at this false discovery rate.
    pub fn at_rate(&self, rate: f64) -> usize {
        at_rate(&self.lists, rate)
    }
}

/// The same of [`Links::lists`] alone.
pub fn at_rate(lists: &[(f64, usize)], rate: f64) -> usize {
    lists.iter().take_while(|step| step.0 <= rate).last().map_or(0, |step| step.1)
}
