//! What [`Learned::apply`] needs, in one safetensors file: the kept weights, one tensor per matrix (`0.w0`, `1.w0`,
//! …; `0.w0.1` where several stand side by side), and beside them the names of the classes or the scale of the
//! numbers.

use crate::files::write_atomically;
use crate::network::{Error, Shape, Tensor, Weights};
use crate::posterior::{Learned, NoiseFrom, ValueScale};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::io::Write as _;
use std::path::Path;

/// The one key of the metadata: several would be written in random order.
const KEY: &str = "bgcn_posterior";

/// The format that this code writes and reads.
const FORMAT: u32 = 1;

#[derive(Serialize, Deserialize)]
struct About {
    format: u32,
    version: String,
    samples: usize,
    outputs: usize,
    classes: Vec<String>,
    values: Option<(ValueScale, (f64, NoiseFrom))>,
    shapes: Vec<SavedShape>,
}

#[derive(Serialize, Deserialize)]
struct SavedShape {
    name: String,
    rows: usize,
    columns: usize,
    parts: usize,
    decay: bool,
}

fn tensor_name(sample: usize, shape: &Shape, part: usize) -> String {
    let name = &shape.name;
    if shape.parts == 1 { format!("{sample}.{name}") } else { format!("{sample}.{name}.{part}") }
}

/// Writes what was learned, with the names of the classes; the file is replaced whole or not at all.
pub fn write_learned(path: &Path, learned: &Learned, classes: &[String]) -> Result<(), Error> {
    let mut matrices: Vec<(String, [usize; 2], Vec<u8>)> = Vec::new();
    for (sample, weights) in learned.weights.iter().enumerate() {
        for tensor in &weights.tensors {
            let shape = &tensor.shape;
            for part in 0..shape.parts {
                let numbers = (0..shape.rows).flat_map(|r| tensor.part_row(part, r));
                let bytes = numbers.flat_map(|value| value.to_le_bytes()).collect();
                matrices.push((tensor_name(sample, shape, part), [shape.rows, shape.columns], bytes));
            }
        }
    }
    let views = matrices.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes).expect("as many bytes as the shape says");
        (name, view)
    });
    let shapes = learned.weights.first().map_or(&[][..], |weights| &weights.tensors);
    let about = About {
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").into(),
        samples: learned.weights.len(),
        outputs: learned.outputs,
        classes: classes.to_vec(),
        values: learned.values,
        shapes: shapes.iter().map(|tensor| SavedShape::from(&tensor.shape)).collect(),
    };
    let about = serde_json::to_string(&about).expect("plain values");
    let metadata = Some(HashMap::from([(KEY.to_owned(), about)]));
    let bytes = safetensors::serialize(views, metadata).map_err(std::io::Error::other);
    let written = bytes.and_then(|bytes| write_atomically(path, |file| file.write_all(&bytes)));
    written.map_err(Error::io("writing", path))
}

/// Reads what was learned, and the names of the classes. Anything but finite matrices in the announced shapes is an
/// error.
pub fn read_learned(path: &Path) -> Result<(Learned, Vec<String>), Error> {
    let bytes = std::fs::read(path).map_err(Error::io("reading", path))?;
    let bad =
        |found: String, expected: &str| Error::BadFile { path: path.to_owned(), found, expected: expected.into() };
    let format = |error: safetensors::SafeTensorError| bad(error.to_string(), "a safetensors file");
    let (_, header) = SafeTensors::read_metadata(&bytes).map_err(format)?;
    let about = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
    let about = about.ok_or_else(|| bad("nothing about a posterior".into(), "the model.safetensors of a run"))?;
    let about: About = serde_json::from_str(about).map_err(|error| bad(error.to_string(), "the header of a run"))?;
    if about.format != FORMAT {
        return Err(bad(format!("format {}", about.format), "format 1; use the version of bgcn that wrote it"));
    }
    let file = SafeTensors::deserialize(&bytes).map_err(format)?;
    let shapes: Vec<Shape> = about.shapes.iter().map(Shape::from).collect();
    let read = |sample: usize| -> Result<Weights, Error> {
        let tensors = shapes.iter().map(|shape| {
            tensor(&file, sample, shape).map_err(|found| bad(found, "a finite matrix in the shape of the header"))
        });
        Ok(Weights { tensors: tensors.collect::<Result<_, _>>()? })
    };
    let weights = (0..about.samples.min(file.len())).map(read).collect::<Result<_, _>>()?;
    Ok((Learned { weights, outputs: about.outputs, values: about.values }, about.classes))
}

