//! Arrays as files hold them: raw bytes, an element type and a shape. Shared by the pickle and the npz readers.
//!
//! Nothing is converted until numbers of a certain kind are needed, and bytes are borrowed where possible.

use std::borrow::Cow;
use std::fmt;
use std::path::Path;

pub(super) use super::dtype::{Dtype, Kind};
use super::dtype::{decode_utf32, half};
use bgcn_core::data::BadInput;
use bgcn_core::memory::{self, TooMuch};

/// Bytes that a text takes beside its letters, with its place in lists.
const TEXT: usize = 64;

/// What is wrong with an array or matrix, and what would be right; the caller knows which file it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unfit {
    pub(super) found: String,
    pub(super) allowed: String,
    /// The number that is wrong and its place in the file's order, where it is a single one.
    pub(super) element: Option<(String, usize)>,
}

impl Unfit {
    pub(super) fn new(found: impl Into<String>, allowed: impl Into<String>) -> Self {
        Self { found: found.into(), allowed: allowed.into(), element: None }
    }

    /// The same, with the place of the wrong number, which `place` makes of its place in the file.
    pub(super) fn placed(mut self, place: impl FnOnce(usize) -> String) -> Self {
        if let Some((number, i)) = &self.element {
            self.found = format!("{number} at {}", place(*i));
        }
        self
    }

    /// The same, with the file and the place in it.
    pub(super) fn at(self, file: &Path, place: impl Into<String>) -> BadInput {
        BadInput::new(file, place, self.found).allowed(self.allowed)
    }
}

impl From<TooMuch> for Unfit {
    fn from(much: TooMuch) -> Self {
        Self::new(much.to_string(), "an array must fit into memory, with what is made of it")
    }
}

/// One element of a numeric array.
#[derive(Clone, Copy)]
enum Number {
    Int(i64),
    Uint(u64),
    Float(f64),
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(i) => i.fmt(f),
            Self::Uint(u) => u.fmt(f),
            Self::Float(x) => x.fmt(f),
        }
    }
}

/// An array whose bytes are as many as its shape and type ask for.
#[derive(Clone, Debug)]
pub(super) struct Array<'a> {
    dtype: Dtype,
    shape: Vec<usize>,
    fortran: bool,
    data: Cow<'a, [u8]>,
}

impl<'a> Array<'a> {
    /// Checks that `data` is exactly what shape and type ask for; at most two dimensions.
    pub(super) fn new(dtype: Dtype, shape: &[usize], fortran: bool, data: Cow<'a, [u8]>) -> Result<Self, Unfit> {
        if shape.len() > 2 {
            return Err(Unfit::new(format!("an array of {} dimensions", shape.len()), "at most 2 are allowed"));
        }
        let bytes = shape.iter().try_fold(dtype.size, |product, &side| product.checked_mul(side));
        if bytes != Some(data.len()) {
            let found = format!("{} bytes for an array of shape {shape:?} and type {}", data.len(), dtype.describe());
            return Err(Unfit::new(found, "shape times element size must be the number of bytes"));
        }
        Ok(Self { dtype, shape: shape.to_vec(), fortran, data })
    }

    /// Sides, at most two.
    pub(super) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// How many elements.
    pub(super) fn len(&self) -> usize {
        self.data.len() / self.dtype.size
    }

    /// The two sides of a matrix.
    pub(super) fn sides(&self) -> Result<(usize, usize), Unfit> {
        match self.shape[..] {
            [rows, columns] => Ok((rows, columns)),
            _ => Err(Unfit::new(format!("an array of shape {:?}", self.shape), "two dimensions are needed")),
        }
    }

