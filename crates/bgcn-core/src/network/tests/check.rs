//! What every network must satisfy, in dense f64 arithmetic.

use crate::data::{Features, Labels, SparseRows};
use crate::graph::Graph;
use crate::network::{Dropout, Field, Input, Network, Pass, Tape, Targets, Weights};
use crate::rng::{For, Random as _, Seed};

pub(crate) type Table = Vec<Vec<f64>>;

/// A small random problem: 14 nodes (the last isolated), 9 sparse features, 3 classes, 4 labels.
pub(crate) struct Case {
    pub(crate) graph: Graph,
    pub(crate) features: SparseRows,
    pub(crate) labels: Labels,
    pub(crate) train: Vec<u32>,
    seed: Seed,
}

/// Weights and dropout factors in f64: `weights[tensor][part]` is a matrix, masks hold 0 or 1 / (1 − p).
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) weights: Vec<Vec<Table>>,
    pub(crate) masks: Vec<Vec<f64>>,
}

impl Case {
    pub(crate) fn random(seed: u64) -> Self {
        let (seed, n, d) = (Seed::new(seed), 14u32, 9u64);
        let mut random = seed.at(For::Generate, [0; 3]);
        let node = |random: &mut crate::rng::Stream| random.below(u64::from(n) - 1) as u32;
        let edges: Vec<_> = (0..16).map(|_| (node(&mut random), node(&mut random))).collect();
        let mut features = SparseRows::new(d as usize);
        for _ in 0..n {
            let mut row: Vec<_> = (0..5).map(|_| (random.below(d) as u32, random.unit() as f32 + 0.1)).collect();
            features.push_row(&mut row);
        }
        let of = (0..n).map(|_| Some(random.below(3) as u32)).collect();
        Self {
            graph: Graph::from_edges(n as usize, &edges).unwrap(),
            features,
            labels: Labels::Classes { names: vec!["a".into(), "b".into(), "c".into()], of },
            train: vec![1, 4, 9, 13],
            seed,
        }
    }

    pub(crate) fn d(&self) -> usize {
        self.features.columns
    }

    pub(crate) fn input(&self) -> Input {
        Input::new(&Features::Sparse(self.features.clone()))
    }

    pub(crate) fn targets(&self) -> Targets {
        Targets::new(&self.labels, &self.train).unwrap()
    }

    pub(crate) fn weights(&self, network: &dyn Network) -> Weights {
        Weights::glorot(network.shapes(), &mut self.seed.at(For::Weights, [0; 3]))
    }

    /// Masks for X and for a hidden layer of each width that follows.
    pub(crate) fn masks(&self, hidden: &[usize]) -> Vec<Vec<bool>> {
        let mut random = self.seed.at(For::Mask, [0; 3]);
        let mut draw = |count: usize| (0..count).map(|_| random.unit() < 0.6).collect::<Vec<bool>>();
        let mut masks = vec![draw(self.features.indices.len())];
        masks.extend(hidden.iter().map(|width| draw(width * self.graph.nodes())));
        masks
    }

    /// X as a dense matrix, each stored entry times its factor.
    pub(crate) fn dropped_x(&self, factors: &[f64]) -> Table {
        let mut x = vec![vec![0.0; self.d()]; self.graph.nodes()];
        for (r, row) in x.iter_mut().enumerate() {
            let start = self.features.offsets[r];
            let (columns, values) = self.features.row(r);
            for (i, (&c, &value)) in columns.iter().zip(values).enumerate() {
                row[c as usize] = f64::from(value) * factors[start + i];
            }
        }
        x
    }
}

pub(crate) fn product(a: &Table, b: &Table) -> Table {
    let entry = |row: &Vec<f64>, j: usize| row.iter().zip(b).map(|(a, b)| a * b[j]).sum();
    a.iter().map(|row| (0..b[0].len()).map(|j| entry(row, j)).collect()).collect()
}

pub(crate) fn add(a: &mut Table, factor: f64, b: &Table) {
    a.iter_mut().flatten().zip(b.iter().flatten()).for_each(|(a, b)| *a += factor * b);
}

pub(crate) fn relu_dropped(z: &Table, factors: &[f64]) -> Table {
    let width = z[0].len();
    let row = |(r, row): (usize, &Vec<f64>)| {
        row.iter().zip(&factors[r * width..]).map(|(v, factor)| v.max(0.0) * factor).collect()
    };
    z.iter().enumerate().map(row).collect()
}

fn cross_entropy(case: &Case, z: &Table) -> f64 {
    let one = |&a: &u32| {
        let row = &z[a as usize];
        let sum: f64 = row.iter().map(|v| v.exp()).sum();
        sum.ln() - row[case.labels.class(a).unwrap() as usize]
    };
    case.train.iter().map(one).sum::<f64>() / case.train.len() as f64
}

fn tables(weights: &Weights) -> Vec<Vec<Table>> {
    let row = |row: &[f32]| row.iter().map(|&w| f64::from(w)).collect::<Vec<f64>>();
    let part =
        |tensor: &crate::network::Tensor, part| (0..tensor.shape.rows).map(|r| row(tensor.part_row(part, r))).collect();
    weights.tensors.iter().map(|t| (0..t.shape.parts).map(|p| part(t, p)).collect()).collect()
}

fn hidden_widths(network: &dyn Network) -> Vec<usize> {
    let shapes = network.shapes();
    shapes[..shapes.len() - 1].iter().map(|shape| shape.columns).collect()
}

