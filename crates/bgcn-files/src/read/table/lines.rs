//! Text as rows, without copying: comments, blank lines, headers of R.
//!
//! * Comments: lines that start with `#` or `%`. An id may start so too: where every field of such a line does, or
//!   where such lines are most of the file, they are rows; a line in doubt is an error. Blank lines are skipped.
//! * A first line `sep=;`, as Excel writes it, decides on the delimiter; else the first row, see `fields`.
//! * R writes a header that is one field short, for the column of row names has none.

use super::fields::{Delimiter, Flaw, find_delimiter, is_marked, is_row, split_fields};
use super::text::{Made, Origin, Text};
use crate::read::{Header, ReadOptions};
use bgcn_core::data::{BadInput, Error};
use bgcn_core::memory;
use std::borrow::Cow;
use std::path::Path;

/// Bytes that a field of the widest row takes: in the header, as a column, as what is found in it.
const FIELD: u64 = 500;

/// Bytes of a line that are never too many fields.
const SHORT: usize = 1 << 16;

/// A row of fields, not yet split.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// Counted from 1, comments and blank lines included.
    pub line: usize,
    pub(super) text: &'a str,
}

/// A text whose delimiter and number of columns are known.
pub struct Table<'a> {
    path: &'a Path,
    text: &'a str,
    /// The line at which `text` starts.
    from: usize,
    delimiter: Delimiter,
    /// Fields of every row.
    pub width: usize,
    /// Whether the first row has a field less than the others: R's header above row names.
    pub(super) short_header: bool,
    /// Whether lines that start with a comment sign can be rows.
    marked_ids: bool,
    /// Comments above the first row, with their lines.
    comments: Vec<(usize, &'a str)>,
    /// What was decided that could be otherwise.
    pub(super) remarks: Vec<String>,
    /// Where it was made from something else.
    made: Option<&'a Made>,
}

impl<'a> Table<'a> {
    /// Finds delimiter, width and comments.
    pub fn new(file: &'a Text) -> Result<Self, Error> {
        let mut table = Self {
            path: file.path(),
            text: file.as_str(),
            from: 1,
            delimiter: Delimiter::Spaces,
            width: 0,
            short_header: false,
            marked_ids: false,
            comments: Vec::new(),
            remarks: file.remarks().to_vec(),
            made: file.made.as_ref(),
        };
        table.refuse_endless_line()?;
        let said = table.said_delimiter();
        let Some(first) = table.rows().next().or_else(|| table.marked().find(|row| is_row(row.text))) else {
            let bad = BadInput::new(table.path, "", "the file holds no data").allowed("at least one row is needed");
            return Err(bad.next("Write the data into it, or leave the file out.").into());
        };
        table.delimiter = match said {
            Some(said) => said,
            None => find_delimiter(first.text).map_err(|found| {
                let next = "Quote the fields that contain commas or semicolons, as in \"a;b\",c.";
                table.bad(first.line, found).next(next)
            })?,
        };
        table.width = table.fields_of(first)?;
        table.settle_comments()?;
        let Some(first) = table.rows().next() else {
            let bad = BadInput::new(table.path, "", "the file holds only comments").allowed("a row is needed");
            return Err(bad.next("Quote ids that start with # or %.").into());
        };
        table.width = table.fields_of(first)?;
        let above = table.text.lines().zip(table.from..first.line).filter(|(line, _)| is_marked(line));
        table.comments = above.map(|(line, number)| (number, line.trim_ascii()[1..].trim_ascii())).collect();
        let mut below = table.rows().skip(1).take(2).map(|row| table.fields_of(row));
        if below.next().transpose()? == Some(table.width + 1) && below.next().transpose()? == Some(table.width + 1) {
            table.short_header = true;
            table.width += 1;
        }
        Ok(table)
    }

    /// The delimiter of a first line such as `sep=;`, which is then left out.
    fn said_delimiter(&mut self) -> Option<Delimiter> {
        if self.is_made(Origin::Rows) || self.is_made(Origin::Entries) {
            return Some(Delimiter::Char(b','));
        }
        let (first, rest) = self.text.split_once('\n')?;
        let &[sign] = first.trim_ascii_end().strip_prefix("sep=")?.as_bytes() else { return None };
        (self.text, self.from) = (rest, 2);
        self.remarks.push(format!("{}, line 1: sep={} is taken as the delimiter", self.name(), char::from(sign)));
        Some(Delimiter::Char(sign))
    }