    /// All elements in the order of the file, as `convert` makes them; it gives `None` for what is not `wanted`.
    fn convert<T>(&self, wanted: &str, convert: impl Fn(Number) -> Option<T>) -> Result<Vec<T>, Unfit> {
        // As much again for what is made of it.
        memory::allow((self.len() * size_of::<T>()).saturating_mul(2) as u64)?;
        let big = self.dtype.big_endian;
        let mut values = Vec::with_capacity(self.len());
        let mut wrong = None;
        let mut each = |number: Number| match convert(number) {
            Some(value) => {
                values.push(value);
                true
            }
            None => {
                wrong = Some(number);
                false
            }
        };
        macro_rules! walk {
            ($number:ty, $variant:ident, $wide:ty) => {
                self.data.chunks_exact(size_of::<$number>()).all(|raw| {
                    let raw = raw.try_into().expect("chunks are exactly one number long");
                    let number = if big { <$number>::from_be_bytes(raw) } else { <$number>::from_le_bytes(raw) };
                    each(Number::$variant(<$wide>::from(number)))
                })
            };
        }
        match (self.dtype.kind, self.dtype.size) {
            (Kind::Bool, _) => self.data.iter().all(|&byte| each(Number::Uint(u64::from(byte != 0)))),
            (Kind::Int, 1) => walk!(i8, Int, i64),
            (Kind::Int, 2) => walk!(i16, Int, i64),
            (Kind::Int, 4) => walk!(i32, Int, i64),
            (Kind::Int, _) => walk!(i64, Int, i64),
            (Kind::Uint, 1) => walk!(u8, Uint, u64),
            (Kind::Uint, 2) => walk!(u16, Uint, u64),
            (Kind::Uint, 4) => walk!(u32, Uint, u64),
            (Kind::Uint, _) => walk!(u64, Uint, u64),
            (Kind::Float, 2) => self.data.chunks_exact(2).all(|raw| {
                let raw = [raw[0], raw[1]];
                each(Number::Float(half(if big { u16::from_be_bytes(raw) } else { u16::from_le_bytes(raw) })))
            }),
            (Kind::Float, 4) => walk!(f32, Float, f64),
            (Kind::Float, _) => walk!(f64, Float, f64),
            (Kind::Unicode | Kind::Bytes | Kind::Object, _) => {
                return Err(Unfit::new(format!("an array of {}", self.dtype.describe()), wanted));
            }
        };
        match wrong {
            None => Ok(values),
            Some(number) => {
                let element = Some((number.to_string(), values.len()));
                Err(Unfit { element, ..Unfit::new("", wanted) }.placed(|i| self.place(i)))
            }
        }
    }

    /// Where the element is that comes after `i` others in the file.
    fn place(&self, i: usize) -> String {
        match self.shape[..] {
            [rows, _] if self.fortran => format!("row {}, column {}", i % rows, i / rows),
            [_, columns] => format!("row {}, column {}", i / columns, i % columns),
            _ => format!("element {i}"),
        }
    }

    /// The same, row after row.
    fn convert_rows<T: Copy>(&self, wanted: &str, convert: impl Fn(Number) -> Option<T>) -> Result<Vec<T>, Unfit> {
        let values = self.convert(wanted, convert)?;
        match self.shape[..] {
            [rows, columns] if self.fortran => Ok(by_rows(&values, rows, columns)),
            _ => Ok(values),
        }
    }

    /// All elements as finite numbers, row after row.
    pub(super) fn floats(&self) -> Result<Vec<f32>, Unfit> {
        self.convert_rows("finite numbers that fit 32 bits are needed", |number| {
            let value = match number {
                Number::Int(i) => i as f32,
                Number::Uint(u) => u as f32,
                Number::Float(f) => f as f32,
            };
            value.is_finite().then_some(value)
        })
    }

    /// All elements as whole numbers, row after row.
    pub(super) fn whole(&self) -> Result<Vec<i64>, Unfit> {
        self.convert_rows("whole numbers of 64 bits are needed", |number| match number {
            Number::Int(i) => Some(i),
            Number::Uint(u) => i64::try_from(u).ok(),
            // 2^53: beyond it floating-point numbers skip whole ones.
            Number::Float(f) => (f.trunc() == f && f.abs() <= 9_007_199_254_740_992.0).then_some(f as i64),
        })
    }

    /// All elements as numbers, row after row; NaN and infinity too.
    pub(super) fn doubles(&self) -> Result<Vec<f64>, Unfit> {
        self.convert_rows("numbers are needed", |number| {
            Some(match number {
                Number::Int(i) => i as f64,
                Number::Uint(u) => u as f64,
                Number::Float(f) => f,
            })
        })
    }

    /// Whether elements are text or objects rather than numbers.
    pub(super) fn is_text(&self) -> bool {
        matches!(self.dtype.kind, Kind::Unicode | Kind::Bytes | Kind::Object)
    }

    /// Whether elements are floating-point numbers.
    pub(super) fn is_float(&self) -> bool {
        self.dtype.kind == Kind::Float
    }

    /// All elements as positions below `bound`, row after row.
    pub(super) fn positions(&self, bound: usize) -> Result<Vec<u32>, Unfit> {
        self.convert_rows(&format!("allowed are whole numbers from 0 to below {bound}"), |number| {
            let value = match number {
                Number::Int(i) => u32::try_from(i).ok(),
                Number::Uint(u) => u32::try_from(u).ok(),
                Number::Float(_) => None,
            };
            value.filter(|&value| (value as usize) < bound)
        })
    }

    /// All elements as text; whole numbers are written out.
    pub(super) fn strings(&self) -> Result<Vec<String>, Unfit> {
        memory::allow((self.len() * TEXT + self.data.len()) as u64)?;
        let raw = self.data.chunks_exact(self.dtype.size);
        let bad = |i: usize| Unfit::new(format!("element {i} is not valid text"), "Unicode text is needed");
        match self.dtype.kind {
            Kind::Unicode => {
                raw.enumerate().map(|(i, e)| decode_utf32(e, self.dtype.big_endian).ok_or_else(|| bad(i))).collect()
            }
            Kind::Bytes => raw
                .enumerate()
                .map(|(i, e)| {
                    let end = e.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
                    std::str::from_utf8(&e[..end]).map(str::to_owned).map_err(|_| bad(i))
                })
                .collect(),
            Kind::Int | Kind::Uint => Ok(self.whole()?.iter().map(i64::to_string).collect()),
            _ => {
                Err(Unfit::new(format!("an array of {}", self.dtype.describe()), "names must be text or whole numbers"))
            }
        }
    }
}

