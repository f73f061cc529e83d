//! Labels: a node and its class or number per row; an empty label, or no row, is an unlabelled node.
//!
//! Comments above the first row settle what the rows leave open: `# classes: b,a,"c, d"` lists the classes in their
//! order, members or not, and `# values` says that whole numbers are real values.

use super::LabelKind;
use super::lines::{Header, Table, is_id_word, plain_word};
use super::names::Names;
use crate::data::{Error, Labels};
use std::borrow::Cow;

/// The labels as written, by node, with their lines; 0 where a node has none.
pub(super) struct Words<'a> {
    pub(super) header: Option<Header<'a>>,
    words: Vec<(usize, Cow<'a, str>)>,
}

/// Reads `id,label` rows; nodes are numbered in their order.
pub(super) fn read<'a>(table: &Table<'a>, names: &mut Names<'a>) -> Result<Words<'a>, Error> {
    let first = table.rows().next().expect("a table has a first row");
    if table.width != 2 {
        let bad = table.bad(first.line, format!("{} columns", table.width)).allowed("labels have two: node, label");
        return Err(bad.next("Remove the others; quote labels that contain the delimiter.").into());
    }
    let header = table.header(1, |words| {
        let label_words = ["label", "labels", "class", "y", "category", "target", "value"];
        is_id_word(&words[0]) || label_words.contains(&plain_word(&words[1]).as_str())
    })?;
    let mut words: Vec<(usize, Cow<'a, str>)> = Vec::new();
    let mut fields = Vec::new();
    for row in table.rows().skip(usize::from(header.is_some())) {
        table.split(row, &mut fields)?;
        let (id, label) = (std::mem::take(&mut fields[0]), std::mem::take(&mut fields[1]));
        if id.is_empty() {
            let bad = table.bad(row.line, format!("the label {label:?} without a node"));
            return Err(bad.allowed("a row is node, label").next("Fill in the node, or remove the row.").into());
        }
        let node = names.node(id) as usize;
        if node == words.len() {
            words.push((row.line, label));
        } else if words[node].1 != label {
            let (line, other) = &words[node];
            let name = names.name(node as u32);
            let found = format!("node {name:?} has the label {label:?}, but {other:?} on line {line}");
            return Err(table
                .bad(row.line, found)
                .allowed("a node has one label")
                .next("Remove one of the rows.")
                .into());
        }
    }
    Ok(Words { header, words })
}

impl Words<'_> {
    /// How many nodes have a row: they are the first ones.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The labels of all `nodes`, as classes or numbers.
    pub(super) fn labels(&self, table: &Table<'_>, nodes: usize, kind: LabelKind) -> Result<Labels, Error> {
        let written = |(_, word): &(usize, Cow<'_, str>)| (!word.is_empty()).then(|| word.to_string());
        let mut words: Vec<Option<String>> = self.words.iter().map(written).collect();
        words.resize(nodes, None);
        let listed = table.listed("classes:")?;
        let values = table.comment("values").is_some_and(|(_, rest)| rest.is_empty());
        match kind {
            LabelKind::Auto | LabelKind::Classes if listed.is_some() => {
                self.listed_classes(table, &words, listed.unwrap_or_default())
            }
            LabelKind::Auto if values => self.values(table, &words),
            LabelKind::Auto => {
                self.refuse_missing_value_words(table, &words)?;
                if are_values(&words) { self.values(table, &words) } else { Ok(classes(&words)) }
            }
            LabelKind::Classes => Ok(classes(&words)),
            LabelKind::Values => self.values(table, &words),
        }
    }

    fn listed_classes(&self, table: &Table<'_>, words: &[Option<String>], names: Vec<String>) -> Result<Labels, Error> {
        let index: std::collections::HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
        if index.len() < names.len() {
            let (line, _) = table.comment("classes:").expect("the list came from there");
            let bad = table.bad(line, "a class is listed twice").allowed("each class is listed once");
            return Err(bad.next("Remove the repetition.").into());
        }
        let class = |(node, word): (usize, &Option<String>)| {
            let Some(word) = word else { return Ok(None) };
            index.get(word.as_str()).copied().map(Some).ok_or_else(|| {
                let bad = table.bad(self.words[node].0, format!("class {word:?} is not in the list of classes"));
                bad.allowed("the comment \"# classes:\" lists all").next("Add it there, or remove the comment.").into()
            })
        };
        let of: Result<Vec<Option<u32>>, Error> = words.iter().enumerate().map(class).collect();
        let of = of?;
        Ok(Labels::Classes { names, of })
    }

    fn values(&self, table: &Table<'_>, words: &[Option<String>]) -> Result<Labels, Error> {
        let value = |(node, word): (usize, &Option<String>)| {
            let Some(word) = word else { return Ok(None) };
            word.parse().ok().filter(|value: &f32| value.is_finite()).map(Some).ok_or_else(|| {
                let bad = table.bad(self.words[node].0, format!("the label {word:?} is not a number"));
                let allowed = "the labels are read as real values, finite and written as 0.5";
                bad.allowed(allowed).next("Correct it, leave it empty, or read the labels as classes.").into()
            })
        };
        let values: Result<Vec<Option<f32>>, Error> = words.iter().enumerate().map(value).collect();
        values.map(Labels::Values)
    }

    /// Among numbers, `nan` or `null` is no class of its own but a value that is not there.
    fn refuse_missing_value_words(&self, table: &Table<'_>, words: &[Option<String>]) -> Result<(), Error> {
        let missing =
            |word: &str| ["nan", "na", "n/a", "null", "none", "inf", "-inf"].contains(&word.to_lowercase().as_str());
        let mut found = None;
        for (node, word) in words.iter().enumerate().filter_map(|(node, word)| Some((node, word.as_ref()?))) {
            if missing(word) {
                found = found.or(Some((node, word)));
            } else if number(word).is_none() {
                return Ok(());
            }
        }
        let Some((node, word)) = found else { return Ok(()) };
        let bad = table.bad(self.words[node].0, format!("the label {word:?} among numbers"));
        Err(bad
            .allowed("an empty label means unlabelled")
            .next("Leave it empty, or read the labels as classes.")
            .into())
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Whether all labels are numbers and at least one has a fraction.
fn are_values(words: &[Option<String>]) -> bool {
    let mut fraction = false;
    for word in words.iter().flatten() {
        match number(word) {
            Some(value) => fraction |= value.fract() != 0.0,
            None => return false,
        }
    }
    fraction
}

/// Classes by sorted name. Where all are whole numbers, 1.0 is the class 1: pandas writes it so beside missing labels.
fn classes(words: &[Option<String>]) -> Labels {
    fn whole(word: &str) -> Option<&str> {
        let whole = match word.split_once('.') {
            Some((whole, zeros)) if zeros.bytes().all(|byte| byte == b'0') => whole,
            _ => word,
        };
        whole.parse::<i64>().is_ok().then_some(whole)
    }
    if words.iter().flatten().all(|word| whole(word).is_some()) {
        let words: Vec<_> = words.iter().map(|word| Some(whole(word.as_ref()?)?.to_owned())).collect();
        return Labels::from_names(&words);
    }
    Labels::from_names(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_values_only_with_a_fraction_and_pandas_floats_are_classes() {
        let words = |words: &[&str]| words.iter().map(|w| (!w.is_empty()).then(|| w.to_string())).collect::<Vec<_>>();
        assert!(are_values(&words(&["1", "", "2.5"])));
        assert!(!are_values(&words(&["1.0", "", "2"])));
        assert!(!are_values(&words(&["a", "1.5"])));
        assert!(!are_values(&words(&["nan", "1.5"])));
        let expected = Labels::Classes { names: vec!["1".into(), "10".into()], of: vec![Some(1), None, Some(0)] };
        assert_eq!(classes(&words(&["10.0", "", "1.0"])), expected);
        assert_eq!(classes(&words(&["10", "", "1"])), expected);
    }
}
