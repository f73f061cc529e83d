//! λ of any model on disk: `graph-model.json` (settings, small numbers, seed, version) beside the large arrays.
//!
//! As bytes, never as files.

use super::Error;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The file of settings and small numbers.
pub const JSON: &str = "graph-model.json";

/// The file of arrays, each with one entry per node.
pub const TENSORS: &str = "graph-model.safetensors";

/// The format that this code writes and reads.
const FORMAT: u32 = 2;

/// What to do about a file that is something else.
const WRITTEN_BY: &str = "expected what this version of `bgcn graph fit` or `bgcn fit` writes; fit the model again";

/// λ as it is kept after the model is gone.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters {
    /// How many nodes it is about.
    pub nodes: usize,
    /// Few numbers by name: community strengths, say.
    pub small: Map<String, Value>,
    /// What there is for every node, by name.
    pub arrays: BTreeMap<String, Array>,
}

/// An array with one entry per node.
#[derive(Clone, Debug, PartialEq)]
pub enum Array {
    /// A row of numbers for each node.
    Rows {
        /// Numbers in a row.
        columns: usize,
        /// [nodes, columns], row after row.
        values: Vec<f32>,
    },
    /// A label for each node.
    Labels(Vec<u32>),
}

/// λ and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedModel {
    /// The name of the graph model.
    pub model: String,
    /// The settings it was inferred with.
    pub settings: Value,
    /// The seed.
    pub seed: u64,
    /// The version of this library that wrote it.
    pub version: String,
    /// λ.
    pub parameters: Parameters,
}

#[derive(Serialize, Deserialize)]
struct Header {
    format: u32,
    model: String,
    version: String,
    seed: u64,
    nodes: usize,
    #[serde(flatten)]
    small: Map<String, Value>,
    settings: Value,
}

impl Parameters {
    /// The array `name` [n, columns]; on failure what was found instead.
    pub(crate) fn rows(&self, name: &str, columns: usize) -> Result<&[f32], String> {
        match self.arrays.get(name) {
            Some(Array::Rows { columns: found, values })
                if *found == columns && values.len() == self.nodes * columns =>
            {
                Ok(values)
            }
            other => {
                let found = if other.is_some() { format!("{name} of another shape") } else { format!("no {name}") };
                Err(format!("{found}, where [{}, {columns}] of F32 is expected", self.nodes))
            }
        }
    }

    /// Those of several models: arrays as `name.array`, few numbers under the model's name.
    pub(crate) fn joined(models: &[(&str, Self)]) -> Self {
        let mut all = Self::default();
        for (model, own) in models {
            all.nodes = own.nodes;
            all.small.insert((*model).to_owned(), Value::Object(own.small.clone()));
            all.arrays.extend(own.arrays.iter().map(|(name, array)| (format!("{model}.{name}"), array.clone())));
        }
        all
    }

    /// The few numbers; on failure what was found instead.
    pub(crate) fn small<T: DeserializeOwned>(&self) -> Result<T, String> {
        serde_json::from_value(Value::Object(self.small.clone())).map_err(|error| error.to_string())
    }
}

impl SavedModel {
    /// λ of the model `name`, found with these settings and this seed by this version.
    pub fn new(name: &str, settings: &impl Serialize, seed: u64, parameters: Parameters) -> Self {
        let settings = serde_json::to_value(settings).expect("settings are plain values");
        Self { model: name.to_owned(), settings, seed, version: env!("CARGO_PKG_VERSION").to_owned(), parameters }
    }

