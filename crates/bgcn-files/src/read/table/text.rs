//! A file as text: compression, encoding, line ends.
//!
//! UTF-8 with or without a byte-order mark, or UTF-16 with one; lines end in LF, CRLF or CR. Bytes that are neither, and
//! NUL bytes, are errors with their line. What cannot be seen is left out, see `tidy`.

use super::fields::{Delimiter, find_delimiter, is_marked};
use super::names::Names;
use super::order::Order;
use crate::read::content::{self, Content};
use crate::read::tidy::{Tidied, Words};
use crate::read::{ReadOptions, json};
use bgcn_core::data::{BadInput, Error};
use std::path::{Path, PathBuf};

/// The comment above a table whose text and ids stay as they are, however they look: `data convert` writes it.
pub(crate) const AS_WRITTEN: &str = "as written";

/// A file's text, with the path for messages.
pub struct Text {
    path: PathBuf,
    text: String,
    /// What the user should know of it.
    remarks: Vec<String>,
    pub(super) made: Option<Made>,
}

/// What is known of a table that was made from something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::read) struct Made {
    /// Where it came from.
    pub(in crate::read) from: Origin,
    /// Whether the first row is a header.
    pub(in crate::read) header: bool,
    /// The column of ids, as an option names it; found as in any table where it is not known.
    pub(in crate::read) id: Option<String>,
}

/// What a table was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::read) enum Origin {
    /// JSON with a row per node.
    Rows,
    /// JSON with the columns of each node, and values or not.
    Entries,
    /// A table without ids, line by line.
    Lines,
}

impl Text {
    /// Reads a whole file, unpacks it and checks its encoding.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (bytes, content) = content::open(path)?;
        Self::of(path, bytes, content)
    }

    fn of(path: &Path, bytes: Vec<u8>, content: Content) -> Result<Self, Error> {
        if content != Content::Text {
            let bad = BadInput::new(path, "", format!("this is {}", content.name())).allowed("a table is needed");
            return Err(bad.next("Save it as CSV, or name it as the data, if it holds the graph.").into());
        }
        Self::decode(path, bytes)
    }

    /// A table beside a graph of these nodes: text, or JSON; without ids where nodes have an order.
    pub(super) fn beside(
        path: &Path,
        nodes: &Names,
        order: Option<&Order>,
        options: &ReadOptions,
    ) -> Result<Self, Error> {
        Opened::read(path)?.beside(nodes, order, options)
    }

    /// A text that was made from a file; `said`: what the user should know of that.
    pub(in crate::read) fn made(path: &Path, mut text: String, made: Made, mut said: Vec<String>) -> Self {
        let mut tidied = Tidied::default();
        text = tidied.tidy(&text, Words::AtSigns).unwrap_or(text);
        said.extend(tidied.remarks(&super::shown(path)));
        Self { path: path.to_owned(), text, remarks: said, made: Some(made) }
    }

    /// The text of bytes; the path is for messages.
    pub fn decode(path: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        let (mut text, wide) = match bytes.get(..2) {
            Some([0xff, 0xfe]) => (from_utf16(path, &bytes[2..], u16::from_le_bytes)?, true),
            Some([0xfe, 0xff]) => (from_utf16(path, &bytes[2..], u16::from_be_bytes)?, true),
            _ => (from_utf8(path, bytes)?, false),
        };
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        if let Some(at) = text.find('\0') {
            let next = "Save the file as plain text in UTF-8; UTF-16 needs its byte-order mark.";
            let place = format!("line {}", line_at(text.as_bytes(), at));
            return Err(BadInput::new(path, place, "a NUL byte").allowed("text has none").next(next).into());
        }
        if !text.contains('\n') && text.contains('\r') {
            text = text.replace('\r', "\n");
        }
        let mut tidied = Tidied::default();
        let mut above = text.lines().take_while(|line| is_marked(line));
        if !above.any(|line| line.trim_start_matches('#').trim() == AS_WRITTEN) {
            text = tidied.tidy(&text, words(&text)).unwrap_or(text);
        }
        let name = super::shown(path);
        let mut remarks: Vec<String> = wide.then(|| format!("{name}: the text is UTF-16")).into_iter().collect();
        remarks.extend(tidied.remarks(&name));
        Ok(Self { path: path.to_owned(), text, remarks, made: None })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What the user should know of it.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

/// A file in memory that is a table beside a graph, before the nodes of the graph are known.
pub(super) enum Opened {
    Text(Text),
    Json(PathBuf, Vec<u8>),
}

impl Opened {
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let (bytes, content) = content::open(path)?;
        match content {
            Content::Json => Ok(Self::Json(path.to_owned(), bytes)),
            _ => Text::of(path, bytes, content).map(Self::Text),
        }
    }

    /// The text of a table; `None` for JSON.
    pub(super) fn text(&self) -> Option<&Text> {
        match self {
            Self::Text(text) => Some(text),
            Self::Json(..) => None,
        }
    }

    /// The table beside a graph of these nodes; without ids where nodes have an order.
    pub(super) fn beside(self, nodes: &Names, order: Option<&Order>, options: &ReadOptions) -> Result<Text, Error> {
        match (self, order) {
            (Self::Json(path, bytes), _) => json::table(&path, &bytes, nodes, order, options),
            (Self::Text(text), Some(order)) => order.numbered(&text, options),
            (Self::Text(text), None) => Ok(text),
        }
    }
}

