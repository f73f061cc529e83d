//! Text files as rows of fields, without copying: encoding, comments, delimiters, quotes, headers.
//!
//! * Encoding: UTF-8, with or without a byte-order mark; lines end in LF or CRLF.
//! * Comments: lines that start with `#` or `%`. A field that starts so must be quoted, or it is an error. Blank lines
//!   are skipped.
//! * Delimiter: looked for in the first row, outside quotes: a tab, else a comma, else a semicolon, else spaces.
//!   A first row with both commas and semicolons is an error.
//! * Quotes: RFC 4180, `"a ""b"", c"`, but a quoted field ends on its line. Unquoted fields are trimmed.
//! * Header: the first row is one if its words are known (each table has its own), or if its ids are not whole
//!   numbers while those of all other rows are. A comment `# header` or `# no header` above it decides instead.
//!   [`Header::check`] refuses to take a row for a header if its words turn out to be nodes.

use crate::data::{BadInput, Error};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// A file's text, with the path for messages.
pub(crate) struct Text {
    path: PathBuf,
    text: String,
}

impl Text {
    /// Reads a whole file and checks its encoding.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        if path.is_dir() {
            let bad = BadInput::new(path, "", "this is a folder").allowed("a text file is needed");
            return Err(bad.next("Name a file inside the folder.").into());
        }
        if !path.exists() {
            let path = path.display();
            return Err(Error::NotFound(format!(
                "reading {path}: there is no such file. Check the name and the folder."
            )));
        }
        let bytes = std::fs::read(path).map_err(Error::io("reading", path))?;
        Self::decode(path, bytes)
    }

    /// The text of bytes; the path is for messages.
    pub(crate) fn decode(path: &Path, bytes: Vec<u8>) -> Result<Self, Error> {
        let mut text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..good].iter().filter(|&&byte| byte == b'\n').count();
            let byte = error.as_bytes()[good];
            BadInput::new(path, format!("line {line}"), format!("byte 0x{byte:02x} is not UTF-8"))
                .allowed("text must be UTF-8")
                .next("Save the file as UTF-8; unpack it if it is compressed.")
        })?;
        if text.starts_with('\u{feff}') {
            text.drain(..'\u{feff}'.len_utf8());
        }
        Ok(Self { path: path.to_owned(), text })
    }

    /// Bytes of text.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }
}

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Delimiter {
    Char(u8),
    Spaces,
}

/// A row of fields, not yet split.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    /// Counted from 1, comments and blank lines included.
    pub(crate) line: usize,
    text: &'a str,
}

/// A text whose delimiter and number of columns are known.
pub(crate) struct Table<'a> {
    path: &'a Path,
    text: &'a str,
    delimiter: Delimiter,
    /// Fields in the first row; all others must have as many.
    pub(crate) width: usize,
    /// Comments above the first row, with their lines.
    comments: Vec<(usize, &'a str)>,
}

impl<'a> Table<'a> {
    /// Finds delimiter and width in the first row.
    pub(crate) fn new(file: &'a Text) -> Result<Self, Error> {
        let mut table =
            Self { path: &file.path, text: &file.text, delimiter: Delimiter::Spaces, width: 0, comments: Vec::new() };
        let Some(first) = table.rows().next() else {
            let bad = BadInput::new(&file.path, "", "the file holds no data").allowed("at least one row is needed");
            return Err(bad.next("Write the data into it, or leave the file out.").into());
        };
        let above = file.text.lines().zip(1..first.line).filter(|(line, _)| is_comment(line));
        table.comments = above.map(|(line, number)| (number, line.trim_ascii()[1..].trim_ascii())).collect();
        table.delimiter = find_delimiter(first.text).map_err(|found| {
            table.bad(first.line, found).next("Quote the fields that contain commas or semicolons, as in \"a;b\",c.")
        })?;
        let mut fields = Vec::new();
        split_fields(first.text, table.delimiter, &mut fields).map_err(|flaw| table.flawed(first.line, flaw))?;
        table.width = fields.len();
        Ok(table)
    }

