//! A page of results: headings, text, tables and figures, as Markdown and as one self-contained HTML file.

use crate::html::{document, escape, table};
use crate::text::visible;
use bgcn_files::files::write_atomically;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

/// Results in reading order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// Of the whole page.
    pub title: String,
    /// In reading order.
    pub blocks: Vec<Block>,
}

/// A part of a page. Text may hold `code` between backticks and **bold** between double asterisks.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading inside the page.
    Heading(String),
    /// A heading below it.
    Subheading(String),
    /// A paragraph.
    Text(String),
    /// Lines as typed.
    Code(String),
    /// Columns after the first are figures.
    Table {
        /// One per column.
        head: Vec<String>,
        /// As long as the head.
        rows: Vec<Vec<String>>,
    },
    /// A drawing.
    Figure(Figure),
}

impl Block {
    /// A table with this head.
    pub fn table<H: Into<String>>(head: impl IntoIterator<Item = H>, rows: Vec<Vec<String>>) -> Self {
        Self::Table { head: head.into_iter().map(Into::into).collect(), rows }
    }
}

/// A drawing with a file of its own beside the Markdown page; the HTML page holds it inline.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// File name, ending in `.svg`.
    pub file: String,
    /// What it shows.
    pub caption: String,
    /// The drawing.
    pub svg: String,
}

impl Page {
    /// Markdown, figures by file name.
    pub fn markdown(&self) -> String {
        let mut out = format!("# {}\n", harmless(&self.title));
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => {
                    let _ = writeln!(out, "## {}", harmless(text));
                }
                Block::Subheading(text) => {
                    let _ = writeln!(out, "### {}", harmless(text));
                }
                Block::Text(text) => {
                    let _ = writeln!(out, "{}", harmless(text));
                }
                Block::Code(text) => visible(text).lines().for_each(|line| out += &format!("    {line}\n")),
                Block::Table { head, rows } => out += &markdown_table(head, rows),
                Block::Figure(figure) => {
                    let caption = harmless(&figure.caption);
                    let _ = writeln!(out, "![{caption}]({})\n\n{caption}", figure.file);
                }
            }
        }
        out
    }

    /// One HTML file that needs nothing else.
    pub fn html(&self) -> String {
        let mut body = format!("<h1>{}</h1>\n", marked(&self.title));
        for block in &self.blocks {
            match block {
                Block::Heading(text) => body += &format!("<h2>{}</h2>\n", marked(text)),
                Block::Subheading(text) => body += &format!("<h3>{}</h3>\n", marked(text)),
                Block::Text(text) => body += &format!("<p>{}</p>\n", marked(text)),
                Block::Code(text) => body += &format!("<pre>{}</pre>\n", escape(text)),
                Block::Table { head, rows } => {
                    let marked = |cells: &[String]| cells.iter().map(|cell| marked(cell)).collect::<Vec<_>>();
                    body += &table(&marked(head), rows.iter().map(|row| marked(row)), 1);
                }
                Block::Figure(figure) => {
                    let caption = marked(&figure.caption);
                    let svg = &figure.svg;
                    body += &format!("<figure class=\"sheet\">{svg}<figcaption>{caption}</figcaption></figure>\n");
                }
            }
        }
        document(&self.title, &body)
    }

    /// Writes `results.md` with its figures, and `report.html`, into a folder that exists.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        let write = |name: &str, text: &str| write_atomically(&folder.join(name), |w| w.write_all(text.as_bytes()));
        for block in &self.blocks {
            if let Block::Figure(figure) = block {
                write(&figure.file, &figure.svg)?;
            }
        }
        write("results.md", &self.markdown())?;
        write("report.html", &self.html())
    }
}

