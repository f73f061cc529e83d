//! Communities from a graph alone, judged by links they were not shown.
//!
//! `cargo bench -p bgcn --bench held_out_links -- [EDGE_LIST [COMMUNITIES [START]]]`: the largest component of a list
//! of node pairs (`#` begins a comment), 1 % of its links and as many non-links held out, five times. Without a file: a
//! graph drawn from the block model itself.

use bgcn_core::graph::Graph;
use bgcn_core::graph_model::mmsbm::{Ascent, Draw, FromGraph, Lambda, Sampler};
use bgcn_core::graph_model::{GraphBuffer, HeldOut, Pair};
use bgcn_core::rng::{For, Random, Seed};
use std::collections::HashMap;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let graph = args.next().map_or_else(|| Ok(drawn()), |file| largest_component(&std::fs::read_to_string(file)?))?;
    let k = args.next().map_or(Ok(20), |k| k.parse())?;
    let wanted = args.next().unwrap_or_else(|| FromGraph::Agglomerate.name().to_owned());
    let start = FromGraph::ALL.into_iter().find(|start| start.name() == wanted).ok_or("no start of that name")?;
    println!("{} nodes, {} links, {k} communities, start: {}", graph.nodes(), graph.edges(), start.name());
    let mut sum = [0.0; 4];
    for trial in 0..5 {
        let seed = Seed::new(1).trial(trial);
        let (shown, pairs) = hold_out(&graph, seed)?;
        let clock = Instant::now();
        let pi = start.memberships(&shown, k, seed.at(For::Lambda, [0; 3]));
        let found = Ascent::default().run(&shown, k, &pi)?;
        let seconds = clock.elapsed().as_secs_f64();
        let held = HeldOut::mean(&pairs, |a, b| found.edge_probability(a, b));
        let row = [held.per_link, held.per_non_link, held.mean, seconds];
        print!(
            "hold-out {trial}: {:.3} per link, {:.4} per non-link, mean {:.4}, {:.2} s",
            row[0], row[1], row[2], row[3]
        );
        println!("; delta {:.1e}", found.delta());
        sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x / 5.0);
    }
    println!("mean: {:.3} per link, {:.4} per non-link, {:.4} over both, {:.2} s", sum[0], sum[1], sum[2], sum[3]);
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().filter(|line| line.starts_with("VmHWM")).for_each(|line| println!("peak memory {}", &line[6..]));
    Ok(())
}

fn drawn() -> Graph {
    let pi: Vec<f32> = (0..2000 * 20).map(|i| if i / 20 % 20 == i % 20 { 1.0 } else { 0.005 }).collect();
    let lambda = Lambda::new(20, &pi, vec![0.2; 20], 1e-3).expect("rows are positive");
    let mut buffer = GraphBuffer::default();
    Sampler::new(&lambda, Draw::Mixed).draw(Seed::new(1).at(For::Graph, [0; 3]), &mut buffer);
    buffer.graph().clone()
}

fn largest_component(text: &str) -> Result<Graph, Box<dyn std::error::Error>> {
    let mut number = HashMap::new();
    let mut edges = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let ends: Vec<u64> = line.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
        let &[a, b] = ends.as_slice() else { return Err(format!("{line:?} is not a pair of nodes").into()) };
        let mut node = |id| {
            let next = number.len() as u32;
            *number.entry(id).or_insert(next)
        };
        edges.push((node(a), node(b)));
    }
    let whole = Graph::from_edges(number.len(), &edges)?;
    let parts = whole.components();
    let largest = (0..parts.sizes.len()).max_by_key(|&c| parts.sizes[c]).unwrap_or(0) as u32;
    let mut place = vec![u32::MAX; whole.nodes()];
    let kept = (0..whole.nodes()).filter(|&a| parts.of[a] == largest);
    let nodes = kept.enumerate().map(|(i, a)| place[a] = i as u32).count();
    let inside = whole.edge_list().filter(|&(a, _)| parts.of[a as usize] == largest);
    let edges: Vec<_> = inside.map(|(a, b)| (place[a as usize], place[b as usize])).collect();
    Ok(Graph::from_edges(nodes, &edges)?)
}

/// 1 % of the links are taken out of the graph; as many non-links are drawn uniformly.
fn hold_out(graph: &Graph, seed: Seed) -> Result<(Graph, Vec<Pair>), Box<dyn std::error::Error>> {
    let mut random = seed.at(For::HoldOut, [0; 3]);
    let mut edges: Vec<_> = graph.edge_list().collect();
    random.shuffle(&mut edges);
    let rest = edges.split_off(edges.len() / 100);
    let mut pairs: Vec<_> = edges.iter().map(|&(a, b)| Pair { a, b, linked: true }).collect();
    let n = graph.nodes() as u64;
    while pairs.len() < 2 * edges.len() {
        let (a, b) = (random.below(n) as u32, random.below(n) as u32);
        if a != b && !graph.has_edge(a, b) {
            pairs.push(Pair { a, b, linked: false });
        }
    }
    Ok((Graph::from_edges(graph.nodes(), &rest)?, pairs))
}
