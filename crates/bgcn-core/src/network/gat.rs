//! Graph attention network: h'_a = elu(‖_k Σ_b α_ab^k W_k h_b + b), softmax attention over a's neighbours and a itself.
//! Paper: one of the networks it compares with; Veličković et al. (2018), equations 1 to 6.
//! Differs from GAT's published code: one mask for the input of a layer, not one per head, none on W h (as in PyTorch
//! Geometric); of the last layer's heads the mean is taken before the one bias is added. L2 is on all weights, biases
//! included.
//! Symbols: `p` = drop(H) W [n, U·H], column u·H + k is unit u of head k; `src`, `dst` [n, H] its products with a_src
//! and a_dst; `alpha` per entry of A + I, before and after dropout.

mod neighbourhoods;

pub use neighbourhoods::Neighbourhoods;

use super::dropout::Masks;
use super::{Dropout, Kind, Network, Operator, Params, Pass, Product, Shape, Tape, Weights};
use crate::Checked;
use crate::kernels::{
    Attention, Given, Mask, Matrix, Pattern, Rate, Sources, add_outer, add_products, add_sum, attend, d_mix, d_scores,
    d_sums, elu_dropout, elu_gate, mix, scores, times,
};
use crate::rng::{Random as _, Stream};

/// A GAT. Masks of `Dropout::Given`, layer by layer: of its input (the stored entries of X, then [n, U·H]), and of its
/// attention [entries of A + I, H].
#[derive(Clone, Debug, PartialEq)]
pub struct Gat {
    layers: Vec<Layer>,
    rate: Rate,
}

/// The sizes of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layer {
    inputs: usize,
    heads: usize,
    units: usize,
}

impl Layer {
    fn width(self) -> usize {
        self.heads * self.units
    }
}

/// The weights of a layer are four tensors in this order.
const W: usize = 0;
const A_SRC: usize = 1;
const A_DST: usize = 2;
const B: usize = 3;

/// What a GAT keeps for `backward`, and its scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    layers: Vec<KeptLayer>,
    /// 1 / (1 − p) when dropout was on.
    scale: Option<f32>,
    attention_mask: Mask,
    /// Outputs of the last layer's heads [n, c·H], where there are several, and their gradient.
    heads: Matrix,
    d_heads: Matrix,
    d_entries: Vec<f32>,
    sums: Matrix,
    transposed: Matrix,
}

/// What one layer keeps.
#[derive(Clone, Debug, Default)]
struct KeptLayer {
    /// Of the layer's input.
    mask: Mask,
    p: Matrix,
    src: Matrix,
    dst: Matrix,
    alpha: Vec<f32>,
    /// `[n]` whether a node's output is needed.
    attends: Vec<bool>,
    /// The output after ELU and the dropout of the next layer, for hidden layers.
    h: Matrix,
    d_p: Matrix,
    d_h: Matrix,
}

impl Gat {
    /// A network for the given numbers of features and outputs. Panics when the settings are another network's.
    pub fn new(params: &Checked<Params>, features: usize, outputs: usize) -> Self {
        assert_eq!(params.kind, Kind::Gat, "settings for another network");
        let (heads, output_heads) = (params.heads, params.output_heads);
        let hidden = Layer { inputs: heads * params.hidden, heads, units: params.hidden };
        let mut layers = vec![hidden; params.layers];
        layers[0].inputs = features;
        layers[params.layers - 1] = Layer { heads: output_heads, units: outputs, ..layers[params.layers - 1] };
        Self { layers, rate: params.rate() }
    }

    fn last(&self) -> usize {
        self.layers.len() - 1
    }
}

impl Network for Gat {
    fn shapes(&self) -> Vec<Shape> {
        let shape = |name: String, rows, columns| Shape { name, rows, columns, parts: 1, decay: true };
        let of_layer = |(l, layer): (usize, &Layer)| {
            let bias = if l == self.last() { layer.units } else { layer.width() };
            [
                shape(format!("w{l}"), layer.inputs, layer.width()),
                shape(format!("a_src{l}"), 1, layer.width()),
                shape(format!("a_dst{l}"), 1, layer.width()),
                shape(format!("b{l}"), 1, bias),
            ]
        };
        self.layers.iter().enumerate().flat_map(of_layer).collect()
    }

