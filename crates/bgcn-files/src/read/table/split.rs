//! A split: a node and its set per row.

use super::header::{Head, Verdict, is_id_word, is_index_word, plain_word};
use super::lines::Table;
use super::text::Text;
use crate::read::Header;
use bgcn_core::data::{Dataset, Error, Split, SplitKind};
use std::borrow::Cow;
use std::path::Path;

/// Reads rows `id,set` with the sets train, validation (or val, valid) and test, in the order of the file.
pub fn read(path: &Path, data: &Dataset) -> Result<Split, Error> {
    let text = Text::read(path)?;
    let table = Table::new(&text)?;
    let first = table.rows().next().expect("a table has a first row");
    if table.width != 2 {
        let bad = table.bad(first.line, format!("{} columns", table.width)).allowed("a split has two: node, set");
        return Err(bad.next("Remove the others, as in id,train.").into());
    }
    let index = data.ids.index();
    let known = |words: &[Cow<'_, str>]| {
        let sets = ["set", "split", "fold", "subset", "part", "mask"];
        let known = is_id_word(&words[0]) || is_index_word(&words[0]) || sets.contains(&plain_word(&words[1]).as_str());
        known.then_some(Verdict::Known)
    };
    let mut head = Head::look(&table, Header::Auto, false, &[0], known)?;
    head.check(&table, &[0], |name| index.contains_key(name))?;
    // Unknown words that are neither a node nor a set are a header.
    if head.verdict == Verdict::Open && (index.contains_key(&head.words[0]) || set_of(&head.words[1]).is_some()) {
        head.verdict = Verdict::Data;
    }
    let mut split = Split::default();
    let mut line_of = vec![0; data.nodes()];
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(head.is_apart())) {
        table.split(row, &mut fields)?;
        let (id, word) = (&fields[0], &fields[1]);
        let bad = |found: String| table.bad(row.line, found);
        let Some(&node) = index.get(id) else {
            let bad = bad(format!("node {id:?} is not in {}", data.name)).allowed("only its nodes can be in a set");
            return Err(bad.next("Correct the node, or remove the row.").into());
        };
        let Some(set) = set_of(word) else {
            let bad = bad(format!("the set {word:?}")).allowed("sets are train, validation and test");
            return Err(bad.next("Correct it; leave out nodes that are in none.").into());
        };
        let earlier = std::mem::replace(&mut line_of[node as usize], row.line);
        if earlier > 0 {
            let bad = bad(format!("node {id:?} is in a set on line {earlier} already")).allowed("a node is in one set");
            return Err(bad.next("Remove one of the rows.").into());
        }
        if !data.labels.is_known(node) {
            let bad = bad(format!("node {id:?} has no label")).allowed("sets hold labelled nodes");
            return Err(bad.next("Label the node, or remove the row.").into());
        }
        match set {
            0 => split.train.push(node),
            1 => split.validation.push(node),
            _ => split.test.push(node),
        }
    }
    if split.train.is_empty() {
        let bad = table.bad(first.line, "no training node in the whole file").allowed("at least one is needed");
        return Err(bad.next("Add rows such as id,train.").into());
    }
    Ok(split)
}

/// The kind of split that a file of these rows gives; results call it by its whole path.
pub fn read_kind(path: &Path, data: &Dataset) -> Result<SplitKind, Error> {
    let whole = std::path::absolute(path).map_err(Error::io("reading", path))?;
    Ok(SplitKind::Given { name: whole.display().to_string(), split: read(&whole, data)? })
}

/// 0, 1 or 2 for training, validation and test.
fn set_of(word: &str) -> Option<usize> {
    match word.to_lowercase().as_str() {
        "train" | "training" => Some(0),
        "validation" | "val" | "valid" => Some(1),
        "test" => Some(2),
        _ => None,
    }
}
