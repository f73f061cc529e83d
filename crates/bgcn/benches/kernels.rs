//! Epochs and kernels on random data of Cora's shape: 2708 nodes, 5278 edges, 1433 features, 140 labels.

use bgcn::data::{Features, Labels, SparseRows};
use bgcn::graph::Graph;
use bgcn::network::{Dropout, Gcn, Input, Network, Start, Targets, Trainer, Weights};
use bgcn::rng::{For, Random, Seed};
use criterion::{Criterion, criterion_group, criterion_main};

struct Shape {
    graph: Graph,
    x: Input,
    labels: Labels,
    train: Vec<u32>,
}

/// A graph with a few large hubs, binary rows of 9 to 27 words, every 19th node labelled.
fn cora_like() -> Shape {
    let (n, d) = (2708u32, 1433u64);
    let mut random = Seed::new(1).at(For::Generate, [0; 3]);
    let mut edges = Vec::new();
    while edges.len() < 5278 {
        let hub = (random.unit().powi(3) * f64::from(n)) as u32;
        edges.push((random.below(u64::from(n)) as u32, hub));
    }
    let mut rows = SparseRows::new(d as usize);
    for _ in 0..n {
        let mut words: Vec<u32> = (0..9 + random.below(19)).map(|_| random.below(d) as u32).collect();
        words.sort_unstable();
        words.dedup();
        rows.push_row(&mut words.into_iter().map(|word| (word, 1.0)).collect::<Vec<_>>());
    }
    let names = (0..7).map(|class| class.to_string()).collect();
    let of = (0..n).map(|_| Some(random.below(7) as u32)).collect();
    Shape {
        graph: Graph::from_edges(n as usize, &edges).expect("edges in range"),
        x: Input::new(&Features::Sparse(rows).with_unit_rows()),
        labels: Labels::Classes { names, of },
        train: (0..140).map(|i| i * 19).collect(),
    }
}

fn epochs(criterion: &mut Criterion) {
    let shape = cora_like();
    let targets = Targets::new(&shape.labels, &shape.train).expect("all nodes have labels");
    let params = Gcn::params().check().expect("defaults are allowed");
    let network = Gcn::new(&params, shape.x.columns(), targets.outputs());
    let seed = Seed::new(1);
    let start = Start {
        weights: Weights::glorot(network.shapes(), &mut seed.at(For::Weights, [0; 3])),
        masks: seed.at(For::Train, [0; 3]),
    };
    let mut trainer = Trainer::new(network, &params, (&shape.x, targets), start);
    let mut prepared = trainer.prepare(&shape.graph).expect("a row per node");
    criterion.bench_function("epoch/gcn/2708x1433", |b| b.iter(|| trainer.step(&prepared).expect("finite")));
    criterion
        .bench_function("predict/gcn/2708x1433", |b| b.iter(|| trainer.predict(&prepared, Dropout::Off).row(0)[0]));
    criterion.bench_function("prepare/gcn/2708x1433", |b| {
        b.iter(|| trainer.assign(&mut prepared, &shape.graph).expect("a row per node"))
    });
}

criterion_group!(benches, epochs);
criterion_main!(benches);
