//! Inference of the block model: one iteration on graphs the size of Cora, and how it grows up to a million nodes.
//!
//! `cargo bench -p bgcn-core --bench mmsbm`; the growth part takes a few minutes: `-- growth` or `-- cora-size` picks one.
//! Nodes are in random order, so that large graphs show where the caches end.

mod timed;

use bgcn_core::graph::Graph;
use bgcn_core::graph_model::mmsbm::{Inference, Mmsbm, MmsbmParams, Start};
use bgcn_core::rng::{For, Random as _, Seed};
use timed::time;

/// `edges` edges, four fifths of them inside one of `k` equal communities; labels are in random order.
fn planted(n: usize, edges: usize, k: usize) -> (Graph, Vec<u32>) {
    let mut random = Seed::new(1).at(For::Generate, [0; 3]).fast();
    let mut order: Vec<u32> = (0..n as u32).collect();
    random.shuffle(&mut order);
    let size = n / k;
    let list: Vec<_> = (0..edges)
        .map(|_| {
            let a = random.below((size * k) as u64) as usize;
            let inside = random.unit() < 0.8;
            let b = if inside {
                a / size * size + random.below(size as u64) as usize
            } else {
                random.below(n as u64) as usize
            };
            (order[a], order[b])
        })
        .collect();
    let mut labels = vec![0; n];
    order.iter().enumerate().for_each(|(i, &a)| labels[a as usize] = (i / size).min(k - 1) as u32);
    (Graph::from_edges(n, &list).expect("nodes are below n"), labels)
}

fn cora() {
    let (graph, labels) = planted(2708, 5310, 7);
    for inference in
        [Inference::Linear, Inference::Natural, Inference::Minibatch, Inference::Langevin, Inference::Variational]
    {
        let params = MmsbmParams::alone(7, inference).check().expect("defaults are allowed");
        let mut model = Mmsbm::start(&params, &graph, Start::Labels(&labels)).expect("the start fits");
        let name = format!("mmsbm/cora-size/2708x{}x7/{}", graph.edges(), inference.name());
        time(&name, None, || model.infer(1, Seed::new(1).at(For::Lambda, [0; 3])).expect("stays finite"));
    }
}

fn growth() {
    for n in [10_000, 30_000, 100_000, 300_000, 1_000_000] {
        let (graph, labels) = planted(n, 5 * n, 10);
        let params = MmsbmParams::alone(10, Inference::Linear).check().expect("defaults are allowed");
        let mut model = Mmsbm::start(&params, &graph, Start::Labels(&labels)).expect("the start fits");
        let name = format!("mmsbm/growth/linear/{n}x{}x10", graph.edges());
        let infer = || model.infer(1, Seed::new(1).at(For::Lambda, [0; 3])).expect("stays finite");
        time(&name, Some(graph.edges()), infer);
    }
}

fn main() {
    cora();
    growth();
}
