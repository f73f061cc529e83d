//! A run as bytes: `run.safetensors` holds every array to the last bit, and what is no array as JSON beside them.
//!
//! ```text
//! classes  probabilities [n, c], entropy, expected_entropy, mutual_information, disagreement, variance [n]: f32
//! numbers  mean, between [n]: f64
//! nodes    class [n]: u32, or value [n]: f32; train, validation, test: u32; ids: bytes, id_ends: u64; names the same
//! edges    pairs [m, 2]: u32, as judged, or in the graph's order; edge_probabilities [m]: f64, in the graph's order
//! judged   log_odds [m]: f64, terms [m, 6]: f32, words [m]: u32, blind [m]: u8; missing_pairs, missing_…: the same
//! ```

mod arrays;

use super::{Judged, Plain, Run, Seconds};
use crate::record::{Config, FILE as RECORD, Record};
use arrays::{Arrays, NAMES, Stored};
use bgcn_core::Error;
use bgcn_core::data::{Dataset, Features, Split};
use bgcn_core::graph::{Graph, Merged};
use bgcn_core::graph_model;
use bgcn_core::graph_model::SavedModel;
use bgcn_core::posterior::{Learned, ModelWeights, NoiseFrom, Predictions, Values};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Arrays of the run.
pub(super) const ARRAYS: &str = "run.safetensors";
/// What predicts other data.
pub(super) const MODEL: &str = "model.safetensors";

/// What is no array.
#[derive(Serialize, Deserialize)]
struct About<J> {
    remarks: Vec<String>,
    draws: usize,
    noise: Option<(f64, NoiseFrom)>,
    weights: Option<ModelWeights>,
    plain: Option<Plain>,
    judged: Option<J>,
    /// SHA-256 over the arrays.
    #[serde(default)]
    digest: Option<String>,
}

impl Run {
    /// The files that [`Run::from_files`] reads, by name; the same bytes for the same run.
    pub fn to_files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::from([
            (RECORD.to_owned(), self.record.text().into_bytes()),
            (MODEL.to_owned(), self.learned.to_bytes()),
            (ARRAYS.to_owned(), self.arrays()),
        ]);
        if let Some((json, tensors)) = self.model.as_ref().map(SavedModel::to_bytes) {
            files.insert(graph_model::JSON.to_owned(), json);
            files.extend(tensors.map(|tensors| (graph_model::TENSORS.to_owned(), tensors)));
        }
        files
    }

    fn arrays(&self) -> Vec<u8> {
        let mut arrays = Arrays::default();
        arrays.put_predictions(&self.predictions);
        arrays.put_nodes(&self.data, &self.split);
        match self.judged.get() {
            Some(judged) => arrays.put_links(&judged.links),
            None => arrays.put("pairs", &[2], self.data.graph.edge_list().flat_map(|(a, b)| [a, b])),
        }
        if let Some(probabilities) = &self.edge_probabilities {
            arrays.put("edge_probabilities", &[], probabilities.iter().copied());
        }
        let (draws, noise) = match &self.predictions {
            Predictions::Classes(posterior) => (posterior.draws, None),
            Predictions::Values(values) => (values.draws, Some((values.noise, values.noise_from))),
        };
        let (weights, plain, remarks) = (self.weights.clone(), self.plain.clone(), self.remarks.clone());
        let (judged, digest) = (self.judged.get(), Some(arrays.digest()));
        arrays.bytes(&About { remarks, draws, noise, weights, plain, judged, digest })
    }

    /// Reads the folder of a run.
    pub fn load(folder: &Path) -> Result<Self, Error> {
        // A sentence about the folder, before one about a file.
        Record::read(folder)?.check_format(folder)?;
        let mut files = BTreeMap::new();
        for name in [RECORD, ARRAYS, MODEL, graph_model::JSON, graph_model::TENSORS] {
            match bgcn_files::files::read(&folder.join(name)) {
                Ok(bytes) => drop(files.insert(name.to_owned(), bytes)),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(Error::io("reading", &folder.join(name))(error)),
            }
        }
        Self::from_files(&files, folder)
    }

    /// What [`Run::to_files`] gave; the folder is for messages.
    pub fn from_files(files: &BTreeMap<String, Vec<u8>>, folder: &Path) -> Result<Self, Error> {
        let file = |name: &str| {
            let next = "it is part of a run; fit again, or give another folder";
            let bytes = files.get(name).map(Vec::as_slice);
            bytes.ok_or_else(|| Error::bad_file(&folder.join(name), "there is no such file", next))
        };
        let path = folder.join(RECORD);
        let record = Record::of(Config::parse(&String::from_utf8_lossy(file(RECORD)?), &path)?, &path)?;
        let learned = Learned::from_file(&folder.join(MODEL), file(MODEL)?)?;
        let json = files.get(graph_model::JSON);
        let tensors = files.get(graph_model::TENSORS).map(Vec::as_slice);
        let model = json.map(|json| SavedModel::from_bytes(json, tensors, folder)).transpose()?;
        Self::read_arrays(file(ARRAYS)?, (record, learned, model)).map_err(|found| {
            let expected = "expected what `bgcn fit` writes there; fit again, or give another run";
            Error::bad_file(&folder.join(ARRAYS), found, expected)
        })
    }

    /// On failure what was found.
    fn read_arrays(
        bytes: &[u8],
        (record, learned, model): (Record, Learned, Option<SavedModel>),
    ) -> Result<Self, String> {
        let (file, about) = Stored::read(bytes)?;
        let ids = file.ids()?;
        let n = ids.len();
        let predictions = match about.noise {
            Some((noise, noise_from)) => {
                let (mean, between) = (file.floats("mean", n)?, file.floats("between", n)?);
                Predictions::Values(Values { draws: about.draws, mean, between, noise, noise_from })
            }
            None => Predictions::Classes(file.posterior(n, learned.classes.len(), about.draws)?),
        };
        let pairs = file.pairs("pairs", n)?;
        let graph = Graph::from_edges(n, &pairs).map_err(|error| error.to_string())?;
        if graph.edges() != pairs.len() {
            return Err(format!("{} pairs, of which {} differ", pairs.len(), graph.edges()));
        }
        let judged = match about.judged {
            Some(judged) => OnceLock::from(file.judged(judged, &pairs, n)?),
            None => OnceLock::new(),
        };
        let edge_probabilities = file.optional("edge_probabilities", |name| file.floats(name, pairs.len()))?;
        let split = Split {
            train: file.nodes("train", n)?,
            validation: file.nodes("validation", n)?,
            test: file.nodes("test", n)?,
        };
        let data = Dataset {
            name: record.data.name.clone(),
            edges_published: graph.edges(),
            graph,
            merged: Merged::default(),
            features: Features::Identity(n),
            feature_names: Vec::new(),
            labels: file.labels(&learned, n)?,
            ids,
            node_names: file.texts(NAMES)?.unwrap_or_default(),
            fixed_split: None,
            truth: None,
            blanks: Vec::new(),
            remarks: Vec::new(),
        };
        data.check().and_then(|()| split.check(&data.labels, n)).map_err(|error| error.to_string())?;
        let About { remarks, weights, plain, .. } = about;
        Ok(Self {
            record,
            remarks,
            data: Arc::new(data),
            has_features: false,
            split,
            predictions,
            learned,
            model,
            edge_probabilities,
            weights,
            plain,
            judged,
            seconds: Seconds::default(),
        })
    }
}
