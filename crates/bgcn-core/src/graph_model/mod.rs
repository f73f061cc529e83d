//! Which graphs could have been observed: p(λ | G_obs) and p(G | λ).
//! Paper: the two innermost factors of the integral labelled exact_posterior.
//! Differs: nothing; a model is anything that fills in [`GraphModel`], and one folder holds one model.
//! Symbols: λ the random-graph parameters, G a graph drawn given them, y_ab whether a and b are joined.

mod blocks;
mod buffer;
pub(crate) mod copying;
pub(crate) mod dcsbm;
#[cfg(test)]
mod golden;
mod hold_out;
pub(crate) mod mmsb;
pub mod mmsbm;
pub(crate) mod observed;
mod pairs;
#[cfg(test)]
mod proofs;
pub mod registry;
mod report;
mod save;
pub(crate) mod sbm;

pub(crate) use crate::Error;
pub(crate) use blocks::matrix::BlockMatrix;
pub use buffer::GraphBuffer;
pub use hold_out::HoldOut;
pub(crate) use pairs::weighted;
pub use pairs::{BelievedPair, EdgeBeliefs, Extremes, PairBelief};
pub use registry::{ModelSettings, ObservedEdges};
pub use report::{Fallback, HeldOut, Pair, Progress, Report, Truncation};
pub use save::{Array, Parameters, SavedModel};
pub use save::{JSON, TENSORS};

use crate::rng::Stream;
use std::ops::ControlFlow;
use std::sync::Arc;

/// A belief over labels, one row per node: a network's softmax, say.
#[derive(Clone, Copy, Debug)]
pub struct Belief<'a> {
    /// Columns.
    pub k: usize,
    /// [n, k], row after row; rows are non-negative and are scaled to sum to 1 before use.
    pub rows: &'a [f32],
}

/// Sees how far an inference is, and decides whether it goes on.
pub type GoOn<'a> = &'a (dyn Fn(usize, usize) -> ControlFlow<()> + Sync);

/// An error where the inference is to end.
pub(crate) fn ask(go_on: GoOn<'_>, done: usize, total: usize) -> Result<(), Error> {
    if go_on(done, total).is_break() { Err(Error::Stopped) } else { Ok(()) }
}

/// A random-graph model of one observed graph.
///
/// Inference goes on from where it was; [`GraphModel::restart`] begins again from new beliefs.
pub trait GraphModel: Send + Sync {
    /// Forgets λ and starts again from a belief over the nodes' labels.
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error>;

    /// Improves λ for `iterations` rounds. All randomness comes from `stream`.
    fn infer(&mut self, iterations: usize, stream: Stream) -> Result<Report, Error>;

    /// The same, asking `go_on` with the iterations done and all of them; a break ends it with [`Error::Stopped`].
    fn infer_watched(&mut self, iterations: usize, stream: Stream, go_on: GoOn<'_>) -> Result<Report, Error> {
        let report = self.infer(iterations, stream)?;
        ask(go_on, iterations, iterations)?;
        Ok(report)
    }

    /// Draws G ~ p(G | λ) into `into`, reusing its memory.
    fn sample(&self, stream: Stream, into: &mut GraphBuffer);

    /// p(y_ab = 1 | λ). Panics when a node does not exist; a node is never joined to itself (0).
    fn edge_probability(&self, a: u32, b: u32) -> f64;

    /// p(y_ab = 1 | λ) of all pairs, for [`EdgeBeliefs`]; `None` for the observed graph.
    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>>;

    /// λ, to be kept in files; `None` for the observed graph.
    fn parameters(&self) -> Option<Parameters>;
}
