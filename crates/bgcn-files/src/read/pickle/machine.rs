//! The stack machine: which opcodes there are and what they do to stack and memo.

use std::path::Path;

use super::{BadInput, Global, Object, Unfit, Value};
use bgcn_core::memory::Growing;

/// Bytes that an opcode takes at most, beside what it borrows: an object, a value, a place in a list.
const OPCODE: u64 = 96;

/// How to get a file that can be read, for messages.
const NEXT: &str = "Download the file again, or write it with pickle.dump(value, file, protocol=4)";

pub(super) struct Machine<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    /// The next byte to read.
    position: usize,
    /// Where the current opcode is.
    start: usize,
    stack: Vec<Value<'a>>,
    /// Heights of the stack at each open MARK; nothing below the last one may be touched.
    marks: Vec<usize>,
    memo: Vec<Option<Value<'a>>>,
    pub(super) objects: Vec<Object<'a>>,
    /// Bytes copied out of the file so far; see [`Machine::charge`].
    pub(super) copied: usize,
    memory: Growing,
}

impl<'a> Machine<'a> {
    pub(super) fn new(file: &'a Path, bytes: &'a [u8]) -> Self {
        Self {
            file,
            bytes,
            position: 0,
            start: 0,
            stack: Vec::new(),
            marks: Vec::new(),
            memo: Vec::new(),
            objects: Vec::new(),
            copied: 0,
            memory: Growing::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<(Value<'a>, Vec<Object<'a>>), BadInput> {
        if self.bytes.len() >= u32::MAX as usize {
            let found = format!("a pickle of {} bytes", self.bytes.len());
            return Err(self.bad(Unfit::new(found, "less than 4 GiB are allowed")));
        }
        match self.bytes {
            [0x80, 2..=5, ..] => self.position = 2,
            [0x80, protocol, ..] => {
                let found = format!("a pickle of protocol {protocol}");
                return Err(self.bad(Unfit::new(found, "protocols 2 to 5 are allowed")));
            }
            _ => return Err(self.bad(Unfit::new("no pickle", "a pickle of protocol 2 to 5 starts with the byte 0x80"))),
        }
        let mut taken = 0;
        loop {
            taken += OPCODE;
            self.memory.reach(taken).map_err(|much| self.bad(much.into()))?;
            self.start = self.position;
            let op = self.byte()?;
            if op == b'.' {
                return self.stop();
            }
            if let Some(value) = self.literal(op)? {
                self.stack.push(value);
            } else {
                self.act(op)?;
            }
        }
    }

    fn stop(mut self) -> Result<(Value<'a>, Vec<Object<'a>>), BadInput> {
        let value = self.pop()?;
        let left = self.bytes.len() - self.position;
        if left > 0 || !self.stack.is_empty() || !self.marks.is_empty() {
            let found = format!("the end, with {left} bytes and {} values left over", self.stack.len());
            return Err(self.bad(Unfit::new(found, "a file holds exactly one value")));
        }
        Ok((value, self.objects))
    }

    /// Opcodes that spell out a value.
    fn literal(&mut self, op: u8) -> Result<Option<Value<'a>>, BadInput> {
        Ok(Some(match op {
            b'N' => Value::None,
            0x88 => Value::Bool(true),
            0x89 => Value::Bool(false),
            b'K' => Value::Int(i64::from(self.byte()?)),
            b'M' => Value::Int(i64::from(u16::from_le_bytes(self.fixed()?))),
            b'J' => Value::Int(i64::from(i32::from_le_bytes(self.fixed()?))),
            0x8A => self.long()?,
            b'G' => Value::Float(f64::from_be_bytes(self.fixed()?)),
            // Python 2's str, short and long; bytes; bytearray. Lengths of 1, 4 or 8 bytes.
            b'U' | b'C' => Value::Bytes(self.counted::<1>()?),
            b'T' | b'B' => Value::Bytes(self.counted::<4>()?),
            0x8E | 0x96 => Value::Bytes(self.counted::<8>()?),
            0x8C => Value::Text(self.text::<1>()?),
            b'X' => Value::Text(self.text::<4>()?),
            0x8D => Value::Text(self.text::<8>()?),
            b']' => self.store(Object::List(Vec::new())),
            b'}' => self.store(Object::Dict(Vec::new())),
            b')' => self.store(Object::Tuple(Vec::new())),
            b'h' => self.recall::<1>()?,
            b'j' => self.recall::<4>()?,
            b'c' => {
                let module = self.line()?;
                let name = self.line()?;
                self.global(module, name)?
            }
            _ => return Ok(None),
        }))
    }

    /// Opcodes that work on what is there already.
    fn act(&mut self, op: u8) -> Result<(), BadInput> {
        match op {
            b'(' => self.marks.push(self.stack.len()),
            0x85..=0x87 => self.tuple(usize::from(op - 0x84))?,
            b't' => {
                let items = self.pop_mark()?;
                self.push(Object::Tuple(items));
            }
            b'a' => {
                let item = self.pop()?;
                self.append(vec![item])?;
            }
            b'e' => {
                let items = self.pop_mark()?;
                self.append(items)?;
            }
            b's' => {
                let value = self.pop()?;
                let key = self.pop()?;
                self.set_items(&[key, value])?;
            }
            b'u' => {
                let items = self.pop_mark()?;
                self.set_items(&items)?;
            }
            b'q' => {
                let index = self.number::<1>()?;
                self.remember(index)?;
            }
            b'r' => {
                let index = self.number::<4>()?;
                self.remember(index)?;
            }
            0x94 => self.remember(self.memo.len() as u64)?,
            // A frame is only how much to read ahead.
            0x95 => {
                let _: [u8; 8] = self.fixed()?;
            }
            0x93 => {
                let (name, module) = (self.pop()?, self.pop()?);
                let global = match (super::text(module), super::text(name)) {
                    (Some(module), Some(name)) => self.global(module, name)?,
                    _ => return Err(self.bad(Unfit::new("a name that is not text", Global::KNOWN))),
                };
                self.stack.push(global);
            }
            b'R' | 0x81 => {
                let (args, callee) = (self.pop()?, self.pop()?);
                let made = self.call(callee, args, op == b'R')?;
                self.stack.push(made);
            }
            b'b' => {
                let (state, target) = (self.pop()?, self.pop()?);
                self.build(target, state)?;
                self.stack.push(target);
            }
            _ => {
                let found = format!("opcode 0x{op:02X} ({:?})", char::from(op));
                let allowed =
                    "only those that numbers, text, lists, dictionaries and arrays need; nothing is ever executed";
                return Err(self.bad(Unfit::new(found, allowed)));
            }
        }
        Ok(())
    }

    /// The topmost values as a tuple.
    fn tuple(&mut self, length: usize) -> Result<(), BadInput> {
        let first = self.floor() + length;
        let Some(at) = self.stack.len().checked_sub(length).filter(|_| self.stack.len() >= first) else {
            return Err(self.underflow());
        };
        let items = self.stack.split_off(at);
        self.push(Object::Tuple(items));
        Ok(())
    }

    pub(super) fn bad(&self, unfit: Unfit) -> BadInput {
        unfit.at(self.file, format!("byte {}", self.start)).next(NEXT)
    }

    pub(super) fn store(&mut self, object: Object<'a>) -> Value<'a> {
        self.objects.push(object);
        // An opcode stores at most one object and `run` refuses files of 4 GiB, so 32 bits hold the number.
        Value::Object((self.objects.len() - 1) as u32)
    }

    fn push(&mut self, object: Object<'a>) {
        let value = self.store(object);
        self.stack.push(value);
    }

    fn underflow(&self) -> BadInput {
        self.bad(Unfit::new("an opcode that needs more values than there are", "each must come before its use"))
    }

    /// The height of the stack below which the open MARK forbids to go.
    fn floor(&self) -> usize {
        self.marks.last().copied().unwrap_or(0)
    }

    fn pop(&mut self) -> Result<Value<'a>, BadInput> {
        if self.stack.len() <= self.floor() {
            return Err(self.underflow());
        }
        self.stack.pop().ok_or_else(|| self.underflow())
    }

    fn pop_mark(&mut self) -> Result<Vec<Value<'a>>, BadInput> {
        let height = self.marks.pop().ok_or_else(|| self.underflow())?;
        Ok(self.stack.split_off(height))
    }

