//! Graphs drawn from what a fit has learned: G ~ Σ_m w_m p(G | λ_m), with the last λ of each graph model.
//! Paper: the middle factor of the integral labelled exact_posterior, by itself: for networks of other programs.

use super::chain::Drawn;
use crate::Error;
use crate::graph::Graph;
use crate::graph_model::{GraphModel, ObservedEdges, Parameters, SavedModel};
use crate::recipe::{Member, Recipe};
use crate::rng::{For, Random as _, Seed};

/// Graph models at the λ of a fit, ready to draw.
pub struct Drawing<'g> {
    observed: &'g Graph,
    /// w_m, what becomes of observed edges, and the model.
    members: Vec<(f64, ObservedEdges, Box<dyn GraphModel + 'g>)>,
}

impl<'g> Drawing<'g> {
    /// The graph models of a recipe, weighted by `shares`, at a λ that [`super::Fit::saved_model`] gave, about the
    /// nodes of the observed graph.
    pub fn new(recipe: &Recipe, shares: &[f64], saved: &SavedModel, observed: &'g Graph) -> Result<Self, Error> {
        let several = recipe.members.len() > 1;
        let start = |(member, &share): (&Member, &f64)| {
            let own = if several { saved.parameters.part(member.model.name()) } else { saved.parameters.clone() };
            Ok((share, member.observed_edges, member.model.resume(observed, &own)?))
        };
        Ok(Self { observed, members: recipe.members.iter().zip(shares).map(start).collect::<Result<_, Error>>()? })
    }

    /// The `i`-th graph. Same seed and i, same graph.
    pub fn draw(&self, seed: Seed, i: u32) -> Graph {
        let total: f64 = self.members.iter().map(|(share, ..)| share).sum();
        // Another index than any draw's, so that no stream is used twice.
        let mut at = total * seed.at(For::Graph, [u32::MAX, i, 0]).unit();
        let found = self.members.iter().position(|(share, ..)| {
            at -= share;
            at < 0.0
        });
        let m = found.unwrap_or(self.members.len() - 1);
        let (_, edges, model) = &self.members[m];
        let mut drawn = Drawn::new(*edges);
        drawn.draw(&**model, self.observed, seed.at(For::Graph, [m as u32, i, 0]));
        drawn.into_graph()
    }
}

impl Parameters {
    /// Those of one model among several, as [`Parameters::joined`] put them together.
    fn part(&self, model: &str) -> Self {
        let small = self.small.get(model).and_then(|table| table.as_object().cloned()).unwrap_or_default();
        let own = |(name, array): (&String, &_)| {
            let rest = name.strip_prefix(model)?.strip_prefix('.')?;
            Some((rest.to_owned(), Clone::clone(array)))
        };
        Self { nodes: self.nodes, small, arrays: self.arrays.iter().filter_map(own).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::demo;
    use crate::recipe::Plan;

    #[test]
    fn draws_repeat_by_seed_and_number_and_keep_what_the_recipe_keeps() {
        let data = demo();
        for (model, kept) in [("copying", true), ("mmsbm", false), ("copying+mmsbm", false)] {
            let fit = Plan::new().graph_model(model).set("schedule.draws", 3).set("schedule.averaged", 2);
            let fit = fit.fit(&data).unwrap();
            let saved = fit.saved_model(0).unwrap();
            let drawing = Drawing::new(fit.recipe(), &fit.learned.shares, &saved, &data.graph).unwrap();
            let draw = |seed, i| drawing.draw(Seed::new(seed), i);
            assert_eq!(draw(1, 0), draw(1, 0), "{model}");
            assert!(draw(1, 0) != draw(1, 1) && draw(1, 0) != draw(2, 0), "{model}");
            let holds = |graph: &Graph| data.graph.edge_list().all(|(a, b)| graph.has_edge(a, b));
            assert_eq!((0..6).all(|i| holds(&draw(3, i))), kept, "{model}");
        }
    }

    #[test]
    fn a_mixture_draws_from_each_model_by_its_weight() {
        let data = demo();
        let fit = Plan::new().graph_model("copying+mmsbm").set("schedule.draws", 3).set("schedule.averaged", 2);
        let fit = fit.fit(&data).unwrap();
        let saved = fit.saved_model(0).unwrap();
        // Copying keeps the observed edges, the block model draws them anew.
        let holds = |graph: &Graph| data.graph.edge_list().all(|(a, b)| graph.has_edge(a, b));
        for (share, wanted) in [(1.0, 20..=20), (0.0, 0..=0), (0.5, 4..=16)] {
            let drawing = Drawing::new(fit.recipe(), &[share, 1.0 - share], &saved, &data.graph).unwrap();
            let copies = (0..20).filter(|&i| holds(&drawing.draw(Seed::new(1), i))).count();
            // Of 20 fair coins, fewer than 4 or more than 16 heads come once in 390 seeds.
            assert!(wanted.contains(&copies), "{copies} with share {share}");
        }
    }
}
