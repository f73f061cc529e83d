//! A graph model at a λ that was kept in files: what [`GraphModelPlan::saved`] wrote, taken up again.
//! Paper: nothing; p(G | λ) can be drawn from after the inference is gone.
//! Differs: λ is the file's; what a model takes from the graph itself (neighbourhoods, B given hard labels) is of the graph at hand.

use super::GraphModelPlan;
use crate::graph::Graph;
use crate::graph_model::copying::Copying;
use crate::graph_model::dcsbm::Dcsbm;
use crate::graph_model::mmsb::Mmsb;
use crate::graph_model::mmsbm::{Lambda, Mmsbm};
use crate::graph_model::sbm::Sbm;
use crate::graph_model::{Array, Belief, Error, GraphModel, Parameters, SavedModel};
use serde::Deserialize as _;
use serde_json::{Map, Value};

impl GraphModelPlan {
    /// The model that was saved, with the settings it was inferred with.
    pub fn of_saved(saved: &SavedModel) -> Result<Self, Error> {
        let tagged: Map<String, Value> = [(saved.model.clone(), saved.settings.clone())].into_iter().collect();
        let plan = match saved.model.as_str() {
            "observed" => Ok(Self::Observed), // has no settings
            _ => Self::deserialize(Value::Object(tagged)),
        };
        plan.map_err(|error| Error::Start(format!("the saved model {:?} and its settings: {error}", saved.model)))
    }

    /// The model on a graph at this λ, which must be about as many nodes.
    pub fn resume<'g>(&self, graph: &'g Graph, parameters: &Parameters) -> Result<Box<dyn GraphModel + 'g>, Error> {
        if parameters.nodes != graph.nodes() {
            let (found, nodes) = (parameters.nodes, graph.nodes());
            return Err(Error::Start(format!("the saved model has {found} nodes, the graph {nodes}")));
        }
        Ok(match self {
            Self::Observed | Self::Erase(_) => self.start(graph)?,
            Self::Mmsbm(params) => {
                let lambda = Lambda::try_from(parameters).map_err(Error::Start)?;
                Box::new(Mmsbm::resume(&params.clone().check()?, graph, lambda)?)
            }
            Self::Mmsb(params) => Box::new(Mmsb::resume(&params.clone().check()?, graph, parameters)?),
            Self::Sbm(params) => Box::new(Sbm::resume(&params.clone().check()?, graph, parameters)?),
            Self::Dcsbm(params) => Box::new(Dcsbm::resume(&params.clone().check()?, graph, parameters)?),
            Self::Copying(params) => {
                let (params, k) = (params.clone().check()?, params.communities());
                let rows = certain(parameters, k)?;
                Box::new(Copying::start(&params, graph, Belief { k, rows: &rows })?)
            }
            Self::Mixture(mixture) => Box::new(mixture.resume(graph, parameters)?),
        })
    }
}

/// The belief [n, k] that takes the saved classes for certain.
fn certain(parameters: &Parameters, k: usize) -> Result<Vec<f32>, Error> {
    let Some(Array::Labels(classes)) = parameters.arrays.get("classes") else {
        return Err(Error::Start("the saved model has no classes".into()));
    };
    let mut rows = vec![0.0; parameters.nodes * k];
    for (a, (row, &class)) in rows.chunks_exact_mut(k).zip(classes).enumerate() {
        match row.get_mut(class as usize) {
            Some(p) => *p = 1.0,
            None => return Err(Error::Start(format!("node {a} has the class {class}; there are {k}, from 0"))),
        }
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::karate;
    use crate::graph_model::GraphBuffer;
    use crate::graph_model::{mmsbm, sbm};
    use crate::rng::{For, Seed};

    fn drawn(model: &dyn GraphModel) -> Vec<Graph> {
        let mut buffer = GraphBuffer::default();
        let draw = |i| {
            model.sample(Seed::new(3).at(For::Graph, [0, i, 0]), &mut buffer);
            buffer.graph().clone()
        };
        (0..3).map(draw).collect()
    }

    fn all() -> Vec<GraphModelPlan> {
        let named = |name: &&str| GraphModelPlan::named(name, 2).unwrap();
        let mut plans: Vec<GraphModelPlan> = GraphModelPlan::NAMES.iter().skip(1).map(named).collect();
        for plan in plans.clone() {
            plans.extend(match plan {
                GraphModelPlan::Mmsbm(params) => Some(GraphModelPlan::Mmsbm(params.draw(mmsbm::Draw::Mixed))),
                GraphModelPlan::Mmsb(params) => Some(GraphModelPlan::Mmsb(params.draw(mmsbm::Draw::Mixed))),
                GraphModelPlan::Sbm(params) => Some(GraphModelPlan::Sbm(params.draw(sbm::Draw::Sampled))),
                GraphModelPlan::Dcsbm(params) => Some(GraphModelPlan::Dcsbm(params.draw(sbm::Draw::Sampled))),
                _ => None,
            });
        }
        plans
    }

    #[test]
    fn a_model_read_from_files_draws_the_graphs_of_the_one_that_was_written() {
        let data = karate();
        let rows: Vec<f32> = (0..34).flat_map(|a| [0.3 + 0.01 * a as f32, 0.4]).collect();
        for plan in all() {
            let mut model = plan.start(&data.graph).unwrap();
            model.restart(Belief { k: 2, rows: &rows }).unwrap();
            model.infer(5, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
            let folder = tempfile::tempdir().unwrap();
            plan.saved(model.parameters().unwrap(), 7).write(folder.path()).unwrap();
            let saved = SavedModel::read(folder.path()).unwrap();
            let again = GraphModelPlan::of_saved(&saved).unwrap();
            assert_eq!(again, plan);
            let resumed = again.resume(&data.graph, &saved.parameters).unwrap();
            assert_eq!(drawn(&*resumed), drawn(&*model), "{plan:?}");
            for (a, b) in [(0, 1), (0, 33), (5, 20)] {
                let [found, wanted] = [resumed.edge_probability(a, b), model.edge_probability(a, b)];
                assert!((found - wanted).abs() < 1e-6 * wanted.max(1e-6), "{plan:?}: {found} instead of {wanted}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_said() {
        let data = karate();
        let smaller = Graph::from_edges(3, &[(0, 1)]).unwrap();
        for plan in all() {
            let lambda = plan.start(&data.graph).unwrap().parameters().unwrap();
            let why = |graph: &Graph, lambda: &Parameters| plan.resume(graph, lambda).err().unwrap().to_string();
            assert!(why(&smaller, &lambda).contains("34 nodes, the graph 3"));
            if plan.communities().is_some() {
                let without = Parameters { arrays: [].into(), ..lambda.clone() };
                assert!(why(&data.graph, &without).contains("no "), "{plan:?}");
            }
            if lambda.small.contains_key("b") {
                let mut crooked = lambda.clone();
                crooked.small.insert("b".into(), serde_json::json!([[0.1, 0.2], [0.3, 0.1]]));
                assert!(why(&data.graph, &crooked).contains("symmetric"));
            }
        }
        let mut saved = GraphModelPlan::named("sbm", 2).unwrap().saved(Parameters::default(), 0);
        saved.model = "magic".into();
        assert!(GraphModelPlan::of_saved(&saved).unwrap_err().to_string().contains("magic"));
    }
}
