//! Files and requests that need more memory than there is: refused before the work, with the number.

use super::Run;
use crate::command::Workplace;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

/// The command with 700 MB of address space.
fn bounded(place: &Workplace, words: &[&str]) -> Run {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 700000 && exec \"$@\"", "sh", env!("CARGO_BIN_EXE_bgcn")]).args(words);
    command.current_dir(place.path()).env_remove("BGCN_DATA").env("XDG_CACHE_HOME", place.path());
    Run::from(command.output().unwrap())
}

#[test]
fn a_graph_that_needs_more_memory_than_there_is_is_refused_with_what_would_fit() {
    let place = Workplace::new();
    let mut edges = String::from("source,target\n");
    (0..250_000).for_each(|a| writeln!(edges, "{a},{}", a + 1).unwrap());
    place.file("path/edges.csv", edges);
    let labels: String = (0..40).map(|a| format!("{a},{}\n", ["a", "b"][a % 2])).collect();
    place.file("path/labels.csv", format!("node,label\n{labels}"));
    let reproduce = ["reproduce", "path", "--runs", "1", "--methods", "gcn+copying", "--labels-per-class", "2"];
    let cases: [&[&str]; 4] = [
        &["fit", "path", "--labels-per-class", "2", "--split", "random"],
        &["graph", "fit", "path", "--communities", "400", "--start", "agglomerate", "--out", "model"],
        &["data", "generate", "--nodes", "40000000", "--out", "made"],
        &reproduce,
    ];
    let mut edges = String::from("source,target\n");
    (0..1_500_000).for_each(|a| writeln!(edges, "{a},{}", a + 1).unwrap());
    place.file("longer.csv", edges);
    let judged: &[&str] = &["edges", "--edges", "longer.csv"];
    for words in cases.into_iter().chain([judged]) {
        let run = bounded(&place, words).failed("would fit");
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        assert!(run.stderr.contains("available"), "{words:?}: {}", run.stderr);
    }
    for name in ["model", "made", "bgcn-runs"] {
        assert!(!place.path().join(name).exists(), "{name}");
    }
}

#[test]
fn a_small_file_that_unpacks_to_more_than_there_is_is_refused() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\n1,2\n2,3\n");
    let part = "1,2\n".repeat(2_500_000);
    for (tool, name) in [("gzip", "bomb.csv.gz"), ("zstd", "bomb.csv.zst")] {
        place.file("part", &part);
        let mut command = Command::new(tool);
        command.args(["-c", "part"]).current_dir(place.path()).stdout(Stdio::piped());
        // Files one after another are one file: 1 GB in all.
        let Ok(packed) = command.output() else { return eprintln!("skipped: there is no {tool}") };
        place.file(name, packed.stdout.repeat(100));
        let beside = ["fit", "--edges", "edges.csv", "--features", name];
        for words in [&["data", "info", name][..], &["fit", "--edges", name], &beside] {
            let run = bounded(&place, words).failed("not memory for more");
            assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
        }
    }
}

/// Bytes as gzip packs them, from a file in the place.
fn gzip(place: &Workplace, content: &[u8]) -> Option<Vec<u8>> {
    place.file("part", content);
    let mut command = Command::new("gzip");
    command.args(["-nc", "part"]).current_dir(place.path()).stdout(Stdio::piped());
    let output = command.output().inspect_err(|error| eprintln!("skipped: there is no gzip: {error}"));
    output.ok().map(|output| output.stdout)
}

/// A zip archive of one deflated entry, made of what gzip packs.
fn zip(name: &str, gzip: &[u8]) -> Vec<u8> {
    let (packed, last) = (&gzip[10..gzip.len() - 8], &gzip[gzip.len() - 8..]);
    let (crc, size) = last.split_at(4);
    let sizes = [crc, &(packed.len() as u32).to_le_bytes(), size, &(name.len() as u16).to_le_bytes(), &[0, 0]].concat();
    let common = [&[20, 0, 0, 0, 8, 0, 0, 0, 0, 0][..], &sizes].concat();
    let local = [&b"PK\x03\x04"[..], &common, name.as_bytes(), packed].concat();
    let entry = [&b"PK\x01\x02\x14\0"[..], &common, &[0; 14], name.as_bytes()].concat();
    let ends = [entry.len() as u32, local.len() as u32].map(u32::to_le_bytes).concat();
    [&local[..], &entry, b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &ends, &[0, 0]].concat()
}

