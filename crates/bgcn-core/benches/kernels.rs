//! Epochs and their kernels on random data of Cora's shape: 2708 nodes, 5278 edges, 1433 features, 140 labels.
//!
//! `cargo bench -p bgcn-core --features internals --bench kernels`

mod timed;

use bgcn_core::Checked;
use bgcn_core::data::{Features, Labels, SparseRows};
use bgcn_core::graph::Graph;
use bgcn_core::internals::{Adam, Mask, Matrix, Rate, adam_step, gather, scatter_add};
use bgcn_core::internals::{Dropout, Field, Input, Masks, Product, Start, Targets, Trainer, build};
use bgcn_core::network::{Kind, Params};
use bgcn_core::rng::{For, Random, Seed};
use timed::time;

struct CoraLike {
    graph: Graph,
    x: Input,
    labels: Labels,
    train: Vec<u32>,
}

/// A graph with a few large hubs, binary rows of 9 to 27 words, every 19th node labelled.
fn cora_like() -> CoraLike {
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
    CoraLike {
        graph: Graph::from_edges(n as usize, &edges).expect("edges in range"),
        x: Input::new(&Features::Sparse(rows).with_unit_rows()),
        labels: Labels::Classes { names, of },
        train: (0..140).map(|i| i * 19).collect(),
    }
}

fn network(data: &CoraLike, params: &Checked<Params>) {
    let network = build(params, data.x.columns(), data.labels.classes());
    let id = |what: &str| format!("{what}/{}/2708x1433", params.kind.name());
    let targets = Targets::new(&data.labels, &data.train).expect("all nodes have labels");
    let seed = Seed::new(1);
    let start =
        Start { weights: network.start(&mut seed.at(For::Weights, [0; 3])), masks: seed.at(For::Train, [0; 3]) };
    let mut trainer = Trainer::new(network, params, (&data.x, targets), start);
    let mut on = trainer.prepare(&data.graph);
    time(&id("epoch"), None, || trainer.step(&on).expect("finite"));
    time(&id("predict"), None, || trainer.predict(&on, Dropout::Off).row(0)[0]);
    time(&id("prepare"), None, || trainer.assign(&mut on, &data.graph));
}

fn epochs() {
    let data = cora_like();
    for kind in Kind::ALL {
        network(&data, &Params::new(kind).check().expect("defaults are allowed"));
    }
}

fn kernels() {
    let data = cora_like();
    let (n, d, a_hat) = (data.x.nodes(), data.x.columns(), data.graph.normalized());
    let s = a_hat.scale();
    let all = Field::all(n, 0);
    let rows = all.wanted();
    let mut stream = Seed::new(1).at(For::Train, [0; 3]);
    let mut masks = Masks::new(Dropout::On(&mut stream), Rate::new(0.5).expect("a probability"));
    let mut mask = Mask::default();
    time("mask/2708x1433", None, || data.x.draw(rows, &mut masks, &mut mask, 0));
    let how = Product { rows, kept: Some((&mask, 2.0)), factor: Some(s) };
    for width in [16, 64] {
        let (mut w, mut p, mut d_w) = (Matrix::zeros(d, width), Matrix::zeros(n, width), Matrix::zeros(d, width));
        let (mut m, mut v, mut mixed) = (Matrix::zeros(d, width), Matrix::zeros(d, width), Matrix::zeros(n, width));
        let id = |what: &str| format!("{what}/2708x1433x{width}");
        time(&id("product"), None, || data.x.times(&how, &w, &mut p));
        time(&id("transposed"), None, || data.x.add_transposed_times(&how, &p, &mut d_w));
        let adam = Adam { rate: 0.01, decay: 5e-4, step: 3 };
        time(&id("adam"), None, || adam_step(adam, &mut w, &mut d_w, &mut m, &mut v));
        let id = |what: &str| format!("{what}/2708x2708x{width}");
        let pattern = (&a_hat).into();
        time(&id("gather"), None, || gather(pattern, rows, Some(s), &p, &mut mixed));
        time(&id("scatter"), None, || scatter_add(pattern, rows, s, &p, &mut mixed));
    }
}

fn main() {
    epochs();
    kernels();
}
