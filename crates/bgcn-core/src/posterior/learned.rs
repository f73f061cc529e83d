//! [`Learned`] as bytes, in the safetensors format: the kept weights, one tensor per matrix (`0.w0`, `1.w0`, …;
//! `0.w0.1` where several stand side by side), and beside them the recipe and what the fit found.

use super::apply::{Kept, Learned};
use super::{NoiseFrom, ValueScale};
use crate::Error;
use crate::data::Scaler;
use crate::network::{Shape, Tensor, Weights};
use crate::recipe::Recipe;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The one key of the metadata: several would be written in random order.
const KEY: &str = "bgcn_posterior";

/// The format that this code writes and reads.
const FORMAT: u32 = 2;

#[derive(Serialize, Deserialize)]
struct About {
    format: u32,
    version: String,
    recipe: BTreeMap<String, Value>,
    shares: Vec<f64>,
    members: Vec<usize>,
    outputs: usize,
    classes: Vec<String>,
    values: Option<(ValueScale, (f64, NoiseFrom))>,
    /// `None` where the scaling needs nothing to be kept.
    #[serde(default)]
    scaler: Option<Scaler>,
    #[serde(default)]
    feature_names: Vec<String>,
    #[serde(default)]
    means: Vec<f32>,
    shapes: Vec<Shape>,
}

fn tensor_name(sample: usize, shape: &Shape, part: usize) -> String {
    let name = &shape.name;
    if shape.parts == 1 { format!("{sample}.{name}") } else { format!("{sample}.{name}.{part}") }
}

