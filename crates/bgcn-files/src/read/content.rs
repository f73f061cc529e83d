//! What a file is, by its content: compression is taken off, formats that are read are recognised, all others
//! are named and refused. Names count only where the content does not decide.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

use super::npz::zip::Archive;
use super::refused;
use crate::files::Bounded;
use bgcn_core::data::{BadInput, Error};

/// The formats of files that hold a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Npz,
    MatrixMarket,
    GraphMl,
    Gexf,
    Json,
    /// Tables, in whichever encoding.
    Text,
}

impl Content {
    /// Its name in messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Npz => "an npz file",
            Self::MatrixMarket => "a Matrix Market file",
            Self::GraphMl => "a GraphML file",
            Self::Gexf => "a GEXF file",
            Self::Json => "a JSON file",
            Self::Text => "text",
        }
    }
}

/// Bytes that decide what a file is.
const HEAD: u64 = 64 << 10;

/// Bytes of memory for every byte of a file that is read: itself, and what is made of it.
pub(super) const READING: u64 = 3;

/// No file unpacks to more.
const LARGEST: u64 = 64 << 30;

/// What a file may unpack to: this many times its size, and this many bytes more.
const RATIO: u64 = 1000;
const SPARE: u64 = 1 << 30;

/// The bytes of a file without its compression, and what they are.
pub(super) type Opened = (Vec<u8>, Content);

/// Reads a file. No file is opened twice, for a pipe gives its bytes once.
pub(super) fn open(path: &Path) -> Result<Opened, Error> {
    let bytes = unpacked(path)?;
    let content = recognise(path, &bytes)?;
    Ok((bytes, content))
}

/// The file's name without its folder, for remarks.
pub(super) fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// The file's name without the endings of compression and format.
pub(super) fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let packed = [".gz", ".zst"].iter().find(|ending| name.len() > 4 && name.to_ascii_lowercase().ends_with(*ending));
    let name = packed.map_or(&name[..], |ending| &name[..name.len() - ending.len()]);
    Path::new(name).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// The bytes of a file without compression.
fn unpacked(path: &Path) -> Result<Vec<u8>, Error> {
    if path.is_dir() {
        let bad = BadInput::new(path, "", "this is a folder").allowed("a file is needed");
        return Err(bad.next("Name a file inside the folder.").into());
    }
    if !path.exists() {
        let path = path.display();
        return Err(Error::NotFound(format!("reading {path}: there is no such file. Check the name and the folder.")));
    }
    let source = Bounded::open(path, READING).map_err(Error::io("reading", path))?;
    let size = source.size;
    let mut packed = BufReader::with_capacity(1 << 16, &source.file);
    let magic = packed.fill_buf().map_err(Error::io("reading", path))?;
    let mut bytes = Vec::new();
    let ratio = size.saturating_mul(RATIO).saturating_add(SPARE).min(LARGEST);
    let (how, most) = match magic {
        [0x1F, 0x8B, ..] => ("gzip", ratio.min(source.most)),
        [0x28, 0xB5, 0x2F, 0xFD, ..] => ("zstd", ratio.min(source.most)),
        _ => ("", source.most),
    };
    // One byte more than allowed shows that there is more.
    let wanted = most.saturating_add(1);
    let done = match how {
        "gzip" => MultiGzDecoder::new(packed).take(wanted).read_to_end(&mut bytes).map(|_| ()),
        "zstd" => unzstd(&mut packed, wanted, &mut bytes),
        _ => {
            packed.take(wanted).read_to_end(&mut bytes).map_err(Error::io("reading", path))?;
            if bytes.is_empty() && source.pipe {
                let bad = BadInput::new(path, "", "nothing came through the pipe").allowed("a pipe is read once");
                return Err(bad.next("Name it once, and files for the rest.").into());
            }
            return match bytes.len() as u64 > most {
                true => Err(Error::io("reading", path)(source.too_long())),
                false => Ok(bytes),
            };
        }
    };
    if let Err(error) = done {
        let found = format!("{how} data that does not unpack ({error})");
        return Err(BadInput::new(path, "", found)
            .allowed("the file must be whole")
            .next("Download or pack it again.")
            .into());
    }
    if bytes.len() as u64 > most {
        let found = format!("{size} bytes of {how} that unpack to more than {most}");
        let allowed = match most < ratio {
            true => "there is not memory for more".to_owned(),
            false => format!("at most {RATIO} times the size and 1 GiB is unpacked, and never more than 64 GiB"),
        };
        return Err(BadInput::new(path, "", found).allowed(allowed).next("Unpack it yourself.").into());
    }
    Ok(bytes)
}

