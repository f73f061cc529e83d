//! Formats that are recognised but not read: their first bytes, their names, and what to do.

use quick_xml::Reader;
use quick_xml::events::Event;

/// What is read instead, for messages.
pub(super) const READ: &str = "read are CSV and other text tables, .npz, Matrix Market, GraphML, GEXF and node-link \
                               JSON, also in gzip or zstd";

/// What it is, and what to do; FILE stands for the path.
type Known = (&'static str, &'static str);

const PYTHON: &str = "The Python package bgcn reads it: bgcn.read(\"FILE\").";
const UNPACK: &str = "Unpack it first; gzip and zstd are unpacked for you.";
const CSV: &str = "Save the table as CSV.";
const GRAPHML: &str = "Save the graph as GraphML or CSV.";
const PICKLE: &str = "Load it in Python, and save the arrays with numpy.savez: edge_index, x, y.";

/// The first bytes of each.
const MAGIC: [(&[u8], Known); 28] = [
    (b"PAR1", ("a Parquet file", PYTHON)),
    (b"PARE", ("an encrypted Parquet file", "Decrypt it, and save it as CSV.")),
    (b"ARROW1", ("an Arrow or Feather file", PYTHON)),
    (b"FEA1", ("a Feather file", PYTHON)),
    (b"\xFF\xFF\xFF\xFF", ("an Arrow stream", "Save it as Parquet, Feather or CSV.")),
    (b"ORC", ("an ORC file", CSV)),
    (b"Obj\x01", ("an Avro file", CSV)),
    (b"\x89HDF\r\n\x1A\n", ("an HDF5 file", "Save its arrays with numpy.savez: edge_index, x, y.")),
    (b"\xD0\xCF\x11\xE0", ("an old Excel file (.xls)", CSV)),
    (b"SQLite format 3\0", ("an SQLite database", "Export its tables as CSV.")),
    (b"%PDF-", ("a PDF document", "Find the data it was made from.")),
    (b"BZh91AY&SY", ("a bzip2 archive", UNPACK)),
    (b"\xFD7zXZ\0", ("an xz archive", UNPACK)),
    (b"7z\xBC\xAF\x27\x1C", ("a 7z archive", UNPACK)),
    (b"Rar!\x1A\x07", ("a rar archive", UNPACK)),
    (b"\x04\x22\x4D\x18", ("an lz4 archive", UNPACK)),
    (b"\x1F\x8B", ("a gzip archive inside an archive", "Unpack it once.")),
    (b"\x28\xB5\x2F\xFD", ("a zstd archive inside an archive", "Unpack it once.")),
    (b"\x93NUMPY", ("a single array (.npy)", "Save all arrays in one file with numpy.savez: edge_index, x, y.")),
    (b"MATLAB 5.0 MAT-file", ("a MATLAB file", "Save its matrices with scipy.io.mmwrite or numpy.savez.")),
    (b"RDX2\n", ("an R workspace", CSV)),
    (b"RDX3\n", ("an R workspace", CSV)),
    (b"\x89PNG", ("a picture", "Find the data it was made from.")),
    (b"\xFF\xD8\xFF", ("a picture", "Find the data it was made from.")),
    (b"GIF8", ("a picture", "Find the data it was made from.")),
    (b">>graph6<<", ("a graph in graph6", GRAPHML)),
    (b">>sparse6<<", ("a graph in sparse6", GRAPHML)),
    (b"LEDA.GRAPH", ("a graph in LEDA's format", GRAPHML)),
];

/// A format that is known by its first bytes.
pub(super) fn by_magic(bytes: &[u8]) -> Option<Known> {
    if let [0x80, 2..=5, ..] = bytes {
        return Some(("a Python pickle", PICKLE));
    }
    if bytes.get(257..262) == Some(b"ustar") {
        return Some(("a tar archive", "Unpack it, and name the file or folder inside."));
    }
    // The block size of bzip2 is a digit.
    let bzip = matches!(bytes, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.starts_with(b"1AY&SY"));
    let starts = |magic: &[u8]| bytes.starts_with(magic) || (bzip && magic.starts_with(b"BZh"));
    MAGIC.iter().find(|(magic, _)| starts(magic)).map(|&(_, known)| known)
}

/// What a zip archive of these entries is, unless it is one of arrays.
pub(super) fn archive(names: &[&str]) -> Option<Known> {
    let any = |test: &dyn Fn(&str) -> bool| names.iter().any(|name| test(name));
    if any(&|name| name.ends_with("data.pkl")) {
        return Some(("a PyTorch file", PICKLE));
    }
    if any(&|name| name.starts_with("xl/")) {
        return Some(("an Excel file (.xlsx)", CSV));
    }
    if any(&|name| name == "[Content_Types].xml" || name == "content.xml") {
        return Some(("an office document", CSV));
    }
    if any(&|name| name.ends_with(".npy")) {
        return None;
    }
    if names.is_empty() {
        return Some(("an empty zip archive", "Save the arrays with numpy.savez: edge_index, x, y."));
    }
    Some(("a zip archive", "Unpack it, and name the file or folder inside."))
}

/// A format that is known by its first words.
pub(super) fn by_text(text: &str) -> Option<Known> {
    // Comments of GML and DOT, and of Pajek.
    let is_comment = |line: &str| line.is_empty() || line.starts_with(['#', '%']) || line.starts_with("//");
    let mut lines = text.lines().map(str::trim).skip_while(|line| is_comment(line));
    let first = lines.next()?;
    let second = lines.find(|line| !is_comment(line)).unwrap_or("");
    let lower = first.to_ascii_lowercase();
    let opened = |word: &str, bracket: char| {
        let after = lower.strip_prefix(word).filter(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))?;
        let after = after.trim_start();
        let named = after.split(bracket).next().is_some_and(|name| name.split_whitespace().count() <= 1);
        let open = if after.is_empty() || !after.contains(bracket) && bracket == '{' {
            second.starts_with(bracket) && after.split_whitespace().count() <= 1
        } else {
            named && after.contains(bracket)
        };
        open.then_some(())
    };
    if (opened("graph", '[').is_some() && !lower.contains(',')) || lower.starts_with("creator \"") {
        return Some(("a graph in GML", GRAPHML));
    }
    let dot = ["strict digraph", "strict graph", "digraph", "graph"];
    if dot.iter().any(|word| opened(word, '{').is_some()) {
        return Some(("a graph in DOT", GRAPHML));
    }
    if ["*vertices", "*network", "*arcs", "*edges"].iter().any(|word| lower.starts_with(word)) {
        return Some(("a graph in Pajek's format", GRAPHML));
    }
    let dl = lower.strip_prefix("dl").is_some_and(|rest| rest.trim_start().starts_with("n") && rest.contains('='));
    if dl {
        return Some(("a graph in UCINET's format", GRAPHML));
    }
    if lower.starts_with("<http") || lower.starts_with("@prefix") {
        return Some(("RDF triples", GRAPHML));
    }
    None
}

/// The name of the first element of an XML text, without its prefix.
pub(super) fn root(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => return Some(tag.local_name().as_ref().to_owned()),
            Event::DocType(kind) if kind.trim_start().to_ascii_lowercase().starts_with("html") => {
                return Some("html".into());
            }
            Event::Eof => return None,
            _ => {}
        }
    }
}
