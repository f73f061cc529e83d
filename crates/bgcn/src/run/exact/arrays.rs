//! Arrays of a run in a file, with their digest.

use super::{About, Judged};
use bgcn_core::data::{Dataset, Labels, NodeIds, Split};
use bgcn_core::links::{GROUPS, JudgedEdge, Links, MissedPair};
use bgcn_core::posterior::{Learned, Posterior, Predictions};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest as _, Sha256};

/// The one key of the metadata: several would be written in random order.
const KEY: &str = "bgcn_run";
/// A class or a number of words that is not known.
const UNKNOWN: u32 = u32::MAX;
/// Where each text ends, and the texts: of ids, and of names beside them.
const IDS: [&str; 2] = ["id_ends", "ids"];
pub(super) const NAMES: [&str; 2] = ["name_ends", "names"];

/// Arrays on their way to a file.
#[derive(Default)]
pub(super) struct Arrays(Vec<(String, Dtype, Vec<usize>, Vec<u8>)>);

impl Arrays {
    /// Rows of `width` numbers (a number for an empty one).
    pub(super) fn put<T: Bytes<K>, const K: usize>(
        &mut self,
        name: &str,
        width: &[usize],
        values: impl IntoIterator<Item = T>,
    ) {
        let bytes: Vec<u8> = values.into_iter().flat_map(Bytes::bytes).collect();
        let rows = bytes.len() / K / width.iter().product::<usize>().max(1);
        self.0.push((name.to_owned(), T::DTYPE, [&[rows], width].concat(), bytes));
    }

