//! Writing files and folders so that a crash leaves either the old content or the new, never half of it.
//!
//! Public for the command, the reports and the studies, which write their files the same way.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Writes `path` through a temporary file beside it, synced and then renamed.
///
/// If `fill` fails, or the process dies, what was at `path` stays.
pub fn write_atomically(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let temporary = temporary_beside(path);
    let written = File::create(&temporary).and_then(|file| {
        let mut writer = BufWriter::with_capacity(1 << 16, file);
        fill(&mut writer)?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    });
    match written.and_then(|()| fs::rename(&temporary, path)) {
        Ok(()) => Ok(()),
        Err(error) => {
            let _ = fs::remove_file(&temporary);
            Err(error)
        }
    }
}

/// Fills a folder beside `path` and then gives it that name; a folder that is there is replaced.
///
/// If `fill` fails, what was at `path` stays, and nothing else is left behind.
pub(crate) fn publish_folder(path: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let sibling = |kind| Scratch(path.with_file_name(format!(".{name}.{kind}-{}", std::process::id())));
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    let (fresh, old) = (sibling("new"), sibling("old"));
    fs::create_dir(&fresh.0)?;
    fill(&fresh.0)?;
    let occupied = path.exists();
    if occupied {
        fs::rename(path, &old.0)?;
    }
    fs::rename(&fresh.0, path).or_else(|error| {
        if occupied {
            fs::rename(&old.0, path)?;
        }
        Err(error)
    })
}

/// A folder that goes when it is no longer needed, also after an error.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It was renamed, or was never made, where this fails.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A hidden name beside `path` that no other running process uses.
pub(crate) fn temporary_beside(path: &Path) -> PathBuf {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    path.with_file_name(format!(".{name}.{}.part", std::process::id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

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
    fn a_folder_appears_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/run");
        let fill = |text: &'static str| {
            publish_folder(&path, |folder| {
                fs::write(folder.join("a.txt"), text)?;
                if text == "half" { Err(io::Error::other("the disk is full")) } else { Ok(()) }
            })
        };
        assert!(fill("half").is_err() && !path.exists());
        fill("old").unwrap();
        assert!(fill("half").is_err());
        assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"old");
        fill("new").unwrap();
        assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"new");
        assert_eq!(fs::read_dir(place.path().join("new")).unwrap().count(), 1, "no litter");
    }
}
