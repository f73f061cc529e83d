//! Ids that a program rewrote: which are one node, which are none, which are lost.
//!
//! * `2.0` beside `1`: pandas writes whole numbers so where a column has gaps; `1,567` beside `950`: a spreadsheet's
//!   separators. Where all ids of a table are numbers they are one node with `2` and `1567`.
//! * `NaN`, `NA`, `null`, … as an end: no node, unless quotes make it a name.
//! * `1.23457E+11` has lost digits, and so have whole numbers beyond 2⁵³ that all are multiples of powers of two, as
//!   programs with numbers of 64 bits round them: several ids may have become one. They are refused.

use super::chunks::whole;
use super::lines::Table;
use super::names::Names;
use super::text::AS_WRITTEN;
use bgcn_core::data::Error;

/// Names under which nodes are known from now on.
pub(super) struct Respelled {
    pub(super) names: Names,
    /// Of each former name: its place among `names`.
    pub(super) places: Vec<u32>,
}

impl Respelled {
    /// The names of the nodes of a table, and what of them the user should know; an error where ids are lost.
    pub(super) fn of(table: &Table<'_>, names: Names, remarks: &mut Vec<String>) -> Result<Self, Error> {
        if table.says(AS_WRITTEN) || !names.iter().any(may_change) {
            return Ok(Self::same(names));
        }
        let bad = |name: &str, found: String| table.bad(line_of(table, name), found);
        if let Some(name) = names.iter().find(|name| is_shortened(name) && !table.quotes(name)) {
            let bad = bad(name, format!("the id {name:?}, of which a program left out digits"));
            let next =
                "Make the column text before you type or import the ids, and save it again; quote what is a name.";
            return Err(bad.allowed("ids are whole, for several may have become one").next(next).into());
        }
        let rounded = Rounded::of(names.iter());
        if let Some(found) = rounded.certain().filter(|_| !rounded.example.is_some_and(|name| table.quotes(name))) {
            let bad = bad(rounded.example.unwrap_or(""), found);
            let next = "Export the ids again, as text; ids that are right stand in quotes.";
            return Err(bad.allowed(Rounded::ALLOWED).next(next).into());
        }
        remarks.extend(rounded.doubtful().map(|said| format!("{}: {said}", table.name())));
        Self::merged(table, names, remarks)
    }

    fn same(names: Names) -> Self {
        Self { places: (0..names.len() as u32).collect(), names }
    }

    fn merged(table: &Table<'_>, names: Names, remarks: &mut Vec<String>) -> Result<Self, Error> {
        let quoted = table.has_quotes();
        let number = |name: &str| if quoted && name.contains('.') { None } else { number(name) };
        let numbers: Option<Vec<String>> = names.iter().map(number).collect();
        if let Some(numbers) = numbers {
            let other = names.iter().zip(&numbers).find(|(name, number)| name != number);
            remarks.extend(other.map(|(name, number)| {
                format!("{}: ids are numbers, so that {name:?} is read as {number:?}", table.name())
            }));
            let mut merged = Names::new();
            let places = numbers.iter().map(|number| merged.node(number)).collect();
            return Ok(Self { names: merged, places });
        }
        let twice = |name: &&str| number(name).is_some_and(|number| number != **name && names.get(&number).is_some());
        if let Some(name) = names.iter().find(twice) {
            let other = number(name).unwrap_or_default();
            let found = format!("the ids {name:?} and {other:?}, among others that are no numbers");
            let bad = table.bad(line_of(table, name), found).allowed("they could be one node or two");
            return Err(bad.next("Write ids alike.").into());
        }
        Ok(Self::same(names))
    }
}

/// Whether a name may be another way to write an id.
fn may_change(name: &str) -> bool {
    name.len() >= 16 || name.bytes().any(|byte| b".,'+ ".contains(&byte))
}

/// Whether a name can be read as another, or be refused as one that lost digits.
pub(crate) fn changes(name: &str) -> bool {
    let long = || name.len() >= 16 && name.bytes().all(|byte| byte.is_ascii_digit());
    may_change(name) && (is_shortened(name) || long() || number(name).is_some_and(|number| number != name))
}

/// A whole number, however it is written; as it stands where it has only digits.
pub(super) fn number(name: &str) -> Option<String> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(name.strip_prefix('-').unwrap_or(name)) {
        return Some(name.to_owned());
    }
    if let Some(separator) = name.chars().find(|c| [',', '\'', ' '].contains(c)) {
        let mut groups = name.split(separator);
        let first = groups.next().unwrap_or("");
        let right = digits(first) && first.len() <= 3 && !first.starts_with('0');
        return (right && groups.all(|group| group.len() == 3 && digits(group))).then(|| name.replace(separator, ""));
    }
    name.contains('.').then(|| whole(name)).flatten()
}

/// Whether a word is a number with separators of thousands.
pub(super) fn is_grouped(word: &str) -> bool {
    word.contains([',', '\'', ' ']) && number(word).is_some()
}