    /// Refuses a line of more fields than there is memory for, before it is split.
    fn refuse_endless_line(&self) -> Result<(), Error> {
        let text = self.text.as_bytes();
        let ends = |byte: &u8| matches!(byte, b',' | b';' | b'|') || byte.is_ascii_whitespace();
        let mut at = 0;
        // Whether there is a line as long is seen at a few places.
        while let Some(part) = text.get(at..at + SHORT) {
            if let Some(end) = part.iter().rposition(|&byte| byte == b'\n') {
                at += end + 1;
                continue;
            }
            let line = text[at..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            let fields = 1 + line.iter().filter(|byte| ends(byte)).count();
            memory::allow(fields as u64 * FIELD).map_err(|much| {
                let number = 1 + text[..at].iter().filter(|&&byte| byte == b'\n').count();
                let bad = self.bad(number, format!("a line of {fields} fields: {much}"));
                bad.allowed("a row is held in memory").next("Give wide features as triplets: id,column,value.")
            })?;
            at += line.len() + 1;
        }
        Ok(())
    }

    /// Refuses rows, each of which takes so many bytes, where there is no memory for all.
    pub(super) fn ask(&self, row: u64) -> Result<(), Error> {
        let rows = 1 + self.text.bytes().filter(|&byte| byte == b'\n').count() as u64;
        memory::allow(rows.saturating_mul(row)).map_err(|much| {
            let bad = BadInput::new(self.path, "", format!("{rows} lines: {much}"));
            bad.allowed("a table is held in memory").next("Take fewer rows, or a machine with more memory.").into()
        })
    }

    fn fields_of(&self, row: Row<'a>) -> Result<usize, Error> {
        let mut fields = Vec::new();
        split_fields(row.text, self.delimiter, &mut fields).map_err(|flaw| self.flawed(row.line, flaw))?;
        Ok(fields.len())
    }

    /// Lines that start like a comment.
    fn marked(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        lines(self.text, self.from).filter(|row| is_marked(row.text))
    }

    /// Decides which lines that start like a comment are rows.
    fn settle_comments(&mut self) -> Result<(), Error> {
        let first = self.rows().next().map_or(usize::MAX, |row| row.line);
        let mut fields = Vec::new();
        let (mut rows_like, mut first_like, mut later) = (0usize, None, None);
        for row in self.marked() {
            let text = row.text.trim_ascii_start();
            let glued = text.as_bytes().get(1).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte >= 0x80);
            if !glued || split_fields(text, self.delimiter, &mut fields).is_err() || fields.len() != self.width.max(2) {
                continue;
            }
            if fields.iter().all(|field| is_marked(field)) {
                self.marked_ids = true;
                return Ok(());
            }
            rows_like += 1;
            first_like = first_like.or(Some(row));
            later = later.or((row.line > first).then_some(row));
        }
        let plain = self.rows().take(rows_like + 1).count();
        if rows_like > 1 && rows_like >= plain {
            self.marked_ids = true;
            return Ok(());
        }
        let doubtful = later.or(first_like.filter(|_| rows_like > 1));
        if let Some(row) = doubtful {
            let found = format!("{:?} is a comment or a row", shortened(row.text));
            let next = "Quote ids that start with # or %, or put a space after the sign of a comment.";
            return Err(self.bad(row.line, found).allowed("comments that differ from rows").next(next).into());
        }
        if let Some(row) = first_like {
            let said = format!("{}, line {}: {:?} is taken as a comment", self.name(), row.line, shortened(row.text));
            self.remarks.push(said);
        }
        Ok(())
    }

    /// All rows, a header included.
    pub fn rows(&self) -> impl Iterator<Item = Row<'a>> + use<'a> {
        self.rows_of(self.text, self.from)
    }

