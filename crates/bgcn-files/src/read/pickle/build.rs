//! The calls a pickle may ask for, answered with plain data: numpy arrays and types, csr_matrix, defaultdict.

use std::borrow::Cow;

use super::machine::Machine;
use super::{Array, BadInput, Dtype, Global, Object, Unfit, Value, describe, object, text};
use crate::read::array::Kind;

/// A tuple of at most two whole numbers that are not negative.
pub(super) fn shape(objects: &[Object<'_>], value: Value<'_>) -> Option<Vec<usize>> {
    let sides = match object(objects, value)? {
        Object::Tuple(sides) if sides.len() <= 2 => sides,
        _ => return None,
    };
    sides.iter().map(|side| if let Value::Int(i) = side { usize::try_from(*i).ok() } else { None }).collect()
}

impl<'a> Machine<'a> {
    /// What `callee(*args)` gives; `reduce` for REDUCE, else NEWOBJ.
    pub(super) fn call(&mut self, callee: Value<'a>, args: Value<'a>, reduce: bool) -> Result<Value<'a>, BadInput> {
        let Value::Global(global) = callee else {
            let found = format!("a call of {}", describe(&self.objects, callee));
            return Err(self.bad(Unfit::new(found, Global::KNOWN)));
        };
        let made = match (global, reduce, self.items(args)?) {
            (Global::CsrMatrix, false, []) => Some(Object::Csr(Value::None)),
            (Global::Reconstruct, true, [Value::Global(Global::NdArray), _, _]) => Some(Object::EmptyArray),
            (Global::DefaultDict, true, [] | [Value::Global(Global::List)]) => Some(Object::Dict(Vec::new())),
            (Global::Bytes, true, []) => return Ok(Value::Bytes(&[])),
            (Global::Dtype, true, &[code, ..]) => Some(Object::Dtype(self.dtype_named(code)?)),
            (Global::Encode, true, &[Value::Text(written), encoding]) => Some(self.encode(written, encoding)?),
            (Global::FromBuffer, true, &[data, dtype, sides, order]) => {
                let fortran = text(order) == Some("F");
                Some(self.array([sides, dtype, data], fortran)?)
            }
            _ => None,
        };
        match made {
            Some(object) => Ok(self.store(object)),
            None => {
                let found = format!("a call of {global:?} with {}", describe(&self.objects, args));
                Err(self.bad(Unfit::new(found, Global::KNOWN)))
            }
        }
    }

    /// Fills in `target`, as Python's `__setstate__` would.
    pub(super) fn build(&mut self, target: Value<'a>, state: Value<'a>) -> Result<(), BadInput> {
        let filled = match object(&self.objects, target) {
            Some(Object::Csr(_)) => Object::Csr(state),
            Some(&Object::Dtype(dtype)) => Object::Dtype(self.dtype_with_order(dtype, state)?),
            Some(Object::EmptyArray) => {
                let &[_, sides, dtype, fortran, data] = self.items(state)? else {
                    return Err(self.bad(Unfit::new("an array that is not (version, shape, type, order, data)", "")));
                };
                self.array([sides, dtype, data], matches!(fortran, Value::Bool(true) | Value::Int(1)))?
            }
            _ => {
                let found = format!("a state for {}", describe(&self.objects, target));
                return Err(self.bad(Unfit::new(found, "only arrays, their types and csr_matrix have one")));
            }
        };
        if let Value::Object(id) = target {
            self.objects[id as usize] = filled;
        }
        Ok(())
    }

    /// The items of a tuple.
    fn items(&self, value: Value<'a>) -> Result<&[Value<'a>], BadInput> {
        match object(&self.objects, value) {
            Some(Object::Tuple(items)) => Ok(items),
            _ => {
                let found = format!("{} for arguments", describe(&self.objects, value));
                Err(self.bad(Unfit::new(found, "a tuple is needed")))
            }
        }
    }

    fn dtype_named(&self, code: Value<'a>) -> Result<Dtype, BadInput> {
        text(code).and_then(Dtype::parse).ok_or_else(|| {
            let found = format!("a numpy type from {}", describe(&self.objects, code));
            self.bad(Unfit::new(found, Dtype::KNOWN))
        })
    }

    /// The state of a type is (version, byte order, base, names, fields, …); types made of others are not for us.
    fn dtype_with_order(&self, dtype: Dtype, state: Value<'a>) -> Result<Dtype, BadInput> {
        match self.items(state)? {
            &[_, order, Value::None, Value::None, Value::None, ..] => match text(order) {
                Some("<" | "|" | "=") => Ok(Dtype { big_endian: false, ..dtype }),
                Some(">") => Ok(Dtype { big_endian: true, ..dtype }),
                _ => {
                    let found = format!("{} as byte order", describe(&self.objects, order));
                    Err(self.bad(Unfit::new(found, "allowed are <, > and |")))
                }
            },
            _ => Err(self.bad(Unfit::new("a numpy type made of other types", Dtype::KNOWN))),
        }
    }

    /// `_codecs.encode(written, "latin1")`: one byte per character.
    fn encode(&mut self, written: &str, encoding: Value<'a>) -> Result<Object<'a>, BadInput> {
        if text(encoding) != Some("latin1") {
            let found = format!("the encoding {}", describe(&self.objects, encoding));
            return Err(self.bad(Unfit::new(found, "only latin1 is allowed")));
        }
        self.charge(written.len())?;
        let bytes: Option<Vec<u8>> = written.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
        let no_byte = || self.bad(Unfit::new("a character beyond latin1", "each must stand for one byte"));
        bytes.map(Object::Decoded).ok_or_else(no_byte)
    }

    /// An array from its shape, type and content.
    fn array(&mut self, [sides, dtype, data]: [Value<'a>; 3], fortran: bool) -> Result<Object<'a>, BadInput> {
        let Some(&Object::Dtype(dtype)) = object(&self.objects, dtype) else {
            let found = format!("an array of type {}", describe(&self.objects, dtype));
            return Err(self.bad(Unfit::new(found, Dtype::KNOWN)));
        };
        let Some(shape) = shape(&self.objects, sides) else {
            let found = format!("an array of shape {}", describe(&self.objects, sides));
            return Err(self.bad(Unfit::new(found, "at most two whole numbers, none negative, are allowed")));
        };
        if dtype.kind == Kind::Object {
            return Ok(Object::Elements(data));
        }
        let data = match (data, object(&self.objects, data)) {
            (Value::Bytes(bytes), _) => Cow::Borrowed(bytes),
            (_, Some(Object::Decoded(bytes))) => {
                let bytes = bytes.clone();
                self.charge(bytes.len())?;
                Cow::Owned(bytes)
            }
            _ => {
                let found = format!("an array with {} for content", describe(&self.objects, data));
                return Err(self.bad(Unfit::new(found, "bytes are needed")));
            }
        };
        Array::new(dtype, &shape, fortran, data).map(Object::Array).map_err(|unfit| self.bad(unfit))
    }
}
