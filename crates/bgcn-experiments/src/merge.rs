//! Joins the logs of several machines into one folder, refusing those that do not belong together.
//!
//! All trials must have one seed, one version and one epoch; a dataset of one name must be the same data in all of
//! them, and two lines of the same trial must have the same settings. On processors of one class they must have the same
//! outcome too; where classes differ, the first counts. The tables are made by `reproduce` on the joined folder, which
//! then finds every trial done.

use crate::Error;
use crate::identity::difference;
use crate::log::{Line, Log, Settings, lock, read};
use bgcn_files::files::write_atomically;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// What was joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Trials in the new log.
    pub trials: usize,
    /// Of those, how many of each study.
    pub studies: BTreeMap<String, usize>,
    /// How many are about each dataset; generated graphs have no name.
    pub datasets: BTreeMap<String, usize>,
    /// Folders without a trial of some dataset that others have, each with the datasets it lacks: what was joined may
    /// not belong together.
    pub apart: Vec<(PathBuf, Vec<String>)>,
    /// Lines left out because another line has the same trial.
    pub repeated: usize,
    /// Of those, how many have another outcome, found on another class of processor.
    pub differing: usize,
    /// Classes of the processors that ran the trials; results of two classes can differ in the last bits.
    pub processors: BTreeSet<String>,
}

/// Joins the logs of `folders` into `out`, which must not hold a log itself unless it is one of them.
pub fn merge(folders: &[PathBuf], out: &Path) -> Result<Merged, Error> {
    let target = out.join(Log::FILE);
    if target.exists() && !folders.iter().any(|folder| same_folder(folder, out)) {
        let found = target.display();
        return Err(Error::Request(format!(
            "{found} exists; choose another folder, or list this one among those to join"
        )));
    }
    let mut joined = Joined::default();
    for folder in folders {
        joined.add_folder(folder)?;
    }
    joined.merged.apart = joined.apart(folders);
    std::fs::create_dir_all(out).map_err(Error::io(out))?;
    // First the settings, so that no trial is ever without.
    let settings = joined.settings.iter().map(|(hash, settings)| json!({ "hash": hash, "settings": settings }));
    write_lines(&out.join(Log::SETTINGS), settings.map(|line| line.to_string()))?;
    write_lines(&target, joined.lines.values().map(|(line, _)| line))?;
    Ok(joined.merged)
}

fn write_lines(path: &Path, mut lines: impl Iterator<Item: std::fmt::Display>) -> Result<(), Error> {
    let written = write_atomically(path, |w| lines.try_for_each(|line| writeln!(w, "{line}")));
    written.map_err(Error::io(path))
}

/// What all trials of an experiment have in common.
const COMMON: [&str; 3] = ["seed", "version", "epoch of results"];

