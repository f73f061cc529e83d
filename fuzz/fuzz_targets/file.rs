//! Any bytes as a file of data, recognised by its content: packed or not, tables, JSON, GraphML, GEXF, Matrix Market, npz.
//!
//! Several pieces are the tables of a folder: edges, nodes, features, labels, split.
#![no_main]

use bgcn_files::{Places, load};
use bgcn_fuzz::{Place, pieces, whole};
use std::sync::LazyLock;

static PLACE: LazyLock<Place> = LazyLock::new(|| Place::new("file"));
const TABLES: [&str; 5] = ["edges.csv", "nodes.csv", "features.csv", "labels.csv", "split.csv"];

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let pieces: Vec<&[u8]> = pieces(bytes);
    // An empty piece is a table that is not there: nodes and labels exclude each other.
    for (name, i) in TABLES.iter().zip(0..) {
        let piece = pieces.get(i).filter(|piece| i == 0 || !piece.is_empty());
        PLACE.fill(&[*name], &piece.copied().into_iter().collect::<Vec<_>>());
    }
    let folder = PLACE.path();
    let path = if pieces.len() > 1 { folder.to_owned() } else { folder.join(TABLES[0]) };
    if let Ok(data) = load(path.to_str().expect("our own path"), &Places::default(), &Default::default()) {
        whole(&data);
    }
});
