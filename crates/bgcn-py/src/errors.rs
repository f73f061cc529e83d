//! The library's errors as Python's: ValueError where the caller can mend them.

use bgcn_cli::Failure;
use bgcn_core::memory::available as available_memory;
use bgcn_core::{Error, ErrorKind};
use bgcn_files::Shell;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::{PyErr, PyResult};

pub fn of(error: Error) -> PyErr {
    let text = spelled(&error.to_string()).into_owned();
    match error.kind() {
        ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
        // Numbers overflow by features or settings, which the caller can mend.
        ErrorKind::Setting | ErrorKind::Input | ErrorKind::Numeric => PyValueError::new_err(text),
        ErrorKind::Io => os(&error).unwrap_or_else(|| PyOSError::new_err(text)),
        // A callback that stops a fit has raised its own exception.
        _ => PyRuntimeError::new_err(text),
    }
}

/// A message or remark of the library, options spelled as keywords.
pub fn spelled(text: &str) -> std::borrow::Cow<'_, str> {
    bgcn_files::spelled(text, Shell::Python)
}

/// The system's number, words and path, from which Python makes the class it has for them.
fn os(error: &Error) -> Option<PyErr> {
    let Error::Io { path, source, .. } = error else { return None };
    let number = source.raw_os_error()?;
    let text = source.to_string();
    let words = text.strip_suffix(&format!(" (os error {number})")).unwrap_or(&text).to_owned();
    Some(PyOSError::new_err((number, words, path.clone().into_os_string())))
}

/// Refuses what needs more bytes than there are: the allocator would end the process.
pub fn check_memory(what: &str, bytes: usize) -> PyResult<()> {
    match available_memory() {
        Some(available) if bytes as u64 > available => Err(PyValueError::new_err(format!(
            "{what} takes at least {:.1} GB, but {:.1} GB are available; take fewer, or a machine with more memory",
            bytes as f64 / 1e9,
            available as f64 / 1e9
        ))),
        _ => Ok(()),
    }
}

pub fn of_failure(failure: Failure) -> PyErr {
    let text = spelled(&failure.message).into_owned();
    if failure.is_input { PyValueError::new_err(text) } else { PyRuntimeError::new_err(text) }
}

/// A bug of bgcn: nothing the caller did should lead here.
pub fn of_panic(panic: &(dyn std::any::Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    PyRuntimeError::new_err(format!("a fault of bgcn: {text}. Please report it with the data that led to it"))
}