    /// The content of the two files; the second only where there are arrays.
    pub fn to_bytes(&self) -> (Vec<u8>, Option<Vec<u8>>) {
        let Parameters { nodes, small, arrays } = &self.parameters;
        let bytes: Vec<(&String, Dtype, Vec<usize>, Vec<u8>)> = arrays
            .iter()
            .map(|(name, array)| match array {
                Array::Rows { columns, values } => {
                    let bytes = values.iter().flat_map(|x| x.to_le_bytes()).collect();
                    (name, Dtype::F32, vec![*nodes, *columns], bytes)
                }
                Array::Labels(labels) => {
                    (name, Dtype::U32, vec![*nodes], labels.iter().flat_map(|x| x.to_le_bytes()).collect())
                }
            })
            .collect();
        let views = bytes.iter().map(|(name, dtype, shape, bytes)| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).expect("an array has one entry per node"))
        });
        let tensors = || safetensors::serialize(views, None).expect("whole arrays can always be written");
        let header = Header {
            format: FORMAT,
            model: self.model.clone(),
            version: self.version.clone(),
            seed: self.seed,
            nodes: *nodes,
            small: small.clone(),
            settings: self.settings.clone(),
        };
        let json = serde_json::to_vec_pretty(&header).expect("plain values");
        (json, (!arrays.is_empty()).then(tensors))
    }

    /// What [`SavedModel::to_bytes`] gave; the path is for messages.
    pub fn from_bytes(json: &[u8], tensors: Option<&[u8]>, path: &Path) -> Result<Self, Error> {
        let (json_path, tensors_path) = Self::paths(path);
        let header: Header =
            serde_json::from_slice(json).map_err(|error| Error::bad_file(&json_path, error, WRITTEN_BY))?;
        if header.format != FORMAT {
            return Err(Error::bad_file(&json_path, format!("format {}, not {FORMAT}", header.format), WRITTEN_BY));
        }
        let bad = |found: String| Error::bad_file(&tensors_path, found, WRITTEN_BY);
        let arrays = tensors.map_or(Ok(BTreeMap::new()), |bytes| arrays(bytes, header.nodes)).map_err(bad)?;
        let Header { model, version, seed, nodes, small, settings, .. } = header;
        Ok(Self { model, settings, seed, version, parameters: Parameters { nodes, small, arrays } })
    }

    /// The two files, of a folder or of one of them.
    pub fn paths(path: &Path) -> (PathBuf, PathBuf) {
        let is_file = path.file_name().is_some_and(|name| name == JSON || name == TENSORS);
        let dir = if is_file { path.parent().unwrap_or(Path::new("")) } else { path };
        (dir.join(JSON), dir.join(TENSORS))
    }
}

/// The arrays of a file; on failure what was found.
fn arrays(bytes: &[u8], nodes: usize) -> Result<BTreeMap<String, Array>, String> {
    let file = SafeTensors::deserialize(bytes).map_err(|error| error.to_string())?;
    let array = |(name, view): (String, TensorView<'_>)| {
        let (words, _) = view.data().as_chunks::<4>();
        let array = match (view.dtype(), view.shape()) {
            (Dtype::F32, &[rows, columns]) if rows == nodes => {
                Array::Rows { columns, values: words.iter().map(|word| f32::from_le_bytes(*word)).collect() }
            }
            (Dtype::U32, &[rows]) if rows == nodes => {
                Array::Labels(words.iter().map(|word| u32::from_le_bytes(*word)).collect())
            }
            (dtype, shape) => return Err(format!("{name} is {shape:?} of {dtype:?}, not numbers of {nodes} nodes")),
        };
        Ok((name, array))
    };
    file.tensors().into_iter().map(array).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn example() -> SavedModel {
        let rows = Array::Rows { columns: 3, values: vec![0.5, -1.0, 2.0, 0.0, 1e-9, 7.0] };
        let arrays = [("classes".to_owned(), Array::Labels(vec![4, 0])), ("rows".to_owned(), rows)];
        let small = json!({ "delta": 0.1, "beta": [0.25, 1e-7] }).as_object().unwrap().clone();
        let parameters = Parameters { nodes: 2, small, arrays: arrays.into() };
        SavedModel::new("example", &json!({ "copy": 0.9 }), u64::MAX, parameters)
    }

    fn read((json, tensors): &(Vec<u8>, Option<Vec<u8>>)) -> Result<SavedModel, Error> {
        SavedModel::from_bytes(json, tensors.as_deref(), Path::new("model"))
    }

    #[test]
    fn what_was_written_comes_back_in_the_same_bytes() {
        let bytes = example().to_bytes();
        assert_eq!((example().to_bytes(), read(&bytes).unwrap()), (bytes, example()));
    }

    #[test]
    fn a_model_without_arrays_is_one_file() {
        let parameters = Parameters { nodes: 9, ..Parameters::default() };
        let saved = SavedModel::new("none", &json!({ "drop": 0.5 }), 3, parameters);
        let bytes = saved.to_bytes();
        assert_eq!((read(&bytes).unwrap(), bytes.1), (saved, None));
    }

    #[test]
    fn broken_files_are_named() {
        let (json, tensors) = example().to_bytes();
        let error =
            |json: &[u8], tensors: &[u8]| read(&(json.to_vec(), Some(tensors.to_vec()))).unwrap_err().to_string();
        let changed = |from: &str, to: &str| String::from_utf8(json.clone()).unwrap().replace(from, to).into_bytes();
        assert!(error(b"{}", &[]).contains(JSON));
        assert!(error(&json, b"nothing of the kind").contains(TENSORS));
        let tensors = tensors.unwrap();
        assert!(error(&changed("\"nodes\": 2", "\"nodes\": 3"), &tensors).contains("3 nodes"));
        assert!(error(&changed("\"format\": 2", "\"format\": 1"), &tensors).contains("format 1, not 2"));
    }
}
