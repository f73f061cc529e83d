//! `bgcn reproduce`, on real data where there is some.

mod command;

use command::Workplace;

#[test]
fn trials_are_logged_reused_and_tabulated_beside_the_paper() {
    let Some(folder) = std::env::var_os("BGCN_DATA") else {
        println!("skipped: set BGCN_DATA to a folder with the Planetoid files");
        return;
    };
    let place = Workplace::new();
    let arguments = |jobs: &'static str| {
        let folder = folder.to_str().unwrap().to_owned();
        [
            "reproduce",
            "cora",
            "--methods",
            "gcn,bgcn",
            "--runs",
            "2",
            "--labels-per-class",
            "5",
            "--split",
            "random,fixed",
            "--jobs",
            jobs,
            "--json",
            "--data-dir",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain([folder])
        .collect::<Vec<_>>()
    };
    let run = |arguments: Vec<String>| {
        place.bgcn(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).succeeded().json()
    };
    let first = run(arguments("2"));
    assert_eq!((first["trials_run"].as_u64(), first["trials_reused"].as_u64()), (Some(8), Some(0)));
    // A torn last line is healed: that trial runs again, the others are reused, and the tables are the same.
    let log = place.path().join("bgcn-results/trials.jsonl");
    let bytes = std::fs::read(&log).unwrap();
    std::fs::write(&log, &bytes[..bytes.len() - 9]).unwrap();
    let second = run(arguments("1"));
    assert_eq!((second["trials_run"].as_u64(), second["trials_reused"].as_u64()), (Some(1), Some(7)));
    assert_eq!(first["tables"], second["tables"]);
    let page = std::fs::read_to_string(place.path().join("bgcn-results/tables.md")).unwrap();
    assert!(page.contains("| bgcn |") && page.contains("74.6 ± 2.8"), "{page}");
}

#[test]
fn an_unknown_method_is_refused_with_those_there_are() {
    Workplace::new().bgcn(&["reproduce", "cora", "--methods", "mlp"]).refused(&["mlp", "chebnet"]);
}
