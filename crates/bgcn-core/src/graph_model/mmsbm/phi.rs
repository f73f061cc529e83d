//! phi_update: the memberships move.
//! Paper: the equation labelled phi_update, whose sum has lost a factor phi_ak there, and g_ab(phi) of Li et al. (2016).
//!
//! ```text
//! phi_ak ← |phi_ak + eps_t (alpha − 1 − rho phi_ak + phi_ak Σ_b g_ab(phi_ak))|
//! ```
//!
//! Differs: pi and the row sums of phi are kept instead of phi, see `expanded_mean`; the gradient is kept as phi ∘ g,
//! which does not depend on the row sums.
//! Symbols: eps_t the step size, rows a of phi [n, k], w_ab = 1/p_ab on edges and −1/(1 − p_ab) elsewhere;
//! phi_ak g_ab(phi_ak) = pi_ak (c_k pi_bk − s_ab) w_ab.

use super::expanded_mean::larger;
use super::gradient::{At, Gradient};
use super::minibatch::Visits;
use super::natural::{self, largest_pull};
use super::{Inference, Mmsbm};
use crate::graph_model::Error;
use crate::graph_model::blocks::memberships::{LEAST_PI, LEAST_RATE};
use crate::graph_model::blocks::rows::Blocks;
use crate::kernels::mmsbm_pairs::{PairPass, inverse_sums};
use crate::kernels::mmsbm_step::{self as kernel, Step, move_rows};
use rayon::prelude::*;

/// Rows of phi ∘ dL/dphi for the nodes visited, into `out`; other rows are left as they are. The nodes, and how many
/// non-edges were visited.
pub(crate) fn phi_gradient(at: At<'_>, visits: &mut dyn Visits, out: &mut Gradient) -> (Vec<u32>, u64) {
    let (stride, c) = (at.lambda.stride(), at.padded_c());
    let pass = pass(at, &c);
    let [mut rest, mut sampled] = [(); 2].map(|()| vec![0f32; stride]);
    let (nodes, mut others, mut visited) = (visits.nodes(), Vec::new(), 0);
    for &a in &nodes {
        let scale = visits.others(a, &mut others) as f32;
        visited += others.len() as u64;
        inverse_sums(&pass, a as usize, (at.graph.neighbours(a), true), &mut rest);
        inverse_sums(&pass, a as usize, (&others, false), &mut sampled);
        rest.iter_mut().zip(&sampled).for_each(|(rest, x)| *rest -= scale * x);
        let p = &at.lambda.padded()[a as usize * stride..][..stride];
        let mean: f32 = p.iter().zip(&c).zip(&rest).map(|((p, c), rest)| p * c * rest).sum();
        let to = &mut out.phi[a as usize * stride..][..stride];
        for (l, to) in to.iter_mut().enumerate() {
            *to = p[l] * (c[l] * rest[l] - mean);
        }
    }
    (nodes, visited)
}

/// What a pass over pairs reads.
pub(super) fn pass<'a>(at: At<'a>, c: &'a [f32]) -> PairPass<'a> {
    let (pi, stride, delta) = (at.lambda.padded(), at.lambda.stride(), at.lambda.delta() as f32);
    PairPass { pi, stride, c, delta, least: LEAST_RATE as f32 }
}

/// A block's number, its rows of pi with their row sums, and their gradient.
type Part<'a> = (usize, ((&'a mut [f32], &'a mut [f32]), &'a [f32]));

impl Mmsbm<'_> {
    /// One step for every row of pi; the largest change.
    pub(super) fn move_memberships(&mut self) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let step = match self.params.inference {
            Inference::Natural => {
                let pull = largest_pull(&self.lambda, &self.work.linear.moments);
                natural::step(&self.params, (self.graph, &self.belief), pull)
            }
            _ => self.ascent(),
        };
        let blocks = Blocks::of(self.lambda.n());
        let size = blocks.rows();
        let (pi, _) = self.lambda.parts_mut();
        let g = &self.work.gradient.phi;
        let go = |(i, ((pi, scale), g)): Part<'_>| {
            move_rows(&step, kernel::Rows { first: i * size, k, floor: LEAST_PI, pi, scale, g })
        };
        let moved = if blocks.parallel() {
            let rows = pi.par_chunks_mut(size * stride).zip(self.phi_sum.par_chunks_mut(size));
            rows.zip(g.par_chunks(size * stride)).enumerate().map(go).reduce(|| 0.0, larger)
        } else {
            let rows = pi.chunks_mut(size * stride).zip(self.phi_sum.chunks_mut(size));
            rows.zip(g.chunks(size * stride)).enumerate().map(go).fold(0.0, larger)
        };
        self.finite_phi(moved)
    }

    /// One step for the rows of these nodes.
    pub(super) fn move_batch(&mut self, nodes: &[u32]) -> Result<f32, Error> {
        let (k, stride) = (self.lambda.k(), self.lambda.stride());
        let step = self.ascent();
        let (pi, _) = self.lambda.parts_mut();
        let mut moved = 0.0;
        for &a in nodes {
            let a = a as usize;
            let columns = a * stride..(a + 1) * stride;
            let rows = kernel::Rows {
                first: a,
                k,
                floor: LEAST_PI,
                pi: &mut pi[columns.clone()],
                scale: &mut self.phi_sum[a..=a],
                g: &self.work.gradient.phi[columns],
            };
            moved = larger(move_rows(&step, rows), moved);
        }
        self.finite_phi(moved)
    }

    fn ascent(&self) -> Step<'static> {
        Step::Ascent { eps: self.eps() as f32, prior: (self.params.alpha - 1.0) as f32, rho: self.params.rho as f32 }
    }
}
