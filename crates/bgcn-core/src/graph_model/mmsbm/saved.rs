//! λ of the block model as arrays for files: memberships `pi` [n, k], strengths and background.

use super::Lambda;
use crate::graph_model::{Array, Parameters};
use serde::Deserialize;
use serde_json::{Value, json};

/// The small numbers.
#[derive(Deserialize)]
struct Small {
    communities: usize,
    beta: Vec<f64>,
    delta: f64,
}

impl From<&Lambda> for Parameters {
    fn from(lambda: &Lambda) -> Self {
        let small = json!({ "communities": lambda.k(), "beta": lambda.beta(), "delta": lambda.delta() });
        let Value::Object(small) = small else { unreachable!("an object was written") };
        let values = (0..lambda.n() as u32).flat_map(|a| lambda.row(a)).copied().collect();
        let pi = Array::Rows { columns: lambda.k(), values };
        Self { nodes: lambda.n(), small, arrays: [("pi".to_owned(), pi)].into() }
    }
}

impl TryFrom<&Parameters> for Lambda {
    type Error = String;

    /// The parameters of the block model; on failure what was found instead.
    fn try_from(parameters: &Parameters) -> Result<Self, String> {
        let Small { communities, beta, delta } = parameters.small()?;
        let pi = parameters.rows("pi", communities)?;
        Self::new(communities, pi, beta, delta).map_err(|error| error.to_string())
    }
}
