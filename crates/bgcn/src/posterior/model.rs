//! The graph model of a plan, started on a graph. Another model is another line here and in `GraphModelPlan`.

use super::{Error, GraphModelPlan, Plan};
use crate::graph::Graph;
use crate::graph_model::copying::Copying;
use crate::graph_model::erase::Erase;
use crate::graph_model::mmsbm::{Lambda, Mmsbm, Start};
use crate::graph_model::{Belief, GraphModel, Observed};

pub(super) enum Model<'g> {
    Observed(Observed<'g>),
    Mmsbm(Box<Mmsbm<'g>>),
    Copying(Copying<'g>),
    Erase(Erase<'g>),
}

impl<'g> Model<'g> {
    /// The model before a guess; schedules restart it from one before they infer.
    pub(super) fn start(plan: &Plan, graph: &'g Graph) -> Result<Self, Error> {
        let k = plan.graph_model.communities().unwrap_or(0);
        let undecided = vec![1.0; graph.nodes() * k];
        let belief = Belief { k, rows: &undecided };
        Ok(match &plan.graph_model {
            GraphModelPlan::Observed => Self::Observed(Observed::new(graph)),
            GraphModelPlan::Mmsbm(params) => {
                Self::Mmsbm(Box::new(Mmsbm::start(&params.clone().check()?, graph, Start::Belief(belief))?))
            }
            GraphModelPlan::Copying(params) => Self::Copying(Copying::start(&params.clone().check()?, graph, belief)?),
            GraphModelPlan::Erase(params) => Self::Erase(Erase::new(&params.clone().check()?, graph)),
        })
    }

    pub(super) fn as_dyn(&mut self) -> &mut (dyn GraphModel + 'g) {
        match self {
            Self::Observed(model) => model,
            Self::Mmsbm(model) => &mut **model,
            Self::Copying(model) => model,
            Self::Erase(model) => model,
        }
    }

    /// λ of the block model.
    pub(super) fn lambda(&self) -> Option<&Lambda> {
        match self {
            Self::Mmsbm(model) => Some(model.lambda()),
            _ => None,
        }
    }
}
