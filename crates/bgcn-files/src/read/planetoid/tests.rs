//! Generated sets from every writer, the published ones where they are at hand, and sets with one thing wrong.

use super::*;
use bgcn_core::graph::Merged;
use std::fs;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/readers")
}

/// A copy of the golden set with one file changed.
fn with(part: &str, content: &[u8]) -> String {
    let dir = tempfile::tempdir().unwrap();
    for part in PARTS {
        let name = format!("ind.tiny.{part}");
        fs::copy(golden().join("python2").join(&name), dir.path().join(&name)).unwrap();
    }
    fs::write(dir.path().join(format!("ind.tiny.{part}")), content).unwrap();
    read(dir.path(), "tiny").unwrap_err().to_string()
}

fn part_of_golden(part: &str) -> Vec<u8> {
    fs::read(golden().join(format!("python2/ind.tiny.{part}"))).unwrap()
}

#[test]
fn every_writer_gives_the_same_dataset() {
    let expected: serde_json::Value =
        serde_json::from_slice(&fs::read(golden().join("expected.json")).unwrap()).unwrap();
    let list = |key: &str| -> Vec<u32> { serde_json::from_value(expected[key].clone()).unwrap() };
    let features: Vec<Vec<f32>> = serde_json::from_value(expected["features"].clone()).unwrap();
    let labels: Vec<Option<u32>> = serde_json::from_value(expected["labels"].clone()).unwrap();
    let edges: Vec<(u32, u32)> = serde_json::from_value(expected["edges"].clone()).unwrap();
    for folder in ["python2", "protocol2", "protocol3", "protocol4", "protocol5"] {
        let data = read(&golden().join(folder), "tiny").unwrap();
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), edges, "{folder}");
        assert_eq!(Some(data.edges_published as u64), expected["citations"].as_u64());
        assert_eq!(Some(data.merged.self_loops as u64), expected["self_loops"].as_u64());
        assert_eq!(data.merged.given, data.edges_published);
        let Features::Sparse(x) = &data.features else { panic!("Planetoid features are sparse") };
        for (a, row) in features.iter().enumerate() {
            let nonzero: Vec<(u32, f32)> = (0..).zip(row.iter().copied()).filter(|&(_, v)| v != 0.0).collect();
            let (columns, values) = x.row(a);
            assert_eq!(columns.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>(), nonzero, "node {a}");
        }
        assert_eq!(
            data.labels,
            Labels::Classes { names: ["0", "1", "2"].map(String::from).to_vec(), of: labels.clone() }
        );
        let split = Split { train: list("train"), validation: list("validation"), test: list("test") };
        assert_eq!(data.fixed_split, Some(split));
    }
}

#[test]
fn files_that_do_not_fit_each_other_are_named() {
    let other = |part: &str| part_of_golden(part);
    for (part, content, wanted) in [
        ("test.index", b"9\n10\n12\n14\n".to_vec(), "line 4: node 14 does not exist; the graph has nodes 0 to 13"),
        ("test.index", b"9\n10\n12\n12\n".to_vec(), "line 4: node 12 a second time"),
        ("test.index", b"9\n10\nx\n13\n".to_vec(), "line 3: \"x\" is no node number"),
        ("test.index", b"9\n10\n13\n".to_vec(), "3 nodes; "),
        ("test.index", b"8\n10\n12\n13\n".to_vec(), "test node 8; nodes 0 to 8 are in "),
        ("x", other("tx"), "ind.tiny.y: 3 rows, but "),
        ("ally", other("allx"), "ind.tiny.ally: a csr_matrix; a numpy array is needed"),
        ("allx", other("ally"), "ind.tiny.allx: a numpy array of shape [9, 3]; a csr_matrix is needed"),
        ("graph", other("y"), "ind.tiny.graph: a numpy array of shape [3, 3]; a dictionary of lists is needed"),
        ("graph", b"\x80\x02}(K\x00]K\x05]u.".to_vec(), "an entry for node 5; 2 entries mean that nodes are 0 to 1"),
        ("graph", b"\x80\x02}(K\x00]K\x00]u.".to_vec(), "node 0: a second entry"),
        ("graph", b"\x80\x02}(K\x00]K\x07aK\x01]u.".to_vec(), "node 0: neighbour 7"),
        ("graph", b"\x80\x02}.".to_vec(), "no nodes"),
    ] {
        let message = with(part, &content);
        assert!(message.contains(wanted), "{part}: {message}");
    }
}

#[test]
fn labels_must_be_one_hot_and_the_training_rows_the_first_ones() {
    let mut several = part_of_golden("ally");
    let start = several.windows(4).rposition(|w| w == [1, 0, 0, 0]).unwrap();
    several[start] = 2;
    assert!(with("ally", &several).contains("several classes; one 1 and zeros"));
    let mut moved = part_of_golden("y");
    let content = moved.windows(12).position(|w| w == [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    moved.swap(content, content + 4);
    assert!(with("y", &moved).contains("other labels"));
}

#[test]
fn more_classes_than_nodes_are_refused_before_they_are_named() {
    let block = || Block {
        features_file: "x".into(),
        labels_file: "y".into(),
        features: SparseRows::new(1),
        labels: Vec::new(),
        classes: usize::MAX,
    };
    let parts = Parts { nodes: 3, train: block(), all: block(), held_out: block(), test: Vec::new() };
    let message = parts.check(Path::new("index")).unwrap_err().to_string();
    assert!(message.contains("reading y: 18446744073709551615 classes; the graph has 3 nodes"), "{message}");
}

#[test]
fn missing_files_are_all_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("ind.cora.x"), b"").unwrap();
    let message = read(dir.path(), "cora").unwrap_err().to_string();
    assert!(message.contains("7 of 8 files are missing"), "{message}");
    assert!(message.contains("ind.cora.test.index") && !message.contains("ind.cora.x,"), "{message}");
}

#[test]
fn a_citation_listed_at_one_end_only_counts_once_too() {
    let (given, built) = citations(Path::new("g"), &[vec![1, 1, 0, 0], vec![0], vec![1]]).unwrap();
    assert_eq!(given, 4);
    assert_eq!(built.merged, Merged { given: 4, self_loops: 1, duplicates: 1, reciprocal: 0 });
    assert_eq!(built.graph.edge_list().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
}

#[test]
fn the_published_sets_have_their_known_counts() {
    let Some(dir) = std::env::var_os("BGCN_DATA") else {
        eprintln!("skipped: BGCN_DATA does not say where Cora, CiteSeer and Pubmed are");
        return;
    };
    // nodes, edges, citations, self-loops, features, nonzeros, classes, labelled, isolated, training nodes
    for (name, counts) in [
        ("cora", [2708, 5278, 5429, 0, 1433, 49216, 7, 2708, 0, 140]),
        ("citeseer", [3327, 4552, 4732, 124, 3703, 105_165, 6, 3312, 48, 120]),
        ("pubmed", [19717, 44324, 44338, 3, 500, 988_031, 3, 19717, 0, 60]),
    ] {
        let data = read(Path::new(&dir), name).unwrap();
        data.check().unwrap();
        let split = data.fixed_split.as_ref().unwrap();
        let found = [
            data.nodes(),
            data.graph.edges(),
            data.edges_published,
            data.merged.self_loops,
            data.features.columns(),
            data.features.nonzeros(),
            data.labels.classes(),
            data.labels.known(),
            data.graph.isolated(),
            split.train.len(),
        ];
        assert_eq!(found, counts, "{name}");
        assert_eq!((split.validation.len(), split.test.len()), (500, 1000), "{name}");
        assert_eq!(split.validation[0] as usize, split.train.len());
    }
}
