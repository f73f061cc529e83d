//! ChebyNet: each layer is Σ_k T_k(L̃) drop(H) W_k over the Chebyshev polynomials T_0 … T_K of the rescaled Laplacian.
//! Paper: one of the compared networks (Defferrard et al., 2016), with ReLU, dropout and L2 as for GCN.
//! Differs: the polynomials are applied after the weights, at width h instead of d, by Clenshaw's recurrence
//! b_k = P_k + 2 L̃ b_{k+1} − b_{k+2}, Z = P_0 + L̃ b_1 − b_2, with P = drop(H) [W_0 | … | W_K] in one product.
//! Backward is the plain recurrence, as L̃ is symmetric: dP_k = T_k(L̃) dZ.
//! Symbols: `p[l]` [n, (K+1) × padded(h)]; `h[l]` [n, h], the input of layer l + 1; level (l+1)K − k of the field holds
//! the rows of b_k.

use super::dropout::Masks;
use super::{Dropout, Kind, Network, Operator, Params, Pass, Product, Shape, Tape, Weights};
use crate::Checked;
use crate::graph::{Graph, RescaledLaplacian};
use crate::kernels::{
    Mask, Matrix, Pattern, Rate, Recurrence, View, add_outer, clear_rows, recur, relu_dropout, relu_gate, side_by_side,
    times,
};

/// A ChebyNet. Masks of `Dropout::Given`: the stored entries of X, then [n, h] for each hidden layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Chebnet {
    widths: Vec<usize>,
    order: usize,
    rate: Rate,
}

/// L̃ of a graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Chebyshev {
    graph: Graph,
    laplacian: RescaledLaplacian,
}

impl Default for Chebyshev {
    fn default() -> Self {
        let graph = Graph::empty(0);
        Self { laplacian: graph.rescaled_laplacian(), graph }
    }
}

impl Operator for Chebyshev {
    fn assign(&mut self, graph: &Graph) {
        self.laplacian = graph.rescaled_laplacian();
        self.graph.clone_from(graph);
    }

    fn pattern(&self) -> Pattern<'_> {
        Pattern::from(&self.graph)
    }
}

impl Chebyshev {
    /// out = plus + t L̃ x − minus, to be completed with `plus` and `minus`.
    fn times<'a>(&'a self, t: f32, x: View<'a>) -> Recurrence<'a> {
        let l = &self.laplacian;
        let (own, mix) = (t * l.own, t * l.mix);
        Recurrence { pattern: self.pattern(), s: &l.scale, own, mix, x, plus: None, minus: None }
    }
}

/// What a ChebyNet keeps for `backward`, and its scratch memory.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    masks: [Mask; 2],
    scale: Option<f32>,
    h: Vec<Matrix>,
    d_h: Vec<Matrix>,
    layers: Vec<Layer>,
    transposed: Matrix,
}

/// Scratch memory of one layer.
#[derive(Clone, Debug, Default)]
struct Layer {
    /// P, and in `backward` its gradient.
    p: Matrix,
    /// b_1 … b_{K−1}.
    b: Vec<Matrix>,
    /// T_0 dZ … T_K dZ. Zero outside the rows being worked on, and everywhere between two calls.
    t: Vec<Matrix>,
}

impl Chebnet {
    /// A network for the given numbers of features and outputs. Panics when the settings are another network's.
    pub fn new(params: &Checked<Params>, features: usize, outputs: usize) -> Self {
        assert_eq!(params.kind, Kind::Chebnet, "settings for another network");
        Self { widths: params.widths(features, outputs), order: params.order, rate: params.rate() }
    }

    fn layers(&self) -> usize {
        self.widths.len() - 1
    }
}

impl Network for Chebnet {
    fn shapes(&self) -> Vec<Shape> {
        let shape = |(l, w): (usize, &[usize])| Shape {
            name: format!("w{l}"),
            rows: w[0],
            columns: w[1],
            parts: self.order + 1,
            decay: l == 0, // as for GCN
        };
        self.widths.windows(2).enumerate().map(shape).collect()
    }