    /// The rows of a part of the text that starts at a line.
    pub(super) fn rows_of(&self, part: &'a str, line: usize) -> impl Iterator<Item = Row<'a>> + use<'a> {
        let marked_ids = self.marked_ids;
        lines(part, line).filter(move |row| match row.text.as_bytes().first() {
            Some(b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z') => true,
            _ => !row.text.trim_ascii().is_empty() && (!is_marked(row.text) || (marked_ids && is_row(row.text))),
        })
    }

    /// The text from the line after `row` on, and that line's number.
    pub(super) fn after(&self, row: Row<'a>) -> (&'a str, usize) {
        let end = row.text.as_ptr() as usize - self.text.as_ptr() as usize + row.text.len();
        (self.text.get(end + 1..).unwrap_or(""), row.line + 1)
    }

    /// The text of all rows.
    pub(super) fn text(&self) -> (&'a str, usize) {
        (self.text, self.from)
    }

    /// The first row; an R header gets an empty name for the row names.
    pub(super) fn first(&self) -> Result<(Row<'a>, Vec<Cow<'a, str>>), Error> {
        let row = self.rows().next().expect("a table has a first row");
        let mut words = Vec::new();
        split_fields(row.text, self.delimiter, &mut words).map_err(|flaw| self.flawed(row.line, flaw))?;
        if self.short_header {
            words.insert(0, Cow::Borrowed(""));
        }
        Ok((row, words))
    }

    /// The fields of a row, as many as the first row has.
    #[inline]
    pub fn split(&self, row: Row<'a>, fields: &mut Vec<Cow<'a, str>>) -> Result<(), Error> {
        split_fields(row.text, self.delimiter, fields).map_err(|flaw| self.flawed(row.line, flaw))?;
        if fields.len() == self.width {
            return Ok(());
        }
        let found = format!("{} fields: {:?}", fields.len(), shortened(row.text));
        let allowed = format!("the rows above have {}, so every row must", self.width);
        Err(self.bad(row.line, found).allowed(allowed).next("Quote fields that contain the delimiter.").into())
    }

    /// Whether this is a comment above the first row.
    pub(super) fn says(&self, what: &str) -> bool {
        self.comments.iter().any(|&(_, comment)| comment.eq_ignore_ascii_case(what))
    }

    /// What follows `# key` in a comment above the first row, with its line.
    pub fn comment(&self, key: &str) -> Option<(usize, &'a str)> {
        self.comments.iter().find_map(|&(line, comment)| Some((line, comment.strip_prefix(key)?.trim_ascii())))
    }

    /// The names in a comment such as `# classes: a,"b, c"`.
    pub fn listed(&self, key: &str) -> Result<Option<Vec<String>>, Error> {
        let Some((line, list)) = self.comment(key) else { return Ok(None) };
        let mut fields = Vec::new();
        if !list.is_empty() {
            split_fields(list, Delimiter::Char(b','), &mut fields).map_err(|flaw| self.flawed(line, flaw))?;
        }
        Ok(Some(fields.into_iter().map(Cow::into_owned).collect()))
    }

    /// Whether commas can be decimal points: they do not stand between fields.
    pub(super) fn has_free_commas(&self) -> bool {
        self.delimiter != Delimiter::Char(b',')
    }

    /// Whether some field is quoted.
    pub(super) fn has_quotes(&self) -> bool {
        self.text.contains('"')
    }

    /// Whether `name` stands in quotes somewhere.
    pub(super) fn quotes(&self, name: &str) -> bool {
        self.text.contains(&format!("\"{name}\""))
    }

    /// Whether it was made from this.
    pub(super) fn is_made(&self, from: Origin) -> bool {
        self.made.is_some_and(|made| made.from == from)
    }

    /// How to read it: where it was made, its header and its ids are known.
    pub(super) fn options<'o>(&self, options: &'o ReadOptions) -> Cow<'o, ReadOptions> {
        let Some(made) = self.made else { return Cow::Borrowed(options) };
        let header = if made.header { Header::Yes } else { Header::No };
        let id_column = made.id.clone().or_else(|| options.id_column.clone());
        Cow::Owned(ReadOptions { header, id_column, ..options.clone() })
    }

    /// What stands between its fields.
    pub(super) fn separator(&self) -> char {
        match self.delimiter {
            Delimiter::Char(sign) => char::from(sign),
            Delimiter::Spaces => ' ',
        }
    }

    /// Bad content on a line.
    pub fn bad(&self, line: usize, found: impl Into<String>) -> BadInput {
        BadInput::new(self.path, self.place(line), found)
    }

    /// A line, or what stands for it where there is none.
    fn place(&self, line: usize) -> String {
        if !self.is_made(Origin::Rows) && !self.is_made(Origin::Entries) {
            return format!("line {line}");
        }
        let mut fields = Vec::new();
        let row = self.rows().skip(1).find(|row| row.line == line);
        let row = row.filter(|row| split_fields(row.text, self.delimiter, &mut fields).is_ok());
        row.map_or(String::new(), |_| format!("entry {:?}", fields[0]))
    }

    /// The file.
    pub fn path(&self) -> &'a Path {
        self.path
    }

    /// The file's name, for remarks.
    pub(super) fn name(&self) -> String {
        super::shown(self.path)
    }

    fn flawed(&self, line: usize, flaw: Flaw) -> Error {
        let (found, allowed, next) = flaw.words();
        self.bad(line, found).allowed(allowed).next(next).into()
    }
}

fn lines(text: &str, from: usize) -> impl Iterator<Item = Row<'_>> {
    text.split('\n').zip(from..).map(|(text, line)| Row { line, text })
}

pub(in crate::read) fn shortened(text: &str) -> String {
    let text = text.trim_ascii();
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(39).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Result<Vec<String>, String> {
        let text = Text::decode(Path::new("x.csv"), text.into()).unwrap();
        let table = Table::new(&text).map_err(|error| error.to_string())?;
        Ok(table.rows().map(|row| row.text.trim_ascii().to_owned()).collect())
    }

    #[test]
    fn ids_that_start_like_comments_are_ids_and_doubtful_lines_are_refused() {
        assert_eq!(rows("#a,#b\n#b,#c\n").unwrap(), ["#a,#b", "#b,#c"]);
        assert_eq!(rows("# tags\n#a,#b\nx,#a\n# end\n").unwrap(), ["#a,#b", "x,#a"]);
        assert_eq!(rows("tag,topic\n#a,x\n#b,y\n").unwrap(), ["tag,topic", "#a,x", "#b,y"]);
        assert_eq!(rows("#source,target\na,b\nb,c\n").unwrap(), ["a,b", "b,c"]);
        assert_eq!(rows("# a b\n% 1 2 3\n1 2\n2 3\n").unwrap(), ["1 2", "2 3"]);
        let message = rows("a,b\n#b,c\nc,d\nd,e\n").unwrap_err();
        assert!(message.contains("line 2: \"#b,c\" is a comment or a row") && message.contains("Quote"), "{message}");
        assert!(rows("#1,2\n#2,3\na,b\nb,c\nc,d\n").is_err());
    }
}
