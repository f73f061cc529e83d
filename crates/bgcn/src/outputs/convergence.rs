//! How an inference of the block model converges, watched once more from the final predictions.

use crate::graph_model::ModelSettings;
use crate::graph_model::mmsbm::{Mmsbm, MmsbmParams, Start};
use crate::graph_model::{Belief, Progress};
use crate::posterior::{Fit, Predictions, Task};
use crate::recipe::Member;
use crate::rng::For;

/// The trace of an inference, and what the fit did.
#[derive(Clone, Debug, PartialEq)]
pub struct Convergence {
    /// The log posterior over the iterations.
    pub trace: Vec<Progress>,
    /// Inferences of the fit.
    pub inferences: usize,
    /// Iterations of the last of them.
    pub iterations: usize,
}

impl Convergence {
    /// Infers λ from the final predictions, traced; `None` where the graph model is not the block model or numbers
    /// are predicted.
    pub fn of(task: Task<'_>, fit: &Fit) -> Option<Self> {
        let ([Member { model: ModelSettings::Mmsbm(params), .. }], Predictions::Classes(posterior)) =
            (&fit.recipe().members[..], &fit.predictions)
        else {
            return None;
        };
        let last = fit.inferences.last()?.iterations;
        let iterations = last.clamp(10, 200);
        let params = MmsbmParams { trace_every: (iterations / 40).max(1), ..params.clone() }.check().ok()?;
        let belief = Belief { k: posterior.classes, rows: &posterior.probabilities };
        let mut model = Mmsbm::start(&params, &task.data.graph, Start::Belief(belief)).ok()?;
        // Another index than any of the fit's, so that no stream is used twice.
        let report = model.infer(iterations, task.seed.at(For::Lambda, [0, u32::MAX, 0])).ok()?;
        Some(Self { trace: report.trace, inferences: fit.inferences.len(), iterations: last })
    }
}