    /// All rows, a header included.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let rows = self.text.split('\n').zip(1..).map(|(text, line)| Row { line, text });
        rows.filter(|row| match row.text.as_bytes().first() {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => true,
            _ => !is_comment(row.text) && !row.text.trim_ascii().is_empty(),
        })
    }

    /// The fields of a row, as many as the first row has.
    #[inline]
    pub(crate) fn split(&self, row: Row<'a>, fields: &mut Vec<Cow<'a, str>>) -> Result<(), Error> {
        split_fields(row.text, self.delimiter, fields).map_err(|flaw| self.flawed(row.line, flaw))?;
        if fields.len() == self.width {
            return Ok(());
        }
        let found = format!("{} fields", fields.len());
        let allowed = format!("the first row has {}, so every row must", self.width);
        Err(self.bad(row.line, found).allowed(allowed).next("Quote fields that contain the delimiter.").into())
    }

    /// Decides about the header; see the [module](self). `ids` leading columns hold nodes.
    pub(crate) fn header(
        &self,
        ids: usize,
        known: impl Fn(&[Cow<'_, str>]) -> bool,
    ) -> Result<Option<Header<'a>>, Error> {
        let first = self.rows().next().expect("a table has a first row");
        let mut words = Vec::new();
        self.split(first, &mut words)?;
        let header = |certain| Some(Header { line: first.line, words: words.clone(), ids, certain });
        let says = |what: &str| self.comments.iter().any(|&(_, comment)| comment.eq_ignore_ascii_case(what));
        if says("header") || says("no header") {
            return Ok(if says("header") { header(true) } else { None });
        }
        if known(&words) {
            return Ok(header(false));
        }
        if self.width < ids || words[..ids].iter().any(|word| is_whole(word)) {
            return Ok(None);
        }
        let mut rows = self.rows().skip(1).peekable();
        let mut fields = Vec::new();
        let others_are_numbers = rows.peek().is_some()
            && rows.all(|row| self.split(row, &mut fields).is_ok() && fields[..ids].iter().all(|id| is_whole(id)));
        Ok(if others_are_numbers { header(false) } else { None })
    }

    /// What follows `# key` in a comment above the first row, with its line.
    pub(crate) fn comment(&self, key: &str) -> Option<(usize, &'a str)> {
        self.comments.iter().find_map(|&(line, comment)| Some((line, comment.strip_prefix(key)?.trim_ascii())))
    }

    /// The names in a comment such as `# classes: a,"b, c"`.
    pub(crate) fn listed(&self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let Some((line, list)) = self.comment(key) else { return Ok(None) };
        let mut fields = Vec::new();
        if !list.is_empty() {
            split_fields(list, Delimiter::Char(b','), &mut fields).map_err(|flaw| self.flawed(line, flaw))?;
        }
        Ok(Some(fields.into_iter().map(Cow::into_owned).collect()))
    }

    /// The line of the first row that has `name` in one of its first `ids` columns.
    pub(crate) fn line_of(&self, name: &str, ids: usize) -> usize {
        let mut fields = Vec::new();
        let mut names_it =
            |row: &Row<'a>| self.split(*row, &mut fields).is_ok() && fields[..ids].iter().any(|f| f == name);
        self.rows().find(|row| names_it(row)).map_or(0, |row| row.line)
    }

    /// Bad content on a line.
    pub(crate) fn bad(&self, line: usize, found: impl Into<String>) -> BadInput {
        BadInput::new(self.path, format!("line {line}"), found)
    }

    /// The file.
    pub(crate) fn path(&self) -> &'a Path {
        self.path
    }

    fn flawed(&self, line: usize, flaw: Flaw) -> Error {
        let (found, allowed, next) = match flaw {
            Flaw::Unclosed => (
                "a quoted field does not end on its line".into(),
                "a field opens and closes its quotes on one line",
                "Close the quote, double quotes inside a field, and remove line breaks from names.",
            ),
            Flaw::AfterQuote => (
                "text follows a closing quote".into(),
                "a quoted field ends at the delimiter",
                "Double the quotes inside the field, as in \"a \"\"b\"\" c\".",
            ),
            Flaw::LikeComment(field) => (
                format!("the field {field:?} starts like a comment"),
                "# and % start a comment, and comments have lines of their own",
                "Quote the field, or move the comment.",
            ),
        };
        self.bad(line, found).allowed(allowed).next(next).into()
    }
}

