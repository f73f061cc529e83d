//! A mixture of graph models: each draw comes from one of them, picked by its share, or asked for. Bayesian model averaging.
//! Paper: "the framework is general": the sum over models m is one more factor outside the two innermost of exact_posterior.
//! Differs: the paper takes one model. All parts start from the same belief.
//! Symbols: w_m the share of model m, Σ w_m = 1; p(G | λ) = Σ_m w_m p(G | λ_m).
//!
//! A draw costs what the part's draw costs, an inference what all parts' inferences cost together.

mod pairs;

use super::{Belief, Error, GraphBuffer, GraphModel, PairBelief, Parameters, Report};
use crate::rng::{For, Random as _, Seed, Stream};
use serde_json::Value;
use std::sync::Arc;

/// One model of a mixture.
pub struct Part<'g> {
    /// Its name: no two parts share one.
    pub name: &'static str,
    /// w_m.
    pub share: f64,
    /// Iterations of each of its inferences.
    pub iterations: usize,
    /// The model.
    pub model: Box<dyn GraphModel + 'g>,
}

/// Several models of one observed graph.
pub struct Mixture<'g> {
    parts: Vec<Part<'g>>,
}

impl<'g> Mixture<'g> {
    /// The mixture of these parts; shares are scaled to sum to 1. Panics when there is no part.
    pub fn new(mut parts: Vec<Part<'g>>) -> Self {
        assert!(!parts.is_empty(), "a mixture of nothing");
        let total: f64 = parts.iter().map(|part| part.share).sum();
        parts.iter_mut().for_each(|part| part.share /= total);
        Self { parts }
    }

    /// The part of a point in 0..1.
    fn at(&self, mut point: f64) -> usize {
        let found = self.parts.iter().position(|part| {
            point -= part.share;
            point < 0.0
        });
        found.unwrap_or(self.parts.len() - 1) // rounding may leave the point above all shares
    }
}

impl GraphModel for Mixture<'_> {
    fn restart(&mut self, belief: Belief<'_>) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(|part| part.model.restart(belief))
    }

    /// Every part for its own number of iterations; the one asked for is not used. The report adds them up.
    fn infer(&mut self, _iterations: usize, mut stream: Stream) -> Result<Report, Error> {
        let mut all = Report { stopped_early: true, ..Report::default() };
        for part in &mut self.parts {
            let own = Seed::new(stream.next_u64()).at(For::Lambda, [0; 3]);
            let report = part.model.infer(part.iterations, own)?;
            all.iterations += report.iterations;
            all.stopped_early &= report.stopped_early;
            all.truncation = all.truncation.or(report.truncation);
        }
        Ok(all)
    }

    fn sample(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let part = self.pick(&mut stream);
        self.sample_part(part, stream, into);
    }

    fn pick(&self, stream: &mut Stream) -> usize {
        self.at(stream.unit())
    }

    fn sample_part(&self, part: usize, stream: Stream, into: &mut GraphBuffer) {
        self.parts[part].model.sample(stream, into);
    }

    fn edge_probability(&self, a: u32, b: u32) -> f64 {
        self.parts.iter().fold(0.0, |sum, part| sum + part.share * part.model.edge_probability(a, b))
    }

    fn pair_belief(&self) -> Option<Arc<dyn PairBelief>> {
        let parts: Option<Vec<_>> =
            self.parts.iter().map(|part| Some((part.share, part.model.pair_belief()?))).collect();
        Some(Arc::new(pairs::Mixed::of(parts?)))
    }

    /// Those of the parts, arrays as `name.array`, few numbers under the part's name.
    fn parameters(&self) -> Option<Parameters> {
        let mut all = Parameters::default();
        for part in &self.parts {
            let own = part.model.parameters()?;
            all.nodes = own.nodes;
            all.small.insert(part.name.to_owned(), Value::Object(own.small));
            all.arrays.extend(own.arrays.into_iter().map(|(name, array)| (format!("{}.{name}", part.name), array)));
        }
        Some(all)
    }
}

