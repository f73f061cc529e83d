use super::*;
use crate::files::sweep::sweep;

fn entries(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

/// A scratch that a dead process left.
fn dead(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    fs::create_dir(&path).unwrap();
    fs::write(path.join(MARK), MARKED).unwrap();
    path
}

#[test]
fn scratches_of_dead_processes_are_swept_and_all_else_stays() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(dead(place.path(), ".bgcn-99999999-0").join(NEW), "half").unwrap();
    let folder = dead(place.path(), ".bgcn-99999999-1");
    fs::create_dir_all(folder.join("new/deep/deeper")).unwrap();
    fs::write(folder.join("new/edges.csv"), "half").unwrap();
    fs::create_dir(at(".bgcn-99999999-2")).unwrap();
    fs::write(dead(place.path(), ".bgcn-99999999-3").join(MARK), &MARKED[..9]).unwrap();
    fs::write(dead(place.path(), ".bgcn-99999999-4").join(MARK), "").unwrap();
    fs::write(at(".bgcn-notes"), "notes").unwrap();
    let living = Scratch::new(place.path()).unwrap();
    let name = living.path.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(entries(place.path()), [name, ".bgcn-notes".into()]);
    sweep(place.path()).unwrap();
    assert!(living.path.exists(), "it is locked");
    drop(living);
    assert_eq!(entries(place.path()), [".bgcn-notes"]);
}

#[test]
fn a_death_between_two_renames_gives_the_old_content_back() {
    let place = tempfile::tempdir().unwrap();
    let dead = dead(place.path(), ".bgcn-99999999-0");
    fs::create_dir_all(dead.join(OLD)).unwrap();
    fs::create_dir_all(dead.join(NEW)).unwrap();
    fs::write(dead.join(OLD).join("run.toml"), "old").unwrap();
    fs::write(dead.join(NAME), "run").unwrap();
    sweep(place.path()).unwrap();
    assert_eq!(fs::read(place.path().join("run/run.toml")).unwrap(), b"old");
    assert_eq!(entries(place.path()), ["run"]);
}

#[test]
fn folders_are_replaced_at_once_and_in_steps() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    fs::create_dir(&path).unwrap();
    for (text, replace) in [("one", Scratch::replace as fn(&Scratch, &Path) -> _), ("two", Scratch::replace_in_steps)] {
        let scratch = Scratch::with_folder(place.path()).unwrap();
        fs::write(scratch.fresh().join("a.txt"), text).unwrap();
        replace(&scratch, &path).unwrap();
        drop(scratch);
        assert_eq!(fs::read_to_string(path.join("a.txt")).unwrap(), text);
        assert_eq!(entries(place.path()), ["run"]);
    }
}

#[test]
fn what_others_called_like_a_scratch_stays_and_nothing_waits_for_it() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::write(at(".bgcn-1-0"), "mine").unwrap();
    std::process::Command::new("mkfifo").arg(at(".bgcn-1-1")).status().unwrap();
    fs::create_dir(at(".bgcn-1-2")).unwrap();
    fs::write(at(".bgcn-1-2/mine"), "mine").unwrap();
    // A mark that is a link, or another text, is none.
    fs::create_dir(at(".bgcn-1-3")).unwrap();
    fs::write(at("mark"), MARKED).unwrap();
    std::os::unix::fs::symlink(at("mark"), at(".bgcn-1-3").join(MARK)).unwrap();
    fs::create_dir(at(".bgcn-1-4")).unwrap();
    fs::write(at(".bgcn-1-4").join(MARK), "another text").unwrap();
    let before = entries(place.path());
    crate::files::write_atomically(&at("a.txt"), |w| io::Write::write_all(w, b"all")).unwrap();
    assert_eq!(fs::read(at("a.txt")).unwrap(), b"all");
    fs::remove_file(at("a.txt")).unwrap();
    assert_eq!(entries(place.path()), before);
    assert_eq!(fs::read(at(".bgcn-1-2/mine")).unwrap(), b"mine");
}

#[test]
fn a_planted_scratch_overwrites_no_file_and_reaches_no_other_folder() {
    let outside = tempfile::tempdir().unwrap();
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("thesis.txt"), "thesis").unwrap();
    fs::create_dir(place.path().join("run")).unwrap();
    fs::write(place.path().join("run/kept"), "kept").unwrap();
    fs::write(outside.path().join("kept"), "kept").unwrap();
    let names = ["thesis.txt", "thesis.txt", "run", "../escaped", "..", "", "run"];
    for (i, name) in names.into_iter().enumerate() {
        let scratch = dead(place.path(), &format!(".bgcn-1-{i}"));
        fs::write(scratch.join(NAME), name).unwrap();
        match i {
            0 => fs::write(scratch.join(OLD), "planted").unwrap(),
            6 => std::os::unix::fs::symlink(outside.path(), scratch.join(OLD)).unwrap(),
            _ => fs::create_dir(scratch.join(OLD)).unwrap(),
        }
        std::os::unix::fs::symlink(outside.path(), scratch.join("link")).unwrap();
    }
    std::os::unix::fs::symlink(outside.path(), place.path().join(".bgcn-1-9")).unwrap();
    fs::write(outside.path().join(MARK), MARKED).unwrap();
    sweep(place.path()).unwrap();
    assert_eq!(entries(place.path()), [".bgcn-1-9", "run", "thesis.txt"]);
    assert_eq!(fs::read(place.path().join("thesis.txt")).unwrap(), b"thesis");
    assert_eq!(fs::read(place.path().join("run/kept")).unwrap(), b"kept");
    assert_eq!(entries(outside.path()), ["kept", MARK]);
}

#[test]
fn a_scratch_of_another_user_stays() {
    let place = tempfile::tempdir().unwrap();
    let other = dead(place.path(), ".bgcn-1-0");
    if std::os::unix::fs::chown(&other, Some(65534), None).is_err() {
        return eprintln!("skipped: only root gives a folder to another user");
    }
    sweep(place.path()).unwrap();
    assert!(other.join(MARK).exists());
}
