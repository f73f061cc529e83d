//! Labels as classes or numbers; an empty label, one such as NA, or no row is an unlabelled node.
//!
//! Comments above the first row settle what the rows leave open: `# classes: b,a,"c, d"` lists the classes in their
//! order, members or not, and `# values` makes whole numbers real values.
//!
//! Where nothing is said, labels are values if all are numbers and one has a fraction. What could be either is refused:
//! numbers with a text among them, with signs such as % or with commas between thousands, and whole numbers more than a
//! fifth of which occur once. Below classes 0, 1, 2, … or among texts a single negative code is an unknown label.

use super::header::{is_missing, is_number};
use super::lines::{Table, shortened};
use super::survey::{comma_number, is_grouped};
use crate::read::LabelKind;
use bgcn_core::data::{BadInput, Error, Labels};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Negative numbers that stand for an unknown class.
const CODES: [i64; 7] = [-1, -9, -99, -999, -9999, -99999, -32768];

/// Names of classes that say that nothing is known.
const UNKNOWN: [&str; 5] = ["unknown", "missing", "unlabelled", "unlabeled", "not available"];

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
        let mut of: Vec<Option<(usize, Cow<'a, str>)>> = vec![None; nodes];
        // A dash is a class beside a plus, and nothing elsewhere.
        let has_plus = self.words.iter().any(|(_, _, word)| word == "+");
        let unknown = |word: &str| match is_listed {
            true => word.is_empty(),
            false => is_missing(word) || (word == "-" && !has_plus),
        };
        let mut missing = Unknown::default();
        for (node, place, word) in self.words {
            if !unknown(&word) {
                of[node as usize] = Some((place, word));
            } else if !word.is_empty() {
                missing.add(&word);
            }
        }
        missing.say(name, "", remarks);
        match (kind, self.listed) {
            (LabelKind::Auto | LabelKind::Classes, Some((line, names))) => listed_classes(&of, line, names, bad),
            (LabelKind::Classes, None) => Ok(classes(&of)),
            (LabelKind::Auto, None) if !self.values => found(of, name, bad, remarks),
            _ => values(&of, bad),
        }
    }
}

/// Labels that count as unknown.
#[derive(Default)]
struct Unknown {
    count: usize,
    example: String,
}

impl Unknown {
    fn add(&mut self, word: &str) {
        self.count += 1;
        if self.count == 1 {
            self.example = word.to_owned();
        }
    }

    fn say(&self, name: &str, how: &str, remarks: &mut Vec<String>) {
        let (count, example) = (self.count, &self.example);
        remarks
            .extend((count > 0).then(|| format!("{name}: {count} labels such as {example:?} count as unknown{how}")));
    }
}

/// How many labels are what.
#[derive(Default)]
struct Counts {
    known: usize,
    numbers: usize,
    fractions: usize,
    /// Numbers such as 0,5, and those of them such as 1,234.
    commas: usize,
    grouped: usize,
    /// Numbers with a sign of money or percent, or with several commas.
    signed: usize,
}

impl Counts {
    fn of(cells: &Cells<'_>) -> Self {
        let mut counts = Self::default();
        for (_, word) in cells.iter().flatten() {
            counts.known += 1;
            counts.grouped += usize::from(is_grouped(word));
            if is_number(word) {
                counts.numbers += 1;
                counts.fractions += usize::from(number(word).is_some_and(|value| value.fract() != 0.0));
            } else if comma_number(word).is_some() {
                counts.commas += 1;
            } else if is_signed(word) {
                counts.signed += 1;
            }
        }
        counts
    }

    fn all_numbers(&self) -> usize {
        self.numbers + self.commas + self.signed
    }
}

/// A number beside a sign, such as 12.5%, $5 or €1,234,567.
fn is_signed(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| "%$€£¥₹ ".contains(c) || c == '\u{a0}');
    bare != word && (is_number(bare) || comma_number(bare).is_some() || is_grouped(bare)) || is_grouped(word)
}

