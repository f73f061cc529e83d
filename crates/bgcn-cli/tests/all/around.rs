//! What happens around a run: names beside ids, small classes, advice, remarks, empty cells, links, pasted commands.

use crate::command::Workplace;
use crate::fit::{fit, with_network};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::process::Command;

/// Little work.
const QUICK: [&str; 5] = ["--quiet", "--set", "schedule.pretraining=40", "--set=schedule.draws=20", "--no-baseline"];

/// Two groups of twelve pages with titles, a joint edge, and one number each; the table has more columns where asked.
fn pages(place: &Workplace, folder: &str, size: impl Fn(usize) -> String) {
    let (mut edges, mut nodes) = ("source,target\n0,12\n".to_owned(), "id,title,label,size\n".to_owned());
    for i in 0..24 {
        let group = i / 12 * 12;
        for step in 1..=3 {
            writeln!(edges, "{i},{}", group + (i + step) % 12).unwrap();
        }
        let title = if i == 5 { String::new() } else { format!("\"Page {i}, {}\"", if i == 3 { "<b>" } else { "x" }) };
        writeln!(nodes, "{i},{title},{},{}", if i < 12 { "a" } else { "b" }, size(i)).unwrap();
    }
    place.file(&format!("{folder}/edges.csv"), edges);
    place.file(&format!("{folder}/nodes.csv"), nodes);
}

fn numbers(i: usize) -> String {
    format!("{}.5", i * 7 % 24)
}

#[test]
fn names_stand_beside_ids_wherever_a_run_is_shown() {
    let place = Workplace::new();
    pages(&place, "web", numbers);
    let run = place.bgcn(&[&["fit", "web", "--name-column", "title", "--out", "run"], &QUICK[..]].concat()).succeeded();
    assert!(run.stdout.contains("0 (Page 0, x)") && run.stdout.contains("12 (Page 12, x)"), "{}", run.stdout);
    let read = |name: &str| std::fs::read_to_string(place.path().join(name)).unwrap();
    assert!(read("run/run.toml").contains("name_column = \"title\""));
    let predictions = read("run/predictions.csv");
    let mut rows = predictions.lines();
    assert!(rows.next().unwrap().ends_with("disagreement,name") && rows.next().unwrap().ends_with(",\"Page 0, x\""));
    assert!(rows.nth(4).unwrap().starts_with("5,") && predictions.lines().nth(6).unwrap().ends_with(','));
    let edges = read("run/edges.csv");
    assert!(edges.starts_with("source,target,observed,p_spurious,p_missing,reasons,source_name,target_name\n"));
    let report = read("run/report.html");
    assert!(report.contains("0 (Page 0, x)") && !report.contains("<b>)") && report.contains("&lt;b&gt;"));
    let info = place.bgcn(&["data", "info", "web", "--name-column", "title", "--json"]).succeeded().json();
    assert_eq!(info["feature_names"], json!(["size"]));

    // Read again: from the run, by the run's options, and from what was converted.
    let edge = |of: &str| {
        let found = place.bgcn(&["edges", of, "--node", "0", "--suspicious", "99", "--json"]).succeeded().json();
        found["edges"].as_array().unwrap().iter().find(|edge| edge["target"] == "12").unwrap().clone()
    };
    assert_eq!((&edge("run")["source_name"], &edge("run")["target_name"]), (&json!("Page 0, x"), &json!("Page 12, x")));
    assert_eq!(
        place.bgcn(&["predict", "run"]).succeeded().stdout.lines().nth(1).unwrap().rsplit(',').next(),
        Some(" x\"")
    );
    for (form, back) in [("csv", "Page 12, x"), ("w.npz", "Page 12, x")] {
        place.bgcn(&["data", "convert", "web", "--name-column", "title", "--out", form, "--quiet"]).succeeded();
        assert_eq!(edge(form)["target_name"], back, "{form}");
    }
    let plain = place.bgcn(&["edges", "web", "--json"]).succeeded().json();
    assert!(plain["edges"][0].get("source_name").is_none(), "{plain}");
}

