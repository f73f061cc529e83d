//! One and three training steps of each network from given weights and masks, against PyTorch in double precision.
//! `golden/networks.py` made the files, describes them, and compared its networks with PyTorch Geometric's.

use crate::data::{DenseRows, Features, Labels, SparseRows};
use crate::graph::Graph;
use crate::kernels::{Adam, adam_step};
use crate::network::{
    Chebnet, Dropout, Field, Gat, Gcn, Input, Kind, Network, Params, Pass, Shape, Tape, Targets, Tensor, Weights,
};
use serde::Deserialize;

/// Of the largest number of a tensor. Single precision leaves about 1e-6; one Adam step moves a weight by 1e-2.
const TOLERANCE: f64 = 1e-5;

#[derive(Deserialize)]
struct Golden {
    settings: Settings,
    nodes: usize,
    edges: Vec<(u32, u32)>,
    x: Array,
    labels: Vec<u32>,
    train: Vec<u32>,
    weights: Vec<Array>,
    masks: Vec<Array>,
    logits: Vec<Array>,
    cross_entropy: f64,
    penalty: f64,
    d_cross_entropy: Vec<Array>,
    after_1: Vec<Array>,
    after_3: Vec<Array>,
}

#[derive(Deserialize)]
struct Settings {
    dropout: f64,
    learning_rate: f64,
    l2: f64,
    penalised: Vec<String>,
    heads: Option<usize>,
    output_heads: Option<usize>,
}

#[derive(Clone, Deserialize)]
struct Array {
    name: String,
    shape: Vec<usize>,
    data: Vec<f64>,
}

impl Golden {
    fn read(name: &str) -> Self {
        let path = format!("{}/tests/golden/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// X in the two forms that hold any matrix.
    fn features(&self) -> [Features; 2] {
        let columns = self.x.shape[1];
        let values: Vec<f32> = self.x.data.iter().map(|&v| v as f32).collect();
        let mut sparse = SparseRows::new(columns);
        for row in values.chunks_exact(columns) {
            sparse.push_row(&mut row.iter().enumerate().map(|(c, &v)| (c as u32, v)).collect::<Vec<_>>());
        }
        [Features::Sparse(sparse), Features::Dense(DenseRows { columns, values })]
    }

    /// Of GAT's heads × units the file's number is k·U + u and ours u·H + k: theirs, for each of ours in order.
    fn theirs(&self, heads: Option<usize>, count: usize) -> Vec<usize> {
        let heads = heads.unwrap_or(1);
        (0..count).map(|j| j % heads * (count / heads) + j / heads).collect()
    }

    /// For each element of our tensor, part by part and row by row, the place of the same in the file.
    fn places(&self, shape: &Shape) -> Vec<usize> {
        let (heads, output_heads) = (self.settings.heads, self.settings.output_heads);
        let columns = match &shape.name[..] {
            "b1" => self.theirs(None, shape.columns), // of the averaged outputs, which have no heads
            name => self.theirs(if name.ends_with('0') { heads } else { output_heads }, shape.columns),
        };
        let rows = self.theirs(heads.filter(|_| shape.name == "w1"), shape.rows);
        let row = |part: usize, r: usize| (part * shape.rows + rows[r]) * shape.columns;
        let rows = (0..shape.parts).flat_map(|part| (0..shape.rows).map(move |r| row(part, r)));
        rows.flat_map(|start| columns.iter().map(move |column| start + column)).collect()
    }

    /// Our tensors beside those of the file.
    fn pairs(&self, file: &[Array], ours: &Weights) -> Vec<(String, Vec<(f64, f32)>)> {
        let one = |tensor: &Tensor| {
            let (shape, array) = (&tensor.shape, find(file, &tensor.shape.name));
            let rows = (0..shape.parts).flat_map(|part| (0..shape.rows).map(move |r| tensor.part_row(part, r)));
            let wanted = self.places(shape).into_iter().map(|place| array.data[place]);
            (shape.name.clone(), wanted.zip(rows.flatten().copied()).collect())
        };
        ours.tensors.iter().map(one).collect()
    }

    fn set(&self, ours: &mut Weights) {
        assert_eq!(ours.tensors.len(), self.weights.len());
        for tensor in &mut ours.tensors {
            let (shape, array) = (tensor.shape.clone(), find(&self.weights, &tensor.shape.name));
            assert_eq!(array.data.len(), shape.parts * shape.rows * shape.columns, "{}", shape.name);
            assert_eq!(shape.decay, self.settings.penalised.contains(&shape.name), "{}", shape.name);
            for (i, row) in self.places(&shape).chunks_exact(shape.columns).enumerate() {
                let to = tensor.part_row_mut(i / shape.rows, i % shape.rows);
                to.iter_mut().zip(row).for_each(|(to, &place)| *to = array.data[place] as f32);
            }
        }
    }

    /// The masks our networks take, of the same elements: input, attention of layer 0, hidden, attention of layer 1.
    fn masks(&self, sparse: bool) -> Vec<Vec<bool>> {
        let one = |name: &&str| {
            let array = self.masks.iter().find(|array| array.name == **name)?;
            let width = array.shape[1];
            let columns = self.theirs(self.settings.heads.filter(|_| *name == "hidden"), width);
            let rows = array.data.chunks_exact(width).enumerate();
            let stored = |i: usize| !(sparse && *name == "input" && self.x.data[i] == 0.0);
            let kept = |(r, row): (usize, &[f64])| {
                let kept = columns.iter().filter(|&&j| stored(r * width + j)).map(|&j| row[j] == 1.0);
                kept.collect::<Vec<_>>()
            };
            Some(rows.flat_map(kept).collect())
        };
        ["input", "attention0", "hidden", "attention1"].iter().filter_map(one).collect()
    }

    fn targets(&self) -> Targets {
        let names = vec!["a".into(), "b".into(), "c".into()];
        let of = self.labels.iter().map(|&class| Some(class)).collect();
        Targets::new(&Labels::Classes { names, of }, &self.train).unwrap()
    }
}

fn find<'a>(arrays: &'a [Array], name: &str) -> &'a Array {
    arrays.iter().find(|array| array.name == name).unwrap_or_else(|| panic!("the file has no {name}"))
}

