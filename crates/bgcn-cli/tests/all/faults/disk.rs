//! A disk that is full, or cannot be written, or may not be.
//!
//! The disk is a small tmpfs in a mount namespace of its own, which ends with the command: nothing has to be unmounted.
//! Where the machine does not allow that, the tests print a message and pass.

use super::{Run, SHORT, bgcn, furnished, tree};
use crate::command::Workplace;
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

/// A command that writes to `disk`, which holds what `before` wrote there.
struct Case {
    before: Vec<&'static str>,
    then: Vec<&'static str>,
    keeps: Keeps,
}

/// What has to be there afterwards.
#[derive(Clone, Copy)]
enum Keeps {
    /// All that was there, and nothing else.
    Everything,
    /// Every file that was there, each as it was or as it was to be.
    EachFile,
    /// The lines of a log; the last one after them may be torn.
    Log,
}

fn cases() -> Vec<Case> {
    let two_seeds = |words: &[&'static str]| Case {
        before: [words, &["--seed", "1"]].concat(),
        then: [words, &["--seed", "2"]].concat(),
        keeps: Keeps::Everything,
    };
    let generate = |words: &[&'static str]| two_seeds(&[&["data", "generate", "--nodes", "300"], words].concat());
    let convert = |out| Case {
        before: vec!["data", "convert", "karate", "--out", out],
        then: vec!["data", "convert", "data", "--overwrite", "--out", out],
        keeps: Keeps::Everything,
    };
    let clean = |out| Case {
        before: vec!["data", "convert", "karate", "--out", out],
        then: vec!["edges", "run", "--overwrite", "--clean", out],
        keeps: Keeps::Everything,
    };
    let reproduce = |runs| {
        vec![
            "reproduce",
            "karate",
            "--methods",
            "gcn",
            "--labels-per-class",
            "2",
            "--out",
            "disk/results",
            "--runs",
            runs,
        ]
    };
    let model = ["--iterations", "2", "--out", "disk/model"];
    let sample = ["graph", "sample", "model", "--out", "disk/graphs", "--count"];
    vec![
        two_seeds(&[&["fit", "data", "--overwrite", "--out", "disk/run"], &SHORT[..]].concat()),
        Case { before: vec!["man"], ..two_seeds(&[&["fit", "data", "--out", "disk/new/run"], &SHORT[..]].concat()) },
        Case {
            before: [&["graph", "fit", "karate"], &model[..]].concat(),
            then: [
                &["graph", "fit", "data", "--communities", "40", "--start", "agglomerate", "--overwrite"],
                &model[..],
            ]
            .concat(),
            keeps: Keeps::Everything,
        },
        Case { before: [&sample[..], &["2"]].concat(), then: [&sample[..], &["9"]].concat(), keeps: Keeps::EachFile },
        generate(&["--overwrite", "--out", "disk/data"]),
        convert("disk/data"),
        convert("disk/data.npz"),
        convert("disk/data.graphml"),
        clean("disk/clean"),
        clean("disk/clean.npz"),
        two_seeds(&["predict", "run", "--out", "disk/predicted.csv"]),
        Case { before: reproduce("1"), then: reproduce("400"), keeps: Keeps::Log },
        Case { before: reproduce("2"), then: vec!["man", "--out", "disk/man"], keeps: Keeps::EachFile },
    ]
}

/// Runs `bgcn` on a disk that `prepare` spoils, after it was filled with `before`; `None` where that is not allowed.
fn on_disk(place: &Workplace, prepare: &str, words: &[&str]) -> Option<(Run, BTreeMap<String, Vec<u8>>)> {
    let script = format!(
        "mount -t tmpfs -o size=1m,mode=777 tmpfs disk || exit 99
         cp -a before/. disk/ || exit 99
         {prepare}
         \"$@\"; code=$?
         rm -f disk/filler 2>/dev/null
         mkdir after && cp -a disk/. after/ || exit 98
         exit $code"
    );
    for name in ["disk", "after"] {
        let _ = std::fs::remove_dir_all(place.path().join(name));
    }
    std::fs::create_dir(place.path().join("disk")).unwrap();
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", &script, "sh", env!("CARGO_BIN_EXE_bgcn")]).args(words);
    command.current_dir(place.path()).env_remove("BGCN_DATA").env("LC_ALL", "C");
    let run = Run::from(command.env("XDG_CACHE_HOME", place.path()).output().ok()?);
    let after = tree(&place.path().join("after"));
    let mounted = run.code != 99 && (run.code != 1 || place.path().join("after").is_dir());
    if !mounted {
        eprintln!("skipped: no tmpfs can be mounted here: {}", run.stderr);
    }
    mounted.then_some((run, after))
}

/// Every command that writes, on a spoiled disk.
fn each_on(prepare: &str, why: &str) {
    let place = furnished();
    for case in cases() {
        let words = case.then.join(" ");
        let disk = place.path().join("disk");
        let _ = std::fs::remove_dir_all(&disk);
        let _ = std::fs::remove_dir_all(place.path().join("before"));
        std::fs::create_dir(&disk).unwrap();
        place.bgcn(&case.before).succeeded();
        let before = tree(&disk);
        std::fs::rename(&disk, place.path().join("before")).unwrap();
        let Some((run, after)) = on_disk(&place, prepare, &case.then) else { return };
        eprintln!("{words}: {}", run.stderr.trim());
        run.failed(why);
        match case.keeps {
            Keeps::Everything => {
                assert!(before.keys().eq(after.keys()), "{words}: {:?}, then {:?}", before.keys(), after.keys());
                assert!(before == after, "{words}: not the same content");
            }
            Keeps::EachFile => {
                assert!(before.keys().all(|name| after.contains_key(name)), "{words}: {:?}", after.keys());
                assert!(!after.keys().any(|name| name.contains("/.")), "{words}: {:?}", after.keys());
                assert!(after.values().all(|bytes| bytes.ends_with(b"\n")), "{words}: every file is whole");
            }
            Keeps::Log => {
                let log = "results/trials.jsonl";
                assert!(after[log].starts_with(&before[log]), "{words}: lines are lost");
                resumes(&place);
            }
        }
    }
}

/// With room again, a log goes on from what is in it.
fn resumes(place: &Workplace) {
    std::fs::rename(place.path().join("after/results"), place.path().join("disk/results")).unwrap();
    let words = ["reproduce", "karate", "--methods", "gcn", "--labels-per-class", "2", "--out", "disk/results"];
    let run = place.bgcn(&[&words[..], &["--runs", "2", "--json", "--quiet"]].concat()).succeeded();
    assert!(run.json()["trials_reused"].as_u64() >= Some(1), "{}", run.stdout);
}

#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    each_on("cat /dev/zero > disk/filler 2>/dev/null", "No space left on device");
}