    /// Where the object on top of the stack is.
    fn top(&self) -> Result<usize, BadInput> {
        match self.stack.last() {
            Some(&Value::Object(id)) if self.stack.len() > self.floor() => Ok(id as usize),
            Some(_) => {
                Err(self.bad(Unfit::new("items for something that holds none", "only lists and dictionaries do")))
            }
            None => Err(self.underflow()),
        }
    }

    fn append(&mut self, items: Vec<Value<'a>>) -> Result<(), BadInput> {
        let id = self.top()?;
        match &mut self.objects[id] {
            Object::List(list) if list.is_empty() => *list = items,
            Object::List(list) => list.extend(items),
            _ => return Err(self.bad(Unfit::new("items for something that is no list", "only lists take them"))),
        }
        Ok(())
    }

    fn set_items(&mut self, items: &[Value<'a>]) -> Result<(), BadInput> {
        let id = self.top()?;
        match &mut self.objects[id] {
            Object::Dict(dict) if items.len().is_multiple_of(2) => {
                dict.extend(items.chunks_exact(2).map(|pair| (pair[0], pair[1])));
                Ok(())
            }
            _ => Err(self.bad(Unfit::new("entries that fit no dictionary", "keys and values must come in pairs"))),
        }
    }

    /// Writers count their memo up from 0 or 1, so an index beyond the file's bytes so far is hostile.
    fn remember(&mut self, index: u64) -> Result<(), BadInput> {
        if index > self.position as u64 {
            let allowed = format!("at most {} is possible here", self.position);
            return Err(self.bad(Unfit::new(format!("memo index {index}"), allowed)));
        }
        let index = index as usize;
        let value = *self.stack.last().ok_or_else(|| self.underflow())?;
        if self.memo.len() <= index {
            self.memo.resize(index + 1, None);
        }
        self.memo[index] = Some(value);
        Ok(())
    }

    /// The value at an index of N bytes.
    fn recall<const N: usize>(&mut self) -> Result<Value<'a>, BadInput> {
        let index = self.number::<N>()?;
        self.memo.get(index as usize).copied().flatten().ok_or_else(|| {
            self.bad(Unfit::new(format!("memo index {index}, which holds nothing"), "values must be stored before use"))
        })
    }

