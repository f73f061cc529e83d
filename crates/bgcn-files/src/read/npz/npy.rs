//! One array of an npz file: numpy's npy format, versions 1 to 3.
//!
//! A magic number, the length of a header, the header (a Python dictionary written out), then the elements.

use std::borrow::Cow;
use std::path::Path;

use super::super::array::{Array, Dtype, Kind, Unfit};
use super::super::pickle::Pickle;
use bgcn_core::data::BadInput;

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
    let mut fields = Literal { left: text }.fields().ok_or_else(|| {
        let found = format!("the header {:?}", text.chars().take(120).collect::<String>());
        Unfit::new(found, "a dictionary of descr (one type, no records), fortran_order and shape is needed")
    })?;
    let mut field = |name: &str| fields.iter().position(|(key, _)| *key == name).map(|i| fields.swap_remove(i).1);
    match (field("descr"), field("fortran_order"), field("shape")) {
        (Some(Field::Text(code)), Some(Field::Bool(fortran)), Some(Field::Tuple(shape))) => {
            let unknown = || Unfit::new(format!("elements of type {code:?}"), Dtype::KNOWN);
            Ok(Header { dtype: Dtype::parse(code).ok_or_else(unknown)?, fortran, shape, end })
        }
        _ => Err(broken()),
    }
}

/// A value in the header.
enum Field<'a> {
    Text(&'a str),
    Bool(bool),
    Tuple(Vec<usize>),
}

/// The part of a Python literal that is still to be read.
struct Literal<'a> {
    left: &'a str,
}

impl<'a> Literal<'a> {
    /// `{'key': value, …}` and nothing after it but blanks.
    fn fields(mut self) -> Option<Vec<(&'a str, Field<'a>)>> {
        let mut fields = Vec::new();
        self.token("{")?;
        while self.token("}").is_none() {
            let key = self.quoted()?;
            self.token(":")?;
            fields.push((key, self.value()?));
            if self.token(",").is_none() {
                self.token("}")?;
                break;
            }
        }
        self.left.trim().is_empty().then_some(fields)
    }

    fn token(&mut self, token: &str) -> Option<()> {
        self.left = self.left.trim_start().strip_prefix(token)?;
        Some(())
    }

    fn quoted(&mut self) -> Option<&'a str> {
        let quote = if self.token("'").is_some() { '\'' } else { self.token("\"").map(|()| '"')? };
        let (text, left) = self.left.split_once(quote)?;
        self.left = left;
        Some(text)
    }

    fn value(&mut self) -> Option<Field<'a>> {
        if self.token("True").is_some() {
            return Some(Field::Bool(true));
        }
        if self.token("False").is_some() {
            return Some(Field::Bool(false));
        }
        if self.token("(").is_none() {
            return self.quoted().map(Field::Text);
        }
        let mut sides = Vec::new();
        while self.token(")").is_none() {
            self.left = self.left.trim_start();
            let digits = self.left.len() - self.left.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            sides.push(self.left[..digits].parse().ok()?);
            // Python 2 wrote long numbers with an L.
            self.left = self.left[digits..].trim_start_matches('L');
            if self.token(",").is_none() {
                self.token(")")?;
                break;
            }
        }
        Some(Field::Tuple(sides))
    }
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
