//! Matrix Market files (`.mtx`): an adjacency matrix as text.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % comments
//! 3 3 2
//! 2 1 0.5
//! 3 2 1.0
//! ```
//!
//! The first line has the form (`coordinate` lists entries as row, column and value, from 1; `array` lists every value,
//! column after column), the type of values (`pattern` has none) and the symmetry. Zeros are no edges.

use std::path::Path;

use super::adjacency::{Adjacency, ask};
use super::{ReadOptions, content};
use bgcn_core::data::{BadInput, Dataset};

/// The first line.
struct Banner {
    coordinate: bool,
    /// Whether entries have no value.
    pattern: bool,
    symmetry: Symmetry,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Symmetry {
    General,
    Symmetric,
    /// The value on the other side of the diagonal is the negative one; the diagonal is zero.
    Skew,
}

/// Reads a file that is in memory already; `file` gives it its name.
pub(super) fn from_bytes(file: &Path, bytes: &[u8], options: &ReadOptions) -> Result<Dataset, BadInput> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = Lines { file, rest: text.trim_start_matches('\u{feff}'), line: 0 };
    let banner = lines.banner()?;
    let (line, size) = lines.next().ok_or_else(|| lines.ends("the line of sizes"))?;
    let sizes = if banner.coordinate { "rows, columns and entries" } else { "rows and columns" };
    let numbers: Vec<usize> = size.split_ascii_whitespace().filter_map(|word| word.parse().ok()).collect();
    let (rows, columns, entries) = match (banner.coordinate, &numbers[..]) {
        (true, &[rows, columns, entries]) => (rows, columns, Some(entries)),
        (false, &[rows, columns]) => (rows, columns, None),
        _ => return Err(lines.bad(line, format!("{:?}", short(size)), format!("{sizes} are needed"))),
    };
    if rows != columns || rows == 0 || rows >= u32::MAX as usize {
        let allowed = "an adjacency matrix is square and not empty, of less than 4294967295 nodes";
        return Err(lines.bad(line, format!("{rows} by {columns}"), allowed));
    }
    let edges = match entries {
        Some(entries) => coordinates(&mut lines, &banner, rows, entries)?,
        None => array(&mut lines, &banner, rows)?,
    };
    if let Some((line, extra)) = lines.next() {
        return Err(lines.bad(line, format!("{:?}", short(extra)), "the sizes say that there is no more"));
    }
    let mut remarks = Vec::new();
    let built = Adjacency { file, place: "", nodes: rows, edges, matrix: true }.build(options, &mut remarks)?;
    Ok(Dataset { remarks, ..Dataset::of_graph(content::stem(file), built) })
}

/// What the nodes of a matrix without tables beside it are called.
pub(super) fn counted(file: &Path, nodes: usize) -> String {
    let (name, last) = (content::name(file), nodes.saturating_sub(1));
    format!("{name}: nodes are called 0 to {last}, as scipy.io.mmread counts rows; the file counts them from 1")
}

/// `row column value`, as many as the line of sizes has.
fn coordinates(
    lines: &mut Lines<'_>,
    banner: &Banner,
    nodes: usize,
    entries: usize,
) -> Result<Vec<(u32, u32, f64)>, BadInput> {
    let wanted = if banner.pattern { "a row and a column" } else { "a row, a column and a value" };
    // An entry takes four bytes at least, whatever the line of sizes has.
    let most = entries.min(lines.rest.len() / 4 + 1);
    ask(most)
        .map_err(|much| lines.bad(lines.line, format!("{entries} entries: {much}"), "a matrix is held in memory"))?;
    let mut edges = Vec::with_capacity(most);
    for read in 0..entries {
        let (line, text) = lines.next().ok_or_else(|| lines.ends(&format!("entry {} of {entries}", read + 1)))?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let node = |word: &str| -> Result<u32, BadInput> {
            let number = word.parse::<usize>().ok().filter(|number| (1..=nodes).contains(number));
            let allowed = || format!("rows and columns are 1 to {nodes}");
            number
                .map(|number| number as u32 - 1)
                .ok_or_else(|| lines.bad(line, format!("{:?}", short(word)), allowed()))
        };
        let (a, b, weight) = match (banner.pattern, &words[..]) {
            (true, [a, b]) => (node(a)?, node(b)?, 1.0),
            (false, [a, b, value]) => (node(a)?, node(b)?, lines.value(line, value)?),
            _ => return Err(lines.bad(line, format!("{:?}", short(text)), format!("{wanted} are needed"))),
        };
        if banner.symmetry == Symmetry::Skew && a == b {
            return Err(lines.bad(line, "an entry on the diagonal", "a skew-symmetric matrix has none"));
        }
        edges.push((a, b, weight));
    }
    Ok(edges)
}

