//! Tables of text: Markdown where there is a header, plain columns without one.

/// Rows of cells under an optional header. Columns are as wide as their longest cell, in characters.
#[derive(Default)]
pub struct Table {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

/// A table with a header, in Markdown; columns after the first are numbers and stand to the right.
pub fn table(header: &[&str]) -> Table {
    let right = (0..header.len()).map(|column| column > 0).collect();
    Table { header: header.iter().map(|&name| name.to_owned()).collect(), rows: Vec::new(), right }
}

impl Table {
    /// Columns that hold words and stand to the left.
    pub fn left(mut self, columns: impl IntoIterator<Item = usize>) -> Self {
        columns.into_iter().for_each(|column| self.right[column] = false);
        self
    }

    /// Appends a row; cells that are missing at its end are empty.
    pub fn add_row(&mut self, cells: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The lines of the table, without spaces at their ends.
    pub fn trim_fmt(&self) -> String {
        let all = || self.rows.iter().chain([&self.header]);
        let mut widths = vec![0; all().map(Vec::len).max().unwrap_or(0)];
        for (column, cell) in all().flat_map(|row| row.iter().enumerate()) {
            widths[column] = widths[column].max(cell.chars().count());
        }
        let bar = if self.header.is_empty() { "" } else { "|" };
        let mut lines: Vec<String> = self.rows.iter().map(|row| self.line(row, &widths, bar)).collect();
        if !self.header.is_empty() {
            let rule: String = widths.iter().map(|width| format!("|{}", "-".repeat(width + 2))).collect();
            lines.splice(..0, [self.line(&self.header, &widths, bar), rule + "|"]);
        }
        lines.join("\n")
    }

    fn line(&self, row: &[String], widths: &[usize], bar: &str) -> String {
        let cell = |(column, &width): (usize, &usize)| {
            let text = row.get(column).map_or("", String::as_str);
            let right = self.right.get(column) == Some(&true);
            // The standard library pads to 65,535 characters at most.
            let space = " ".repeat(width - text.chars().count());
            if right { format!("{bar} {space}{text} ") } else { format!("{bar} {text}{space} ") }
        };
        let line: String = widths.iter().enumerate().map(cell).collect();
        (line + bar).trim_end().to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_longest_cell_and_short_rows_are_filled() {
        let mut table = table(&["Class", "Nodes", ""]).left([2]);
        table.add_row(["Zoë", "7", "██"]);
        table.add_row(["others", "1,000"]);
        let expected =
            "| Class  | Nodes |    |\n|--------|-------|----|\n| Zoë    |     7 | ██ |\n| others | 1,000 |    |";
        assert_eq!(table.trim_fmt(), expected);
    }

    #[test]
    fn a_cell_may_have_any_length() {
        let mut table = Table::default();
        table.add_row(["x".repeat(70_000)]);
        table.add_row(["y"]);
        assert_eq!(table.trim_fmt().len(), 70_000 + " \n y".len());
    }

    #[test]
    fn without_a_header_there_are_columns_and_no_lines() {
        let mut table = Table::default();
        table.add_row(["Nodes", "34"]);
        table.add_row(["Name", ""]);
        assert_eq!(table.trim_fmt(), " Nodes  34\n Name");
    }
}
