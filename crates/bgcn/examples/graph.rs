//! A graph from any edge list: what was merged, and what the graph looks like.
//!
//!     cargo run -p bgcn --example graph

use bgcn::graph::{Graph, clustering};

fn main() -> Result<(), bgcn::Error> {
    // Both directions, a repetition and a self-loop: four different edges are left.
    let edges = [(0, 1), (1, 0), (1, 2), (1, 2), (0, 2), (2, 3), (3, 3)];
    let built = Graph::build(5, &edges)?;
    let graph = built.graph;
    println!("{} nodes, {} edges; merged {:?}", graph.nodes(), graph.edges(), built.merged);
    println!(
        "components {:?}, isolated {}, clustering {:.2}",
        graph.components().sizes,
        graph.isolated(),
        clustering(&graph)
    );
    for a in 0..graph.nodes() as u32 {
        println!("row {a} of Â: {:?}", graph.normalized().row(a));
    }
    Ok(())
}