    /// As GAT's code: Glorot for each head by itself, so W_k from U outputs and a_src from U inputs to one; biases 0.
    fn start(&self, stream: &mut Stream) -> Weights {
        let mut weights = Weights::zeros(self.shapes());
        let mut random = stream.fast();
        for (layer, tensors) in self.layers.iter().zip(weights.tensors.chunks_exact_mut(4)) {
            for (tensor, fans) in tensors.iter_mut().zip([layer.inputs + layer.units, layer.units + 1, layer.units + 1])
            {
                let bound = (6.0 / fans as f64).sqrt();
                for r in 0..tensor.shape.rows {
                    let row = tensor.value.row_mut(r);
                    row.iter_mut().for_each(|w| *w = (bound * (2.0 * random.unit() - 1.0)) as f32);
                }
            }
        }
        weights
    }

    fn hops(&self) -> usize {
        self.layers.len()
    }

    fn operator(&self) -> Box<dyn Operator> {
        Box::<Neighbourhoods>::default()
    }

    fn forward(&self, w: &Weights, pass: &Pass<'_>, dropout: Dropout<'_>, tape: &mut Tape) {
        let (n, field) = (pass.x.nodes(), pass.field);
        let mut masks = Masks::new(dropout, self.rate);
        let Kept { layers: kept, scale, attention_mask, heads: out, .. } = tape.kept.of();
        kept.resize_with(self.layers.len(), KeptLayer::default);
        *scale = pass.x.draw(field.rows(0), &mut masks, &mut kept[0].mask, 0).then(|| self.rate.scale());
        let scale = *scale;
        for (l, (layer, w)) in self.layers.iter().zip(w.tensors.chunks_exact(4)).enumerate() {
            let (below, rest) = kept[..].split_at_mut(l);
            let (here, above) = rest.split_first_mut().expect("as many as layers");
            let (rows, wanted) = (field.rows(l), field.rows(l + 1));
            here.p.shape(n, layer.width());
            match below.last() {
                None => {
                    let kept = scale.map(|scale| (&here.mask, scale));
                    pass.x.times(&Product { rows, kept, factor: None }, &w[W].value, &mut here.p);
                }
                Some(below) => times(rows, None, &below.h, &w[W].value, &mut here.p),
            }
            here.score(*layer, w, rows, wanted);
            let operator: &Neighbourhoods = pass.operator();
            let pattern = operator.pattern();
            draw_attention(&mut masks, (pattern, wanted, layer.heads), attention_mask, 2 * l + 1);
            here.alpha.resize(pattern.len() * 2 * layer.heads, 0.0);
            let how = Attention {
                pattern,
                mirror: operator.mirror(),
                heads: layer.heads,
                rows: wanted,
                attends: &here.attends,
            };
            attend(how, [&here.src, &here.dst], scale.map(|scale| (&*attention_mask, scale)), &mut here.alpha);
            match above.first_mut() {
                Some(above) => {
                    here.h.shape(n, layer.width());
                    mix(how, &here.alpha, &here.p, &mut here.h);
                    masks.draw(wanted, (n, layer.width()), &mut above.mask, 2 * (l + 1));
                    elu_dropout(wanted, &w[B].value, scale.map(|scale| (&above.mask, scale)), &mut here.h);
                }
                None => {
                    out.shape(n, layer.width());
                    mix(how, &here.alpha, &here.p, out);
                    tape.z.shape(n, layer.units);
                    average(wanted, layer.heads, (out, &w[B].value), &mut tape.z);
                }
            }
        }
    }

