//! What must hold for graph attention on any graph: its gradient against differences of a plain network in double
//! precision, and facts about its output.

use crate::data::{DenseRows, Features, Labels};
use crate::graph::Graph;
use crate::kernels::Matrix;
use crate::network::gat::Neighbourhoods;
use crate::network::{
    Dropout, Field, Gat, Input, Kind, Network, Operator, Params, Pass, Start, Tape, Targets, Trainer, Weights,
};
use crate::rng::{For, Random, Seed};

/// A graph with features, labels and masks, all from one seed. Node 0 is isolated.
struct Problem {
    n: usize,
    d: usize,
    edges: Vec<(u32, u32)>,
    x: Vec<f32>,
    labels: Vec<u32>,
}

const CLASSES: usize = 3;

impl Problem {
    fn new(seed: u64, n: usize, d: usize, edges: usize) -> Self {
        let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
        let node = |random: &mut dyn FnMut(u64) -> u64| 1 + random(n as u64 - 1) as u32;
        let mut below = |bound: u64| random.below(bound);
        let edges = (0..edges).map(|_| (node(&mut below), node(&mut below))).collect();
        let labels = (0..n).map(|_| below(CLASSES as u64) as u32).collect();
        let x = (0..n * d).map(|_| random.normal() as f32).collect();
        Self { n, d, edges, x, labels }
    }

    fn input(&self) -> Input {
        Input::new(&Features::Dense(DenseRows { columns: self.d, values: self.x.clone() }))
    }

    fn graph(&self) -> Graph {
        Graph::from_edges(self.n, &self.edges).unwrap()
    }

    fn targets(&self, train: &[u32]) -> Targets {
        let of = self.labels.iter().map(|&class| Some(class)).collect();
        Targets::new(&Labels::Classes { names: (0..CLASSES).map(|k| k.to_string()).collect(), of }, train).unwrap()
    }
}

fn network(problem: &Problem, params: Params) -> Gat {
    Gat::new(&params.check().unwrap(), problem.d, CLASSES)
}

fn weights(network: &Gat, seed: u64) -> Weights {
    let mut stream = Seed::new(seed).at(For::Weights, [0; 3]);
    let mut weights = network.start(&mut stream);
    // Biases start at 0; here they shall matter.
    for tensor in weights.tensors.iter_mut().filter(|tensor| tensor.shape.name.starts_with('b')) {
        tensor.value.row_mut(0).iter_mut().for_each(|w| *w = 0.3 * stream.normal() as f32);
    }
    weights
}

fn output(problem: &Problem, network: &Gat, w: &Weights) -> Matrix {
    let mut operator = Neighbourhoods::default();
    operator.assign(&problem.graph());
    let (x, field, mut tape) = (problem.input(), Field::all(problem.n, network.hops()), Tape::default());
    network.forward(w, &Pass { operator: &operator, x: &x, field: &field }, Dropout::Off, &mut tape);
    tape.z
}

/// Graph attention once more: dense, double precision, nothing shared with the library but the order of the weights.
struct Plain<'a> {
    problem: &'a Problem,
    /// Per layer: heads and units.
    layers: Vec<(usize, usize)>,
    masks: &'a [Vec<bool>],
    scale: f64,
}

