//! What every graph model owes, by name: a new model is tested here as soon as it has one.

use bgcn_core::graph::Graph;
use bgcn_core::graph_model::registry::{self, ModelSettings};
use bgcn_core::graph_model::{Belief, EdgeBeliefs, GraphBuffer, GraphModel};
use bgcn_core::rng::{For, Random as _, Seed};

const K: usize = 3;

/// A random graph with a random but certain class for each node: nothing is left for a model to be unsure of.
fn example(n: usize, edges: usize, seed: u64) -> (Graph, Vec<u32>) {
    let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
    let mut node = || random.below(n as u64) as u32;
    let pairs: Vec<(u32, u32)> = (0..edges).map(|_| (node(), node())).collect();
    let classes = (0..n).map(|_| random.below(K as u64) as u32).collect();
    (Graph::from_edges(n, &pairs).unwrap(), classes)
}

fn certain(classes: &[u32]) -> Vec<f32> {
    classes.iter().flat_map(|&class| (0..K as u32).map(move |c| f32::from(u8::from(c == class)))).collect()
}

fn names() -> impl Iterator<Item = &'static str> {
    registry::ALL.iter().map(|entry| entry.name)
}

fn settings(name: &str) -> ModelSettings {
    registry::entry(name).unwrap().defaults(K, 4.0)
}

fn model<'g>(name: &str, graph: &'g Graph, classes: &[u32]) -> Box<dyn GraphModel + 'g> {
    let mut model = settings(name).start(graph).unwrap();
    model.restart(Belief { k: K, rows: &certain(classes) }).unwrap();
    model
}

fn draw(model: &dyn GraphModel, i: u32, into: &mut GraphBuffer) {
    model.sample(Seed::new(8).at(For::Graph, [0, i, 0]), into);
}

#[test]
fn draws_are_simple_graphs_and_depend_on_the_stream_alone() {
    for name in names() {
        for (n, edges) in [(40, 90), (12, 0), (1, 0)] {
            let (graph, classes) = example(n, edges, 3);
            let mut model = model(name, &graph, &classes);
            let mut used = GraphBuffer::default();
            for i in 0..6 {
                if i == 3 {
                    model.infer(2, Seed::new(8).at(For::Lambda, [0; 3])).unwrap();
                }
                draw(&*model, i, &mut used);
                let mut fresh = GraphBuffer::default();
                draw(&*model, i, &mut fresh);
                assert_eq!(used.graph(), fresh.graph(), "{name}");
                // The plain constructor drops loops and repeats and makes rows symmetric: it changes nothing here.
                let listed: Vec<(u32, u32)> = used.graph().edge_list().collect();
                assert_eq!(used.graph(), &Graph::from_edges(n, &listed).unwrap(), "{name}");
            }
        }
    }
}

// 190 pairs, 4,000 draws, six standard errors (and two counts) each: a false alarm in about 1 of a million seeds for
// each model.
#[test]
fn edges_are_drawn_as_often_as_their_probability_says() {
    const DRAWS: u32 = 4000;
    let (graph, classes) = example(20, 40, 5);
    for name in names() {
        let model = model(name, &graph, &classes);
        let (mut counts, mut buffer) = (vec![0f64; 400], GraphBuffer::default());
        for i in 0..DRAWS {
            draw(&*model, i, &mut buffer);
            buffer.graph().edge_list().for_each(|(a, b)| counts[a as usize * 20 + b as usize] += 1.0);
        }
        for b in 0..20u32 {
            for a in 0..b {
                let (p, n) = (model.edge_probability(a, b), f64::from(DRAWS));
                assert_eq!(p, model.edge_probability(b, a), "{name}");
                let off = (counts[a as usize * 20 + b as usize] - n * p).abs();
                assert!(off <= 6.0 * (n * p * (1.0 - p)).sqrt() + 2.0, "{name}, {a}–{b}: {p}, off by {off}");
            }
        }
    }
}

#[test]
fn another_numbering_of_nodes_and_classes_permutes_the_probabilities() {
    let (graph, classes) = example(25, 60, 7);
    let mut to: Vec<u32> = (0..25).collect();
    Seed::new(7).at(For::Split, [0; 3]).shuffle(&mut to);
    let moved: Vec<(u32, u32)> = graph.edge_list().map(|(a, b)| (to[a as usize], to[b as usize])).collect();
    let other = Graph::from_edges(25, &moved).unwrap();
    let mut renamed = vec![0; 25];
    (0..25).for_each(|a| renamed[to[a] as usize] = (classes[a] + 1) % K as u32);
    for name in names() {
        let (one, two) = (model(name, &graph, &classes), model(name, &other, &renamed));
        for a in 0..25u32 {
            assert_eq!(one.edge_probability(a, a), 0.0, "{name}");
            for b in 0..25u32 {
                let p = two.edge_probability(to[a as usize], to[b as usize]);
                assert!((one.edge_probability(a, b) - p).abs() < 1e-6, "{name}");
            }
        }
    }
}

#[test]
fn the_belief_in_pairs_is_the_probability_and_its_search_is_exact() {
    let (graph, classes) = example(60, 150, 9);
    for name in names() {
        let mut model = model(name, &graph, &classes);
        model.infer(2, Seed::new(8).at(For::Lambda, [0; 3])).unwrap();
        let Some(belief) = model.pair_belief() else {
            assert_eq!(name, "observed");
            continue;
        };
        let mut beliefs = EdgeBeliefs::new();
        beliefs.add(belief).unwrap();
        let mut apart = Vec::new();
        for b in 0..60u32 {
            for a in 0..b {
                let p = beliefs.edge_probability(a, b);
                assert!((p - model.edge_probability(a, b)).abs() < 1e-6, "{name}");
                if !graph.has_edge(a, b) {
                    apart.push((p, a, b));
                }
            }
        }
        apart.sort_by(|x, y| y.0.total_cmp(&x.0).then((x.1, x.2).cmp(&(y.1, y.2))));
        let found = beliefs.most_likely_unobserved(&graph, 50);
        assert!(found.iter().map(|pair| (pair.p, pair.a, pair.b)).eq(apart[..50].iter().copied()), "{name}");
    }
}