    fn hops(&self) -> usize {
        self.layers() * self.order
    }

    fn operator(&self) -> Box<dyn Operator> {
        Box::<Chebyshev>::default()
    }

    fn forward(&self, w: &Weights, pass: &Pass<'_>, dropout: Dropout<'_>, tape: &mut Tape) {
        let (n, layers, field) = (pass.x.nodes(), self.layers(), pass.field);
        let Kept { masks: [x_mask, h_mask], scale, h, layers: scratch, .. } = tape.kept.of();
        let mut masks = Masks::new(dropout, self.rate);
        scratch.resize_with(layers, Layer::default);
        h.resize_with(layers - 1, Matrix::default);
        let dropped = pass.x.draw(field.rows(0), &mut masks, x_mask, 0);
        *scale = dropped.then(|| self.rate.scale());
        for l in 0..layers {
            let (w, rows) = (&w.tensors[l].value, field.rows(l * self.order));
            let layer = &mut scratch[l];
            layer.p.shape(n, w.columns());
            if l == 0 {
                let kept = scale.map(|scale| (&*x_mask, scale));
                pass.x.times(&Product { rows, kept, factor: None }, w, &mut layer.p);
            } else {
                times(rows, None, &h[l - 1], w, &mut layer.p);
            }
            let out = if l + 1 == layers { &mut tape.z } else { &mut h[l] };
            out.shape(n, self.widths[l + 1]);
            self.clenshaw(l, pass, layer, out);
            if l + 1 < layers {
                let rows = field.rows((l + 1) * self.order);
                masks.draw(rows, (n, self.widths[l + 1]), h_mask, l + 1);
                relu_dropout(rows, scale.map(|scale| (&*h_mask, scale)), &mut h[l]);
            }
        }
    }

    fn backward(&self, w: &Weights, pass: &Pass<'_>, tape: &mut Tape, d_w: &mut Weights) {
        let (n, layers) = (pass.x.nodes(), self.layers());
        let Kept { masks: [x_mask, _], scale, h, d_h, layers: scratch, transposed } = tape.kept.of();
        d_h.resize_with(layers - 1, Matrix::default);
        for l in (0..layers).rev() {
            let (rows, d_w) = (pass.field.rows(l * self.order), &mut d_w.tensors[l].value);
            let d_out = if l + 1 == layers { &tape.d_z } else { &d_h[l] };
            self.polynomials(l, pass, d_out, &mut scratch[l]);
            let d_p = &scratch[l].p;
            if l == 0 {
                let kept = scale.map(|scale| (&*x_mask, scale));
                pass.x.add_transposed_times(&Product { rows, kept, factor: None }, d_p, d_w);
            } else {
                add_outer(rows, None, &h[l - 1], d_p, d_w);
                transposed.assign_transposed(&w.tensors[l].value);
                let d_h = &mut d_h[l - 1];
                d_h.shape(n, self.widths[l]);
                times(rows, None, d_p, transposed, d_h);
                relu_gate(rows, scale.unwrap_or(1.0), &h[l - 1], d_h);
            }
        }
    }
}

impl Chebnet {
    /// out = Σ_k T_k(L̃) P_k in the output rows of layer `l`.
    fn clenshaw(&self, l: usize, pass: &Pass<'_>, layer: &mut Layer, out: &mut Matrix) {
        let (width, order, top) = (self.widths[l + 1], self.order, (l + 1) * self.order);
        let p = |k: usize| View::part(&layer.p, k, width);
        layer.b.resize_with(order - 1, Matrix::default);
        for k in (0..order).rev() {
            // `done` begins with b_{k+1}; b_K is P_K itself.
            let (b, done) = layer.b.split_at_mut(k);
            let later = |i: usize| if k + i == order { p(order) } else { View::all(&done[i - 1]) };
            let how = Recurrence {
                plus: Some(p(k)),
                minus: (k + 2 <= order).then(|| later(2)),
                ..pass.operator::<Chebyshev>().times(if k == 0 { 1.0 } else { 2.0 }, later(1))
            };
            let out = if k == 0 { &mut *out } else { &mut b[k - 1] };
            out.shape(pass.x.nodes(), width);
            recur(&how, pass.field.rows(top - k), out);
        }
    }