    fn backward(&self, w: &Weights, pass: &Pass<'_>, tape: &mut Tape, d_w: &mut Weights) {
        let (n, field) = (pass.x.nodes(), pass.field);
        let Kept { layers: kept, scale, d_heads, d_entries, sums, transposed, .. } = tape.kept.of();
        d_heads.shape(n, self.layers[self.last()].width());
        share(field.wanted(), self.layers[self.last()].heads, &tape.d_z, d_heads);
        for (l, layer) in self.layers.iter().enumerate().rev() {
            let (below, rest) = kept[..].split_at_mut(l);
            let KeptLayer { mask, p, src, dst, alpha, attends, d_p, d_h, .. } = &mut rest[0];
            let (w, d_w) = (&w.tensors[4 * l..][..4], &mut d_w.tensors[4 * l..][..4]);
            let (rows, wanted) = (field.rows(l), field.rows(l + 1));
            let g = if l == self.last() { &*d_heads } else { &*d_h };
            add_sum(wanted, if l == self.last() { &tape.d_z } else { g }, &mut d_w[B].value);

            let operator: &Neighbourhoods = pass.operator();
            let (pattern, mirror) = (operator.pattern(), operator.mirror());
            let how = Attention { pattern, mirror, heads: layer.heads, rows: wanted, attends };
            d_entries.resize(pattern.len() * layer.heads, 0.0);
            d_scores(how, Given { alpha, h: p, scores: [src, dst], g }, d_entries);
            sums.shape(n, 2 * layer.heads);
            d_sums(how, rows, d_entries, sums);
            d_p.shape(n, layer.width());
            d_mix(how, rows, Sources { alpha, g, sums, a: [&w[A_SRC].value, &w[A_DST].value] }, d_p);
            add_products(rows, (sums, 0), p, &mut d_w[A_SRC].value);
            add_products(wanted, (sums, 1), p, &mut d_w[A_DST].value);

            let kept = scale.map(|scale| (&*mask, scale));
            match below.last_mut() {
                None => pass.x.add_transposed_times(&Product { rows, kept, factor: None }, d_p, &mut d_w[W].value),
                Some(below) => {
                    add_outer(rows, None, &below.h, d_p, &mut d_w[W].value);
                    transposed.assign_transposed(&w[W].value);
                    below.d_h.shape(n, layer.inputs);
                    times(rows, None, d_p, transposed, &mut below.d_h);
                    elu_gate(rows, kept, &below.h, &mut below.d_h);
                }
            }
        }
    }
}

impl KeptLayer {
    /// The scores of the rows, and who attends.
    fn score(&mut self, layer: Layer, w: &[super::Tensor], rows: &[u32], wanted: &[u32]) {
        let n = self.p.rows();
        self.src.shape(n, layer.heads);
        self.dst.shape(n, layer.heads);
        scores(rows, &self.p, &w[A_SRC].value, &mut self.src);
        scores(wanted, &self.p, &w[A_DST].value, &mut self.dst);
        self.attends.clear();
        self.attends.resize(n, false);
        wanted.iter().for_each(|&a| self.attends[a as usize] = true);
    }
}

/// Fills the mask of the coefficients of the attending rows: bit e·H + k for head k of entry e.
fn draw_attention(
    masks: &mut Masks<'_>,
    (pattern, rows, heads): (Pattern<'_>, &[u32], usize),
    mask: &mut Mask,
    index: usize,
) {
    let words = (pattern.len() * heads).div_ceil(64);
    match masks {
        Masks::Off => {}
        Masks::On(random, rate) => {
            // Neighbouring rows may share a word; it is drawn once.
            let mut drawn = 0;
            let ranges = rows.iter().map(|&a| {
                let bits = pattern.range(a).start * heads..pattern.range(a).end * heads;
                let range = (bits.start / 64).max(drawn)..bits.end.div_ceil(64).max(drawn);
                drawn = range.end;
                range
            });
            mask.draw(words, ranges, *rate, random);
        }
        Masks::Given(lists) => mask.assign(words, std::iter::once((0..words, &lists[index][..]))),
    }
}

/// z_j = b_j + the mean of unit j over the heads, in the wanted rows.
fn average(rows: &[u32], heads: usize, (out, b): (&Matrix, &Matrix), z: &mut Matrix) {
    let share = 1.0 / heads as f32;
    for &a in rows {
        let (z, out) = (z.row_mut(a as usize), out.row(a as usize).chunks_exact(heads));
        for ((z, unit), b) in z.iter_mut().zip(out).zip(b.row(0)) {
            *z = b + share * unit.iter().sum::<f32>();
        }
    }
}

/// The gradient of [`average`]: each head gets its share.
fn share(rows: &[u32], heads: usize, d_z: &Matrix, d_out: &mut Matrix) {
    let share = 1.0 / heads as f32;
    for &a in rows {
        let (d_z, d_out) = (d_z.row(a as usize), d_out.row_mut(a as usize).chunks_exact_mut(heads));
        for (d_z, unit) in d_z.iter().zip(d_out) {
            unit.fill(share * d_z);
        }
    }
}
