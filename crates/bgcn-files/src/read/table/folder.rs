//! The files of a dataset in a folder, found by their names.

use super::Files;
use bgcn_core::data::Error;
use std::path::{Path, PathBuf};

/// Endings of text files; each may be followed by .gz or .zst.
const ENDINGS: [&str; 3] = ["csv", "tsv", "txt"];

/// Of features also JSON. A file such as labels.json may as well be a list of class names.
const FEATURE_ENDINGS: [&str; 4] = ["csv", "tsv", "txt", "json"];

/// Names of files that hold one part of a dataset, without their endings.
const EDGES: [&str; 5] = ["edges", "edge_list", "edgelist", "links", "edge"];
const FEATURES: [&str; 5] = ["features", "node_features", "feature", "attributes", "x"];
const LABELS: [&str; 5] = ["labels", "node_labels", "label", "classes", "y"];
const NODES: [&str; 5] = ["nodes", "node", "node_table", "vertices", "node_list"];
const SPLIT: [&str; 2] = ["split", "splits"];

/// A folder's files by their parts, and those that are none.
pub(super) fn find(dir: &Path) -> Result<(Files, Vec<String>), Error> {
    let entries = std::fs::read_dir(dir).map_err(Error::io("reading the folder", dir))?;
    let entries = entries.filter_map(Result::ok);
    let visible = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut present: Vec<String> = visible.filter(|name| !name.starts_with('.')).collect();
    present.sort();
    let mut used: Vec<&String> = Vec::new();
    let mut part = |stems: &[&str], endings: &[&str]| -> Result<Option<PathBuf>, Error> {
        let fits = |name: &&String| {
            let name = name.to_lowercase();
            let plain = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
            plain.rsplit_once('.').is_some_and(|(stem, ending)| stems.contains(&stem) && endings.contains(&ending))
        };
        let found: Vec<&String> = present.iter().filter(fits).collect();
        used.extend(&found);
        match found[..] {
            [] => Ok(None),
            [name] => Ok(Some(dir.join(name))),
            [a, b, ..] => Err(Error::Request(format!(
                "reading the folder {}: both {a} and {b} are there, but one file is needed. Remove or rename the \
                 other.",
                dir.display()
            ))),
        }
    };
    let edges = part(&EDGES, &["csv", "tsv", "txt", "edges"])?;
    let files = Files {
        edges: edges.unwrap_or_default(),
        features: part(&FEATURES, &FEATURE_ENDINGS)?,
        labels: part(&LABELS, &ENDINGS)?,
        nodes: part(&NODES, &ENDINGS)?,
        split: part(&SPLIT, &ENDINGS)?,
        spurious: part(&["spurious"], &["csv"])?,
        missing: part(&["missing"], &["csv"])?,
    };
    if files.edges == Path::new("") {
        let listed =
            if present.is_empty() { "nothing".to_owned() } else { present[..present.len().min(12)].join(", ") };
        return Err(Error::NotFound(format!(
            "reading the folder {}: no edge list. Looked for edges.csv, edges.tsv, edges.txt and edges.edges (and, \
             optionally, nodes, features, labels and split with .csv, .tsv or .txt; .gz and .zst after them); the \
             folder holds {listed}. Rename the edge list, or name the files: `edges`, `features`, `labels`.",
            dir.display()
        )));
    }
    let ignored = present.iter().filter(|name| !used.contains(name)).cloned().collect();
    Ok((files, ignored))
}
