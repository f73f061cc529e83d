//! Files as people have them, through the command: what it reads, what it says, what it refuses.

use crate::command::Workplace;
use serde_json::{Value, json};
use std::path::Path;

/// The arguments that read a case; `None` where `data info` has no such option.
fn arguments(case: &Value, corpus: &Path) -> Option<Vec<String>> {
    let mut words: Vec<String> = ["data", "info", "--json"].map(String::from).to_vec();
    for (part, file) in case["read"].as_object().unwrap() {
        let file = corpus.join(file.as_str().unwrap()).display().to_string();
        match part.as_str() {
            "path" => words.push(file),
            "split" => return None,
            part => words.extend([format!("--{part}"), file]),
        }
    }
    for (option, value) in case["options"].as_object().into_iter().flatten() {
        words.push(format!("--{}", option.replace('_', "-")));
        match value {
            Value::Bool(_) => {}
            Value::String(text) => words.push(text.clone()),
            other => words.push(other.to_string()),
        }
    }
    Some(words)
}

#[test]
fn the_command_reads_or_refuses_every_file_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bgcn-files/tests/corpus");
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(corpus.join("expected.json")).unwrap()).unwrap();
    let place = Workplace::new();
    let mut wrong = Vec::new();
    for case in &cases {
        let Some(words) = arguments(case, &corpus) else { continue };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let done = place.bgcn(&words);
        let mut missing = |found: &str, wanted: &Value| {
            for word in wanted.as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !found.to_lowercase().contains(&word.to_lowercase()) {
                    wrong.push(format!("{}: {found:?} lacks {word:?}", case["case"]));
                }
            }
        };
        if let Some(refuse) = case.get("refuse") {
            let error = done.refused(&[]).stderr;
            missing(&error, refuse);
            continue;
        }
        let (info, expect) = (done.succeeded().json(), &case["expect"]);
        missing(&info["remarks"].to_string(), &expect["remarks"]);
        let counts: serde_json::Map<String, Value> = info["class_counts"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|pair| pair[1] != 0)
            .map(|pair| (pair[0].as_str().unwrap().to_owned(), pair[1].clone()))
            .collect();
        let columns = if info["feature_form"] == "identity" { json!(0) } else { info["features"].clone() };
        let found = json!([info["nodes"], info["edges"], info["labelled"], columns, counts]);
        let classes = expect.get("classes").cloned().unwrap_or_else(|| json!({}));
        let expected = json!([expect["nodes"], expect["edges"], expect["labelled"], expect["features"], classes]);
        if found != expected {
            wrong.push(format!("{}: found {found}, expected {expected}", case["case"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
