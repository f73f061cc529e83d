//! The part of XML that graph files need: elements with attributes and text, with the line of each.
//!
//! Differs from a general reader: names are taken without their prefixes, and entities that a document defines itself
//! are refused, for they can grow without end.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use super::collect::typed;
use bgcn_core::data::BadInput;

/// Attributes of an element at most: each is compared with all others.
const ATTRIBUTES: usize = 1000;

/// What comes next in a document.
#[derive(Debug)]
pub(super) enum Piece<'a> {
    Open(Tag<'a>),
    /// The end of the innermost open element.
    Close,
    Text(Cow<'a, str>),
}

/// The beginning of an element.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Without its prefix.
    pub(super) name: String,
    /// Before the colon, empty without one.
    pub(super) prefix: String,
    pub(super) line: usize,
    attributes: Vec<(String, Cow<'a, str>)>,
}

impl Tag<'_> {
    /// The value of an attribute, where it is there.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_ref())
    }
}

/// A document that is read from beginning to end.
pub(super) struct Xml<'a> {
    pub(super) file: &'a Path,
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// Where the line was counted last, and the line there.
    counted: (usize, usize),
    /// How many elements are open.
    depth: usize,
}

/// The characters of windows-1252 from 0x80 to 0x9f; a space where there is none.
const WINDOWS: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";

/// The text of an XML file: UTF-8, or Latin-1 or windows-1252 where the file says so.
pub(super) fn decode<'a>(file: &Path, bytes: &'a [u8]) -> Result<Cow<'a, str>, BadInput> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error,
    };
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(200)]).to_ascii_lowercase();
    let declared = head.split("?>").next().and_then(|head| head.split_once("encoding")).map_or("", |(_, rest)| rest);
    let declared = declared.trim_start_matches(['=', ' ', '"', '\'']).split(['"', '\'']).next().unwrap_or("");
    let bad = |at: usize, found: String| {
        let line = 1 + bytes[..at].iter().filter(|&&byte| byte == b'\n').count();
        let bad = BadInput::new(file, format!("line {line}"), found);
        bad.allowed("XML is read in UTF-8, Latin-1 and windows-1252").next("Save the file as UTF-8.")
    };
    let windows = ["windows-1252", "cp1252"].contains(&declared);
    if !windows && !["iso-8859-1", "latin1", "latin-1"].contains(&declared) {
        let said = if declared.is_empty() { String::new() } else { format!("; the file declares {declared}") };
        return Err(bad(error.valid_up_to(), format!("bytes that are not UTF-8{said}")));
    }
    let windows: Vec<char> = if windows { WINDOWS.chars().collect() } else { vec![' '; 32] };
    let decoded = bytes.iter().enumerate().map(|(at, &byte)| match byte {
        0x80..=0x9f if windows[usize::from(byte) - 0x80] == ' ' => {
            Err(bad(at, format!("byte 0x{byte:02x}, which {declared} does not have")))
        }
        0x80..=0x9f => Ok(windows[usize::from(byte) - 0x80]),
        _ => Ok(char::from(byte)),
    });
    decoded.collect::<Result<String, BadInput>>().map(Cow::Owned)
}

/// What a document declares, for messages.
pub(super) fn declared<T>(table: &HashMap<String, T>) -> String {
    let mut known: Vec<&str> = table.keys().map(String::as_str).take(20).collect();
    known.sort_unstable();
    format!("declared are {}", if known.is_empty() { "none".into() } else { known.join(", ") })
}

impl<'a> Xml<'a> {
    pub(super) fn new(file: &'a Path, text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().expand_empty_elements = true;
        Self { file, text, reader, counted: (0, 1), depth: 0 }
    }

    /// The line that is being read.
    pub(super) fn line(&mut self) -> usize {
        let at = (self.reader.buffer_position() as usize).min(self.text.len());
        let (from, line) = self.counted;
        if at > from {
            let more = self.text.as_bytes()[from..at].iter().filter(|&&byte| byte == b'\n').count();
            self.counted = (at, line + more);
        }
        self.counted.1
    }

