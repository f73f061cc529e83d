//! From a name or a path to a dataset: one module a format, chosen by name and content.

mod adjacency;
mod array;
mod attributed;
mod collect;
mod content;
mod csr;
mod dtype;
pub mod frame;
mod gexf;
mod graphml;
mod json;
pub mod linqs;
mod matrix_market;
pub mod npz;
mod options;
mod pickle;
pub mod planetoid;
mod refused;
pub mod table;
pub(crate) mod tidy;
mod xml;

pub use options::{Header, LabelKind, ReadOptions};

use crate::fetch::verify;
use crate::known::present;
use crate::{KNOWN, Known, Places, known};
use bgcn_core::data::{Dataset, Error, demo, karate};
use content::{Content, Opened};
use std::path::Path;

/// The sets that need no file, with a line on each.
pub const BUILT_IN: [(&str, &str); 2] = [
    ("demo", "a generated citation network, 2,000 documents, 7 topics, its wrong edges known"),
    ("karate", "Zachary's karate club, 34 members, 2 factions"),
];

/// Where a known dataset was found, and in which form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found<'a> {
    /// Planetoid files, with the fixed split.
    Planetoid(&'a Path),
    /// LINQS files, random splits only.
    Linqs(&'a Path),
}

/// The first of the places that has all files of `known`; the form with the fixed split is preferred everywhere.
pub fn find<'a>(known: &Known, places: &'a Places) -> Option<Found<'a>> {
    let has = |files| move |folder: &&'a Path| present(files, folder);
    let folders = || places.folders().iter().map(|folder| folder.as_path());
    let planetoid = folders().find(has(known.planetoid)).map(Found::Planetoid);
    planetoid.or_else(|| folders().find(has(known.linqs)).map(Found::Linqs))
}

/// Reads a built-in set, a known one, a folder, or a file of any format, recognised by its content.
///
/// Names of sets may be written in any case, but a file or folder of that very name comes first, unless the name is
/// all in lower case.
pub fn load(name: &str, places: &Places, options: &ReadOptions) -> Result<Dataset, Error> {
    options.check()?;
    let path = Path::new(name);
    let lower = name.to_lowercase();
    if lower == name || !path.exists() {
        match &lower[..] {
            "demo" => return options.refuse_unused("demo", &[]).map(|()| demo()),
            "karate" => return options.refuse_unused("karate", &[]).map(|()| karate()),
            _ => {}
        }
        if let Some(known) = known(&lower) {
            options.refuse_unused(known.name, &[])?;
            return read_known(known, places);
        }
    }
    if path.is_dir() {
        read_folder(path, options)
    } else if path.exists() {
        let opened = content::open(path)?;
        let used = match opened.1 {
            Content::Text => {
                let files = table::Files { edges: path.to_owned(), ..Default::default() };
                return table::read_opened(opened, &files, options);
            }
            Content::Npz | Content::MatrixMarket => &ReadOptions::WEIGHTS[..],
            Content::GraphMl | Content::Gexf | Content::Json => &ReadOptions::ATTRIBUTES,
        };
        options.refuse_unused(&content::name(path), used)?;
        let matrix = opened.1 == Content::MatrixMarket;
        let mut data = read_graph(path, opened, options)?;
        data.remarks.extend(matrix.then(|| matrix_market::counted(path, data.nodes())));
        Ok(data)
    } else {
        Err(unknown(name))
    }
}

/// A known set from the first place that has it. Every file is checked, and classes have their names.
fn read_known(known: &Known, places: &Places) -> Result<Dataset, Error> {
    match find(known, places) {
        Some(Found::Planetoid(folder)) => {
            verify(known.name, known.planetoid, folder)?;
            let mut data = planetoid::read(folder, known.name)?;
            known.name_classes(&mut data.labels);
            Ok(data)
        }
        Some(Found::Linqs(folder)) => {
            verify(known.name, known.linqs, folder)?;
            linqs::read(folder, known.name)
        }
        None => Err(not_fetched(known, places)),
    }
}

/// A file of a graph that is no table, by its content.
fn read_graph(path: &Path, (bytes, content): Opened, options: &ReadOptions) -> Result<Dataset, Error> {
    match content {
        Content::Npz => Ok(npz::from_bytes(path, &bytes, options)?.with_used_columns(&content::name(path))),
        Content::MatrixMarket => Ok(matrix_market::from_bytes(path, &bytes, options)?),
        Content::GraphMl => graphml::from_bytes(path, &bytes, options)?.dataset(path, options),
        Content::Gexf => gexf::from_bytes(path, &bytes, options)?.dataset(path, options),
        Content::Json => json::from_bytes(path, &bytes, options)?.dataset(path, options),
        Content::Text => unreachable!("tables have their own reader"),
    }
}

