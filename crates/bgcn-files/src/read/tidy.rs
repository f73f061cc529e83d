//! Text that looks alike, made alike: invisible characters, other spaces, accents that are characters of their own.
//!
//! Ids that differ in nothing else are one node. Joiners (U+200C, U+200D) stay, for they change what is read.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// What was changed, for remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tidied {
    invisible: usize,
    spaces: usize,
    composed: bool,
}

/// Where a text is cut into words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// At a sign; a space inside a word is a plain one, however it was written.
    AtSigns,
    /// At plain spaces; another space inside a word stays.
    AtSpaces,
}

/// Whether a word is read as another.
pub(crate) fn changes(word: &str) -> bool {
    Tidied::default().tidy(word, Words::AtSigns).is_some()
}

impl Tidied {
    /// The text without what cannot be seen, spaces plain and letters composed (NFC); `None` where nothing changes.
    pub(super) fn tidy(&mut self, text: &str, words: Words) -> Option<String> {
        if text.is_ascii() {
            return None;
        }
        let odd = text.contains(|c| is_invisible(c) || is_odd_space(c));
        let plain = odd.then(|| self.replaced(text, words)).filter(|plain| plain != text);
        let now = plain.as_deref().unwrap_or(text);
        if is_nfc_quick(now.chars()) == IsNormalized::Yes {
            return plain;
        }
        let composed: String = now.nfc().collect();
        if composed == now {
            return plain;
        }
        self.composed = true;
        Some(composed)
    }

    fn replaced(&mut self, text: &str, words: Words) -> String {
        let ends = |c: char| matches!(c, '"' | '\n' | '\r') || (words == Words::AtSpaces && c.is_ascii_whitespace());
        let mut out = String::with_capacity(text.len());
        let mut rest = text.chars().filter(|&c| !is_invisible(c)).peekable();
        self.invisible += text.chars().filter(|&c| is_invisible(c)).count();
        while let Some(c) = rest.next() {
            if !is_odd_space(c) {
                out.push(c);
                continue;
            }
            if out.chars().next_back().is_none_or(ends) || rest.peek().is_none_or(|&next| ends(next)) {
                self.spaces += 1;
            } else if words == Words::AtSigns {
                self.spaces += 1;
                out.push(' ');
            } else {
                out.push(c);
            }
        }
        out
    }

    /// A sentence on each change of the file called `name`.
    pub(super) fn remarks(&self, name: &str) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.invisible > 0 {
            let such = "such as zero-width spaces and byte-order marks";
            remarks.push(format!("{name}: {} invisible characters, {such}, are left out", self.invisible));
        }
        if self.spaces > 0 {
            remarks.push(format!("{name}: {} no-break or other wide spaces are read as plain ones", self.spaces));
        }
        if self.composed {
            remarks.push(format!("{name}: letters with an accent of its own are read as one character (Unicode NFC)"));
        }
        remarks
    }
}

/// Zero-width spaces, byte-order marks, soft hyphens, marks of direction.
fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}'
    )
}

fn is_odd_space(c: char) -> bool {
    c.is_whitespace() && !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tidy(text: &str, words: Words) -> (Option<String>, usize) {
        let mut tidied = Tidied::default();
        (tidied.tidy(text, words), tidied.remarks("x").len())
    }

    #[test]
    fn what_looks_alike_becomes_alike_and_is_said() {
        let changed = |text: &str| (Some(text.to_owned()), 1);
        assert_eq!(tidy("a\u{200b}b,\u{feff}c", Words::AtSigns), changed("ab,c"));
        assert_eq!(tidy("New\u{a0}York\u{a0}\nB", Words::AtSigns), changed("New York\nB"));
        assert_eq!(tidy("\"Oslo\u{a0}\",1", Words::AtSigns), changed("\"Oslo\",1"));
        assert_eq!(tidy("Zu\u{308}rich 1", Words::AtSpaces), changed("Z\u{fc}rich 1"));
        assert_eq!(tidy("New\u{a0}York\u{a0} 1", Words::AtSpaces), changed("New\u{a0}York 1"));
        for same in ["plain, text", "Z\u{fc}rich", "\u{645}\u{6cc}\u{200c}\u{62e}", ""] {
            assert_eq!(tidy(same, Words::AtSigns), (None, 0));
        }
        assert_eq!(tidy("New\u{a0}York 1", Words::AtSpaces), (None, 0));
    }
}
