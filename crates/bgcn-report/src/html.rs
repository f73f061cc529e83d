//! What all pages share: the document around them, its style, tables.

use crate::text::visible;

const STYLE: &str = include_str!("style.css");

/// A file that needs no other; `body` is HTML.
pub fn document(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
        escape(title)
    )
}

/// Text that is safe inside elements and attributes, without control characters.
pub fn escape(text: &str) -> String {
    let text = visible(text);
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// A table that scrolls where the screen is narrow. Cells are HTML; columns after the first `left` are numbers.
pub fn table<H: AsRef<str>>(head: &[H], rows: impl IntoIterator<Item = Vec<String>>, left: usize) -> String {
    let line = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
        let cell = |(i, cell): (usize, &str)| {
            let class = if i < left { "" } else { " class=\"n\"" };
            format!("<{tag}{class}>{cell}</{tag}>")
        };
        format!("<tr>{}</tr>\n", cells.enumerate().map(cell).collect::<String>())
    };
    let head = line("th", &mut head.iter().map(H::as_ref));
    let rows = rows.into_iter().map(|row| line("td", &mut row.iter().map(String::as_str)));
    format!("<div class=\"wide\"><table>\n{head}{}</table></div>\n", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        assert_eq!(escape("<a href='x'>&\"</a>"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot;&lt;/a&gt;");
        assert_eq!(escape("a\u{1b}[31m\r"), "a\\u{1b}[31m\\u{d}");
    }

    #[test]
    fn numbers_stand_to_the_right_of_names() {
        let table = table(&["method", "5"], [vec!["gcn".to_owned(), "70.4".to_owned()]], 1);
        assert!(table.contains("<tr><td>gcn</td><td class=\"n\">70.4</td></tr>"), "{table}");
    }
}
