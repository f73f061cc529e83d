use super::*;
use crate::graph_model::EdgeBeliefs;
use crate::rng::{For, Seed};
use proptest::prelude::*;

/// A graph of `n` nodes with `edges` random pairs, and a belief [n, k] with peaks at random classes.
fn example(n: usize, k: usize, edges: usize, seed: u64) -> (Graph, Vec<f32>) {
    let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
    let pairs: Vec<(u32, u32)> =
        (0..edges).map(|_| (random.below(n as u64) as u32, random.below(n as u64) as u32)).collect();
    let belief = (0..n * k).map(|_| random.gamma(0.5) as f32 + 1e-6).collect();
    (Graph::from_edges(n, &pairs).unwrap(), belief)
}

fn model<'g>(graph: &'g Graph, k: usize, rows: &[f32], set: impl Fn(CopyingParams) -> CopyingParams) -> Copying<'g> {
    Copying::start(&set(CopyingParams::new(k, 4.0)).check().unwrap(), graph, Belief { k, rows }).unwrap()
}

fn draw(model: &Copying<'_>, i: u32) -> Graph {
    let mut buffer = GraphBuffer::default();
    model.sample(Seed::new(9).at(For::Graph, [0, i, 0]), &mut buffer);
    buffer.graph().clone()
}

/// p(y_ab = 1) by listing every z_a and z_b.
fn by_listing(model: &Copying<'_>, a: u32, b: u32, copies: f64) -> f64 {
    // The chance that none of so many z_a is a neighbour of b: choices one after another, in every way.
    fn never(choices: &[(bool, f64)], times: u32) -> f64 {
        if times == 0 {
            return 1.0;
        }
        choices.iter().filter(|(joined, _)| !joined).map(|(_, p)| p * never(choices, times - 1)).sum()
    }
    let none = |a: u32, b: u32| {
        let class = model.classes.block(model.labels[a as usize] as usize);
        let share = model.params.copy / class.len() as f64;
        let copied = class.iter().map(|&z| (model.graph.has_edge(z, b), share));
        let choices: Vec<_> = copied.chain([(model.graph.has_edge(a, b), 1.0 - model.params.copy)]).collect();
        let (few, more) = (copies.floor(), copies.fract());
        (1.0 - more) * never(&choices, few as u32) + more * never(&choices, few as u32 + 1)
    };
    1.0 - none(a, b) * none(b, a)
}

/// The most likely unobserved pairs after two inferences, by the search and by sorting every pair.
fn found_and_wanted(
    (graph, belief): (Graph, Vec<f32>),
    k: usize,
    count: usize,
    (classes, seed): (Assignment, u64),
) -> (Vec<(f64, u32, u32)>, Vec<(f64, u32, u32)>) {
    // Sparse examples copy more than once.
    let degree = 2.0 * graph.edges() as f64 / graph.nodes() as f64;
    let mut model = model(&graph, k, &belief, |params| CopyingParams {
        assignment: classes,
        ..CopyingParams::new(params.communities, degree)
    });
    let mut beliefs = EdgeBeliefs::new();
    for i in 0..2 {
        model.infer(0, Seed::new(seed).at(For::Lambda, [0, i, 0])).unwrap();
        beliefs.add(model.pair_belief().unwrap()).unwrap();
    }
    let pairs = (0..graph.nodes() as u32).flat_map(|b| (0..b).map(move |a| (a, b)));
    let apart = pairs.filter(|&(a, b)| !graph.has_edge(a, b));
    let mut wanted: Vec<(f64, u32, u32)> = apart.map(|(a, b)| (-beliefs.edge_probability(a, b), a, b)).collect();
    wanted.sort_by(|x, y| x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2))));
    wanted.truncate(count);
    let found = beliefs.most_likely_unobserved(&graph, count);
    (found.iter().map(|pair| (-pair.p, pair.a, pair.b)).collect(), wanted)
}

