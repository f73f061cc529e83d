//! `bgcn predict`: a saved run, applied to the same data or to changed data.

use crate::args::{OwnFiles, Shared};
use crate::screen;
use bgcn::Run;
use bgcn::findings::PredictionRows;
use bgcn_core::data::Error;
use bgcn_core::posterior::Predictions;
use bgcn_files::files::write_atomically;
use clap::Args;
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::PathBuf;

#[derive(Args)]
pub struct Command {
    /// Folder of a run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Data to predict, with the same features; changed edges and new nodes allowed [default: the run's data]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    #[command(flatten)]
    own: OwnFiles,
    /// File for the predictions [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub fn run(command: &Command, shared: &Shared) -> anyhow::Result<()> {
    let run = Run::load(&command.run)?;
    let data = match (&command.name, &command.own.edges) {
        (None, None) => shared.load(&run.record().data.source()?)?,
        (name, _) => {
            let mut source = command.own.source(name.as_deref());
            source.options.fitted = run.learned().feature_names.clone();
            shared.load(&source)?
        }
    };
    let (predictions, remarks) = run.apply(&data, shared.seed(), &|_| ControlFlow::Continue(()))?;
    remarks.iter().for_each(|text| screen::remark(shared, text));
    let remarks = [&data.remarks[..], &remarks].concat();
    let classes = &run.learned().classes[..];
    let rows = PredictionRows { data: &data, split: None, classes, predictions: &predictions };
    if let Some(path) = &command.out {
        write_atomically(path, |w| rows.write(w)).map_err(Error::io("writing", path))?;
    }
    match (&command.out, shared.json) {
        (Some(path), true) => screen::print_json(&json!({
            "dataset": data.name, "nodes": data.nodes(), "remarks": remarks, "out": path,
        })),
        (None, true) => screen::print_json(&json!({
            "dataset": data.name, "nodes": data.nodes(), "remarks": remarks, "classes": classes,
            "predictions": objects(&rows),
        })),
        (Some(path), false) => {
            screen::remark(shared, &format!("{} nodes predicted: {}", screen::grouped(data.nodes()), path.display()));
            Ok(())
        }
        (None, false) => {
            let mut table = Vec::new();
            rows.write(&mut table)?;
            screen::print_data(&String::from_utf8(table)?)
        }
    }
}

fn objects(rows: &PredictionRows<'_>) -> Vec<Value> {
    let id = |a: u32| rows.data.ids.name(a);
    let nodes = 0..rows.data.nodes() as u32;
    let mut objects: Vec<Value> = match rows.predictions {
        Predictions::Classes(posterior) => nodes
            .map(|a| {
                let at = a as usize;
                json!({
                    "id": id(a), "predicted": rows.classes[posterior.prediction(a) as usize],
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
    };
    objects.iter_mut().zip(&rows.data.node_names).for_each(|(object, name)| object["name"] = json!(name));
    objects
}