impl Plain<'_> {
    fn loss(&self, w: &[Vec<f64>], train: &[u32]) -> f64 {
        let z = self.logits(w);
        let of_node = |&a: &u32| {
            let z = &z[a as usize * CLASSES..][..CLASSES];
            z.iter().map(|v| v.exp()).sum::<f64>().ln() - z[self.problem.labels[a as usize] as usize]
        };
        train.iter().map(of_node).sum::<f64>() / train.len() as f64
    }

    fn logits(&self, w: &[Vec<f64>]) -> Vec<f64> {
        let mut h: Vec<f64> = self.problem.x.iter().map(|&v| f64::from(v)).collect();
        for (l, &(heads, units)) in self.layers.iter().enumerate() {
            let [w, a_src, a_dst, b] = &w[4 * l..4 * l + 4] else { unreachable!() };
            h.iter_mut().zip(&self.masks[2 * l]).for_each(|(h, &kept)| *h *= if kept { self.scale } else { 0.0 });
            let mixed = self.attention((&h, w, a_src, a_dst), (heads, units), &self.masks[2 * l + 1]);
            let last = l + 1 == self.layers.len();
            h = mixed.chunks_exact(heads * units).flat_map(|row| finish(row, b, heads, last)).collect();
        }
        h
    }

    /// Σ_b α'_ab W h_b [n, U·H].
    fn attention(
        &self,
        (h, w, a_src, a_dst): (&[f64], &[f64], &[f64], &[f64]),
        (heads, units): (usize, usize),
        mask: &[bool],
    ) -> Vec<f64> {
        let (n, width) = (self.problem.n, heads * units);
        let inputs = h.len() / n;
        let mut p = vec![0.0; n * width];
        for (i, p) in p.iter_mut().enumerate() {
            *p = (0..inputs).map(|j| h[i / width * inputs + j] * w[j * width + i % width]).sum();
        }
        let score = |a: &[f64], r: usize, k: usize| -> f64 {
            (0..units).map(|u| u * heads + k).map(|j| p[r * width + j] * a[j]).sum()
        };
        let joined = |a: usize, b: usize| {
            a == b
                || self
                    .problem
                    .edges
                    .iter()
                    .any(|&(c, d)| (c as usize, d as usize) == (a, b) || (d as usize, c as usize) == (a, b))
        };
        let (mut out, mut entry) = (vec![0.0; n * width], 0);
        for a in 0..n {
            let row: Vec<usize> = (0..n).filter(|&b| joined(a, b)).collect();
            for k in 0..heads {
                let weight = |b: usize| {
                    let e = score(a_dst, a, k) + score(a_src, b, k);
                    (if e > 0.0 { e } else { 0.2 * e }).exp()
                };
                let sum: f64 = row.iter().map(|&b| weight(b)).sum();
                for (_, &b) in row.iter().enumerate().filter(|(i, _)| mask[(entry + i) * heads + k]) {
                    for j in (0..units).map(|u| u * heads + k) {
                        out[a * width + j] += self.scale * weight(b) / sum * p[b * width + j];
                    }
                }
            }
            entry += row.len();
        }
        out
    }
}

/// ELU of a hidden row, or the mean over the heads of a last one; both with bias.
fn finish(row: &[f64], b: &[f64], heads: usize, last: bool) -> Vec<f64> {
    if last {
        return row.chunks_exact(heads).zip(b).map(|(unit, b)| unit.iter().sum::<f64>() / heads as f64 + b).collect();
    }
    row.iter().zip(b).map(|(v, b)| if v + b > 0.0 { v + b } else { (v + b).exp_m1() }).collect()
}

