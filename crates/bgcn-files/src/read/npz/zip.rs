//! The zip container of an npz file: stored or deflated entries, found through the central directory.
//!
//! Differs from a general reader: no encryption, no multi-volume archives, no zip64 sizes. Checksums are verified.
//! No more memory is used than an entry really unpacks to, and none if there is not enough.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;

use flate2::Crc;
use flate2::bufread::DeflateDecoder;

use crate::read::content::READING;
use bgcn_core::data::BadInput;
use bgcn_core::memory;

/// A larger declared size is refused before anything is unpacked.
const LARGEST: usize = 8 << 30;

/// Unpacked bytes to reserve at once; beyond it memory grows as bytes arrive.
const RESERVE: usize = 64 << 20;

/// What deflate can make of one byte at best, rounded up.
const BEST_RATIO: usize = 1040;

const NEXT: &str = "Download or save the file again";

pub(crate) struct Archive<'a> {
    file: &'a Path,
    bytes: &'a [u8],
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    name: &'a str,
    encrypted: bool,
    /// 0 stored, 8 deflated.
    method: u16,
    crc: u32,
    packed: usize,
    size: usize,
    /// Where its local header is.
    header: usize,
}

/// Little-endian numbers at fixed places of a record.
fn u16_at(record: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([record[at], record[at + 1]])
}

fn u32_at(record: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]])
}

/// `length` bytes from `at`, where there are as many.
fn part(bytes: &[u8], at: usize, length: usize) -> Option<&[u8]> {
    bytes.get(at..at.checked_add(length)?)
}

impl<'a> Archive<'a> {
    /// Reads the central directory.
    pub(crate) fn open(file: &'a Path, bytes: &'a [u8]) -> Result<Self, BadInput> {
        let bad =
            |found: &str| BadInput::new(file, "", found).allowed("an .npz file is a zip archive of arrays").next(NEXT);
        // The last record is 22 bytes long plus a comment of less than 64 KiB.
        let from = bytes.len().saturating_sub(22 + 0xFFFF);
        let last = bytes[from..].windows(22).rposition(|w| w.starts_with(b"PK\x05\x06"));
        let end = &bytes[from + last.ok_or_else(|| bad("no zip archive, or one that ends early"))?..];
        let (count, at) = (u16_at(end, 10), u32_at(end, 16));
        if count == u16::MAX || at == u32::MAX {
            return Err(bad("a zip64 archive")
                .allowed("archives below 4 GiB are allowed")
                .next("Split it, or drop arrays"));
        }
        let mut at = at as usize;
        let (mut entries, mut known) = (Vec::new(), HashSet::new());
        for i in 0..count {
            let cut_off = || bad(&format!("a zip archive whose directory breaks off at entry {i} of {count}"));
            let record = part(bytes, at, 46).filter(|r| r.starts_with(b"PK\x01\x02")).ok_or_else(cut_off)?;
            let [name, extra, comment] = [28, 30, 32].map(|at| usize::from(u16_at(record, at)));
            let name_bytes = part(bytes, at + 46, name).ok_or_else(cut_off)?;
            let name_text = std::str::from_utf8(name_bytes).map_err(|_| bad("an entry whose name is not UTF-8"))?;
            if !known.insert(name_text) {
                return Err(bad(&format!("two entries named {name_text:?}")));
            }
            entries.push(Entry {
                name: name_text,
                encrypted: u16_at(record, 8) & 1 == 1,
                method: u16_at(record, 10),
                crc: u32_at(record, 16),
                packed: u32_at(record, 20) as usize,
                size: u32_at(record, 24) as usize,
                header: u32_at(record, 42) as usize,
            });
            at += 46 + name + extra + comment;
        }
        Ok(Self { file, bytes, entries })
    }

