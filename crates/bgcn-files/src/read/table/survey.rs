//! What a column of cells holds, and what becomes of it: numbers, categories, or no feature at all.
//!
//! Every table decides here, in files and in memory. No features are: empty columns; text that is always the same or
//! hardly repeats; dates and times; whole numbers that name things, see [`super::naming`].

use super::header::{is_missing, is_number};
use super::lines::shortened;
use super::naming::Wholes;
use super::times::is_time;
use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

/// Columns that one column of text may become.
pub(in crate::read) const CATEGORIES: usize = 1000;

/// Share of the known cells from which texts are nearly all different.
const DIFFERENT: f64 = 0.8;

/// Share of the cells from which a column is one of dates.
const MOST: f64 = 0.95;

/// Whole numbers below it are exact in 64 bits.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What a column holds.
#[derive(Default)]
pub(in crate::read) struct Survey {
    pub(in crate::read) missing: usize,
    pub(in crate::read) comma_numbers: usize,
    numbers: usize,
    flags: usize,
    /// Cells that are none of these, and the first of them.
    texts: usize,
    first_text: Option<(usize, String)>,
    /// Whether one of them is a number that is not finite, and whether it was text.
    infinite: bool,
    beyond: bool,
    times: usize,
    /// Cells `-`: a value beside `+`, else nothing.
    dashes: usize,
    /// Numbers such as 1,234, and the first of them.
    grouped: usize,
    first_grouped: Option<(usize, String)>,
    /// Whether a number has a fraction or an exponent; the different numbers are counted no further then.
    fraction: bool,
    /// The first number, and whether one is not the next after the one before it.
    first: f64,
    jumps: bool,
    /// Whole numbers of ten digits and more, and multiples of 100.
    long: usize,
    round: usize,
    /// Different whole numbers, by their bits, and different other cells, by a hash.
    wholes: HashSet<u64>,
    others: HashSet<u64>,
    /// Different cells, one more than can be categories at most.
    values: HashSet<String>,
}

/// What becomes of a column.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::read) enum Kind {
    /// Numbers, or true and false; a missing one is the mean.
    Numbers,
    /// A column of 0 and 1 for each of these texts, sorted.
    Categories(Vec<String>),
    LeftOut(Why),
}

/// Why a column is no feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Why {
    Empty,
    Constant,
    Times,
    Texts,
    Ids,
    Long,
    Rows,
}

impl Why {
    pub(in crate::read) fn text(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Constant => "constant",
            Self::Times => "dates or times",
            Self::Texts => "hardly a text repeats",
            Self::Ids => "whole numbers, nearly all different, as ids are",
            Self::Long => "numbers of ten digits and more, as ids are",
            Self::Rows => "the numbers of the rows",
        }
    }
}

/// A column that could be two things, or too many: in which row, what was found, what is allowed, what to do.
pub(in crate::read) struct Refusal {
    pub(in crate::read) row: usize,
    pub(in crate::read) found: String,
    pub(in crate::read) allowed: String,
    pub(in crate::read) next: String,
}

impl Survey {
    /// Takes in a cell; `commas`: whether a comma can be a decimal point.
    pub(in crate::read) fn add(&mut self, row: usize, cell: &str, commas: bool) {
        if is_number(cell) {
            let number = cell.parse().unwrap_or(0.0);
            self.numbers += 1;
            self.fraction |= cell.contains(['e', 'E']);
            self.whole_or_not(number, cell);
        } else if is_missing(cell) {
            self.missing += 1;
            return;
        } else if cell == "-" {
            self.dashes += 1;
            return;
        } else if let Some(flag) = flag(cell) {
            self.flags += 1;
            self.others.insert(flag.to_bits());
        } else if let Some(number) = comma_number(cell).filter(|_| commas) {
            self.comma_numbers += 1;
            if is_grouped(cell) {
                self.grouped += 1;
                self.first_grouped.get_or_insert_with(|| (row, cell.to_owned()));
            }
            self.fraction = true;
            self.whole_or_not(number, cell);
        } else {
            self.times += usize::from(self.times + 20 > self.texts / 2 && is_time(cell));
            // An infinite number is the mistake to report, wherever it stands.
            if cell.parse::<f64>().is_ok() && !self.infinite {
                self.infinite = true;
                self.first_text = Some((row, cell.to_owned()));
            }
            return self.add_text(row, Some(cell));
        }
        if self.values.len() <= CATEGORIES && !self.values.contains(cell) {
            self.values.insert(cell.to_owned());
        }
    }

    /// Takes in a number that never was text; NaN is missing.
    pub(in crate::read) fn add_number(&mut self, row: usize, number: f64) {
        if number.is_nan() {
            self.missing += 1;
        } else if number.is_finite() {
            self.numbers += 1;
            self.whole_or_not(number, "");
        } else {
            self.texts += 1;
            (self.infinite, self.beyond) = (true, true);
            self.first_text.get_or_insert_with(|| (row, number.to_string()));
        }
    }

