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
    let plan = Plan::new().seed(1).graph_model("mmsbm");
    let found = plan.fit_split(&data, &split, &|_| ControlFlow::Continue(()))?;

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

    if let (Some(beliefs), Some(truth)) = (&found.beliefs, &data.truth) {
        let suspicious = beliefs.least_likely_observed(&data.graph, 100);
        let wrong = suspicious.iter().filter(|pair| truth.spurious.binary_search(&(pair.a, pair.b)).is_ok()).count();
        println!("of the 100 most suspicious edges {wrong} are spurious; of all edges one in ten is");
    }
    Ok(())
}