#[test]
fn small_files_whose_content_takes_much_more_are_refused() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\n1,2\n2,3\n");
    let mut array = b"\x93NUMPY\x01\0v\0{'descr': '|u1', 'fortran_order': False, 'shape': (2, 40000000), }".to_vec();
    array.resize(127, b' ');
    array.push(b'\n');
    array.resize(128 + 80_000_000, 0);
    let json = format!("{{\"nodes\": [{}0], \"links\": []}}", "0,".repeat(20_000_000));
    let cases = [
        ("fields", b",".repeat(20_000_000), "a line of 20000001 fields: about 10.0 GB"),
        ("comment", [b"# classes: ", &b",".repeat(20_000_000)[..], b"\n1,2\n"].concat(), "a line of 20000003 fields"),
        ("lines", [b"1,2\n", &b"\n".repeat(20_000_000)[..]].concat(), "20000002 lines: about 4.0 GB"),
        ("values", json.into_bytes(), "values: about 1.5 GB"),
        ("array.npz", array, "an array must fit into memory"),
    ];
    for (name, content, wanted) in cases {
        let Some(mut packed) = gzip(&place, &content) else { return };
        if name.ends_with(".npz") {
            packed = zip("edge_index.npy", &packed);
        }
        place.file(name, &packed);
        let features = ["data", "info", "--edges", "edges.csv", "--features", name];
        let graph = ["data", "info", name];
        let words = if ["fields", "lines"].contains(&name) { &features[..] } else { &graph };
        let run = bounded(&place, words).failed(wanted);
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
    }
}

#[test]
fn numbers_and_names_of_columns_ask_for_no_memory() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\na,b\nb,c\nc,a\n");
    place.file("labels.csv", "id,label\na,x\nb,y\n");
    place.file("features.csv", "id,column,value\na,4294967290,1\nb,1000000000,1\nc,4294967290,2\n");
    let files = ["--edges", "edges.csv", "--labels", "labels.csv", "--features", "features.csv"];
    let info = bounded(&place, &[&["data", "info", "--json"], &files[..]].concat()).succeeded().json();
    assert_eq!((&info["features"], &info["feature_names"]), (&2.into(), &["1000000000", "4294967290"][..].into()));
    let fit = ["fit", "--out", "run", "--split", "all", "--epochs", "2", "--no-baseline"];
    bounded(&place, &[&fit[..], &files].concat()).succeeded();
    // Later data has one of the columns, and another.
    place.file("features.csv", "id,column,value\na,4294967290,1\nb,7,1\nc,4294967290,2\n");
    let later = bounded(&place, &[&["predict", "run"], &files[..2], &files[4..]].concat()).succeeded();
    assert!(later.stderr.contains("hold nothing here: 1 of 2"), "{}", later.stderr);
    // A node of its own attribute each.
    let (mut keys, mut nodes, mut json) = (String::new(), String::new(), Vec::new());
    for a in 0..20_000 {
        writeln!(keys, "<key id='k{a}' for='node' attr.name='k{a}' attr.type='int'/>").unwrap();
        writeln!(nodes, "<node id='{a}'><data key='k{a}'>1</data></node>").unwrap();
        json.push(format!("{{\"id\": {a}, \"k{a}\": 1}}"));
    }
    let edge = "<edge source='0' target='1'/>";
    place.file("each.graphml", format!("<graphml>{keys}<graph>{nodes}{edge}</graph></graphml>"));
    let links = "\"links\": [{\"source\": 0, \"target\": 1}]";
    place.file("each.json", format!("{{\"nodes\": [{}], {links}}}", json.join(",")));
    for name in ["each.graphml", "each.json"] {
        let run = bounded(&place, &["data", "info", name]).failed("20000 of 20000 attributes have a value at one node");
        assert_eq!(run.code, 2);
    }
}

#[test]
fn sizes_that_a_matrix_promises_are_asked_for() {
    let place = Workplace::new();
    for (sizes, codes) in [("10000000 10000000 1", &[0, 2][..]), ("3000000000 3000000000 1", &[2]), ("3 3 1", &[0])] {
        place.file("x.mtx", format!("%%MatrixMarket matrix coordinate pattern general\n{sizes}\n1 2\n"));
        let run = bounded(&place, &["data", "info", "x.mtx"]).without_panic();
        assert!(codes.contains(&run.code), "{sizes}: {} {}", run.code, run.stderr);
    }
}

#[test]
fn nothing_without_an_end_is_read() {
    let place = Workplace::new();
    place.file("edges.csv", "source,target\na,b\nb,c\n");
    let cases: [&[&str]; 10] = [
        &["fit", "/dev/zero"],
        &["fit", "--edges", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--nodes", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--labels", "/dev/zero"],
        &["fit", "--edges", "edges.csv", "--features", "/dev/zero"],
        &["fit", "karate", "--config", "/dev/zero"],
        &["reproduce", "karate", "--variants", "/dev/zero"],
        &["predict", "/dev/zero"],
        &["edges", "/dev/zero"],
        &["data", "convert", "/dev/zero", "--out", "new"],
    ];
    for words in cases {
        let run = bounded(&place, words).failed("a device");
        assert_eq!(run.code, 2, "{words:?}: {}", run.stderr);
    }
}
