//! Edge erasure: every observed edge is left out with the same probability, and none is added.
//! Paper: the ensemble that it argues against in "Background" (its reference anirudh2017), since an edge that was not
//! observed can never be created. Here to be compared with.
//! Differs: graphs are drawn anew for every step of training, not once for each member of an ensemble.
//! Symbols: p(y_ab = 1) = (1 − drop) where a and b are joined in G_obs, else 0.

mod params;

pub use params::EraseParams;
pub(crate) use params::SETTINGS;

use super::{Belief, Error, Extremes, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::checked::Checked;
use crate::graph::Graph;
use crate::rng::{Random as _, Stream};
use std::sync::{Arc, OnceLock};

/// Edge erasure on one observed graph.
#[derive(Clone, Debug)]
pub struct Erase<'g> {
    graph: &'g Graph,
    drop: f64,
    /// The belief that outlives the model, made when first asked for; no inference changes it.
    shared: OnceLock<Arc<Erased>>,
}

impl<'g> Erase<'g> {
    /// The model of `graph`.
    pub fn new(params: &Checked<EraseParams>, graph: &'g Graph) -> Self {
        Self { graph, drop: params.drop_rate, shared: OnceLock::new() }
    }
}

impl GraphModel for Erase<'_> {
    fn restart(&mut self, _belief: Belief<'_>) -> Result<(), Error> {
        Ok(())
    }

    /// Nothing is unknown, so nothing is inferred: the report says 0 iterations.
    fn infer(&mut self, _iterations: usize, _stream: Stream) -> Result<Report, Error> {
        Ok(Report::default())
    }

    fn sample(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let mut random = stream.fast();
        into.fill(self.graph.nodes(), |edges| {
            edges.extend(self.graph.edge_list().filter(|_| random.unit() >= self.drop));
        });
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        if self.graph.has_edge(a, b) { 1.0 - self.drop } else { 0.0 }
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        let erased = || Arc::new(Erased { graph: self.graph.clone(), kept: 1.0 - self.drop });
        Some(self.shared.get_or_init(erased).clone())
    }

    /// Nothing beside the settings.
    fn parameters(&self) -> Option<Parameters> {
        Some(Parameters { nodes: self.graph.nodes(), ..Parameters::default() })
    }
}

/// The belief in pairs: rows are empty, for nothing but the observed edge tells two pairs apart.
#[derive(Clone, Debug)]
struct Erased {
    graph: Graph,
    kept: f64,
}

impl PairBelief for Erased {
    fn nodes(&self) -> usize {
        self.graph.nodes()
    }

    fn width(&self) -> usize {
        0
    }

    fn row(&self, _a: u32) -> &[f32] {
        &[]
    }

    fn probability(&self, a: u32, b: u32) -> f64 {
        if self.graph.has_edge(a, b) { self.kept } else { 0.0 }
    }

    fn bound(&self, _x: Extremes<'_>, _y: Extremes<'_>) -> f64 {
        0.0
    }

    fn looseness(&self, _column: usize, _low: f32, _high: f32) -> f64 {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::karate;
    use crate::graph_model::EdgeBeliefs;
    use crate::rng::{For, Seed};

    fn model(graph: &Graph, drop: f64) -> Erase<'_> {
        Erase::new(&EraseParams::default().drop_rate(drop).check().unwrap(), graph)
    }

    fn draw(model: &Erase<'_>, i: u32) -> Graph {
        let mut buffer = GraphBuffer::default();
        model.sample(Seed::new(1).at(For::Graph, [0, i, 0]), &mut buffer);
        buffer.graph().clone()
    }

    #[test]
    fn all_edges_or_none_at_the_ends() {
        let graph = karate().graph;
        assert_eq!(draw(&model(&graph, 0.0), 3), graph);
        assert_eq!(draw(&model(&graph, 1.0), 3), Graph::empty(34));
        assert_eq!(draw(&model(&graph, 0.5), 3), draw(&model(&graph, 0.5), 3));
    }

    // 78 edges, 10,000 draws, five standard errors each: a false alarm in about 1 of 20,000 seeds.
    #[test]
    fn each_edge_is_kept_as_often_as_its_probability_says_and_none_is_added() {
        let graph = karate().graph;
        let model = model(&graph, 0.3);
        let mut counts = vec![0f64; 34 * 34];
        for i in 0..10_000 {
            draw(&model, i).edge_list().for_each(|(a, b)| counts[a as usize * 34 + b as usize] += 1.0);
        }
        for a in 0..34 {
            for b in a + 1..34 {
                let (p, found) = (model.edge_probability(a, b), counts[a as usize * 34 + b as usize]);
                assert!((found - 1e4 * p).abs() <= 5.0 * (1e4 * p * (1.0 - p)).sqrt(), "{a}–{b}: {found}");
            }
        }
    }

    #[test]
    fn no_unobserved_pair_is_believed() {
        let graph = karate().graph;
        let mut beliefs = EdgeBeliefs::new();
        beliefs.add(model(&graph, 0.3).pair_belief().unwrap()).unwrap();
        let found = beliefs.most_likely_unobserved(&graph, 20);
        assert!(found.len() == 20 && found.iter().all(|pair| pair.p == 0.0 && !graph.has_edge(pair.a, pair.b)));
        assert!(beliefs.least_likely_observed(&graph, 5).iter().all(|pair| pair.p == 0.7));
    }
}
