//! A reader for the few Python pickles that hold datasets. It executes nothing.
//!
//! A pickle is a program for a stack machine that may call any Python function. This machine has only the calls that
//! numpy arrays, scipy's csr_matrix and collections.defaultdict need ([`Global`]) and answers each with plain data;
//! every other call, and every opcode that these do not use, is an error that names it. Protocols 2 to 5 are read.
//!
//! Safe on hostile files: values sit in one flat list and refer to each other by number, so neither deep nesting nor a
//! list that holds itself can overflow the call stack, not even on drop. Each opcode stores a bounded amount, declared
//! lengths are compared with what is left of the file, and whatever could be multiplied by repeating a remembered value
//! is limited by the length of the file. Array contents are borrowed from the file.

mod build;
mod machine;

use std::path::Path;

use super::array::{Array, Dtype, Unfit};
use super::csr::Csr;
use bgcn_core::data::BadInput;

/// A value on the machine's stack. Containers and arrays are in [`Pickle::objects`].
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Bytes(&'a [u8]),
    Text(&'a str),
    Global(Global),
    Object(u32),
}

/// What values can refer to.
#[derive(Debug)]
pub(super) enum Object<'a> {
    List(Vec<Value<'a>>),
    Tuple(Vec<Value<'a>>),
    Dict(Vec<(Value<'a>, Value<'a>)>),
    /// Bytes that Python 3 wrote as text, for want of byte strings in protocol 2.
    Decoded(Vec<u8>),
    Dtype(Dtype),
    /// An array whose content is yet to come.
    EmptyArray,
    Array(Array<'a>),
    /// An array of Python objects: the list of them.
    Elements(Value<'a>),
    /// A csr_matrix: `None`, then the dictionary of its fields.
    Csr(Value<'a>),
}

/// The Python functions and classes that may be named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    Reconstruct,
    FromBuffer,
    NdArray,
    Dtype,
    CsrMatrix,
    DefaultDict,
    List,
    Encode,
    Bytes,
}

impl Global {
    /// What [`Global::find`] finds, for messages.
    const KNOWN: &str =
        "allowed are numpy arrays of numbers or text, scipy.sparse csr_matrix and collections.defaultdict(list)";

    fn find(module: &str, name: &str) -> Option<Self> {
        Some(match (module, name) {
            ("numpy.core.multiarray" | "numpy._core.multiarray", "_reconstruct") => Self::Reconstruct,
            ("numpy.core.numeric" | "numpy._core.numeric", "_frombuffer") => Self::FromBuffer,
            ("numpy", "ndarray") => Self::NdArray,
            ("numpy", "dtype") => Self::Dtype,
            ("scipy.sparse.csr" | "scipy.sparse._csr", "csr_matrix") => Self::CsrMatrix,
            ("collections", "defaultdict") => Self::DefaultDict,
            ("__builtin__" | "builtins", "list") => Self::List,
            ("__builtin__" | "builtins", "bytes") => Self::Bytes,
            ("_codecs", "encode") => Self::Encode,
            _ => return None,
        })
    }
}

/// A pickle that was read: its value, and the objects it refers to.
#[derive(Debug)]
pub(super) struct Pickle<'a> {
    file: &'a Path,
    bytes: usize,
    value: Value<'a>,
    objects: Vec<Object<'a>>,
}

impl<'a> Pickle<'a> {
    /// Reads all of `bytes`; `file` is for messages.
    pub(super) fn read(file: &'a Path, bytes: &'a [u8]) -> Result<Self, BadInput> {
        let (value, objects) = machine::Machine::new(file, bytes).run()?;
        Ok(Self { file, bytes: bytes.len(), value, objects })
    }

    fn object(&self, value: Value<'a>) -> Option<&Object<'a>> {
        object(&self.objects, value)
    }

    fn bad(&self, unfit: Unfit) -> BadInput {
        unfit.at(self.file, "").next("Are all files from one download?")
    }

    fn not(&self, value: Value<'a>, wanted: &str) -> BadInput {
        self.bad(Unfit::new(describe(&self.objects, value), format!("{wanted} is needed")))
    }

    /// The value as a numeric array.
    pub(super) fn array(&self) -> Result<&Array<'a>, BadInput> {
        self.array_of(self.value, "a numpy array")
    }

    fn array_of(&self, value: Value<'a>, wanted: &str) -> Result<&Array<'a>, BadInput> {
        match self.object(value) {
            Some(Object::Array(array)) => Ok(array),
            _ => Err(self.not(value, wanted)),
        }
    }

    /// The value as a csr_matrix, its arrays yet unchecked.
    pub(super) fn csr(&self) -> Result<Csr<'a, '_>, BadInput> {
        let Some(&Object::Csr(state)) = self.object(self.value) else {
            return Err(self.not(self.value, "a csr_matrix"));
        };
        let Some(Object::Dict(fields)) = self.object(state) else {
            return Err(self.not(state, "a dictionary of the csr_matrix's fields"));
        };
        let field = |name: &str| {
            let found = fields.iter().rev().find(|(key, _)| text(*key) == Some(name));
            found.map_or(Value::None, |&(_, value)| value)
        };
        let shape = if text_keys(fields).any(|k| k == "_shape") { field("_shape") } else { field("shape") };
        let (rows, columns) = match build::shape(&self.objects, shape).as_deref() {
            Some(&[rows, columns]) => (rows, columns),
            _ => return Err(self.not(shape, "a shape of two whole numbers for the csr_matrix")),
        };
        Ok(Csr {
            rows,
            columns,
            indptr: self.array_of(field("indptr"), "an array `indptr` in the csr_matrix")?,
            indices: self.array_of(field("indices"), "an array `indices` in the csr_matrix")?,
            data: self.array_of(field("data"), "an array `data` in the csr_matrix")?,
        })
    }

    /// The value as a dictionary from whole numbers to lists of whole numbers, entry after entry.
    ///
    /// A hostile file can use one list many times, so entries are limited to the length of the file in bytes.
    pub(super) fn adjacency(&self) -> Result<Vec<(i64, Vec<i64>)>, BadInput> {
        let Some(Object::Dict(entries)) = self.object(self.value) else {
            return Err(self.not(self.value, "a dictionary of lists"));
        };
        let mut total = 0;
        let mut rows = Vec::with_capacity(entries.len());
        for &(key, list) in entries {
            let Value::Int(node) = key else {
                return Err(self.not(key, "a whole number for a node"));
            };
            let Some(Object::List(items)) = self.object(list) else {
                return Err(self.not(list, "a list of neighbours"));
            };
            total += items.len();
            if total > self.bytes {
                let found = format!("more than {} neighbours, more than the file has bytes", self.bytes);
                return Err(self.bad(Unfit::new(found, "each must be written out")));
            }
            let whole = |&item| match item {
                Value::Int(i) => Ok(i),
                other => Err(self.not(other, "a whole number for a neighbour")),
            };
            rows.push((node, items.iter().map(whole).collect::<Result<_, _>>()?));
        }
        Ok(rows)
    }

    /// The value as an array of text objects. Together they may not be longer than the file.
    pub(super) fn strings(&self) -> Result<Vec<String>, BadInput> {
        let items = match self.object(self.value) {
            Some(&Object::Elements(list)) => self.object(list),
            Some(Object::Array(array)) => return array.strings().map_err(|unfit| self.bad(unfit)),
            _ => None,
        };
        let Some(Object::List(items)) = items else {
            return Err(self.not(self.value, "an array of text"));
        };
        let mut total = 0;
        let mut strings = Vec::with_capacity(items.len());
        for &item in items {
            let text = text(item).ok_or_else(|| self.not(item, "text"))?;
            total += text.len();
            if total > self.bytes {
                let found = format!("names of more than {} bytes, more than the file has", self.bytes);
                return Err(self.bad(Unfit::new(found, "names must differ from each other")));
            }
            strings.push(text.to_owned());
        }
        Ok(strings)
    }
}

fn text_keys<'b>(fields: &'b [(Value<'_>, Value<'_>)]) -> impl Iterator<Item = &'b str> {
    fields.iter().filter_map(|(key, _)| text(*key))
}

/// Text, or the byte string that Python 2 used for it.
fn text(value: Value<'_>) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
        _ => None,
    }
}

fn object<'a, 'b>(objects: &'b [Object<'a>], value: Value<'a>) -> Option<&'b Object<'a>> {
    match value {
        Value::Object(id) => objects.get(id as usize),
        _ => None,
    }
}

