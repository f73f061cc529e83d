//! The files of the corpus that show what is the command's own: every reading option, files one by one, JSON, and
//! messages with options spelled as on the command line. The library's tests read all of the corpus.

use crate::command::Workplace;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Cases that are read, with every reading option among them.
const READ: [&str; 13] = [
    "features-isolated-allowed",
    "files-beside",
    "four-columns-named",
    "json-karate",
    "label-column-option",
    "json-active-columns",
    "label-kind-values",
    "no-ids-labels-and-features",
    "nodes-table-options",
    "pages-without-two",
    "size-line-header-no",
    "weight-column",
    "weight-threshold-2",
];

/// Cases that are refused, and options that the message spells.
const REFUSED: [(&str, &str); 7] = [
    ("isolated-most", "--allow-isolated"),
    ("four-columns", "--source-column 1 and --target-column 2"),
    ("label-column-unclear", "--label-column, by name"),
    ("labels-incomes", "--label-kind values reads them so, --label-kind classes as classes"),
    ("parquet", "bgcn.read("),
    ("towns-by-the-thousand", "Leave it out: --columns -town;"),
    ("size-line", "--header yes leaves it out, --header no reads it"),
];

/// A case by name, and the folder that its files are in.
fn case(name: &str) -> (PathBuf, Value) {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bgcn-files/tests");
    let corpora = std::fs::read_dir(tests).unwrap().map(|entry| entry.unwrap().path());
    let mut cases = corpora.filter_map(|corpus| {
        let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(corpus.join("expected.json")).ok()?).unwrap();
        Some((corpus, cases.into_iter().find(|case| case["case"] == name)?))
    });
    cases.next().expect(name)
}

/// The arguments that read a case.
fn arguments((corpus, case): &(PathBuf, Value)) -> Vec<String> {
    let mut words: Vec<String> = ["data", "info", "--json"].map(String::from).to_vec();
    for (part, file) in case["read"].as_object().unwrap() {
        words.extend((part != "path").then(|| format!("--{part}")));
        words.push(corpus.join(file.as_str().unwrap()).display().to_string());
    }
    for (option, value) in case["options"].as_object().into_iter().flatten() {
        words.push(format!("--{}", option.replace('_', "-")));
        match value {
            Value::Bool(_) => {}
            Value::String(text) => words.push(text.clone()),
            other => words.push(other.to_string()),
        }
    }
    words
}

#[test]
fn the_command_reads_files_with_every_option() {
    let place = Workplace::new();
    let mut options = BTreeSet::new();
    for name in READ {
        let case = case(name);
        let words = arguments(&case);
        let (_, case) = case;
        options.extend(case["options"].as_object().into_iter().flatten().map(|(key, _)| key.clone()));
        let info = place.bgcn(&words.iter().map(String::as_str).collect::<Vec<_>>()).succeeded().json();
        let counts: Map<String, Value> = info["class_counts"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|pair| pair[1] != 0)
            .map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].clone()))
            .collect();
        let columns = if info["feature_form"] == "identity" { json!(0) } else { info["features"].clone() };
        let expect = &case["expect"];
        let classes = expect.get("classes").cloned().unwrap_or_else(|| json!({}));
        let found = json!([info["nodes"], info["edges"], info["labelled"], columns, counts]);
        let wanted = json!([expect["nodes"], expect["edges"], expect["labelled"], expect["features"], classes]);
        assert_eq!(found, wanted, "{name}");
    }
    let all = ["header", "id_column", "label_column", "source_column", "target_column", "weight_column"];
    let more = ["weight_threshold", "label_kind", "allow_isolated", "columns", "no_ids"];
    let all = all.into_iter().chain(more).map(String::from);
    assert_eq!(options, all.collect());
}

#[test]
fn messages_spell_options_as_on_the_command_line() {
    let place = Workplace::new();
    for (name, option) in REFUSED {
        let words = arguments(&case(name));
        let done = place.bgcn(&words.iter().map(String::as_str).collect::<Vec<_>>());
        done.refused(&[option]);
    }
    place.file("w.csv", "a,b,0.5\n");
    let weighted = place.bgcn(&["data", "info", "w.csv"]).succeeded().stdout;
    assert!(weighted.contains("are ignored; --weight-threshold keeps edges by weight"), "{weighted}");
}

#[test]
fn a_fit_without_labels_names_the_column_that_may_be_one() {
    let (corpus, _) = case("sector-mostly-empty");
    let folder = corpus.join("sector-mostly-empty").display().to_string();
    let place = Workplace::new();
    let text = "no column is called label or class; is it `sector`? --label-column sector";
    place.bgcn(&["fit", &folder, "--out", "run"]).refused(&["has no labels", text]);
    assert!(place.bgcn(&["data", "info", &folder]).succeeded().stdout.contains(text));
}