    /// dP_k = T_k(L̃) dOut for all k, side by side in `layer.p`, in the input rows of layer `l`.
    fn polynomials(&self, l: usize, pass: &Pass<'_>, d_out: &Matrix, layer: &mut Layer) {
        let (width, top, field) = (self.widths[l + 1], (l + 1) * self.order, pass.field);
        layer.t.resize_with(self.order + 1, Matrix::default);
        layer.t.iter_mut().for_each(|t| t.shape(pass.x.nodes(), width));
        for &r in field.rows(top) {
            layer.t[0].row_mut(r as usize).copy_from_slice(d_out.row(r as usize));
        }
        for k in 1..=self.order {
            let (before, t) = layer.t.split_at_mut(k);
            let minus = (k > 1).then(|| View::all(&before[k - 2]));
            let how = pass.operator::<Chebyshev>().times(if k == 1 { 1.0 } else { 2.0 }, View::all(&before[k - 1]));
            recur(&Recurrence { minus, ..how }, field.rows(top - k), &mut t[0]);
        }
        side_by_side(&layer.t, field.rows(l * self.order), &mut layer.p);
        for (k, t) in layer.t.iter_mut().enumerate() {
            clear_rows(field.rows(top - k), t);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::{self, Case, Table};
    use super::*;

    /// Z by dense matrices in f64: T_k(L̃) written out.
    fn twin(order: usize) -> impl Fn(&Case, &check::Parts) -> Table {
        move |case, parts| {
            let n = case.graph.nodes();
            let l = case.graph.rescaled_laplacian();
            let degree = |a: usize| case.graph.degree(a as u32) as f64;
            let l_tilde: Table = (0..n)
                .map(|a| {
                    let entry = |b: usize| match (a == b, case.graph.has_edge(a as u32, b as u32)) {
                        (true, _) => 2.0 / l.lambda_max - 1.0,
                        (false, true) => -2.0 / l.lambda_max / (degree(a) * degree(b)).sqrt(),
                        _ => 0.0,
                    };
                    (0..n).map(entry).collect()
                })
                .collect();
            let mut h = case.dropped_x(&parts.masks[0]);
            for (layer, w) in parts.weights.iter().enumerate() {
                let mut z = vec![vec![0.0; w[0][0].len()]; n];
                let (mut t, mut t_next) = (h.clone(), check::product(&l_tilde, &h));
                for w in &w[..=order] {
                    check::add(&mut z, 1.0, &check::product(&t, w));
                    let mut after = check::product(&l_tilde, &t_next);
                    after.iter_mut().flatten().for_each(|v| *v *= 2.0);
                    check::add(&mut after, -1.0, &t);
                    (t, t_next) = (t_next, after);
                }
                if layer + 1 == parts.weights.len() {
                    return z;
                }
                h = check::relu_dropped(&z, &parts.masks[layer + 1]);
            }
            unreachable!("a network has layers")
        }
    }

    fn network(case: &Case, layers: usize, order: usize) -> Chebnet {
        let params = Params { order, layers, hidden: 5, ..Params::new(Kind::Chebnet) }.check().unwrap();
        Chebnet::new(&params, case.d(), 3)
    }

    #[test]
    fn gradients_match_finite_differences_of_a_dense_twin_in_f64() {
        for (seed, layers, order) in [(1, 2, 3), (2, 1, 1), (3, 3, 2), (4, 2, 1)] {
            let case = Case::random(seed);
            check::gradients(&network(&case, layers, order), &case, &twin(order));
        }
    }

    #[test]
    fn a_step_on_the_receptive_field_is_the_step_on_all_rows() {
        let case = Case::random(5);
        check::field_equals_all(&network(&case, 2, 3), &case);
    }

    #[test]
    fn permuting_the_nodes_permutes_the_output() {
        let case = Case::random(6);
        check::permutation(&network(&case, 2, 3), &case);
    }
}
