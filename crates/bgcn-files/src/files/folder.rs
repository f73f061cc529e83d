//! A folder of files that appears whole or not at all: runs, datasets, graph models.

use super::scratch::Scratch;
use bgcn_core::Error;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folders of one name, numbered.
const MOST: usize = 100_000;

/// A folder that will be written: a new or an empty one, or one that holds nothing but files of its kind.
#[derive(Clone, Copy, Debug)]
pub struct Folder {
    /// Such as "run".
    pub kind: &'static str,
    /// Whether a file belongs to such a folder.
    pub owns: fn(&str) -> bool,
}

impl Folder {
    /// Whether `path` may be written; worth asking before long work. Whether there is something to replace. A link to a
    /// folder stands for that folder.
    pub fn check(&self, path: &Path, overwrite: bool) -> Result<bool, Error> {
        let refuse = |why: String| Err(Error::Request(format!("writing {}: {why}", path.display())));
        if target(path).is_none() {
            return refuse("this is a link to nothing. Name a new folder, or make the one it leads to.".into());
        }
        if path.file_name().is_none() {
            return refuse("the path does not end in a name. Name a new folder.".into());
        }
        probe(path).map_err(Error::io("writing", path))?;
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory && path.exists() => {
                return refuse("this is a file. Name a new folder.".into());
            }
            Err(error) => return Err(Error::io("writing", path)(error)),
        };
        let mut occupied = false;
        for entry in entries {
            let name = entry.map_err(Error::io("writing", path))?.file_name().to_string_lossy().into_owned();
            if !(self.owns)(&name) {
                return refuse(format!(
                    "the folder holds {name:?}, which is not part of a {}. Choose another folder.",
                    self.kind
                ));
            }
            occupied = true;
        }
        if occupied && !overwrite {
            return refuse(format!(
                "there is a {} already. Choose another folder, or allow it to be overwritten (`overwrite`).",
                self.kind
            ));
        }
        Ok(occupied)
    }

    /// Fills a folder beside `path` and then gives it that name. What is there is replaced where that is allowed, in
    /// one step: at any moment the old folder or the new one has the name. If `fill` fails, nothing has changed.
    pub fn publish<T>(
        &self,
        path: &Path,
        overwrite: bool,
        fill: impl FnOnce(&Path) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.check(path, overwrite)?;
        let to = target(path).unwrap_or_else(|| path.to_owned());
        let (scratch, filled) = filled(&to, fill)?;
        // Another process may have put files there meanwhile.
        match self.check(&to, overwrite)? {
            true => scratch.replace(&to),
            false => fs::rename(scratch.fresh(), &to),
        }
        .map_err(Error::io("writing", path))?;
        Ok(filled)
    }

    /// The first free name in `parent`: `name`, or `name-2` and so on.
    pub fn free(&self, parent: &Path, name: &str) -> Result<PathBuf, Error> {
        self.free_of(parent, name, MOST)
    }

    fn free_of(&self, parent: &Path, name: &str, most: usize) -> Result<PathBuf, Error> {
        let numbered = |i: usize| parent.join(if i == 1 { name.to_owned() } else { format!("{name}-{i}") });
        (1..=most).map(numbered).find(|path| fs::symlink_metadata(path).is_err()).ok_or_else(|| {
            Error::Request(format!(
                "naming the {}: {} to {name}-{most} are all taken. Remove old ones, or name a new folder.",
                self.kind,
                parent.join(name).display()
            ))
        })
    }

    /// The same as [`Folder::publish`] under the first free name, which is given back: no two processes get the same.
    pub fn publish_free(
        &self,
        parent: &Path,
        name: &str,
        fill: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<PathBuf, Error> {
        let (scratch, ()) = filled(&parent.join(name), fill)?;
        loop {
            let path = self.free(parent, name)?;
            match fs::rename(scratch.fresh(), &path) {
                Ok(()) => return Ok(path),
                // Another process was faster. A folder with files in it is never replaced by a rename.
                Err(_) if fs::symlink_metadata(&path).is_ok() => {}
                Err(error) => return Err(Error::io("writing", &path)(error)),
            }
        }
    }
}

/// Where a folder is written: what a link leads to, else the path itself. `None` for a link to nothing.
fn target(path: &Path) -> Option<PathBuf> {
    // Without a slash at its end, which would follow the link.
    let plain: PathBuf = path.components().collect();
    if plain.is_symlink() { fs::canonicalize(plain).ok() } else { Some(plain) }
}

