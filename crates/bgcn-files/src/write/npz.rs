//! A dataset as one `.npz` file, in the layout of the SparseGraph collection; see the reader for its arrays.

use super::{prepare, refuse};
use crate::files::write_atomically;
use bgcn_core::data::{Dataset, Error, Features, Labels};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write as _;
use std::path::Path;

/// Writes `data` into the file `path`. What is read back is equal: graph, features, labels, ids, names, split, truth.
///
/// Ids and names that end in a zero character, and arrays of 4 GiB and more, cannot be expressed and are refused.
pub fn write_npz(data: &Dataset, path: &Path, overwrite: bool) -> Result<(), Error> {
    prepare(path, overwrite)?;
    let bytes = archive(data)?;
    write_atomically(path, |out| out.write_all(&bytes)).map_err(Error::io("writing", path))
}

/// The whole file.
fn archive(data: &Dataset) -> Result<Vec<u8>, Error> {
    let mut zip = Zip { data, bytes: Vec::new(), directory: Vec::new(), entries: 0 };
    let nodes = data.nodes();
    let neighbours = |a: u32| data.graph.neighbours(a).iter().copied();
    let mut starts = vec![0u64];
    (0..nodes as u32).for_each(|a| starts.push(starts[a as usize] + data.graph.neighbours(a).len() as u64));
    let entries = 2 * data.graph.edges();
    zip.numbers("adj_data", "|u1", &[entries], std::iter::repeat_n([1u8], entries))?;
    zip.numbers("adj_indices", "<u4", &[entries], (0..nodes as u32).flat_map(neighbours).map(u32::to_le_bytes))?;
    zip.numbers("adj_indptr", "<u8", &[nodes + 1], starts.into_iter().map(u64::to_le_bytes))?;
    zip.numbers("adj_shape", "<u8", &[2], [nodes as u64; 2].map(u64::to_le_bytes))?;
    features(&mut zip)?;
    labels(&mut zip)?;
    if let bgcn_core::data::NodeIds::Named(ids) = &data.ids {
        zip.text("node_names", ids)?;
    }
    if !data.node_names.is_empty() {
        zip.text("display_names", &data.node_names)?;
    }
    if !data.feature_names.is_empty() {
        zip.text("attr_names", &data.feature_names)?;
    }
    if let Some(split) = &data.fixed_split {
        for (name, nodes) in [("train", &split.train), ("val", &split.validation), ("test", &split.test)] {
            let bytes = nodes.iter().map(|a| a.to_le_bytes());
            zip.numbers(&format!("idx_{name}"), "<u4", &[nodes.len()], bytes)?;
        }
    }
    if let Some(truth) = &data.truth {
        for (name, pairs) in [("spurious", &truth.spurious), ("missing", &truth.missing)] {
            let bytes = pairs.iter().flat_map(|&(a, b)| [a, b]).map(u32::to_le_bytes);
            zip.numbers(name, "<u4", &[pairs.len(), 2], bytes)?;
        }
    }
    zip.finish()
}

fn features(zip: &mut Zip<'_>) -> Result<(), Error> {
    match &zip.data.features {
        Features::Identity(_) => Ok(()),
        Features::Dense(rows) => {
            let shape = [zip.data.nodes(), rows.columns];
            zip.numbers("attr_matrix", "<f4", &shape, rows.values.iter().map(|value| value.to_le_bytes()))
        }
        Features::Sparse(rows) => {
            let (entries, starts) = (rows.indices.len(), rows.offsets.len());
            zip.numbers("attr_data", "<f4", &[entries], rows.values.iter().map(|value| value.to_le_bytes()))?;
            zip.numbers("attr_indices", "<u4", &[entries], rows.indices.iter().map(|column| column.to_le_bytes()))?;
            let offsets = rows.offsets.iter().map(|&start| (start as u64).to_le_bytes());
            zip.numbers("attr_indptr", "<u8", &[starts], offsets)?;
            let shape = [rows.rows() as u64, rows.columns as u64];
            zip.numbers("attr_shape", "<u8", &[2], shape.map(u64::to_le_bytes))
        }
    }
}

fn labels(zip: &mut Zip<'_>) -> Result<(), Error> {
    match &zip.data.labels {
        Labels::Classes { names, of } => {
            if names.is_empty() {
                return Ok(());
            }
            let numbers = of.iter().map(|class| class.map_or(-1, i64::from).to_le_bytes());
            zip.numbers("labels", "<i8", &[of.len()], numbers)?;
            zip.text("class_names", names)
        }
        Labels::Values(of) => {
            let numbers = of.iter().map(|value| value.unwrap_or(f32::NAN).to_le_bytes());
            zip.numbers("labels", "<f4", &[of.len()], numbers)?;
            zip.text("label_kind", &["values".to_owned()])
        }
    }
}

