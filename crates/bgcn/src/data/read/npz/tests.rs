//! Golden files in every variant of the layout, damaged ones, and ones with a single array changed.

use super::*;
use proptest::prelude::*;
use std::io::Write as _;

const SPARSE: &[u8] = include_bytes!("../../../../tests/golden/readers/sparse.npz");
const DENSE: &[u8] = include_bytes!("../../../../tests/golden/readers/dense.npz");
const BARE: &[u8] = include_bytes!("../../../../tests/golden/readers/bare.npz");

fn load(bytes: &[u8]) -> Result<Dataset, BadInput> {
    from_bytes(Path::new("tiny.npz"), bytes)
}

fn expected() -> serde_json::Value {
    serde_json::from_slice(include_bytes!("../../../../tests/golden/readers/expected.json")).unwrap()
}

fn rows(features: &Features) -> Vec<Vec<f32>> {
    match features {
        Features::Dense(x) => x.values.chunks_exact(x.columns).map(<[f32]>::to_vec).collect(),
        Features::Sparse(x) => (0..x.rows())
            .map(|a| {
                let mut row = vec![0.0; x.columns];
                let (columns, values) = x.row(a);
                columns.iter().zip(values).for_each(|(&c, &v)| row[c as usize] = v);
                row
            })
            .collect(),
        Features::Identity(_) => Vec::new(),
    }
}

#[test]
fn both_feature_layouts_and_all_name_types_give_the_same_dataset() {
    let expected = expected();
    let strings = |key: &str| -> Vec<String> { serde_json::from_value(expected[key].clone()).unwrap() };
    let edges: Vec<(u32, u32)> = serde_json::from_value(expected["edges"].clone()).unwrap();
    let features: Vec<Vec<f32>> = serde_json::from_value(expected["features"].clone()).unwrap();
    let of: Vec<Option<u32>> = serde_json::from_value(expected["labels"].clone()).unwrap();
    for bytes in [SPARSE, DENSE] {
        let data = load(bytes).unwrap();
        assert_eq!(data.name, "tiny");
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), edges);
        assert_eq!(rows(&data.features), features);
        assert_eq!(data.ids, NodeIds::Named(strings("node_names")));
        assert_eq!(data.labels, Labels::Classes { names: strings("class_names"), of: of.clone() });
        assert_eq!(data.merged.self_loops, 2);
    }
    assert!(matches!(load(SPARSE).unwrap().features, Features::Sparse(_)));
    assert!(matches!(load(DENSE).unwrap().features, Features::Dense(_)));
}

#[test]
fn without_features_and_labels_there_is_still_a_graph() {
    let data = load(BARE).unwrap();
    assert_eq!(data.features, Features::Identity(14));
    assert_eq!(data.labels, Labels::none(14));
    assert_eq!(data.ids.name(13), "paper 13");
}

#[test]
fn directed_entries_count_one_by_one_and_symmetric_ones_by_pair() {
    let (directed, symmetric) = (load(SPARSE).unwrap(), load(DENSE).unwrap());
    assert!(directed.merged.reciprocal > 0);
    assert_eq!(directed.edges_published, directed.graph.edges() + directed.merged.reciprocal + 2);
    assert_eq!(
        symmetric.merged,
        Merged { given: symmetric.graph.edges() + 2, self_loops: 2, duplicates: 0, reciprocal: 0 }
    );
}

#[test]
fn every_beginning_of_a_file_is_an_error() {
    for bytes in [SPARSE, DENSE, BARE] {
        for length in 0..bytes.len() {
            assert!(load(&bytes[..length]).is_err(), "{length} of {} bytes", bytes.len());
        }
    }
}