    /// The names of all entries.
    pub(crate) fn entry_names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.entries.iter().map(|entry| entry.name)
    }

    /// The names of all arrays.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.entries.iter().map(|entry| entry.name.strip_suffix(".npy").unwrap_or(entry.name))
    }

    /// The unpacked bytes of `NAME.npy`, where there is one.
    pub(super) fn get(&self, name: &str) -> Result<Option<Cow<'a, [u8]>>, BadInput> {
        self.entry(&format!("{name}.npy"), &format!("array {name}"))
    }

    /// The unpacked bytes of the entry called exactly `name`, where there is one; complaints call it `place`.
    pub(crate) fn entry(&self, name: &str, place: &str) -> Result<Option<Cow<'a, [u8]>>, BadInput> {
        let Some(entry) = self.entries.iter().find(|e| e.name == name) else {
            return Ok(None);
        };
        let bad =
            |found: String, allowed: &str| Err(BadInput::new(self.file, place, found).allowed(allowed).next(NEXT));
        if entry.encrypted {
            return bad("an encrypted entry".into(), "encryption is not read");
        }
        if entry.size > LARGEST || entry.packed == u32::MAX as usize || entry.size == u32::MAX as usize {
            return bad(format!("{} bytes or more", entry.size), "arrays below 4 GiB are allowed (no zip64)");
        }
        let Some(packed) = self.packed(entry) else {
            return bad("an entry that lies outside the file".into(), "the archive must be whole");
        };
        if let Err(much) = memory::allow((entry.size as u64).saturating_mul(READING)) {
            return bad(much.to_string(), "an array must fit into memory, with what is made of it");
        }
        let unpacked = match entry.method {
            0 => Cow::Borrowed(packed),
            8 => Cow::Owned(inflate(packed, entry.size)),
            method => return bad(format!("compression method {method}"), "stored (0) and deflated (8) are read"),
        };
        let mut crc = Crc::new();
        crc.update(&unpacked);
        // The fuzzer cannot guess checksums and would never get past them.
        if unpacked.len() != entry.size || (crc.sum() != entry.crc && !cfg!(fuzzing)) {
            return bad("content that does not match its size or checksum".into(), "the archive must be undamaged");
        }
        Ok(Some(unpacked))
    }

    /// The bytes of an entry as they are in the file, after its local header.
    fn packed(&self, entry: &Entry<'_>) -> Option<&'a [u8]> {
        let header = part(self.bytes, entry.header, 30).filter(|h| h.starts_with(b"PK\x03\x04"))?;
        let at = entry.header + 30 + usize::from(u16_at(header, 26)) + usize::from(u16_at(header, 28));
        part(self.bytes, at, entry.packed)
    }
}

/// Unpacks at most one byte more than `size`; whatever is wrong shows in length or checksum.
fn inflate(packed: &[u8], size: usize) -> Vec<u8> {
    let mut unpacked = Vec::new();
    if size / BEST_RATIO <= packed.len() {
        unpacked.reserve(size.min(RESERVE));
        // An error leaves what was unpacked before it, which the caller finds too short.
        let _ = DeflateDecoder::new(packed).take(size as u64 + 1).read_to_end(&mut unpacked);
    }
    unpacked
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENSE: &[u8] = include_bytes!("../../../tests/golden/readers/dense.npz");

    fn error(change: impl Fn(&mut Vec<u8>)) -> String {
        let mut bytes = DENSE.to_vec();
        change(&mut bytes);
        let file = Path::new("a.npz");
        let error = Archive::open(file, &bytes).and_then(|archive| archive.get("adj_data").map(|_| ())).unwrap_err();
        error.to_string()
    }

    /// Where the first record of a kind starts.
    fn find(mark: &[u8]) -> usize {
        DENSE.windows(4).position(|w| w == mark).unwrap()
    }

    #[test]
    fn whatever_is_wrong_with_an_archive_is_said() {
        let directory = find(b"PK\x01\x02");
        let end = find(b"PK\x05\x06");
        assert!(error(|b| b.clear()).contains("no zip archive"));
        assert!(error(|b| b[end + 10..end + 12].fill(0xFF)).contains("zip64"));
        assert!(error(|b| b[end + 10] += 1).contains("breaks off"));
        assert!(error(|b| b[directory + 8] |= 1).contains("encrypted"));
        assert!(error(|b| b[directory + 10] = 12).contains("method 12"));
        assert!(error(|b| b[directory + 16] ^= 1).contains("checksum"));
        assert!(error(|b| b[directory + 24..directory + 28].fill(0xFF)).contains("zip64"));
        assert!(error(|b| b[directory + 44] = 0xFF).contains("outside the file"));
    }

    #[test]
    fn a_small_entry_that_claims_to_be_huge_is_refused_without_unpacking() {
        let directory = find(b"PK\x01\x02");
        let message = error(|b| {
            b[directory + 10] = 8;
            b[directory + 24..directory + 28].copy_from_slice(&0xFFFF_FF00u32.to_le_bytes());
        });
        assert!(message.contains("size or checksum"), "{message}");
    }
}
