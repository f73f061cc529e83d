//! A run as bytes: `run.safetensors` holds every array to the last bit, and what is no array as JSON beside them.
//!
//! ```text
//! classes  probabilities [n, c], entropy, expected_entropy, mutual_information, disagreement, variance [n]: f32
//! numbers  mean, between [n]: f64
//! nodes    class [n]: u32, or value [n]: f32; train, validation, test: u32; ids: bytes, id_ends: u64
//! edges    pairs [m, 2]: u32, as judged, or in the graph's order; edge_probabilities [m]: f64, in the graph's order
//! judged   log_odds [m]: f64, terms [m, 6]: f32, words [m]: u32, blind [m]: u8; missing_pairs, missing_…: the same
//! ```

use super::{Judged, Plain, Run, Seconds};
use crate::record::{Config, FILE as RECORD, Record};
use bgcn_core::Error;
use bgcn_core::data::{Dataset, Features, Labels, NodeIds, Split};
use bgcn_core::graph::{Graph, Merged};
use bgcn_core::graph_model;
use bgcn_core::graph_model::SavedModel;
use bgcn_core::links::{GROUPS, JudgedEdge, Links, MissedPair};
use bgcn_core::posterior::{Learned, ModelWeights, NoiseFrom, Posterior, Predictions, Values};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// Arrays of the run.
pub(super) const ARRAYS: &str = "run.safetensors";
/// What predicts other data.
pub(super) const MODEL: &str = "model.safetensors";

/// The one key of the metadata: several would be written in random order.
const KEY: &str = "bgcn_run";
/// A class or a number of words that is not known.
const UNKNOWN: u32 = u32::MAX;

/// What is no array.
#[derive(Serialize, Deserialize)]
struct About<J> {
    remarks: Vec<String>,
    draws: usize,
    noise: Option<(f64, NoiseFrom)>,
    weights: Option<ModelWeights>,
    plain: Option<Plain>,
    judged: Option<J>,
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
        let judged = self.judged.get();
        arrays.bytes(&About { remarks, draws, noise, weights, plain, judged })
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
            fixed_split: None,
            truth: None,
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

/// Arrays on their way to a file.
#[derive(Default)]
struct Arrays(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

impl Arrays {
    /// Rows of `width` numbers (a number for an empty one).
    fn put<T: Bytes<K>, const K: usize>(&mut self, name: &str, width: &[usize], values: impl IntoIterator<Item = T>) {
        let bytes: Vec<u8> = values.into_iter().flat_map(Bytes::bytes).collect();
        let rows = bytes.len() / K / width.iter().product::<usize>().max(1);
        self.0.push((name.to_owned(), T::DTYPE, [&[rows], width].concat(), bytes));
    }

    fn put_predictions(&mut self, predictions: &Predictions) {
        match predictions {
            Predictions::Classes(posterior) => {
                self.put("probabilities", &[posterior.classes], posterior.probabilities.iter().copied());
                let Posterior { entropy, expected_entropy, mutual_information, disagreement, variance, .. } = posterior;
                let columns = [
                    ("entropy", entropy),
                    ("expected_entropy", expected_entropy),
                    ("mutual_information", mutual_information),
                    ("disagreement", disagreement),
                    ("variance", variance),
                ];
                for (name, values) in columns {
                    self.put(name, &[], values.iter().copied());
                }
            }
            Predictions::Values(values) => {
                self.put("mean", &[], values.mean.iter().copied());
                self.put("between", &[], values.between.iter().copied());
            }
        }
    }

    fn put_nodes(&mut self, data: &Dataset, split: &Split) {
        match &data.labels {
            Labels::Classes { of, .. } => self.put("class", &[], of.iter().map(|c| c.unwrap_or(UNKNOWN))),
            Labels::Values(of) => self.put("value", &[], of.iter().map(|y| y.unwrap_or(f32::NAN))),
        }
        for (name, nodes) in split.sets() {
            self.put(name, &[], nodes.iter().copied());
        }
        let names = match &data.ids {
            NodeIds::Numbered(_) => return,
            NodeIds::Named(names) => names,
        };
        let mut end = 0;
        let ends: Vec<u64> = names
            .iter()
            .map(|name| {
                end += name.len() as u64;
                end
            })
            .collect();
        self.put("id_ends", &[], ends);
        self.put("ids", &[], names.iter().flat_map(|name| name.bytes()));
    }

    fn put_links(&mut self, links: &Links) {
        let (edges, missing) = (&links.edges, &links.missing);
        self.put("pairs", &[2], edges.iter().flat_map(|edge| [edge.a, edge.b]));
        self.put("log_odds", &[], edges.iter().map(|edge| edge.log_odds));
        self.put("terms", &[GROUPS], edges.iter().flat_map(|edge| edge.terms));
        self.put("words", &[], edges.iter().map(|edge| edge.shared_words.unwrap_or(UNKNOWN)));
        self.put("blind", &[], edges.iter().map(|edge| u8::from(edge.blind)));
        self.put("missing_pairs", &[2], missing.iter().flat_map(|pair| [pair.a, pair.b]));
        self.put("missing_log_odds", &[], missing.iter().map(|pair| pair.log_odds));
        self.put("missing_terms", &[GROUPS], missing.iter().flat_map(|pair| pair.terms));
        self.put("missing_words", &[], missing.iter().map(|pair| pair.shared_words.unwrap_or(UNKNOWN)));
    }

    fn bytes(&self, about: &About<&Judged>) -> Vec<u8> {
        let views = self.0.iter().map(|(name, dtype, shape, bytes)| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).expect("as many bytes as the shape has"))
        });
        let about = serde_json::to_string(about).expect("plain values");
        let metadata = Some([(KEY.to_owned(), about)].into_iter().collect());
        safetensors::serialize(views, metadata).expect("names and shapes are our own")
    }
}