/// A first row that names the columns.
#[derive(Clone)]
pub(crate) struct Header<'a> {
    line: usize,
    /// The names of the columns.
    pub(crate) words: Vec<Cow<'a, str>>,
    ids: usize,
    certain: bool,
}

impl Header<'_> {
    /// Refuses a guess that could have swallowed data: a word in an id column that is a node elsewhere.
    pub(crate) fn check(&self, table: &Table<'_>, is_node: impl Fn(&str) -> bool) -> Result<(), Error> {
        let node = self.words[..self.ids].iter().find(|word| !self.certain && is_node(word));
        let Some(word) = node else { return Ok(()) };
        let found = format!("this row looks like a header, but {word:?} is a node too");
        let next = "Write \"# header\" or \"# no header\" on a line above it.";
        Err(table.bad(self.line, found).allowed("a header must be told apart from data").next(next).into())
    }
}

/// A header word without the differences that do not matter: `Node_1` and `node 1` are `node1`.
pub(crate) fn plain_word(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word names a column of nodes; pandas leaves the name of an index empty.
pub(crate) fn is_id_word(word: &str) -> bool {
    word.is_empty() || ["id", "node", "nodeid", "name", "index", "vertex"].contains(&plain_word(word).as_str())
}

fn is_whole(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_comment(line: &str) -> bool {
    line.trim_ascii_start().starts_with(['#', '%'])
}

fn find_delimiter(row: &str) -> Result<Delimiter, &'static str> {
    let mut quoted = false;
    let (mut tab, mut comma, mut semicolon) = (false, false, false);
    for byte in row.bytes() {
        quoted ^= byte == b'"';
        tab |= !quoted && byte == b'\t';
        comma |= !quoted && byte == b',';
        semicolon |= !quoted && byte == b';';
    }
    match (tab, comma, semicolon) {
        (true, ..) => Ok(Delimiter::Char(b'\t')),
        (_, true, true) => Err("both commas and semicolons, so the delimiter is unclear"),
        (_, true, _) => Ok(Delimiter::Char(b',')),
        (_, _, true) => Ok(Delimiter::Char(b';')),
        _ => Ok(Delimiter::Spaces),
    }
}

/// Why a row cannot be split.
#[derive(Debug, PartialEq, Eq)]
enum Flaw {
    Unclosed,
    AfterQuote,
    LikeComment(String),
}

fn split_fields<'a>(row: &'a str, delimiter: Delimiter, fields: &mut Vec<Cow<'a, str>>) -> Result<(), Flaw> {
    fields.clear();
    let mut rest = Some(row);
    while let Some(text) = rest {
        let start = match delimiter {
            Delimiter::Char(_) => text.trim_start_matches(' '),
            Delimiter::Spaces => text.trim_ascii_start(),
        };
        if delimiter == Delimiter::Spaces && start.is_empty() {
            break;
        }
        let (field, after) = match start.as_bytes().first() {
            Some(b'"') => quoted_field(start, delimiter)?,
            Some(b'#' | b'%') => return Err(Flaw::LikeComment(start.trim_ascii().chars().take(30).collect())),
            _ => plain_field(start, delimiter),
        };
        fields.push(field);
        rest = after;
    }
    Ok(())
}

