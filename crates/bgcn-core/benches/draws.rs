//! Drawing graphs and searching pairs, at Cora's size and from ten thousand to a million nodes in random order.
//!
//! `cargo bench -p bgcn-core --bench draws`; with the time per edge drawn.

mod timed;

use bgcn_core::graph::{Graph, Normalized};
use bgcn_core::graph_model::mmsbm::{Draw, Lambda, Sampler};
use bgcn_core::graph_model::{Belief, EdgeBeliefs, GraphBuffer, registry};
use bgcn_core::rng::{For, Random, Seed};
use std::sync::Arc;
use timed::time;

/// `k` equal communities in random node order, mean degree `degree`, a tenth of it background; memberships near 0.9.
fn lambda(n: usize, k: usize, degree: f64) -> Lambda {
    let mut random = Seed::new(1).at(For::Generate, [0; 3]).fast();
    let mut pi = Vec::with_capacity(n * k);
    for _ in 0..n {
        let own = random.below(k as u64) as usize;
        pi.extend(
            (0..k).map(|j| if j == own { 8.0 + 2.0 * random.unit() as f32 } else { random.unit() as f32 / k as f32 }),
        );
    }
    let beta = 0.9 * degree * k as f64 / n as f64;
    Lambda::new(k, &pi, vec![beta; k], 0.1 * degree / n as f64).expect("rows are positive")
}

fn draw() {
    for (name, n, k, degree) in [
        ("cora/2708x7", 2708, 7, 3.9),
        ("1e4x10", 10_000, 10, 10.0),
        ("1e5x10", 100_000, 10, 10.0),
        ("1e6x10", 1_000_000, 10, 10.0),
    ] {
        let lambda = lambda(n, k, degree);
        for (way, draw) in [("hard", Draw::Hard), ("mixed", Draw::Mixed)] {
            let sampler = Sampler::new(&lambda, draw);
            let (mut buffer, mut a_hat, mut i) = (GraphBuffer::default(), Normalized::default(), 0);
            sampler.draw(Seed::new(1).at(For::Graph, [0; 3]), &mut buffer);
            let edges = Some(buffer.graph().edges());
            time(&format!("draw/{way}/{name}"), edges, || {
                i += 1;
                sampler.draw(Seed::new(1).at(For::Graph, [0, i, 0]), &mut buffer);
                a_hat.assign(buffer.graph());
            });
        }
    }
}

/// Other models of a graph drawn from the block model, with the same communities.
fn others() {
    for (name, n, k, degree) in [("cora/2708x7", 2708, 7, 3.9), ("1e5x10", 100_000, 10, 10.0)] {
        let lambda = lambda(n, k, degree);
        let mut observed = GraphBuffer::default();
        Sampler::new(&lambda, Draw::Hard).draw(Seed::new(1).at(For::Graph, [0; 3]), &mut observed);
        let rows: Vec<f32> = (0..n as u32).flat_map(|a| lambda.row(a).to_vec()).collect();
        for way in ["copying", "sbm", "dcsbm", "mmsb"] {
            let plan = registry::entry(way).expect("a model of this name").defaults(k, degree);
            let mut model = plan.start(observed.graph()).expect("defaults are allowed");
            model.restart(Belief { k, rows: &rows }).expect("one row per node");
            let (mut buffer, mut a_hat, mut i) = (GraphBuffer::default(), Normalized::default(), 0);
            model.sample(Seed::new(1).at(For::Graph, [0; 3]), &mut buffer);
            let edges = Some(buffer.graph().edges());
            time(&format!("draw/{way}/{name}"), edges, || {
                i += 1;
                model.sample(Seed::new(1).at(For::Graph, [0, i, 0]), &mut buffer);
                a_hat.assign(buffer.graph());
            });
        }
    }
}

fn search() {
    for n in [100_000, 1_000_000] {
        let lambda = lambda(n, 10, 10.0);
        let mut buffer = GraphBuffer::default();
        Sampler::new(&lambda, Draw::Mixed).draw(Seed::new(1).at(For::Graph, [0; 3]), &mut buffer);
        let mut beliefs = EdgeBeliefs::new();
        beliefs.add(Arc::new(lambda)).expect("the first inference fits");
        time(&format!("most_likely_unobserved/100/{n}x10"), None, || {
            beliefs.most_likely_unobserved(buffer.graph(), 100)
        });
        let mut tied = EdgeBeliefs::new();
        let pi: Vec<f32> =
            (0..10 * n).map(|i| f32::from((i / 10).wrapping_mul(2_654_435_761) % 10 == i % 10)).collect();
        tied.add(Arc::new(Lambda::new(10, &pi, vec![0.01; 10], 1e-5).expect("rows are positive")))
            .expect("the first inference fits");
        let empty = Graph::empty(n);
        time(&format!("most_likely_unobserved/100/tied/{n}x10"), None, || tied.most_likely_unobserved(&empty, 100));
    }
}

fn main() {
    draw();
    others();
    search();
}
