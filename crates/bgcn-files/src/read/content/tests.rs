//! Files of every kind under names that say nothing.

use super::*;
use proptest::prelude::*;
use std::io::Write as _;

fn named(name: &str, bytes: &[u8]) -> Result<Content, String> {
    recognise(Path::new(name), bytes).map_err(|bad| bad.to_string())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

fn opened(bytes: &[u8]) -> Result<(Vec<u8>, Content), String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("file");
    std::fs::write(&path, bytes).unwrap();
    open(&path).map_err(|error| error.to_string())
}

#[test]
fn formats_are_told_by_content() {
    for (bytes, content) in [
        (&b"a,b\n1,2\n"[..], Content::Text),
        (b"", Content::Text),
        (b"graph,edge\n1,2\n", Content::Text),
        (b"graph edge\n1 2\n", Content::Text),
        (b"dl n\n1 2\n", Content::Text),
        (b"\xFF\xFEa\0,\0b\0", Content::Text),
        (b"%%matrixmarket matrix coordinate pattern general\n", Content::MatrixMarket),
        (b"\xEF\xBB\xBF<?xml version='1.0'?><!-- x > y --><graphml>", Content::GraphMl),
        (b"<g:graphml xmlns:g='x'>", Content::GraphMl),
        (b"  <gexf version='1.2'>", Content::Gexf),
        (b" {\"nodes\": []}", Content::Json),
    ] {
        assert_eq!(named("file", bytes).unwrap(), content, "{}", String::from_utf8_lossy(bytes));
        assert_eq!(opened(bytes).unwrap(), (bytes.to_vec(), content));
    }
}

#[test]
fn formats_that_are_not_read_are_named_with_a_way_out() {
    let tar = [&[b'x'; 257][..], b"ustar\0"].concat();
    for (bytes, wanted) in [
        (&b"PAR1rest"[..], "a Parquet file; read are CSV"),
        (b"PAR1rest", "The Python package bgcn reads it: bgcn.read(\"here/file\")"),
        (b"ARROW1\0\0", "an Arrow or Feather file"),
        (b"\x89HDF\r\n\x1A\n", "an HDF5 file"),
        (b"\xD0\xCF\x11\xE0\xA1", "an old Excel file"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\x80\x04\x95", "a Python pickle"),
        (b"%PDF-1.7", "a PDF document"),
        (b"BZh61AY&SYxx", "a bzip2 archive"),
        (b"\xFD7zXZ\0", "an xz archive"),
        (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
        (b"\x93NUMPY\x01\0", "a single array"),
        (&tar, "a tar archive"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"<html lang='en'>", "a web page"),
        (b"<?xml version='1.0'?><svg>", "neither GraphML nor GEXF"),
        (b"graph [\n  node [", "a graph in GML"),
        (b"Creator \"igraph\"\nVersion 1\ngraph\n[", "a graph in GML"),
        (b"# made today\ngraph\n[\n", "a graph in GML"),
        (b"digraph G {\n a -> b; }", "a graph in DOT"),
        (b"strict graph {", "a graph in DOT"),
        (b"graph \"G\"\n{\n", "a graph in DOT"),
        (b"*Vertices 34\n1 \"a\"\n", "a graph in Pajek's format"),
        (b"LEDA.GRAPH\nstring\n", "a graph in LEDA's format"),
        (b"dl n=5 format=edgelist1\n", "a graph in UCINET's format"),
        (b"<http://a> <http://b> <http://c> .", "RDF triples"),
        (b"\xFF\xFE<\0?\0", "UTF-16"),
        (b"abc\0\x01\x02\x03", "a binary file"),
        (b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", "an empty zip archive"),
    ] {
        let message = named("here/file", bytes).unwrap_err();
        assert!(message.contains(wanted), "{message}");
    }
    let message = named("a.MTX.gz", b"3 3 1\n1 2\n").unwrap_err();
    assert!(message.contains("without the line %%MatrixMarket") && message.contains("mmwrite"), "{message}");
}

#[test]
fn zip_archives_are_told_by_their_entries() {
    for (names, wanted) in [
        (&["archive/data.pkl", "archive/version"][..], Some("a PyTorch file")),
        (&["[Content_Types].xml", "xl/workbook.xml"], Some("an Excel file (.xlsx)")),
        (&["[Content_Types].xml", "word/document.xml"], Some("an office document")),
        (&["edges.csv", "labels.csv"], Some("a zip archive")),
        (&["edge_index.npy", "notes.txt"], None),
    ] {
        assert_eq!(refused::archive(names).map(|(found, _)| found), wanted);
    }
}

#[test]
fn compression_is_taken_off_member_by_member() {
    for pack in [gzip, zstd] {
        let twice = [pack(b"a,b\n"), pack(b"1,2\n")].concat();
        assert_eq!(opened(&twice).unwrap(), (b"a,b\n1,2\n".to_vec(), Content::Text));
        let message = opened(&twice[..twice.len() - 3]).unwrap_err();
        assert!(message.contains("does not unpack") && message.contains("whole"), "{message}");
        assert!(opened(&pack(&pack(b"a,b\n"))).unwrap_err().contains("inside an archive"));
    }
    let skip = [&[0x50, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 9, 9][..], &zstd(b"{}")].concat();
    let skipped = [zstd(b"[1,"), skip].concat();
    assert_eq!(opened(&skipped).unwrap().0, b"[1,{}");
}

#[test]
fn a_folder_and_a_missing_file_are_said() {
    let dir = tempfile::tempdir().unwrap();
    assert!(open(dir.path()).unwrap_err().to_string().contains("this is a folder"));
    assert!(open(&dir.path().join("x")).unwrap_err().to_string().contains("there is no such file"));
}

#[test]
fn the_stem_has_no_ending_left() {
    for (path, wanted) in [("a/b.graphml.gz", "b"), ("b.JSON", "b"), ("b.c.csv.ZST", "b.c"), (".gz", ".gz")] {
        assert_eq!(stem(Path::new(path)), wanted);
    }
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), magic in 0usize..6) {
        let magic: &[u8] = [&b""[..], b"PK\x03\x04", b"\x1F\x8B\x08\0", b"\x28\xB5\x2F\xFD", b"<", b"graph"][magic];
        let _ = opened(&[magic, &bytes].concat());
    }
}