/// What [`Mixture::parameters`] has of the part `name`.
pub fn parameters_of(name: &str, all: &Parameters) -> Parameters {
    let small = all.small.get(name).and_then(Value::as_object).cloned().unwrap_or_default();
    let own = |(full, array): (&String, &super::Array)| {
        let array_name = full.strip_prefix(name)?.strip_prefix('.')?;
        Some((array_name.to_owned(), array.clone()))
    };
    Parameters { nodes: all.nodes, small, arrays: all.arrays.iter().filter_map(own).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::karate;
    use crate::graph::Graph;
    use crate::graph_model::Observed;
    use crate::graph_model::copying::{Copying, CopyingParams};
    use crate::graph_model::erase::{Erase, EraseParams};

    fn all_or_nothing(graph: &Graph, share: f64) -> Mixture<'_> {
        let none = EraseParams::default().drop(1.0).check().unwrap();
        let part = |name, share, model| Part { name, share, iterations: 0, model };
        Mixture::new(vec![
            part("observed", 3.0 * share, Box::new(Observed::new(graph)) as Box<dyn GraphModel + '_>),
            part("erase", 3.0 * (1.0 - share), Box::new(Erase::new(&none, graph))),
        ])
    }

    // 4,000 draws at five standard errors: a false alarm in about 1 of 1,700,000 seeds.
    #[test]
    fn each_model_is_drawn_from_as_often_as_its_share_says() {
        let graph = karate().graph;
        let model = all_or_nothing(&graph, 0.3);
        let mut buffer = GraphBuffer::default();
        let whole = |i| {
            model.sample(Seed::new(5).at(For::Graph, [0, i, 0]), &mut buffer);
            assert_eq!(buffer.graph().edges(), [78, 0][model.pick(&mut Seed::new(5).at(For::Graph, [0, i, 0]))]);
            usize::from(buffer.graph().edges() == 78)
        };
        let found = (0..4000).map(whole).sum::<usize>() as f64;
        assert!((found - 1200.0).abs() < 5.0 * (4000.0f64 * 0.3 * 0.7).sqrt(), "{found} of 4000");
        assert!((model.edge_probability(0, 1) - 0.3).abs() < 1e-15 && model.edge_probability(0, 33) == 0.0);
    }

    #[test]
    fn a_mixture_of_one_draws_what_that_model_draws() {
        let graph = karate().graph;
        let params = CopyingParams::new(2).check().unwrap();
        let rows: Vec<f32> = (0..34).flat_map(|a| [a as f32, 17.0]).collect();
        let copying = || Copying::start(&params, &graph, Belief { k: 2, rows: &rows }).unwrap();
        let part = Part { name: "copying", share: 0.2, iterations: 0, model: Box::new(copying()) };
        let (alone, mixed) = (copying(), Mixture::new(vec![part]));
        let [mut one, mut other] = [GraphBuffer::default(), GraphBuffer::default()];
        for i in 0..20 {
            let mut stream = Seed::new(5).at(For::Graph, [0, i, 0]);
            mixed.sample(stream.clone(), &mut one);
            stream.unit(); // what picks the part
            alone.sample(stream, &mut other);
            assert_eq!(one.graph(), other.graph());
        }
        assert_eq!(mixed.edge_probability(0, 33), alone.edge_probability(0, 33));
        assert_eq!(parameters_of("copying", &mixed.parameters().unwrap()), alone.parameters().unwrap());
    }

    #[test]
    fn shares_of_nothing_and_of_everything() {
        let graph = karate().graph;
        for share in [0.0, 1.0] {
            let model = all_or_nothing(&graph, share);
            assert_eq!(model.at(0.0), usize::from(share == 0.0));
            assert_eq!(model.at(1.0), 1, "the last where rounding leaves nothing");
        }
    }
}