/// What a value is, for messages.
fn describe(objects: &[Object<'_>], value: Value<'_>) -> String {
    match value {
        Value::None => "nothing (None)".into(),
        Value::Bool(b) => format!("the truth value {b}"),
        Value::Int(i) => format!("the number {i}"),
        Value::Float(f) => format!("the number {f}"),
        Value::Bytes(bytes) => format!("a byte string of length {}", bytes.len()),
        Value::Text(text) => format!("the text {:?}", text.chars().take(40).collect::<String>()),
        Value::Global(global) => format!("the name {global:?}"),
        Value::Object(_) => match object(objects, value) {
            Some(Object::List(items)) => format!("a list of length {}", items.len()),
            Some(Object::Tuple(items)) => format!("a tuple of length {}", items.len()),
            Some(Object::Dict(entries)) => format!("a dictionary of {} entries", entries.len()),
            Some(Object::Decoded(bytes)) => format!("a byte string of length {}", bytes.len()),
            Some(Object::Dtype(_)) => "a numpy dtype".into(),
            Some(Object::EmptyArray) => "a numpy array without content".into(),
            Some(Object::Array(array)) => format!("a numpy array of shape {:?}", array.shape()),
            Some(Object::Elements(_)) => "a numpy array of objects".into(),
            Some(Object::Csr(_)) => "a csr_matrix".into(),
            None => "nothing".into(),
        },
    }
}

#[cfg(test)]
mod tests;
