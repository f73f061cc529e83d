//! The memory a fit will take, counted before it starts from the sizes of its matrices.
//!
//! Symbols: n nodes, E edges, d features, h hidden units, c classes or 1, k communities. An estimate: the large
//! matrices are all counted, small things and the allocator's waste come as a quarter on top. For 20,000 nodes and
//! 100,000 edges it said 56 MB when a whole run, program and data included, peaked at 54 MB.

use crate::data::{Dataset, Features};
use crate::kernels::padded;
use crate::network::Kind;
use crate::posterior::{GraphModelPlan, Plan};

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
    /// What the plan will take on top of the data; the greediest graph model, where that is left open, and all where
    /// they are mixed.
    pub fn of(plan: &Plan, data: &Dataset) -> Self {
        match plan.possible() {
            Ok(plans) => plans.iter().map(|plan| Self::of_one(plan, data)).max_by_key(Self::total),
            Err(_) => None,
        }
        .unwrap_or_else(|| Self::of_one(plan, data))
    }

    fn of_one(plan: &Plan, data: &Dataset) -> Self {
        let (n, d, edges) = (data.nodes() as u64, data.features.columns() as u64, data.graph.edges() as u64);
        let params = &plan.network;
        let heads = if params.kind == Kind::Gat { params.heads.unwrap_or(8) as u64 } else { 1 };
        let parts = if params.kind == Kind::Chebnet { params.order.unwrap_or(3) as u64 + 1 } else { 1 };
        let h = heads * padded(params.hidden) as u64;
        let c = padded(data.labels.classes().max(1)) as u64;
        let layers = params.layers as u64;
        let hidden_layers = layers.saturating_sub(1);
        let first = if layers == 1 { c } else { h };
        let weights =
            parts * (d * first + hidden_layers.saturating_sub(1) * h * h + if layers > 1 { h * c } else { 0 });
        let entries = match &data.features {
            Features::Identity(n) => *n as u64 * 8,
            Features::Sparse(rows) => rows.values.len() as u64 * 16,
            Features::Dense(rows) => rows.values.len() as u64 * 8,
        };
        // Inferences that the edge beliefs average, each with all memberships.
        let inferences = match (plan.draws, plan.infer_every, plan.lambdas) {
            (Some(draws), Some(every), _) => (draws / every.max(1)) as u64 + 2,
            (Some(draws), None, lambdas) => (draws * lambdas.unwrap_or(1)) as u64,
            _ => 0,
        };
        let networks = plan.chains().len() as u64;
        let k = plan.graph_model.numbers_per_node() as u64;
        let sampled = u64::from(plan.graph_model != GraphModelPlan::Observed);
        Self {
            features: entries,
            graphs: (1 + 3 * sampled * networks) * (edges * 2 * 8 * (1 + heads) + n * 24),
            activations: networks * 4 * n * parts * (hidden_layers * h * 4 + c * 4),
            weights: networks * 4 * weights * (5 + plan.keep as u64),
            graph_model: 4 * n * k * (6 + inferences),
            mean: n * c * (8 + 8 + 8 + 4) + n * 48,
        }
    }

    /// All of it, with what is not counted.
    pub fn total(&self) -> u64 {
        let counted = [self.features, self.graphs, self.activations, self.weights, self.graph_model, self.mean];
        counted.iter().sum::<u64>().saturating_mul(5) / 4
    }
}

/// Bytes that a new process could take without swapping, where the system says so (Linux).
pub fn available_memory() -> Option<u64> {
    available_in(&std::fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::demo;
    use crate::network::Params;
    use crate::posterior::ChooseBy;

    fn plan(hidden: usize) -> Plan {
        let network = Params::new(Kind::Gcn).hidden(hidden);
        Plan::new(Kind::Gcn, GraphModelPlan::mmsbm(7)).network(network).check().unwrap().into_inner()
    }

    #[test]
    fn the_demo_takes_megabytes_and_more_hidden_units_more() {
        let need = MemoryNeed::of(&plan(16), &demo());
        assert!((1 << 20..100 << 20).contains(&need.total()), "{need:?}");
        assert!(MemoryNeed::of(&plan(1600), &demo()).total() > 20 * need.total());
        let plain = Plan::new(Kind::Gcn, GraphModelPlan::Observed);
        assert_eq!(MemoryNeed::of(&plain, &demo()).graph_model, 0);
        let named = |name| Plan::new(Kind::Gcn, GraphModelPlan::named(name, 7).unwrap());
        let [one, both] = ["copying", "mixture"].map(|name| MemoryNeed::of(&named(name).check().unwrap(), &demo()));
        assert_eq!((both.activations, both.weights), (2 * one.activations, 2 * one.weights));
        assert_eq!(MemoryNeed::of(&named("copying").choose_by(ChooseBy::Average), &demo()), both);
    }

    #[test]
    fn the_systems_word_is_read_in_kibibytes() {
        assert_eq!(available_in("MemTotal: 9 kB\nMemAvailable:     2048 kB\n"), Some(2 << 20));
        assert_eq!(available_in("MemTotal: 9 kB\n"), None);
    }
}
