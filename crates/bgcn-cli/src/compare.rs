//! `bgcn compare`: two runs side by side.

use crate::args::Shared;
use crate::screen;
use bgcn::data::Error;
use bgcn::outputs::{PredictionTable, Record};
use bgcn::setting::shown;
use clap::Args;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct Command {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    first: PathBuf,
    /// The folder of another
    #[arg(value_name = "RUN")]
    second: PathBuf,
}

/// Numbers of metrics.json that are set side by side.
const METRICS: [(&str, &str); 10] = [
    ("accuracy", "/test/accuracy"),
    ("nll", "/test/nll"),
    ("brier", "/test/brier"),
    ("ece", "/test/ece"),
    ("mean confidence", "/test/mean_confidence"),
    ("above 90 %", "/test/above_90"),
    ("spotting mistakes (entropy)", "/test/spotting_mistakes/entropy"),
    ("rmse", "/test/rmse"),
    ("inside the 90 % interval", "/test/coverage_90"),
    ("accuracy of the plain network", "/plain/test/accuracy"),
];

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let paths = [&command.first, &command.second];
    let [a, b] = paths.map(|path| Run::read(path));
    let (a, b) = (a?, b?);
    let settings = differences(&a.settings, &b.settings);
    let metrics: Vec<(&str, Option<f64>, Option<f64>)> = METRICS
        .iter()
        .map(|&(name, at)| (name, a.metric(at), b.metric(at)))
        .filter(|(_, a, b)| a.is_some() || b.is_some())
        .collect();
    let agreement = Agreement::of(&a.predictions, &b.predictions);
    let warnings = agreement.warnings(&a, &b);
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

/// What is read of a run.
struct Run {
    settings: BTreeMap<String, String>,
    metrics: Value,
    predictions: PredictionTable,
}

impl Run {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let record = Record::read(path)?;
        let file = path.join("metrics.json");
        let metrics = bgcn::files::read(&file).map_err(|error| {
            Error::Request(format!("reading {}: {error}. Give the folders of two runs.", file.display()))
        })?;
        let bad = |error| Error::Request(format!("reading {}: {error}", file.display()));
        Ok(Self {
            settings: settings(&record)?,
            metrics: serde_json::from_slice(&metrics).map_err(bad)?,
            predictions: PredictionTable::read(&path.join("predictions.csv"))?,
        })
    }

    fn metric(&self, at: &str) -> Option<f64> {
        self.metrics.pointer(at)?.as_f64()
    }
}

/// Settings by key, and what was run on which data.
fn settings(record: &Record) -> anyhow::Result<BTreeMap<String, String>> {
    let mut all: BTreeMap<String, String> =
        record.by_key().into_iter().map(|(key, value)| (key, shown(&value))).collect();
    let about = serde_json::json!({ "run": record.run, "data": record.data });
    for (table, values) in about.as_object().into_iter().flatten() {
        let values = values.as_object().into_iter().flatten();
        all.extend(values.map(|(name, value)| (format!("{table}.{name}"), shown(value))));
    }
    Ok(all)
}

fn differences(a: &BTreeMap<String, String>, b: &BTreeMap<String, String>) -> BTreeMap<String, [String; 2]> {
    let keys: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
    let value = |settings: &BTreeMap<String, String>, key| settings.get(key).cloned().unwrap_or_else(|| "–".into());
    let both = keys.into_iter().map(|key| (key.clone(), [value(a, key), value(b, key)]));
    // The data's fingerprint is a warning of its own.
    let both = both.filter(|(key, _)| key != "data.fingerprint");
    let mut differing: BTreeMap<String, [String; 2]> = both.filter(|(_, [a, b])| a != b).collect();
    // Of different graph models, the name says all.
    if differing.contains_key("graph_model") {
        differing.retain(|key, _| a.contains_key(key) && b.contains_key(key));
    }
    differing
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
    fn of(a: &PredictionTable, b: &PredictionTable) -> Self {
        let mut found = Self::default();
        let column = |table: &PredictionTable, name: &str| -> Vec<String> {
            table.column(name).into_iter().flatten().map(str::to_owned).collect()
        };
        let ids = column(b, "id");
        let places: HashMap<&str, usize> = ids.iter().map(String::as_str).zip(0..).collect();
        let common = column(a, "id").into_iter().enumerate().filter_map(|(i, id)| Some((i, *places.get(id.as_str())?)));
        let common: Vec<(usize, usize)> = common.collect();
        found.common = common.len();
        let [labels, sets, sets_b] = [column(a, "label"), column(a, "set"), column(b, "set")];
        let labels_b = column(b, "label");
        let [means, means_b] = [column(a, "mean"), column(b, "mean")];
        let [predicted, predicted_b] = [column(a, "predicted"), column(b, "predicted")];
        let number = |texts: &[String], i: usize| texts.get(i).and_then(|text| text.parse::<f64>().ok());
        let mut distances = Vec::new();
        for (i, j) in common {
            found.other_labels += usize::from(labels.get(i) != labels_b.get(j));
            found.other_sets += usize::from(sets.get(i) != sets_b.get(j));
            if let Some((x, y)) = number(&means, i).zip(number(&means_b, j)) {
                distances.push((x - y).abs());
            }
            let (Some(x), Some(y)) = (predicted.get(i), predicted_b.get(j)) else { continue };
            found.equal += usize::from(x == y);
            if !labels[i].is_empty() && sets[i] == "test" && sets_b[j] == "test" {
                found.judged[2 * usize::from(*x != labels[i]) + usize::from(*y != labels[i])] += 1;
            }
        }
        let n = distances.len() as f64;
        found.distance = (!distances.is_empty()).then(|| distances.iter().sum::<f64>() / n);
        found
    }

    /// Why the scores of two runs cannot be set side by side.
    fn warnings(&self, a: &Run, b: &Run) -> Vec<String> {
        let mut warnings = Vec::new();
        let differs = |key: &str| a.settings.get(key) != b.settings.get(key);
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
