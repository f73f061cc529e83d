//! A file as text: compression, encoding, line ends.
//!
//! UTF-8 with or without a byte-order mark, or UTF-16 with one; lines end in LF, CRLF or CR. Bytes that are neither, and
//! NUL bytes, are errors with their line.

use crate::read::content::{self, Content};
use bgcn_core::data::{BadInput, Error};
use std::path::{Path, PathBuf};

/// A file's text, with the path for messages.
pub struct Text {
    path: PathBuf,
    text: String,
    /// Whether it was UTF-16.
    wide: bool,
}

impl Text {
    /// Reads a whole file, unpacks it and checks its encoding.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let (bytes, content) = content::open(path)?;
        if content != Content::Text {
            let bad = BadInput::new(path, "", format!("this is {}", content.name())).allowed("a table is needed");
            return Err(bad.next("Save it as CSV, or name it as the data, if it holds the graph.").into());
        }
        Self::decode(path, bytes)
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
        Ok(Self { path: path.to_owned(), text, wide })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The whole text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What the user should know of the encoding.
    pub fn remark(&self) -> Option<String> {
        self.wide.then(|| format!("{}: the text is UTF-16", super::shown(&self.path)))
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