/// ½ Σ w² over the penalised matrices.
fn half_square(weights: &Weights) -> f64 {
    let penalised = weights.tensors.iter().filter(|tensor| tensor.shape.decay);
    penalised.flat_map(|tensor| tensor.value.data()).map(|&w| 0.5 * f64::from(w) * f64::from(w)).sum()
}

fn assert_close(what: &str, pairs: &[(f64, f32)]) {
    let largest = pairs.iter().fold(0.0f64, |largest, (wanted, _)| largest.max(wanted.abs()));
    for (i, &(wanted, found)) in pairs.iter().enumerate() {
        let error = (wanted - f64::from(found)).abs();
        assert!(error <= TOLERANCE * largest, "{what}, element {i}: {found} is not {wanted} (largest {largest})");
    }
}

fn trains_as_pytorch(golden: &Golden, network: &dyn Network) {
    let mut operator = network.operator();
    operator.assign(&Graph::from_edges(golden.nodes, &golden.edges).unwrap());
    let targets = golden.targets();
    for (features, sparse) in golden.features().iter().zip([true, false]) {
        let x = Input::new(features);
        let masks = golden.masks(sparse);
        let mut field = Field::all(golden.nodes, network.hops());
        let mut weights = Weights::zeros(network.shapes());
        golden.set(&mut weights);
        let mut tape = Tape::default();
        for (dropout, logits) in [Dropout::Off, Dropout::Given(&masks)].into_iter().zip(&golden.logits) {
            network.forward(&weights, &Pass { operator: &*operator, x: &x, field: &field }, dropout, &mut tape);
            let found = tape.z.values();
            assert_close(&logits.name, &logits.data.iter().copied().zip(found).collect::<Vec<_>>());
        }

        // From here on only the rows that the loss depends on are computed.
        field.assign(operator.pattern(), targets.nodes(), network.hops());
        let pass = Pass { operator: &*operator, x: &x, field: &field };
        let zeros = || Weights::zeros(network.shapes());
        let (mut d_w, mut m, mut v) = (zeros(), zeros(), zeros());
        for step in 1..=3 {
            network.forward(&weights, &pass, Dropout::Given(&masks), &mut tape);
            let loss = targets.gradient(&tape.z, &mut tape.d_z);
            network.backward(&weights, &pass, &mut tape, &mut d_w);
            if step == 1 {
                assert!((loss - golden.cross_entropy).abs() < TOLERANCE * golden.cross_entropy);
                let penalty = golden.settings.l2 * half_square(&weights);
                assert!((penalty - golden.penalty).abs() < TOLERANCE * golden.penalty);
                for (name, pairs) in golden.pairs(&golden.d_cross_entropy, &d_w) {
                    assert_close(&format!("gradient of {name}"), &pairs);
                }
            }
            for i in 0..weights.tensors.len() {
                let (w, g) = (&mut weights.tensors[i], &mut d_w.tensors[i].value);
                let decay = if w.shape.decay { golden.settings.l2 as f32 } else { 0.0 };
                let how = Adam { rate: golden.settings.learning_rate as f32, decay, step };
                adam_step(how, &mut w.value, g, &mut m.tensors[i].value, &mut v.tensors[i].value);
            }
            for (_, after) in [(1, &golden.after_1), (3, &golden.after_3)].iter().filter(|(at, _)| *at == step) {
                for (name, pairs) in golden.pairs(after, &weights) {
                    assert_close(&format!("{name} after step {step}"), &pairs);
                }
            }
        }
    }
}

#[test]
fn gcn_trains_as_pytorch() {
    let golden = Golden::read("gcn");
    let params = Params { dropout: golden.settings.dropout, ..Params::new(Kind::Gcn) }.check().unwrap();
    trains_as_pytorch(&golden, &Gcn::new(&params, golden.x.shape[1], 3));
}

#[test]
fn chebnet_trains_as_pytorch() {
    let golden = Golden::read("chebnet");
    let params = Params { dropout: golden.settings.dropout, ..Params::new(Kind::Chebnet) }.check().unwrap();
    trains_as_pytorch(&golden, &Chebnet::new(&params, golden.x.shape[1], 3));
}

#[test]
fn gat_trains_as_pytorch() {
    for name in ["gat", "gat_two_heads"] {
        let golden = Golden::read(name);
        let output_heads = golden.settings.output_heads.unwrap();
        let params =
            Params { output_heads, dropout: golden.settings.dropout, ..Params::new(Kind::Gat) }.check().unwrap();
        trains_as_pytorch(&golden, &Gat::new(&params, golden.x.shape[1], 3));
    }
}