/// Planetoid and LINQS folders are known by their file names; all other folders hold files of the user.
fn read_folder(folder: &Path, options: &ReadOptions) -> Result<Dataset, Error> {
    let entries = std::fs::read_dir(folder).map_err(Error::io("reading", folder))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let middle = |prefix: &str, suffix: &str| -> Vec<&str> {
        names.iter().filter_map(|name| name.strip_prefix(prefix)?.strip_suffix(suffix)).collect()
    };
    match (&middle("ind.", ".graph")[..], &middle("", ".content")[..]) {
        ([name], _) => Ok(planetoid::read(folder, name)?.with_used_columns(name)),
        ([], [name]) => linqs::read(folder, name),
        ([], []) => table::read_folder(folder, options),
        (many, _) if many.len() > 1 => Err(several(folder, many)),
        (_, many) => Err(several(folder, many)),
    }
}

fn several(folder: &Path, names: &[&str]) -> Error {
    Error::Request(format!(
        "{} holds several datasets: {}; name one of them, with this as the data folder",
        folder.display(),
        names.join(", ")
    ))
}

fn not_fetched(known: &Known, places: &Places) -> Error {
    let looked: Vec<String> = places.folders().iter().map(|folder| folder.display().to_string()).collect();
    Error::NotFound(format!(
        "{} is not on this machine; looked in {}. Get it with `bgcn data fetch {}`, or point BGCN_DATA \
         at a folder with its {} files ({}, …)",
        known.name,
        if looked.is_empty() { "no folder".into() } else { looked.join(", ") },
        known.name,
        known.planetoid.len(),
        known.planetoid[0].name
    ))
}

fn unknown(name: &str) -> Error {
    let names: Vec<&str> = BUILT_IN.iter().map(|(name, _)| *name).chain(KNOWN.iter().map(|known| known.name)).collect();
    let near = bgcn_core::setting::nearest(&name.to_lowercase(), names.iter().copied());
    let hint = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    Error::NotFound(format!(
        "`{name}` is neither a known dataset nor a file or folder here; known are {}.{hint} For your data give \
         a folder with edges.csv (features.csv, labels.csv), or a file: edges as text, .npz, Matrix Market, GraphML, \
         GEXF, node-link JSON",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &str, places: &Places) -> String {
        load(name, places, &ReadOptions::default()).unwrap_err().to_string()
    }

    #[test]
    fn an_unknown_name_gets_the_known_ones() {
        let message = error("cor", &Places::default());
        assert!(message.contains("Did you mean `cora`?") && message.contains("pubmed"), "{message}");
        assert!(!error("imdb-movies", &Places::default()).contains("Did you mean"));
    }

    #[test]
    fn options_that_the_data_has_no_use_for_are_refused() {
        let threshold = ReadOptions { weight_threshold: Some(1.0), ..ReadOptions::default() };
        let error = load("karate", &Places::default(), &threshold).unwrap_err().to_string();
        assert_eq!(error, "`weight_threshold` was given, but karate has no use for it. Leave it out.");
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x.mtx");
        std::fs::write(&file, "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 3\n").unwrap();
        assert_eq!(load(file.to_str().unwrap(), &Places::default(), &threshold).unwrap().graph.edges(), 1);
        let label = ReadOptions { label_column: Some("class".into()), ..ReadOptions::default() };
        let error = load(file.to_str().unwrap(), &Places::default(), &label).unwrap_err().to_string();
        assert!(error.contains("`label_column` was given, but x.mtx"), "{error}");
    }

    #[test]
    fn names_of_sets_are_read_in_any_case() {
        assert_eq!(load("KARATE", &Places::default(), &ReadOptions::default()).unwrap().nodes(), 34);
        assert!(error("Cora", &Places::default()).contains("bgcn data fetch cora"));
    }

    #[test]
    fn a_known_set_with_another_file_is_refused_with_both_hashes() {
        let folder = tempfile::tempdir().unwrap();
        for file in known("cora").unwrap().planetoid {
            std::fs::write(folder.path().join(file.name), "other").unwrap();
        }
        let message = error("cora", &Places::new(Some(folder.path())));
        // SHA-256 of "other", and of the published file.
        for part in ["ind.cora.x", "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa", "23cfa55d91c6"] {
            assert!(message.contains(part), "{message}");
        }
        assert!(message.contains("a separate folder"), "{message}");
    }

    #[test]
    fn files_are_read_by_content_whatever_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.csv");
        std::fs::write(&path, "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n").unwrap();
        let data = load(path.to_str().unwrap(), &Places::default(), &ReadOptions::default()).unwrap();
        assert_eq!((data.name.as_str(), data.graph.edges()), ("graph", 1));
        std::fs::write(&path, "PAR1").unwrap();
        assert!(error(path.to_str().unwrap(), &Places::default()).contains("The Python package bgcn reads it"));
    }

    #[test]
    fn a_known_set_that_is_not_there_says_how_to_get_it() {
        let message = error("cora", &Places::default());
        assert!(message.contains("bgcn data fetch cora"), "{message}");
    }

    #[test]
    fn a_folder_with_two_planetoid_sets_asks_which() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["ind.a.graph", "ind.b.graph"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let message = error(folder.path().to_str().unwrap(), &Places::default());
        assert!(message.contains("a, b") && message.contains("data folder"), "{message}");
    }
}
