//! A page of results: headings, text, tables and figures, as Markdown and as one self-contained HTML file.

use std::fmt::Write as _;

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
        let mut out = format!("# {}\n", self.title);
        for block in &self.blocks {
            out.push('\n');
            match block {
                Block::Heading(text) => {
                    let _ = writeln!(out, "## {text}");
                }
                Block::Subheading(text) => {
                    let _ = writeln!(out, "### {text}");
                }
                Block::Text(text) => {
                    let _ = writeln!(out, "{text}");
                }
                Block::Code(text) => text.lines().for_each(|line| out += &format!("    {line}\n")),
                Block::Table { head, rows } => out += &markdown_table(head, rows),
                Block::Figure(figure) => {
                    let _ = writeln!(out, "![{}]({})\n\n{}", figure.caption, figure.file, figure.caption);
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
                Block::Code(text) => body += &format!("<pre>{}</pre>\n", escaped(text)),
                Block::Table { head, rows } => {
                    let line = |cells: &[String], tag: &str| {
                        let cells = cells.iter().map(|cell| format!("<{tag}>{}</{tag}>", marked(cell)));
                        format!("<tr>{}</tr>\n", cells.collect::<String>())
                    };
                    let rows: String = rows.iter().map(|row| line(row, "td")).collect();
                    body += &format!("<div class=\"wide\"><table>\n{}{rows}</table></div>\n", line(head, "th"));
                }
                Block::Figure(figure) => {
                    let caption = marked(&figure.caption);
                    body += &format!("<figure>{}<figcaption>{caption}</figcaption></figure>\n", figure.svg);
                }
            }
        }
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{}</title>\n\
             <style>{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n",
            escaped(&self.title)
        )
    }
}

/// Columns as wide as their widest cell, so that the table can be read as it is.
fn markdown_table(head: &[String], rows: &[Vec<String>]) -> String {
    let escape = |cells: &[String]| cells.iter().map(|cell| cell.replace('|', "\\|")).collect::<Vec<_>>();
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

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --soft: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td:last-child { white-space: normal; min-width: 8rem; }
tr:nth-child(even) { background: var(--soft); }
pre { background: var(--soft); padding: .6rem; overflow-x: auto; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; background: #fff; color: #000; }
figcaption { font-size: .9rem; }
@media print { body { max-width: none; margin: 0; font-size: 10pt; } h2, figure, tr { break-inside: avoid; } }
";

/// Safe inside elements and attributes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;").replace('\'', "&#39;")
}

/// Text with its code and bold marks as elements; `\*` is an asterisk.
fn marked(text: &str) -> String {
    let text = escaped(text).replace("\\*", "&#42;");
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
            markdown.contains("| method   |         5 |\n|----------|----------:|\n| a\\|b <c> | \\***1.0** |\n"),
            "{markdown}"
        );
        assert!(html.contains("<td>a|b &lt;c&gt;</td><td>&#42;<b>1.0</b></td>"), "{html}");
        assert!(html.contains("<p>run <code>bgcn</code></p>") && html.contains("Results &amp; more"));
    }

    #[test]
    fn a_mark_without_its_partner_stays_as_it_is() {
        assert_eq!(marked("2 ** 3"), "2 ** 3");
        assert_eq!(marked("a`b"), "a`b");
    }
}
