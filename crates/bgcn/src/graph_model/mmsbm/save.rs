//! A fitted block model on disk: memberships `pi` [n, k], strengths and background; see [`SavedModel`] for the files.

use super::{Lambda, MmsbmParams};
use crate::graph_model::save::paths;
use crate::graph_model::{Array, Error, Parameters, SavedModel};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::Path;

/// A fitted model and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The random-graph parameters.
    pub lambda: Lambda,
    /// The settings they were found with.
    pub params: MmsbmParams,
    /// The seed.
    pub seed: u64,
    /// The version of this library that wrote it.
    pub version: String,
}

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

/// Writes a fitted model into the folder `dir`, which is made if need be.
pub fn write(dir: &Path, lambda: &Lambda, params: &MmsbmParams, seed: u64) -> Result<(), Error> {
    SavedModel::new("mmsbm", params, seed, lambda.into()).write(dir)
}

/// Reads a model back from its folder, or from the path of one of its files.
pub fn read(path: &Path) -> Result<Saved, Error> {
    let SavedModel { model, settings, seed, version, parameters } = SavedModel::read(path)?;
    let bad = |found: String| Error::bad_file(&paths(path).0, found);
    if model != "mmsbm" {
        return Err(bad(format!("the graph model {model}, not mmsbm")));
    }
    let params = serde_json::from_value(settings).map_err(|error| bad(error.to_string()))?;
    let lambda = Lambda::try_from(&parameters).map_err(bad)?;
    Ok(Saved { lambda, params, seed, version })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let lambda = Lambda::new(3, &[0.2, 0.3, 0.5, 0.9, 0.05, 0.05], vec![0.1, 0.2, 0.3], 0.01).unwrap();
        let params = MmsbmParams::new(3).eta(1.5);
        write(dir.path(), &lambda, &params, 42).unwrap();
        let back = read(dir.path()).unwrap();
        assert_eq!((back.seed, &back.params), (42, &params));
        assert_eq!((back.lambda.beta(), back.lambda.delta()), (lambda.beta(), lambda.delta()));
        for a in 0..2 {
            assert!(back.lambda.row(a).iter().zip(lambda.row(a)).all(|(x, y)| (x - y).abs() < 1e-7));
        }
    }

    #[test]
    fn other_models_and_missing_numbers_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let lambda = Lambda::new(2, &[0.5; 4], vec![0.1; 2], 0.01).unwrap();
        let error = |name: &str, parameters: Parameters| {
            SavedModel::new(name, &MmsbmParams::new(2), 1, parameters).write(dir.path()).unwrap();
            read(dir.path()).unwrap_err().to_string()
        };
        assert!(error("copying", (&lambda).into()).contains("copying, not mmsbm"));
        assert!(error("mmsbm", Parameters { arrays: [].into(), ..(&lambda).into() }).contains("pi"));
        let mut without = Parameters::from(&lambda);
        without.small.remove("delta");
        assert!(error("mmsbm", without).contains("delta"));
    }
}
