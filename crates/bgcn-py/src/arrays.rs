//! NumPy arrays as slices of the library's types; the Python package has made them contiguous and of these types.

use numpy::{Element, PyArrayDyn, PyArrayMethods as _, PyReadonlyArray1};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Node or column numbers.
pub type Numbers<'py> = PyReadonlyArray1<'py, u32>;

/// An array as one slice; `what` it holds, for messages.
pub fn slice<'a, T: Element>(array: &'a PyReadonlyArray1<'_, T>, what: &str) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| PyTypeError::new_err(format!("{what} must be contiguous")))
}

/// Row starts.
pub fn starts(array: &PyReadonlyArray1<'_, i64>) -> PyResult<Vec<usize>> {
    let start = |(place, &number): (usize, &i64)| {
        let found = || format!("features, entry {place}: {number}; row starts are not negative");
        usize::try_from(number).map_err(|_| PyValueError::new_err(found()))
    };
    array.as_array().iter().enumerate().map(start).collect()
}

/// Gives an array away in this shape, without a copy.
pub fn shaped<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    Ok(numpy::PyArray1::from_vec(py, values).reshape(shape)?.to_dyn().clone())
}
