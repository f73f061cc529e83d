//! NumPy arrays as slices of the library's types; copied only where the type is another one.

use numpy::{Element, PyArrayDyn, PyArrayMethods as _, PyReadonlyArray1, PyUntypedArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::borrow::Cow;

/// Whole numbers of 32 or 64 bits, in one dimension.
pub enum Whole<'py> {
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
    U32(PyReadonlyArray1<'py, u32>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Whole<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = given.extract() {
            return Ok(Self::I64(array));
        }
        if let Ok(array) = given.extract() {
            return Ok(Self::I32(array));
        }
        if let Ok(array) = given.extract() {
            return Ok(Self::U32(array));
        }
        Err(PyTypeError::new_err("expected an array of int32, int64 or uint32 in one dimension"))
    }
}

impl Whole<'_> {
    pub fn len(&self) -> usize {
        match self {
            Self::I32(array) => array.len(),
            Self::I64(array) => array.len(),
            Self::U32(array) => array.len(),
        }
    }

    /// Node or column numbers; `what` they are, for messages. Numbers that are negative or too large are refused.
    pub fn as_u32(&self, what: &str) -> PyResult<Cow<'_, [u32]>> {
        let bad = |place: usize, found: i64| {
            let allowed = "whole numbers from 0 to 4294967294 are allowed";
            Err(PyValueError::new_err(format!("{what}, entry {place}: {found}; {allowed}")))
        };
        Ok(match self {
            Self::U32(array) => match array.as_slice() {
                Ok(slice) => Cow::Borrowed(slice),
                Err(_) => Cow::Owned(array.as_array().iter().copied().collect()),
            },
            Self::I32(array) => {
                if let Some((place, &found)) = array.as_array().iter().enumerate().find(|(_, number)| **number < 0) {
                    return bad(place, found.into());
                }
                match array.as_slice() {
                    Ok(slice) => Cow::Borrowed(bytemuck::cast_slice(slice)),
                    Err(_) => Cow::Owned(array.as_array().iter().map(|&number| number as u32).collect()),
                }
            }
            Self::I64(array) => {
                let mut numbers = Vec::with_capacity(array.len());
                for (place, &number) in array.as_array().iter().enumerate() {
                    match u32::try_from(number) {
                        Ok(u32::MAX) | Err(_) => return bad(place, number),
                        Ok(number) => numbers.push(number),
                    }
                }
                Cow::Owned(numbers)
            }
        })
    }

    /// Row starts.
    pub fn as_usize(&self, what: &str) -> PyResult<Vec<usize>> {
        let number = |(place, number): (usize, i64)| {
            usize::try_from(number).map_err(|_| {
                PyValueError::new_err(format!("{what}, entry {place}: {number}; row starts are not negative"))
            })
        };
        match self {
            Self::I32(array) => array.as_array().iter().map(|&n| i64::from(n)).enumerate().map(number).collect(),
            Self::U32(array) => array.as_array().iter().map(|&n| i64::from(n)).enumerate().map(number).collect(),
            Self::I64(array) => array.as_array().iter().copied().enumerate().map(number).collect(),
        }
    }
}

/// An array of float32 in row order, as one slice; the caller has made it so.
pub fn floats<'a>(array: &'a PyReadonlyArray1<'_, f32>, what: &str) -> PyResult<&'a [f32]> {
    array.as_slice().map_err(|_| PyTypeError::new_err(format!("{what} must be contiguous")))
}

/// Gives an array away in this shape, without a copy.
pub fn shaped<'py, T: Element>(
    py: Python<'py>,
    values: Vec<T>,
    shape: [usize; 2],
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    Ok(numpy::PyArray1::from_vec(py, values).reshape(shape)?.to_dyn().clone())
}
