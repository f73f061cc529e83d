//! Removes what dead processes left: folders of the user, with the mark of a scratch, that no process has locked.
//!
//! Files, pipes, links and other folders of such a name stay. All is reached from an opened folder and no link is
//! followed, so that other users who can write there lead the sweep nowhere else.

use super::scratch::{MARK, MARKED, NAME, OLD, is_scratch};
use rustix::fs::{AtFlags, Dir, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::fs::{flock, fstat, open, openat, renameat, statat, unlinkat};
use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

/// Bytes of a name at most.
const LONGEST: usize = 255;

pub(super) fn sweep(folder: &Path) -> io::Result<()> {
    let folder = open(folder, OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    for name in names(&folder)?.iter().filter(|name| is_scratch(&name.to_string_lossy())) {
        // One that stays does not keep the others from being removed.
        let _ = sweep_one(&folder, name);
    }
    Ok(())
}

fn sweep_one(folder: &OwnedFd, name: &CStr) -> io::Result<()> {
    let scratch = inside(folder, name)?;
    if !is_own(&fstat(&scratch)?) {
        return Ok(());
    }
    // It fails where another process fills the scratch, or where the system has no locks.
    flock(&scratch, FlockOperation::NonBlockingLockExclusive)?;
    match content(&scratch, MARK) {
        Ok(mark) if mark == MARKED => {
            let _ = restore(folder, &scratch);
            clear(&scratch)?;
        }
        // Its process died while it wrote the mark, before all else.
        Ok(mark) if MARKED.starts_with(&mark) && names(&scratch)?.len() == 1 => clear(&scratch)?,
        _ => {}
    }
    Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

/// Gives back the folder that was being replaced. It takes no name that a file or another content has.
fn restore(folder: &OwnedFd, scratch: &OwnedFd) -> io::Result<()> {
    let old = statat(scratch, OLD, AtFlags::SYMLINK_NOFOLLOW)?;
    let name = content(scratch, NAME)?;
    let is_name = !name.is_empty() && name.len() <= LONGEST && !name.contains(&b'/') && name != b"." && name != b"..";
    if !is_name || FileType::from_raw_mode(old.st_mode) != FileType::Directory {
        return Err(io::ErrorKind::InvalidData.into());
    }
    Ok(renameat(scratch, OLD, folder, OsStr::from_bytes(&name))?)
}

/// Removes everything in a scratch, its mark last: what a death leaves in between still has the mark.
pub(super) fn clear(scratch: impl AsFd) -> io::Result<()> {
    for name in names(&scratch)?.iter().filter(|name| name.to_bytes() != MARK.as_bytes()) {
        remove(&scratch, name)?;
    }
    match unlinkat(&scratch, MARK, AtFlags::empty()) {
        Err(rustix::io::Errno::NOENT) => Ok(()),
        done => Ok(done?),
    }
}

/// Removes a file, or a folder with everything in it.
fn remove(folder: impl AsFd, name: &CStr) -> io::Result<()> {
    if unlinkat(&folder, name, AtFlags::empty()).is_ok() {
        return Ok(());
    }
    let inner = inside(&folder, name)?;
    names(&inner)?.iter().try_for_each(|name| remove(&inner, name))?;
    Ok(unlinkat(&folder, name, AtFlags::REMOVEDIR)?)
}

/// Whether the user who runs this owns it.
fn is_own(stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
}

/// A folder in a folder; it fails for anything else.
fn inside(folder: impl AsFd, name: &CStr) -> io::Result<OwnedFd> {
    Ok(openat(folder, name, OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty())?)
}

/// The beginning of a regular file of the user in a folder; it fails for anything else.
fn content(folder: &OwnedFd, name: &str) -> io::Result<Vec<u8>> {
    let file = openat(folder, name, OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty())?;
    let stat = fstat(&file)?;
    if !is_own(&stat) || FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    File::from(file).take(LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// What is in a folder.
fn names(folder: impl AsFd) -> io::Result<Vec<CString>> {
    let all = Dir::read_from(folder)?.map(|entry| -> io::Result<CString> { Ok(entry?.file_name().to_owned()) });
    all.filter(|name| !matches!(name.as_deref().map(CStr::to_bytes), Ok(b"." | b".."))).collect()
}
