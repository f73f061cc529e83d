//! Columns of cells as features: numbers as they are, true and false as 1 and 0, other text as categories.
//!
//! A category is a column of X called `column=value`, 1 where the cell is that value; values are sorted. An empty cell
//! of a column of numbers becomes the column's mean. Text that hardly repeats is no category and is left out. All of it
//! is said, and a column of numbers with a text among them is refused.

use super::header::{is_missing, is_number};
use super::lines::shortened;
use bgcn_core::data::{BadInput, DenseRows, Error, Features};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Values of a column that may be categories.
const CATEGORIES: usize = 256;

/// Share of the cells that may differ from all others in a column of categories.
const DIFFERENT: f64 = 0.8;

/// Rows of cells that can be gone through more than once.
pub(in crate::read) trait Cells {
    /// Shows every row: where it is, and its cells.
    fn visit(&self, each: &mut dyn FnMut(usize, &[Cow<'_, str>]) -> Result<(), Error>) -> Result<(), Error>;
    /// Bad content in a row.
    fn bad(&self, row: usize, found: String) -> BadInput;
    /// Whether a comma can be a decimal point.
    fn has_free_commas(&self) -> bool;
    /// The file's name, for remarks.
    fn name(&self) -> String;
}

/// A column of the file that becomes features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct Column {
    /// Where it stands in a row.
    pub(in crate::read) at: usize,
    /// What it is called; columns of files without a header are called by their number.
    pub(in crate::read) name: String,
}

/// X, what its columns are called, and its cells that were empty.
pub(in crate::read) struct Found {
    pub(in crate::read) features: Features,
    pub(in crate::read) names: Vec<String>,
    pub(in crate::read) blanks: Vec<(u32, u32)>,
}

/// What a column holds.
#[derive(Default)]
struct Survey {
    numbers: usize,
    flags: usize,
    missing: usize,
    comma_numbers: usize,
    /// Cells that are none of these, and the first of them.
    texts: usize,
    first_text: Option<(usize, String)>,
    /// Whether one of them is a number that is not finite.
    infinite: bool,
    /// Different values of cells, as far as they can be categories.
    values: BTreeSet<String>,
}

enum Kind {
    Numbers,
    Flags,
    Categories(Vec<String>),
    LeftOut,
}

/// Features of `nodes` nodes: row i of the file is node `node_of[i]`.
pub(in crate::read) fn read(
    cells: &dyn Cells,
    columns: &[Column],
    node_of: &[u32],
    nodes: usize,
    remarks: &mut Vec<String>,
) -> Result<Found, Error> {
    let surveys = survey(cells, columns)?;
    let mut kinds = Vec::new();
    for (column, survey) in columns.iter().zip(surveys) {
        kinds.push(kind(cells, column, survey)?);
    }
    say(cells, columns, &kinds, remarks);
    let mut names = Vec::new();
    for (column, (kind, _)) in columns.iter().zip(&kinds) {
        match kind {
            Kind::Numbers | Kind::Flags => names.push(column.name.clone()),
            Kind::Categories(values) => names.extend(values.iter().map(|value| format!("{}={value}", column.name))),
            Kind::LeftOut => {}
        }
    }
    if names.is_empty() {
        return Ok(Found { features: Features::Identity(nodes), names, blanks: Vec::new() });
    }
    let (values, blanks) = fill(cells, columns, &kinds, names.len(), node_of, nodes)?;
    Ok(Found { features: Features::Dense(DenseRows { columns: names.len(), values }), names, blanks })
}

fn survey(cells: &dyn Cells, columns: &[Column]) -> Result<Vec<Survey>, Error> {
    let mut surveys: Vec<Survey> = columns.iter().map(|_| Survey::default()).collect();
    let commas = cells.has_free_commas();
    cells.visit(&mut |row, fields| {
        for (column, survey) in columns.iter().zip(&mut surveys) {
            let cell = &fields[column.at];
            if is_number(cell) {
                survey.numbers += 1;
            } else if is_missing(cell) {
                survey.missing += 1;
                continue;
            } else if flag(cell).is_some() {
                survey.flags += 1;
            } else if commas && comma_number(cell).is_some() {
                survey.comma_numbers += 1;
            } else {
                survey.texts += 1;
                // An infinite number is the mistake to report, wherever it stands.
                let infinite = cell.parse::<f64>().is_ok();
                if survey.first_text.is_none() || (infinite && !survey.infinite) {
                    survey.first_text = Some((row, cell.to_string()));
                }
                survey.infinite |= infinite;
            }
            if survey.values.len() <= CATEGORIES && !survey.values.contains(cell.as_ref()) {
                survey.values.insert(cell.to_string());
            }
        }
        Ok(())
    })?;
    Ok(surveys)
}

fn kind(cells: &dyn Cells, column: &Column, survey: Survey) -> Result<(Kind, Survey), Error> {
    let numbers = survey.numbers + survey.comma_numbers;
    let known = numbers + survey.flags + survey.texts;
    let kind = if known == 0 {
        Kind::LeftOut
    } else if numbers == known {
        Kind::Numbers
    } else if survey.flags == known {
        Kind::Flags
    } else if 2 * numbers > known || (numbers > 0 && survey.infinite) {
        let (row, text) = survey.first_text.clone().unwrap_or((0, "true or false".into()));
        let found = format!("column {} holds {:?} among numbers", shortened(&column.name), shortened(&text));
        let bad = cells.bad(row, found).allowed("features are finite numbers, written as 0.5, or all text");
        return Err(bad.next("Replace it by a number, or leave it empty.").into());
    } else {
        let values: Vec<String> = survey.values.iter().cloned().collect();
        let repeats = values.len() <= CATEGORIES && (values.len() as f64) <= DIFFERENT * known as f64;
        if repeats { Kind::Categories(values) } else { Kind::LeftOut }
    };
    Ok((kind, survey))
}

fn say(cells: &dyn Cells, columns: &[Column], kinds: &[(Kind, Survey)], remarks: &mut Vec<String>) {
    let list = |some: &dyn Fn(&Kind, &Survey) -> Option<String>| -> Option<String> {
        let one = |(column, (kind, survey)): (&Column, &(Kind, Survey))| {
            Some(format!("{}{}", shortened(&column.name), some(kind, survey)?))
        };
        let found: Vec<String> = columns.iter().zip(kinds).filter_map(one).collect();
        let (few, more) = (found.iter().take(12).cloned().collect::<Vec<_>>().join(", "), found.len() > 12);
        (!found.is_empty()).then(|| few + if more { ", …" } else { "" })
    };
    let mut tell = |what: &str, found: Option<String>| {
        remarks.extend(found.map(|found| format!("{}: {what}: {found}", cells.name())));
    };
    let categories = |kind: &Kind, _: &Survey| match kind {
        Kind::Categories(values) => Some(format!(" ({})", values.len())),
        _ => None,
    };
    tell("text columns as categories", list(&categories));
    let left_out = |kind: &Kind, survey: &Survey| {
        let empty = survey.texts + survey.flags + survey.numbers == 0;
        matches!(kind, Kind::LeftOut).then(|| (if empty { " (empty)" } else { " (hardly a text repeats)" }).to_owned())
    };
    tell("columns left out", list(&left_out));
    let empty = |kind: &Kind, survey: &Survey| match kind {
        Kind::Numbers | Kind::Flags if survey.missing > 0 => Some(format!(" ({})", survey.missing)),
        _ => None,
    };
    tell("empty cells, taken as the mean of the column", list(&empty));
    let comma =
        |kind: &Kind, survey: &Survey| (matches!(kind, Kind::Numbers) && survey.comma_numbers > 0).then(String::new);
    tell("numbers with a decimal comma", list(&comma));
}

fn fill(
    cells: &dyn Cells,
    columns: &[Column],
    kinds: &[(Kind, Survey)],
    width: usize,
    node_of: &[u32],
    nodes: usize,
) -> Result<(Vec<f32>, Vec<(u32, u32)>), Error> {
    let mut values = vec![0f32; nodes * width];
    let mut sums = vec![(0f64, 0usize); width];
    let mut blanks: Vec<(u32, u32)> = Vec::new();
    let mut rows = node_of.iter();
    cells.visit(&mut |row, fields| {
        let node = *rows.next().expect("as many rows as before") as usize;
        let mut at = 0;
        for (column, (kind, _)) in columns.iter().zip(kinds) {
            let cell = fields[column.at].as_ref();
            match kind {
                Kind::Numbers | Kind::Flags => {
                    match number(cell) {
                        Some(value) if (value as f32).is_finite() => {
                            values[node * width + at] = value as f32;
                            sums[at] = (sums[at].0 + value, sums[at].1 + 1);
                        }
                        Some(_) => {
                            let bad = cells.bad(row, format!("column {} holds {cell:?}", shortened(&column.name)));
                            let next = "Replace it by a number, or leave it empty.";
                            return Err(bad.allowed("features are at most 3e38").next(next).into());
                        }
                        None => blanks.push((node as u32, at as u32)),
                    }
                    at += 1;
                }
                Kind::Categories(names) => {
                    if let Ok(place) = names.binary_search_by(|name| name.as_str().cmp(cell)) {
                        values[node * width + at + place] = 1.0;
                    }
                    at += names.len();
                }
                Kind::LeftOut => {}
            }
        }
        Ok(())
    })?;
    for &(node, at) in &blanks {
        let (sum, count) = sums[at as usize];
        values[node as usize * width + at as usize] = (sum / count.max(1) as f64) as f32;
    }
    Ok((values, blanks))
}

/// The number in a cell; `None` where nothing is known.
fn number(cell: &str) -> Option<f64> {
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
fn comma_number(cell: &str) -> Option<f64> {
    let (whole, fraction) = cell.split_once(',')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole.trim_start_matches(['-', '+'])) && digits(fraction))
        .then(|| format!("{whole}.{fraction}").parse().ok())?
}
