//! Golden files in every variant of the layout, damaged ones, and ones with a single array changed.

use super::*;
use bgcn_core::data::{Labels, Split};
use bgcn_core::graph::Merged;
use std::io::Write as _;

const SPARSE: &[u8] = include_bytes!("../../../tests/golden/readers/sparse.npz");
const DENSE: &[u8] = include_bytes!("../../../tests/golden/readers/dense.npz");
const BARE: &[u8] = include_bytes!("../../../tests/golden/readers/bare.npz");

fn load(bytes: &[u8]) -> Result<Dataset, BadInput> {
    from_bytes(Path::new("of/tiny.npz"), bytes, &ReadOptions::default())
}

fn expected() -> serde_json::Value {
    serde_json::from_slice(include_bytes!("../../../tests/golden/readers/expected.json")).unwrap()
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
        (vec![("adj_data", npy("<f4", "(2,)", &[0xFF; 8]))], "array adj: the edge of 0 and 1 has the weight NaN"),
        (vec![("adj_data", ints(&[0, 0]))], "array adj: no edges"),
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
        (vec![("attr_matrix", npy("<f4", "(3, 1)", &[0xFF; 12]))], "array attr_matrix: NaN at row 0, column 0"),
        (vec![("attr_matrix", npy("<f4", "(3, 0)", &[]))], "array attr_matrix: 3 rows of 0 features"),
        (vec![("labels", ints(&[0, 1]))], "array labels: shape [2]; one label for each of 3 nodes"),
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

fn floats(shape: &str, values: &[f32]) -> Vec<u8> {
    npy("<f4", shape, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
}

fn bools(shape: &str, values: &[u8]) -> Vec<u8> {
    npy("|b1", shape, values)
}

fn longs(shape: &str, values: &[i64]) -> Vec<u8> {
    npy("<i8", shape, &values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>())
}

fn from(arrays: &[(&str, Vec<u8>)]) -> Result<Dataset, String> {
    load(&archive(arrays)).map_err(|bad| bad.to_string())
}

#[test]
fn weights_are_edges_and_are_mentioned() {
    let adj = |data: &[i32]| {
        archive(&[
            ("adj_data", ints(data)),
            ("adj_indices", ints(&[1, 2])),
            ("adj_indptr", ints(&[0, 1, 2, 2])),
            ("adj_shape", ints(&[3, 3])),
            ("left", ints(&[1])),
            ("over", ints(&[1])),
        ])
    };
    let data = load(&adj(&[1, 2])).unwrap();
    assert_eq!(data.graph.edges(), 2);
    let ignored = "tiny.npz: the weight of 1 edge is ignored; `weight_threshold` keeps edges by weight";
    assert_eq!(data.remarks, [ignored, "tiny.npz: not used: left, over"]);
    let options = ReadOptions { weight_threshold: Some(1.5), ..ReadOptions::default() };
    assert_eq!(from_bytes(Path::new("a"), &adj(&[1, 2]), &options).unwrap().graph.edges(), 1);
}

#[test]
fn arrays_of_pytorch_geometric_are_read() {
    // [2, m], row-major; the same transposed; the same as [m, 2].
    let rows = longs("(2, 3)", &[0, 1, 2, 1, 2, 3]);
    let mut fortran = longs("(2, 3)", &[0, 1, 1, 2, 2, 3]);
    let at = fortran.windows(5).position(|w| w == b"False").unwrap();
    fortran[at..at + 5].copy_from_slice(b"True ");
    let columns = longs("(3, 2)", &[0, 1, 1, 2, 2, 3]);
    for edge_index in [rows, fortran, columns] {
        let data = from(&[
            ("edge_index", edge_index),
            ("x", floats("(4, 2)", &[1.0, 2.0, 3.0, 4.0, -5.0, 0.0, 0.0, 0.0])),
            ("y", longs("(4, 1)", &[0, 1, -1, 1])),
            ("train_mask", bools("(4,)", &[1, 0, 1, 0])),
            ("test_mask", bools("(4,)", &[0, 1, 0, 1])),
        ])
        .unwrap();
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), [(0, 1), (1, 2), (2, 3)]);
        assert!(matches!(&data.features, Features::Dense(x) if x.columns == 2));
        assert_eq!(data.labels.class(3), Some(1));
        assert_eq!(data.fixed_split, Some(Split { train: vec![0], validation: vec![], test: vec![1, 3] }));
        assert_eq!(data.remarks, ["tiny.npz: 1 nodes of the split have no label and are left out of it"]);
    }
}