/// Every value, column after column; of symmetric matrices those from the diagonal down.
fn array(lines: &mut Lines<'_>, banner: &Banner, nodes: usize) -> Result<Vec<(u32, u32, f64)>, BadInput> {
    let mut edges = Vec::new();
    for b in 0..nodes {
        let first = match banner.symmetry {
            Symmetry::General => 0,
            Symmetry::Symmetric => b,
            Symmetry::Skew => b + 1,
        };
        for a in first..nodes {
            let (line, text) = lines.next().ok_or_else(|| lines.ends(&format!("row {} of column {}", a + 1, b + 1)))?;
            let weight = lines.value(line, text)?;
            if weight != 0.0 {
                edges.push((a as u32, b as u32, weight));
            }
        }
    }
    Ok(edges)
}

/// The lines that are still to be read, without comments and blank ones.
struct Lines<'a> {
    file: &'a Path,
    rest: &'a str,
    /// The line that was read last.
    line: usize,
}

impl<'a> Lines<'a> {
    /// Any line.
    fn line(&mut self) -> Option<&'a str> {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        let ends = self.rest.is_empty();
        (self.rest, self.line) = (rest, self.line + usize::from(!ends));
        (!ends).then(|| line.trim())
    }

    fn next(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let text = self.line()?;
            if !text.is_empty() && !text.starts_with('%') {
                return Some((self.line, text));
            }
        }
    }

    fn bad(&self, line: usize, found: impl Into<String>, allowed: impl Into<String>) -> BadInput {
        let next = "Save the matrix again, as with scipy.io.mmwrite.";
        BadInput::new(self.file, format!("line {line}"), found).allowed(allowed).next(next)
    }

    fn ends(&self, missing: &str) -> BadInput {
        self.bad(self.line, format!("the file ends before {missing}"), "it must be whole")
    }

    /// A number; NaN is refused later, where the edge is known.
    fn value(&self, line: usize, word: &str) -> Result<f64, BadInput> {
        let number = word.parse::<f64>().ok().filter(|number| !number.is_nan());
        number.ok_or_else(|| self.bad(line, format!("the value {:?}", short(word)), "values are numbers"))
    }

    fn banner(&mut self) -> Result<Banner, BadInput> {
        let first = self.line().unwrap_or_default().to_ascii_lowercase();
        let words: Vec<&str> = first.split_ascii_whitespace().collect();
        let bad = |found: &str, allowed: &str| Err(self.bad(1, found, allowed));
        let &["%%matrixmarket", "matrix", form, field, symmetry] = &words[..] else {
            return bad(&format!("{:?}", short(&first)), "it must be `%%MatrixMarket matrix FORM TYPE SYMMETRY`");
        };
        let coordinate = match form {
            "coordinate" => true,
            "array" => false,
            other => return bad(&format!("the form {other:?}"), "coordinate and array are read"),
        };
        let pattern = match field {
            "pattern" if coordinate => true,
            "pattern" => return bad("an array of pattern", "an array needs values"),
            "real" | "double" | "integer" => false,
            other => return bad(&format!("values of type {other:?}"), "pattern, real and integer are read"),
        };
        let symmetry = match symmetry {
            "general" => Symmetry::General,
            "symmetric" => Symmetry::Symmetric,
            "skew-symmetric" => Symmetry::Skew,
            other => {
                return bad(&format!("the symmetry {other:?}"), "general, symmetric and skew-symmetric are read");
            }
        };
        Ok(Banner { coordinate, pattern, symmetry })
    }
}

