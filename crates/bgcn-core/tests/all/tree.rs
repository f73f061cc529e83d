//! The shape of the library: a folder uses only those before it.

use std::collections::BTreeSet;
use std::path::Path;

/// Folders and files of the crate, from what everything stands on to what stands on everything.
const ORDER: [&str; 14] = [
    "error",
    "checked",
    "setting",
    "rng",
    "memory",
    "kernels",
    "metrics",
    "data",
    "graph",
    "graph_model",
    "network",
    "recipe",
    "posterior",
    "links",
];

/// Who uses what comes later, and why.
const EXCEPTIONS: [(&str, &str, &str); 5] = [
    ("data", "graph", "a dataset holds its graph"),
    ("kernels", "graph", "products follow the pattern of Â"),
    ("metrics", "data", "predictions are judged by labels"),
    ("recipe", "posterior", "Plan::fit is a short way to a fit"),
    ("recipe", "links", "which may leave doubted edges out"),
];

/// The modules after `use crate::`, in code that is not a test's.
fn used(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let statements = code.lines().enumerate().filter(|(_, line)| line.contains("use crate::")).map(|(i, _)| {
        let from: String = code.lines().skip(i).collect::<Vec<_>>().join(" ");
        let (_, after) = from.split_once("use crate::").expect("the line holds it");
        after.split(';').next().unwrap_or(after).to_owned()
    });
    statements.flat_map(|statement| modules(&statement)).collect()
}

/// `graph` of `graph::Graph`, and `data` and `graph` of `{data::Labels, graph::Graph}`.
fn modules(statement: &str) -> Vec<String> {
    let (mut depth, mut parts) = (0, vec![String::new()]);
    let inner = statement.strip_prefix('{').map_or(statement, |rest| rest.trim_end().trim_end_matches('}'));
    for c in inner.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().expect("there is always one").push(c),
        }
    }
    let module = |part: String| part.trim().split("::").next().unwrap_or("").to_owned();
    parts.into_iter().map(module).filter(|name| name.starts_with(char::is_lowercase)).collect()
}

fn visit(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") && path.file_stem().is_none_or(|stem| stem != "tests")
        {
            found.push((path.to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn a_folder_uses_only_those_before_it() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/src/");
    let (mut files, mut exceptions) = (Vec::new(), BTreeSet::new());
    visit(Path::new(source), &mut files);
    for (path, text) in files {
        let inside = &path[source.len()..];
        let name = inside.split(['/', '.']).next().unwrap();
        if name == "lib" {
            continue;
        }
        let place = |name: &str| {
            let known = ORDER.iter().position(|known| *known == name);
            known.unwrap_or_else(|| panic!("{inside}: where does {name} stand in ORDER?"))
        };
        for other in used(&text).into_iter().filter(|other| place(other) > place(name)) {
            let known = EXCEPTIONS.iter().find(|(from, to, _)| (*from, *to) == (name, &other));
            exceptions.insert(*known.unwrap_or_else(|| panic!("{inside} uses {other}, which comes after {name}")));
        }
    }
    assert_eq!(exceptions, EXCEPTIONS.into_iter().collect(), "exceptions that are none any more");
}

#[test]
fn uses_are_read_on_one_line_and_on_several() {
    let text = "use crate::graph::Graph;\npub(crate) use crate::{Checked, data::{Labels, Split},\n  rng::Seed};\n\
                use std::fmt;\n";
    assert_eq!(used(text).into_iter().collect::<Vec<_>>(), ["data", "graph", "rng"]);
    assert!(used("#[cfg(test)]\nmod tests {\n    use crate::run;\n}").is_empty());
}
