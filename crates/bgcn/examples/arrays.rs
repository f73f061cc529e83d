//! Fit arrays: a graph, features and a few labels from memory, borrowed, and what comes out.

use bgcn::data::FeatureRows;
use bgcn::prelude::*;

fn main() -> Result<(), Error> {
    // Two rings of ten nodes, joined by one edge; each ring has words of its own.
    let ring = |first: u32| (0..10).map(move |i| (first + i, first + (i + 1) % 10));
    let edges: Vec<(u32, u32)> = ring(0).chain(ring(10)).chain([(0, 10)]).collect();
    let values: Vec<f32> = (0..20).flat_map(|a| if a < 10 { [1.0, 0.0, 0.5] } else { [0.0, 1.0, 0.5] }).collect();
    let mut labels = [None; 20];
    (labels[2], labels[12]) = (Some(0), Some(1));

    let rows = FeatureRows::Dense { columns: 3, values: &values };
    let data = Dataset::builder(20).edges(&edges).features(rows).labels(&labels).build()?;
    let fit = bgcn::on_threads(2, || Plan::new().graph_model("copying").seed(7).fit(&data))??;

    let posterior = fit.predictions.classes().expect("labels are classes");
    for a in [5, 15] {
        println!("node {a}: class {}, probabilities {:.2?}", posterior.prediction(a), posterior.row(a));
    }
    for edge in fit.suspicious(&data, 3) {
        println!("{} – {}: probability {:.3}", edge.a, edge.b, edge.p);
    }
    assert_eq!([posterior.prediction(5), posterior.prediction(15)], [0, 1]);
    Ok(())
}