    fn global(&self, module: &str, name: &str) -> Result<Value<'a>, BadInput> {
        Global::find(module, name).map(Value::Global).ok_or_else(|| {
            let short = |s: &str| s.chars().take(80).collect::<String>();
            self.bad(Unfit::new(format!("the Python name {}.{}", short(module), short(name)), Global::KNOWN))
        })
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8], BadInput> {
        let left = &self.bytes[self.position..];
        let taken = usize::try_from(length).ok().and_then(|length| left.get(..length));
        let Some(taken) = taken else {
            let found = format!("{length} bytes announced and {} left", left.len());
            return Err(self.bad(Unfit::new(found, "the file must not end early")));
        };
        self.position += taken.len();
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, BadInput> {
        Ok(self.take(1)?[0])
    }

    fn fixed<const N: usize>(&mut self) -> Result<[u8; N], BadInput> {
        Ok(self.take(N as u64)?.try_into().expect("take gives as many bytes as asked for"))
    }

    /// A number that is not negative, of N bytes.
    fn number<const N: usize>(&mut self) -> Result<u64, BadInput> {
        let mut wide = [0; 8];
        wide[..N].copy_from_slice(self.take(N as u64)?);
        Ok(u64::from_le_bytes(wide))
    }

    /// Bytes behind their length, a number of N bytes.
    fn counted<const N: usize>(&mut self) -> Result<&'a [u8], BadInput> {
        let length = self.number::<N>()?;
        self.take(length)
    }

    fn text<const N: usize>(&mut self) -> Result<&'a str, BadInput> {
        let raw = self.counted::<N>()?;
        self.utf8(raw)
    }

    fn utf8(&self, raw: &'a [u8]) -> Result<&'a str, BadInput> {
        std::str::from_utf8(raw).map_err(|_| self.bad(Unfit::new("text that is not UTF-8", "text must be UTF-8")))
    }

    /// Up to the next line feed.
    fn line(&mut self) -> Result<&'a str, BadInput> {
        let left = &self.bytes[self.position..];
        let length = left.iter().position(|&b| b == b'\n').unwrap_or(left.len());
        let line = self.take(length as u64)?;
        self.byte()?;
        self.utf8(line)
    }

    /// A little-endian two's-complement number, behind its length, that fits 64 bits.
    fn long(&mut self) -> Result<Value<'a>, BadInput> {
        let raw = self.counted::<1>()?;
        if raw.len() > 8 {
            let found = format!("a whole number of {} bytes", raw.len());
            return Err(self.bad(Unfit::new(found, "at most 64 bits are allowed")));
        }
        let fill = if raw.last().is_some_and(|&b| b >= 0x80) { 0xFF } else { 0 };
        let mut wide = [fill; 8];
        wide[..raw.len()].copy_from_slice(raw);
        Ok(Value::Int(i64::from_le_bytes(wide)))
    }

    /// Counts bytes that are copied rather than borrowed. A well-formed file asks for each of its bytes at most twice;
    /// one that asks for more is using a remembered value to fill the memory.
    pub(super) fn charge(&mut self, bytes: usize) -> Result<(), BadInput> {
        self.copied += bytes;
        if self.copied > 2 * self.bytes.len() {
            let found = format!("{} bytes of text to decode in a file of {}", self.copied, self.bytes.len());
            return Err(self.bad(Unfit::new(found, "text is decoded at most twice")));
        }
        Ok(())
    }
}
