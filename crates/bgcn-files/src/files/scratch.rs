//! Hidden folders for what is being written, and what becomes of them when their process dies.
//!
//! A scratch is a folder `.bgcn-PROCESS-NUMBER` of the user alone, with a mark in it, locked (flock) by the process
//! that fills it. The system releases the lock when the process ends, however it ends. A scratch with its mark that can
//! be locked is swept. A folder that was being replaced where names cannot be exchanged first gets its old content
//! back.

use std::collections::HashSet;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

const PREFIX: &str = ".bgcn-";
/// In a scratch: what will be published, what it replaces, and under which name; the mark, and what it holds.
const NEW: &str = "new";
pub(super) const OLD: &str = "old";
pub(super) const NAME: &str = "name";
pub(super) const MARK: &str = "scratch-of-bgcn";
pub(super) const MARKED: &[u8] = b"bgcn fills this folder and removes it.\n";

/// Scratches of this process so far.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// Folders that this process has swept.
static SWEPT: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// A hidden folder that is removed when it is dropped, also after an error.
pub(super) struct Scratch {
    path: PathBuf,
    /// The folder itself, locked where the system has locks.
    folder: File,
}

impl Scratch {
    /// A new one in `folder`.
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        sweep_once(folder);
        loop {
            let path = free_name(folder);
            let Some(()) = unless_taken(private(&path))? else { continue };
            // Another process may have swept it before it is locked.
            let Ok(folder) = File::open(&path) else { continue };
            let _ = folder.lock();
            if !path.exists() {
                continue;
            }
            let scratch = Self { path, folder };
            fs::write(scratch.path.join(MARK), MARKED)?;
            return Ok(scratch);
        }
    }

    /// The same, in which [`Scratch::fresh`] is an empty folder.
    pub(super) fn with_folder(folder: &Path) -> io::Result<Self> {
        let scratch = Self::new(folder)?;
        fs::create_dir(scratch.fresh())?;
        Ok(scratch)
    }

    /// Where a file or folder is filled.
    pub(super) fn fresh(&self) -> PathBuf {
        self.path.join(NEW)
    }

    /// Gives the filled folder the name `path`, which another has: the two exchange names, at once where the system can.
    pub(super) fn replace(&self, path: &Path) -> io::Result<()> {
        if exchange(&self.fresh(), path).is_ok() {
            return Ok(());
        }
        self.replace_in_steps(path)
    }

    /// The same by two renames; after a death in between, the next sweep puts the old content back.
    fn replace_in_steps(&self, path: &Path) -> io::Result<()> {
        let old = self.path.join(OLD);
        let name = path.file_name().unwrap_or_default();
        super::write_new(&self.path.join(NAME), |w| io::Write::write_all(w, name.as_encoded_bytes()))?;
        fs::rename(path, &old)?;
        fs::rename(self.fresh(), path).or_else(|error| {
            fs::rename(&old, path)?;
            Err(error)
        })
    }
}

/// A hidden empty folder that goes when it is dropped, or when its process is dead and another makes one there.
pub(crate) struct ScratchFolder {
    scratch: Scratch,
    fresh: PathBuf,
}

impl ScratchFolder {
    pub(crate) fn new(folder: &Path) -> io::Result<Self> {
        let scratch = Scratch::with_folder(folder)?;
        Ok(Self { fresh: scratch.fresh().canonicalize()?, scratch })
    }

    pub(crate) fn path(&self) -> &Path {
        debug_assert!(self.scratch.path.exists());
        &self.fresh
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        #[cfg(unix)]
        let _ = super::sweep::clear(&self.folder).and_then(|()| fs::remove_dir(&self.path));
        #[cfg(not(unix))]
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Two folders exchange their names.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

fn free_name(folder: &Path) -> PathBuf {
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    folder.join(format!("{PREFIX}{}-{number}", std::process::id()))
}

/// `None` where the name is taken.
fn unless_taken<T>(made: io::Result<T>) -> io::Result<Option<T>> {
    match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        made => made.map(Some),
    }
}

/// Removes what dead processes left in `folder`, once for each folder and process.
fn sweep_once(folder: &Path) {
    let Ok(known) = folder.canonicalize() else { return };
    if SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(known) {
        #[cfg(unix)]
        let _ = super::sweep::sweep(folder);
    }
}

/// Makes a folder that other users cannot enter.
fn private(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Whether a name is one of [`free_name`].
pub(super) fn is_scratch(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    numbers.is_some_and(|(process, number)| digits(process) && digits(number))
}

#[cfg(all(test, unix))]
mod tests;
