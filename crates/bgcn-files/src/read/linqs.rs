//! The LINQS layout of Cora and CiteSeer: `NAME.content` and `NAME.cites` (Sen et al., 2008).
//!
//! A line of `NAME.content` is a paper: its id, one number per word, its class. A line of `NAME.cites` is a citation:
//! the cited paper, then the citing one, separated by white space. CiteSeer cites papers that have no content: those
//! citations cannot be used; they count in [`Dataset::edges_published`] only. No split comes with these files.

use std::collections::HashMap;
use std::path::Path;

use bgcn_core::data::first_repeat;
use bgcn_core::data::{BadInput, Dataset, Error, Features, Labels, NodeIds, SparseRows};
use bgcn_core::graph::Graph;

/// Reads `NAME.content` and `NAME.cites` in `dir`.
pub fn read(dir: &Path, name: &str) -> Result<Dataset, Error> {
    let files = ["content", "cites"].map(|part| dir.join(format!("{name}.{part}")));
    let missing: Vec<String> =
        files.iter().filter(|file| !file.is_file()).map(|file| file.display().to_string()).collect();
    if !missing.is_empty() {
        let found = missing.join(" and ");
        return Err(Error::NotFound(format!(
            "reading {name} in the LINQS layout: {found} not found; both files are needed"
        )));
    }
    let [content_file, cites_file] = files;
    let Content { ids, features, classes } = content(&content_file, &load(&content_file)?)?;
    let number: HashMap<&str, u32> = ids.iter().map(String::as_str).zip(0..).collect();
    if number.len() != ids.len() {
        return Err(repeated_id(&content_file, &ids).into());
    }
    let (given, edges) = cites(&cites_file, &load(&cites_file)?, &number)?;
    let built = Graph::build(ids.len(), &edges)?;
    Ok(Dataset {
        edges_published: given,
        features: Features::Sparse(features),
        labels: Labels::from_names(&classes),
        ids: NodeIds::from_names(ids),
        ..Dataset::of_graph(name, built)
    })
}

struct Content {
    ids: Vec<String>,
    features: SparseRows,
    classes: Vec<Option<String>>,
}

/// A file as text. The published ones are ASCII, but names may have other encodings.
fn load(file: &Path) -> Result<String, Error> {
    let bytes = crate::files::read(file).map_err(Error::io("reading", file))?;
    Ok(String::from_utf8(bytes).unwrap_or_else(|e| e.into_bytes().into_iter().map(char::from).collect()))
}

fn repeated_id(file: &Path, ids: &[String]) -> BadInput {
    let (before, again) = first_repeat(ids).expect("some id is there twice");
    let found = format!("paper {:?} again, after paper {} of the file", ids[again], before + 1);
    BadInput::new(file, format!("paper {}", again + 1), found)
        .allowed("each paper has one line")
        .next("Remove one of them")
}

fn content(file: &Path, text: &str) -> Result<Content, BadInput> {
    let mut content = Content { ids: Vec::new(), features: SparseRows::default(), classes: Vec::new() };
    let mut entries = Vec::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    for (i, line) in lines {
        let bad = |found: String, allowed: String| {
            let next = "Is this the .content file of a LINQS download?";
            BadInput::new(file, format!("line {}", i + 1), found).allowed(allowed).next(next)
        };
        let mut fields = line.split_ascii_whitespace();
        let (Some(id), Some(class)) = (fields.next(), fields.next_back()) else {
            return Err(bad("a single field".into(), "an id, the words and a class are needed".into()));
        };
        let mut columns = 0;
        entries.clear();
        for field in fields {
            match field.parse::<f32>() {
                Ok(value) if value.is_finite() => entries.push((columns, value)),
                _ => return Err(bad(format!("word {columns} is {field:?}"), "finite numbers are needed".into())),
            }
            columns += 1;
        }
        if content.ids.is_empty() {
            content.features = SparseRows::new(columns as usize);
        } else if columns as usize != content.features.columns {
            let allowed = format!("the first paper has {}", content.features.columns);
            return Err(bad(format!("{columns} words"), allowed));
        }
        content.features.push_row(&mut entries);
        content.ids.push(id.to_owned());
        content.classes.push(Some(class.to_owned()));
    }
    if content.ids.is_empty() {
        return Err(BadInput::new(file, "", "no papers").allowed("one line per paper is needed"));
    }
    Ok(content)
}

