//! What people see: tables, bars, progress, errors.

mod table;

pub use table::Table;

use crate::args::Shared;
use anstyle::{AnsiColor, Style};
pub use bgcn_report::grouped;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints text to standard output; a reader that went away (`| head`) is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    match anstream::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints one JSON object as a line of its own.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&format!("{}\n", serde_json::to_string(value)?))
}

/// A remark on standard error, unless `--quiet`.
pub fn remark(shared: &Shared, text: &str) {
    if !shared.quiet {
        let _ = writeln!(anstream::stderr(), "{text}");
    }
}

/// Says what went wrong and chooses the exit code.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#} {error}");
    ExitCode::from(if is_input(error) { 2 } else { 1 })
}

/// Whether the command line or the input is to blame, rather than the work itself.
pub fn is_input(error: &anyhow::Error) -> bool {
    error.chain().any(blames_input)
}

fn blames_input(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<bgcn::data::Error>().is_some_and(|error| error.is_input())
        || cause.downcast_ref::<bgcn::graph::Error>().is_some_and(|error| error.is_input())
        || cause.downcast_ref::<bgcn::Error>().is_some_and(|error| error.is_input())
        || cause.downcast_ref::<bgcn_experiments::Error>().is_some_and(|error| error.is_input())
}

/// A table with a header, in Markdown; columns after the first are numbers and stand to the right.
pub fn table(header: &[&str]) -> Table {
    Table::with_header(header)
}

/// A table of names and what they are.
pub fn facts() -> Table {
    Table::default()
}

/// Sentences as a list, broken between words at 80 columns.
pub fn list(sentences: &[String]) -> String {
    let mut text = String::new();
    for sentence in sentences {
        let mut width = 1;
        text.push('-');
        for word in sentence.split(' ') {
            if width > 1 && width + 1 + word.chars().count() > 80 {
                text += "\n ";
                width = 1;
            }
            text.push(' ');
            text += word;
            width += 1 + word.chars().count();
        }
        text.push('\n');
    }
    text
}

/// A bar for work of known length, on standard error; invisible with `--quiet` or where nobody watches.
pub fn progress(shared: &Shared, length: u64, template: &str) -> ProgressBar {
    if shared.quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(template).expect("templates are constants");
    ProgressBar::new(length).with_style(style)
}

/// A bar of up to `width` characters for `value` out of `most`, in eighths.
pub fn bar(value: f64, most: f64, width: usize) -> String {
    const PARTS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let eighths = if most > 0.0 { (value / most * width as f64 * 8.0).round() as usize } else { 0 };
    let mut out = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        out.push(PARTS[eighths % 8]);
    } else if eighths == 0 && value > 0.0 {
        out.push('▏');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_grow_in_eighths_and_something_is_never_nothing() {
        assert_eq!(bar(1.0, 1.0, 4), "████");
        assert_eq!(bar(0.5, 1.0, 1), "▌");
        assert_eq!(bar(0.001, 1.0, 4), "▏");
        assert_eq!(bar(0.0, 1.0, 4), "");
    }
}
