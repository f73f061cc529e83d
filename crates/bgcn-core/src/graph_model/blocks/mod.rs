//! What the block models share: memberships, the block matrix, walks over pairs, draws within and between blocks.
//! Paper: nothing of its own; each model's page says which equation it serves.

pub(crate) mod grouped;
pub(crate) mod labels;
pub(crate) mod line;
pub(crate) mod matrix;
pub(crate) mod memberships;
pub(crate) mod pairs;
pub(crate) mod points;
pub(crate) mod rows;
pub(crate) mod walk;

/// What the settings of block models answer alike: λ is a maximum, found from memberships in communities.
macro_rules! block_settings {
    ($params:ident, $model:ident) => {
        impl $crate::graph_model::registry::Settings for $params {
            fn check(&self) -> Result<(), $crate::Error> {
                self.clone().check().map(drop)
            }

            fn communities(&self) -> usize {
                $params::communities(self)
            }

            fn iterations(&self) -> usize {
                self.each_inference()
            }

            fn single_lambda(&self) -> Option<&'static str> {
                Some("inference finds the same λ every time")
            }

            fn numbers_per_node(&self) -> usize {
                // What inference holds, the snapshot for edge probabilities, and weights of nodes.
                2 * $crate::kernels::padded(self.communities()) + 2
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
                Some($crate::graph_model::ModelSettings::$model(self.clone().trace_every(every)))
            }

            fn table(&self) -> serde_json::Map<String, serde_json::Value> {
                $crate::setting::object(self)
            }
        }
    };
}
pub(crate) use block_settings;
