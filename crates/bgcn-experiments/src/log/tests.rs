//! Logs that were cut off, damaged, edited or written by others.

use super::*;
use crate::edges::{Edges, Key, Outcome};
use crate::identity::{Identity, identity};
use crate::{Contender, Datasets, Error, Shard, run};
use serde_json::json;
use tempfile::TempDir;

/// Settings of so many draws in this epoch.
pub(crate) fn settings(draws: u32, epoch: u32) -> Identity {
    identity(&json!({ "draws": draws }), "data", &json!({ "name": Edges::NAME }), epoch)
}

/// A trial of the edge study under the usual settings.
pub(crate) fn line(run: u32) -> Line {
    let outcome =
        json!({ "different": run, "low_degree": 1, "either": run + 1, "equal": 9, "tied": false, "inferences": 3 });
    Line {
        study: Edges::NAME.into(),
        settings: settings(99, 1).hash,
        seed: 0,
        version: VERSION.into(),
        processor: "avx2".into(),
        key: json!({ "dataset": "d", "method": "m", "run": run }),
        outcome,
        seconds: 0.1,
    }
}

/// A folder with these trials, and all settings of these tests.
pub(crate) fn folder(lines: &[Line]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut log = Log::open(folder.path()).unwrap();
    let known = [settings(99, 1), settings(200, 1), settings(99, 2)];
    for line in lines {
        let settings = known.iter().find(|one| one.hash == line.settings).unwrap();
        log.append(line, &settings.text).unwrap();
    }
    folder
}

fn why(folder: &TempDir) -> String {
    let error = Log::open(folder.path()).unwrap_err();
    assert!(error.is_input(), "{error}");
    error.to_string()
}

/// Adds a line to the log as it is.
fn add(folder: &TempDir, text: &str) {
    let path = folder.path().join(Log::FILE);
    let before = std::fs::read_to_string(&path).unwrap();
    std::fs::write(path, before + text + "\n").unwrap();
}