/// As much of a text as a message needs.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Dataset, String> {
        from_bytes(Path::new("a.mtx"), text.as_bytes(), &ReadOptions::default()).map_err(|bad| bad.to_string())
    }

    fn edges(text: &str) -> Vec<(u32, u32)> {
        read(text).unwrap().graph.edge_list().collect()
    }

    #[test]
    fn every_form_gives_the_same_path() {
        let path = [(0, 1), (1, 2)];
        for text in [
            "%%MatrixMarket matrix coordinate pattern symmetric\n% a comment\n\n3 3 2\n2 1\n3 2\n",
            "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 2 1\n2 1 1\n2 3 1e0\n3 2 1\n1 3 0\n",
            "%%matrixmarket MATRIX coordinate integer skew-symmetric\r\n3 3 2\r\n2 1 1\r\n3 2 -1\r\n",
            "%%MatrixMarket matrix array real general\n3 3\n0\n1\n0\n1\n0\n1\n0\n1\n0\n",
            "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n0\n0\n1\n0\n",
            "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n0\n-1\n",
        ] {
            assert_eq!(edges(text), path, "{text}");
        }
    }

    #[test]
    fn symmetric_entries_count_once_and_weights_are_mentioned() {
        let data = read("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 2 2\n2 1 2\n2 3 1\n3 2 1\n").unwrap();
        assert_eq!((data.edges_published, data.merged.reciprocal), (2, 0));
        assert_eq!(data.name, "a");
        let wanted = "a.mtx: the weight of 1 edge is ignored; `weight_threshold` keeps edges by weight";
        assert_eq!(data.remarks, [wanted]);
    }

    #[test]
    fn whatever_is_wrong_has_a_line() {
        let with = |rest: &str| format!("%%MatrixMarket matrix coordinate real general\n{rest}");
        for (text, wanted) in [
            ("%%MatrixMarket matrix coordinate complex general\n".into(), "line 1: values of type \"complex\""),
            ("%%MatrixMarket matrix coordinate real hermitian\n".into(), "line 1: the symmetry \"hermitian\""),
            ("%%MatrixMarket vector coordinate real general\n".into(), "line 1: "),
            ("%%MatrixMarket matrix array pattern general\n".into(), "an array needs values"),
            (with(""), "the file ends before the line of sizes"),
            (with("3 4 1\n1 2 1\n"), "line 2: 3 by 4; an adjacency matrix is square"),
            (with("3 3\n1 2 1\n"), "line 2: \"3 3\"; rows, columns and entries are needed"),
            (with("3 3 2\n1 2 1\n"), "line 3: the file ends before entry 2 of 2"),
            (with("3 3 1\n1 2 1\n1 3 1\n"), "line 4: \"1 3 1\"; the sizes say"),
            (with("3 3 1\n1 4 1\n"), "line 3: \"4\"; rows and columns are 1 to 3"),
            (with("3 3 1\n0 1 1\n"), "line 3: \"0\""),
            (with("3 3 1\n1 2\n"), "line 3: \"1 2\"; a row, a column and a value"),
            (with("3 3 1\n1 2 nan\n"), "line 3: the value \"nan\"; values are numbers"),
            (with("3 3 1\n1 1 1\n"), "no edges between two nodes"),
            (with("4000000000 4000000000 1\n1 2 1\n"), "4000000000 nodes and 1 edges"),
            (with("3 3 18446744073709551615\n1 2 1\n"), "before entry 2 of"),
        ] {
            let message = read(&text).unwrap_err();
            assert!(message.contains(wanted), "{message}");
        }
    }
}
