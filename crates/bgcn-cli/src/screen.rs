//! Output: tables, bars, progress, errors.

mod table;

pub use table::{Table, table};

use crate::args::Shared;
use anstyle::{AnsiColor, Style};
use bgcn_files::{Shell, spelled};
pub use bgcn_report::grouped;
pub use bgcn_report::visible;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

/// Prints text to standard output; a closed pipe (`| head`) is not an error.
pub fn print(text: &str) -> anyhow::Result<()> {
    let text = visible(text);
    let text = if io::stdout().is_terminal() { wrapped(&text, columns()) } else { text.into_owned() };
    write_out(&text)
}

/// Prints a table for programs: a terminal gets control characters made visible, a file or a program every byte.
pub fn print_data(text: &str) -> anyhow::Result<()> {
    if io::stdout().is_terminal() {
        return write_out(&visible(text));
    }
    let mut out = io::stdout().lock();
    unless_closed(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
}

fn write_out(text: &str) -> anyhow::Result<()> {
    unless_closed(anstream::stdout().write_all(text.as_bytes()))
}

/// A pipe that is closed (`| head`) is not an error.
fn unless_closed(written: io::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}

/// Prints one JSON object on one line.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    // JSON escapes the others by itself.
    print_data(&format!("{}\n", serde_json::to_string(value)?))
}

/// A remark on standard error, unless `--quiet`.
pub fn remark(shared: &Shared, text: &str) {
    if !shared.quiet {
        let text = spelled(text, Shell::Command);
        let text = visible(&text);
        let text = if io::stderr().is_terminal() { wrapped(&text, columns()) } else { text.into_owned() };
        let _ = writeln!(anstream::stderr(), "{text}");
    }
}

/// Characters in a line of the terminal.
fn columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0).max(40))
}

/// Lines that are too long, broken between words. Rows of tables stay whole, and so do commands, which are indented.
fn wrapped(text: &str, width: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, line) in text.split('\n').enumerate() {
        if i > 0 {
            out.push('\n');
        }
        if line.starts_with('|') || line.starts_with("  ") || line.chars().count() <= width {
            out += line;
            continue;
        }
        let indent = if line.starts_with("- ") { "  " } else { "" };
        let mut used = 0;
        for word in line.split(' ') {
            let length = word.chars().count();
            if used > 0 && used + 1 + length > width {
                out.push('\n');
                out += indent;
                used = indent.len();
            } else if used > 0 {
                out.push(' ');
                used += 1;
            }
            out += word;
            used += length;
        }
    }
    out
}

/// Prints an error and chooses the exit code.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let red = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let text = with_causes(error);
    let text = visible(&format!("error: {}", spelled(&text, Shell::Command))).into_owned();
    let text = if io::stderr().is_terminal() { wrapped(&text, columns()) } else { text };
    let text = text.strip_prefix("error:").unwrap_or(&text);
    let _ = writeln!(anstream::stderr(), "{red}error:{red:#}{text}");
    ExitCode::from(if is_input(error) { 2 } else { 1 })
}

/// An error with every cause that its message lacks.
pub fn with_causes(error: &anyhow::Error) -> String {
    error
        .chain()
        .skip(1)
        .map(ToString::to_string)
        .fold(error.to_string(), |text, cause| if text.contains(&cause) { text } else { format!("{text}: {cause}") })
}

/// Whether the command line or the input is to blame, rather than the work itself.
pub fn is_input(error: &anyhow::Error) -> bool {
    error.chain().any(blames_input)
}

fn blames_input(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<bgcn_core::Error>().is_some_and(|error| error.is_input())
        || cause.downcast_ref::<bgcn_experiments::Error>().is_some_and(|error| error.is_input())
}

/// Sentences as a list, options spelled as on the command line.
pub fn list(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("- {}\n", spelled(sentence, Shell::Command))).collect()
}

/// A bar for work of known length, on standard error; invisible with `--quiet` or without a terminal.
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
    fn long_lines_break_between_words_and_tables_stay() {
        let text = "one two three\n| a long row |\n- four five six\n  a long command";
        let wanted = "one two\nthree\n| a long row |\n- four\n  five\n  six\n  a long command";
        assert_eq!(wrapped(text, 9), wanted);
        assert_eq!(wrapped("a-very-long-word b", 5), "a-very-long-word\nb");
    }

    #[test]
    fn control_characters_are_spelled_out_and_lines_stay() {
        assert_eq!(visible("a\tb\n"), "a\tb\n");
        let steering = "\u{1b}]0;title\u{7}\u{9b}31m\u{202e}x\r";
        assert_eq!(visible(steering), "\\u{1b}]0;title\\u{7}\\u{9b}31m\\u{202e}x\\u{d}");
    }

    #[test]
    fn no_cause_is_lost_and_none_is_printed_twice() {
        let full = || std::io::Error::other("no space left");
        let full_disk = bgcn_core::Error::Io { doing: "writing", path: "a".into(), source: full() };
        assert_eq!(with_causes(&full_disk.into()), "writing a: no space left");
        assert_eq!(with_causes(&anyhow::Error::new(full()).context("writing a page")), "writing a page: no space left");
    }

    #[test]
    fn bars_grow_in_eighths_and_something_is_never_nothing() {
        assert_eq!(bar(1.0, 1.0, 4), "████");
        assert_eq!(bar(0.5, 1.0, 1), "▌");
        assert_eq!(bar(0.001, 1.0, 4), "▏");
        assert_eq!(bar(0.0, 1.0, 4), "");
    }
}
