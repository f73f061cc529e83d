//! Joins the logs of several machines into one folder, refusing those that do not belong together.
//!
//! Two lines of the same trial must have the same settings and the same outcome; all lines must have one seed and one
//! version. The tables are made by `reproduce` on the joined folder, which then finds every trial done.

use crate::Error;
use crate::log::{Log, LogError};
use bgcn::files::write_atomically;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What was joined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Trials in the new log.
    pub trials: usize,
    /// Of those, how many of each study.
    pub studies: BTreeMap<String, usize>,
    /// Lines left out because another folder had the same trial with the same outcome.
    pub repeated: usize,
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
        joined.add_log(folder)?;
    }
    let io = |source| LogError::Io { path: target.clone(), source };
    std::fs::create_dir_all(out).map_err(io)?;
    write_atomically(&target, |w| joined.lines.values().try_for_each(|(line, _)| writeln!(w, "{line}"))).map_err(io)?;
    let mut studies = BTreeMap::new();
    for (line, _) in joined.lines.values() {
        *studies.entry(line["study"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    Ok(Merged { trials: joined.lines.len(), studies, repeated: joined.repeated })
}

/// Lines by study and key, each with the folder it came from.
#[derive(Default)]
struct Joined<'a> {
    lines: BTreeMap<(String, String), (Value, &'a Path)>,
    repeated: usize,
}

impl<'a> Joined<'a> {
    fn add_log(&mut self, folder: &'a Path) -> Result<(), Error> {
        let path = folder.join(Log::FILE);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let text = format!("there is no {}; give folders that `bgcn reproduce --out` wrote", path.display());
                return Err(Error::Request(text));
            }
            Err(source) => return Err(LogError::Io { path, source }.into()),
        };
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).try_for_each(|line| self.add(line, folder))
    }

    fn add(&mut self, line: Value, from: &'a Path) -> Result<(), Error> {
        let differs = |other: &Path, why| Error::Mismatch { one: other.to_owned(), other: from.to_owned(), why };
        if let Some((first, other)) = self.lines.values().next() {
            for what in ["seed", "version"] {
                if first[what] != line[what] {
                    let (one, two) = (&first[what], &line[what]);
                    let why = format!("their {what} differs ({one} and {two}); join only shares of one experiment");
                    return Err(differs(other, why));
                }
            }
        }
        let key = (line["study"].to_string(), line["key"].to_string());
        match self.lines.get(&key) {
            None => {
                self.lines.insert(key, (line, from));
                Ok(())
            }
            Some((first, other)) if first["settings"] != line["settings"] => {
                let why = format!("settings or data of trial {} differ; run both with the same options", key.1);
                Err(differs(other, why))
            }
            Some((first, other)) if first["outcome"] != line["outcome"] => {
                let why = format!(
                    "trial {} has two outcomes, though the same trial gives the same bytes everywhere; was a log edited?",
                    key.1
                );
                Err(differs(other, why))
            }
            Some(_) => {
                self.repeated += 1;
                Ok(())
            }
        }
    }
}

fn same_folder(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(lines: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(Log::FILE), lines.join("\n") + "\n").unwrap();
        folder
    }

    fn line(key: u32, settings: &str, seed: u32, outcome: f64) -> String {
        format!(
            r#"{{"study":"a","settings":"{settings}","seed":{seed},"version":"1","key":{key},"outcome":{outcome},"seconds":1.0}}"#
        )
    }

    fn join(one: &str, other: &str) -> Result<Merged, Error> {
        let (a, b, out) = (folder(&[&line(1, "s", 0, 0.5), one]), folder(&[other]), tempfile::tempdir().unwrap());
        merge(&[a.path().into(), b.path().into()], &out.path().join("new"))
    }

    #[test]
    fn shares_join_and_the_same_trial_counts_once() {
        let (two, three) = (line(2, "s", 0, 0.1), line(3, "s", 0, 0.2));
        let merged = |trials, repeated| Merged { trials, studies: BTreeMap::from([("a".into(), trials)]), repeated };
        assert_eq!(join(&two, &three).unwrap(), merged(3, 0));
        assert_eq!(join(&two, &two).unwrap(), merged(2, 1));
        assert_eq!(join(&two, &three[..40]).unwrap().trials, 2, "a torn line is passed over");
    }

    #[test]
    fn what_does_not_belong_together_is_refused_with_the_reason() {
        let why = |one: &str, other: &str| join(one, other).unwrap_err().to_string();
        assert!(why(&line(2, "s", 0, 0.1), &line(3, "s", 1, 0.2)).contains("seed differs (0 and 1)"));
        assert!(why(&line(2, "s", 0, 0.1), &line(2, "t", 0, 0.1)).contains("settings"));
        assert!(why(&line(2, "s", 0, 0.1), &line(2, "s", 0, 0.2)).contains("two outcomes"));
        assert!(merge(&[tempfile::tempdir().unwrap().path().into()], Path::new("x")).unwrap_err().is_input());
    }

    #[test]
    fn a_folder_with_another_log_is_not_written_to() {
        let (a, b) = (folder(&[&line(1, "s", 0, 0.5)]), folder(&[&line(2, "s", 0, 0.5)]));
        assert!(merge(&[a.path().into()], b.path()).unwrap_err().to_string().contains("exists"));
        assert_eq!(merge(&[a.path().into(), b.path().into()], b.path()).unwrap().trials, 2);
    }
}