impl Learned {
    /// The bytes of a file that [`Learned::from_bytes`] reads; the same bytes for the same fit.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut matrices: Vec<(String, [usize; 2], Vec<u8>)> = Vec::new();
        for (sample, kept) in self.kept.iter().enumerate() {
            for tensor in &kept.weights.tensors {
                let shape = &tensor.shape;
                for part in 0..shape.parts {
                    let numbers = (0..shape.rows).flat_map(|r| tensor.part_row(part, r));
                    let bytes = numbers.flat_map(|value| value.to_le_bytes()).collect();
                    matrices.push((tensor_name(sample, shape, part), [shape.rows, shape.columns], bytes));
                }
            }
        }
        let views = matrices.iter().map(|(name, shape, bytes)| {
            let view = TensorView::new(Dtype::F32, shape.to_vec(), bytes).expect("as many bytes as the shape has");
            (name, view)
        });
        let shapes = self.kept.first().map_or(&[][..], |kept| &kept.weights.tensors);
        let about = About {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").into(),
            recipe: self.recipe.settings(),
            shares: self.shares.clone(),
            members: self.kept.iter().map(|kept| kept.member).collect(),
            outputs: self.outputs,
            classes: self.classes.clone(),
            values: self.values,
            scaler: Some(self.scaler.clone()),
            feature_names: self.feature_names.clone(),
            means: self.means.clone(),
            shapes: shapes.iter().map(|tensor| tensor.shape.clone()).collect(),
        };
        let about = serde_json::to_string(&about).expect("plain values");
        let metadata = Some([(KEY.to_owned(), about)].into_iter().collect());
        safetensors::serialize(views, metadata).expect("names and shapes are our own")
    }

    /// Reads what [`Learned::to_bytes`] gave. Anything but finite matrices in the announced shapes is an error with what
    /// was found.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Self::read_bytes(bytes).map_err(|found| Error::Request(format!("reading a learned posterior: {found}")))
    }

    /// The same of the content of a file, which errors name.
    pub fn from_file(path: &Path, bytes: &[u8]) -> Result<Self, Error> {
        let expected =
            "expected the model.safetensors of a run of this version; fit again, or use the version that wrote it";
        Self::read_bytes(bytes).map_err(|found| Error::bad_file(path, found, expected))
    }

    /// On failure what was found.
    fn read_bytes(bytes: &[u8]) -> Result<Self, String> {
        let text = |error: safetensors::SafeTensorError| error.to_string();
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(text)?;
        let about = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY));
        let about: Value =
            serde_json::from_str(about.ok_or("nothing about a posterior")?).map_err(|e| e.to_string())?;
        if about["format"] != FORMAT {
            return Err(format!("format {}, not {FORMAT}", about["format"]));
        }
        let about: About = serde_json::from_value(about).map_err(|error| error.to_string())?;
        let recipe = Recipe::of_settings(&about.recipe).map_err(|error| error.to_string())?;
        let members = recipe.members.len();
        if about.shares.len() != members || about.members.iter().any(|&member| member >= members) {
            return Err(format!("weights of other graph models than the {members} of the recipe"));
        }
        let sum: f64 = about.shares.iter().sum();
        if !about.shares.iter().all(|share| (0.0..=1.0).contains(share)) || (sum - 1.0).abs() > 1e-3 {
            return Err(format!("weights of graph models {:?}", about.shares));
        }
        let file = SafeTensors::deserialize(bytes).map_err(text)?;
        let read = |(sample, &member): (usize, &usize)| -> Result<Kept, String> {
            let tensors = about.shapes.iter().map(|shape| tensor(&file, sample, shape)).collect::<Result<_, _>>()?;
            Ok(Kept { member, weights: Weights { tensors } })
        };
        let kept = about.members.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        let About { shares, outputs, classes, values, feature_names, means, .. } = about;
        let scaler = about.scaler.or(Scaler::without_columns(recipe.scaling));
        let scaler = scaler.filter(Scaler::is_valid).ok_or("no usable means and spreads of the features")?;
        let learned = Self { recipe, shares, kept, outputs, classes, scaler, feature_names, means, values };
        let (inputs, named) = (learned.inputs().unwrap_or(0), learned.feature_names.len());
        if learned.scaler.widths().is_some_and(|(_, read)| learned.reads() != Some(read)) {
            return Err(format!("scaled columns that do not fit the weights, of {inputs} columns"));
        }
        if ![0, inputs].contains(&named) {
            return Err(format!("{named} names for {inputs} columns"));
        }
        if ![0, inputs].contains(&learned.means.len()) || !learned.means.iter().all(|mean| mean.is_finite()) {
            return Err(format!("no usable means of {inputs} columns"));
        }
        Ok(learned)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DenseRows, Features, Scaling};
    use crate::recipe::Plan;
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    fn learned() -> Learned {
        let shape =
            |name: &str, columns, parts| Shape { name: name.into(), rows: 6, columns, parts, decay: parts == 1 };
        let kept = |member: usize| {
            let mut stream = Seed::new(1).at(For::Weights, [0, 0, member as u32]);
            Kept { member, weights: Weights::glorot(vec![shape("w0", 5, 1), shape("w1", 3, 2)], &mut stream) }
        };
        let values = Some((ValueScale { centre: 0.1, spread: 2.0 }, (1e-3, NoiseFrom::Validation)));
        let recipe = Plan::new().graph_model("auto").defaults().unwrap();
        let classes = vec!["a".to_string(), "ü, \"b\"".to_string()];
        // Seven columns, of which one is constant.
        let number = |i: i32| if i % 7 == 4 { 3.0 } else { ((i * i % 31) as f32 / 3.0).exp() };
        let features = Features::Dense(DenseRows { columns: 7, values: (0..210).map(number).collect() });
        let scaler = Scaler::fit(Scaling::Standard, &features).unwrap();
        let (kept, feature_names) = (vec![kept(0), kept(1)], (0..7).map(|j| format!("c{j}")).collect());
        let (shares, means) = (vec![0.25, 0.75], (0..7).map(|j| j as f32 / 3.0).collect());
        Learned { recipe, shares, kept, outputs: 3, classes, scaler, feature_names, means, values }
    }

    #[test]
    fn what_was_learned_comes_back_and_is_the_same_bytes_every_time() {
        let bytes = learned().to_bytes();
        assert_eq!(Learned::from_bytes(&bytes).unwrap(), learned());
        assert_eq!(learned().to_bytes(), bytes);
    }

    #[test]
    fn files_of_other_formats_are_refused_with_the_way_out() {
        let other = safetensors::serialize(
            Vec::<(String, TensorView<'_>)>::new(),
            Some([(KEY.to_owned(), "{\"format\": 1}".to_owned())].into_iter().collect()),
        );
        let error = Learned::from_file(Path::new("model.safetensors"), &other.unwrap()).unwrap_err().to_string();
        assert!(["model.safetensors", "format 1", "fit again"].iter().all(|part| error.contains(part)), "{error}");
    }

    /// The bytes with other words about the posterior.
    fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
        let bytes = learned().to_bytes();
        let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
        let mut about: Value = serde_json::from_str(&header.metadata().as_ref().unwrap()[KEY]).unwrap();
        change(&mut about);
        let metadata = Some([(KEY.to_owned(), about.to_string())].into_iter().collect());
        safetensors::serialize(SafeTensors::deserialize(&bytes).unwrap().tensors(), metadata).unwrap()
    }

    #[test]
    fn a_scaling_without_a_scaler_is_read() {
        let old = changed(|about| {
            about
                .as_object_mut()
                .unwrap()
                .retain(|key, _| !["scaler", "feature_names", "means"].contains(&key.as_str()));
        });
        let found = Learned::from_bytes(&old).unwrap();
        assert_eq!((found.scaling().as_str(), found.inputs()), ("every row divided by its sum", Some(6)));
        assert!(found.feature_names.is_empty());
    }

    #[test]
    fn a_scaler_that_does_not_fit_is_refused() {
        let error = |change: fn(&mut Value)| Learned::from_bytes(&changed(change)).unwrap_err().to_string();
        let lost = |about: &mut Value| {
            about["scaler"] = Value::Null;
            about["recipe"]["features.scaling"] = "standard".into();
        };
        assert!(error(lost).contains("no usable means"));
        assert!(error(|about| about["scaler"]["standard"][0]["scaled"]["spread"] = 0.into()).contains("no usable"));
        assert!(error(|about| about["scaler"]["standard"][0] = serde_json::json!({ "constant": 1.0 })).contains("fit"));
        assert!(error(|about| about["feature_names"] = vec!["a"].into()).contains("1 names for 7 columns"));
    }

    proptest! {
        #[test]
        fn damaged_files_are_errors_not_panics(at in 0usize..5000, value in any::<u8>(), cut in 0usize..3000) {
            let mut bytes = learned().to_bytes();
            let at = at % bytes.len();
            bytes[at] = value;
            bytes.truncate(bytes.len() - cut.min(bytes.len()));
            let _ = Learned::from_bytes(&bytes);
        }
    }
}
