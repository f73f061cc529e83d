//! `bgcn compare`: comparison of two runs.

use crate::args::Shared;
use crate::screen;
use bgcn::Record;
use bgcn::Run;
use bgcn_core::data::Labels;
use bgcn_core::posterior::Predictions;
use bgcn_core::setting::shown;
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    /// Folder of the first run
    #[arg(value_name = "RUN")]
    first: PathBuf,
    /// Folder of the second run
    #[arg(value_name = "RUN")]
    second: PathBuf,
}

/// Numbers of metrics.json that are compared.
const METRICS: [(&str, &str); 10] = [
    ("accuracy", "/test/accuracy"),
    ("nll", "/test/nll"),
    ("brier", "/test/brier"),
    ("ece", "/test/ece"),
    ("mean confidence", "/test/mean_confidence"),
    ("above 90 %", "/test/above_90"),
    ("error-detection AUROC (entropy)", "/test/error_detection/entropy"),
    ("rmse", "/test/rmse"),
    ("inside the 90 % interval", "/test/coverage_90"),
    ("accuracy of the plain network", "/plain/test/accuracy"),
];

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let paths = [&command.first, &command.second];
    let [a, b] = paths.map(|path| Run::load(path));
    let (a, b) = (a?, b?);
    let both = [&a, &b].map(|run| settings(run.record()));
    let settings = differences(&both[0], &both[1]);
    let found = [&a, &b].map(|run| run.findings().metrics());
    let metric = |of: &Value, at: &str| of.pointer(at)?.as_f64();
    let metrics: Vec<(&str, Option<f64>, Option<f64>)> = METRICS
        .iter()
        .map(|&(name, at)| (name, metric(&found[0], at), metric(&found[1], at)))
        .filter(|(_, a, b)| a.is_some() || b.is_some())
        .collect();
    let agreement = Agreement::of(&a, &b);
    let warnings = agreement.warnings(&both[0], &both[1]);
    if shared.json {
        let metrics: BTreeMap<&str, Value> = metrics.iter().map(|&(name, a, b)| (name, json!([a, b]))).collect();
        return screen::print_json(&json!({
            "runs": paths, "settings": settings, "metrics": metrics, "predictions": agreement.json(),
            "warnings": warnings,
        }));
    }
    let names = paths.map(|path| path.display().to_string());
    let mut text: String = warnings.iter().map(|warning| format!("warning: {warning}\n")).collect();
    let show = |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.4}"));
    let mut table = screen::table(&["Test nodes", &names[0], &names[1], "change"]);
    for &(name, a, b) in &metrics {
        let change = a.zip(b).map_or("–".into(), |(a, b)| format!("{:+.4}", b - a));
        table.add_row([name.to_owned(), show(a), show(b), change]);
    }
    if !metrics.is_empty() {
        text += &format!("{}{}\n\n", if text.is_empty() { "" } else { "\n" }, table.trim_fmt());
    }
    text += &format!("{}\n\n", agreement.text());
    if settings.is_empty() {
        text += "The settings are the same.\n";
    } else {
        let mut table = screen::table(&["Setting", &names[0], &names[1]]).left(1..3);
        settings.iter().for_each(|(key, [a, b])| {
            table.add_row([key, a, b]);
        });
        text += &format!("{}\n", table.trim_fmt());
    }
    screen::print(&text)
}

/// Settings by key, and what was run on which data.
fn settings(record: &Record) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> =
        record.by_key().into_iter().map(|(key, value)| (key, shown(&value))).collect();
    let about = json!({ "run": record.run, "data": record.data });
    for (table, values) in about.as_object().into_iter().flatten() {
        let values = values.as_object().into_iter().flatten();
        all.extend(values.map(|(name, value)| (format!("{table}.{name}"), shown(value))));
    }
    all
}

