//! The public names of the library, as the source lists them. A new name is added to `surface.txt` on purpose.

/// Names behind `pub use`, `pub mod` and `pub fn`, with those of the module `findings`.
fn names(file: &str, text: &str) -> Vec<String> {
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join(" ");
    assert!(!code.contains("::*"), "{file}: every name is listed");
    let mut names = Vec::new();
    for statement in code.split(';').flat_map(|part| part.split_inclusive('{').map(str::trim)) {
        if let Some(module) = statement.strip_prefix("pub mod ") {
            names.push(format!("mod {module}"));
        }
    }
    for found in code.split("pub use ").skip(1) {
        let path = found.split(';').next().unwrap_or_default();
        let words = path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let last_of_list = path.contains('{');
        let words: Vec<&str> = words.collect();
        let start =
            if last_of_list { path[..path.find('{').unwrap_or(0)].matches("::").count() } else { words.len() - 1 };
        names.extend(words[start..].iter().filter(|word| **word != "read").map(|word| (*word).to_owned()));
    }
    for found in code.split("pub fn ").skip(1) {
        names.push(found.split(['(', '<']).next().unwrap_or_default().to_owned());
    }
    names.sort();
    names
}

#[test]
fn public_names_are_those_of_the_list() {
    let root = names("lib.rs", include_str!("../src/lib.rs"));
    let findings = names("findings.rs", include_str!("../src/findings.rs"));
    let found = format!("{}\n\nfindings:\n{}\n", root.join("\n"), findings.join("\n"));
    let listed = include_str!("surface.txt");
    assert_eq!(found, listed, "change crates/bgcn/tests/surface.txt if this is meant");
}
