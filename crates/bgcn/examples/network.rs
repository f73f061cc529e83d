//! The three networks of the paper on the same split of a generated network.
//!
//!     cargo run --release -p bgcn --example network

use bgcn::data::{SplitKind, demo};
use bgcn::metrics::Judged;
use bgcn::network::Kind;
use bgcn::prelude::*;
use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = demo();
    let split = data.split(&SplitKind::Random, 10, Seed::new(1))?;
    for kind in Kind::ALL {
        let plan = Plan::new().seed(1).network(kind).graph_model("observed");
        let found = plan.fit_split(&data, &split, &|_| ControlFlow::Continue(()))?;
        let Some(predicted) = found.predictions.classes() else { continue };
        let judged = Judged::new(&predicted.probabilities, predicted.classes, &data.labels, &split.test);
        if let Some(scores) = judged.scores() {
            println!("{:<8} accuracy {:.1} %, ECE {:.1} %", kind.name(), 100.0 * scores.accuracy, 100.0 * scores.ece);
        }
    }
    Ok(())
}
