//! Save a run, read it back, and apply it to a changed graph: an edge less, a node more.

use bgcn::{Dataset, Error, FeatureRows, Request, Run, RunFiles, RunFolder, Seed, Source, SplitChoice, unwatched};
use std::sync::Arc;

/// Two rings of five with one feature; in the larger graph a new node hangs on the second.
fn rings(nodes: usize, edges: &[(u32, u32)]) -> Result<Dataset, Error> {
    let values: Vec<f32> = (0..nodes).map(|a| if a < 5 { 0.2 } else { 0.9 }).collect();
    let labels: Vec<Option<u32>> =
        (0..nodes).map(|a| [Some(0), None, None, None, None, Some(1)].get(a).copied()?).collect();
    let features = FeatureRows::Dense { columns: 1, values: &values };
    Dataset::builder(nodes).edges(edges).features(features).labels(&labels).build()
}

fn main() -> Result<(), Error> {
    let mut edges: Vec<(u32, u32)> = (0..10).map(|a| (a, a / 5 * 5 + (a + 1) % 5)).collect();
    let data = rings(10, &edges)?;
    let request = Request::of_data(Arc::new(data), Source::default()).seed(4).split(SplitChoice::All);
    let run = request.judge_edges(true).run(&unwatched)?;

    let folder = std::env::temp_dir().join(format!("bgcn-example-{}", std::process::id()));
    let files = RunFiles { run: &run, findings: &run.findings(), page: "" };
    RunFolder::at(&folder, true)?.write(&files)?;
    let loaded = Run::load(&folder)?;
    assert_eq!(loaded.predictions(), run.predictions());
    std::fs::remove_dir_all(&folder).ok();

    edges.remove(0);
    edges.push((10, 7));
    let (predictions, remarks) = loaded.apply(&rings(11, &edges)?, Seed::new(4), &unwatched)?;
    remarks.iter().for_each(|remark| println!("{remark}"));
    let posterior = predictions.classes().expect("labels are classes");
    println!("the new node is {} with probability {:.2}", posterior.prediction(10), posterior.row(10)[1]);
    Ok(())
}