#[test]
fn another_log_is_taken_without_what_is_there() {
    let (mine, other) = (folder(&[line(0), line(1)]), folder(&[line(1), line(2)]));
    let mut log = JointLog::open(mine.path()).unwrap();
    assert_eq!((log.take(other.path()).unwrap(), log.take(other.path()).unwrap()), (1, 0));
    drop(log);
    let text = std::fs::read_to_string(mine.path().join(Log::FILE)).unwrap();
    assert_eq!((text.lines().count(), text.matches(r#""run":2"#).count()), (3, 1));
    // A trial under other settings or of another seed is another trial.
    let more = folder(&[Line { seed: 7, ..line(0) }, Line { settings: settings(200, 1).hash, ..line(0) }]);
    assert_eq!(JointLog::open(mine.path()).unwrap().take(more.path()).unwrap(), 2);
    // What no run wrote is refused, and nothing of it taken.
    add(&other, "{}");
    assert!(JointLog::open(mine.path()).unwrap().take(other.path()).unwrap_err().is_input());
}

#[test]
fn an_incomplete_last_line_is_truncated_and_the_log_goes_on() {
    for file in [Log::FILE, Log::SETTINGS] {
        for cut in [1, 10, 60] {
            let folder = folder(&[line(0)]);
            let path = folder.path().join(file);
            let whole = std::fs::read(&path).unwrap();
            std::fs::write(&path, [&whole[..], &whole[..whole.len() - cut]].concat()).unwrap();
            let mut log = Log::open(folder.path()).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
            let text = settings(99, 1).text;
            log.append(&line(1), &text).unwrap();
            drop(log);
            assert!(Log::open(folder.path()).is_ok());
            assert_eq!(std::fs::read_to_string(folder.path().join(Log::FILE)).unwrap().lines().count(), 2);
        }
    }
}

#[test]
fn settings_are_written_once() {
    let folder = folder(&[line(0), line(1), Line { settings: settings(200, 1).hash, ..line(0) }, line(2)]);
    let text = std::fs::read_to_string(folder.path().join(Log::SETTINGS)).unwrap();
    assert_eq!(text.lines().count(), 2);
    assert!(text.contains(&settings(99, 1).text) && text.contains(&settings(99, 1).hash), "{text}");
}

#[test]
fn a_damaged_line_is_named_with_what_to_do() {
    let damaged = folder(&[line(0)]);
    add(&damaged, r#"{"study":"edges","settings":"#);
    add(&damaged, "{}");
    let why = why(&damaged);
    for part in ["trials.jsonl, line 2:", "EOF", r#"found `{"study":"edges","settings":`"#, "delete the line"] {
        assert!(why.contains(part), "no {part} in {why}");
    }
}

#[test]
fn what_no_run_writes_is_refused() {
    let with = |line: Line| {
        let folder = folder(&[super::tests::line(0)]);
        add(&folder, &serde_json::to_string(&line).unwrap());
        why(&folder)
    };
    let outcome = |name: &str, value: u32| {
        let mut line = line(1);
        line.outcome[name] = value.into();
        line
    };
    assert!(with(outcome("different", 51)).contains("different is 51"));
    assert!(with(outcome("either", 0)).contains("either is 0"));
    assert!(
        with(Line { settings: "0123".into(), ..line(1) }).contains("settings 0123, which the folder's settings.jsonl")
    );
    assert!(with(Line { study: "nodes".into(), ..line(1) }).contains("no study `nodes`"));
    assert!(with(Line { study: "attack".into(), ..line(1) }).contains("of the study \"edges\""));
    assert!(with(Line { key: json!({ "run": 1 }), ..line(1) }).contains("its key: missing field `dataset`"));
    assert!(with(Line { outcome: json!(null), ..line(1) }).contains("its outcome"));
}

#[test]
fn settings_that_were_edited_are_refused() {
    let folder = folder(&[line(0)]);
    let path = folder.path().join(Log::SETTINGS);
    let text = std::fs::read_to_string(&path).unwrap().replace("99", "98");
    std::fs::write(path, text).unwrap();
    let why = why(&folder);
    assert!(why.contains("settings.jsonl, line 1") && why.contains("another hash"), "{why}");
}

#[test]
fn a_log_of_the_format_before_is_refused_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"study":"accuracy","settings":"a","seed":0,"version":"0.1.0","key":1,"outcome":1,"seconds":1.0}"#;
    std::fs::write(folder.path().join(Log::FILE), format!("{text}\n{text}")).unwrap();
    let why = why(&folder);
    assert!(why.contains("earlier format") && why.contains("new folder") && why.contains("0.1.0"), "{why}");
    assert!(!folder.path().join(Log::SETTINGS).exists());
    assert_eq!(std::fs::read_to_string(folder.path().join(Log::FILE)).unwrap(), format!("{text}\n{text}"));
}

#[test]
fn two_runs_cannot_share_a_log() {
    let folder = tempfile::tempdir().unwrap();
    let _first = Log::open(folder.path()).unwrap();
    assert!(why(&folder).contains("in use"));
}

/// Trials without any work.
struct Quick {
    draws: u32,
    seed: u64,
}

impl Study for Quick {
    const NAME: &'static str = Edges::NAME;
    type Key = Key;
    type Outcome = Outcome;

    fn seed(&self) -> u64 {
        self.seed
    }

    fn trials(&self) -> Vec<Key> {
        (0..3).map(|run| Key { dataset: "d".into(), method: "m".into(), run }).collect()
    }

    fn settings(&self, _: &Key) -> Identity {
        settings(self.draws, 1)
    }

    fn trial(&self, key: &Key, _: bgcn_core::posterior::Watch<'_>) -> Result<Outcome, Error> {
        Ok(Outcome::deserialize(line(key.run).outcome).unwrap())
    }

    fn check(outcome: &Outcome) -> Result<(), String> {
        Edges::check(outcome)
    }

    fn shown(&self, _: &Key, _: &Outcome) -> crate::Shown {
        unreachable!("it is not watched")
    }
}

#[test]
fn other_settings_seeds_and_versions_are_passed_over_but_kept() {
    let other_version = Line { version: "0.0.1".into(), outcome: line(5).outcome, ..line(0) };
    let folder = folder(&[other_version, line(1)]);
    let go = |draws, seed| {
        let mut log = Log::open(folder.path()).unwrap();
        let done = run(&Quick { draws, seed }, &mut log, Shard::WHOLE, crate::Watching::default()).unwrap();
        (done.run, done.reused, done.processors.into_iter().next())
    };
    assert_eq!(go(99, 0), (2, 1, Some("avx2".into())), "one is of another version, one was never run");
    assert_eq!((go(200, 0).0, go(99, 1).0, go(99, 0).0), (3, 3, 0));
    let lines = std::fs::read_to_string(folder.path().join(Log::FILE)).unwrap().lines().count();
    assert_eq!(lines, 2 + 2 + 3 + 3);
}

#[test]
fn a_trial_with_two_outcomes_is_refused() {
    let folder = folder(&[line(0), line(0), Line { outcome: line(1).outcome, ..line(0) }]);
    let mut log = Log::open(folder.path()).unwrap();
    let error = run(&Quick { draws: 99, seed: 0 }, &mut log, Shard::WHOLE, crate::Watching::default()).unwrap_err();
    assert!(error.to_string().contains("line 3") && error.to_string().contains("another outcome"), "{error}");
}

#[test]
fn trials_checked_again_are_equal_or_the_first_that_is_not_is_named() {
    let mut sample = crate::Sample::new(2, 5);
    let study = Quick { draws: 99, seed: 0 };
    let trials = study.trials();
    sample.offer::<Quick>(&trials);
    let log = |lines: &[Line]| {
        let folder = folder(lines);
        let log = Log::open(folder.path()).unwrap();
        crate::recheck(&study, &log, &sample, &|_| {})
    };
    assert_eq!(log(&[line(0), line(1), line(2)]).unwrap(), 2);
    let edited = |processor: &str| {
        let edit = |run| Line { outcome: line(run + 9).outcome, processor: processor.into(), ..line(run) };
        let error = log(&[edit(0), edit(1), edit(2)]).unwrap_err();
        assert!(!error.is_input());
        error.to_string()
    };
    let same = edited(bgcn_core::processor_class());
    for part in ["0 of 2 trials", r#"{"dataset":"d","method":"m","run":"#, r#""different":"#, "RESULTS_EPOCH"] {
        assert!(same.contains(part), "no {part} in {same}");
    }
    let other = edited("abacus");
    assert!(other.contains("on abacus") && other.contains("last bits") && !other.contains("EPOCH"), "{other}");
}

#[test]
fn outcomes_come_back_from_a_log_to_the_last_bit() {
    use crate::accuracy::{Accuracy, Cell, JudgedOn, SplitName};
    let data: Datasets = [("karate".to_owned(), bgcn_core::data::karate())].into();
    let contenders = [Contender::of_method("gcn").unwrap()];
    let cell = Cell { dataset: "karate".into(), split: SplitName::Random, labels_per_class: 3 };
    let folder = tempfile::tempdir().unwrap();
    let go = |judged_on| {
        let study = Accuracy::new(vec![cell.clone()], &contenders, (2, 1), judged_on, &data).unwrap();
        run(&study, &mut Log::open(folder.path()).unwrap(), Shard::WHOLE, crate::Watching::default())
    };
    let (first, again) = (go(JudgedOn::Test).unwrap(), go(JudgedOn::Test).unwrap());
    assert_eq!((first.run, again.run, again.reused), (2, 0, 2));
    let bits = |outcomes: &BTreeMap<crate::accuracy::Key, crate::accuracy::Outcome>| -> Vec<[u64; 4]> {
        outcomes.values().map(|o| [o.accuracy, o.nll, o.ece, o.brier].map(f64::to_bits)).collect()
    };
    assert_eq!(bits(&first.outcomes), bits(&again.outcomes));
    assert!(go(JudgedOn::Rest).is_err(), "other nodes are another trial, and there are none");
    let path = folder.path().join(Log::FILE);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen(r#""accuracy":"#, r#""accuracy":-"#, 1)).unwrap();
    assert!(Log::open(folder.path()).unwrap_err().to_string().contains("accuracy is -0."));
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_without_an_end_is_refused_unread() {
    for name in [Log::FILE, Log::SETTINGS] {
        let folder = folder(&[line(1)]);
        std::fs::remove_file(folder.path().join(name)).unwrap();
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).unwrap();
        let out = folder.path().join("out");
        let joined = crate::merge(&[folder.path().into()], &out).unwrap_err();
        let opened = Log::open(folder.path()).unwrap_err();
        for error in [joined, opened] {
            assert!(error.is_input() && error.to_string().contains("is no file"), "{error}");
        }
    }
}

#[test]
fn a_line_that_is_longer_than_any_is_refused_before_it_is_whole() {
    let folder = folder(&[line(1)]);
    let path = folder.path().join(Log::FILE);
    // A hole of zeros after the first line: it takes no room on the disk.
    std::fs::OpenOptions::new().append(true).open(&path).unwrap().set_len(1 << 40).unwrap();
    let error = Log::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("line 2") && error.contains("longer than 16777216 bytes"), "{error}");
    assert!(error.len() < 1000, "not all of the line is printed");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 1 << 40, "nothing is cut off");
}