#[test]
fn labels_come_in_many_forms() {
    let with = |y: Vec<u8>| from(&[("edge_index", longs("(2, 1)", &[0, 2])), ("y", y)]);
    let values = with(floats("(3,)", &[0.5, f32::NAN, -2.0])).unwrap();
    assert_eq!(values.labels, Labels::Values(vec![Some(0.5), None, Some(-2.0)]));
    let whole = with(floats("(3,)", &[1.0, 0.0, -1.0])).unwrap();
    assert_eq!(whole.labels.class_counts(), [1, 1]);
    let hot = with(longs("(3, 2)", &[1, 0, 0, 1, 0, 1])).unwrap();
    assert_eq!(hot.labels.class_counts(), [1, 2]);
    assert!(hot.remarks[0].contains("a single 1 in every row"), "{:?}", hot.remarks);
    let several = with(longs("(3, 2)", &[1, 0, 1, 1, 0, 1])).unwrap_err();
    assert!(several.contains("array y: 2 numbers per node, and not a single 1 among zeros in row 1"), "{several}");
    let words = with(npy("|S2", "(3,)", b"b\0a\0\0\0")).unwrap();
    assert_eq!(words.labels, Labels::Classes { names: vec!["a".into(), "b".into()], of: vec![Some(1), Some(0), None] });
    let below = with(longs("(3,)", &[0, -5, 1])).unwrap();
    assert!(below.remarks[0].contains("1 labels in y are below -1"), "{:?}", below.remarks);
    let asked = ReadOptions { label_kind: crate::read::LabelKind::Values, ..ReadOptions::default() };
    let zip = archive(&[("edge_index", longs("(2, 1)", &[0, 2])), ("y", longs("(3,)", &[3, -1, 7]))]);
    let asked = from_bytes(Path::new("a"), &zip, &asked).unwrap();
    assert_eq!(asked.labels, Labels::Values(vec![Some(3.0), Some(-1.0), Some(7.0)]));
}

#[test]
fn bags_of_words_become_sparse_and_nan_has_a_row_and_a_column() {
    let with = |x: Vec<u8>| from(&[("edge_index", longs("(2, 1)", &[0, 1])), ("x", x)]);
    let words = with(floats("(2, 4)", &[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0])).unwrap();
    let x = SparseRows { columns: 4, offsets: vec![0, 1, 1], indices: vec![3], values: vec![2.0] };
    assert_eq!(words.features, Features::Sparse(x));
    let nan = with(floats("(2, 2)", &[0.0, 0.0, 1.0, f32::NAN])).unwrap_err();
    assert!(nan.contains("array x: NaN at row 1, column 1"), "{nan}");
}

#[test]
fn heterophilous_graphs_use_the_first_of_their_splits() {
    let data = from(&[
        ("edges", longs("(2, 2)", &[0, 1, 1, 2])),
        ("node_features", npy("<f2", "(3, 1)", &[0, 0x3C, 0, 0x3C, 0, 0x40])),
        ("node_labels", longs("(3,)", &[0, 1, 1])),
        ("train_masks", bools("(2, 3)", &[1, 1, 0, 0, 0, 1])),
        ("val_masks", bools("(2, 3)", &[0, 0, 0, 1, 0, 0])),
        ("test_masks", bools("(2, 3)", &[0, 0, 1, 0, 1, 0])),
    ])
    .unwrap();
    assert_eq!(data.features, Features::Dense(DenseRows { columns: 1, values: vec![1.0, 1.0, 2.0] }));
    assert_eq!(data.fixed_split, Some(Split { train: vec![0, 1], validation: vec![], test: vec![2] }));
    assert_eq!(data.remarks, ["tiny.npz: the masks hold 2 splits; the first is used"]);
}