#[test]
fn a_column_of_names_that_is_not_there_is_refused() {
    let place = Workplace::new();
    pages(&place, "web", numbers);
    place.bgcn(&["data", "info", "web", "--name-column", "page"]).refused(&["column of names \"page\"", "its header"]);
    place.bgcn(&["data", "info", "web/edges.csv", "--name-column", "page"]).refused(&["column of names \"page\""]);
    place.bgcn(&["data", "info", "karate", "--name-column", "page"]).refused(&["--name-column", "no use"]);
    place.file("g.graphml", GRAPHML);
    place.bgcn(&["data", "info", "g.graphml", "--name-column", "page"]).refused(&["no attribute \"page\"", "title"]);
    let edges = place.bgcn(&["edges", "g.graphml", "--name-column", "title", "--json"]).succeeded().json();
    assert_eq!(edges["edges"][0]["source_name"], "Ann");
    // A table beside the graph.
    place.file("titles.csv", "id,label,title\na,x,Anna\nb,y,Bert\n");
    let beside = ["edges", "--edges", "g.graphml", "--labels", "titles.csv", "--name-column", "title", "--json"];
    assert_eq!(place.bgcn(&beside).succeeded().json()["edges"][0]["source_name"], "Anna");
}

const GRAPHML: &str = "<graphml><key id=\"t\" for=\"node\" attr.name=\"title\" attr.type=\"string\"/>\
                       <graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"t\">Ann</data></node>\
                       <node id=\"b\"/><edge source=\"a\" target=\"b\"/></graph></graphml>";

