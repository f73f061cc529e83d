//! Reading untrusted files: never more than there is memory for.
//!
//! Every reader of data, runs, models and graph models gets its bytes here.

use bgcn_core::memory;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

/// A file, or something that is read like one, and how much of it there is room for.
pub(crate) struct Bounded {
    pub(crate) file: File,
    /// Bytes in the file; 0 of a pipe, whose length is unknown.
    pub(crate) size: u64,
    /// Whether it can be read once.
    pub(crate) pipe: bool,
    /// Bytes that may be taken from it, unpacked.
    pub(crate) most: u64,
}

impl Bounded {
    /// Opens `path`, of which every byte will take `times` bytes of memory. Devices, which may never end, and files
    /// that are too large are refused before anything is read.
    pub(crate) fn open(path: &Path, times: u64) -> io::Result<Self> {
        // Asked first, for opening a device may already do something.
        refuse_devices(std::fs::metadata(path)?.file_type())?;
        let file = File::open(path)?;
        let about = file.metadata()?;
        refuse_devices(about.file_type())?;
        let size = if about.is_file() { about.len() } else { 0 };
        memory::allow(size.saturating_mul(times)).map_err(|much| {
            let text = format!("{much}: the file has {}, and reading takes {times} times as much", memory::shown(size));
            io::Error::new(io::ErrorKind::OutOfMemory, text)
        })?;
        let pipe = !about.is_file();
        Ok(Self { file, size, pipe, most: memory::available().map_or(u64::MAX, |bytes| bytes / times) })
    }

    /// The error for more than [`Bounded::most`].
    pub(crate) fn too_long(&self) -> io::Error {
        let text = format!("it has no end within {}, for which there is memory", memory::shown(self.most));
        io::Error::new(io::ErrorKind::OutOfMemory, text)
    }
}

/// All bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let source = Bounded::open(path, 1)?;
    let mut bytes = Vec::with_capacity(source.size as usize);
    (&source.file).take(source.most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > source.most { Err(source.too_long()) } else { Ok(bytes) }
}

/// All of a file of text in UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "this is not text in UTF-8"))
}

#[cfg(unix)]
fn refuse_devices(of: std::fs::FileType) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt as _;
    if of.is_char_device() || of.is_block_device() || of.is_socket() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is a device or a socket; a file is needed"));
    }
    Ok(())
}

#[cfg(not(unix))]
fn refuse_devices(_: std::fs::FileType) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_and_one_that_is_larger_than_memory_is_refused_unread() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "content").unwrap();
        assert_eq!(read_to_string(&path).unwrap(), "content");
        // A hole: it takes no room on the disk.
        let sparse = File::create(folder.path().join("hole")).unwrap();
        if memory::available().is_some() && sparse.set_len(1 << 45).is_ok() {
            let error = read(&folder.path().join("hole")).unwrap_err().to_string();
            assert!(error.contains("of memory are needed"), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_without_an_end_are_refused() {
        for device in ["/dev/zero", "/dev/urandom"] {
            let error = read(Path::new(device)).unwrap_err().to_string();
            assert!(error.contains("a device"), "{error}");
        }
    }
}
