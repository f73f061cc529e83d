//! Shares of an evaluation for other processes and machines. One process reads the data and keeps the log; every share
//! runs with the data and the log so far in a folder of its own, whose log the first process takes over.

use super::studies::{Asked, Studies};
use super::trials::Trials;
use super::{Report, reading};
use crate::Failure;
use crate::args::Shared;
use bgcn_core::posterior::Watch;
use bgcn_experiments::{Datasets, JointLog, Shard};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An evaluation whose shares run elsewhere.
pub struct Evaluation {
    /// What was asked for, as JSON, without the data.
    pub text: String,
    /// By the names that the evaluation has for them.
    pub data: Datasets,
    /// Bytes that a trial takes, at most.
    pub memory: u64,
    /// Where the results go.
    pub out: PathBuf,
    /// Whether nothing but the results is to be printed.
    pub quiet: bool,
    log: JointLog,
}

impl Evaluation {
    /// Reads what `bgcn reproduce` with these arguments needs, and locks its log.
    pub fn new(arguments: impl IntoIterator<Item = OsString>) -> Result<Self, Failure> {
        let (command, shared) = super::arguments(arguments)?;
        if !command.merge.is_empty() || !command.shard.is_whole() {
            let message = "--shard and --merge are for runs by hand; leave them out, shares are made and joined here";
            return Err(Failure { message: message.into(), is_input: true });
        }
        let read = || -> anyhow::Result<Self> {
            let studies = Studies::read(&command, &shared)?;
            let (memory, log) = (studies.memory()?, JointLog::open(&command.out)?);
            let Studies { asked, data, .. } = studies;
            let text = serde_json::to_string(&asked)?;
            Ok(Self { text, data, memory, out: command.out.clone(), quiet: shared.quiet, log })
        };
        shared.on_threads(read).flatten().map_err(|error| Failure::of(&error))
    }

    /// Takes the log of a share that has run; how many trials are new.
    pub fn take(&mut self, folder: &Path) -> Result<usize, Failure> {
        self.log.take(folder).map_err(|error| Failure::of(&error.into()))
    }
}

/// Runs a share of an evaluation of this text on so many threads: what the log of the folder does not have. True
/// where all shares must run once more with their logs joined, for studies that follow from others.
pub fn run_shard(
    (text, data): (&str, Datasets),
    shard: Shard,
    (folder, threads): (&Path, u16),
    watch: Watch<'_>,
) -> Result<bool, Failure> {
    let shared = Shared { seed: None, jobs: Some(threads), data_dir: None, json: false, quiet: true, help: None };
    let work = || -> anyhow::Result<bool> {
        let asked: Asked = serde_json::from_str(text).map_err(reading("the evaluation"))?;
        let mut trials = Trials::open(folder, shard, &shared, watch)?.stepwise();
        let mut report = Report::default();
        Studies::new(asked, data)?.run(&mut trials, &mut report)?;
        Ok(report.follows)
    };
    shared.on_threads(work).flatten().map_err(|error| Failure::of(&error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce;
    use bgcn_experiments::{Log, unwatched};

    fn words(out: &Path, more: &[&str]) -> Vec<OsString> {
        let quick = "[[variant]]\nname = \"quick\"\nmethod = \"gcn+copying\"\n\
                     set.schedule = { pretraining = 10, draws = 4, averaged = 2 }\n";
        let variants = out.with_extension("toml");
        std::fs::write(&variants, quick).unwrap();
        let mut words: Vec<OsString> =
            ["demo", "attack-demo", "--evasion", "--runs=2", "--methods=gcn", "--labels-per-class=5"]
                .map(OsString::from)
                .into();
        words.push(format!("--out={}", out.display()).into());
        words.push(format!("--variants={}", variants.display()).into());
        words.extend(more.iter().map(OsString::from));
        words
    }

    /// Runs every share once in a folder of its own; how many trials were new, and whether others follow.
    fn once(evaluation: &mut Evaluation, place: &Path) -> (usize, bool) {
        let (mut new, mut follows) = (0, false);
        let before = place.join("before");
        std::fs::create_dir_all(&before).unwrap();
        for name in [Log::FILE, Log::SETTINGS] {
            std::fs::copy(evaluation.out.join(name), before.join(name)).unwrap();
        }
        for i in 1..=3 {
            let folder = tempfile::tempdir().unwrap();
            for name in [Log::FILE, Log::SETTINGS] {
                std::fs::copy(before.join(name), folder.path().join(name)).unwrap();
            }
            let shard = format!("{i}/3").parse().unwrap();
            let what = (&evaluation.text[..], evaluation.data.clone());
            follows |= run_shard(what, shard, (folder.path(), 1), &unwatched).unwrap();
            new += evaluation.take(folder.path()).unwrap();
        }
        (new, follows)
    }

    #[test]
    fn shares_run_elsewhere_give_the_tables_of_one_process_and_no_trial_runs_twice() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there"));
        let own = reproduce(words(&here, &[]), &unwatched).unwrap();
        let mut evaluation = Evaluation::new(words(&there, &["--recheck=3"])).unwrap();
        assert!(evaluation.memory > 1000);
        let second = Evaluation::new(words(&there, &[])).err().expect("the log is locked");
        assert!(second.message.contains("in use"), "{}", second.message);
        // The targets of the attack follow from all clean trials, which no share has alone.
        let (first, follows) = once(&mut evaluation, place.path());
        assert!(follows);
        let (second, follows) = once(&mut evaluation, place.path());
        assert!(!follows && second > 0);
        assert_eq!(once(&mut evaluation, place.path()), (0, false));
        drop(evaluation);
        let found = reproduce(words(&there, &["--recheck=3"]), &unwatched).unwrap();
        assert_eq!((&found["tables"], &found["claims"]), (&own["tables"], &own["claims"]));
        assert_eq!((&found["trials_run"], &found["trials_reused"]), (&0.into(), &own["trials_run"]));
        assert_eq!((&found["rechecked"], own["trials_run"].as_u64()), (&3.into(), Some((first + second) as u64)));
    }

    #[test]
    fn what_no_evaluation_wrote_is_refused() {
        let place = tempfile::tempdir().unwrap();
        let shard = "1/2".parse().unwrap();
        let why = run_shard(("{}", Datasets::new()), shard, (place.path(), 1), &unwatched).unwrap_err();
        assert!(why.is_input && why.message.contains("same version of bgcn"), "{}", why.message);
        for option in ["--shard=1/2", "--recheck"] {
            assert!(Evaluation::new(words(&place.path().join("out"), &[option])).err().is_some_and(|why| why.is_input));
        }
    }
}
