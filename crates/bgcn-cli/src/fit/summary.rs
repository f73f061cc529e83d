//! What `bgcn fit` prints: a readable summary, or one JSON object.

use super::{Run, TestScores};
use crate::screen::{self, grouped};
use bgcn::data::Labels;
use serde_json::{Value, json};

/// The run as one JSON object.
pub fn json(run: &Run<'_>) -> Value {
    let mut object = json!({
        "dataset": run.data.name,
        "method": run.options.method(),
        "split": run.split_kind.name(),
        "labels_per_class": run.options.labels_per_class,
        "seed": run.seed,
        "train_nodes": run.split.train.len(),
        "test_nodes": run.split.test.len(),
        "seconds": { "load": run.load, "train": run.train, "total": run.total },
    });
    match &run.scores {
        Some(TestScores::Classes(scores)) => {
            object["test_accuracy"] = json!(scores.accuracy);
            object["test_class_accuracy"] = json!(scores.class_accuracy);
            object["test_nll"] = json!(scores.nll);
            object["test_ece"] = json!(scores.ece);
            object["test_brier"] = json!(scores.brier);
        }
        Some(TestScores::Values(scores)) => {
            object["test_rmse"] = json!(scores.rmse);
            object["test_nll"] = json!(scores.nll);
            object["test_coverage_90"] = json!(scores.coverage_90);
        }
        None => {}
    }
    object
}

/// The run in a few lines and tables.
pub fn text(run: &Run<'_>) -> String {
    let mut text = format!(
        "{} on {}: learned from {} labels ({} split), {} nodes predicted in {:.2} s\n\n",
        run.options.method(),
        run.data.name,
        grouped(run.split.train.len()),
        run.split_kind.name(),
        grouped(run.data.nodes()),
        run.train,
    );
    match &run.scores {
        Some(TestScores::Classes(scores)) => {
            let mut table = screen::table(&["Test nodes", &grouped(run.split.test.len())]);
            table.add_row(["Accuracy", &format!("{:.1} %", 100.0 * scores.accuracy)]);
            table.add_row(["NLL", &format!("{:.3}", scores.nll)]);
            table.add_row(["ECE", &format!("{:.1} %", 100.0 * scores.ece)]);
            table.add_row(["Brier score", &format!("{:.3}", scores.brier)]);
            text += &format!("{}\n\n{}\n", table.trim_fmt(), by_class(run, &scores.class_accuracy));
        }
        Some(TestScores::Values(scores)) => {
            let mut table = screen::table(&["Test nodes", &grouped(run.split.test.len())]);
            table.add_row(["RMSE", &format!("{:.4}", scores.rmse)]);
            table.add_row(["NLL", &format!("{:.3}", scores.nll)]);
            table.add_row(["Inside the 90 % interval", &format!("{:.1} %", 100.0 * scores.coverage_90)]);
            text += &format!("{}\n", table.trim_fmt());
        }
        None => {
            text += "No test nodes: every label was learned from, so there is nothing to judge the predictions by.\n"
        }
    }
    text
}

fn by_class(run: &Run<'_>, accuracy: &[Option<f64>]) -> String {
    let Labels::Classes { names, .. } = &run.data.labels else { return String::new() };
    let mut table = screen::table(&["Class", "Accuracy", ""]);
    for (name, accuracy) in names.iter().zip(accuracy) {
        let (value, bar) = match accuracy {
            Some(share) => (format!("{:.1} %", 100.0 * share), screen::bar(*share, 1.0, 30)),
            None => ("no test node".into(), String::new()),
        };
        table.add_row([name.clone(), value, bar]);
    }
    table.column_mut(2).map(|column| column.set_cell_alignment(comfy_table::CellAlignment::Left));
    table.trim_fmt()
}