/// Labels by evidence.
fn found(
    mut of: Vec<Option<(usize, Cow<'_, str>)>>,
    name: &str,
    bad: &dyn Fn(usize, String) -> BadInput,
    remarks: &mut Vec<String>,
) -> Result<Labels, Error> {
    let counts = Counts::of(&of);
    let mostly = 2 * counts.all_numbers() > counts.known;
    let first = |is: &dyn Fn(&str) -> bool| of.iter().flatten().find(|(_, word)| is(word));
    let refuse = |is: &dyn Fn(&str) -> bool, what: &str, next: &str| -> Result<Labels, Error> {
        let (place, word) = first(is).map_or((0, ""), |(place, word)| (*place, word.as_ref()));
        let bad = bad(place, format!("the label {:?} {what}", shortened(word)));
        let allowed = "labels are numbers written as 0.5, or classes";
        Err(bad.allowed(allowed).next(format!("{next}; `label_kind=classes` reads all as classes.")).into())
    };
    let is_measured = counts.fractions + counts.commas > 0 || are_alone(&of);
    if mostly && is_measured && counts.signed + counts.grouped > 0 && counts.grouped >= counts.commas {
        let what = "is a number with a sign or a comma that could be read in two ways";
        return refuse(&|word| is_signed(word) || is_grouped(word), what, "Write plain numbers, such as 1234 or 0.5");
    }
    if mostly && is_measured && counts.all_numbers() < counts.known {
        let is_text = |word: &str| !is_number(word) && comma_number(word).is_none();
        return refuse(&is_text, "stands among numbers", "Correct it, or leave it empty where it means unknown");
    }
    if counts.numbers + counts.commas == counts.known && counts.fractions + counts.commas > 0 {
        let said = format!("{name}: labels with a decimal comma are read as numbers, {} of them", counts.commas);
        remarks.extend((counts.commas > 0).then_some(said));
        say_codes(&of, name, remarks);
        return values(&of, bad);
    }
    settle_negative(&mut of, name, remarks);
    say_words(&of, name, remarks);
    let labels = classes(&of);
    if let Some((alone, known)) = labels.alone() {
        let (place, _) = of.iter().flatten().next().map_or((0, ""), |(place, word)| (*place, word.as_ref()));
        let bad = bad(place, format!("{alone} of {known} labelled nodes are alone in their class"));
        let next = "Are the labels numbers? `label_kind=values` reads them so, `label_kind=classes` as classes.";
        return Err(bad.allowed("labels are numbers, or classes of several nodes each").next(next).into());
    }
    Ok(labels)
}

/// Whether more than a fifth of the labels occur once.
fn are_alone(of: &Cells<'_>) -> bool {
    let mut counts = std::collections::HashMap::<&str, usize>::new();
    of.iter().flatten().for_each(|(_, word)| *counts.entry(word).or_default() += 1);
    let (alone, known) = (counts.values().filter(|&&count| count == 1).count(), of.iter().flatten().count());
    alone > 4 && 5 * alone > known
}

/// One negative number below whole classes, or among texts, means unknown, as -1 does in arrays; beside 0 and 1 alone
/// it is a class.
fn settle_negative(of: &mut [Option<(usize, Cow<'_, str>)>], name: &str, remarks: &mut Vec<String>) {
    let whole = |word: &str| super::chunks::whole(word).and_then(|word| word.parse::<i64>().ok());
    let numbers: BTreeSet<i64> = of.iter().flatten().filter_map(|(_, word)| whole(word)).collect();
    let negative: Vec<i64> = numbers.iter().copied().filter(|&number| number < 0).collect();
    let texts = of.iter().flatten().filter(|(_, word)| whole(word).is_none()).count();
    let [code] = negative[..] else { return };
    // Among texts it is the only number.
    if !CODES.contains(&code) || (texts > 0) == (numbers.len() > 1) {
        return;
    }
    if texts == 0 && (code == -1 && numbers.last() == Some(&1) || numbers.len() == 2) {
        let how = "leave it empty where it means unknown";
        remarks.push(format!("{name}: the label {code} is a class like the others; {how}"));
        return;
    }
    let mut unknown = Unknown::default();
    for cell in of.iter_mut() {
        if let Some((_, word)) = cell.take_if(|(_, word)| whole(word) == Some(code)) {
            unknown.add(&word);
        }
    }
    unknown.say(name, "; `label_kind=classes` makes them a class", remarks);
}

/// A remark where a class is called as what is unknown.
fn say_words(of: &Cells<'_>, name: &str, remarks: &mut Vec<String>) {
    let is_unknown = |word: &str| UNKNOWN.iter().any(|unknown| word.eq_ignore_ascii_case(unknown));
    if let Some((_, word)) = of.iter().flatten().find(|(_, word)| is_unknown(word)) {
        let how = "leave it empty where nothing is known";
        remarks.push(format!("{name}: the label {word:?} is a class like the others; {how}"));
    }
}

/// A remark where a code for unknown, such as -999, stands among values that are not negative.
fn say_codes(of: &Cells<'_>, name: &str, remarks: &mut Vec<String>) {
    let numbers: Vec<f64> = of.iter().flatten().filter_map(|(_, word)| number(word)).collect();
    let negative: Vec<f64> = numbers.iter().copied().filter(|&value| value < 0.0).collect();
    let Some(&code) = negative.first() else { return };
    if CODES.iter().any(|&known| known as f64 == code) && negative.iter().all(|&value| value == code) {
        let count = negative.len();
        let said =
            format!("{name}: {count} labels are {code}, read as a number; leave them empty where it means unknown");
        remarks.push(said);
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
    // A comma is a decimal point where not all of them could stand between thousands.
    let points = of.iter().flatten().any(|(_, word)| comma_number(word).is_some() && !is_grouped(word));
    let value = |cell: &Option<(usize, Cow<'_, str>)>| {
        let Some((place, word)) = cell else { return Ok(None) };
        let value = number(word).or_else(|| comma_number(word).filter(|_| points));
        value.map(|value| value as f32).filter(|value| value.is_finite()).map(Some).ok_or_else(|| {
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

    fn words<'a>(words: &[&'a str]) -> Vec<Option<(usize, Cow<'a, str>)>> {
        words
            .iter()
            .enumerate()
            .map(|(line, word)| (!word.is_empty()).then_some((line, Cow::Borrowed(*word))))
            .collect()
    }

    /// The labels of these words and what was said; or the message.
    fn read(given: &[&'static str], kind: LabelKind) -> Result<(Labels, String), String> {
        let cells = given.iter().enumerate().map(|(i, word)| (i as u32, i + 1, Cow::Borrowed(*word))).collect();
        let mut remarks = Vec::new();
        let bad = |line, found| BadInput::new(std::path::Path::new("y.csv"), format!("line {line}"), found);
        let words = Words { words: cells, listed: None, values: false };
        let labels = words.labels(given.len(), kind, "y.csv", &bad, &mut remarks).map_err(|error| error.to_string())?;
        Ok((labels, remarks.join("\n")))
    }

    #[test]
    fn numbers_are_values_with_a_fraction_and_pandas_floats_are_classes() {
        let auto = |given| read(given, LabelKind::Auto).unwrap().0;
        assert_eq!(auto(&["1", "", "2.5"]), Labels::Values(vec![Some(1.0), None, Some(2.5)]));
        let expected = Labels::Classes { names: vec!["1".into(), "10".into()], of: vec![Some(1), None, Some(0)] };
        assert_eq!(auto(&["10.0", "", "1.0"]), expected);
        assert_eq!(auto(&["10", "", "1"]), expected);
        assert_eq!(classes(&words(&["10.0", "", "1.0"])), expected);
        assert_eq!(auto(&["a", "b", "1.5"]).classes(), 3);
    }

    #[test]
    fn a_regression_stays_one_or_is_refused() {
        let values = |given: &[&'static str]| match read(given, LabelKind::Auto) {
            Ok((Labels::Values(of), said)) => Ok((of.into_iter().flatten().collect::<Vec<_>>(), said)),
            Ok((labels, _)) => panic!("{labels:?}"),
            Err(message) => Err(message),
        };
        for code in [".", "\\N", "-", "#NULL!", "na"] {
            let (of, said) = values(&["1.5", code, "2.5"]).unwrap();
            assert!(of == [1.5, 2.5] && said.contains("1 labels such as"), "{code}: {of:?}, {said}");
        }
        assert!(values(&["1,5", "2", "0,25"]).unwrap().1.contains("decimal comma"));
        assert_eq!(values(&["1.5", "-9", "2.5"]).unwrap().1.matches("1 labels are -9").count(), 1);
        assert!(values(&["1.5", "2.5", "about 3"]).unwrap_err().contains("line 3: the label \"about 3\" stands among"));
        for signed in ["12.5%", "1,234", "$5"] {
            let given = [signed, "11.5%", "1.5", "2.5"];
            let message = values(if signed == "1,234" { &["1,234", "950", "2,100"] } else { &given }).unwrap_err();
            assert!(message.contains("line 1") && message.contains("`label_kind=classes`"), "{message}");
        }
        let whole = ["41200", "38100", "52750", "61300", "28450", "33000"];
        let message = read(&whole, LabelKind::Auto).unwrap_err();
        assert!(message.contains("6 of 6 labelled nodes are alone") && message.contains("`label_kind=values`"));
        assert_eq!(read(&whole, LabelKind::Values).unwrap().0.classes(), 0);
        assert_eq!(read(&whole, LabelKind::Classes).unwrap().0.classes(), 6);
    }

    #[test]
    fn a_negative_code_is_unknown_and_a_sign_is_a_class() {
        let (labels, said) = read(&["0", "1", "2", "-1", "-1"], LabelKind::Auto).unwrap();
        assert_eq!((labels.classes(), labels.known()), (3, 3));
        assert!(said.contains("2 labels such as \"-1\" count as unknown; `label_kind=classes`"), "{said}");
        assert_eq!(read(&["0", "1", "-9", "1"], LabelKind::Auto).unwrap().0.known(), 3);
        for signed in [&["-1", "0", "1"][..], &["-1", "1", "1"], &["-2", "-1", "2"]] {
            assert_eq!(read(signed, LabelKind::Auto).unwrap().0.known(), 3, "{signed:?}");
        }
        assert!(read(&["-1", "1", "1"], LabelKind::Auto).unwrap().1.contains("-1 is a class"));
        assert_eq!(read(&["0", "1", "2", "-1"], LabelKind::Classes).unwrap().0.known(), 4);
        assert_eq!(read(&["+", "-", "+"], LabelKind::Auto).unwrap().0.known(), 3);
        let (labels, said) = read(&["cat", "dog", "-9", "cat"], LabelKind::Auto).unwrap();
        assert!(labels.known() == 3 && said.contains("1 labels such as \"-9\" count as unknown"), "{said}");
        assert_eq!(read(&["7", "cat", "-9", "cat"], LabelKind::Auto).unwrap().0.known(), 4);
    }

    #[test]
    fn a_class_called_unknown_is_remarked() {
        let (labels, said) = read(&["cat", "Unknown", "cat"], LabelKind::Auto).unwrap();
        assert!(labels.classes() == 2 && said.contains("\"Unknown\" is a class like the others"), "{said}");
    }
}