    pub(super) fn put_predictions(&mut self, predictions: &Predictions) {
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

    pub(super) fn put_nodes(&mut self, data: &Dataset, split: &Split) {
        match &data.labels {
            Labels::Classes { of, .. } => self.put("class", &[], of.iter().map(|c| c.unwrap_or(UNKNOWN))),
            Labels::Values(of) => self.put("value", &[], of.iter().map(|y| y.unwrap_or(f32::NAN))),
        }
        for (name, nodes) in split.sets() {
            self.put(name, &[], nodes.iter().copied());
        }
        if let NodeIds::Named(ids) = &data.ids {
            self.put_texts(IDS, ids);
        }
        if !data.node_names.is_empty() {
            self.put_texts(NAMES, &data.node_names);
        }
    }

    fn put_texts(&mut self, [ends, bytes]: [&str; 2], texts: &[String]) {
        let mut end = 0;
        let after = texts.iter().map(|text| {
            end += text.len() as u64;
            end
        });
        self.put(ends, &[], after.collect::<Vec<u64>>());
        self.put(bytes, &[], texts.iter().flat_map(|text| text.bytes()));
    }

    pub(super) fn put_links(&mut self, links: &Links) {
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

    pub(super) fn digest(&self) -> String {
        digest(self.0.iter().map(|(name, _, shape, bytes)| (&name[..], &shape[..], &bytes[..])).collect())
    }

    pub(super) fn bytes(&self, about: &About<&Judged>) -> Vec<u8> {
        let views = self.0.iter().map(|(name, dtype, shape, bytes)| {
            (name, TensorView::new(*dtype, shape.clone(), bytes).expect("as many bytes as the shape has"))
        });
        let about = serde_json::to_string(about).expect("plain values");
        let metadata = Some([(KEY.to_owned(), about)].into_iter().collect());
        safetensors::serialize(views, metadata).expect("names and shapes are our own")
    }
}

/// A number as the bytes of a file.
pub(super) trait Bytes<const K: usize>: Sized {
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
pub(super) struct Stored<'a>(SafeTensors<'a>);

impl<'a> Stored<'a> {
    pub(super) fn read(bytes: &'a [u8]) -> Result<(Self, About<Judged>), String> {
        let text = |error: safetensors::SafeTensorError| error.to_string();
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(text)?;
        let about = header.metadata().as_ref().and_then(|metadata| metadata.get(KEY)).ok_or("nothing about a run")?;
        let about: About<Judged> = serde_json::from_str(about).map_err(|error| error.to_string())?;
        let file = SafeTensors::deserialize(bytes).map_err(text)?;
        let views = file.tensors();
        let found = || digest(views.iter().map(|(name, view)| (&name[..], view.shape(), view.data())).collect());
        if about.digest.as_ref().is_some_and(|digest| *digest != found()) {
            return Err("arrays that were changed after the run was written".into());
        }
        Ok((Self(file), about))
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
    pub(super) fn optional<T>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, String> {
        self.0.tensor(name).is_ok().then(|| read(name)).transpose()
    }

    pub(super) fn floats(&self, name: &str, rows: usize) -> Result<Vec<f64>, String> {
        let values: Vec<f64> = self.array(name, Some(rows), 1)?;
        finite(name, values.iter().copied())?;
        Ok(values)
    }

    fn rows(&self, name: &str, rows: usize, width: usize) -> Result<Vec<f32>, String> {
        let values: Vec<f32> = self.array(name, Some(rows), width)?;
        finite(name, values.iter().map(|&value| f64::from(value)))?;
        Ok(values)
    }

    pub(super) fn nodes(&self, name: &str, n: usize) -> Result<Vec<u32>, String> {
        let nodes: Vec<u32> = self.array(name, None, 1)?;
        in_range(name, &nodes, n)?;
        Ok(nodes)
    }

    pub(super) fn pairs(&self, name: &str, n: usize) -> Result<Vec<(u32, u32)>, String> {
        let ends: Vec<u32> = self.array(name, None, 2)?;
        in_range(name, &ends, n)?;
        Ok(ends.as_chunks::<2>().0.iter().map(|&[a, b]| (a, b)).collect())
    }

    pub(super) fn ids(&self) -> Result<NodeIds, String> {
        if let Some(ids) = self.texts(IDS)? {
            return Ok(NodeIds::Named(ids));
        }
        // A row of labels for each node, of any type.
        let labels = self.0.tensor("class").or_else(|_| self.0.tensor("value")).map_err(|_| "no array class")?;
        Ok(NodeIds::Numbered(labels.shape().first().copied().unwrap_or(0)))
    }

    /// Texts in one array, by where each ends.
    pub(super) fn texts(&self, [ends, name]: [&str; 2]) -> Result<Option<Vec<String>>, String> {
        let Some(ends) = self.optional(ends, |ends| self.array::<u64, 8>(ends, None, 1))? else { return Ok(None) };
        let bytes: Vec<u8> = self.array(name, None, 1)?;
        let all = String::from_utf8(bytes).map_err(|_| format!("{name} that are no text"))?;
        let mut start = 0;
        let text = |&end: &u64| {
            let text = all.get(start..end as usize).map(str::to_owned);
            start = end as usize;
            text.ok_or_else(|| format!("{name} that do not fit their ends"))
        };
        ends.iter().map(text).collect::<Result<_, _>>().map(Some)
    }

    pub(super) fn labels(&self, learned: &Learned, n: usize) -> Result<Labels, String> {
        if learned.values.is_some() {
            let values: Vec<f32> = self.array("value", Some(n), 1)?;
            return Ok(Labels::Values(values.into_iter().map(|y| (!y.is_nan()).then_some(y)).collect()));
        }
        let of: Vec<u32> = self.array("class", Some(n), 1)?;
        let of = of.into_iter().map(|class| (class != UNKNOWN).then_some(class)).collect();
        Ok(Labels::Classes { names: learned.classes.clone(), of })
    }

    pub(super) fn posterior(&self, n: usize, classes: usize, draws: usize) -> Result<Posterior, String> {
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

    pub(super) fn judged(&self, mut judged: Judged, pairs: &[(u32, u32)], n: usize) -> Result<Judged, String> {
        if let Some((_, listed)) = judged.links.lists.iter().find(|(_, listed)| *listed > pairs.len()) {
            return Err(format!("a list of {listed} edges, of {}", pairs.len()));
        }
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

/// SHA-256 over named arrays with their shapes, in any order.
fn digest(mut arrays: Vec<(&str, &[usize], &[u8])>) -> String {
    arrays.sort_unstable();
    let mut hash = Sha256::new();
    for (name, shape, bytes) in arrays {
        hash.update(format!("{name} {shape:?} {}\n", bytes.len()));
        hash.update(bytes);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn in_range(name: &str, nodes: &[u32], n: usize) -> Result<(), String> {
    match nodes.iter().find(|&&node| node as usize >= n) {
        Some(node) => Err(format!("{name} holds node {node}, of {n}")),
        None => Ok(()),
    }
}