/// From column after column to row after row.
fn by_rows<T: Copy>(values: &[T], rows: usize, columns: usize) -> Vec<T> {
    (0..rows).flat_map(|row| (0..columns).map(move |column| values[column * rows + row])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(code: &str, shape: &[usize], fortran: bool, data: &[u8]) -> Result<Array<'static>, Unfit> {
        Array::new(Dtype::parse(code).unwrap(), shape, fortran, Cow::Owned(data.to_vec()))
    }

    #[test]
    fn both_byte_orders_and_both_layouts_give_the_same_numbers() {
        let little: Vec<u8> = (1..=6i16).flat_map(i16::to_le_bytes).collect();
        let big: Vec<u8> = [1, 4, 2, 5, 3, 6i16].into_iter().flat_map(i16::to_be_bytes).collect();
        assert_eq!(array("<i2", &[2, 3], false, &little).unwrap().whole().unwrap(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(array(">i2", &[2, 3], true, &big).unwrap().whole().unwrap(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(array(">i2", &[2, 3], true, &big).unwrap().floats().unwrap(), [1., 2., 3., 4., 5., 6.]);
    }

    #[test]
    fn a_shape_that_does_not_match_or_overflows_is_refused() {
        assert!(array("<i4", &[2], false, &[0; 7]).is_err());
        assert!(array("<i4", &[usize::MAX, 2], false, &[]).is_err());
        assert!(array("<i4", &[1, 1, 1], false, &[0; 4]).is_err());
        assert!(array("<i4", &[0, 5], false, &[]).is_ok());
    }

    #[test]
    fn numbers_that_do_not_fit_are_named_with_their_place() {
        let nan = [1f32, f32::NAN].map(f32::to_le_bytes).concat();
        assert_eq!(array("<f4", &[2], false, &nan).unwrap().floats().unwrap_err().found, "NaN at element 1");
        let too_large_for_f32 = 1e300f64.to_le_bytes();
        assert!(array("<f8", &[1], false, &too_large_for_f32).unwrap().floats().is_err());
        let outside = [0i32, -1].map(i32::to_le_bytes).concat();
        assert_eq!(array("<i4", &[2], false, &outside).unwrap().positions(5).unwrap_err().found, "-1 at element 1");
    }

    #[test]
    fn types_that_hold_nothing_or_are_unknown_are_refused() {
        for code in ["", "<", "U0", "S0", "c8", "i3", "f3", "V4", "<U99999999999999999999", "i+4", "é4"] {
            assert_eq!(Dtype::parse(code), None, "{code}");
        }
    }

    #[test]
    fn half_floats_are_read() {
        // 1, -2, the largest (65504), the smallest above zero (2^-24), one third rounded: values of IEEE 754 binary16.
        let bits = [0x3C00u16, 0xC000, 0x7BFF, 0x0001, 0x3555].map(u16::to_le_bytes).concat();
        let wanted = [1.0, -2.0, 65504.0, 2f32.powi(-24), 0.333_251_95];
        assert_eq!(array("<f2", &[5], false, &bits).unwrap().floats().unwrap(), wanted);
        let infinite = 0x7C00u16.to_be_bytes();
        assert_eq!(array(">f2", &[1], false, &infinite).unwrap().floats().unwrap_err().found, "inf at element 0");
    }

    #[test]
    fn a_wrong_number_of_a_matrix_has_a_row_and_a_column() {
        let nan = [0f32, 0.0, f32::NAN, 0.0, 0.0, 0.0].map(f32::to_le_bytes).concat();
        let found = |fortran| array("<f4", &[2, 3], fortran, &nan).unwrap().floats().unwrap_err().found;
        assert_eq!((&found(false)[..], &found(true)[..]), ("NaN at row 0, column 2", "NaN at row 0, column 1"));
    }

    #[test]
    fn text_ends_at_its_padding() {
        assert_eq!(array("|S4", &[2], false, b"ab\0\0wxyz").unwrap().strings().unwrap(), ["ab", "wxyz"]);
        let wide = ['π' as u32, 0].map(u32::to_le_bytes).concat();
        assert_eq!(array("<U2", &[1], false, &wide).unwrap().strings().unwrap(), ["π"]);
        assert!(array("<U1", &[1], false, &0xD800u32.to_le_bytes()).unwrap().strings().is_err());
    }
}