/// A zip archive in the making.
struct Zip<'a> {
    data: &'a Dataset,
    bytes: Vec<u8>,
    directory: Vec<u8>,
    entries: u16,
}

impl Zip<'_> {
    /// An array of numbers of one type, row after row.
    fn numbers<const N: usize>(
        &mut self,
        name: &str,
        code: &str,
        shape: &[usize],
        numbers: impl IntoIterator<Item = [u8; N]>,
    ) -> Result<(), Error> {
        let mut array = header(code, shape);
        numbers.into_iter().for_each(|number| array.extend(number));
        self.entry(name, &array)
    }

    /// An array of text of fixed width.
    fn text(&mut self, name: &str, texts: &[String]) -> Result<(), Error> {
        if let Some(text) = texts.iter().find(|text| text.ends_with('\0')) {
            return Err(refuse(self.data, format!("{text:?} ends in a zero character"), "Rename it."));
        }
        let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
        if width.saturating_mul(4).saturating_mul(texts.len()) >= u32::MAX as usize {
            let what = format!("{name} with texts of up to {width} characters takes 4 GiB or more");
            return Err(refuse(self.data, what, "Shorten the texts, or write CSV."));
        }
        let mut array = header(&format!("<U{width}"), &[texts.len()]);
        for text in texts {
            let end = array.len() + 4 * width;
            text.chars().for_each(|c| array.extend((c as u32).to_le_bytes()));
            array.resize(end, 0);
        }
        self.entry(name, &array)
    }

    fn entry(&mut self, name: &str, array: &[u8]) -> Result<(), Error> {
        let name = format!("{name}.npy");
        let mut crc = Crc::new();
        crc.update(array);
        let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed =
            packer.write_all(array).and_then(|()| packer.finish()).map_err(Error::io("writing", name.as_ref()))?;
        let sizes = [array.len(), packed.len(), self.bytes.len()].map(u32::try_from);
        let [Ok(size), Ok(packed_size), Ok(at)] = sizes else {
            return Err(refuse(self.data, "an .npz file of 4 GiB or more", "Write CSV instead."));
        };
        if size == u32::MAX || packed_size == u32::MAX {
            return Err(refuse(self.data, "an .npz file of 4 GiB or more", "Write CSV instead."));
        }
        // Version 2.0, no flags, deflated, on the first day of zip's calendar, so that equal data gives equal files.
        let common = [&[20, 0, 0, 0, 8, 0, 0, 0, 0x21, 0][..], &crc.sum().to_le_bytes()].concat();
        let common = [common, packed_size.to_le_bytes().to_vec(), size.to_le_bytes().to_vec()].concat();
        let lengths = [(name.len() as u16).to_le_bytes(), [0, 0]].concat();
        self.bytes.extend([b"PK\x03\x04", &common[..], &lengths, name.as_bytes(), &packed].concat());
        let rest = [&lengths[..], &[0; 10], &at.to_le_bytes(), name.as_bytes()].concat();
        self.directory.extend([b"PK\x01\x02\x14\0", &common[..], &rest].concat());
        self.entries += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<u8>, Error> {
        let sizes = [self.directory.len(), self.bytes.len()].map(u32::try_from);
        let [Ok(size), Ok(at)] = sizes else {
            return Err(refuse(self.data, "an .npz file of 4 GiB or more", "Write CSV instead."));
        };
        let count = self.entries.to_le_bytes();
        self.bytes.append(&mut self.directory);
        let end =
            [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size.to_le_bytes(), &at.to_le_bytes(), &[0, 0]].concat();
        self.bytes.extend(end);
        Ok(self.bytes)
    }
}

/// The beginning of an array in numpy's npy format, version 1.
fn header(code: &str, shape: &[usize]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let shape = if shape.len() == 1 { sides.trim_end() } else { sides.trim_end_matches(", ") };
    let mut text = format!("{{'descr': '{code}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The elements begin at a multiple of 64 bytes, after a line break.
    let blanks = 64 - (10 + text.len() + 1) % 64;
    text.extend(std::iter::repeat_n(' ', blanks % 64));
    text.push('\n');
    [b"\x93NUMPY\x01\0", &(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}