/// Whether a name stands for a missing value where quotes do not make it a name: it is no node.
pub(crate) fn is_no_id(name: &str) -> bool {
    const WORDS: [&str; 13] =
        ["NaN", "nan", "NAN", "-nan", "NA", "<NA>", "N/A", "n/a", "#N/A", "null", "NULL", "None", "\\N"];
    WORDS.contains(&name)
}

/// Whether a number lost digits: `1.23457E+11` has five of its eleven.
pub(super) fn is_shortened(name: &str) -> bool {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((mantissa, exponent)) = name.split_once("E+").or_else(|| name.split_once("e+")) else { return false };
    let (whole, fraction) = mantissa.split_once(['.', ',']).unwrap_or((mantissa, ""));
    let exponent = exponent.parse::<usize>().ok().filter(|_| digits(exponent));
    whole.len() == 1 && digits(whole) && digits(fraction) && exponent.is_some_and(|exponent| fraction.len() < exponent)
}

/// Whole numbers beyond 2⁵³ that a number of 64 bits with a point holds exactly.
#[derive(Default)]
pub(in crate::read) struct Rounded<'n> {
    /// Binary digits that are zero in all of them, in sum: by chance with probability 2 to the minus that.
    zeros: u32,
    count: usize,
    exact: bool,
    pub(in crate::read) example: Option<&'n str>,
}

impl<'n> Rounded<'n> {
    pub(in crate::read) const ALLOWED: &'static str = "ids beyond 2^53 are whole, for several may have become one";
    /// Chances below one in a million are none.
    const CERTAIN: u32 = 20;

    /// Of these names.
    pub(in crate::read) fn of(names: impl Iterator<Item = &'n str>) -> Self {
        let mut found = Self::default();
        for name in names.filter(|name| name.len() >= 16 && name.bytes().all(|byte| byte.is_ascii_digit())) {
            let Some(near) = name.parse::<f64>().ok().filter(|near| *near > 9_007_199_254_740_992.0) else { continue };
            // Some programs write all digits of the rounded number, others the fewest that mean it.
            found.exact |= near.to_string() != name && format!("{near:.0}") != name;
            found.zeros += near.log2() as u32 - 52;
            found.count += 1;
            found.example = found.example.or(Some(name));
        }
        found
    }

    /// What was found, where it is no chance.
    pub(in crate::read) fn certain(&self) -> Option<String> {
        let example = self.example.filter(|_| !self.exact && self.zeros >= Self::CERTAIN)?;
        Some(format!("{} ids beyond 2^53, such as {example}, which a program rounded", self.count))
    }

    /// What may be, where it could be chance.
    pub(in crate::read) fn doubtful(&self) -> Option<String> {
        let example = self.example.filter(|_| !self.exact && self.zeros < Self::CERTAIN)?;
        Some(format!("ids beyond 2^53, such as {example}, may have been rounded by a program; compare them"))
    }
}

/// The line of the first row with this field.
pub(super) fn line_of(table: &Table<'_>, name: &str) -> usize {
    let mut fields = Vec::new();
    let mut rows = table.rows();
    let found = rows.find(|&row| table.split(row, &mut fields).is_ok() && fields.iter().any(|field| field == name));
    found.map_or(0, |row| row.line)
}

/// The remark on edges that lack an end.
pub(super) fn missing(table: &Table<'_>, count: usize, name: &str) -> String {
    let line = line_of(table, name);
    format!(
        "{}: {count} edges are left out, for an end is a missing value such as {name:?} (line {line}); in quotes it \
         is a name",
        table.name()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_known_however_they_are_written() {
        for (name, plain) in [
            ("12", Some("12")),
            ("007", Some("007")),
            ("-3", Some("-3")),
            ("2.0", Some("2")),
            ("1,567", Some("1567")),
            ("12'345'678", Some("12345678")),
            ("1 000", Some("1000")),
            ("1,56", None),
            ("0,567", None),
            ("1,567,12", None),
            ("2.5", None),
            ("x", None),
            ("1 2", None),
        ] {
            assert_eq!(number(name).as_deref(), plain, "{name}");
        }
    }

    #[test]
    fn ids_that_lost_digits_are_told_from_those_that_did_not() {
        for name in ["1.23457E+11", "1E+15", "1.2346e+06", "1,23457E+11"] {
            assert!(is_shortened(name), "{name}");
        }
        for name in ["1.000000000000000000e+00", "1.234560e+06", "12E5", "1e5", "12e+5", "E+5", "a1E+5", "1.2E+x"] {
            assert!(!is_shortened(name), "{name}");
        }
        let of = |names: &[&'static str]| Rounded::of(names.iter().copied());
        let rounded = ["1234567890123456800", "1234567890123457000", "1234567890123457300"];
        assert!(of(&rounded).certain().is_some_and(|found| found.contains("3 ids beyond 2^53")));
        assert!(of(&rounded[..1]).doubtful().is_some());
        let whole = of(&["1234567890123456789", "1234567890123456800", "12"]);
        assert!(whole.certain().is_none() && whole.doubtful().is_none());
        assert!(of(&["9007199254740990", "paper-1234567890123"]).example.is_none());
    }
}
