//! The three networks of the paper on the same split of a generated network.
//!
//!     cargo run --release -p bgcn --example network

use bgcn::data::demo;
use bgcn::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let data = demo();
    let seed = Seed::new(1);
    let split = data.split(&SplitKind::Random, 10, seed)?;
    for kind in [Kind::Gcn, Kind::Chebnet, Kind::Gat] {
        let plan = Plan::new(kind, GraphModelPlan::Observed).check()?;
        let found = fit(&plan, Task { data: &data, split: &split, seed }, &mut |_| {})?;
        let Some(predicted) = found.predictions.classes() else { continue };
        let judged = Judged::new(&predicted.probabilities, predicted.classes, &data.labels, &split.test);
        if let Some(scores) = judged.scores() {
            println!("{:<8} accuracy {:.1} %, ECE {:.1} %", kind.name(), 100.0 * scores.accuracy, 100.0 * scores.ece);
        }
    }
    Ok(())
}