/// A number as the bytes of a file.
trait Bytes<const K: usize>: Sized {
    fn bytes(self) -> [u8; K];
    fn of(bytes: [u8; K]) -> Self;
    const DTYPE: Dtype;
}

macro_rules! bytes {
    ($($type:ty, $size:literal, $dtype:ident;)*) => {$(
        impl Bytes<$size> for $type {
            fn bytes(self) -> [u8; $size] { self.to_le_bytes() }
            fn of(bytes: [u8; $size]) -> Self { Self::from_le_bytes(bytes) }
            const DTYPE: Dtype = Dtype::$dtype;
        }
    )*};
}
bytes! { f32, 4, F32; f64, 8, F64; u32, 4, U32; u64, 8, U64; u8, 1, U8; }

/// A file of arrays; errors name the array.
struct Stored<'a>(SafeTensors<'a>);

impl<'a> Stored<'a> {
    fn read(bytes: &'a [u8]) -> Result<(Self, About<Judged>), String> {
        let text = |error: safetensors::SafeTensorError| error.to_string();
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(text)?;
        let about = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY)).ok_or("nothing about a run")?;
        let about = serde_json::from_str(about).map_err(|error| error.to_string())?;
        Ok((Self(SafeTensors::deserialize(bytes).map_err(text)?), about))
    }

    /// An array of so many rows of `width` numbers.
    fn array<T: Bytes<K>, const K: usize>(
        &self,
        name: &str,
        rows: Option<usize>,
        width: usize,
    ) -> Result<Vec<T>, String> {
        let view = self.0.tensor(name).map_err(|_| format!("no array {name}"))?;
        let found = || format!("{name} is {:?} {:?}", view.dtype(), view.shape());
        let (of_rows, of_width) = match *view.shape() {
            [rows] => (rows, 1),
            [rows, width] => (rows, width),
            _ => return Err(found()),
        };
        if view.dtype() != T::DTYPE || of_width != width || rows.is_some_and(|rows| rows != of_rows) {
            return Err(found());
        }
        Ok(view.data().as_chunks::<K>().0.iter().map(|bytes| T::of(*bytes)).collect())
    }

    /// What `read` makes of an array that may not be there.
    fn optional<T>(&self, name: &str, read: impl FnOnce(&str) -> Result<T, String>) -> Result<Option<T>, String> {
        self.0.tensor(name).is_ok().then(|| read(name)).transpose()
    }

    fn floats(&self, name: &str, rows: usize) -> Result<Vec<f64>, String> {
        let values: Vec<f64> = self.array(name, Some(rows), 1)?;
        finite(name, values.iter().copied())?;
        Ok(values)
    }

    fn rows(&self, name: &str, rows: usize, width: usize) -> Result<Vec<f32>, String> {
        let values: Vec<f32> = self.array(name, Some(rows), width)?;
        finite(name, values.iter().map(|&value| f64::from(value)))?;
        Ok(values)
    }

    fn nodes(&self, name: &str, n: usize) -> Result<Vec<u32>, String> {
        let nodes: Vec<u32> = self.array(name, None, 1)?;
        in_range(name, &nodes, n)?;
        Ok(nodes)
    }

    fn pairs(&self, name: &str, n: usize) -> Result<Vec<(u32, u32)>, String> {
        let ends: Vec<u32> = self.array(name, None, 2)?;
        in_range(name, &ends, n)?;
        Ok(ends.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect())
    }

    fn ids(&self) -> Result<NodeIds, String> {
        let Some(ends) = self.optional("id_ends", |name| self.array::<u64, 8>(name, None, 1))? else {
            // A row of labels for each node, of any type.
            let labels = self.0.tensor("class").or_else(|_| self.0.tensor("value")).map_err(|_| "no array class")?;
            return Ok(NodeIds::Numbered(labels.shape().first().copied().unwrap_or(0)));
        };
        let bytes: Vec<u8> = self.array("ids", None, 1)?;
        let text = String::from_utf8(bytes).map_err(|_| "ids that are no text")?;
        let mut start = 0;
        let name = |&end: &u64| {
            let name = text.get(start..end as usize).map(str::to_owned).ok_or("ids that do not fit their ends");
            start = end as usize;
            name
        };
        Ok(NodeIds::Named(ends.iter().map(name).collect::<Result<_, _>>()?))
    }

    fn labels(&self, learned: &Learned, n: usize) -> Result<Labels, String> {
        if learned.values.is_some() {
            let values: Vec<f32> = self.array("value", Some(n), 1)?;
            return Ok(Labels::Values(values.into_iter().map(|y| (!y.is_nan()).then_some(y)).collect()));
        }
        let of: Vec<u32> = self.array("class", Some(n), 1)?;
        let of = of.into_iter().map(|class| (class != UNKNOWN).then_some(class)).collect();
        Ok(Labels::Classes { names: learned.classes.clone(), of })
    }

    fn posterior(&self, n: usize, classes: usize, draws: usize) -> Result<Posterior, String> {
        Ok(Posterior {
            classes,
            draws,
            probabilities: self.rows("probabilities", n, classes)?,
            entropy: self.rows("entropy", n, 1)?,
            expected_entropy: self.rows("expected_entropy", n, 1)?,
            mutual_information: self.rows("mutual_information", n, 1)?,
            disagreement: self.rows("disagreement", n, 1)?,
            variance: self.rows("variance", n, 1)?,
        })
    }

    /// Evidence about pairs: log-odds, terms, shared words.
    fn evidence(&self, before: &str, pairs: usize) -> Result<impl Iterator<Item = Evidence> + use<>, String> {
        let name = |name: &str| format!("{before}{name}");
        let log_odds = self.floats(&name("log_odds"), pairs)?;
        let terms = self.rows(&name("terms"), pairs, GROUPS)?;
        let words: Vec<u32> = self.array(&name("words"), Some(pairs), 1)?;
        let terms: Vec<[f32; GROUPS]> = terms.as_chunks::<GROUPS>().0.to_vec();
        let words = words.into_iter().map(|words| (words != UNKNOWN).then_some(words));
        Ok(log_odds.into_iter().zip(terms).zip(words).map(|((log_odds, terms), words)| (log_odds, terms, words)))
    }

    fn judged(&self, mut judged: Judged, pairs: &[(u32, u32)], n: usize) -> Result<Judged, String> {
        let blind: Vec<u8> = self.array("blind", Some(pairs.len()), 1)?;
        let edge = |((&(a, b), blind), (log_odds, terms, shared_words)): ((&(u32, u32), u8), Evidence)| JudgedEdge {
            a,
            b,
            log_odds,
            terms,
            shared_words,
            blind: blind != 0,
        };
        judged.links.edges = pairs.iter().zip(blind).zip(self.evidence("", pairs.len())?).map(edge).collect();
        let missed = self.pairs("missing_pairs", n)?;
        let pair = |(&(a, b), (log_odds, terms, shared_words)): (&(u32, u32), Evidence)| MissedPair {
            a,
            b,
            log_odds,
            terms,
            shared_words,
        };
        judged.links.missing = missed.iter().zip(self.evidence("missing_", missed.len())?).map(pair).collect();
        Ok(judged)
    }
}

/// Log-odds, terms, shared words.
type Evidence = (f64, [f32; GROUPS], Option<u32>);

fn finite(name: &str, mut values: impl Iterator<Item = f64>) -> Result<(), String> {
    match values.find(|value| !value.is_finite()) {
        Some(value) => Err(format!("{name} holds {value}")),
        None => Ok(()),
    }
}

fn in_range(name: &str, nodes: &[u32], n: usize) -> Result<(), String> {
    match nodes.iter().find(|&&node| node as usize >= n) {
        Some(node) => Err(format!("{name} holds node {node}, of {n}")),
        None => Ok(()),
    }
}
