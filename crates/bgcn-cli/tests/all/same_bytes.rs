//! The library gives the same bytes as the command.

use crate::command::Workplace;
use bgcn::findings::PredictionRows;
use bgcn_core::data::SplitKind;
use bgcn_core::recipe::Plan;
use bgcn_core::rng::Seed;
use bgcn_files::read::ReadOptions;
use bgcn_files::{Places, load};
use std::ops::ControlFlow;

/// Network, graph model, schedule: each network, one model and an average, both schedules.
const COMBINATIONS: [(&str, &str, &str); 5] = [
    ("gcn", "observed", "published"),
    ("gcn", "auto", "published"),
    ("chebnet", "copying", "published"),
    ("gat", "dcsbm", "published"),
    ("gcn", "mmsbm", "algorithm1"),
];

#[test]
fn the_library_gives_the_bytes_of_the_command() {
    let place = Workplace::new();
    let sizes = ["--nodes", "120", "--mean-degree", "6", "--classes", "3", "--words", "40", "--quiet"];
    place.bgcn(&[&["data", "generate", "--out", "g"], &sizes[..]].concat()).succeeded();
    let folder = place.path().join("g");
    let data = load(folder.to_str().unwrap(), &Places::new(None), &ReadOptions::default()).unwrap();
    let split = data.split(&SplitKind::Random, 6, Seed::new(9)).unwrap();
    for (i, (network, model, schedule)) in COMBINATIONS.into_iter().enumerate() {
        let mut plan =
            Plan::new().seed(9).graph_model(model).set("network.kind", network).set("schedule.kind", schedule);
        let mut settings = vec!["--set".to_owned(), "network.hidden=8".to_owned()];
        plan = plan.set("network.hidden", 8);
        if model != "observed" {
            plan = plan.set("schedule.pretraining", 30).set("schedule.draws", 12);
            settings.extend(["--set=schedule.pretraining=30".to_owned(), "--set=schedule.draws=12".to_owned()]);
        }
        let out = format!("run-{i}");
        let fixed =
            ["fit", "g", "--split", "random", "--labels-per-class", "6", "--seed", "9", "--quiet", "--no-baseline"];
        let chosen = ["--network", network, "--graph-model", model, "--schedule", schedule, "--out", &out];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        place.bgcn(&[&fixed[..], &chosen[..], &settings[..]].concat()).succeeded();

        let fit = plan.fit_split(&data, &split, &|_| ControlFlow::Continue(())).unwrap();
        let rows = PredictionRows {
            data: &data,
            split: Some(&split),
            classes: &fit.learned.classes,
            predictions: &fit.predictions,
        };
        let mut table = Vec::new();
        rows.write(&mut table).unwrap();
        let file = |name: &str| std::fs::read(place.path().join(&out).join(name)).unwrap();
        assert!(file("predictions.csv") == table, "predictions of {network}+{model}, {schedule}");
        assert!(file("model.safetensors") == fit.learned.to_bytes(), "weights of {network}+{model}, {schedule}");
    }
}
