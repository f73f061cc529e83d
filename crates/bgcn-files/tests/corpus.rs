//! Files as people have them, each made by the tool it names: all read right, or refused with words that help.
//!
//! The scripts `golden/make_corpus*` made the files and each `expected.json`, from what was written.

use bgcn_core::data::{Dataset, Error, Features, Labels};
use bgcn_files::{Places, Source};
use proptest::prelude::*;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The folders of cases: corpus, corpus-…
fn corpora() -> Vec<PathBuf> {
    folders(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"))
        .into_iter()
        .filter(|path| path.join("expected.json").exists())
        .collect()
}

/// The folders in a folder, by name.
fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
    let mut folders: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn read(corpus: &Path, case: &Value) -> Result<Dataset, Error> {
    let mut table = case["options"].as_object().cloned().unwrap_or_default();
    for (part, file) in case["read"].as_object().unwrap() {
        let key = if part == "path" { "source" } else { part };
        table.insert(key.to_owned(), corpus.join(file.as_str().unwrap()).display().to_string().into());
    }
    serde_json::from_value::<Source>(table.into()).unwrap().load(&Places::default())
}

/// What differs from the expectation.
fn differences(data: &Dataset, expect: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut equal = |what: &str, found: Value, expected: &Value| {
        if found != *expected {
            wrong.push(format!("{what}: found {found}, expected {expected}"));
        }
    };
    let name = |a: u32| data.ids.name(a).into_owned();
    let mut edges: Vec<[String; 2]> = data.graph.edge_list().map(|(a, b)| [name(a), name(b)]).collect();
    edges.iter_mut().for_each(|pair| pair.sort());
    edges.sort();
    equal("nodes", data.nodes().into(), &expect["nodes"]);
    equal("edges", data.graph.edges().into(), &expect["edges"]);
    equal("edge names", serde_json::json!(edges), &expect["edge_names"]);
    equal("labelled", data.labels.known().into(), &expect["labelled"]);
    if let (Labels::Classes { names, .. }, Some(classes)) = (&data.labels, expect["classes"].as_object()) {
        let counts = data.labels.class_counts();
        let found: serde_json::Map<String, Value> =
            names.iter().cloned().zip(counts.into_iter().map(Value::from)).filter(|(_, count)| *count != 0).collect();
        equal("classes", found.into(), &Value::from(classes.clone()));
    }
    if let Some(values) = expect.get("values") {
        let found = if matches!(data.labels, Labels::Values(_)) { data.labels.known() } else { 0 };
        equal("values", found.into(), values);
    }
    let columns = if matches!(data.features, Features::Identity(_)) { 0 } else { data.features.columns() };
    equal("features", columns.into(), &expect["features"]);
    if let Some(names) = expect.get("feature_names") {
        equal("feature names", serde_json::json!(data.feature_names), names);
    }
    if let (Some(expected), split) = (expect.get("split"), data.fixed_split.as_ref()) {
        let found = split.map(|split| {
            serde_json::json!({ "train": split.train.len(), "validation": split.validation.len(), "test": split.test.len() })
        });
        equal("split", found.unwrap_or_default(), expected);
    }
    if let Some(blanks) = expect.get("blanks") {
        equal("empty cells", data.blanks.len().into(), blanks);
    }
    if let Some(names) = expect.get("names_of") {
        let shown = |a: u32| (data.ids.name(a).into_owned(), Value::from(data.node_name(a)));
        let found: serde_json::Map<String, Value> = (0..data.nodes() as u32).map(shown).collect();
        equal("names", found.into(), names);
    }
    for (id, row) in expect["features_of"].as_object().into_iter().flatten() {
        let Some(&a) = data.ids.index().get(id.as_str()) else {
            wrong.push(format!("no node {id}"));
            continue;
        };
        let expected: Vec<f64> = row.as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        let found = dense(&data.features, a as usize);
        let near = |(x, y): (&f64, &f64)| (x - y).abs() <= 1e-6 * y.abs().max(1e-30);
        if found.len() != expected.len() || !found.iter().zip(&expected).all(near) {
            wrong.push(format!("features of {id}: found {found:?}, expected {expected:?}"));
        }
    }
    let said = data.remarks.join("\n").to_lowercase();
    for word in expect["remarks"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !said.contains(&word.to_lowercase()) {
            wrong.push(format!("no remark holds {word:?}: {:?}", data.remarks));
        }
    }
    if expect["no_remarks"] == true && !data.remarks.is_empty() {
        wrong.push(format!("remarks where none is needed: {:?}", data.remarks));
    }
    wrong
}

fn dense(features: &Features, a: usize) -> Vec<f64> {
    match features {
        Features::Identity(_) => Vec::new(),
        Features::Dense(rows) => {
            rows.values[a * rows.columns..][..rows.columns].iter().map(|&value| f64::from(value)).collect()
        }
        Features::Sparse(rows) => {
            let mut row = vec![0.0; rows.columns];
            let (columns, values) = rows.row(a);
            columns.iter().zip(values).for_each(|(&column, &value)| row[column as usize] = f64::from(value));
            row
        }
    }
}

#[test]
fn every_file_of_the_corpus_is_read_right_or_refused_with_help() {
    corpora().iter().for_each(|corpus| every_file_is_read_right_or_refused(corpus));
}

fn every_file_is_read_right_or_refused(corpus: &Path) {
    let expected = std::fs::read_to_string(corpus.join("expected.json")).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&expected).unwrap();
    let mut wrong = Vec::new();
    for case in &cases {
        let name = case["case"].as_str().unwrap();
        match (read(corpus, case), case.get("refuse")) {
            (Ok(data), None) => {
                wrong.extend(differences(&data, &case["expect"]).into_iter().map(|what| format!("{name}: {what}")))
            }
            (Err(error), Some(words)) => {
                let message = error.to_string();
                for word in words.as_array().unwrap().iter().filter_map(Value::as_str) {
                    if !message.to_lowercase().contains(&word.to_lowercase()) {
                        wrong.push(format!("{name}: {message:?} lacks {word:?}"));
                    }
                }
            }
            (Ok(data), Some(_)) => wrong.push(format!("{name}: read, with {:?}, but must be refused", data.remarks)),
            (Err(error), None) => wrong.push(format!("{name}: refused: {error}")),
        }
    }
    let folders = folders(corpus);
    let folders: Vec<_> = folders.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    let names: Vec<&str> = cases.iter().map(|case| case["case"].as_str().unwrap()).collect();
    assert_eq!(folders, names, "every folder belongs to a case");
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Every file of the corpus, and of the golden archives.
fn files() -> Vec<PathBuf> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/readers");
    let cases = corpora().into_iter().flat_map(|corpus| folders(&corpus));
    let inside = cases.chain([golden]).flat_map(|folder| std::fs::read_dir(folder).unwrap());
    let mut files: Vec<PathBuf> = inside.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()).collect();
    files.sort();
    files
}

