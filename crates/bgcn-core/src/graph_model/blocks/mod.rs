//! What the block models share: memberships, the block matrix, walks over pairs, draws within and between blocks.
//! Paper: none; each model's header names its equation.

pub(crate) mod grouped;
pub(crate) mod label_model;
pub(crate) mod labels;
pub(crate) mod line;
pub(crate) mod matrix;
pub(crate) mod memberships;
pub(crate) mod pairs;
pub(crate) mod points;
pub(crate) mod rows;
pub(crate) mod walk;

/// What the settings of block models have in common: λ is a maximum, found from memberships in communities.
macro_rules! block_settings {
    ($params:ident, $model:ident $(, $blocks:ident)?) => {
        impl $crate::graph_model::registry::Settings for $params {
            fn check(&self) -> Result<(), $crate::Error> {
                self.clone().check().map(drop)
            }

            fn communities(&self) -> usize {
                self.$($blocks.)?communities
            }

            fn iterations(&self) -> usize {
                self.$($blocks.)?iterations
            }

            fn single_lambda(&self) -> Option<&'static str> {
                Some("inference finds the same λ every time")
            }

            fn numbers_per_node(&self) -> usize {
                // What inference holds, the snapshot for edge probabilities, and weights of nodes.
                2 * $crate::kernels::padded(self.$($blocks.)?communities) + 2
            }

            fn start<'g>(
                &self,
                graph: &'g $crate::graph::Graph,
            ) -> Result<Box<dyn $crate::graph_model::GraphModel + 'g>, $crate::Error> {
                Ok(Box::new($model::new(&self.clone().check()?, graph)))
            }

            fn resume<'g>(
                &self,
                graph: &'g $crate::graph::Graph,
                parameters: &$crate::graph_model::Parameters,
            ) -> Result<Box<dyn $crate::graph_model::GraphModel + 'g>, $crate::Error> {
                Ok(Box::new($model::resume(&self.clone().check()?, graph, parameters)?))
            }

            fn traced(&self, every: usize) -> Option<$crate::graph_model::ModelSettings> {
                let mut traced = self.clone();
                traced.$($blocks.)?trace_every = every;
                Some($crate::graph_model::ModelSettings::$model(traced))
            }
        }
    };
}
pub(crate) use block_settings;