    /// Something wrong at the line that is being read.
    pub(super) fn bad(&mut self, found: impl Into<String>, allowed: impl Into<String>) -> BadInput {
        let line = self.line();
        BadInput::new(self.file, format!("line {line}"), found).allowed(allowed)
    }

    /// The next piece; none at the end of a document whose elements are all closed.
    pub(super) fn next(&mut self) -> Result<Option<Piece<'a>>, BadInput> {
        loop {
            let event = match self.reader.read_event() {
                Ok(event) => event,
                Err(error) => return Err(self.broken(&error.to_string())),
            };
            let piece = match event {
                Event::Start(start) => {
                    self.depth += 1;
                    Piece::Open(self.tag(&start)?)
                }
                Event::End(_) if self.depth == 0 => return Err(self.broken("an end without a beginning")),
                Event::End(_) => {
                    self.depth -= 1;
                    Piece::Close
                }
                Event::Text(text) => Piece::Text(text.xml10_content()),
                Event::CData(text) => Piece::Text(text.xml10_content()),
                Event::GeneralRef(name) => Piece::Text(self.entity(&name.into_inner())?),
                Event::DocType(kind) if kind.contains(['[', '%']) => {
                    return Err(self
                        .bad("a document type with its own definitions", "entities of a document are not read")
                        .next("Save the file without them."));
                }
                Event::Eof if self.depth > 0 => return Err(self.broken("the file ends inside an element")),
                Event::Eof => return Ok(None),
                Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
            return Ok(Some(piece));
        }
    }