/// All frames of a zstd file, up to `wanted` bytes; checksums are compared where a frame has one.
fn unzstd(source: &mut impl BufRead, wanted: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    while !source.fill_buf()?.is_empty() && (bytes.len() as u64) < wanted {
        let mut frame = match StreamingDecoder::new(&mut *source) {
            Ok(frame) => frame,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                io::copy(&mut source.by_ref().take(u64::from(length)), &mut io::sink())?;
                continue;
            }
            Err(error) => return Err(io::Error::other(error.to_string())),
        };
        let left = wanted - bytes.len() as u64;
        let read = (&mut frame).take(left).read_to_end(bytes)? as u64;
        let decoder: &FrameDecoder = &frame.decoder;
        let sum = decoder.get_checksum_from_data();
        if read < left && sum.is_some() && sum != decoder.get_calculated_checksum() {
            return Err(io::Error::other("the checksum does not match"));
        }
    }
    Ok(())
}

/// What unpacked bytes are, or why they are not read. Of text the beginning is enough.
pub(super) fn recognise(path: &Path, bytes: &[u8]) -> Result<Content, BadInput> {
    let refuse = |(found, next): (&str, &str)| {
        let next = next.replace("FILE", &path.display().to_string());
        Err(BadInput::new(path, "", found).allowed(refused::READ).next(next))
    };
    if let Some(known) = refused::by_magic(bytes) {
        return refuse(known);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        let archive = Archive::open(path, bytes)?;
        return refused::archive(&archive.entry_names().collect::<Vec<_>>()).map_or(Ok(Content::Npz), refuse);
    }
    let head = &bytes[..bytes.len().min(HEAD as usize)];
    if matches!(head, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
        let first = head[2..].iter().copied().find(|byte| !byte.is_ascii_whitespace() && *byte != 0);
        return match first {
            Some(b'<' | b'{') => refuse(("XML or JSON in UTF-16", "Save it as UTF-8.")),
            _ => Ok(Content::Text),
        };
    }
    // The reader of tables names the place of a zero byte; what has many, but not every second one as UTF-16 has, is no table.
    let zeros = head.iter().filter(|&&byte| byte == 0).count();
    if 20 * zeros > head.len() && !head.chunks_exact(2).take(16).all(|pair| pair.contains(&0)) {
        return refuse(("a binary file of no known format", "Save the graph as CSV, GraphML or .npz."));
    }
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.get(..14).is_some_and(|banner| banner.eq_ignore_ascii_case("%%MatrixMarket")) {
        return Ok(Content::MatrixMarket);
    }
    if let Some(known) = refused::by_text(text) {
        return refuse(known);
    }
    if text.starts_with('<') {
        return match refused::root(text).as_deref() {
            Some("graphml") => Ok(Content::GraphMl),
            Some("gexf") => Ok(Content::Gexf),
            Some(root) if root.eq_ignore_ascii_case("html") => {
                refuse(("a web page", "Download the file itself; the page may ask for a login or a click."))
            }
            _ if text.starts_with("<?xml") || text.starts_with("<!") => {
                refuse(("XML that is neither GraphML nor GEXF", "Save the graph as GraphML."))
            }
            _ => Ok(Content::Text),
        };
    }
    if text.starts_with(['{', '[']) {
        return Ok(Content::Json);
    }
    if ends_in(path, ".mtx") {
        let next = "Save it with scipy.io.mmwrite, or call it .txt if it lists edges.";
        return refuse(("an .mtx file without the line %%MatrixMarket", next));
    }
    Ok(Content::Text)
}

/// Whether the file's name has this ending, in any case, before an ending of compression.
fn ends_in(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    name.ends_with(ending)
}

#[cfg(test)]
mod tests;
