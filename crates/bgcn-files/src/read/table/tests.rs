//! Whole folders: what reads back equal, what reads at all, what is refused and with which words.

use super::folder::find;
use super::*;
use crate::read::Header;
use crate::write::write;
use bgcn_core::data::{DenseRows, Features, Labels, SparseRows, Split};
use proptest::prelude::*;
use std::fs;
use tempfile::TempDir;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, content)| fs::write(dir.path().join(name), content).unwrap());
    dir
}

fn try_read(files: &[(&str, &str)], options: &ReadOptions) -> Result<Dataset, Error> {
    read(&find(folder(files).path())?.0, options)
}

fn read_all(files: &[(&str, &str)]) -> Dataset {
    try_read(files, &ReadOptions::default()).unwrap()
}

fn named_edges(data: &Dataset) -> Vec<String> {
    data.graph.edge_list().map(|(a, b)| format!("{}-{}", data.ids.name(a), data.ids.name(b))).collect()
}

#[test]
fn edge_lists_read_alike_however_they_are_written() {
    for text in [
        "a,b\nb,c\n",
        "source,target\r\na,b\r\nb,c\r\n",
        "\u{feff}# comment\n\n% another\nFrom\tTo\na\tb\n\nb\tc",
        "a b\n  b   c\n",
        "src;dst\n\"a\";b\nb;c\n",
        "# header\nx,y\na,b\nb,c\n",
    ] {
        assert_eq!(named_edges(&read_all(&[("edges.txt", text)])), ["a-b", "b-c"], "{text:?}");
    }
}

#[test]
fn a_first_row_is_a_header_by_evidence_and_that_is_said() {
    let edges = |text| read_all(&[("edges.csv", text)]);
    for (text, header) in [
        ("x,y\n1,2\n2,3\n", Some("numbers stand below")),
        ("x,y\n1,2\n2,z\n", Some("numbers stand below")),
        ("supplier,customer\nacme,bolt\nbolt,cog\n", Some("occur nowhere else")),
        ("user_id,friend_id\nann,bob\nbob,cid\n", Some("its words name columns")),
        ("person1,person2\nann,bob\nbob,cid\n", Some("its words name columns")),
        ("u,v\nann,bob\nbob,cid\n", None),
    ] {
        let data = edges(text);
        assert_eq!(named_edges(&data).len(), 2, "{text}");
        assert_eq!(data.remarks.len(), usize::from(header.is_some()), "{text}: {:?}", data.remarks);
        assert!(header.is_none_or(|why| data.remarks[0].contains(why)), "{text}: {:?}", data.remarks);
    }
    for (text, rows) in [
        ("x,1\n1,2\n", 2),
        ("x,y\n", 1),
        ("ann,bob\ncid,dee\neve,fay\n", 3),
        ("P1,P2\nP3,P4\n", 2),
        ("# no header\nfrom,to\nto,x\n", 2),
    ] {
        let data = edges(text);
        assert_eq!((named_edges(&data).len(), data.remarks.len()), (rows, 0), "{text}: {:?}", data.remarks);
    }
    let (yes, no) = (Header::Yes, Header::No);
    for (text, header, rows) in [("a,b\na,c\nb,c\n", yes, 2), ("x,y\na,b\nb,c\n", no, 3)] {
        let data = try_read(&[("edges.csv", text)], &ReadOptions { header, ..ReadOptions::default() }).unwrap();
        assert_eq!(named_edges(&data).len(), rows);
    }
}

#[test]
fn headers_of_labels_are_found_with_the_names_of_the_edges() {
    let edges = ("edges.csv", "supplier,customer\nacme,bolt\nbolt,cog\ncog,dyn\n");
    for (text, labelled) in [
        ("company,sector\nacme,steel\nbolt,steel\ncog,toys\n", 3),
        ("paper,subject\nacme,steel\nbolt,steel\ncog,toys\n", 3),
        ("account,fraud\nacme,0\nbolt,1\ncog,1\n", 3),
        ("acme,steel\nbolt,steel\ncog,toys\n", 3),
        ("zed,steel\nacme,steel\nbolt,toys\ncog,toys\n", 4),
    ] {
        let data = read_all(&[edges, ("labels.csv", text)]);
        assert_eq!((data.labels.known(), data.labels.classes()), (labelled, 2), "{text}: {:?}", data.remarks);
    }
}

