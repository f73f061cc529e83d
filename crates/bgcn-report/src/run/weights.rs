//! Graph models that are averaged, and their weights.

use crate::text::grouped;
use bgcn_core::posterior::ModelWeights;

/// What the columns of [`weights`] hold.
pub const WEIGHT_COLUMNS: [&str; 4] = ["Graph model", "Held-out links", "Below the best", "Weight"];

/// Each graph model: name, log-likelihood of a held-out link, how far that is below the best, weight.
pub fn weights(found: &ModelWeights) -> impl Iterator<Item = [String; 4]> {
    found.models.iter().map(|model| {
        let (below, error) = model.below_best;
        let below = if below == 0.0 { "best".into() } else { format!("{below:.3} ± {error:.3}") };
        [model.graph_model.clone(), format!("{:.3}", model.held_out), below, format!("{:.0} %", 100.0 * model.weight)]
    })
}

/// How the weights were found and used, in words.
pub fn weights_text(found: &ModelWeights) -> String {
    format!(
        "Model weights by held-out links: {} links were held out; the weight of a graph model grows with their mean \
         log-likelihood. Each graph model has its own network, and predictions are averaged with these weights. Only \
         training labels are used.",
        grouped(found.links)
    )
}
