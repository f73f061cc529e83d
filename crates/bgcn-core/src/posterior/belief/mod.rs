//! The belief over classes that a graph model starts from.
//! Paper: Algorithm 1 starts inference at the network's output.
//! Differs: the output is pooled with what the same weights predict from the features alone, and spread by label
//! propagation. With no propagation steps and feature weight 0 it is the paper's.
//!
//! A spurious edge spoils the prediction at the node it ends at, and the graph model that should doubt the edge would
//! start from that: pooling with the feature-only prediction counters it. The output of a two-layer network depends on
//! two hops alone, and with few labels it errs in patches: propagation carries labels and predictions further.
//! Symbols: p⁰ [n, k] the network's prediction, p [n, k] the belief.

mod from_labels;
mod levels;
mod pool;
mod propagate;

pub use from_labels::belief_from_labels;
pub(super) use pool::pool;

use crate::graph::Graph;
use crate::network::Targets;
use crate::recipe::Recipe;
use propagate::Propagation;
use std::borrow::Cow;

/// The belief [n, k] from the network's output [n, c], class probabilities or predicted numbers; first k. `known` are
/// the training labels.
pub(super) fn from_prediction<'a>(
    recipe: &Recipe,
    graph: &Graph,
    prediction: &'a [f32],
    outputs: usize,
    known: Option<&Targets>,
) -> (usize, Cow<'a, [f32]>) {
    let numbers = outputs == 1;
    let (k, mut rows) = match recipe.communities() {
        0 => return (outputs, Cow::Borrowed(prediction)),
        k if numbers => (k, Cow::Owned(levels::belief(prediction, k))),
        _ => (outputs, Cow::Borrowed(prediction)),
    };
    let steps = recipe.belief.propagation_steps;
    if steps > 0 {
        let rows = rows.to_mut();
        let mut clamped = vec![false; graph.nodes()];
        for (a, class) in known.into_iter().flat_map(Targets::classes) {
            clamped[a as usize] = true;
            let row = &mut rows[a as usize * k..][..k];
            row.fill(0.0);
            row[class as usize] = 1.0;
        }
        // Levels of a number may differ between neighbours without a contradiction.
        let agreement = if numbers { 0.0 } else { recipe.belief.neighbour_agreement as f32 };
        let propagation = Propagation { steps, self_weight: recipe.belief.self_weight as f32, agreement };
        *rows = propagation.run(graph, rows, k, &clamped);
    }
    (k, rows)
}
