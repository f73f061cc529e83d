//! End to end: labels with uncertainty, and suspicious edges.
//!
//!     cargo run --release -p bgcn --example bayesian

use bgcn::findings::Judgement;
use bgcn::{Error, Plan, Request, Source, SplitChoice, demo, unwatched};
use std::sync::Arc;

fn main() -> Result<(), Error> {
    let plan = Plan::new().graph_model("mmsbm");
    let request = Request::of_data(Arc::new(demo()), Source::default()).plan(plan).seed(1);
    let run = request.split(SplitChoice::Random).labels_per_class(Some(5)).judge_edges(true).run(&unwatched)?;

    let findings = run.findings();
    if let Judgement::Classes(test) = &findings.judgement {
        println!("accuracy {:.1} %, ECE {:.1} %", 100.0 * test.scores.accuracy, 100.0 * test.scores.ece);
    }
    let posterior = run.predictions().classes().expect("labels are classes");
    let a = run.split().test[0];
    println!("node {a}: {:?}, model uncertainty {:.3}", posterior.row(a), posterior.mutual_information[a as usize]);

    if let Some(edges) = &findings.edges {
        for at in edges.precision.iter().flat_map(|precision| &precision.suspicious) {
            println!("precision@{}: {:.0} %", at.first, 100.0 * at.precision);
        }
        println!("the most suspicious: {}", edges.suspicious[0].reasons);
    }
    Ok(())
}