    /// Takes in a category, whatever it looks like.
    pub(in crate::read) fn add_text(&mut self, row: usize, cell: Option<&str>) {
        let Some(cell) = cell else {
            self.missing += 1;
            return;
        };
        self.texts += 1;
        self.first_text.get_or_insert_with(|| (row, cell.to_owned()));
        self.others.insert(hash(cell));
        if self.values.len() <= CATEGORIES && !self.values.contains(cell) {
            self.values.insert(cell.to_owned());
        }
    }

    /// Takes in so many dates or times.
    pub(in crate::read) fn add_times(&mut self, rows: usize) {
        (self.texts, self.times) = (self.texts + rows, self.times + rows);
        self.values.insert("a time".into());
        self.others.extend(0..rows as u64);
    }

    fn whole_or_not(&mut self, number: f64, cell: &str) {
        if number.fract() != 0.0 {
            self.fraction = true;
        }
        if self.fraction {
            // Two are kept, which tell a constant.
            if self.wholes.len() < 2 {
                self.wholes.insert(number.to_bits());
            }
            return;
        }
        if self.numbers == 1 {
            self.first = number;
        }
        self.jumps |= number != self.first + (self.numbers as f64 - 1.0);
        self.long += usize::from(number.abs() >= 1e9);
        self.round += usize::from(number % 100.0 == 0.0);
        if number.abs() < EXACT || cell.is_empty() {
            self.wholes.insert((number + 0.0).to_bits());
        } else {
            self.others.insert(hash(cell));
        }
    }

    /// How many cells differ; where a number has a fraction, only whether more than one does.
    fn different(&self) -> usize {
        match (self.fraction, self.texts > 0) {
            (true, true) if self.values.len() > CATEGORIES => self.known(),
            (true, true) => self.values.len(),
            _ => self.wholes.len() + self.others.len(),
        }
    }

    /// Whether all known cells are alike.
    pub(in crate::read) fn is_constant(&self) -> bool {
        self.known() > 1 && self.different() == 1
    }

    fn known(&self) -> usize {
        self.numbers + self.comma_numbers + self.flags + self.texts
    }

    /// What becomes of the column. `forced`: the user, or an earlier fit, wants it as a feature.
    pub(in crate::read) fn kind(&mut self, name: &str, forced: bool) -> Result<Kind, Refusal> {
        self.settle_dashes();
        let (known, numbers) = (self.known(), self.numbers + self.comma_numbers);
        if known == 0 {
            return Ok(Kind::LeftOut(Why::Empty));
        }
        if self.comma_numbers > 0 && self.grouped == self.comma_numbers && numbers == known {
            return Err(self.thousands(name));
        }
        if 2 * numbers > known && numbers < known || (self.infinite && (numbers > 0 || self.beyond)) {
            return Err(self.text_among_numbers(name));
        }
        if let Some(why) = self.no_feature(name).filter(|_| !forced) {
            return Ok(Kind::LeftOut(why));
        }
        if numbers == known || self.flags == known {
            return Ok(Kind::Numbers);
        }
        if self.values.len() > CATEGORIES {
            return Err(self.too_many(name));
        }
        let mut values: Vec<String> = self.values.iter().cloned().collect();
        values.sort();
        Ok(Kind::Categories(values))
    }

    /// A dash is a value where a plus is one, and missing elsewhere.
    fn settle_dashes(&mut self) {
        let dashes = std::mem::take(&mut self.dashes);
        if dashes > 0 && self.values.contains("+") {
            self.texts += dashes;
            self.others.insert(hash("-"));
            self.values.insert("-".into());
        } else {
            self.missing += dashes;
        }
    }

    fn no_feature(&self, name: &str) -> Option<Why> {
        let known = self.known();
        let is_text = self.texts > 0 && 2 * (self.numbers + self.comma_numbers) <= known;
        let is = |yes: bool, why| yes.then_some(why);
        // A text beside missing cells tells which nodes have it; numbers that are all equal are dropped by the scaling.
        is(is_text && self.is_constant() && self.missing == 0, Why::Constant)
            .or(is(self.texts > 0 && self.times as f64 >= MOST * known as f64, Why::Times))
            .or(is(is_text && known > 2 && self.different() as f64 > DIFFERENT * known as f64, Why::Texts))
            .or_else(|| self.whole_numbers()?.why(name))
    }

    /// The numbers, where all cells are whole numbers.
    fn whole_numbers(&self) -> Option<Wholes> {
        let mut sorted: Vec<f64> = self.wholes.iter().map(|&bits| f64::from_bits(bits)).collect();
        sorted.sort_by(f64::total_cmp);
        let Self { numbers, long, round, .. } = *self;
        let is_whole = self.numbers == self.known() && !self.fraction;
        let counting = self.missing == 0 && !self.jumps && (self.first == 0.0 || self.first == 1.0);
        is_whole.then(|| Wholes { sorted, numbers, different: self.different(), long, round, counting })
    }

    fn text_among_numbers(&self, name: &str) -> Refusal {
        let (row, text) = self.first_text.clone().unwrap_or((0, "true or false".into()));
        Refusal {
            row,
            found: format!("column {} holds {:?} among numbers", shortened(name), shortened(&text)),
            allowed: "features are finite numbers, written as 0.5, or all text".into(),
            next: "Replace it by a number, or leave it empty.".into(),
        }
    }

