//! Whether the first row of a table names its columns, by evidence.
//!
//! An option decides, a comment `# header` or `# no header`, a column called by its name, or R's short header. (The
//! option `no` leaves known words: it is for all files of a dataset, and some may have a header.) Else known words
//! decide, a column of numbers under a word, or, once all files are read, names that are no node anywhere else. The
//! conclusion is a remark, and [`Head::check`] refuses it where a word turns out to be a node.

use super::lines::{Row, Table, shortened};
use crate::read::Header;
use bgcn_core::data::Error;
use std::borrow::Cow;

/// Rows that are looked at for a column of numbers.
const LOOKED_AT: usize = 10_000;

/// The first row, and what is known of it.
#[derive(Clone)]
pub(super) struct Head<'a> {
    pub(super) row: Row<'a>,
    pub(super) words: Vec<Cow<'a, str>>,
    pub(super) verdict: Verdict,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A header, as an option or a comment says.
    Said,
    /// A header of words that are known.
    Known,
    /// A header of words that look like names of columns.
    Likely,
    /// A header above a column of numbers.
    AboveNumbers,
    /// A header of names that are no nodes.
    Strange,
    /// A row like the others.
    Data,
    /// Still to be decided by the names of all nodes.
    Open,
}

impl<'a> Head<'a> {
    /// What the table alone decides. `by_name`: a column is asked for by its name; `known`: whether words head columns;
    /// `ids`: the columns that name nodes.
    pub(super) fn look(
        table: &Table<'a>,
        option: Header,
        by_name: bool,
        ids: &[usize],
        known: impl Fn(&[Cow<'_, str>]) -> Option<Verdict>,
    ) -> Result<Self, Error> {
        let (row, words) = table.first()?;
        let is_id = |i: &usize| ids.contains(i);
        let number_in = |id: bool| words.iter().enumerate().any(|(i, word)| is_id(&i) == id && is_number(word));
        let verdict = if table.short_header || by_name || option == Header::Yes || table.says("header") {
            Verdict::Said
        } else if table.says("no header") {
            Verdict::Data
        } else if let Some(verdict) = known(&words).filter(|&it| option == Header::Auto || it == Verdict::Known) {
            verdict
        } else if option == Header::No || ids.iter().any(|&id| words.get(id).is_some_and(|word| is_number(word))) {
            Verdict::Data
        } else if above_numbers(table, &words) {
            Verdict::AboveNumbers
        } else if number_in(false) || table.rows().nth(1).is_none() {
            Verdict::Data
        } else {
            Verdict::Open
        };
        Ok(Self { row, words, verdict })
    }

    /// Whether the first row is a header; one that is still open is kept apart as if it were.
    pub(super) fn is_apart(&self) -> bool {
        self.verdict != Verdict::Data
    }

    /// The names of the columns.
    pub(super) fn names(&self) -> Option<&[Cow<'a, str>]> {
        self.is_apart().then_some(&self.words[..])
    }

    /// What the user should know.
    pub(super) fn remark(&self, table: &Table<'_>) -> Option<String> {
        let why = match self.verdict {
            Verdict::AboveNumbers => "numbers stand below it",
            Verdict::Strange => "its names occur nowhere else",
            Verdict::Likely => "its words name columns",
            _ => return None,
        };
        let words = shortened(&self.words.join(","));
        let (name, line) = (table.name(), self.row.line);
        Some(format!("{name}, line {line}: {words:?} is taken as a header ({why}); `header=no` reads it as a row"))
    }

    /// What is lost where a header was asked for and its first word is a node.
    pub(super) fn lost(&self, table: &Table<'_>, ids: &[usize], is_node: impl Fn(&str) -> bool) -> Option<String> {
        let node = ids.iter().filter_map(|&id| self.words.get(id)).any(|word| !word.is_empty() && is_node(word));
        let (name, line, words) = (table.name(), self.row.line, shortened(&self.words.join(",")));
        let lost = self.verdict == Verdict::Said && node && !table.short_header;
        lost.then(|| format!("{name}, line {line}: {words:?} is left out as the header that was asked for"))
    }

    /// Refuses a conclusion that could have swallowed data: a word in an id column that is a node elsewhere.
    pub(super) fn check(&self, table: &Table<'_>, ids: &[usize], is_node: impl Fn(&str) -> bool) -> Result<(), Error> {
        if !matches!(self.verdict, Verdict::Known | Verdict::Likely | Verdict::AboveNumbers) {
            return Ok(());
        }
        let words = ids.iter().filter_map(|&id| self.words.get(id));
        let Some(word) = words.into_iter().find(|word| !word.is_empty() && is_node(word)) else { return Ok(()) };
        let found = format!("this row looks like a header, but {word:?} is a node too");
        let next = "Say which with `header=yes` or `header=no`, or write \"# header\" or \"# no header\" above it.";
        Err(table.bad(self.row.line, found).allowed("a header that differs from data").next(next).into())
    }
}

/// Whether a column that starts with a word holds numbers alone, or nothing, below it.
fn above_numbers(table: &Table<'_>, words: &[Cow<'_, str>]) -> bool {
    let mut columns: Vec<(usize, bool)> =
        (0..words.len()).filter(|&i| !is_missing(&words[i]) && !is_number(&words[i])).map(|i| (i, false)).collect();
    let mut fields = Vec::new();
    for row in table.rows().skip(1).take(LOOKED_AT) {
        if columns.is_empty() || table.split(row, &mut fields).is_err() {
            return false;
        }
        columns.retain(|&(i, _)| is_missing(&fields[i]) || is_number(&fields[i]));
        columns.iter_mut().for_each(|(i, seen)| *seen |= is_number(&fields[*i]));
    }
    columns.iter().any(|&(_, seen)| seen)
}

/// A header word without the differences that do not matter: `Node_1` and `node 1` are `node1`.
pub(crate) fn plain_word(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word names a column of nodes: id, node, …, or something such as `company_id`.
pub(crate) fn is_id_word(word: &str) -> bool {
    const WORDS: [&str; 8] = ["id", "ids", "node", "nodeid", "nodes", "name", "index", "vertex"];
    let suffixed = ["_id", "-id", " id", ".id", "Id", "ID"].iter().any(|suffix| word.ends_with(suffix));
    WORDS.contains(&plain_word(word).as_str()) || (suffixed && word.len() > 2)
}

/// Whether a column without a proper name holds the row numbers or row names that pandas and R write.
pub(super) fn is_index_word(word: &str) -> bool {
    word.is_empty() || word.starts_with("Unnamed: ") || word == "..1"
}

/// Whether a word names a column of labels.
pub(crate) fn is_label_word(word: &str) -> bool {
    ["label", "labels", "class", "classes", "y", "category", "target"].contains(&plain_word(word).as_str())
}

/// A whole number without point or exponent.
pub(super) fn is_whole(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A finite number.
pub(super) fn is_number(word: &str) -> bool {
    // Words such as inf and nan parse too; digits come first or after a sign or point.
    word.bytes().any(|byte| byte.is_ascii_digit()) && word.parse().is_ok_and(f64::is_finite)
}

/// Whether a cell is a missing value: empty, or as pandas, R, SQL and others write it.
pub(crate) fn is_missing(cell: &str) -> bool {
    const WORDS: [&str; 25] = [
        "NaN", "nan", "NAN", "-nan", "NA", "na", "<NA>", "N/A", "n/a", "#N/A", "null", "NULL", "Null", "None", "?",
        ".", "\\N", "--", "(null)", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?",
    ];
    cell.is_empty() || WORDS.contains(&cell)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_from_numbers_and_from_nothing() {
        for (word, number, missing) in [
            ("1e9", true, false),
            ("-0.5", true, false),
            ("inf", false, false),
            ("nan", false, true),
            ("x1", false, false),
        ] {
            assert_eq!((is_number(word), is_missing(word)), (number, missing), "{word}");
        }
        assert!(is_whole("-12") && !is_whole("1.0") && !is_whole("-"));
        assert!(is_id_word("company_id") && is_id_word("userId") && is_id_word("Node ID") && !is_id_word("paid"));
        assert!(is_index_word("") && is_index_word("Unnamed: 0") && !is_index_word("id"));
    }
}
