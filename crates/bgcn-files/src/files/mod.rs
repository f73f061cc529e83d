//! Reading files without trust, and writing files and folders so that a crash leaves either the old content or the
//! new, never half of it.
//!
//! Everything is written in a hidden folder beside it, synced, and then renamed. The hidden folder is locked as long as
//! its process lives; what dead processes left is removed by the next process that writes there.
//!
//! Public for the command, the reports and the studies, which write their files the same way.

mod folder;
mod read;
mod scratch;
#[cfg(unix)]
mod sweep;

pub use folder::Folder;
pub(crate) use read::Bounded;
pub use read::{read, read_to_string};
pub(crate) use scratch::ScratchFolder;

use scratch::Scratch;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

/// Writes `path` through a temporary file in a hidden folder beside it, synced and then renamed.
///
/// If `fill` fails, or the process dies, what was at `path` stays.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let scratch = Scratch::new(parent(path))?;
    write_new(&scratch.fresh(), fill)?;
    fs::rename(scratch.fresh(), path)
}

/// Writes a file of a folder that has no name yet: whole, or the folder is given up.
pub fn write_new(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 16, File::create(path)?);
    fill(&mut writer)?;
    writer.flush()?;
    writer.get_ref().sync_all()
}

/// The folder that `path` is in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_content_and_no_litter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept.txt");
        write_atomically(&path, |w| w.write_all(b"old")).unwrap();
        let failed = write_atomically(&path, |w| {
            w.write_all(b"new, but")?;
            Err(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_name_as_long_as_names_can_be_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("n".repeat(255));
        write_atomically(&path, |w| w.write_all(b"all")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all");
    }
}