/// Where the first row is cut into words.
fn words(text: &str) -> Words {
    let first = text.lines().find(|line| !line.trim().is_empty() && !is_marked(line)).unwrap_or("");
    match find_delimiter(first) {
        Ok(Delimiter::Spaces) => Words::AtSpaces,
        _ => Words::AtSigns,
    }
}

fn line_at(bytes: &[u8], at: usize) -> usize {
    1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count()
}

fn from_utf8(path: &Path, bytes: Vec<u8>) -> Result<String, BadInput> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let (line, byte) = (line_at(error.as_bytes(), good), error.as_bytes()[good]);
        BadInput::new(path, format!("line {line}"), format!("byte 0x{byte:02x} is not UTF-8"))
            .allowed("text must be UTF-8")
            .next("Save the file as UTF-8; unpack it if it is compressed.")
    })
}

fn from_utf16(path: &Path, bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, BadInput> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text = String::from_utf16(&pairs.iter().map(|&pair| unit(pair)).collect::<Vec<_>>());
    text.ok().filter(|_| rest.is_empty()).ok_or_else(|| {
        BadInput::new(path, "", "the byte-order mark of UTF-16, but not its text")
            .allowed("text must be UTF-8 or UTF-16")
            .next("Save the file as UTF-8.")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8]) -> Result<String, String> {
        let text = Text::decode(Path::new("x.csv"), bytes.to_vec());
        text.map(|text| text.text).map_err(|error| error.to_string())
    }

    #[test]
    fn encodings_are_told_by_their_marks_and_others_are_refused_with_their_line() {
        assert_eq!(decode(b"\xef\xbb\xbfa,b").unwrap(), "a,b");
        assert_eq!(decode(b"\xff\xfea\0,\0\xe9\0").unwrap(), "a,é");
        assert_eq!(decode(b"\xfe\xff\0a\0,\0b").unwrap(), "a,b");
        assert_eq!(
            decode(b"a,b\nc,\xe9\n").unwrap_err(),
            "reading x.csv, line 2: byte 0xe9 is not UTF-8; text must be UTF-8. Save the file as UTF-8; \
             unpack it if it is compressed."
        );
        assert!(decode(b"\xff\xfea").unwrap_err().contains("UTF-16"));
        assert!(decode(b"a\0,\0b\0\n\0").unwrap_err().starts_with("reading x.csv, line 1: a NUL byte"));
    }

    #[test]
    fn a_carriage_return_alone_ends_a_line() {
        assert_eq!(decode(b"a,b\rc,d\r").unwrap(), "a,b\nc,d\n");
        assert_eq!(decode(b"a,b\r\nc,d").unwrap(), "a,b\r\nc,d");
    }
}