fn differences(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> BTreeMap<String, [String; 2]> {
    let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |settings: &BTreeMap<String, String>, key| settings.get(key).cloned().unwrap_or_else(|| "–".into());
    let both = keys.into_iter().map(|key| (key.clone(), [value(a, key), value(b, key)]));
    // The data's fingerprint is a warning of its own.
    let both = both.filter(|(key, _)| key != "data.fingerprint");
    let mut differing: BTreeMap<String, [String; 2]> = both.filter(|(_, [a, b])| a != b).collect();
    // Of different graph models, the name is enough.
    if differing.contains_key("graph_model") {
        differing.retain(|key, _| a.contains_key(key) && b.contains_key(key));
    }
    differing
}

/// The label of a node as files write it.
fn label(run: &Run, a: u32) -> Option<String> {
    match &run.data().labels {
        Labels::Classes { names, of } => of[a as usize].map(|class| names[class as usize].clone()),
        Labels::Values(of) => of[a as usize].map(|y| y.to_string()),
    }
}

/// How far the predictions are the same.
#[derive(Default)]
struct Agreement {
    /// Nodes that both runs have.
    common: usize,
    equal: usize,
    /// Labelled nodes that neither was trained on: both right, only the first, only the second, neither.
    judged: [usize; 4],
    /// For numbers: the mean absolute difference.
    distance: Option<f64>,
    /// Common nodes whose label differs, and whose set does.
    other_labels: usize,
    other_sets: usize,
}

impl Agreement {
    fn of(a: &Run, b: &Run) -> Self {
        let mut found = Self::default();
        let (ids, other) = (&a.data().ids, b.data().ids.index());
        let common = (0..ids.len() as u32).filter_map(|i| Some((i, *other.get(ids.name(i).as_ref())?)));
        let sets = [a, b].map(|run| run.split().set_of(run.data().nodes()));
        let mut distances = Vec::new();
        for (i, j) in common {
            let [set_a, set_b] = [sets[0][i as usize], sets[1][j as usize]];
            let (label, other) = (label(a, i), label(b, j));
            found.common += 1;
            found.other_labels += usize::from(label != other);
            found.other_sets += usize::from(set_a != set_b);
            match (a.predictions(), b.predictions()) {
                (Predictions::Values(x), Predictions::Values(y)) => {
                    distances.push((x.mean[i as usize] - y.mean[j as usize]).abs());
                }
                (Predictions::Classes(x), Predictions::Classes(y)) => {
                    let name = |run: &Run, class: u32| run.learned().classes[class as usize].clone();
                    let (x, y) = (name(a, x.prediction(i)), name(b, y.prediction(j)));
                    found.equal += usize::from(x == y);
                    if let (Some(label), Some("test"), Some("test")) = (label, set_a, set_b) {
                        found.judged[2 * usize::from(x != label) + usize::from(y != label)] += 1;
                    }
                }
                _ => {}
            }
        }
        let n = distances.len() as f64;
        found.distance = (!distances.is_empty()).then(|| distances.iter().sum::<f64>() / n);
        found
    }

    /// Why the scores of two runs cannot be compared.
    fn warnings(&self, a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> Vec<String> {
        let mut warnings = Vec::new();
        let differs = |key: &str| a.get(key) != b.get(key);
        let nodes = screen::grouped(self.common);
        if self.common == 0 {
            warnings.push("the runs have no node in common".into());
        } else if self.other_labels > 0 {
            let labels = screen::grouped(self.other_labels);
            warnings.push(format!("{labels} of the {nodes} common nodes have another label"));
        } else if differs("data.fingerprint") {
            warnings.push("the data of the runs differs".into());
        }
        if self.common > 0 && self.other_sets > 0 {
            let sets = screen::grouped(self.other_sets);
            let text = "so the scores are of other test nodes";
            warnings.push(format!("{sets} of the {nodes} common nodes are in another set of the split, {text}"));
        }
        warnings
    }

    fn json(&self) -> Value {
        let [both, first, second, neither] = self.judged;
        json!({
            "common_nodes": self.common,
            "equal": if self.distance.is_none() { Some(self.equal) } else { None },
            "mean_absolute_difference": self.distance,
            "test": {
                "both_right": both, "only_first_right": first, "only_second_right": second, "both_wrong": neither,
            },
        })
    }

    fn text(&self) -> String {
        let nodes = screen::grouped(self.common);
        if let Some(distance) = self.distance {
            return format!("The {nodes} common nodes are predicted {distance:.4} apart on average.");
        }
        let share = 100.0 * self.equal as f64 / self.common.max(1) as f64;
        let [both, first, second, neither] = self.judged;
        format!(
            "{share:.1} % of the {nodes} common nodes are predicted alike. Of the test nodes of both, {both} are \
             right in both, \
             {first} only in the first, {second} only in the second, {neither} in neither."
        )
    }
}