/// Loss and gradient of one step with given masks, on the receptive field of the training nodes or on all rows.
fn step(network: &dyn Network, case: &Case, masks: &[Vec<bool>], all: bool) -> (f64, Weights, Tape) {
    let (weights, x, targets) = (case.weights(network), case.input(), case.targets());
    let mut operator = network.operator();
    operator.assign(&case.graph);
    let mut field = Field::all(x.nodes(), network.hops());
    if !all {
        field.assign(operator.pattern(), &case.train, network.hops());
    }
    let pass = Pass { operator: &*operator, x: &x, field: &field };
    let mut d_w = Weights::zeros(network.shapes());
    let mut tape = Tape::default();
    let mut loss = 0.0;
    for _ in 0..2 {
        // Twice, so that a tape that carries something over is found out.
        d_w.tensors.iter_mut().for_each(|tensor| tensor.value.clear());
        network.forward(&weights, &pass, Dropout::Given(masks), &mut tape);
        tape.d_z.clear();
        loss = targets.gradient(&tape.z, &mut tape.d_z);
        network.backward(&weights, &pass, &mut tape, &mut d_w);
    }
    (loss, d_w, tape)
}

/// Compares with central differences of the twin's loss: every weight, to 1e-4 of the largest in its matrix.
pub(crate) fn gradients(network: &dyn Network, case: &Case, twin: &impl Fn(&Case, &Parts) -> Table) {
    let masks = case.masks(&hidden_widths(network));
    let (loss, d_w, tape) = step(network, case, &masks, false);
    let scale = 2.0; // the networks checked here drop half of their inputs
    let factors = |mask: &Vec<bool>| mask.iter().map(|&kept| if kept { scale } else { 0.0 }).collect();
    let parts = Parts { weights: tables(&case.weights(network)), masks: masks.iter().map(factors).collect() };
    let z = twin(case, &parts);
    for &a in &case.train {
        for (fast, exact) in tape.z.row(a as usize).iter().zip(&z[a as usize]) {
            assert!((f64::from(*fast) - exact).abs() < 1e-5, "node {a}: output {fast} is not {exact}");
        }
    }
    assert!((loss - cross_entropy(case, &z)).abs() < 1e-5);
    for (t, tensor) in tables(&d_w).iter().enumerate() {
        let largest = tensor.iter().flatten().flatten().fold(0.0f64, |a, b| a.max(b.abs()));
        assert!(largest > 0.0, "no gradient reaches tensor {t}");
        for (p, r, c) in indices(tensor) {
            let at = |shift: f64| {
                let mut parts = parts.clone();
                parts.weights[t][p][r][c] += shift;
                cross_entropy(case, &twin(case, &parts))
            };
            let (fast, slope) = (tensor[p][r][c], (at(1e-6) - at(-1e-6)) / 2e-6);
            assert!((fast - slope).abs() <= 1e-4 * largest, "tensor {t} [{p}][{r}][{c}]: {fast} is not {slope}");
        }
    }
}

fn indices(tensor: &[Table]) -> Vec<(usize, usize, usize)> {
    let rows = |p: usize| (0..tensor[p].len()).map(move |r| (p, r));
    (0..tensor.len()).flat_map(rows).flat_map(|(p, r)| (0..tensor[p][r].len()).map(move |c| (p, r, c))).collect()
}

/// The gradient on the receptive field of the training nodes is the one on all rows.
pub(crate) fn field_equals_all(network: &dyn Network, case: &Case) {
    let masks = case.masks(&hidden_widths(network));
    let ((few, d_few, _), (all, d_all, _)) = (step(network, case, &masks, false), step(network, case, &masks, true));
    assert!((few - all).abs() < 1e-6);
    for (few, all) in d_few.tensors.iter().zip(&d_all.tensors) {
        for (few, all) in few.value.data().iter().zip(all.value.data()) {
            assert!((few - all).abs() < 1e-6, "{few} is not {all}");
        }
    }
}

/// Z of all nodes, nothing dropped.
pub(crate) fn output(network: &dyn Network, weights: &Weights, graph: &Graph, features: &Features) -> Vec<Vec<f32>> {
    let x = Input::new(features);
    let mut operator = network.operator();
    operator.assign(graph);
    let field = Field::all(x.nodes(), network.hops());
    let mut tape = Tape::default();
    network.forward(weights, &Pass { operator: &*operator, x: &x, field: &field }, Dropout::Off, &mut tape);
    (0..x.nodes()).map(|a| tape.z.row(a).to_vec()).collect()
}

/// Renaming the nodes renames the rows of the output, and changes nothing else.
pub(crate) fn permutation(network: &dyn Network, case: &Case) {
    let n = case.graph.nodes();
    let new = |a: usize| (a * 5 + 3) % n; // 5 and 14 have no common factor
    let edges: Vec<_> = case.graph.edge_list().map(|(a, b)| (new(a as usize) as u32, new(b as usize) as u32)).collect();
    let mut features = SparseRows::new(case.d());
    for b in 0..n {
        let a = (0..n).find(|&a| new(a) == b).unwrap();
        let (columns, values) = case.features.row(a);
        features.push_row(&mut columns.iter().copied().zip(values.iter().copied()).collect::<Vec<_>>());
    }
    let weights = case.weights(network);
    let before = output(network, &weights, &case.graph, &Features::Sparse(case.features.clone()));
    let after = output(network, &weights, &Graph::from_edges(n, &edges).unwrap(), &Features::Sparse(features));
    for (a, before) in before.iter().enumerate() {
        for (before, after) in before.iter().zip(&after[new(a)]) {
            assert!((before - after).abs() < 1e-5, "node {a}: {before} became {after}");
        }
    }
}