#[test]
fn small_classes_train_on_half_of_their_nodes_and_it_is_said_once() {
    let place = with_network();
    // 240 nodes of three classes; one node of a fourth, five of a fifth.
    let labels = std::fs::read_to_string(place.path().join("g/labels.csv")).unwrap();
    let rare = |(i, row): (usize, &str)| match (i, row.split_once(',')) {
        (10, Some((id, _))) => format!("{id},single\n"),
        (20..25, Some((id, _))) => format!("{id},rare\n"),
        _ => format!("{row}\n"),
    };
    let rows: String = labels.lines().filter(|row| !row.starts_with('#')).enumerate().map(rare).collect();
    place.file("g/labels.csv", rows);
    let run = fit(&place, &["--json", "--set=schedule.draws=5"]).succeeded().json();
    let said = "2 classes have fewer than 16 labelled nodes, twice 8 per class (rare 5, single 1): half of them train, \
                the others test; the only labelled node of a class trains, and that class is not tested";
    let remarks: Vec<&str> = run["remarks"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(remarks.iter().filter(|remark| **remark == said).count(), 1, "{remarks:?}");
    assert_eq!((&run["train_nodes"], &run["test_nodes"]), (&json!(8 * 3 + 2 + 1), &json!(240 - 27)));
}

#[test]
fn a_confidence_far_from_the_accuracy_is_said_with_what_to_try() {
    let place = Workplace::new();
    let run =
        place.bgcn(&["fit", "--quiet", "--no-baseline", "--out", "run", "--set", "schedule.draws=20"]).succeeded();
    let advice = run.stdout.lines().find(|line| line.starts_with("On the test nodes")).unwrap();
    assert!(advice.contains("points below the accuracy") && advice.contains("--labels-per-class"), "{advice}");
    let read = |name: &str| std::fs::read_to_string(place.path().join("run").join(name)).unwrap();
    assert!(read("report.html").contains("On the test nodes the mean confidence"));
    let metrics: Value = serde_json::from_str(&read("metrics.json")).unwrap();
    assert!(metrics["advice"].as_str().unwrap().contains("`labels_per_class`"), "{metrics}");
}

#[test]
fn remarks_on_the_data_are_printed_by_every_subcommand() {
    let place = Workplace::new();
    pages(&place, "web", |i| if i == 4 { String::new() } else { numbers(i) });
    let quick = [&["fit", "web", "--out", "run"], &QUICK[..]].concat();
    place.bgcn(&quick).succeeded();
    let empty = "empty cells, taken as the mean of the column: size (1)";
    for arguments in [
        &["predict", "run"][..],
        &["predict", "run", "web"],
        &["edges", "web"],
        &["data", "convert", "web", "--out", "w.npz", "--overwrite"],
        &["graph", "fit", "web"],
    ] {
        let said = place.bgcn(arguments).succeeded().stderr;
        assert_eq!(said.matches(empty).count(), 1, "{arguments:?}: {said}");
        assert_eq!(place.bgcn(&[arguments, &["--quiet"]].concat()).succeeded().stderr, "", "{arguments:?}");
        if arguments[0] != "graph" {
            let object = place.bgcn(&[arguments, &["--json"]].concat()).succeeded().json();
            assert!(object["remarks"].to_string().contains(empty), "{arguments:?}: {object}");
        }
    }
    // A description has them in its text.
    let info = place.bgcn(&["data", "info", "web"]).succeeded();
    assert!(info.stdout.contains(empty) && info.stderr.is_empty(), "{}{}", info.stdout, info.stderr);
}

#[test]
fn empty_cells_of_new_data_hold_the_mean_of_the_fit() {
    let place = Workplace::new();
    pages(&place, "web", |i| if i == 4 { String::new() } else { numbers(i) });
    place.bgcn(&[&["fit", "web", "--out", "run"], &QUICK[..]].concat()).succeeded();
    let known: Vec<f64> = (0..24).filter(|&i| i != 4).map(|i| numbers(i).parse().unwrap()).collect();
    let mean = known.iter().sum::<f64>() / known.len() as f64;
    // Elsewhere the numbers are ten times as large.
    let other = |i: usize| format!("{}", (i * 7 % 24) * 10);
    pages(&place, "empty", |i| if i == 9 { String::new() } else { other(i) });
    pages(&place, "filled", |i| if i == 9 { mean.to_string() } else { other(i) });
    let empty = place.bgcn(&["predict", "run", "empty"]).succeeded();
    assert!(empty.stderr.contains("empty cells count as the means of the fit"), "{}", empty.stderr);
    assert_eq!(empty.stdout, place.bgcn(&["predict", "run", "filled"]).succeeded().stdout);
    assert_eq!(
        place.bgcn(&["predict", "run"]).succeeded().stdout,
        place.bgcn(&["predict", "run", "web"]).succeeded().stdout
    );
}

#[cfg(unix)]
#[test]
fn a_run_goes_through_a_link_to_a_folder_or_is_refused_before_the_fit() {
    use std::os::unix::fs::symlink;
    let place = Workplace::new();
    std::fs::create_dir(place.path().join("real")).unwrap();
    symlink(place.path().join("real"), place.path().join("link")).unwrap();
    let fit = |out: &str| place.bgcn(&[&["fit", "karate", "--overwrite", "--out", out], &QUICK[..]].concat());
    for out in ["link", "link/"] {
        fit(out).succeeded();
        assert!(place.path().join("real/run.toml").is_file() && place.path().join("link").is_symlink(), "{out}");
    }
    symlink(place.path().join("nowhere"), place.path().join("lost")).unwrap();
    fit("lost").refused(&["lost", "a link to nothing"]);
}

#[test]
fn a_table_of_edges_that_lacks_rows_is_noticed_before_cleaning() {
    let place = with_network();
    fit(&place, &["--out", "run"]).succeeded();
    let path = place.path().join("run/edges.csv");
    let whole = std::fs::read_to_string(&path).unwrap();
    let fewer: String = whole.lines().enumerate().filter(|(i, _)| *i != 3).map(|(_, row)| format!("{row}\n")).collect();
    std::fs::write(&path, fewer).unwrap();
    place.bgcn(&["edges", "run", "--clean", "c.npz"]).refused(&["edges.csv", "restore or remove it"]);
    std::fs::write(&path, whole).unwrap();
    place.bgcn(&["edges", "run", "--clean", "c.npz"]).succeeded();
}

#[test]
fn a_table_for_programs_has_the_same_bytes_on_standard_output_and_in_a_file() {
    let place = Workplace::new();
    place.file("e.csv", "source,target\n\u{1b}[31mred,b\nb,c\nc,\u{1b}[31mred\nc,\u{9b}1md\n");
    place.file("l.csv", "id,label\nb,x\nc,y\n");
    let quick = [&["fit", "--edges", "e.csv", "--labels", "l.csv", "--out", "run"], &QUICK[..]].concat();
    place.bgcn(&quick).succeeded();
    let printed = place.bgcn(&["predict", "run", "--quiet"]).succeeded().stdout;
    place.bgcn(&["predict", "run", "--quiet", "--out", "p.csv"]).succeeded();
    assert_eq!(printed, std::fs::read_to_string(place.path().join("p.csv")).unwrap());
    assert!(printed.contains("\u{1b}[31mred") && printed.contains("\u{9b}1md"), "{printed:?}");
}

#[cfg(unix)]
#[test]
fn commands_that_come_next_can_be_pasted() {
    let place = Workplace::new();
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_bgcn")).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for out in ["my run's", "-x", "plain"] {
        let out_option = format!("--out={out}");
        let run = place.bgcn(&[&["fit", "karate", &out_option], &QUICK[..]].concat()).succeeded();
        let (_, next) = run.stdout.split_once("Next:\n").unwrap();
        let commands: Vec<&str> = next.lines().map(str::trim).collect();
        assert_eq!(commands.len(), 3, "{next}");
        for command in commands {
            let command = command.replace("NEW-DATA", "karate");
            let mut shell = Command::new("sh");
            shell.args(["-c", &command]).env("PATH", &path).current_dir(place.path());
            let done = shell.output().unwrap();
            assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
        }
    }
}