/// Text for Markdown that holds no HTML, whatever is in the names in it: a `<` that could begin a tag is marked as
/// text, and control characters are spelled out.
fn harmless(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '<' && chars.peek().is_some_and(|next| next.is_alphabetic() || matches!(next, '/' | '!' | '?')) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Columns as wide as their widest cell, so that the table can be read as it is.
fn markdown_table(head: &[String], rows: &[Vec<String>]) -> String {
    let escape = |cells: &[String]| {
        cells.iter().map(|cell| harmless(cell).replace('|', "\\|").replace('\n', " ")).collect::<Vec<_>>()
    };
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().map(Vec::as_slice)).map(escape).collect();
    let width = |column: usize| {
        let cells = lines.iter().filter_map(|line| line.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut out = String::new();
    for (i, line) in lines.iter().enumerate() {
        for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
            let padded = if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") };
            out += &format!("| {padded} ");
        }
        out += "|\n";
        if i == 0 {
            let rule = |(column, &width): (usize, &usize)| match column {
                0 => format!("|{}", "-".repeat(width + 2)),
                _ => format!("|{}:", "-".repeat(width + 1)),
            };
            out += &format!("{}|\n", widths.iter().enumerate().map(rule).collect::<String>());
        }
    }
    out
}

/// Text with its code and bold marks as elements; `\*` is an asterisk.
fn marked(text: &str) -> String {
    let text = escape(text).replace("\\*", "&#42;");
    let alternate = |text: &str, mark: &str, tag: &str| {
        let parts: Vec<&str> = text.split(mark).collect();
        let last = parts.len() - 1;
        let element = |(i, part): (usize, &&str)| match i % 2 {
            1 if i < last => format!("<{tag}>{part}</{tag}>"),
            1 => format!("{mark}{part}"),
            _ => (*part).to_owned(),
        };
        parts.iter().enumerate().map(element).collect::<String>()
    };
    alternate(&alternate(&text, "`", "code"), "**", "b")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_reads_the_same_in_both_forms() {
        let row = vec!["a|b <c>".to_owned(), "\\***1.0**".to_owned()];
        let page = Page {
            title: "Results & more".into(),
            blocks: vec![
                Block::Heading("Cora".into()),
                Block::Text("run `bgcn`".into()),
                Block::Table { head: vec!["method".into(), "5".into()], rows: vec![row] },
            ],
        };
        let (markdown, html) = (page.markdown(), page.html());
        assert!(
            markdown.contains("| method    |         5 |\n|-----------|----------:|\n| a\\|b \\<c> | \\***1.0** |\n"),
            "{markdown}"
        );
        assert!(html.contains("<td>a|b &lt;c&gt;</td><td class=\"n\">&#42;<b>1.0</b></td>"), "{html}");
        assert!(html.contains("<p>run <code>bgcn</code></p>") && html.contains("Results &amp; more"));
    }

    #[test]
    fn names_from_outside_are_no_markup_in_markdown() {
        let evil = "<script>x</script><!--\u{1b}[31m\r";
        let page = Page {
            title: evil.into(),
            blocks: vec![
                Block::Heading(evil.into()),
                Block::Subheading(evil.into()),
                Block::Text(format!("{evil}, p < 0.05")),
                Block::Code(format!("bgcn reproduce {evil}\n<b>")),
                Block::Table { head: vec![evil.into()], rows: vec![vec![format!("two\nlines {evil}")]] },
                Block::Figure(Figure { file: "a.svg".into(), caption: evil.into(), svg: String::new() }),
            ],
        };
        let (markdown, html) = (page.markdown(), page.html());
        assert!(!markdown.contains(['\u{1b}', '\r']) && !html.contains(['\u{1b}', '\r']));
        let open = |line: &&str| !line.starts_with("    ") && line.replace("\\<", "").contains("<s");
        assert_eq!(markdown.lines().find(open), None);
        assert!(markdown.contains(", p < 0.05") && markdown.contains("| two lines \\<script>"), "{markdown}");
        assert!(!html.contains("<script>") && html.contains("&lt;script&gt;"));
    }

    #[test]
    fn figures_have_their_files_beside_the_markdown() {
        let svg = "<svg></svg>".to_owned();
        let figure = Figure { file: "a.svg".into(), caption: "what it shows".into(), svg: svg.clone() };
        let page = Page { title: "t".into(), blocks: vec![Block::Figure(figure)] };
        let folder = tempfile::tempdir().unwrap();
        page.write(folder.path()).unwrap();
        let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("a.svg"), svg);
        assert!(read("results.md").contains("![what it shows](a.svg)") && read("report.html").contains(&svg));
    }

    #[test]
    fn a_mark_without_its_partner_stays_as_it_is() {
        assert_eq!(marked("2 ** 3"), "2 ** 3");
        assert_eq!(marked("a`b"), "a`b");
    }
}