#[test]
fn weights_choose_edges_but_every_row_names_nodes() {
    let files = [("edges.csv", "source,target,weight\na,b,0.5\nb,c,0.4\nc,d,1e3\n")];
    let data = try_read(&files, &ReadOptions { weight_threshold: Some(0.5), ..ReadOptions::default() }).unwrap();
    assert_eq!(named_edges(&data), ["a-b", "c-d"]);
    assert_eq!(data.edges_published, 2);
}

#[test]
fn nodes_are_numbered_by_labels_then_features_then_edges() {
    let data = read_all(&[
        ("edges.csv", "a,b\nb,c\nc,d\n"),
        ("labels.csv", "id,label\nc,x\na,\n"),
        ("features.csv", "id,f0,f1\nd,1,0\na,2,0\nb,3,0\nc,4,5e-1\n"),
    ]);
    assert_eq!(data.ids, NodeIds::Named(["c", "a", "d", "b"].map(String::from).to_vec()));
    assert_eq!(data.labels, Labels::Classes { names: vec!["x".into()], of: vec![Some(0), None, None, None] });
    let values = vec![4.0, 0.5, 2.0, 0.0, 1.0, 0.0, 3.0, 0.0];
    assert_eq!(data.features, Features::Dense(DenseRows { columns: 2, values }));
}

#[test]
fn triplets_take_numbers_or_names_for_columns() {
    let edges = ("edges.csv", "0,1\n");
    let triplets = |text| read_all(&[edges, ("features.csv", text)]).features;
    let mut rows = SparseRows::new(5);
    rows.push_row(&mut [(1, 2.0), (3, 1.0)]);
    rows.push_row(&mut []);
    assert_eq!(triplets("# columns 5\nid,column,value\n0,3,1\n0,1,2\n1,,\n"), Features::Sparse(rows.clone()));
    rows.columns = 4;
    assert_eq!(triplets("id,feature,value\n0,3,1\n0,1,2\n1,2,0\n"), Features::Sparse(rows.clone()));
    (rows.columns, rows.indices) = (2, vec![0, 1]);
    assert_eq!(triplets("id,feature,value\n0,word,1\n0,7,2\n1,,\n"), Features::Sparse(rows));
}

