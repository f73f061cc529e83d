//! Weights in files: safetensors, one tensor per matrix (`w0`, or `w0.0`, `w0.1`, … where several stand side by side).
//!
//! The metadata names the network, so that weights of another one are refused before their shapes are looked at.

use super::{Error, Network, Tensor, Weights};
use crate::files::write_atomically;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

const NETWORK: &str = "bgcn_network";

fn part_name(tensor: &Tensor, part: usize) -> String {
    let name = &tensor.shape.name;
    if tensor.shape.parts == 1 { name.clone() } else { format!("{name}.{part}") }
}

/// Writes the weights of `network`; the file is replaced whole or not at all.
pub fn save(path: &Path, network: &impl Network, weights: &Weights) -> Result<(), Error> {
    let mut matrices: Vec<(String, [usize; 2], Vec<u8>)> = Vec::new();
    for tensor in &weights.tensors {
        for part in 0..tensor.shape.parts {
            let rows = (0..tensor.shape.rows).flat_map(|r| tensor.part_row(part, r));
            let bytes = rows.flat_map(|value| value.to_le_bytes()).collect();
            matrices.push((part_name(tensor, part), [tensor.shape.rows, tensor.shape.columns], bytes));
        }
    }
    let views = matrices.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes).expect("as many bytes as the shape says");
        (name, view)
    });
    let about = HashMap::from([(NETWORK.to_string(), network.name().to_string())]);
    let bytes = safetensors::serialize(views, Some(about)).map_err(std::io::Error::other);
    let written = bytes.and_then(|bytes| write_atomically(path, |file| file.write_all(&bytes)));
    written.map_err(Error::io("writing", path))
}

/// Reads the weights of `network`. Anything but its matrices, in its shapes and finite, is an error.
pub fn load(path: &Path, network: &impl Network) -> Result<Weights, Error> {
    let bytes = std::fs::read(path).map_err(Error::io("reading", path))?;
    let bad = |found: String, expected: String| Error::BadFile { path: path.to_owned(), found, expected };
    let format = |error: safetensors::SafeTensorError| bad(error.to_string(), "a safetensors file".into());
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(format)?;
    let named = header.metadata().as_ref().and_then(|about| about.get(NETWORK));
    if named.map(String::as_str) != Some(network.name()) {
        let found = named.map_or("no network is named".to_string(), |name| format!("weights of {name:?}"));
        return Err(bad(found, format!("weights of {:?}", network.name())));
    }
    let file = SafeTensors::deserialize(&bytes).map_err(format)?;
    let mut weights = Weights::zeros(network.shapes());
    let expected: usize = weights.tensors.iter().map(|tensor| tensor.shape.parts).sum();
    if file.len() != expected {
        return Err(bad(format!("{} matrices", file.len()), format!("{expected}")));
    }
    for tensor in &mut weights.tensors {
        for part in 0..tensor.shape.parts {
            let name = part_name(tensor, part);
            let view = file.tensor(&name).map_err(|_| bad(format!("no matrix {name}"), "all matrices".into()))?;
            fill(tensor, part, &view).map_err(|(found, expected)| bad(format!("{name} {found}"), expected))?;
        }
    }
    Ok(weights)
}

/// Copies one matrix; on failure what was found and what was expected.
fn fill(tensor: &mut Tensor, part: usize, view: &TensorView<'_>) -> Result<(), (String, String)> {
    let shape = [tensor.shape.rows, tensor.shape.columns];
    if view.dtype() != Dtype::F32 || view.shape() != shape {
        return Err((format!("is {:?} {:?}", view.dtype(), view.shape()), format!("F32 {shape:?}")));
    }
    let mut values = view.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    for r in 0..tensor.shape.rows {
        for (value, read) in tensor.part_row_mut(part, r).iter_mut().zip(&mut values) {
            if !read.is_finite() {
                return Err((format!("holds {read} in row {r}"), "finite numbers".into()));
            }
            *value = read;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{Chebnet, Gcn};
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn glorot(network: &impl Network) -> Weights {
        Weights::glorot(network.shapes(), &mut Seed::new(1).at(For::Weights, [0; 3]))
    }

    fn gcn(hidden: usize) -> Gcn {
        Gcn::new(&Gcn::params().hidden(hidden).check().unwrap(), 20, 3)
    }

    #[test]
    fn weights_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.safetensors");
        save(&path, &gcn(5), &glorot(&gcn(5))).unwrap();
        assert_eq!(load(&path, &gcn(5)).unwrap(), glorot(&gcn(5)));
        let first = std::fs::read(&path).unwrap();
        save(&path, &gcn(5), &glorot(&gcn(5))).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), first);

        let chebnet = Chebnet::new(&Chebnet::params().check().unwrap(), 20, 3);
        save(&path, &chebnet, &glorot(&chebnet)).unwrap();
        assert_eq!(load(&path, &chebnet).unwrap(), glorot(&chebnet));
    }

    #[test]
    fn weights_of_another_network_or_shape_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("w.safetensors");
        save(&path, &gcn(5), &glorot(&gcn(5))).unwrap();
        let chebnet = Chebnet::new(&Chebnet::params().check().unwrap(), 20, 3);
        assert!(load(&path, &chebnet).unwrap_err().to_string().contains("weights of \"gcn\""));
        assert!(load(&path, &gcn(6)).unwrap_err().to_string().contains("F32 [20, 6]"));
        let mut weights = glorot(&gcn(5));
        weights.tensors[0].value.row_mut(1)[0] = f32::NAN;
        save(&path, &gcn(5), &weights).unwrap();
        assert!(load(&path, &gcn(5)).unwrap_err().to_string().contains("NaN"));
        assert!(matches!(load(&folder.path().join("none"), &gcn(5)), Err(Error::Io { .. })));
    }

    proptest! {
        #[test]
        fn damaged_files_are_errors_not_panics(at in 0usize..400, value in any::<u8>(), cut in 0usize..600) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("w.safetensors");
            save(&path, &gcn(5), &glorot(&gcn(5))).unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            bytes[at] = value;
            bytes.truncate(bytes.len() - cut);
            std::fs::write(&path, bytes).unwrap();
            let _ = load(&path, &gcn(5));
        }
    }
}