#[test]
fn a_disk_that_runs_full_is_named_and_nothing_is_lost() {
    let two_pages = "cat /dev/zero > disk/filler 2>/dev/null; truncate -s -8192 disk/filler";
    each_on(two_pages, "No space left on device");
}

#[test]
fn a_read_only_disk_is_named_and_nothing_is_lost() {
    each_on("mount -o remount,ro disk || exit 99", "Read-only file system");
}

#[test]
fn a_disk_that_is_full_when_the_results_are_written_is_named() {
    let place = furnished();
    let words = ["reproduce", "karate", "--methods", "gcn", "--labels-per-class", "2", "--runs", "2", "--out"];
    place.bgcn(&[&words[..], &["before/results"]].concat()).succeeded();
    let before = tree(&place.path().join("before"));
    let full = "cat /dev/zero > disk/filler 2>/dev/null";
    let Some((run, after)) = on_disk(&place, full, &[&words[..], &["disk/results"]].concat()) else { return };
    run.failed("No space left on device").failed("writing disk/results");
    assert!(before == after);
}

#[test]
fn a_folder_without_permission_is_named_and_nothing_is_lost() {
    let place = furnished();
    allow(place.path(), 0o755);
    let disk = place.path().join("disk");
    for case in cases() {
        std::fs::create_dir(&disk).unwrap();
        place.bgcn(&case.before).succeeded();
        let before = tree(&disk);
        allow_below(&disk, 0o555);
        let run = as_user(&place, &case.then);
        allow_below(&disk, 0o755);
        let Some(run) = run else { return };
        run.failed("Permission denied");
        assert!(before == tree(&disk), "{}", case.then.join(" "));
        std::fs::remove_dir_all(&disk).unwrap();
    }
}

fn allow(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder and what is in it; files can be read and written as the folder can.
fn allow_below(folder: &Path, mode: u32) {
    allow(folder, 0o755);
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        allow(&path, mode);
    }
    allow(folder, mode);
}

/// Runs `bgcn` as a user whom permissions bind: root becomes the user nobody. `None` where that is not possible.
fn as_user(place: &Workplace, words: &[&str]) -> Option<Run> {
    let mut command = bgcn(place);
    if root() {
        command = Command::new("setpriv");
        command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups", env!("CARGO_BIN_EXE_bgcn")]);
        command.current_dir(place.path()).env_remove("BGCN_DATA");
    }
    match command.args(words).output() {
        Ok(output) if ![126, 127].contains(&output.status.code().unwrap_or(-1)) => Some(Run::from(output)),
        other => {
            eprintln!("skipped: another user cannot start the command: {other:?}");
            None
        }
    }
}

fn root() -> bool {
    let id = Command::new("id").arg("-u").output();
    id.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