#[test]
fn columns_become_numbers_flags_or_categories_and_nothing_is_lost() {
    let edges = ("edges.csv", "source,target\na,b\nb,c\nc,d\nd,e\ne,f\n");
    let nodes = "id,n,flag,kind,mixed,title\na,1,true,x,1,t1\nb,,false,y,1,t2\nc,3,true,x,2,t3\nd,4,true,x,p,t4\n\
                 e,4,false,y,p,t5\nf,8,true,?,q,t6\n";
    let data = read_all(&[edges, ("nodes.csv", nodes)]);
    let names = ["n", "flag", "kind=x", "kind=y", "mixed=1", "mixed=2", "mixed=p", "mixed=q"];
    assert_eq!(data.feature_names, names);
    let Features::Dense(rows) = &data.features else { unreachable!() };
    let row = |a: usize| &rows.values[8 * a..8 * a + 8];
    assert_eq!(row(0), [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(row(1), [4.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0], "an empty cell is the mean");
    assert_eq!(row(5), [8.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
    let said = data.remarks.join("\n");
    for part in ["no column is called label", "kind (2), mixed (4)", "title (hardly", "mean of the column: n (1)"] {
        assert!(said.contains(part), "{said}");
    }
}

#[test]
fn columns_of_an_earlier_fit_stay_features_and_written_ones_too() {
    let edges = ("edges.csv", "source,target\na,b\nb,c\n");
    let nodes = ("nodes.csv", "id,town,code,label\na,x,31,u\nb,y,32,v\nc,z,33,u\n");
    let names = |fitted: &[&str]| {
        let fitted = fitted.iter().map(|name| (*name).to_owned()).collect();
        try_read(&[edges, nodes], &ReadOptions { fitted, ..ReadOptions::default() }).unwrap().feature_names
    };
    assert_eq!(names(&[]), ["code"]);
    assert_eq!(names(&["town=x", "town=w", "code"]), ["town=x", "town=y", "town=z", "code"]);
    let ids = ("features.csv", "# all columns\nid,person_id,same\na,7,1\nb,8,1\nc,9,1\n");
    assert_eq!(read_all(&[edges, ids]).feature_names, ["person_id", "same"]);
    let unused = ReadOptions { columns: vec!["-town".into()], ..ReadOptions::default() };
    assert!(try_read(&[edges], &unused).unwrap_err().to_string().contains("`columns` was given"));
}

/// A file name, its text, and what the message must say.
type Case<'a> = (&'a str, &'a str, &'a [&'a str]);

#[test]
fn errors_name_file_line_finding_and_remedy() {
    let sound = [("edges.csv", "source,target\na,b\nb,c\n"), ("labels.csv", "id,label\na,x\nb,y\nc,x\n")];
    let cases: &[Case] = &[
        ("edges.csv", "", &["holds no data", "Write the data"]),
        ("edges.csv", "# only\n\n", &["holds no data"]),
        ("edges.csv", "source,target\n", &["no edges", "one edge per line"]),
        ("edges.csv", "a,a\nb,b\nc,c\n", &["joins a node to itself", "one edge per line"]),
        ("edges.csv", "a\nb\n", &["line 1", "1 columns", "separated by"]),
        ("edges.csv", "a,b\nb,c,d\n", &["line 2", "3 fields", "rows above have 2", "Quote"]),
        ("edges.csv", "a,b\nb,\n", &["line 2", "empty end", "Fill in"]),
        ("edges.csv", "a,b\n\"b,c\n", &["line 2", "does not end", "Close the quote"]),
        ("edges.csv", "a,b\n\"b\"x,c\n", &["line 2", "follows a closing quote", "Double"]),
        ("edges.csv", "a,b\n#b,c\nc,d\n", &["line 2", "\"#b,c\" is a comment or a row", "Quote"]),
        ("edges.csv", "a;b,c\n", &["line 1", "both commas and semicolons", "Quote"]),
        ("edges.csv", "from,to\nto,a\n", &["line 1", "looks like a header, but \"to\" is a node", "`header=yes`"]),
        ("edges.csv", "a,b,c\n", &["line 1", "third column", "`source_column=1`"]),
        ("edges.csv", "a,b,c,d\n", &["line 1", "4 columns: a,b,c,d", "`source_column=1`"]),
        ("edges.csv", "5 3\n1 2\n2 3\n3 4\n", &["line 1", "5 nodes and 3 edges", "`header=yes`"]),
        ("labels.csv", "a,b,c\nb,d,e\n", &["line 1", "3 columns", "`label_column`"]),
        ("labels.csv", "id,label\nq1,x\nq2,y\na,x\n", &["2 of 3 labelled", "\"q1\" and \"q2\"", "\"a\" and \"b\""]),
        ("labels.csv", "id,label\n,x\n", &["line 2", "label without a node", "Fill in"]),
        ("labels.csv", "id,label\na,x\na,y\n", &["line 3", "\"a\" has the label \"y\", but \"x\" on line 2", "Remove"]),
        ("labels.csv", "a,class\nb,x\n", &["line 1", "\"a\" is a node", "# header"]),
        ("labels.csv", "# classes: x\nid,label\na,y\n", &["line 3", "class \"y\" is not in the list", "Add it"]),
        ("labels.csv", "# classes: x,x\nid,label\na,x\n", &["line 1", "listed twice", "Remove"]),
        ("labels.csv", "# values\nid,label\na,y\n", &["line 3", "\"y\" is not a number", "Correct"]),
        ("features.csv", "id,f\na,1\nb,1e99\nc,0\n", &["line 3", "column f holds \"1e99\"", "Replace"]),
        ("features.csv", "id,f\na,1\nb,0;5\nc,0\n", &["line 3", "column f holds \"0;5\"", "Replace"]),
        ("features.csv", "id,f\na,1\na,1\n", &["line 3", "\"a\" has features on line 2", "Remove"]),
        ("features.csv", "id,f\na,1\n,1\n", &["line 3", "without a node", "Fill in"]),
        ("features.csv", "id\na\n", &["line 1", "1 columns", "leave the file out"]),
        (
            "features.csv",
            "id,f\na,1\nb,1\nc,1\nd,1\ne,1\nf,1\ng,1\n",
            &["4 of 7 rows have no edge", "`allow_isolated`"],
        ),
        (
            "features.csv",
            "id,column,value\na,0,1\na,0,2\n",
            &["line 3", "column 0 of node \"a\" is on line 2", "Remove"],
        ),
        ("features.csv", "id,column,value\na,,2\n", &["line 2", "value without a column", "Fill in"]),
        ("features.csv", "# columns 2\nid,column,value\na,2,1\n", &["line 3", "\"2\" is beyond the 2", "comment"]),
        ("split.csv", "id,set\nz,train\n", &["line 2", "\"z\" is not in", "Correct"]),
        ("split.csv", "id,set\na,tarin\n", &["line 2", "\"tarin\"", "train, validation and test", "Correct"]),
        ("split.csv", "id,set\na,train\na,val\n", &["line 3", "\"a\" is in a set on line 2", "Remove"]),
        ("split.csv", "id,set\na,test\n", &["no training node", "Add rows"]),
        ("split.csv", "a,set\nb,train\n", &["line 1", "\"a\" is a node", "# header"]),
        ("split.csv", "a\n", &["line 1", "1 columns", "id,train"]),
        ("spurious.csv", "source,target\na,c\n", &["line 2", "\"a\"–\"c\" is not in the edge list", "one folder"]),
        ("missing.csv", "source,target\na,b\n", &["line 2", "\"a\"–\"b\" is in the edge list", "one folder"]),
        ("missing.csv", "source,target\na,z\n", &["line 2", "\"z\" is not in the graph", "one folder"]),
    ];
    for (name, text, expected) in cases {
        let mut files: Vec<(&str, &str)> = sound.into_iter().filter(|(other, _)| other != name).collect();
        files.push((name, text));
        let message = try_read(&files, &ReadOptions::default()).expect_err(text).to_string();
        for part in [name].iter().copied().chain(expected.iter()) {
            assert!(message.contains(part), "{text:?}: {message:?} lacks {part:?}");
        }
    }
}

#[test]
fn nodes_without_features_are_reported_where_they_occur() {
    let features = ("features.csv", "id,f\na,1\nb,1\n");
    let edges = try_read(&[("edges.csv", "a,b\nb,z\n"), features], &ReadOptions::default()).unwrap_err().to_string();
    assert!(edges.contains("edges.csv, line 2: node \"z\" has no row in "), "{edges}");
    let labels = [("edges.csv", "a,b\n"), features, ("labels.csv", "id,label\na,x\nq,x\n")];
    let labels = try_read(&labels, &ReadOptions::default()).unwrap_err().to_string();
    assert!(labels.contains("labels.csv, line 3: node \"q\" has no row in "), "{labels}");
}

#[test]
fn options_are_checked_and_isolated_nodes_can_be_allowed() {
    let edges = ("edges.csv", "a,b\n");
    let fails = |files: &[_], options| try_read(files, &options).unwrap_err().to_string();
    let weighted = |t| ReadOptions { weight_threshold: Some(t), ..ReadOptions::default() };
    assert!(fails(&[edges], weighted(1.0)).contains("no column of weights"));
    assert!(fails(&[edges], weighted(f64::NAN)).contains("threshold is NaN"));
    assert!(fails(&[("edges.csv", "a,b,1\n")], weighted(2.0)).contains("no edge of weight 2 or more"));
    assert!(fails(&[("edges.csv", "a,b,inf\n")], weighted(2.0)).contains("line 1: the weight \"inf\""));
    let files = [edges, ("features.csv", "id,f\na,1\nb,1\nc,1\n")];
    let isolated = try_read(&files, &ReadOptions { allow_isolated: true, ..ReadOptions::default() }).unwrap();
    assert_eq!(isolated.nodes(), 3);
    let labels = [edges, ("labels.csv", "id,label\na,1.5\nb,2\n")];
    let classes = try_read(&labels, &ReadOptions { label_kind: LabelKind::Classes, ..ReadOptions::default() }).unwrap();
    assert_eq!(classes.labels.classes(), 2);
}

#[test]
fn rows_without_ids_are_the_nodes_in_order_and_their_count_decides_on_a_header() {
    let options = ReadOptions { no_ids: true, ..ReadOptions::default() };
    let more = ReadOptions { allow_isolated: true, ..options.clone() };
    let (zero, one) = (("edges.csv", "0,1\n1,2\n"), ("edges.csv", "1,2\n2,3\n"));
    for (edges, labels, options, labelled) in [
        (zero, "x\ny\nx\n", &options, "012"),
        (zero, "hue\nx\ny\nx\n", &options, "012"),
        (zero, "hue,label\n1,x\n2,\n3,x\n", &options, "02"),
        (one, "x\ny\nx\n", &options, "123"),
        (one, "x\nx\ny\nx\n", &options, "0123"),
        (zero, "x\ny\nx\nx\n", &more, "0123"),
    ] {
        let data = try_read(&[edges, ("labels.csv", labels)], options).unwrap();
        let known = (0..data.nodes() as u32).filter(|&a| data.labels.is_known(a));
        assert_eq!(known.map(|a| data.ids.name(a).into_owned()).collect::<String>(), labelled, "{labels}");
    }
    for (edges, labels, wanted) in [
        (zero, "x\ny\nx\nx\n", "4 rows, but edges.csv has 3 nodes, 0 to 2"),
        (zero, "label\nx\ny\n", "2 rows, but"),
        (zero, "x\ny\n", "2 rows, but"),
        (one, "hue\nx\ny\nx\n", "line 1: 4 rows, of which the first may be a header"),
    ] {
        let message = try_read(&[edges, ("labels.csv", labels)], &options).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
    }
}

#[test]
fn ids_in_several_rows_make_pairs_only_where_they_are_nodes_and_columns_differ() {
    let edges = ("edges.csv", "a,b\nb,c\nc,a\n");
    let features = |text| try_read(&[edges, ("features.csv", text)], &ReadOptions::default());
    let names = |text| features(text).unwrap().feature_names;
    assert_eq!(names("node,likes\na,x\na,y\nb,y\nb,z\nc,x\nc,z\n"), ["likes=x", "likes=y", "likes=z"]);
    assert_eq!(names("a,x\na,y\nb,y\nb,z\nc,x\nc,z\n"), ["column=x", "column=y", "column=z"]);
    assert_eq!(names("id,column\na,0\nb,2\nc,\n"), ["column=0", "column=1", "column=2"]);
    assert_eq!(names("team,id\nx,a\nx,b\ny,c\n"), ["team=x", "team=y"]);
    let message = features("id,f\na,1\na,1\nb,2\nc,1\n").unwrap_err().to_string();
    assert!(message.contains("\"a\" has features on line 2"), "{message}");
}

#[test]
fn folders_without_an_edge_list_say_what_they_hold() {
    let dir = folder(&[("notes.md", ""), ("graph.csv", "")]);
    let message = find(dir.path()).unwrap_err().to_string();
    assert!(message.contains("edges.tsv") && message.contains("holds graph.csv, notes.md"), "{message}");
    let two = folder(&[("edges.csv", "a,b"), ("edges.txt", "a b")]);
    assert!(find(two.path()).unwrap_err().to_string().contains("both edges.csv and edges.txt"));
    assert!(find(&dir.path().join("gone")).unwrap_err().to_string().contains("gone"));
    let message =
        |edges: PathBuf| read(&Files { edges, ..Files::default() }, &ReadOptions::default()).unwrap_err().to_string();
    assert!(message(dir.path().into()).contains("this is a folder"));
    assert!(message(dir.path().join("gone.csv")).contains("gone.csv: there is no such file. Check"));
}

#[test]
fn writing_replaces_only_what_is_a_dataset_and_leaves_nothing_behind() {
    let data = read_all(&[("edges.csv", "a,b\n")]);
    let parent = folder(&[]);
    let dir = parent.path().join("mine");
    assert_eq!(write(&data, &dir, false).unwrap(), [dir.join("edges.csv"), dir.join("labels.csv")]);
    assert_eq!(fs::read_to_string(dir.join("labels.csv")).unwrap(), "# classes: \nid,label\na,\nb,\n");
    let again = write(&data, &dir, false).unwrap_err().to_string();
    assert!(again.contains("a dataset already"), "{again}");
    write(&data, &dir, true).unwrap();
    fs::write(dir.join("diary.txt"), "dear").unwrap();
    let diary = write(&data, &dir, true).unwrap_err().to_string();
    assert!(diary.contains("\"diary.txt\", which is not part"), "{diary}");
    assert_eq!(fs::read_to_string(dir.join("diary.txt")).unwrap(), "dear");
    assert_eq!(fs::read_dir(parent.path()).unwrap().count(), 1);
}

#[test]
fn what_csv_cannot_hold_is_refused() {
    let refused = |change: &dyn Fn(&mut Dataset)| {
        let mut data = read_all(&[("edges.csv", "a,b\n")]);
        change(&mut data);
        write(&data, &folder(&[]).path().join("x"), false).unwrap_err().to_string()
    };
    let ids = |name: &str| NodeIds::Named(vec!["a".into(), name.into()]);
    assert!(refused(&|data| data.ids = ids("x\ny")).contains("node \"x\\ny\""));
    assert!(refused(&|data| data.ids = ids("")).contains("node \"\""));
    assert!(refused(&|data| data.graph = Graph::empty(2)).contains("no edges"));
    assert!(refused(&|data| data.features = Features::Dense(DenseRows::default())).contains("no columns"));
    assert!(refused(&|data| data.fixed_split = Some(Split::default())).contains("no training nodes"));
}

#[rustfmt::skip]
const NASTY: [&str; 24] = [
    "id", "source", "target", "a,b", "\"", " x", "x ", "#1", "%", "é ü", "0", "01", "nan", "a;b", "\t", "日本", "1,567",
    "2.0", "2", "1.2E+11", "e\u{301}", "a\u{200b}", "\u{a0}b", "1234567890123456800",
];

fn datasets() -> impl Strategy<Value = Dataset> {
    let name = prop_oneof![proptest::sample::select(&NASTY[..]).prop_map(String::from), "[a-z0-9\", #\u{e9}.-]{1,6}"];
    let ids = prop_oneof![
        proptest::collection::hash_set(name.clone(), 2..9).prop_map(|names| names.into_iter().collect::<Vec<_>>()),
        (2usize..9).prop_map(|n| (0..n).map(|a| a.to_string()).collect()),
    ];
    let classes = proptest::collection::hash_set(name, 1..4).prop_map(|names| names.into_iter().collect::<Vec<_>>());
    (ids, classes, any::<u64>(), 0..3u8, any::<bool>()).prop_map(|(names, classes, seed, features, values)| {
        use bgcn_core::rng::{For, Random as _, Seed};
        let mut r = Seed::new(seed).at(For::Generate, [0; 3]);
        let n = names.len();
        let mut edges = vec![(0, 1)];
        edges.extend((0..n).map(|_| (r.below(n as u64) as u32, r.below(n as u64) as u32)));
        let built = Graph::build(n, &edges).unwrap();
        let mut number = || (r.below(3) > 0).then(|| (r.normal() * 10f64.powf(r.normal() * 8.0)) as f32);
        let features = match features {
            0 => Features::Identity(n),
            1 => {
                Features::Dense(DenseRows { columns: 3, values: (0..3 * n).map(|_| number().unwrap_or(0.0)).collect() })
            }
            _ => {
                let mut rows = SparseRows::new(4);
                (0..n).for_each(|_| rows.push_row(&mut [(0, number().unwrap_or(0.0)), (2, number().unwrap_or(0.0))]));
                Features::Sparse(rows)
            }
        };
        let mut real: Vec<Option<f32>> = (0..n).map(|_| number()).collect();
        real[0] = Some(7.0);
        let c = classes.len() as u32;
        let of = real.iter().map(|known| known.map(|value| value.to_bits() % c)).collect();
        let labels = if values { Labels::Values(real) } else { Labels::Classes { names: classes, of } };
        let mut known: Vec<u32> = (0..n as u32).filter(|&a| labels.is_known(a)).collect();
        r.shuffle(&mut known);
        let test = known.split_off(known.len().div_ceil(2));
        let list: Vec<(u32, u32)> = built.graph.edge_list().collect();
        let absent = (0..n as u32).flat_map(|a| (a + 1..n as u32).map(move |b| (a, b)));
        let missing = absent.filter(|&(a, b)| !built.graph.has_edge(a, b)).take(2).collect();
        Dataset {
            name: "folder".into(),
            edges_published: edges.len(),
            features,
            ids: NodeIds::from_names(names),
            fixed_split: (r.below(2) > 0).then(|| Split { train: known, validation: Vec::new(), test }),
            truth: (r.below(2) > 0).then(|| EdgeTruth { spurious: list[..1].to_vec(), missing }),
            node_names: match r.below(2) {
                0 => Vec::new(),
                _ => (0..n).map(|a| ["x, \"y\"", "", " Zoë ", "#1", "1.0"][a % 5].to_owned()).collect(),
            },
            blanks: Vec::new(),
            remarks: Vec::new(),
            feature_names: Vec::new(),
            labels,
            graph: built.graph,
            merged: built.merged,
        }
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_equal(data in datasets()) {
        let parent = tempfile::tempdir().unwrap();
        let dir = parent.path().join("folder");
        write(&data, &dir, false).unwrap();
        let back = read(&find(&dir).unwrap().0, &ReadOptions::default()).unwrap();
        prop_assert_eq!(back.name, data.name);
        prop_assert_eq!(back.node_names, data.node_names);
        prop_assert_eq!(back.graph, data.graph);
        prop_assert_eq!(back.features, data.features);
        prop_assert_eq!(back.labels, data.labels);
        prop_assert_eq!(back.ids, data.ids);
        prop_assert_eq!(back.fixed_split, data.fixed_split);
        prop_assert_eq!(back.truth, data.truth);
    }

    #[test]
    fn no_text_makes_the_reader_panic(edges in "[ab1#\",;\t\r\n .é-]{0,40}", features in "[ab1#\",;\t\n .-]{0,40}") {
        let files = [("edges.csv", edges.as_str()), ("features.csv", &features), ("labels.txt", &edges)];
        let _ = try_read(&files, &ReadOptions::default());
    }
}
