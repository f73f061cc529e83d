//! End to end: labels with uncertainty, and the edges that look wrong.
//!
//!     cargo run --release -p bgcn --example bayesian

use bgcn::data::{SplitKind, demo};
use bgcn::metrics::Judged;
use bgcn::prelude::*;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = demo();
    let split = data.split(&SplitKind::Random, 5, Seed::new(1))?;
    let recipe = Plan::new().seed(1).graph_model("mmsbm").resolve(&data)?;
    let task = Task { data: &data, split: &split, seed: Seed::new(1) };
    let (found, links) = bgcn::links::fit(&recipe, task, &|_| ControlFlow::Continue(()))?;

    let Some(predicted) = found.predictions.classes() else { return Ok(()) };
    let judged = Judged::new(&predicted.probabilities, predicted.classes, &data.labels, &split.test);
    if let Some(scores) = judged.scores() {
        println!("accuracy {:.1} %, ECE {:.1} %", 100.0 * scores.accuracy, 100.0 * scores.ece);
    }
    let a = split.test[0];
    println!(
        "node {}: {:?}, model uncertainty {:.3}",
        data.ids.name(a),
        predicted.row(a),
        predicted.mutual_information[a as usize]
    );

    if let Some(truth) = &data.truth {
        let first = links.edges.iter().take(100);
        let wrong = first.filter(|edge| truth.spurious.binary_search(&(edge.a, edge.b)).is_ok()).count();
        println!("of the 100 most suspicious edges {wrong} are spurious; of all edges one in ten is");
    }
    let predictions = Some(&found.predictions);
    let why = bgcn::links::Wording { graph: &data.graph, ids: &data.ids, labels: &data.labels, predictions };
    println!("the most suspicious: {}", why.of_edge(&links.edges[0]));
    Ok(())
}