proptest! {
    #[test]
    fn edge_probabilities_are_those_of_listing_every_choice(
        n in 2usize..12, k in 1usize..4, edges in 0usize..40, copy in 0.0f64..=1.0, copies in 1.0f64..3.0,
        seed in 0u64..500,
    ) {
        let (graph, belief) = example(n, k, edges, seed);
        let model = model(&graph, k, &belief, |params| CopyingParams { copy, copies, ..params });
        let pairs = model.pair_belief().unwrap();
        for a in 0..n as u32 {
            prop_assert_eq!(model.edge_probability(a, a), 0.0);
            for b in (0..n as u32).filter(|b| *b != a) {
                let wanted = by_listing(&model, a, b, copies);
                prop_assert!((model.edge_probability(a, b) - wanted).abs() < 1e-12);
                prop_assert!((pairs.probability(a, b) - wanted).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn the_search_finds_what_sorting_every_pair_finds(
        n in 2usize..80, k in 1usize..5, edges in 0usize..200, count in 0usize..40, seed in 0u64..500,
    ) {
        // The most likely classes tie often, and equals come in the order of their nodes.
        let classes = if seed % 2 == 0 { Assignment::Sampled } else { Assignment::Map };
        let (found, wanted) = found_and_wanted(example(n, k, edges, seed), k, count, (classes, seed));
        prop_assert_eq!(found, wanted);
    }

    #[test]
    fn draws_are_simple_graphs_that_depend_on_the_stream_alone(
        n in 1usize..60, k in 1usize..5, edges in 0usize..120, copy in 0.0f64..=1.0, seed in 0u64..500,
    ) {
        let (graph, belief) = example(n, k, edges, seed);
        let model = model(&graph, k, &belief, |params| CopyingParams { copy, ..params });
        let mut used = GraphBuffer::default();
        for i in 0..3 {
            model.sample(Seed::new(9).at(For::Graph, [0, i, 0]), &mut used);
            let drawn = used.graph();
            prop_assert_eq!(drawn, &draw(&model, i));
            prop_assert_eq!(drawn.nodes(), n);
            // The plain constructor drops loops and repeats, and makes rows symmetric: it changes nothing here.
            let listed: Vec<(u32, u32)> = drawn.edge_list().collect();
            prop_assert_eq!(drawn, &Graph::from_edges(n, &listed).unwrap());
            prop_assert_eq!(2 * listed.len(), drawn.targets().len());
        }
    }

    #[test]
    fn another_numbering_of_nodes_and_classes_permutes_the_probabilities(
        n in 2usize..30, k in 1usize..4, edges in 0usize..60, seed in 0u64..500,
    ) {
        let (graph, belief) = example(n, k, edges, seed);
        let mut to: Vec<u32> = (0..n as u32).collect();
        Seed::new(seed).at(For::Split, [0; 3]).shuffle(&mut to);
        let moved: Vec<(u32, u32)> = graph.edge_list().map(|(a, b)| (to[a as usize], to[b as usize])).collect();
        let mut rows = vec![0.0; n * k];
        for a in 0..n {
            (0..k).for_each(|c| rows[to[a] as usize * k + (c + 1) % k] = belief[a * k + c]);
        }
        let other = Graph::from_edges(n, &moved).unwrap();
        let (one, two) = (model(&graph, k, &belief, |p| p), model(&other, k, &rows, |p| p));
        for a in 0..n as u32 {
            for b in 0..n as u32 {
                let p = two.edge_probability(to[a as usize], to[b as usize]);
                prop_assert!((one.edge_probability(a, b) - p).abs() < 1e-12);
            }
        }
    }
}

// Four copies for each node, and ties by the dozen: a bound one rounding below its pairs would lose some.
#[test]
fn the_bound_is_rounded_like_the_probability() {
    let (found, wanted) = found_and_wanted(example(45, 4, 14, 489), 4, 21, (Assignment::Map, 489));
    assert_eq!(found, wanted);
}

#[test]
fn repeated_chances_are_in_range_and_never_fall() {
    for copies in [(1, 0.0), (2, 0.5), (3, 0.25), (4, 0.0), (7, 0.9), (100, 0.0)] {
        let mut last = 0.0;
        for i in 0..=20_000u32 {
            // Neighbouring numbers at every scale, and one above 1 by rounding.
            let r = if i == 20_000 { 1.0f64.next_up() } else { f64::from(i / 2) / 1e4 };
            let chance = repeated(if i % 2 == 1 { r.next_up() } else { r }, copies);
            assert!((last..=1.0).contains(&chance), "{copies:?} at {r}: {chance} after {last}");
            let plain = 1.0 - (1.0 - r).max(0.0).powf(f64::from(copies.0)) * (1.0 - copies.1 * r);
            assert!((chance - plain).abs() < 1e-14);
            last = chance;
        }
    }
}

#[test]
fn without_copying_every_draw_is_the_observed_graph() {
    let (graph, belief) = example(50, 3, 120, 4);
    let model = model(&graph, 3, &belief, |params| CopyingParams { copy: 0.0, ..params });
    assert!((0..5).all(|i| draw(&model, i) == graph));
}

// 435 pairs, 20,000 draws, five standard errors (and one count) each: a false alarm in about 1 of 4,000 seeds.
#[test]
fn edges_are_drawn_as_often_as_their_probability_says() {
    const DRAWS: u32 = 20_000;
    let (graph, belief) = example(30, 3, 50, 2);
    let model = model(&graph, 3, &belief, |params| CopyingParams { copy: 0.7, copies: 1.6, ..params });
    let mut counts = vec![0f64; 900];
    let mut buffer = GraphBuffer::default();
    for i in 0..DRAWS {
        model.sample(Seed::new(5).at(For::Graph, [0, i, 0]), &mut buffer);
        buffer.graph().edge_list().for_each(|(a, b)| counts[a as usize * 30 + b as usize] += 1.0);
    }
    for b in 0..30u32 {
        for a in 0..b {
            let (p, n) = (model.edge_probability(a, b), f64::from(DRAWS));
            let off = (counts[a as usize * 30 + b as usize] - n * p).abs();
            assert!(off <= 5.0 * (n * p * (1.0 - p)).sqrt() + 1.0, "{a}–{b}: {p}, off by {off}");
        }
    }
}

#[test]
fn classes_are_the_most_likely_or_drawn_anew_at_every_inference() {
    let (graph, belief) = example(200, 4, 300, 6);
    let wanted: Vec<u32> = belief.chunks_exact(4).map(strongest).collect();
    let mut map = model(&graph, 4, &belief, |params| params);
    let report = map.infer(7, Seed::new(1).at(For::Lambda, [0; 3])).unwrap();
    assert_eq!((&map.labels[..], report.iterations), (&wanted[..], 0));
    let mut sampled = model(&graph, 4, &belief, |params| CopyingParams { assignment: Assignment::Sampled, ..params });
    let mut infer = |i| {
        sampled.infer(0, Seed::new(1).at(For::Lambda, [0, i, 0])).unwrap();
        sampled.labels.clone()
    };
    let (one, two, again) = (infer(0), infer(1), infer(0));
    assert!(one != two && one == again && one != wanted);
}

#[test]
fn a_belief_that_does_not_fit_says_what_does_not() {
    let graph = Graph::from_edges(2, &[(0, 1)]).unwrap();
    let params = CopyingParams::new(2, 4.0).check().unwrap();
    let error = |k, rows: &[f32]| Copying::start(&params, &graph, Belief { k, rows }).unwrap_err().to_string();
    assert!(error(3, &[1.0; 6]).contains("3 classes, the settings about 2"));
    assert!(error(2, &[1.0; 6]).contains("3 nodes, the graph has 2"));
    for bad in [[0.5, 0.5, f32::NAN, 1.0], [0.5, 0.5, -1.0, 2.0], [0.5, 0.5, 0.0, 0.0]] {
        assert!(error(2, &bad).contains("node 1"));
    }
}