#[test]
fn matrices_of_scipy_are_read_in_three_formats() {
    let format = |code: &[u8]| npy("|S3", "()", code);
    let shape = || ("shape", longs("(2,)", &[3, 3]));
    let pointers = || ("indptr", ints(&[0, 1, 2, 2]));
    let compressed = |code| {
        from(&[("format", format(code)), shape(), ("data", ints(&[1, 1])), ("indices", ints(&[1, 2])), pointers()])
    };
    let wanted = [(0, 1), (1, 2)];
    for code in [b"csr", b"csc"] {
        let data = compressed(code).unwrap();
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), wanted);
        assert_eq!((data.features, data.remarks.len()), (Features::Identity(3), 0));
    }
    let message = compressed(b"bsr").unwrap_err();
    assert!(message.contains("\"bsr\"; csr, csc and coo are read. Call .tocsr()"), "{message}");
    let coo = from(&[
        ("format", format(b"coo")),
        shape(),
        ("data", ints(&[1, 2, -2, 1])),
        ("row", ints(&[0, 0, 0, 1])),
        ("col", ints(&[1, 2, 2, 2])),
    ]);
    assert_eq!(coo.unwrap().graph.edge_list().collect::<Vec<_>>(), wanted);
}

#[test]
fn files_that_could_be_two_things_or_none_are_refused() {
    let pair = || longs("(2, 1)", &[0, 1]);
    let masks = |train: &[u8], test: &[u8]| {
        let labels = longs("(2,)", &[0, 1]);
        let (train, test) = (bools("(2,)", train), bools("(2,)", test));
        vec![("edge_index", pair()), ("y", labels), ("train_mask", train), ("test_mask", test)]
    };
    for (arrays, wanted) in [
        (vec![("a", ints(&[1])), ("b", ints(&[1]))], "the arrays a, b; edges are in edge_index"),
        (vec![("edge_index", pair()), ("edges", pair())], "both edge_index and edges"),
        (vec![("edge_index", longs("(2, 2)", &[0, 1, 1, 0]))], "array edge_index: shape [2, 2]"),
        (vec![("edge_index", longs("(3, 3)", &[0; 9]))], "array edge_index: shape [3, 3]; two rows or two columns"),
        (vec![("edge_index", pair()), ("x", floats("(1, 1)", &[1.0]))], "array edge_index: 1 at row 1, column 0"),
        (vec![("edge_index", pair()), ("edge_weight", floats("(2,)", &[1.0; 2]))], "one weight for each of 1 edges"),
        (vec![("edges", pair())], "array node_labels: missing"),
        (masks(&[1, 0], &[1, 1]), "node 0 is in train already"),
        (
            vec![("edge_index", pair()), ("y", ints(&[0, 1])), ("train_mask", ints(&[1, 2]))],
            "array train_mask: the mark 2; marks are true or false",
        ),
    ] {
        let message = from(&arrays).map(|data| format!("{:?}", data.fixed_split)).unwrap_or_else(|message| message);
        assert!(message.contains(wanted), "{message}");
    }
}

/// Public files, where they are at hand: counts as their sources state them.
#[test]
fn published_files_are_read() {
    let folder = std::env::var_os("BGCN_DATA").map(|planetoid| Path::new(&planetoid).join(".."));
    let Some(folder) = folder.filter(|folder| folder.join("polblogs.npz").is_file()) else {
        eprintln!("skipped: there is no polblogs.npz beside the folder that BGCN_DATA names");
        return;
    };
    let counts = |file: &str| {
        let data = read(&folder.join(file), &ReadOptions::default()).unwrap();
        let split = data.fixed_split.as_ref().map_or(0, |split| split.train.len());
        (data.nodes(), data.graph.edges(), data.features.columns(), data.labels.classes(), split, data.remarks)
    };
    let (nodes, edges, _, classes, _, remarks) = counts("polblogs.npz");
    assert_eq!((nodes, edges, classes), (1490, 16715, 2));
    assert!(remarks[0].contains("ignored"), "{remarks:?}");
    let (nodes, edges, columns, classes, split, remarks) = counts("heterophilous/cornell.npz");
    assert_eq!((nodes, edges, columns, classes, split), (183, 277, 1703, 5, 87), "{remarks:?}");
    assert_eq!(counts("attacked/cora_meta_adj_0.05.npz").0, 2485);
    let (nodes, edges, columns, classes, _, remarks) = counts("attacked/cora.npz");
    assert_eq!((nodes, edges, columns, classes), (2708, 5278, 1433, 7));
    assert_eq!(remarks, ["cora.npz: not used: idx_to_node, idx_to_class"]);
}
