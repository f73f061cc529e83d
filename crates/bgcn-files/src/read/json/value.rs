//! JSON values with the keys of objects in the order of the file; a key that is there twice is refused.

use std::fmt;
use std::path::Path;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use bgcn_core::data::BadInput;
use bgcn_core::memory;

/// Bytes that a value takes beside its letters.
const VALUE: u64 = 72;

/// Keys and values in the order of the file, all keys different.
pub(super) type Object = Vec<(String, Value)>;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A whole number, written out.
    Whole(String),
    Real(f64),
    Text(String),
    List(Vec<Value>),
    Object(Object),
}

impl Value {
    /// What it is, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Whole(_) | Self::Real(_) => "a number",
            Self::Text(_) => "text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }

    /// As a cell; none for lists and objects.
    pub(super) fn text(&self) -> Option<String> {
        match self {
            Self::Null => Some(String::new()),
            Self::Bool(truth) => Some(truth.to_string()),
            Self::Whole(number) => Some(number.clone()),
            Self::Real(number) => Some(number.to_string()),
            Self::Text(text) => Some(text.clone()),
            Self::List(_) | Self::Object(_) => None,
        }
    }
}

/// The keys and values of an object.
pub(super) fn object(value: &Value) -> Option<&Object> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// The value that the bytes are.
pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Value, BadInput> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let values = 1 + bytes.iter().filter(|byte| matches!(byte, b',' | b':' | b'[' | b'{')).count() as u64;
    memory::allow(values * VALUE + bytes.len() as u64).map_err(|much| {
        let bad = BadInput::new(file, "", format!("{values} values: {much}")).allowed("JSON is held in memory");
        bad.next("Save the graph as CSV or .npz, or take a machine with more memory.")
    })?;
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}", error.line());
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        if error.line() > 1 && serde_json::from_slice::<Value>(first).is_ok() {
            return BadInput::new(file, place, "JSON lines, one value per line")
                .allowed("one object with nodes and links is needed")
                .next("Save the graph as networkx.node_link_data gives it, or as CSV.");
        }
        let at = bytes.split(|&byte| byte == b'\n').nth(error.line().max(1) - 1).unwrap_or_default();
        let near = String::from_utf8_lossy(&at[error.column().saturating_sub(2).min(at.len())..]).into_owned();
        let near = near.trim_start_matches([' ', ':', ',', '[']);
        let next = match ["NaN", "aN", "Infinity", "nfinity"].iter().any(|word| near.starts_with(word)) {
            true => "NaN and Infinity are not JSON: write null.",
            false => "Save or download the file again.",
        };
        BadInput::new(file, place, format!("broken JSON ({error})")).allowed("the file must be whole").next(next)
    })
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<Value, E> {
        Ok(Value::Bool(truth))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(Value::Whole(number.to_string()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Value, E> {
        Ok(Value::Whole(number.to_string()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(Value::Real(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut object = Object::new();
        let mut seen = std::collections::HashSet::new();
        while let Some((key, value)) = entries.next_entry::<String, Value>()? {
            if !seen.insert(key.clone()) {
                return Err(A::Error::custom(format!("the key {key:?} is there twice in one object")));
            }
            object.push((key, value));
        }
        Ok(Value::Object(object))
    }
}