/// One matrix of one sample; on failure what was found.
fn tensor(file: &SafeTensors<'_>, sample: usize, shape: &Shape) -> Result<Tensor, String> {
    let views = (0..shape.parts).map(|part| {
        let name = tensor_name(sample, shape, part);
        let view = file.tensor(&name).map_err(|_| format!("no matrix {name}"))?;
        if view.dtype() != Dtype::F32 || view.shape() != [shape.rows, shape.columns] {
            return Err(format!("{name} is {:?} {:?}", view.dtype(), view.shape()));
        }
        Ok(view)
    });
    // Every part is there in its size before memory is taken for it.
    let views: Vec<TensorView<'_>> = views.collect::<Result<_, String>>()?;
    let mut tensor = Tensor::zeros(shape.clone());
    for (part, view) in views.iter().enumerate() {
        let mut numbers = view.data().as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        for r in 0..shape.rows {
            for (value, read) in tensor.part_row_mut(part, r).iter_mut().zip(&mut numbers) {
                if !read.is_finite() {
                    return Err(format!("{} holds {read} in row {r}", tensor_name(sample, shape, part)));
                }
                *value = read;
            }
        }
    }
    Ok(tensor)
}

impl From<&Shape> for SavedShape {
    fn from(shape: &Shape) -> Self {
        let Shape { name, rows, columns, parts, decay } = shape.clone();
        Self { name, rows, columns, parts, decay }
    }
}

impl From<&SavedShape> for Shape {
    fn from(saved: &SavedShape) -> Self {
        let SavedShape { name, rows, columns, parts, decay } = saved;
        Self { name: name.clone(), rows: *rows, columns: *columns, parts: *parts, decay: *decay }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn learned() -> Learned {
        let shape =
            |name: &str, columns, parts| Shape { name: name.into(), rows: 6, columns, parts, decay: parts == 1 };
        let sample = |s| {
            Weights::glorot(vec![shape("w0", 5, 1), shape("w1", 3, 2)], &mut Seed::new(1).at(For::Weights, [0, 0, s]))
        };
        let values = Some((ValueScale { centre: 0.1, spread: 2.0 }, (1e-3, NoiseFrom::Validation)));
        Learned { weights: vec![sample(0), sample(1)], outputs: 3, values }
    }

    #[test]
    fn what_was_learned_comes_back_and_is_the_same_bytes_every_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model.safetensors");
        let classes = ["a".to_string(), "ü, \"b\"".to_string()];
        write_learned(&path, &learned(), &classes).unwrap();
        assert_eq!(read_learned(&path).unwrap(), (learned(), classes.to_vec()));
        let first = std::fs::read(&path).unwrap();
        write_learned(&path, &learned(), &classes).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), first);
    }

    proptest! {
        #[test]
        fn damaged_files_are_errors_not_panics(at in 0usize..1200, value in any::<u8>(), cut in 0usize..900) {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("model.safetensors");
            write_learned(&path, &learned(), &[]).unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            let at = at % bytes.len();
            bytes[at] = value;
            bytes.truncate(bytes.len() - cut.min(bytes.len()));
            std::fs::write(&path, bytes).unwrap();
            let _ = read_learned(&path);
        }
    }
}