/// How many citations there are, and as (cited, citing) those among papers with content.
fn cites(file: &Path, text: &str, number: &HashMap<&str, u32>) -> Result<(usize, Vec<(u32, u32)>), BadInput> {
    let (mut given, mut edges) = (0, Vec::new());
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let mut fields = line.split_ascii_whitespace();
        let (Some(cited), Some(citing), None) = (fields.next(), fields.next(), fields.next()) else {
            let found = format!("{:?}", line.chars().take(60).collect::<String>());
            let bad = BadInput::new(file, format!("line {}", i + 1), found);
            return Err(bad.allowed("two ids are needed").next("Is this the .cites file of a LINQS download?"));
        };
        given += 1;
        if let (Some(&a), Some(&b)) = (number.get(cited), number.get(citing)) {
            edges.push((a, b));
        }
    }
    if given > 0 && edges.is_empty() {
        let bad = BadInput::new(file, "", format!("{given} citations, none between papers of the .content file"));
        return Err(bad.allowed("ids must be the same in both files").next("Are both from one download?"));
    }
    Ok((given, edges))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bgcn_core::graph::Merged;

    fn tiny(content: &str, cites: &str) -> Result<Dataset, Error> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("tiny.content"), content).unwrap();
        std::fs::write(dir.path().join("tiny.cites"), cites).unwrap();
        read(dir.path(), "tiny")
    }

    const CONTENT: &str = "p9\t0\t1\tTheory\n100\t1\t0\tAgents\nlee\t0\t0\tTheory\n";

    #[test]
    fn papers_words_classes_and_citations_arrive() {
        let data = tiny(CONTENT, "p9\t100\n100 p9\nlee lee\nlee p9\nunknown lee\n").unwrap();
        assert_eq!(data.graph.edge_list().collect::<Vec<_>>(), [(0, 1), (0, 2)]);
        assert_eq!(data.merged, Merged { given: 4, self_loops: 1, duplicates: 0, reciprocal: 1 });
        assert_eq!(data.edges_published, 5, "the citation of a paper without content counts");
        assert_eq!(data.ids, NodeIds::Named(["p9", "100", "lee"].map(String::from).to_vec()));
        let Labels::Classes { names, of } = &data.labels else { unreachable!() };
        assert_eq!((&names[..], &of[..]), (&["Agents".into(), "Theory".into()][..], &[Some(1), Some(0), Some(1)][..]));
        let x = SparseRows { columns: 2, offsets: vec![0, 1, 2, 2], indices: vec![1, 0], values: vec![1.0, 1.0] };
        assert_eq!(data.features, Features::Sparse(x));
        assert!(data.fixed_split.is_none());
    }

    #[test]
    fn each_error_names_its_line() {
        for (content, cites, wanted) in [
            ("p 0 1 A\nq 0 A\n", "", "tiny.content, line 2: 1 words; the first paper has 2"),
            ("p 0 x A\n", "", "line 1: word 1 is \"x\""),
            ("p nan A\n", "", "line 1: word 0 is \"nan\""),
            ("p\n", "", "line 1: a single field"),
            ("\n", "", "no papers"),
            ("p 0 A\np 0 A\n", "", "paper 2: paper \"p\" again, after paper 1"),
            ("p 0 A\n", "p q r\n", "tiny.cites, line 1"),
            ("p 0 A\n", "x y\n", "none between papers"),
        ] {
            let message = tiny(content, cites).unwrap_err().to_string();
            assert!(message.contains(wanted), "{message}");
        }
    }

    #[test]
    fn a_missing_file_is_named() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("tiny.content"), CONTENT).unwrap();
        let message = read(dir.path(), "tiny").unwrap_err().to_string();
        assert!(message.contains("tiny.cites") && !message.contains("tiny.content"), "{message}");
    }
}
