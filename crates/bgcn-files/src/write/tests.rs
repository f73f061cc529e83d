//! What is written is read back equal, and nothing is overwritten unasked.

use super::*;
use crate::read::npz;
use bgcn_core::data::{DenseRows, EdgeTruth, Features, Labels, NodeIds, SparseRows, Split, demo, karate};

fn back(data: &Dataset) -> Dataset {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("new/data.npz");
    write_npz(data, &path, false).unwrap();
    npz::read(&path, &Default::default()).unwrap()
}

#[track_caller]
fn same(data: &Dataset) {
    let read = back(data);
    assert_eq!(read.fingerprint(), data.fingerprint());
    assert_eq!(read.graph.edge_list().collect::<Vec<_>>(), data.graph.edge_list().collect::<Vec<_>>());
    assert_eq!((&read.features, &read.feature_names), (&data.features, &data.feature_names));
    assert_eq!((&read.ids, &read.truth, &read.fixed_split), (&data.ids, &data.truth, &data.fixed_split));
    // NaN is unknown, so labels are compared by what they print.
    assert_eq!(format!("{:?}", read.labels), format!("{:?}", data.labels));
    assert!(read.remarks.is_empty(), "{:?}", read.remarks);
}

#[test]
fn npz_files_are_read_back_equal() {
    same(&karate());
    same(&demo());
    let mut data = karate();
    data.features = Features::Dense(DenseRows { columns: 2, values: (0..68).map(|i| i as f32 * 0.1).collect() });
    data.feature_names = vec!["äge".into(), "äge".into()];
    data.labels = Labels::Values((0..34).map(|a| (a != 3).then_some(a as f32)).collect());
    data.ids = NodeIds::Named((0..34).map(|a| format!("no. {a} & 'more'")).collect());
    data.fixed_split = Some(Split { train: vec![5, 1], validation: vec![], test: vec![9] });
    data.truth = Some(EdgeTruth { spurious: vec![(0, 1)], missing: vec![] });
    same(&data);
    data.features = Features::Dense(DenseRows { columns: 9, values: vec![0.0; 34 * 9] });
    data.feature_names = vec![];
    data.labels = Labels::none(34);
    data.fixed_split = None;
    same(&data);
    let offsets = (0..=34).map(|a| usize::from(a > 2)).collect();
    data.features = Features::Sparse(SparseRows { columns: 5000, offsets, indices: vec![4999], values: vec![0.5] });
    same(&data);
    data.ids = NodeIds::Named((0..34).map(|a| format!("{a}\0")).collect());
    let dir = tempfile::tempdir().unwrap();
    let error = write_npz(&data, &dir.path().join("a.npz"), false).unwrap_err().to_string();
    assert!(error.contains("zero character"), "{error}");
}

#[test]
fn too_many_features_and_unfit_names_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.graphml");
    let said = |data: &Dataset| write_graphml(data, &path, false).unwrap_err().to_string();
    let mut data = karate();
    data.features = Features::Sparse(SparseRows { offsets: vec![0; 35], ..SparseRows::new(1001) });
    assert!(said(&data).contains("1001 features are too many for GraphML") && said(&data).contains(".npz"));
    data.features = Features::Identity(34);
    data.ids = NodeIds::Named((0..34).map(|a| format!("{a}\u{1}")).collect());
    assert!(said(&data).contains("cannot be written as XML"));
}

#[test]
fn files_are_not_overwritten_unasked() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["a.npz", "a.graphml"] {
        let path = dir.path().join(name);
        let form = Form::of(&path);
        fs::write(&path, "mine").unwrap();
        for error in [form.check(&path, false), form.write(&karate(), &path, false).map(|_| ())] {
            assert!(error.unwrap_err().to_string().contains("`overwrite`"));
        }
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        form.write(&karate(), &path, true).unwrap();
        assert_ne!(fs::read(&path).unwrap(), b"mine");
    }
    assert!(Form::Npz.check(dir.path(), true).unwrap_err().to_string().contains("a folder"));
    assert_eq!(Form::of(Path::new("x/y")), Form::Csv);
    assert_eq!(Form::of(Path::new("y.NPZ")), Form::Npz);
}