    /// The next element inside the one that was just opened, none at its end; text between them is left out.
    pub(super) fn child(&mut self) -> Result<Option<Tag<'a>>, BadInput> {
        loop {
            match self.next()? {
                Some(Piece::Open(tag)) => return Ok(Some(tag)),
                Some(Piece::Text(_)) => {}
                Some(Piece::Close) | None => return Ok(None),
            }
        }
    }

    /// An attribute that the format demands.
    pub(super) fn needed<'b>(&mut self, tag: &'b Tag<'_>, name: &str) -> Result<&'b str, BadInput> {
        tag.get(name).ok_or_else(|| self.bad(format!("<{}> without {name}", tag.name), "it is needed"))
    }

    /// A value of the attribute `name`, which is declared as of type `kind`, as a cell.
    pub(super) fn typed(&mut self, name: &str, kind: &str, text: &str) -> Result<String, BadInput> {
        typed(kind, text).map_err(|allowed| {
            let value: String = text.trim().chars().take(60).collect();
            let found = format!("{value:?} for {name:?} of type {kind}");
            self.bad(found, allowed).next("Correct the value, or declare another type.")
        })
    }

    /// The text of the element that was just opened, up to its end; other elements in it are left out; whether
    /// there were any.
    pub(super) fn text(&mut self) -> Result<(String, bool), BadInput> {
        let (mut text, mut depth, mut others) = (String::new(), 1, false);
        while depth > 0 {
            match self.next()? {
                Some(Piece::Open(_)) => {
                    depth += 1;
                    others = true;
                }
                Some(Piece::Close) => depth -= 1,
                Some(Piece::Text(more)) if depth == 1 => text.push_str(&more),
                Some(Piece::Text(_)) => {}
                None => break,
            }
        }
        Ok((text, others))
    }

    /// Leaves out the rest of the element that was just opened.
    pub(super) fn skip(&mut self) -> Result<(), BadInput> {
        self.text().map(|_| ())
    }

    fn broken(&mut self, what: &str) -> BadInput {
        self.bad(format!("broken XML ({what})"), "the file must be whole").next("Save or download it again.")
    }

    fn tag(&mut self, start: &BytesStart<'a>) -> Result<Tag<'a>, BadInput> {
        let line = self.line();
        let full = start.name().as_ref().to_owned();
        let (prefix, name) = full.split_once(':').unwrap_or(("", &full));
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = match attribute {
                Ok(attribute) => attribute,
                Err(error) => return Err(self.broken(&error.to_string())),
            };
            let value = match unescape(&attribute.value) {
                Ok(value) => Cow::Owned(value.into_owned()),
                Err(error) => return Err(self.broken(&error.to_string())),
            };
            if attributes.len() == ATTRIBUTES {
                return Err(self.bad("an element with very many attributes", format!("{ATTRIBUTES} are allowed")));
            }
            let key = attribute.key.as_ref();
            attributes.push((key.rsplit(':').next().unwrap_or(key).to_owned(), value));
        }
        Ok(Tag { name: name.to_owned(), prefix: prefix.to_owned(), line, attributes })
    }

    fn entity(&mut self, name: &str) -> Result<Cow<'a, str>, BadInput> {
        match unescape(&format!("&{name};")) {
            Ok(text) => Ok(Cow::Owned(text.into_owned())),
            Err(_) => Err(self
                .bad(format!("the entity &{name};"), "&amp; &lt; &gt; &quot; &apos; and numbers are read")
                .next("Write the character itself.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<String, String> {
        let mut xml = Xml::new(Path::new("a.xml"), text);
        let mut said = String::new();
        loop {
            match xml.next().map_err(|bad| bad.to_string())? {
                Some(Piece::Open(tag)) => {
                    let attributes: Vec<String> = tag.attributes.iter().map(|(k, v)| format!("{k}={v}")).collect();
                    said += &format!("<{} {} {}>", tag.name, attributes.join(" "), tag.line);
                }
                Some(Piece::Close) => said += "</>",
                Some(Piece::Text(text)) => said += &text,
                None => return Ok(said),
            }
        }
    }

    #[test]
    fn entities_cdata_prefixes_and_lines_are_handled() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE a>\n<y:a b='1 &amp; &#50;'>\n<c/>x &lt;<![CDATA[<&]]>&#x41;</y:a>";
        assert_eq!(all(text).unwrap(), "\n\n<a b=1 & 2 3>\n<c  4></>x <<&A</>");
    }

    #[test]
    fn broken_documents_and_entities_of_their_own_are_refused() {
        for (text, wanted) in [
            ("<a>\n<b></a>", "line 2: broken XML"),
            ("<a>\n", "line 2: broken XML (the file ends inside an element)"),
            ("<a b='1' b='2'/>", "broken XML"),
            ("</a>", "broken XML"),
            ("<!DOCTYPE a [<!ENTITY x 'y'>]>\n<a>&x;</a>", "line 1: a document type with its own definitions"),
            ("<a>&x;</a>", "the entity &x;"),
            ("<a b='&x;'/>", "broken XML"),
            (&format!("<a{}/>", (0..1001).map(|i| format!(" b{i}=''")).collect::<String>()), "very many attributes"),
        ] {
            let message = all(text).unwrap_err();
            assert!(message.contains(wanted), "{message}");
        }
    }

    #[test]
    fn latin_1_is_read_where_it_is_declared() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xE9</a>";
        assert!(decode(Path::new("a"), latin).unwrap().contains('é'));
        assert!(decode(Path::new("a"), b"<a>\n\xE9</a>").unwrap_err().to_string().contains("line 2"));
        let windows = b"<?xml version=\"1.0\" encoding=\"windows-1252\"?><a>\x80 \x9FZ\xE9</a>";
        assert!(decode(Path::new("a"), windows).unwrap().contains("€ ŸZé"));
        let declared = |name: &str, byte: u8| {
            let mut text = format!("<?xml version='1.0' encoding='{name}'?>\n<a>").into_bytes();
            text.push(byte);
            decode(Path::new("a"), &text).unwrap_err().to_string()
        };
        assert!(declared("windows-1252", 0x81).contains("line 2: byte 0x81, which windows-1252 does not have"));
        assert!(declared("ISO-8859-1", 0x96).contains("line 2: byte 0x96, which iso-8859-1 does not have"));
        assert!(declared("koi8-r", 0xE9).contains("the file declares koi8-r"));
    }
}
