//! What the closed form leaves out, estimated from sampled nodes: for communities too dense for a straight line.
//! Paper: nothing like it; the paper samples the whole sum.
//! Differs: only 1/(1 − delta − s) − u(s) is sampled, which is small, so few nodes give little variance.
//! Symbols: u the line of `linear`; each node meets [`OTHERS`] others, each standing for N / OTHERS.

use super::gradient::{At, Gradient};
use crate::graph_model::blocks::{line::Line, rows::Blocks};
use crate::rng::{Fast, Random as _, Stream};

/// Nodes sampled per node and iteration.
pub(crate) const OTHERS: usize = 32;

/// Adds an unbiased estimate of exact − `linear` to a gradient by `linear`.
pub(crate) fn add_residual(at: At<'_>, line: Line, stream: &mut Stream, out: &mut Gradient) {
    let At { lambda, .. } = at;
    let k = lambda.k();
    let blocks = Blocks::of(lambda.n());
    let streams: Vec<Fast> = (0..blocks.count()).map(|_| stream.fast()).collect();
    let mut partial = Vec::new();
    let sums = blocks.sum_rows((&mut out.phi, lambda.stride()), (&mut partial, k), |first, rows, sums| {
        let mut random = streams[first / blocks.rows()].clone();
        for (a, to) in (first as u32..).zip(rows.chunks_exact_mut(lambda.stride())) {
            add_row(at, (a, line), &mut random, (to, sums));
        }
    });
    for (i, beta) in lambda.beta().iter().enumerate() {
        out.non_links[i] = (out.non_links[i] + 0.5 * (1.0 - beta) * sums[i]).max(0.0);
    }
}

fn add_row(at: At<'_>, (a, line): (u32, Line), random: &mut Fast, (to, sums): (&mut [f32], &mut [f64])) {
    let At { graph, lambda } = at;
    let (n, q) = (lambda.n(), 1.0 - lambda.delta());
    let p = lambda.row(a);
    let v: Vec<f64> = p.iter().zip(lambda.beta()).map(|(&p, b)| f64::from(p) * (b - lambda.delta())).collect();
    let mut rest = vec![0.0; lambda.k()];
    for _ in 0..OTHERS {
        let b = random.below(n as u64) as u32;
        if b == a || graph.neighbours(a).binary_search(&b).is_ok() {
            continue; // a term of zero, so that the rest stand for N / OTHERS each
        }
        let row = lambda.row(b);
        let s: f64 = v.iter().zip(row).map(|(v, &p)| v * f64::from(p)).sum();
        let left_out = 1.0 / (q - s) - (line.at_0 + line.slope * s);
        rest.iter_mut().zip(row).for_each(|(rest, &p)| *rest += left_out * f64::from(p));
    }
    let scale = n as f64 / OTHERS as f64;
    rest.iter_mut().for_each(|rest| *rest *= scale);
    let mean: f64 = v.iter().zip(&rest).map(|(v, rest)| v * rest).sum();
    for i in 0..lambda.k() {
        to[i] -= (v[i] * rest[i] - f64::from(p[i]) * mean) as f32;
        sums[i] += f64::from(p[i]) * rest[i];
    }
}
