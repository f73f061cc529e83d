//! Graph convolutional network: Z = Â relu(… relu(Â X W0) …) W_L, with dropout on the input of every layer.
//! Paper: the layer equations of "Graph convolutional neural networks" (Kipf and Welling, 2017).
//! Differs: Â is s ∘ (A + I)(s ∘ ·), so P = s ∘ drop(H) W is stored and Â drop(H) W = s ∘ (A + I) P.
//! Symbols: `p[l]` [n, outputs of layer l]; `h[l]` = drop(relu(Â …)) [n, h], the input of layer l + 1.

use super::dropout::Masks;
use super::{Dropout, Kind, Network, Operator, Params, Pass, Product, Shape, Tape, Weights};
use crate::Checked;
use crate::graph::Normalized;
use crate::kernels::{
    Mask, Matrix, Pattern, Rate, add_outer, clear_rows, gather, relu_dropout, relu_gate, scatter_add, times,
};

/// A GCN. Masks of `Dropout::Given`: the stored entries of X, then [n, h] for each hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Gcn {
    widths: Vec<usize>,
    rate: Rate,
}

/// What a GCN keeps for `backward`, and its scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The mask of X, and the one of the hidden layer at hand.
    masks: [Mask; 2],
    /// 1 / (1 − p) when dropout was on.
    scale: Option<f32>,
    p: Vec<Matrix>,
    h: Vec<Matrix>,
    d_p: Vec<Matrix>,
    d_h: Vec<Matrix>,
    transposed: Matrix,
    scaled: Matrix,
}

impl Gcn {
    /// A network for the given numbers of features and outputs. Panics when the settings are another network's.
    pub fn new(params: &Checked<Params>, features: usize, outputs: usize) -> Self {
        assert_eq!(params.kind, Kind::Gcn, "settings for another network");
        Self { widths: params.widths(features, outputs), rate: params.rate() }
    }

    fn layers(&self) -> usize {
        self.widths.len() - 1
    }
}

impl Network for Gcn {
    fn shapes(&self) -> Vec<Shape> {
        let shape = |(l, w): (usize, &[usize])| Shape {
            name: format!("w{l}"),
            rows: w[0],
            columns: w[1],
            parts: 1,
            decay: l == 0, // as Kipf and Welling: the penalty is on the first layer only
        };
        self.widths.windows(2).enumerate().map(shape).collect()
    }

    fn hops(&self) -> usize {
        self.layers()
    }

    fn operator(&self) -> Box<dyn Operator> {
        Box::<Normalized>::default()
    }

    fn forward(&self, w: &Weights, pass: &Pass<'_>, dropout: Dropout<'_>, tape: &mut Tape) {
        let (n, layers, field) = (pass.x.nodes(), self.layers(), pass.field);
        let a_hat: &Normalized = pass.operator();
        let s = a_hat.scale();
        let kept: &mut Kept = tape.kept.of();
        let mut masks = Masks::new(dropout, self.rate);
        kept.p.resize_with(layers, Matrix::default);
        kept.h.resize_with(layers - 1, Matrix::default);
        let dropped = pass.x.draw(field.rows(0), &mut masks, &mut kept.masks[0], 0);
        kept.scale = dropped.then(|| self.rate.scale());
        for l in 0..layers {
            let w = &w.tensors[l].value;
            let p = &mut kept.p[l];
            p.shape(n, self.widths[l + 1]);
            if l == 0 {
                let x_kept = kept.scale.map(|scale| (&kept.masks[0], scale));
                pass.x.times(&Product { rows: field.rows(0), kept: x_kept, factor: Some(s) }, w, p);
            } else {
                times(field.rows(l), Some(s), &kept.h[l - 1], w, p);
            }
            let rows = field.rows(l + 1);
            if l + 1 == layers {
                tape.z.shape(n, self.widths[layers]);
                gather(Pattern::from(a_hat), rows, Some(s), p, &mut tape.z);
            } else {
                let h = &mut kept.h[l];
                h.shape(n, self.widths[l + 1]);
                gather(Pattern::from(a_hat), rows, Some(s), p, h);
                masks.draw(rows, (n, self.widths[l + 1]), &mut kept.masks[1], l + 1);
                relu_dropout(rows, kept.scale.map(|scale| (&kept.masks[1], scale)), h);
            }
        }
    }

    fn backward(&self, w: &Weights, pass: &Pass<'_>, tape: &mut Tape, d_w: &mut Weights) {
        let (n, layers, field) = (pass.x.nodes(), self.layers(), pass.field);
        let s = pass.operator::<Normalized>().scale();
        let Kept { masks, scale, h, d_p, d_h, transposed, scaled, .. } = tape.kept.of();
        d_p.resize_with(layers, Matrix::default);
        d_h.resize_with(layers - 1, Matrix::default);
        for l in (0..layers).rev() {
            let d_out = if l + 1 == layers { &tape.d_z } else { &d_h[l] };
            let d_p = &mut d_p[l];
            d_p.shape(n, self.widths[l + 1]);
            unmix(pass, l, d_out, d_p, scaled);
            let (rows, d_w) = (field.rows(l), &mut d_w.tensors[l].value);
            if l == 0 {
                let kept = scale.map(|scale| (&masks[0], scale));
                pass.x.add_transposed_times(&Product { rows, kept, factor: Some(s) }, d_p, d_w);
            } else {
                add_outer(rows, Some(s), &h[l - 1], d_p, d_w);
                transposed.assign_transposed(&w.tensors[l].value);
                let d_h = &mut d_h[l - 1];
                d_h.shape(n, self.widths[l]);
                times(rows, Some(s), d_p, transposed, d_h);
                relu_gate(rows, scale.unwrap_or(1.0), &h[l - 1], d_h);
            }
        }
    }
}