/// A zip archive of stored arrays.
fn archive(arrays: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let (mut zip, mut directory) = (Vec::new(), Vec::new());
    for (name, content) in arrays {
        let name = format!("{name}.npy");
        let mut crc = flate2::Crc::new();
        crc.update(content);
        let sizes = [crc.sum(), content.len() as u32, content.len() as u32].map(u32::to_le_bytes).concat();
        let lengths = [name.len() as u16, 0].map(u16::to_le_bytes).concat();
        directory.write_all(b"PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0\0\0").unwrap();
        directory.extend([&sizes[..], &lengths, &[0; 10], &(zip.len() as u32).to_le_bytes(), name.as_bytes()].concat());
        zip.write_all(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0").unwrap();
        zip.extend([&sizes[..], &lengths, name.as_bytes(), content].concat());
    }
    let (count, at) = ((arrays.len() as u16).to_le_bytes(), (zip.len() as u32).to_le_bytes());
    let size = (directory.len() as u32).to_le_bytes();
    zip.extend([&directory[..], b"PK\x05\x06\0\0\0\0", &count, &count, &size, &at, &[0, 0]].concat());
    zip
}

fn ints(values: &[i32]) -> Vec<u8> {
    npy("<i4", &format!("({},)", values.len()), &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
}

fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}}}");
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

/// The path 0–1–2 with some arrays replaced or added, and what is said about it.
fn said(changes: &[(&'static str, Vec<u8>)]) -> String {
    let mut arrays = vec![
        ("adj_data", ints(&[1, 1])),
        ("adj_indices", ints(&[1, 2])),
        ("adj_indptr", ints(&[0, 1, 2, 2])),
        ("adj_shape", ints(&[3, 3])),
    ];
    arrays.retain(|(name, _)| changes.iter().all(|(changed, _)| changed != name));
    arrays.extend_from_slice(changes);
    load(&archive(&arrays)).map_or_else(|bad| bad.to_string(), |data| format!("{:?}", data.labels))
}

#[test]
fn each_wrong_array_is_named() {
    let text = |shape: &str, data: &[u8]| npy("|S2", shape, data);
    for (changes, wanted) in [
        (vec![("adj_data", ints(&[1, 3]))], "array adj: an edge of weight 3; an edge is there (1) or not (0)"),
        (vec![("adj_indices", ints(&[1, 3]))], "array adj: 3 at element 1"),
        (vec![("adj_shape", ints(&[3, 4]))], "array adj_shape: 3 by 4"),
        (vec![("adj_shape", ints(&[3]))], "array adj_shape: 1 numbers; two are needed"),
        (vec![("adj_shape", ints(&[-3, 3]))], "array adj_shape: -3 at element 0"),
        (vec![("adj_indptr", b"nonsense".to_vec())], "array adj_indptr: no array in numpy's npy format"),
        (vec![("attr_data", ints(&[]))], "array attr_shape: missing; the file has adj_data, "),
        (
            vec![("attr_matrix", npy("<f4", "(2, 1)", &[0; 8]))],
            "array attr_matrix: 2 rows of 1 features; the graph has 3 nodes",
        ),
        (vec![("attr_matrix", npy("<f4", "(3, 1)", &[0xFF; 12]))], "array attr_matrix: NaN at element 0"),
        (vec![("attr_matrix", npy("<f4", "(3, 0)", &[]))], "array attr_matrix: 3 rows of 0 features"),
        (vec![("labels", ints(&[0, 1]))], "array labels: shape [2]; one class number for each of 3 nodes"),
        (vec![("labels", ints(&[0, 3, 0]))], "array labels: class 3 at node 1"),
        (vec![("labels_data", ints(&[]))], "array labels_data: a sparse matrix of labels"),
        (vec![("node_names", text("(2,)", b"a\0b\0"))], "array node_names: 2 names; the graph has 3 nodes"),
        (vec![("node_names", text("(3,)", b"a\0b\0a\0"))], "array node_names: \"a\" twice"),
        (
            vec![("class_names", npy("|O", "(1,)", b"\x80\x02cos\nsystem\n."))],
            "array class_names, pickled; byte 2: the Python name os.system",
        ),
        (vec![("class_names", text("(1,)", b"a\0")), ("labels", ints(&[0, 1, 0]))], "class_names has classes 0 to 0"),
    ] {
        let message = said(&changes);
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn negative_labels_are_unknown_and_classes_without_names_are_numbers() {
    let wanted = Labels::Classes { names: vec!["0".into(), "1".into()], of: vec![Some(1), None, None] };
    assert_eq!(said(&[("labels", ints(&[1, -1, -7]))]), format!("{wanted:?}"));
}

proptest! {
    #[test]
    fn damaged_files_never_panic(
        which in 0usize..3,
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = [SPARSE, DENSE, BARE][which].to_vec();
        for (place, byte) in flips {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = load(&bytes);
    }
}