/// What becomes of a file.
#[derive(Clone, Debug)]
enum Damage {
    Byte(prop::sample::Index, u8),
    /// The end is lost.
    End(prop::sample::Index),
    /// A part is lost, or stands there so often.
    Part(prop::sample::Index, usize, usize),
    /// Something that no file has there.
    Insert(prop::sample::Index, &'static str),
}

/// Numbers and words that ask for much, mean nothing, or end what they stand in.
const ODD: [&str; 14] = [
    "4294967290",
    "99999999999999999999",
    "-1",
    "1e400",
    "nan",
    "\0",
    "\u{feff}",
    "\"",
    ",,,,",
    "\n\n",
    "</node>",
    "[[",
    "&x;",
    "# columns 4000000000\n",
];

impl Damage {
    fn any() -> impl Strategy<Value = Self> {
        let place = any::<prop::sample::Index>;
        prop_oneof![
            3 => (place(), any::<u8>()).prop_map(|(place, byte)| Self::Byte(place, byte)),
            1 => place().prop_map(Self::End),
            1 => (place(), 0..40usize, 0..40usize).prop_map(|(place, length, times)| Self::Part(place, length, times)),
            2 => (place(), prop::sample::select(&ODD)).prop_map(|(place, odd)| Self::Insert(place, odd)),
        ]
    }

    fn apply(&self, bytes: &mut Vec<u8>) {
        let (Self::Byte(place, _) | Self::End(place) | Self::Part(place, ..) | Self::Insert(place, _)) = self;
        let at = place.index(bytes.len() + 1);
        match self {
            Self::Byte(_, byte) => bytes.iter_mut().skip(at).take(1).for_each(|other| *other = *byte),
            Self::End(_) => bytes.truncate(at),
            Self::Part(_, length, times) => {
                let end = (at + length).min(bytes.len());
                let part = bytes[at..end].repeat(*times);
                bytes.splice(at..end, part).for_each(drop);
            }
            Self::Insert(_, odd) => bytes.splice(at..at, odd.bytes()).for_each(drop),
        }
    }
}

/// The cases of all corpora: the folder of the corpus, and what expected.json has of the case.
fn cases() -> Vec<(PathBuf, Value)> {
    let of = |corpus: PathBuf| {
        let expected = std::fs::read_to_string(corpus.join("expected.json")).unwrap();
        let cases: Vec<Value> = serde_json::from_str(&expected).unwrap();
        cases.into_iter().map(move |case| (corpus.clone(), case))
    };
    corpora().into_iter().flat_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// A file alone, of the corpus or of the golden archives.
    #[test]
    fn no_damaged_file_panics(
        which in any::<prop::sample::Index>(),
        damages in prop::collection::vec(Damage::any(), 0..6),
    ) {
        let files = files();
        let file = which.get(&files);
        let mut bytes = std::fs::read(file).unwrap();
        damages.iter().for_each(|damage| damage.apply(&mut bytes));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file.file_name().unwrap());
        std::fs::write(&path, bytes).unwrap();
        let source = Source { name: Some(path.display().to_string()), ..Source::default() };
        let _ = source.load(&Places::default());
    }

    /// A file among the others of its case, read with the options of the case.
    #[test]
    fn no_case_with_a_damaged_file_panics(
        which in any::<prop::sample::Index>(),
        damaged in any::<prop::sample::Index>(),
        damages in prop::collection::vec(Damage::any(), 1..4),
    ) {
        let cases = cases();
        let (corpus, case) = which.get(&cases);
        let name = case["case"].as_str().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join(name);
        std::fs::create_dir(&place).unwrap();
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(corpus.join(name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let damaged = damaged.index(files.len());
        for (i, file) in files.iter().enumerate().filter(|(_, file)| file.is_file()) {
            let mut bytes = std::fs::read(file).unwrap();
            damages.iter().filter(|_| i == damaged).for_each(|damage| damage.apply(&mut bytes));
            std::fs::write(place.join(file.file_name().unwrap()), bytes).unwrap();
        }
        let _ = read(folder.path(), case);
    }
}
