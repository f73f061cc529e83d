//! The memory a fit will take, counted before it starts from the sizes of its matrices.
//!
//! Symbols: n nodes, E edges, d features, h hidden units, c classes or 1, k communities. An estimate: the large
//! matrices are all counted, small things and the allocator's waste come as a quarter on top. For 20,000 nodes and
//! 100,000 edges it said 56 MB when a whole run, program and data included, peaked at 54 MB.

use crate::Error;
use crate::data::{Dataset, Features};
use crate::kernels::padded;
use crate::memory::shown;
use crate::network::Kind;
use crate::recipe::{Recipe, ScheduleKind};

/// Bytes by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryNeed {
    /// Features as the network reads them, forwards and backwards.
    pub features: u64,
    /// The observed graph's operator and the drawn graphs.
    pub graphs: u64,
    /// Activations and their gradients.
    pub activations: u64,
    /// Weights, gradients, moments, and the samples kept.
    pub weights: u64,
    /// Memberships, for the current λ and the ones averaged.
    pub graph_model: u64,
    /// Sums over the draws and the predictions made of them.
    pub mean: u64,
}

impl MemoryNeed {
    /// What a recipe will take on top of the data.
    pub fn of(recipe: &Recipe, data: &Dataset) -> Self {
        let (n, d, edges) = (data.nodes() as u64, data.features.columns() as u64, data.graph.edges() as u64);
        let params = &recipe.network;
        let (heads, parts) = match params.kind {
            Kind::Gcn => (1, 1),
            Kind::Chebnet => (1, params.order as u64 + 1),
            Kind::Gat => (params.heads as u64, 1),
        };
        let h = heads * padded(params.hidden) as u64;
        let c = padded(data.labels.classes().max(1)) as u64;
        let layers = params.layers as u64;
        let hidden_layers = layers.saturating_sub(1);
        let first = if layers == 1 { c } else { h };
        let weights =
            parts * (d * first + hidden_layers.saturating_sub(1) * h * h + if layers > 1 { h * c } else { 0 });
        let (entries, dense) = recipe.scaling.entries(&data.features);
        let entries = entries as u64 * if dense || matches!(data.features, Features::Identity(_)) { 8 } else { 16 };
        // Inferences that the edge probabilities average, each with all memberships.
        let schedule = &recipe.schedule;
        let inferences = match schedule.kind {
            ScheduleKind::Published => schedule.draws / schedule.infer_every + 2,
            ScheduleKind::Algorithm1 => schedule.draws * schedule.lambdas,
        } as u64;
        let networks = match schedule.kind {
            ScheduleKind::Published => recipe.members.len() as u64,
            ScheduleKind::Algorithm1 => 1,
        };
        let members = recipe.members.iter().map(|member| member.model.settings().numbers_per_node() as u64);
        // Of several models, their rows and the snapshot of them all together.
        let k = members.sum::<u64>() * if recipe.members.len() > 1 { 2 } else { 1 };
        let sampled = u64::from(!recipe.is_plain());
        Self {
            features: entries,
            graphs: (1 + 3 * sampled * networks) * (edges * 2 * 8 * (1 + heads) + n * 24),
            activations: networks * 4 * n * parts * (hidden_layers * h * 4 + c * 4),
            weights: networks * 4 * weights * (5 + schedule.keep as u64),
            graph_model: 4 * n * k * (6 + inferences),
            mean: n * c * (8 + 8 + 8 + 4) + n * 48,
        }
    }

    /// Refuses what the machine's memory will not hold, where the system reports how much there is.
    pub fn check(&self, data: &Dataset, method: &str) -> Result<(), Error> {
        crate::memory::allow(self.total()).map_err(|much| Error::Request(self.too_large(data, method, much.available)))
    }

    fn too_large(&self, data: &Dataset, method: &str, available: u64) -> String {
        let gb = shown;
        format!(
            "fitting {method} to {} ({} nodes, {} edges, {} features) takes about {}, but {} are available: \
             activations {}, weights {}, graph model {}, graphs {}, features {}, means {}. About {} nodes like these \
             would fit. Take fewer hidden units or layers, or a machine with more memory",
            data.name,
            data.nodes(),
            data.graph.edges(),
            data.features.columns(),
            gb(self.total()),
            gb(available),
            gb(self.activations),
            gb(self.weights),
            gb(self.graph_model),
            gb(self.graphs),
            gb(self.features),
            gb(self.mean),
            // Everything grows with the nodes, or slower.
            (data.nodes() as f64 * available as f64 / self.total() as f64) as u64,
        )
    }

    /// All of it, with what is not counted.
    pub fn total(&self) -> u64 {
        let counted = [self.features, self.graphs, self.activations, self.weights, self.graph_model, self.mean];
        counted.iter().sum::<u64>().saturating_mul(5) / 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::demo;
    use crate::recipe::Plan;

    fn need(plan: Plan) -> MemoryNeed {
        let data = demo();
        MemoryNeed::of(&plan.resolve(&data).unwrap(), &data)
    }

    #[test]
    fn the_demo_takes_megabytes_and_more_hidden_units_more() {
        let hidden = |units: usize| need(Plan::new().graph_model("mmsbm").set("network.hidden", units));
        assert!((1 << 20..100 << 20).contains(&hidden(16).total()), "{:?}", hidden(16));
        assert!(hidden(1600).total() > 20 * hidden(16).total());
        assert_eq!(need(Plan::new().graph_model("observed")).graph_model, 0);
        let [one, both] = ["copying", "auto"].map(|name| need(Plan::new().graph_model(name)));
        assert_eq!((both.activations, both.weights), (2 * one.activations, 2 * one.weights));
    }

    #[test]
    fn standardised_columns_are_counted_as_they_will_be_stored() {
        let with = |scaling: &str| need(Plan::new().set("features.scaling", scaling)).features;
        let cells = (demo().nodes() * demo().features.columns()) as u64;
        // Words are 0 and 1, which standard leaves alone.
        assert_eq!(with("standard"), with("unit_rows"));
        assert_eq!(with("z_score"), 8 * cells);
    }

    #[test]
    fn what_does_not_fit_is_said_in_parts() {
        let need = need(Plan::new());
        let text = need.too_large(&demo(), "gcn+copying", 1_000_000);
        assert!(text.starts_with("fitting gcn+copying to demo (2000 nodes,"), "{text}");
        assert!(text.contains("but 1 MB are available") && text.contains("fewer hidden units"), "{text}");
        assert!(text.contains("nodes like these would fit"), "{text}");
    }
}
