//! Tables in memory, such as Python's data frames, as features: by the rules for the columns of files.
//!
//! A [`FramePlan`] keeps how the columns of a fit were read, so that those of later data are read the same way: numbers
//! with the fit's mean where a cell is missing, categories as columns of the fit.

use super::ReadOptions;
use super::table::choice::{NEXT, choose};
use super::table::columns::{names, say};
use super::table::survey::{Kind, Refusal, Survey, number};
use bgcn_core::data::Error;
use serde::{Deserialize, Serialize};

/// A column as the program has it.
#[derive(Clone, Debug, PartialEq)]
pub enum FrameColumn {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Cells as text, read like those of a file.
    Cells(Vec<Option<String>>),
    /// Text that is a category, whatever it looks like.
    Categories(Vec<Option<String>>),
    /// So many dates or times.
    Times(usize),
    /// So many cells that are nothing of these, and what they are, as an error where the column is used.
    Unreadable(usize, String),
}

/// How the columns of a table become those of X.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FramePlan {
    columns: Vec<Planned>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Planned {
    name: String,
    becomes: Becomes,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Becomes {
    /// Numbers, with this mean.
    Mean(f64),
    /// These categories, sorted.
    Categories(Vec<String>),
}

/// X of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameFeatures {
    /// For later tables.
    pub plan: FramePlan,
    /// What the columns of X are called.
    pub names: Vec<String>,
    /// Row by row.
    pub values: Vec<f32>,
    /// What was guessed and left out, a sentence each.
    pub remarks: Vec<String>,
}

impl FrameColumn {
    fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Cells(cells) | Self::Categories(cells) => cells.len(),
            Self::Times(rows) | Self::Unreadable(rows, _) => *rows,
        }
    }

    /// What it holds. Decimal commas are understood, for nothing else separates cells.
    fn survey(&self) -> Survey {
        let mut survey = Survey::default();
        match self {
            Self::Numbers(numbers) => (0..).zip(numbers).for_each(|(row, &number)| survey.add_number(row, number)),
            Self::Cells(cells) => {
                (0..).zip(cells).for_each(|(row, cell)| survey.add(row, cell.as_deref().unwrap_or(""), true));
            }
            Self::Categories(cells) => (0..).zip(cells).for_each(|(row, cell)| survey.add_text(row, cell.as_deref())),
            Self::Times(rows) => survey.add_times(*rows),
            Self::Unreadable(..) => {}
        }
        survey
    }

    fn check(&self) -> Result<(), Error> {
        match self {
            Self::Unreadable(_, found) => Err(Error::Request(found.clone())),
            _ => Ok(()),
        }
    }
}

/// Reads the features of a table; `asked` are the columns to use, or, after a minus, to leave out.
pub fn features(names_of: &[String], columns: &[FrameColumn], asked: &[String]) -> Result<FrameFeatures, Error> {
    let rows = check(names_of, columns)?;
    let all: Vec<usize> = (0..columns.len()).collect();
    let options = ReadOptions { columns: asked.to_vec(), ..ReadOptions::default() };
    let chosen = choose(&options, names_of, &all, &all)
        .map_err(|unknown| Error::Request(format!("features: {}; {}. {NEXT}", unknown.found, unknown.allowed)))?;
    chosen.iter().try_for_each(|column| columns[column.at].check())?;
    let mut surveys: Vec<Survey> = chosen.iter().map(|column| columns[column.at].survey()).collect();
    let mut kinds = Vec::new();
    for (column, survey) in chosen.iter().zip(&mut surveys) {
        kinds.push(survey.kind(&column.name, column.forced).map_err(refused)?);
    }
    let called: Vec<&str> = chosen.iter().map(|column| column.name.as_str()).collect();
    // That text is categories is what the type of a column says already.
    let said = say(&called, &kinds, &surveys).into_iter().filter(|said| !said.starts_with("text columns"));
    let remarks = said.map(|said| format!("features: {said}")).collect();
    let mut plan = FramePlan::default();
    for (column, kind) in chosen.iter().zip(&kinds) {
        let becomes = match kind {
            Kind::Numbers => Becomes::Mean(mean(&columns[column.at])),
            Kind::Categories(values) => Becomes::Categories(values.clone()),
            Kind::LeftOut(_) => continue,
        };
        plan.columns.push(Planned { name: column.name.clone(), becomes });
    }
    let used: Vec<&FrameColumn> = chosen
        .iter()
        .zip(&kinds)
        .filter(|(_, kind)| !matches!(kind, Kind::LeftOut(_)))
        .map(|(c, _)| &columns[c.at])
        .collect();
    let names = names(&called, &kinds);
    let values = plan.fill(&used, rows, names.len(), &mut Vec::new())?;
    Ok(FrameFeatures { plan, names, values, remarks })
}