/// dP_c = Σ_r s_r dOut_r over the rows r of level l + 1 that c mixes into.
fn unmix(pass: &Pass<'_>, l: usize, d_out: &Matrix, d_p: &mut Matrix, scaled: &mut Matrix) {
    let a_hat: &Normalized = pass.operator();
    let (pattern, s) = (Pattern::from(a_hat), a_hat.scale());
    let (below, above) = (pass.field.rows(l), pass.field.rows(l + 1));
    if above.len() * 2 < pattern.nodes() {
        clear_rows(below, d_p);
        scatter_add(pattern, above, s, d_out, d_p);
    } else {
        // Many rows: gathering can go in parallel, at the price of zeros where nothing comes from.
        scaled.shape(d_out.rows(), d_out.columns());
        scaled.clear();
        for &r in above {
            let (r, row) = (r as usize, scaled.row_mut(r as usize));
            row.iter_mut().zip(d_out.row(r)).for_each(|(scaled, d)| *scaled = s[r] * d);
        }
        gather(pattern, below, None, scaled, d_p);
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{self, Case, Table};
    use super::*;
    use crate::data::{DenseRows, Features};
    use crate::graph::Graph;

    /// Z by dense matrices in f64, Â written out.
    fn twin(case: &Case, parts: &check::Parts) -> Table {
        let n = case.graph.nodes();
        let degree = |a: usize| (case.graph.degree(a as u32) + 1) as f64;
        let joined = |a: usize, b: usize| a == b || case.graph.has_edge(a as u32, b as u32);
        let entry = |a: usize, b: usize| if joined(a, b) { 1.0 / (degree(a) * degree(b)).sqrt() } else { 0.0 };
        let a_hat: Table = (0..n).map(|a| (0..n).map(|b| entry(a, b)).collect()).collect();
        let mut h = case.dropped_x(&parts.masks[0]);
        for (layer, w) in parts.weights.iter().enumerate() {
            h = check::product(&a_hat, &check::product(&h, &w[0]));
            if layer + 1 < parts.weights.len() {
                h = check::relu_dropped(&h, &parts.masks[layer + 1]);
            }
        }
        h
    }

    fn network(case: &Case, layers: usize) -> Gcn {
        Gcn::new(&Params { layers, hidden: 5, ..Params::new(Kind::Gcn) }.check().unwrap(), case.d(), 3)
    }

    #[test]
    fn gradients_match_finite_differences_of_a_dense_twin_in_f64() {
        for (seed, layers) in [(1, 2), (2, 1), (3, 3), (4, 2)] {
            let case = Case::random(seed);
            check::gradients(&network(&case, layers), &case, &twin);
        }
    }

    #[test]
    fn a_step_on_the_receptive_field_is_the_step_on_all_rows() {
        let case = Case::random(5);
        check::field_equals_all(&network(&case, 2), &case);
    }

    #[test]
    fn permuting_the_nodes_permutes_the_output() {
        let case = Case::random(6);
        check::permutation(&network(&case, 2), &case);
    }

    #[test]
    fn isolated_node_keeps_its_own_features() {
        let case = Case::random(7);
        let (network, features) = (network(&case, 2), Features::Sparse(case.features.clone()));
        let weights = case.weights(&network);
        let in_graph = check::output(&network, &weights, &case.graph, &features);
        let alone = check::output(&network, &weights, &Graph::empty(case.graph.nodes()), &features);
        let last = case.graph.nodes() - 1;
        assert_eq!(case.graph.degree(last as u32), 0);
        assert_eq!(in_graph[last], alone[last]);
        assert_ne!(in_graph[0], alone[0]);
    }

    #[test]
    fn sparse_dense_and_identity_features_agree_where_they_hold_the_same_matrix() {
        let case = Case::random(8);
        let n = case.graph.nodes();
        let network = Gcn::new(&Params::new(Kind::Gcn).check().unwrap(), n, 3);
        let weights = case.weights(&network);
        let mut ones = crate::data::SparseRows::new(n);
        (0..n as u32).for_each(|a| ones.push_row(&mut [(a, 1.0)]));
        let values = (0..n * n).map(|i| if i % (n + 1) == 0 { 1.0 } else { 0.0 }).collect();
        let dense = Features::Dense(DenseRows { columns: n, values });
        let of = |features: &Features| check::output(&network, &weights, &case.graph, features);
        assert_eq!(of(&Features::Identity(n)), of(&Features::Sparse(ones)));
        assert_eq!(of(&Features::Identity(n)), of(&dense));
    }
}
