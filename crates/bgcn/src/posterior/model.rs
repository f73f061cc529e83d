//! The graph model of a plan, started on a graph. Another model is another line here and in `GraphModelPlan`.

use super::{Error, GraphModelPlan, Plan};
use crate::graph::Graph;
use crate::graph_model::mmsbm::{Lambda, Mmsbm, Start};
use crate::graph_model::{GraphModel, Observed};

pub(super) enum Model<'g> {
    Observed(Observed<'g>),
    Mmsbm(Box<Mmsbm<'g>>),
}

impl<'g> Model<'g> {
    /// The model before a guess; schedules restart it from one before they infer.
    pub(super) fn start(plan: &Plan, graph: &'g Graph) -> Result<Self, Error> {
        Ok(match &plan.graph_model {
            GraphModelPlan::Observed => Self::Observed(Observed::new(graph)),
            GraphModelPlan::Mmsbm(params) => {
                let start = vec![0; graph.nodes()];
                Self::Mmsbm(Box::new(Mmsbm::start(&params.clone().check()?, graph, Start::Labels(&start))?))
            }
        })
    }

    pub(super) fn as_dyn(&mut self) -> &mut (dyn GraphModel + 'g) {
        match self {
            Self::Observed(model) => model,
            Self::Mmsbm(model) => &mut **model,
        }
    }

    /// λ where the model has one.
    pub(super) fn lambda(&self) -> Option<&Lambda> {
        match self {
            Self::Observed(_) => None,
            Self::Mmsbm(model) => Some(model.lambda()),
        }
    }
}
