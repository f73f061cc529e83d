//! Progress: a bar, the time remaining, and the means so far.

use crate::args::Shared;
use crate::screen;
use bgcn_experiments::{Done, Shown, Study};
use indicatif::ProgressBar;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

/// Characters in a line.
const WIDTH: usize = 80;
/// Rows shown; of more, those that changed last.
const ROWS: usize = 12;
/// Characters of a column.
const COLUMN: usize = 11;

/// A bar with a table of means under it; invisible with `--quiet` and away from a terminal.
pub struct Live {
    bar: ProgressBar,
    means: Mutex<Means>,
}

impl Live {
    pub fn start(shared: &Shared, name: &str) -> Self {
        let template =
            format!("{name} {{bar:24}} {{pos}}/{{len}} trials  {{elapsed}} elapsed, {{eta}} remaining{{msg}}");
        let bar = screen::progress(shared, 0, &template);
        bar.enable_steady_tick(Duration::from_secs(1));
        Self { bar, means: Mutex::default() }
    }

    /// Counts a trial in, of so many that run again.
    pub fn checked(&self, of: usize) {
        self.bar.set_length(of as u64);
        self.bar.inc(1);
    }

    /// Counts a trial in.
    pub fn done<S: Study>(&self, study: &S, done: &Done<'_, S>) {
        let mut means = self.means.lock().expect("no thread panics while it holds the means");
        means.add(study.shown(done.key, done.outcome));
        self.bar.set_length(done.of as u64);
        self.bar.inc(1);
        if done.reused {
            // Trials from the log took no time now: the speed is measured from here on.
            self.bar.reset_eta();
        }
        if !self.bar.is_hidden() {
            self.bar.set_message(crate::screen::visible(&means.text()).into_owned());
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[derive(Default)]
struct Means {
    columns: Vec<String>,
    /// In the order of their first trial.
    rows: Vec<(String, Row)>,
    trials: usize,
}

#[derive(Default)]
struct Row {
    /// Sum and number of values, by column.
    cells: BTreeMap<String, (f64, usize)>,
    /// When it last changed.
    changed: usize,
}

impl Means {
    fn add(&mut self, Shown { row, column, value }: Shown) {
        if !self.columns.contains(&column) {
            self.columns.push(column.clone());
            self.columns.sort();
        }
        self.trials += 1;
        let place = self.rows.iter().position(|(name, _)| *name == row).unwrap_or_else(|| {
            self.rows.push((row, Row::default()));
            self.rows.len() - 1
        });
        let row = &mut self.rows[place].1;
        row.changed = self.trials;
        let cell = row.cells.entry(column).or_default();
        *cell = (cell.0 + value, cell.1 + 1);
    }

    /// A line for the head and one for each row, each beginning a new line.
    fn text(&self) -> String {
        let mut last: Vec<usize> = self.rows.iter().map(|(_, row)| row.changed).collect();
        last.sort_unstable_by(|a, b| b.cmp(a));
        let oldest = last.get(ROWS - 1).copied().unwrap_or(0);
        let rows: Vec<&(String, Row)> = self.rows.iter().filter(|(_, row)| row.changed >= oldest).collect();
        let name = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0).clamp(4, WIDTH / 2);
        let columns = &self.columns[..self.columns.len().min((WIDTH - name) / (COLUMN + 1))];
        let cut = |text: &str, width: usize| text.chars().take(width).collect::<String>();
        let more = if columns.len() < self.columns.len() { " …" } else { "" };
        let mut text = format!("\n{:<name$}", "mean");
        columns.iter().for_each(|column| text += &format!(" {:>COLUMN$}", cut(column, COLUMN)));
        text += more;
        for (row_name, row) in rows {
            text += &format!("\n{:<name$}", cut(row_name, name));
            for column in columns {
                let cell = row.cells.get(column).map(|(sum, n)| format!("{:.1} ({n})", sum / *n as f64));
                text += &format!(" {:>COLUMN$}", cell.unwrap_or_default());
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_shows_means_and_fits_the_terminal() {
        let mut means = Means::default();
        for i in 0..20 {
            for column in ["gcn", "gcn+mmsbm", "chebnet", "gat", "gcn+published"] {
                let row = format!("citeseer, random, {i:>2} labels");
                means.add(Shown { row, column: column.into(), value: f64::from(i) });
            }
        }
        means.add(Shown { row: "citeseer, random, 19 labels".into(), column: "gcn".into(), value: 20.0 });
        let text = means.text();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines.len(), 1 + ROWS);
        assert!(lines.iter().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(lines[0].ends_with('…') && text.contains("19.5 (2)"), "{text}");
        assert!(!text.contains("  0 labels") && text.contains("19 labels"), "{text}");
    }
}