    fn thousands(&self, name: &str) -> Refusal {
        let (row, cell) = self.first_grouped.clone().unwrap_or_default();
        let (plain, point) = (cell.replace(',', ""), cell.replace(',', "."));
        Refusal {
            row,
            found: format!("column {} holds {cell:?}, which is {plain} or {point}", shortened(name)),
            allowed: "features are numbers without a sign between thousands".into(),
            next: format!("Write {plain} or {point}."),
        }
    }

    fn too_many(&self, name: &str) -> Refusal {
        let (row, _) = self.first_text.clone().unwrap_or_default();
        let different = self.different();
        Refusal {
            row,
            found: format!("column {} holds {different} different texts", shortened(name)),
            allowed: format!("a column of text becomes a feature for each text, {CATEGORIES} at most"),
            next: format!("Leave it out: `columns=-{name}`; or write fewer, wider categories."),
        }
    }
}

fn hash(cell: &str) -> u64 {
    let mut state = DefaultHasher::new();
    cell.hash(&mut state);
    state.finish()
}

/// The number in a cell; `None` where nothing is known.
pub(in crate::read) fn number(cell: &str) -> Option<f64> {
    if is_number(cell) { cell.parse().ok() } else { flag(cell).or_else(|| comma_number(cell)) }
}

fn flag(cell: &str) -> Option<f64> {
    match cell {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        _ => None,
    }
}

/// A number such as 0,5.
pub(super) fn comma_number(cell: &str) -> Option<f64> {
    let (whole, fraction) = cell.split_once(',')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole.trim_start_matches(['-', '+'])) && digits(fraction))
        .then(|| format!("{whole}.{fraction}").parse().ok())?
}

/// A number such as 1,234, whose comma may stand between thousands.
pub(super) fn is_grouped(cell: &str) -> bool {
    let mut groups = cell.trim_start_matches(['-', '+']).split(',');
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let first =
        groups.next().is_some_and(|first| (1..=3).contains(&first.len()) && digits(first) && !first.starts_with('0'));
    let mut others = groups.peekable();
    first && others.peek().is_some() && others.all(|group| group.len() == 3 && digits(group))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a column of these cells becomes.
    pub(in crate::read::table) fn kind(name: &str, cells: impl IntoIterator<Item = String>) -> Kind {
        let mut survey = Survey::default();
        cells.into_iter().enumerate().for_each(|(row, cell)| survey.add(row, &cell, true));
        survey.kind(name, false).unwrap_or_else(|refusal| panic!("{}", refusal.found))
    }

    #[test]
    fn texts_are_categories_unless_they_hardly_repeat_or_are_dates() {
        let words = |words: &[&str]| kind("x", words.iter().map(|word| (*word).to_owned()));
        let categories = |words: &[&str]| Kind::Categories(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(words(&["b", "a", "b", ""]), categories(&["a", "b"]));
        assert_eq!(words(&["yes", "", "yes"]), categories(&["yes"]));
        assert_eq!(words(&["x", "", "y"]), categories(&["x", "y"]));
        assert_eq!(words(&["+", "-", "-"]), categories(&["+", "-"]));
        assert_eq!(words(&["a", "-", "b", "a"]), categories(&["a", "b"]));
        assert_eq!(words(&["a", "b", "c"]), Kind::LeftOut(Why::Texts));
        assert_eq!(words(&["2024-01-31", "2024-01-31", "2024-02-01"]), Kind::LeftOut(Why::Times));
        assert_eq!(words(&["a", "a"]), Kind::LeftOut(Why::Constant));
        assert_eq!(words(&["3", "3.0", ""]), Kind::Numbers);
        assert_eq!(words(&["NA", "-", "."]), Kind::LeftOut(Why::Empty));
        assert_eq!(words(&["true", "false"]), Kind::Numbers);
    }

    #[test]
    fn what_could_be_two_things_or_too_many_is_refused() {
        let refused = |cells: &mut dyn Iterator<Item = String>| {
            let mut survey = Survey::default();
            cells.enumerate().for_each(|(row, cell)| survey.add(row, &cell, true));
            survey.kind("town", false).err().map(|refusal| format!("{}: {}", refusal.found, refusal.next))
        };
        let towns = refused(&mut (0..3000).map(|i| format!("town {}", i % 1001))).unwrap();
        assert!(towns.contains("1001 different texts") && towns.contains("`columns=-town`"), "{towns}");
        assert_eq!(refused(&mut (0..3000).map(|i| format!("town {}", i % 1000))), None);
        let thousands = refused(&mut ["950", "1,567"].map(String::from).into_iter()).unwrap();
        assert!(thousands.contains("1567 or 1.567"), "{thousands}");
        assert_eq!(refused(&mut ["950", "1,567", "0,5"].map(String::from).into_iter()), None);
        assert!(refused(&mut ["1", "2", "about 7"].map(String::from).into_iter()).unwrap().contains("about 7"));
    }
}