/// All columns are as long as the first, and each has a name of its own.
fn check(names: &[String], columns: &[FrameColumn]) -> Result<usize, Error> {
    let rows = columns.first().map_or(0, FrameColumn::len);
    if names.len() != columns.len() || columns.iter().any(|column| column.len() != rows) {
        let found = format!("{} names and {} columns, not all of {rows} rows", names.len(), columns.len());
        return Err(Error::Request(format!("features: {found}. Give every column a name and a cell per row.")));
    }
    Ok(rows)
}

fn refused(Refusal { row, found, allowed, next }: Refusal) -> Error {
    Error::Request(format!("features, row {row}: {found}; {allowed}. {next}"))
}

/// The mean of what is known.
fn mean(column: &FrameColumn) -> f64 {
    let (mut sum, mut count) = (0.0, 0usize);
    let mut add = |number: f64| (sum, count) = (sum + number, count + 1);
    match column {
        FrameColumn::Numbers(numbers) => numbers.iter().copied().filter(|number| !number.is_nan()).for_each(add),
        FrameColumn::Cells(cells) => cells.iter().flatten().filter_map(|cell| number(cell)).for_each(&mut add),
        FrameColumn::Categories(_) | FrameColumn::Times(_) | FrameColumn::Unreadable(..) => {}
    }
    sum / count.max(1) as f64
}

impl FramePlan {
    /// What the columns of X are called.
    fn names(&self) -> Vec<String> {
        let called: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
        let kind = |column: &Planned| match &column.becomes {
            Becomes::Mean(_) => Kind::Numbers,
            Becomes::Categories(values) => Kind::Categories(values.clone()),
        };
        names(&called, &self.columns.iter().map(kind).collect::<Vec<_>>())
    }

    /// Another table, read as the first was; it has all columns of the plan.
    pub fn apply(&self, names_of: &[String], columns: &[FrameColumn]) -> Result<FrameFeatures, Error> {
        let rows = check(names_of, columns)?;
        let place = |planned: &Planned| names_of.iter().position(|name| *name == planned.name);
        let missing: Vec<&str> =
            self.columns.iter().filter(|own| place(own).is_none()).map(|own| own.name.as_str()).collect();
        if !missing.is_empty() {
            let list = missing.join(", ");
            return Err(Error::Request(format!("X lacks the columns {list} that the fit had; give them all")));
        }
        let used: Vec<&FrameColumn> = self.columns.iter().filter_map(place).map(|at| &columns[at]).collect();
        used.iter().try_for_each(|column| column.check())?;
        let (names, mut remarks) = (self.names(), Vec::new());
        let values = self.fill(&used, rows, names.len(), &mut remarks)?;
        Ok(FrameFeatures { plan: self.clone(), names, values, remarks })
    }

    /// X, row by row.
    fn fill(
        &self,
        columns: &[&FrameColumn],
        rows: usize,
        width: usize,
        remarks: &mut Vec<String>,
    ) -> Result<Vec<f32>, Error> {
        let mut values = vec![0f32; rows * width];
        let mut at = 0;
        for (planned, column) in self.columns.iter().zip(columns) {
            match &planned.becomes {
                Becomes::Mean(mean) => {
                    let mut holes = 0;
                    for row in 0..rows {
                        let value = number_at(column, row, &planned.name)?.unwrap_or_else(|| {
                            holes += 1;
                            *mean
                        });
                        values[row * width + at] = value as f32;
                    }
                    if holes > 0 {
                        remarks.push(format!("column {:?}: {holes} empty cells are the mean of the fit", planned.name));
                    }
                    at += 1;
                }
                Becomes::Categories(known) => {
                    let mut unseen = std::collections::BTreeSet::new();
                    for row in 0..rows {
                        let Some(cell) = text_at(column, row) else { continue };
                        match known.binary_search_by(|own| own.as_str().cmp(&cell)) {
                            Ok(place) => values[row * width + at + place] = 1.0,
                            Err(_) if super::table::header::is_missing(&cell) || cell == "-" => {}
                            Err(_) => drop(unseen.insert(cell.into_owned())),
                        }
                    }
                    if !unseen.is_empty() {
                        let (name, list) = (&planned.name, unseen.into_iter().collect::<Vec<_>>().join(", "));
                        remarks.push(format!(
                            "column '{name}' has categories that the fit did not see: {list}; all are 0 there"
                        ));
                    }
                    at += known.len();
                }
            }
        }
        Ok(values)
    }
}

