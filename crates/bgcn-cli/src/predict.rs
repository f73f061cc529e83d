//! `bgcn predict`: a saved run, applied to the same data or to data that has changed since.

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::data::{Dataset, Error, Features};
use bgcn::files::write_atomically;
use bgcn::outputs::{PredictionTable, Record, Told};
use bgcn::posterior::{Changed, Learned, Predictions};
use clap::Args;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    /// The folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// What to predict: the run's data as it is now, changed or with new nodes; any dataset with the same features
    /// [default: where the run's data was]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    own: OwnFiles,
    /// File for the predictions [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let record = Record::read(&command.run)?;
    let path = command.run.join("model.safetensors");
    let bytes = bgcn::files::read(&path).map_err(Error::io("reading", &path))?;
    let learned = Learned::from_file(&path, &bytes)?;
    let data = load(command, &record, shared)?;
    check_nodes(command, &learned, &data)?;
    let (graph, features, feature_names) = (&data.graph, &data.features, &data.feature_names[..]);
    let to = Changed { graph, features, feature_names, seed: shared.seed() };
    learned.remarks(to)?.iter().for_each(|text| screen::remark(shared, text));
    let predictions = learned.apply(to, &|_| ControlFlow::Continue(()))?;
    let told = Told { data: &data, split: None, classes: &learned.classes, predictions: &predictions };
    if let Some(path) = &command.out {
        let failed = |source| Error::Io { doing: "writing", path: path.clone(), source };
        write_atomically(path, |w| told.write(w)).map_err(failed)?;
    }
    match (&command.out, shared.json) {
        (Some(path), true) => screen::print_json(&json!({ "dataset": data.name, "nodes": data.nodes(), "out": path })),
        (None, true) => screen::print_json(&json!({
            "dataset": data.name, "nodes": data.nodes(), "classes": learned.classes, "predictions": objects(&told),
        })),
        (Some(path), false) => {
            screen::remark(shared, &format!("{} nodes predicted: {}", screen::grouped(data.nodes()), path.display()));
            Ok(())
        }
        (None, false) => {
            let mut table = Vec::new();
            told.write(&mut table)?;
            screen::print_data(&String::from_utf8(table)?)
        }
    }
}

fn load(command: &Command, record: &Record, shared: &Shared) -> anyhow::Result<Dataset> {
    Ok(match (&command.name, &command.own.edges) {
        (None, None) => record.data.source()?.load(&shared.places())?,
        (name, _) => command.own.load(name.as_deref(), shared)?,
    })
}

/// Without features, the weights of the first layer belong to single nodes: these must be the ones of the run, in their
/// order.
fn check_nodes(command: &Command, learned: &Learned, data: &Dataset) -> Result<(), Error> {
    if !matches!(data.features, Features::Identity(_)) || learned.inputs() != Some(data.nodes()) {
        return Ok(());
    }
    let told = PredictionTable::read(&command.run.join("predictions.csv"))?;
    let then = told.column("id").into_iter().flatten();
    if then.eq((0..data.nodes() as u32).map(|a| data.ids.name(a))) {
        return Ok(());
    }
    let text = "it has no features, so what was learned belongs to the nodes of the run, and these are others, or in \
                another order. \
                Fit again, or give the nodes features";
    Err(Error::Request(format!("predicting {}: {text}", data.name)))
}

fn objects(told: &Told<'_>) -> Vec<Value> {
    let id = |a: u32| told.data.ids.name(a);
    let nodes = 0..told.data.nodes() as u32;
    match told.predictions {
        Predictions::Classes(posterior) => nodes
            .map(|a| {
                let at = a as usize;
                json!({
                    "id": id(a), "predicted": told.classes[posterior.prediction(a) as usize],
                    "probabilities": posterior.row(a), "entropy": posterior.entropy[at],
                    "expected_entropy": posterior.expected_entropy[at],
                    "mutual_information": posterior.mutual_information[at], "disagreement": posterior.disagreement[at],
                })
            })
            .collect(),
        Predictions::Values(values) => nodes
            .map(|a| {
                let model = values.between[a as usize].sqrt();
                let (mean, sd) = (values.mean[a as usize], values.variance(a).sqrt());
                json!({ "id": id(a), "mean": mean, "sd": sd, "model_sd": model })
            })
            .collect(),
    }
}
