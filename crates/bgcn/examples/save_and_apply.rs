//! Save what was learned, and apply it to a changed graph: an edge less, two nodes more.

use bgcn::data::generate::Generator;
use bgcn::data::{Features, SplitKind};
use bgcn::posterior::Changed;
use bgcn::prelude::*;
use std::ops::ControlFlow;

fn main() -> Result<(), Error> {
    let data = Generator::params().nodes(300).classes(3).words(80).check()?.generate(Seed::new(4))?;
    let split = data.split(&SplitKind::Random, 10, Seed::new(4))?;
    let go_on = |_| ControlFlow::Continue(());
    let fit = Plan::new().seed(4).fit_split(&data, &split, &go_on)?;

    // Bytes for a file, a database or another machine.
    let bytes = fit.learned.to_bytes();
    let learned = Learned::from_bytes(&bytes)?;

    // Two new nodes with the words of nodes 0 and 1, joined to their neighbours; the first edge is gone.
    let mut edges: Vec<(u32, u32)> = data.graph.edge_list().skip(1).collect();
    for (new, old) in [(300, 0), (301, 1)] {
        edges.extend(data.graph.neighbours(old).iter().map(|&b| (new, b)));
    }
    let graph = Graph::from_edges(302, &edges)?;
    let Features::Sparse(mut rows) = data.features.clone() else { unreachable!("words are sparse") };
    for old in [0, 1] {
        let (columns, values) = rows.row(old);
        let mut row: Vec<(u32, f32)> = columns.iter().copied().zip(values.iter().copied()).collect();
        rows.push_row(&mut row);
    }
    let features = Features::Sparse(rows);
    let predictions = learned
        .apply(Changed { graph: &graph, features: &features, feature_names: &[], seed: Seed::new(4) }, &go_on)?;
    let posterior = predictions.classes().expect("labels are classes");
    println!("{} bytes; new nodes are {} and {}", bytes.len(), posterior.prediction(300), posterior.prediction(301));
    assert_eq!(posterior.nodes(), 302);
    Ok(())
}