#[test]
fn gradients_are_the_differences_of_a_plain_network_in_double_precision() {
    for (seed, (heads, hidden, output_heads)) in [(1, (8, 2, 1)), (2, (3, 4, 2)), (3, (1, 5, 8))] {
        let problem = Problem::new(seed, 9, 4, 12);
        let gat = network(&problem, Params { heads, output_heads, hidden, dropout: 0.4, ..Params::new(Kind::Gat) });
        let (graph, train) = (problem.graph(), [0, 3, 5, 8]);
        let entries = 2 * graph.edges() + problem.n;
        let mut random = Seed::new(seed).at(For::Mask, [0; 3]);
        let sizes = [problem.n * problem.d, entries * heads, problem.n * heads * hidden, entries * output_heads];
        let masks: Vec<Vec<bool>> = sizes.map(|size| (0..size).map(|_| random.unit() < 0.6).collect()).to_vec();

        let w = weights(&gat, seed);
        let mut operator = Neighbourhoods::default();
        operator.assign(&graph);
        let (x, targets, mut field) = (problem.input(), problem.targets(&train), Field::default());
        field.assign(operator.pattern(), targets.nodes(), gat.hops());
        let pass = Pass { operator: &operator, x: &x, field: &field };
        let (mut tape, mut d_w) = (Tape::default(), Weights::zeros(gat.shapes()));
        gat.forward(&w, &pass, Dropout::Given(&masks), &mut tape);
        let loss = targets.gradient(&tape.z, &mut tape.d_z);
        gat.backward(&w, &pass, &mut tape, &mut d_w);

        let layers = vec![(heads, hidden), (output_heads, CLASSES)];
        let plain = Plain { problem: &problem, layers, masks: &masks, scale: 1.0 / 0.6 };
        let mut wide: Vec<Vec<f64>> = w.tensors.iter().map(|t| t.value.values().map(f64::from).collect()).collect();
        assert!((plain.loss(&wide, &train) - loss).abs() < 1e-6);
        for (t, tensor) in d_w.tensors.iter().enumerate() {
            let largest = tensor.value.values().fold(0.0f32, |largest, g| largest.max(g.abs()));
            for (i, found) in tensor.value.values().enumerate() {
                let start = wide[t][i];
                let mut at = |shift: f64| {
                    wide[t][i] = start + shift;
                    plain.loss(&wide, &train)
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                wide[t][i] = start;
                let error = (slope - f64::from(found)).abs();
                // The second term is the rounding of sums whose terms, of the order of 1, cancel.
                assert!(
                    error < 1e-5 * f64::from(largest) + 1e-7,
                    "{} [{i}]: {found} is not {slope}",
                    tensor.shape.name
                );
            }
        }
    }
}

#[test]
fn permuting_the_nodes_permutes_the_output() {
    let problem = Problem::new(4, 40, 6, 90);
    let gat = network(&problem, Params::new(Kind::Gat));
    let w = weights(&gat, 4);
    let mut order: Vec<u32> = (0..40).collect();
    Seed::new(4).at(For::Split, [0; 3]).shuffle(&mut order);
    let moved = |a: u32| order[a as usize];
    let mut x = vec![0.0; problem.x.len()];
    for (a, row) in problem.x.chunks_exact(problem.d).enumerate() {
        x[moved(a as u32) as usize * problem.d..][..problem.d].copy_from_slice(row);
    }
    let edges = problem.edges.iter().map(|&(a, b)| (moved(a), moved(b))).collect();
    let permuted = Problem { edges, x, labels: problem.labels.clone(), ..problem };
    let problem = Problem::new(4, 40, 6, 90);
    let (before, after) = (output(&problem, &gat, &w), output(&permuted, &gat, &w));
    for a in 0..40 {
        for (x, y) in before.row(a as usize).iter().zip(after.row(moved(a) as usize)) {
            assert!((x - y).abs() < 1e-5, "node {a}: {x} and {y}");
        }
    }
}

#[test]
fn an_isolated_node_attends_only_to_itself() {
    let mut problem = Problem::new(5, 20, 6, 40);
    let gat = network(&problem, Params::new(Kind::Gat));
    let w = weights(&gat, 5);
    let before = output(&problem, &gat, &w);
    problem.x[problem.d..].fill(7.0); // everyone else changes
    problem.edges.clear();
    let after = output(&problem, &gat, &w);
    assert_eq!(before.row(0), after.row(0));
    assert_ne!(before.row(1), after.row(1));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    // Large enough that every kernel splits its rows.
    let problem = Problem::new(6, 10_000, 20, 60_000);
    let (x, graph) = (problem.input(), problem.graph());
    let train: Vec<u32> = (0..5000).collect();
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (params, gat) = (Params::new(Kind::Gat).check().unwrap(), network(&problem, Params::new(Kind::Gat)));
            let start = Start { weights: weights(&gat, 6), masks: Seed::new(6).at(For::Train, [0; 3]) };
            let mut trainer = Trainer::new(std::sync::Arc::new(gat), &params, (&x, problem.targets(&train)), start);
            let on = trainer.prepare(&graph);
            for _ in 0..3 {
                trainer.step(&on).unwrap();
            }
            (trainer.predict(&on, Dropout::Off).clone(), trainer.weights().clone())
        })
    };
    assert!(run(1) == run(4));
}
