//! Many processes in one folder.

use super::{bgcn, tree};
use crate::command::{Run, Workplace};
use std::collections::BTreeSet;
use std::process::{Child, Stdio};

#[test]
fn fits_at_once_end_in_folders_of_their_own_and_none_is_lost() {
    const FITS: usize = 24;
    let place = Workplace::new();
    let start =
        |_| bgcn(&place).args(["fit", "karate", "--jobs", "1"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let fits: Vec<Child> = (0..FITS).map(start).collect::<Result<_, _>>().unwrap();
    let mut named = BTreeSet::new();
    for fit in fits {
        let run = Run::from(fit.wait_with_output().unwrap()).without_panic().succeeded();
        let shown = run.stdout.split_once("Everything is in ").expect("the summary names the folder").1;
        named.insert(shown.split_once(';').expect("a path and more").0.split_whitespace().collect::<String>());
    }
    assert_eq!(named.len(), FITS, "one folder each: {named:?}");
    let runs = place.path().join("bgcn-runs");
    let found: BTreeSet<String> = std::fs::read_dir(&runs)
        .unwrap()
        .map(|entry| format!("bgcn-runs/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    assert_eq!(found, named, "all of them are there, and nothing else");
    let one = tree(&place.path().join(named.first().unwrap()));
    for folder in &named {
        assert!(tree(&place.path().join(folder)) == one, "{folder} is whole");
    }
}
