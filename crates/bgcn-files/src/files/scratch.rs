//! Hidden names for what is being written, and what becomes of them when their process dies.
//!
//! A scratch is `.bgcn-PROCESS-NUMBER`, a file or a folder, locked (flock) by the process that fills it. The
//! system releases the lock when the process ends, however it ends. A scratch that can be locked is swept.
//! A folder that was being replaced where names cannot be exchanged gets its old content back first.

use std::collections::HashSet;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};

const PREFIX: &str = ".bgcn-";
/// In a scratch folder: what will be published, what it replaces, and under which name.
const NEW: &str = "new";
const OLD: &str = "old";
const NAME: &str = "name";

/// Scratches of this process so far.
static NUMBER: AtomicU32 = AtomicU32::new(0);
/// Folders that this process has swept.
static SWEPT: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

/// A hidden file or folder that is removed when it is dropped, also after an error.
pub(super) struct Scratch {
    path: PathBuf,
    /// Held as long as the scratch is in use; `None` where the system has no locks.
    _lock: Option<File>,
}

impl Scratch {
    /// A new file in `folder`.
    pub(super) fn file(folder: &Path) -> io::Result<(Self, File)> {
        sweep(folder);
        loop {
            let path = free_name(folder);
            let created = File::options().write(true).create_new(true).open(&path);
            let Some(file) = unless_taken(created)? else { continue };
            let lock = file.try_clone()?;
            if let Some(scratch) = Self::locked(path, lock) {
                return Ok((scratch, file));
            }
        }
    }

    /// A new folder in `folder`, which holds the empty folder [`Scratch::fresh`].
    pub(super) fn folder(folder: &Path) -> io::Result<Self> {
        sweep(folder);
        loop {
            let path = free_name(folder);
            if unless_taken(fs::create_dir(&path))?.is_none() {
                continue;
            }
            let Ok(lock) = File::open(&path) else { continue };
            if let Some(scratch) = Self::locked(path, lock) {
                fs::create_dir(scratch.fresh())?;
                return Ok(scratch);
            }
        }
    }

    /// `None` if another process swept it before it was locked.
    fn locked(path: PathBuf, lock: File) -> Option<Self> {
        let lock = lock.lock().is_ok().then_some(lock);
        path.exists().then_some(Self { path, _lock: lock })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where a folder is filled.
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
        let scratch = Scratch::folder(folder)?;
        Ok(Self { fresh: scratch.fresh().canonicalize()?, scratch })
    }

    pub(crate) fn path(&self) -> &Path {
        debug_assert!(self.scratch.path().exists());
        &self.fresh
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // It was renamed where this fails.
        remove(&self.path);
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
fn sweep(folder: &Path) {
    let Ok(known) = folder.canonicalize() else { return };
    if SWEPT.lock().unwrap_or_else(PoisonError::into_inner).insert(known) {
        sweep_now(folder);
    }
}

fn sweep_now(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if is_scratch(&entry.file_name().to_string_lossy()) && !entry.file_type().is_ok_and(|of| of.is_symlink()) {
            sweep_one(&entry.path());
        }
    }
}

/// Whether a name is one of [`free_name`].
fn is_scratch(name: &str) -> bool {
    let numbers = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-'));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit());
    numbers.is_some_and(|(process, number)| digits(process) && digits(number))
}

fn sweep_one(path: &Path) {
    let Ok(file) = File::open(path) else { return };
    match file.try_lock() {
        Ok(()) => {}
        // Another process fills it, or the system has no locks.
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => return,
    }
    let old = path.join(OLD);
    if old.exists()
        && let Ok(name) = fs::read_to_string(path.join(NAME))
        && !name.contains(['/', '\\'])
    {
        // It fails where the new content has the name, as it should.
        let _ = fs::rename(&old, path.with_file_name(name));
    }
    remove(path);
}

fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        let _ = fs::remove_dir_all(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn scratches_of_dead_processes_are_swept_and_all_else_stays() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        fs::write(at(".bgcn-99999999-0"), "half").unwrap();
        fs::create_dir_all(at(".bgcn-99999999-1/new")).unwrap();
        fs::write(at(".bgcn-99999999-1/new/edges.csv"), "half").unwrap();
        fs::write(at(".bgcn-notes"), "notes").unwrap();
        let (living, _file) = Scratch::file(place.path()).unwrap();
        let name = living.path().file_name().unwrap().to_str().unwrap().to_owned();
        assert_eq!(entries(place.path()), [name, ".bgcn-notes".into()]);
        sweep_now(place.path());
        assert!(living.path().exists(), "it is locked");
        drop(living);
        assert_eq!(entries(place.path()), [".bgcn-notes"]);
    }

    #[test]
    fn a_death_between_two_renames_gives_the_old_content_back() {
        let place = tempfile::tempdir().unwrap();
        let dead = place.path().join(".bgcn-99999999-0");
        fs::create_dir_all(dead.join(OLD)).unwrap();
        fs::create_dir_all(dead.join(NEW)).unwrap();
        fs::write(dead.join(OLD).join("run.toml"), "old").unwrap();
        fs::write(dead.join(NAME), "run").unwrap();
        sweep_now(place.path());
        assert_eq!(fs::read(place.path().join("run/run.toml")).unwrap(), b"old");
        assert_eq!(entries(place.path()), ["run"]);
    }

    #[test]
    fn folders_are_replaced_at_once_and_in_steps() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run");
        fs::create_dir(&path).unwrap();
        for (text, replace) in
            [("one", Scratch::replace as fn(&Scratch, &Path) -> _), ("two", Scratch::replace_in_steps)]
        {
            let scratch = Scratch::folder(place.path()).unwrap();
            fs::write(scratch.fresh().join("a.txt"), text).unwrap();
            replace(&scratch, &path).unwrap();
            drop(scratch);
            assert_eq!(fs::read_to_string(path.join("a.txt")).unwrap(), text);
            assert_eq!(entries(place.path()), ["run"]);
        }
    }
}