/// Whether a folder can be made where the one of this path will be.
fn probe(path: &Path) -> io::Result<()> {
    let to = target(path).unwrap_or_else(|| path.to_owned());
    let mut parent = super::parent(&to);
    while !parent.exists() {
        parent = super::parent(parent);
    }
    Scratch::with_folder(parent).map(drop)
}

fn filled<T>(path: &Path, fill: impl FnOnce(&Path) -> Result<T, Error>) -> Result<(Scratch, T), Error> {
    let parent = super::parent(path);
    let scratch =
        fs::create_dir_all(parent).and_then(|()| Scratch::with_folder(parent)).map_err(Error::io("writing", parent))?;
    let hidden = scratch.fresh();
    let filled = fill(&hidden).map_err(|mut error| {
        // The user knows the name that it was to have.
        if let Error::Io { path: file, .. } = &mut error
            && let Ok(name) = file.strip_prefix(&hidden)
        {
            *file = path.join(name);
        }
        error
    })?;
    Ok((scratch, filled))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTES: Folder = Folder { kind: "notebook", owns: |name| name.ends_with(".txt") };

    fn fill(text: &str) -> impl FnOnce(&Path) -> Result<(), Error> {
        move |folder| {
            fs::write(folder.join("a.txt"), text).map_err(Error::io("writing", folder))?;
            let full = || Error::io("writing", &folder.join("a.txt"))(io::Error::other("the disk is full"));
            if text == "half" { Err(full()) } else { Ok(()) }
        }
    }

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("new/notes");
        let publish = |text: &str| NOTES.publish(&path, true, fill(text));
        let error = publish("half").unwrap_err().to_string();
        assert!(!path.exists() && error.contains("new/notes/a.txt: the disk is full"), "{error}");
        publish("old").unwrap();
        assert!(publish("half").is_err());
        assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"old");
        publish("new").unwrap();
        assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"new");
        assert_eq!(fs::read_dir(place.path().join("new")).unwrap().count(), 1, "no litter");
    }

    #[test]
    fn a_folder_is_replaced_only_where_that_is_allowed_and_anything_else_never() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("notes");
        assert!(!NOTES.check(&path, false).unwrap(), "it is not there yet");
        fs::create_dir(&path).unwrap();
        assert!(!NOTES.check(&path, false).unwrap(), "it is empty");
        NOTES.publish(&path, false, fill("one")).unwrap();
        assert!(NOTES.check(&path, false).unwrap_err().to_string().contains("a notebook already"));
        assert!(NOTES.check(&path, true).unwrap());
        // It comes while the folder is written.
        let late = NOTES.publish(&path, true, |folder| {
            fs::write(path.join("diary.md"), "dear").unwrap();
            fill("two")(folder)
        });
        assert!(late.unwrap_err().to_string().contains("diary.md"));
        assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"one");
        assert!(NOTES.check(&path.join("a.txt"), true).unwrap_err().to_string().contains("this is a file"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_stands_for_it_and_one_to_nothing_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let [link, real] = ["link", "real"].map(|name| place.path().join(name));
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(NOTES.check(&link, true).unwrap_err().to_string().contains("a link to nothing"));
        fs::create_dir(&real).unwrap();
        for text in ["one", "two"] {
            NOTES.publish(&place.path().join("link/"), true, fill(text)).unwrap();
            assert_eq!(fs::read(real.join("a.txt")).unwrap(), text.as_bytes());
        }
        assert!(link.is_symlink() && NOTES.publish(&link, false, fill("three")).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_place_where_no_folder_can_be_made_is_refused_before_the_work() {
        assert!(NOTES.check(Path::new("/proc/nowhere/notes"), false).is_err());
    }

    #[test]
    fn names_are_numbered_until_the_numbers_run_out_and_no_two_are_the_same() {
        let place = tempfile::tempdir().unwrap();
        let names: Vec<PathBuf> = std::thread::scope(|scope| {
            let write = || NOTES.publish_free(place.path(), "notes", fill("mine")).unwrap();
            let writers: Vec<_> = (0..24).map(|_| scope.spawn(write)).collect();
            writers.into_iter().map(|writer| writer.join().unwrap()).collect()
        });
        let distinct: std::collections::BTreeSet<&PathBuf> = names.iter().collect();
        assert_eq!((distinct.len(), fs::read_dir(place.path()).unwrap().count()), (24, 24));
        assert!(names.contains(&place.path().join("notes-24")));
        let error = NOTES.free_of(place.path(), "notes", 3).unwrap_err().to_string();
        assert!(error.contains("notes to notes-3 are all taken"), "{error}");
    }
}
