//! A fitted model on disk: `graph-model.json` (settings, strengths, seed, version) beside the memberships.
//!
//! Each file is written under another name first and then renamed, so a reader never meets half a file.

use super::{Lambda, MmsbmParams};
use crate::files::write_atomically;
use crate::graph_model::Error;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Settings and small numbers.
const JSON: &str = "graph-model.json";

/// pi [n, k].
const TENSORS: &str = "graph-model.safetensors";

/// The format that this code writes and reads.
const FORMAT: u32 = 1;

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

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    model: String,
    version: String,
    seed: u64,
    nodes: usize,
    communities: usize,
    beta: Vec<f64>,
    delta: f64,
    settings: MmsbmParams,
}

/// Writes a fitted model into the folder `dir`, which is made if need be.
pub fn write(dir: &Path, lambda: &Lambda, params: &MmsbmParams, seed: u64) -> Result<(), Error> {
    fs::create_dir_all(dir).map_err(Error::io("making", dir))?;
    let header = Header {
        format: FORMAT,
        model: "mmsbm".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        nodes: lambda.n(),
        communities: lambda.k(),
        beta: lambda.beta().to_vec(),
        delta: lambda.delta(),
        settings: params.clone(),
    };
    let bytes: Vec<u8> =
        (0..lambda.n() as u32).flat_map(|a| lambda.row(a).iter().flat_map(|p| p.to_le_bytes())).collect();
    let pi = TensorView::new(Dtype::F32, vec![lambda.n(), lambda.k()], &bytes).expect("n·k numbers were written");
    let tensors = safetensors::serialize([("pi", pi)], None).expect("one tensor can always be written");
    let json = serde_json::to_vec_pretty(&header).expect("settings are plain values");
    // The memberships first: whoever finds the JSON finds them too.
    replace(&dir.join(TENSORS), &tensors)?;
    replace(&dir.join(JSON), &json)
}

/// Reads a model back from its folder, or from the path of its JSON file.
pub fn read(path: &Path) -> Result<Saved, Error> {
    let is_file = path.file_name().is_some_and(|name| name == JSON || name == TENSORS);
    let dir = if is_file { path.parent().unwrap_or(Path::new("")) } else { path };
    let (json, tensors) = (dir.join(JSON), dir.join(TENSORS));
    let text = fs::read(&json).map_err(Error::io("reading", &json))?;
    let header: Header = serde_json::from_slice(&text).map_err(|error| Error::bad_file(&json, error))?;
    if header.format != FORMAT || header.model != "mmsbm" {
        let found = format!("model {:?} in format {}, not mmsbm in format {FORMAT}", header.model, header.format);
        return Err(Error::bad_file(&json, found));
    }
    let bytes = fs::read(&tensors).map_err(Error::io("reading", &tensors))?;
    let bad = |found: String| Error::bad_file(&tensors, found);
    let file = SafeTensors::deserialize(&bytes).map_err(|error| bad(error.to_string()))?;
    let pi = file.tensor("pi").map_err(|error| bad(error.to_string()))?;
    if pi.dtype() != Dtype::F32 || pi.shape() != [header.nodes, header.communities] {
        let (found, n, k) = (format!("{:?} of {:?}", pi.shape(), pi.dtype()), header.nodes, header.communities);
        return Err(bad(format!("pi is {found}, not [{n}, {k}] of F32")));
    }
    let (numbers, _) = pi.data().as_chunks::<4>();
    let pi: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let lambda =
        Lambda::new(header.communities, &pi, header.beta, header.delta).map_err(|error| bad(error.to_string()))?;
    Ok(Saved { lambda, params: header.settings, seed: header.seed, version: header.version })
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    write_atomically(path, |file| file.write_all(bytes)).map_err(Error::io("writing", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn saved(dir: &Path) -> (Lambda, MmsbmParams) {
        let lambda = Lambda::new(3, &[0.2, 0.3, 0.5, 0.9, 0.05, 0.05], vec![0.1, 0.2, 0.3], 0.01).unwrap();
        let params = MmsbmParams::new(3).eta(1.5);
        write(dir, &lambda, &params, 42).unwrap();
        (lambda, params)
    }

    #[test]
    fn what_was_written_comes_back() {
        let dir = tempfile::tempdir().unwrap();
        let (lambda, params) = saved(dir.path());
        for path in [dir.path().to_owned(), dir.path().join(JSON)] {
            let back = read(&path).unwrap();
            assert_eq!((back.seed, &back.params), (42, &params));
            assert_eq!((back.lambda.beta(), back.lambda.delta()), (lambda.beta(), lambda.delta()));
            for a in 0..2 {
                assert!(back.lambda.row(a).iter().zip(lambda.row(a)).all(|(x, y)| (x - y).abs() < 1e-7));
            }
        }
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no half-written file is left");
    }

    #[test]
    fn broken_files_are_named() {
        let dir = tempfile::tempdir().unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains(JSON));
        saved(dir.path());
        fs::write(dir.path().join(TENSORS), b"nothing of the kind").unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains(TENSORS));
        saved(dir.path());
        let json = fs::read_to_string(dir.path().join(JSON)).unwrap().replace("\"nodes\": 2", "\"nodes\": 3");
        fs::write(dir.path().join(JSON), json).unwrap();
        assert!(read(dir.path()).unwrap_err().to_string().contains("not [3, 3]"));
    }
}
