//! One array of an npz file: numpy's npy format, versions 1 to 3.
//!
//! A magic number, the length of a header, the header (a Python dictionary written out), then the elements.

use std::borrow::Cow;
use std::path::Path;

use super::super::array::{Array, Dtype, Kind, Unfit};
use super::super::pickle::Pickle;
use bgcn_core::data::BadInput;
use serde::Deserialize;

#[derive(Debug, PartialEq, Eq)]
struct Header {
    dtype: Dtype,
    fortran: bool,
    shape: Vec<usize>,
    /// Where the elements start.
    end: usize,
}

/// An array of numbers or fixed-width text.
pub(super) fn array(mut bytes: Cow<'_, [u8]>) -> Result<Array<'_>, Unfit> {
    let Header { dtype, fortran, shape, end } = header(&bytes)?;
    match &mut bytes {
        Cow::Borrowed(raw) => *raw = &raw[end..],
        Cow::Owned(raw) => {
            raw.drain(..end);
        }
    }
    Array::new(dtype, &shape, fortran, bytes)
}

/// An array of names: fixed-width text, whole numbers, or pickled text objects.
pub(super) fn strings(file: &Path, place: &str, bytes: Cow<'_, [u8]>) -> Result<Vec<String>, BadInput> {
    let at = |unfit: Unfit| unfit.at(file, place);
    let Header { dtype, shape, end, .. } = header(&bytes).map_err(at)?;
    let names = if dtype.kind == Kind::Object {
        let pickled = Pickle::read(file, &bytes[end..]).and_then(|pickle| pickle.strings());
        pickled.map_err(|bad| {
            let place = format!("{place}, pickled; {}", bad.place);
            BadInput { place, ..bad }.next("Save names as text: np.array(names, dtype=str)")
        })?
    } else {
        array(bytes).and_then(|array| array.strings()).map_err(at)?
    };
    if shape != [names.len()] {
        return Err(at(Unfit::new(format!("{} names of shape {shape:?}", names.len()), "one dimension is needed")));
    }
    Ok(names)
}

fn header(bytes: &[u8]) -> Result<Header, Unfit> {
    let broken = || Unfit::new("no array in numpy's npy format", "versions 1 to 3 of that format are read");
    let (length, start) = match bytes {
        [0x93, b'N', b'U', b'M', b'P', b'Y', 1, _, a, b, ..] => (u16::from_le_bytes([*a, *b]) as usize, 10),
        [0x93, b'N', b'U', b'M', b'P', b'Y', 2 | 3, _, a, b, c, d, ..] => {
            (u32::from_le_bytes([*a, *b, *c, *d]) as usize, 12)
        }
        _ => return Err(broken()),
    };
    let end = start + length;
    let text = bytes.get(start..end).and_then(|raw| std::str::from_utf8(raw).ok()).ok_or_else(broken)?;
    let Literal { descr, fortran_order, shape } = serde_json::from_str(&as_json(text)).map_err(|_| {
        let found = format!("the header {:?}", text.chars().take(120).collect::<String>());
        Unfit::new(found, "a dictionary of descr (one type, no records), fortran_order and shape is needed")
    })?;
    let unknown = || Unfit::new(format!("elements of type {descr:?}"), Dtype::KNOWN);
    Ok(Header { dtype: Dtype::parse(&descr).ok_or_else(unknown)?, fortran: fortran_order, shape, end })
}

/// What a header says.
#[derive(Deserialize)]
struct Literal {
    descr: String,
    fortran_order: bool,
    shape: Vec<usize>,
}

/// The Python literal as JSON. Python 2 wrote long numbers with an L.
fn as_json(literal: &str) -> String {
    let spelled = [("'", "\""), ("True", "true"), ("False", "false"), ("(", "["), (")", "]")];
    let left_out = [("L,", ","), ("L]", "]"), (",]", "]"), (",}", "}")];
    let literal: String = literal.split_whitespace().collect();
    spelled.iter().chain(&left_out).fold(literal, |text, (python, json)| text.replace(python, json))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
        let length = header.len() as u32;
        let mut bytes = b"\x93NUMPY".to_vec();
        bytes.extend([version, 0]);
        bytes.extend(&length.to_le_bytes()[..if version == 1 { 2 } else { 4 }]);
        bytes.extend(header.as_bytes());
        bytes.extend(data);
        bytes
    }

    #[test]
    fn all_versions_and_spellings_of_the_header_are_read() {
        for version in 1..=3 {
            for header in [
                "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }   \n",
                "{\"shape\":(2,),\"fortran_order\":False,\"descr\":\"<i2\"}",
                "{'descr': '<i2', 'fortran_order': False, 'shape': (2L,)}\n",
            ] {
                let bytes = file(version, header, &[1, 0, 2, 0]);
                assert_eq!(array(Cow::Owned(bytes)).unwrap().whole().unwrap(), [1, 2]);
            }
        }
    }

    #[test]
    fn a_header_that_says_anything_else_is_refused() {
        for header in [
            "",
            "{",
            "{}",
            "{'descr': '<i2', 'fortran_order': False, 'shape': (2,)} x",
            "{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}",
            "{'descr': '<i2', 'fortran_order': 0, 'shape': (2,)}",
            "{'descr': '<i2', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999,)}",
            "{'descr': '<i2', 'fortran_order': False, 'shape': (3,)}",
            "{'descr': '<i2', 'fortran_order': False, 'shape': (,)}",
        ] {
            assert!(array(Cow::Owned(file(1, header, &[1, 0, 2, 0]))).is_err(), "{header}");
        }
        assert!(array(Cow::Owned(file(4, "{}", &[]))).is_err());
        assert!(array(Cow::Borrowed(b"\x93NUMPY\x02\0\xFF\xFF\xFF\xFF")).is_err());
    }
}
