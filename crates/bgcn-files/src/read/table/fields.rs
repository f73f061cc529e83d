//! A row as fields, without copying: delimiters and quotes.
//!
//! * Delimiter: looked for in the first row, outside quotes: a tab, else a comma, else a semicolon, else a bar, else
//!   spaces. A first row with both commas and semicolons is an error.
//! * Quotes: RFC 4180, `"a ""b"", c"`, but a quoted field ends on its line. Unquoted fields are trimmed. Between
//!   spaces, `{` opens a field that goes on to the end of the line: the attributes that NetworkX writes.

use std::borrow::Cow;

/// What stands between fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delimiter {
    Char(u8),
    Spaces,
}

/// Whether a line or field starts with the sign of a comment.
pub(super) fn is_marked(line: &str) -> bool {
    line.trim_ascii_start().starts_with(['#', '%'])
}

/// Whether a line that starts like a comment is a row where ids start so: no space follows the sign.
pub(super) fn is_row(line: &str) -> bool {
    line.trim_ascii_start().as_bytes().get(1).is_some_and(|byte| !byte.is_ascii_whitespace())
}

/// What stands between the fields of the first row.
pub(super) fn find_delimiter(row: &str) -> Result<Delimiter, &'static str> {
    let mut quoted = false;
    let (mut tab, mut comma, mut semicolon, mut bar) = (false, false, false, false);
    for byte in row.bytes() {
        quoted ^= byte == b'"';
        tab |= !quoted && byte == b'\t';
        comma |= !quoted && byte == b',';
        semicolon |= !quoted && byte == b';';
        bar |= !quoted && byte == b'|';
        if byte == b'{' {
            break;
        }
    }
    match (tab, comma, semicolon) {
        (true, ..) => Ok(Delimiter::Char(b'\t')),
        (_, true, true) => Err("both commas and semicolons, so the delimiter is unclear"),
        (_, true, _) => Ok(Delimiter::Char(b',')),
        (_, _, true) => Ok(Delimiter::Char(b';')),
        _ if bar => Ok(Delimiter::Char(b'|')),
        _ => Ok(Delimiter::Spaces),
    }
}

/// Why a row cannot be split.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flaw {
    Unclosed,
    AfterQuote,
    LikeComment(String),
}

impl Flaw {
    /// What was found, what is allowed, what to do.
    pub(super) fn words(self) -> (String, &'static str, &'static str) {
        match self {
            Self::Unclosed => (
                "a quoted field does not end on its line".into(),
                "a field opens and closes its quotes on one line",
                "Close the quote, double quotes inside a field, and remove line breaks from names.",
            ),
            Self::AfterQuote => (
                "text follows a closing quote".into(),
                "a quoted field ends at the delimiter",
                "Double the quotes inside the field, as in \"a \"\"b\"\" c\".",
            ),
            Self::LikeComment(field) => (
                format!("the field {field:?} starts like a comment"),
                "# and % start a comment, and a comment has a line to itself",
                "Quote the field, or move the comment.",
            ),
        }
    }
}

#[inline]
pub(super) fn split_fields<'a>(row: &'a str, delimiter: Delimiter, fields: &mut Vec<Cow<'a, str>>) -> Result<(), Flaw> {
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
            Some(b'{') if delimiter == Delimiter::Spaces => (Cow::Borrowed(start.trim_ascii_end()), None),
            Some(b'#' | b'%') if delimiter == Delimiter::Spaces && !is_row(start) => {
                return Err(Flaw::LikeComment(start.trim_ascii().chars().take(30).collect()));
            }
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
        assert_eq!(fields("a|b").unwrap(), ["a", "b"]);
        assert_eq!(fields("Doe, J.\tRoe; K.").unwrap(), ["Doe, J.", "Roe; K."]);
        assert_eq!(fields("  12   7 \r").unwrap(), ["12", "7"]);
        assert_eq!(fields("12 7 {'weight': 3, 'kind': 'x'}").unwrap(), ["12", "7", "{'weight': 3, 'kind': 'x'}"]);
        assert_eq!(fields(r#"" a ""x"", é" , "b;c""#).unwrap(), [r#" a "x", é"#, "b;c"]);
        assert_eq!(fields("\"a\tb\" \"c\"").unwrap(), ["a\tb", "c"]);
        assert_eq!(fields("a,,").unwrap(), ["a", "", ""]);
        assert_eq!(fields("a,#b").unwrap(), ["a", "#b"]);
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
}