#[inline]
fn ends_field(byte: u8, delimiter: Delimiter) -> bool {
    match delimiter {
        Delimiter::Char(delimiter) => byte == delimiter,
        Delimiter::Spaces => byte.is_ascii_whitespace(),
    }
}

#[inline]
fn plain_field(text: &str, delimiter: Delimiter) -> (Cow<'_, str>, Option<&str>) {
    match text.bytes().position(|byte| ends_field(byte, delimiter)) {
        Some(end) => (Cow::Borrowed(text[..end].trim_ascii()), Some(&text[end + 1..])),
        None => (Cow::Borrowed(text.trim_ascii()), None),
    }
}

/// A field in quotes and what follows its delimiter.
fn quoted_field(text: &str, delimiter: Delimiter) -> Result<(Cow<'_, str>, Option<&str>), Flaw> {
    let bytes = text.as_bytes();
    let mut end = 1;
    loop {
        end += text[end..].find('"').ok_or(Flaw::Unclosed)?;
        if bytes.get(end + 1) != Some(&b'"') {
            break;
        }
        end += 2;
    }
    let inside = &text[1..end];
    let field = if inside.contains('"') { Cow::Owned(inside.replace("\"\"", "\"")) } else { Cow::Borrowed(inside) };
    let after = &text[end + 1..];
    if after.trim_ascii().is_empty() && !after.bytes().any(|byte| delimiter == Delimiter::Char(byte)) {
        return Ok((field, None));
    }
    let after = if delimiter == Delimiter::Spaces { after } else { after.trim_start_matches(' ') };
    if ends_field(after.as_bytes()[0], delimiter) { Ok((field, Some(&after[1..]))) } else { Err(Flaw::AfterQuote) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(row: &str) -> Result<Vec<String>, Flaw> {
        let mut fields = Vec::new();
        split_fields(row, find_delimiter(row).unwrap(), &mut fields)?;
        Ok(fields.into_iter().map(Cow::into_owned).collect())
    }

    #[test]
    fn rows_split_at_the_delimiter_of_the_first_and_quotes_protect() {
        assert_eq!(fields("a, b ,c\r").unwrap(), ["a", "b", "c"]);
        assert_eq!(fields("a;b").unwrap(), ["a", "b"]);
        assert_eq!(fields("Doe, J.\tRoe; K.").unwrap(), ["Doe, J.", "Roe; K."]);
        assert_eq!(fields("  12   7 \r").unwrap(), ["12", "7"]);
        assert_eq!(fields(r#"" a ""x"", é" , "b;c""#).unwrap(), [r#" a "x", é"#, "b;c"]);
        assert_eq!(fields("\"a\tb\" \"c\"").unwrap(), ["a\tb", "c"]);
        assert_eq!(fields("a,,").unwrap(), ["a", "", ""]);
        assert_eq!(fields("\"a\"\t").unwrap(), ["a", ""]);
        assert_eq!(fields("\ta").unwrap(), ["", "a"]);
    }

    #[test]
    fn rows_that_could_mean_two_things_are_refused() {
        assert_eq!(fields("a,\"b"), Err(Flaw::Unclosed));
        assert_eq!(fields("\"a\"b,c"), Err(Flaw::AfterQuote));
        assert_eq!(fields("1 2 # why"), Err(Flaw::LikeComment("# why".into())));
        assert!(find_delimiter("1;2;0,5").is_err());
    }

    #[test]
    fn a_byte_order_mark_is_dropped_and_other_encodings_are_refused_with_their_line() {
        let path = Path::new("x.csv");
        assert_eq!(Text::decode(path, b"\xef\xbb\xbfa,b".to_vec()).unwrap().text, "a,b");
        let error = Text::decode(path, b"a,b\nc,\xe9\n".to_vec()).err().unwrap().to_string();
        assert_eq!(
            error,
            "reading x.csv, line 2: byte 0xe9 is not UTF-8; text must be UTF-8. Save the file as UTF-8; \
             unpack it if it is compressed."
        );
    }
}