#[derive(Default)]
struct Joined<'a> {
    settings: Settings,
    /// As text, which takes less memory, by study and key, each with the folder it came from.
    lines: BTreeMap<(String, String), (String, &'a Path)>,
    /// Of the first line.
    common: Option<([String; COMMON.len()], &'a Path)>,
    /// The data behind each name, and where it was found.
    data: BTreeMap<String, (String, BTreeSet<&'a Path>)>,
    merged: Merged,
    /// Open as long as they are locked.
    locked: Vec<File>,
}

impl<'a> Joined<'a> {
    fn add_folder(&mut self, folder: &'a Path) -> Result<(), Error> {
        let path = folder.join(Log::FILE);
        let file = match read::open(&path) {
            Ok(file) => file,
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                let text = format!("there is no {}; give folders that `bgcn reproduce --out` wrote", path.display());
                return Err(Error::Request(text));
            }
            Err(error) => return Err(error),
        };
        lock(file.try_lock_shared(), &path)?;
        let (settings, _) = read::settings(&folder.join(Log::SETTINGS))?;
        self.settings.extend(settings.clone());
        read::trials((&file, &path), &settings, |_, line| self.add(&line, folder))?;
        self.locked.push(file);
        Ok(())
    }

    fn add(&mut self, line: &Line, from: &'a Path) -> Result<(), Error> {
        let differs = |other: &Path, why: String| Error::mismatch(other, from, &why);
        let epoch = &self.settings[&line.settings]["epoch"];
        let common = [line.seed.to_string(), line.version.clone(), epoch.to_string()];
        let (first, other) = self.common.get_or_insert_with(|| (common.clone(), from));
        let pairs = COMMON.iter().zip(first.iter().zip(&common));
        if let Some((what, (one, two))) = pairs.into_iter().find(|(_, (one, two))| one != two) {
            let why = format!("their {what} differs ({one} and {two}); join only shares of one experiment");
            return Err(differs(other, why));
        }
        self.add_data(line, from)?;
        self.merged.processors.insert(line.processor.clone());
        let key = (line.study.clone(), line.key.to_string());
        let Some((first, other)) = self.lines.get(&key) else {
            let text = serde_json::to_string(line).expect("lines become JSON");
            self.lines.insert(key, (text, from));
            self.merged.trials += 1;
            *self.merged.studies.entry(line.study.clone()).or_default() += 1;
            if let Some(name) = dataset(line) {
                *self.merged.datasets.entry(name.to_owned()).or_default() += 1;
            }
            return Ok(());
        };
        let first: Line = serde_json::from_str(first).expect("our own line");
        if let Some(place) = difference(&self.settings[&first.settings], &self.settings[&line.settings]) {
            let why =
                format!("the settings of trial {} differ, {place}; run both with the same options and data", key.1);
            return Err(differs(other, why));
        }
        if first.outcome != line.outcome {
            if first.processor == line.processor {
                let why = format!(
                    "trial {} has two outcomes on processors of one class ({}): a log was edited, or results changed \
                     without another RESULTS_EPOCH",
                    key.1, line.processor
                );
                return Err(differs(other, why));
            }
            self.merged.differing += 1;
        }
        self.merged.repeated += 1;
        Ok(())
    }

    /// A name must stand for the same data wherever it is found.
    fn add_data(&mut self, line: &Line, from: &'a Path) -> Result<(), Error> {
        let Some(name) = dataset(line) else { return Ok(()) };
        let content = self.settings[&line.settings]["data"].to_string();
        let (known, folders) = self.data.entry(name.to_owned()).or_insert_with(|| (content.clone(), BTreeSet::new()));
        if *known != content {
            let one = folders.first().copied().unwrap_or(from);
            let why = format!("`{name}` is other data in each ({known} and {content}); join trials on the same data");
            return Err(Error::mismatch(one, from, &why));
        }
        folders.insert(from);
        Ok(())
    }

    /// For [`Merged::apart`].
    fn apart(&self, folders: &[PathBuf]) -> Vec<(PathBuf, Vec<String>)> {
        let lacks = |folder: &PathBuf| -> Vec<String> {
            let without = self.data.iter().filter(|(_, (_, found))| !found.contains(folder.as_path()));
            without.map(|(name, _)| name.clone()).collect()
        };
        folders.iter().map(|folder| (folder.clone(), lacks(folder))).filter(|(_, lacks)| !lacks.is_empty()).collect()
    }
}

/// The dataset that a trial is about.
fn dataset(line: &Line) -> Option<&str> {
    line.key.get("dataset")?.as_str()
}

fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::log::tests::{folder, line};

    fn join(one: Line, other: Line) -> Result<Merged, Error> {
        let (a, b, out) = (folder(&[line(1), one]), folder(&[other]), tempfile::tempdir().unwrap());
        let out = out.path().join("new");
        let merged = merge(&[a.path().into(), b.path().into()], &out)?;
        assert!(Log::open(&out).is_ok(), "what was joined can be read");
        Ok(merged)
    }

    #[test]
    fn shares_join_and_the_same_trial_counts_once() {
        let merged = |trials, repeated| Merged {
            trials,
            studies: BTreeMap::from([("edges".into(), trials)]),
            datasets: BTreeMap::from([("d".into(), trials)]),
            apart: Vec::new(),
            repeated,
            differing: 0,
            processors: BTreeSet::from(["avx2".into()]),
        };
        assert_eq!(join(line(2), line(3)).unwrap(), merged(3, 0));
        assert_eq!(join(line(2), Line { seconds: 9.0, ..line(2) }).unwrap(), merged(2, 1));
    }

    #[test]
    fn an_incomplete_last_line_is_left_out() {
        let (a, out) = (folder(&[line(1), line(2)]), tempfile::tempdir().unwrap());
        let path = a.path().join(Log::FILE);
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 20]).unwrap();
        assert_eq!(merge(&[a.path().into()], out.path()).unwrap().trials, 1);
        assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len() - 20, "what is joined is not changed");
    }

    #[test]
    fn what_does_not_belong_together_is_refused_with_the_reason() {
        let why = |other: Line| join(line(2), other).unwrap_err().to_string();
        assert!(why(Line { seed: 7, ..line(3) }).contains("seed differs (0 and 7)"));
        assert!(why(Line { version: "9".into(), ..line(3) }).contains("version differs"));
        let (settings, epoch) = (crate::log::tests::settings(200, 1), crate::log::tests::settings(99, 2));
        assert!(why(Line { settings: settings.hash, ..line(2) }).contains("recipe.draws: 99 and 200"));
        assert!(why(Line { settings: epoch.hash, ..line(3) }).contains("epoch of results differs (1 and 2)"));
        assert!(why(Line { outcome: line(3).outcome, ..line(2) }).contains("two outcomes"));
        assert!(merge(&[tempfile::tempdir().unwrap().path().into()], Path::new("x")).unwrap_err().is_input());
    }

    #[test]
    fn a_log_of_other_data_is_refused_by_its_content_and_set_apart_by_its_name() {
        let other = crate::identity::identity(&json!({ "draws": 99 }), "other data", &json!({ "name": "edges" }), 1);
        let (a, b, out) = (folder(&[line(1)]), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let write = |name: &str| {
            let key = json!({ "dataset": name, "method": "m", "run": 7 });
            let mut log = Log::open(b.path()).unwrap();
            log.append(&Line { settings: other.hash.clone(), key, ..line(7) }, &other.text).unwrap();
        };
        let join = || merge(&[a.path().into(), b.path().into()], out.path());
        write("e");
        let merged = join().unwrap();
        assert_eq!(merged.datasets, BTreeMap::from([("d".into(), 1), ("e".into(), 1)]));
        assert_eq!(merged.apart, [(a.path().into(), vec!["e".into()]), (b.path().into(), vec!["d".into()])]);
        std::fs::remove_file(out.path().join(Log::FILE)).unwrap();
        // Another trial, so that nothing but the data differs.
        write("d");
        let error = join().unwrap_err().to_string();
        assert!(error.contains("`d` is other data"), "{error}");
        assert!(!out.path().join(Log::FILE).exists());
    }

    #[test]
    fn another_class_of_processor_is_said_and_may_find_something_else() {
        let merged = join(line(2), Line { processor: "avx512".into(), ..line(2) }).unwrap();
        assert_eq!((merged.repeated, merged.differing, merged.processors.len()), (1, 0, 2));
        let other = Line { processor: "avx512".into(), outcome: line(3).outcome, ..line(2) };
        assert_eq!(join(line(2), other).unwrap().differing, 1);
    }

    #[test]
    fn a_folder_with_another_log_is_not_written_to() {
        let (a, b) = (folder(&[line(1)]), folder(&[line(2)]));
        assert!(merge(&[a.path().into()], b.path()).unwrap_err().to_string().contains("exists"));
        assert_eq!(merge(&[a.path().into(), b.path().into()], b.path()).unwrap().trials, 2);
    }

    #[test]
    fn a_folder_in_use_is_not_joined() {
        let a = folder(&[line(1)]);
        let _open = Log::open(a.path()).unwrap();
        assert!(merge(&[a.path().into()], a.path()).unwrap_err().to_string().contains("in use"));
    }
}