/// The number in a row; `None` where it is missing.
fn number_at(column: &FrameColumn, row: usize, name: &str) -> Result<Option<f64>, Error> {
    let (value, shown) = match column {
        FrameColumn::Numbers(numbers) => (Some(numbers[row]), numbers[row].to_string()),
        FrameColumn::Cells(cells) | FrameColumn::Categories(cells) => match cells[row].as_deref() {
            None | Some("-") => return Ok(None),
            Some(cell) if super::table::header::is_missing(cell) => return Ok(None),
            Some(cell) => (number(cell), cell.to_owned()),
        },
        FrameColumn::Times(_) | FrameColumn::Unreadable(..) => (None, "a time".into()),
    };
    match value {
        Some(value) if value.is_nan() => Ok(None),
        Some(value) if (value as f32).is_finite() => Ok(Some(value)),
        _ => {
            let allowed = "features are finite numbers within the range of 32 bits, or missing";
            Err(Error::Request(format!("features, row {row}, column '{name}': {shown}; {allowed}. Replace it.")))
        }
    }
}

fn text_at(column: &FrameColumn, row: usize) -> Option<std::borrow::Cow<'_, str>> {
    match column {
        FrameColumn::Numbers(numbers) if numbers[row].is_nan() => None,
        FrameColumn::Numbers(numbers) => Some(numbers[row].to_string().into()),
        FrameColumn::Cells(cells) | FrameColumn::Categories(cells) => cells[row].as_deref().map(Into::into),
        FrameColumn::Times(_) | FrameColumn::Unreadable(..) => Some("a time".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(words: &[&str]) -> FrameColumn {
        FrameColumn::Cells(words.iter().map(|word| (!word.is_empty()).then(|| (*word).to_owned())).collect())
    }

    #[test]
    fn a_frame_is_read_by_the_rules_for_files_and_later_ones_like_the_first() {
        let names = ["id", "size", "town", "seen"].map(String::from);
        let ids = FrameColumn::Numbers((0..4).map(f64::from).collect());
        let size = FrameColumn::Numbers(vec![1.0, f64::NAN, 3.0, 8.0]);
        let columns = [ids, size, cells(&["x", "y", "", "x"]), FrameColumn::Times(4)];
        let found = features(&names, &columns, &[]).unwrap();
        assert_eq!(found.names, ["size", "town=x", "town=y"]);
        assert_eq!(found.values, [1.0, 1.0, 0.0, 4.0, 0.0, 1.0, 3.0, 0.0, 0.0, 8.0, 1.0, 0.0]);
        let said = found.remarks.join("\n");
        for part in ["id (whole numbers", "seen (dates or times)", "mean of the column: size (1)", "zero in every"] {
            assert!(said.contains(part), "{said}");
        }
        let later = [cells(&["x", "z"]), FrameColumn::Numbers(vec![f64::NAN, 2.0])];
        let names = ["town", "size"].map(String::from);
        let again = found.plan.apply(&names, &later).unwrap();
        assert_eq!(again.values, [4.0, 1.0, 0.0, 2.0, 0.0, 0.0]);
        assert_eq!(again.remarks.len(), 2);
        assert!(found.plan.apply(&names[..1], &later[..1]).unwrap_err().to_string().contains("lacks the columns size"));
        let json = serde_json::to_string(&found.plan).unwrap();
        assert_eq!(serde_json::from_str::<FramePlan>(&json).unwrap(), found.plan);
    }

    #[test]
    fn asked_columns_are_used_whatever_they_hold() {
        let names = ["id", "name", "size"].map(String::from);
        let columns = [
            FrameColumn::Numbers((0..4).map(f64::from).collect()),
            cells(&["a", "b", "c", "d"]),
            FrameColumn::Numbers(vec![f64::INFINITY; 4]),
        ];
        let of = |asked: &[&str]| {
            let asked: Vec<String> = asked.iter().map(|word| (*word).to_owned()).collect();
            features(&names, &columns, &asked).map(|found| found.names.join(" ")).map_err(|error| error.to_string())
        };
        assert_eq!(of(&["-size"]).unwrap(), "");
        assert_eq!(of(&["id"]).unwrap(), "id");
        assert_eq!(of(&["name"]).unwrap(), "name=a name=b name=c name=d");
        assert!(of(&[]).unwrap_err().contains("row 0: column size holds \"inf\" among numbers"));
        assert!(of(&["nme"]).unwrap_err().contains("\"nme\" of `columns` is not there"));
    }
}
