//! Features from data frames, column by column, as files are read.

use crate::errors;
use bgcn_files::read::frame::{FrameColumn, FrameFeatures, FramePlan, features};
use numpy::{IntoPyArray as _, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A column: numbers with NaN for missing cells, text, a tuple of text that is categories, a number of times, or a
/// number of cells that are nothing of these, and what they are.
#[derive(FromPyObject)]
pub enum Column<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    Times(usize),
    Unreadable((usize, String)),
    Categories((Vec<Option<String>>,)),
    Cells(Vec<Option<String>>),
}

/// How the columns were read (JSON), the names of the columns of X, X row by row, and remarks.
type Found<'py> = (String, Vec<String>, Bound<'py, PyArray1<f32>>, Vec<String>);

/// The features of a table. `columns` are those to use, or, after a minus, to leave out; `plan` is how the table of a
/// fit was read.
#[pyfunction]
#[pyo3(signature = (names, cells, *, columns=None, plan=None))]
pub fn frame_features<'py>(
    py: Python<'py>,
    names: Vec<String>,
    cells: Vec<Column<'py>>,
    columns: Option<Vec<String>>,
    plan: Option<&str>,
) -> PyResult<Found<'py>> {
    let plan: Option<FramePlan> =
        plan.map(serde_json::from_str).transpose().map_err(|error| PyValueError::new_err(error.to_string()))?;
    let table: Vec<FrameColumn> = cells.into_iter().map(column).collect();
    let read = || match &plan {
        Some(plan) => plan.apply(&names, &table),
        None => features(&names, &table, columns.as_deref().unwrap_or_default()),
    };
    let FrameFeatures { plan, names, values, remarks } = py.detach(read).map_err(errors::of)?;
    let plan = serde_json::to_string(&plan).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let remarks = remarks.iter().map(|remark| errors::spelled(remark).into_owned()).collect();
    Ok((plan, names, values.into_pyarray(py), remarks))
}

fn column(given: Column<'_>) -> FrameColumn {
    match given {
        Column::Numbers(array) => FrameColumn::Numbers(array.as_array().iter().copied().collect()),
        Column::Cells(cells) => FrameColumn::Cells(cells),
        Column::Categories((cells,)) => FrameColumn::Categories(cells),
        Column::Times(rows) => FrameColumn::Times(rows),
        Column::Unreadable((rows, found)) => FrameColumn::Unreadable(rows, found),
    }
}
