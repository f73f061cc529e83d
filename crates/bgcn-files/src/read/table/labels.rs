//! Labels as classes or numbers; an empty label, one such as NA, or no row is an unlabelled node.
//!
//! Comments above the first row settle what the rows leave open: `# classes: b,a,"c, d"` lists the classes in their
//! order, members or not, and `# values` makes whole numbers real values.

use super::header::is_missing;
use super::lines::Table;
use crate::read::LabelKind;
use bgcn_core::data::{BadInput, Error, Labels};
use std::borrow::Cow;

/// Labels as written: of some nodes, with the place of each in its file.
pub(in crate::read) struct Words<'a> {
    /// Node, place in the file, label; a node occurs once.
    pub(in crate::read) words: Vec<(u32, usize, Cow<'a, str>)>,
    /// The comments of the file.
    pub(in crate::read) listed: Option<(usize, Vec<String>)>,
    pub(in crate::read) values: bool,
}

impl<'a> Words<'a> {
    /// The labels of a table, with its comments.
    pub(super) fn of(table: &Table<'a>, words: Vec<(u32, usize, Cow<'a, str>)>) -> Result<Self, Error> {
        let line = table.comment("classes:").map_or(0, |(line, _)| line);
        let listed = table.listed("classes:")?.map(|names| (line, names));
        let values = table.comment("values").is_some_and(|(_, rest)| rest.is_empty());
        Ok(Self { words, listed, values })
    }

    /// The labels of all `nodes`; `bad` complains about a place of the file, which is called `name`.
    pub(in crate::read) fn labels(
        self,
        nodes: usize,
        kind: LabelKind,
        name: &str,
        bad: &dyn Fn(usize, String) -> BadInput,
        remarks: &mut Vec<String>,
    ) -> Result<Labels, Error> {
        let is_listed = self.listed.is_some() && kind != LabelKind::Values;
        let unknown = |word: &str| if is_listed { word.is_empty() } else { is_missing(word) };
        let mut of: Vec<Option<(usize, Cow<'a, str>)>> = vec![None; nodes];
        let mut missing = 0;
        let mut example = None;
        for (node, place, word) in self.words {
            if !unknown(&word) {
                of[node as usize] = Some((place, word));
            } else if !word.is_empty() {
                missing += 1;
                example = example.or(Some(word));
            }
        }
        if let Some(example) = example {
            remarks.push(format!("{name}: {missing} labels such as {example:?} count as unknown"));
        }
        match (kind, self.listed) {
            (LabelKind::Auto | LabelKind::Classes, Some((line, names))) => listed_classes(&of, line, names, bad),
            (LabelKind::Classes, None) => Ok(classes(&of)),
            (LabelKind::Auto, None) if !self.values && !are_values(&of) => Ok(classes(&of)),
            _ => values(&of, bad),
        }
    }
}

/// A label of each node, with its place.
type Cells<'a> = [Option<(usize, Cow<'a, str>)>];

fn listed_classes(
    of: &Cells<'_>,
    line: usize,
    names: Vec<String>,
    bad: &dyn Fn(usize, String) -> BadInput,
) -> Result<Labels, Error> {
    let index: std::collections::HashMap<&str, u32> = names.iter().map(String::as_str).zip(0..).collect();
    if index.len() < names.len() {
        let bad = bad(line, "a class is listed twice".into()).allowed("each class is listed once");
        return Err(bad.next("Remove the repetition.").into());
    }
    let class = |cell: &Option<(usize, Cow<'_, str>)>| {
        let Some((place, word)) = cell else { return Ok(None) };
        index.get(word.as_ref()).copied().map(Some).ok_or_else(|| {
            let bad = bad(*place, format!("class {word:?} is not in the list of classes"));
            bad.allowed("the comment \"# classes:\" lists all").next("Add it there, or remove the comment.")
        })
    };
    let of = of.iter().map(class).collect::<Result<Vec<Option<u32>>, BadInput>>()?;
    Ok(Labels::Classes { names, of })
}

fn values(of: &Cells<'_>, bad: &dyn Fn(usize, String) -> BadInput) -> Result<Labels, Error> {
    let value = |cell: &Option<(usize, Cow<'_, str>)>| {
        let Some((place, word)) = cell else { return Ok(None) };
        word.parse().ok().filter(|value: &f32| value.is_finite()).map(Some).ok_or_else(|| {
            let bad = bad(*place, format!("the label {word:?} is not a number"));
            let allowed = "the labels are read as real values, finite and written as 0.5";
            bad.allowed(allowed).next("Correct it, leave it empty, or read the labels as classes.")
        })
    };
    Ok(Labels::Values(of.iter().map(value).collect::<Result<Vec<Option<f32>>, BadInput>>()?))
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Whether all labels are numbers and at least one has a fraction.
fn are_values(of: &Cells<'_>) -> bool {
    let mut fraction = false;
    for (_, word) in of.iter().flatten() {
        match number(word) {
            Some(value) => fraction |= value.fract() != 0.0,
            None => return false,
        }
    }
    fraction
}

/// Classes by sorted name. Where all are whole numbers, 1.0 is the class 1: pandas writes it so beside missing labels.
fn classes(of: &Cells<'_>) -> Labels {
    // Numbers without a point are classes as they are written: 007 is not 7.
    let whole = |word: &str| match word.parse::<i64>() {
        Ok(_) => Some(word.to_owned()),
        Err(_) => word.contains('.').then(|| super::chunks::whole(word)).flatten(),
    };
    let all_whole = of.iter().flatten().all(|(_, word)| whole(word).is_some());
    let name = |word: &Cow<'_, str>| match all_whole {
        true => whole(word).unwrap_or_default(),
        false => word.to_string(),
    };
    let names: Vec<Option<String>> = of.iter().map(|cell| cell.as_ref().map(|(_, word)| name(word))).collect();
    Labels::from_names(&names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_values_only_with_a_fraction_and_pandas_floats_are_classes() {
        let words = |words: &[&'static str]| {
            words.iter().map(|w| (!w.is_empty()).then_some((0, Cow::Borrowed(*w)))).collect::<Vec<_>>()
        };
        assert!(are_values(&words(&["1", "", "2.5"])));
        assert!(!are_values(&words(&["1.0", "", "2"])));
        assert!(!are_values(&words(&["a", "1.5"])));
        let expected = Labels::Classes { names: vec!["1".into(), "10".into()], of: vec![Some(1), None, Some(0)] };
        assert_eq!(classes(&words(&["10.0", "", "1.0"])), expected);
        assert_eq!(classes(&words(&["10", "", "1"])), expected);
    }
}
