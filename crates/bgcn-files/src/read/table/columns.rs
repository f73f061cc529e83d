//! Columns of cells as features, as [`survey`](super::survey) decides about each.
//!
//! A category is a column of X called `column=value`, 1 where the cell is that value; values are sorted. A missing cell
//! of a column of numbers becomes the column's mean; in a column of categories it is zero in all of them. All of it is
//! said, and a column of numbers with a text among them is refused.

use super::lines::shortened;
use super::survey::{CATEGORIES, Kind, Refusal, Survey, Why, number};
use bgcn_core::data::{BadInput, DenseRows, Error, Features};
use bgcn_core::memory;
use std::borrow::Cow;

/// Bytes that one of the different values of a column takes while categories are looked for.
const VALUE: u64 = 80;

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
    /// Whether it is asked for, or an earlier fit had it: it is a feature whatever it looks like.
    pub(in crate::read) forced: bool,
}

/// X, what its columns are called, and its cells that were empty.
pub(in crate::read) struct Found {
    pub(in crate::read) features: Features,
    pub(in crate::read) names: Vec<String>,
    pub(in crate::read) blanks: Vec<(u32, u32)>,
}

/// Features of `nodes` nodes: row i of the file is node `node_of[i]`.
pub(in crate::read) fn read(
    cells: &dyn Cells,
    columns: &[Column],
    node_of: &[u32],
    nodes: usize,
    remarks: &mut Vec<String>,
) -> Result<Found, Error> {
    let values = (1 + node_of.len().min(CATEGORIES)) * columns.len();
    ask(cells, columns.len(), "columns", values as u64 * VALUE)?;
    let mut surveys = survey(cells, columns)?;
    let decide = |(column, survey): (&Column, &mut Survey)| {
        survey.kind(&column.name, column.forced).map_err(|Refusal { row, found, allowed, next }| {
            Error::from(cells.bad(row, found).allowed(allowed).next(next))
        })
    };
    let kinds = columns.iter().zip(&mut surveys).map(decide).collect::<Result<Vec<Kind>, Error>>()?;
    let called: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let name = cells.name();
    remarks.extend(say(&called, &kinds, &surveys).into_iter().map(|said| format!("{name}: {said}")));
    let names = names(&called, &kinds);
    if names.is_empty() {
        return Ok(Found { features: Features::Identity(nodes), names, blanks: Vec::new() });
    }
    ask(cells, names.len(), "features of each node", nodes as u64 * names.len() as u64 * size_of::<f32>() as u64)?;
    let (values, blanks) = fill(cells, columns, &kinds, names.len(), node_of, nodes)?;
    Ok(Found { features: Features::Dense(DenseRows { columns: names.len(), values }), names, blanks })
}

/// Refuses what needs more memory than there is.
fn ask(cells: &dyn Cells, count: usize, what: &str, bytes: u64) -> Result<(), Error> {
    memory::allow(bytes).map_err(|much| {
        let bad = BadInput { place: String::new(), ..cells.bad(0, format!("{count} {what}: {much}")) };
        bad.allowed("features are held in memory").next("Leave out columns, or give triplets: id,column,value.").into()
    })
}

fn survey(cells: &dyn Cells, columns: &[Column]) -> Result<Vec<Survey>, Error> {
    let mut surveys: Vec<Survey> = columns.iter().map(|_| Survey::default()).collect();
    let commas = cells.has_free_commas();
    cells.visit(&mut |row, fields| {
        columns.iter().zip(&mut surveys).for_each(|(column, survey)| survey.add(row, &fields[column.at], commas));
        Ok(())
    })?;
    Ok(surveys)
}

/// The names of the columns of X.
pub(in crate::read) fn names(columns: &[&str], kinds: &[Kind]) -> Vec<String> {
    let mut names = Vec::new();
    for (column, kind) in columns.iter().zip(kinds) {
        match kind {
            Kind::Numbers => names.push((*column).to_owned()),
            Kind::Categories(values) => names.extend(values.iter().map(|value| format!("{column}={value}"))),
            Kind::LeftOut(_) => {}
        }
    }
    names
}

/// What became of the columns, as far as the user should know.
pub(in crate::read) fn say(columns: &[&str], kinds: &[Kind], surveys: &[Survey]) -> Vec<String> {
    let list = |some: &dyn Fn(&Kind, &Survey) -> Option<String>| -> Option<String> {
        let of = columns.iter().zip(kinds.iter().zip(surveys));
        let found: Vec<String> = of
            .filter_map(|(column, (kind, survey))| Some(format!("{}{}", shortened(column), some(kind, survey)?)))
            .collect();
        let (few, more) = (found.iter().take(12).cloned().collect::<Vec<_>>().join(", "), found.len() > 12);
        (!found.is_empty()).then(|| few + if more { ", …" } else { "" })
    };
    let categories = |kind: &Kind, _: &Survey| match kind {
        Kind::Categories(values) => Some(format!(" ({})", values.len())),
        _ => None,
    };
    let left_out = |kind: &Kind, _: &Survey| match kind {
        Kind::LeftOut(why) => Some(format!(" ({})", why.text())),
        _ => None,
    };
    let missing = |numbers: bool| {
        move |kind: &Kind, survey: &Survey| {
            let is =
                survey.missing > 0 && if numbers { *kind == Kind::Numbers } else { categories(kind, survey).is_some() };
            is.then(|| format!(" ({})", survey.missing))
        }
    };
    let comma = |kind: &Kind, survey: &Survey| (*kind == Kind::Numbers && survey.comma_numbers > 0).then(String::new);
    let constant = |kind: &Kind, survey: &Survey| (*kind == Kind::Numbers && survey.is_constant()).then(String::new);
    let can_return = kinds.iter().any(|kind| matches!(kind, Kind::LeftOut(why) if *why != Why::Empty));
    let how = if can_return { "; `columns` names those to use" } else { "" };
    let said = [
        ("text columns as categories", list(&categories)),
        ("columns left out", list(&left_out).map(|left| left + how)),
        ("columns that are constant, which scaling drops", list(&constant)),
        ("empty cells, taken as the mean of the column", list(&missing(true))),
        ("empty cells, zero in every category of the column", list(&missing(false))),
        ("numbers with a decimal comma", list(&comma)),
    ];
    said.into_iter().filter_map(|(what, found)| Some(format!("{what}: {}", found?))).collect()
}

fn fill(
    cells: &dyn Cells,
    columns: &[Column],
    kinds: &[Kind],
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
        for (column, kind) in columns.iter().zip(kinds) {
            let cell = fields[column.at].as_ref();
            match kind {
                Kind::Numbers => {
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
                Kind::LeftOut(_) => {}
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
