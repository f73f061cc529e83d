//! From what a person types to a dataset: one module a format, chosen by name and content.

mod array;
#[allow(dead_code)]
mod attributed;
mod csr;
pub mod linqs;
pub mod npz;
mod options;
mod pickle;
pub mod planetoid;
pub mod table;

pub use options::{FeatureForm, Header, LabelKind, Options};

use super::known::present;
use super::{Dataset, Error, KNOWN, Known, Places, demo, karate, known};
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

/// Reads a built-in set, a known one, a folder, an `.npz` file or a file of edges.
pub fn load(name: &str, places: &Places, options: &table::Options) -> Result<Dataset, Error> {
    match name {
        "demo" => return Ok(demo()),
        "karate" => return Ok(karate()),
        _ => {}
    }
    if let Some(known) = known(name) {
        return match find(known, places) {
            Some(Found::Planetoid(folder)) => planetoid::read(folder, name),
            Some(Found::Linqs(folder)) => linqs::read(folder, name),
            None => Err(not_fetched(known, places)),
        };
    }
    let path = Path::new(name);
    if path.is_dir() {
        read_folder(path, options)
    } else if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("npz")) {
        npz::read(path)
    } else if path.is_file() {
        table::read(&table::Files { edges: path.to_owned(), ..Default::default() }, options)
    } else {
        Err(unknown(name))
    }
}

/// Planetoid and LINQS folders are known by their file names; everything else holds files of one's own.
fn read_folder(folder: &Path, options: &table::Options) -> Result<Dataset, Error> {
    let entries = std::fs::read_dir(folder).map_err(Error::io("reading", folder))?;
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let middle = |prefix: &str, suffix: &str| -> Vec<&str> {
        names.iter().filter_map(|name| name.strip_prefix(prefix)?.strip_suffix(suffix)).collect()
    };
    match (&middle("ind.", ".graph")[..], &middle("", ".content")[..]) {
        ([name], _) => planetoid::read(folder, name),
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
    let near = names.iter().find(|known| known.eq_ignore_ascii_case(name));
    let hint = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    Error::NotFound(format!(
        "`{name}` is neither a known dataset nor a file or folder here; known are {}.{hint} For data of your own give \
         a folder with edges.csv (features.csv, labels.csv), an .npz file, or a file of edges",
        names.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(name: &str, places: &Places) -> String {
        load(name, places, &table::Options::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_name_nobody_knows_gets_the_names_that_are_known() {
        let message = error("Cora", &Places::default());
        assert!(message.contains("Did you mean `cora`?") && message.contains("pubmed"), "{message}");
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
