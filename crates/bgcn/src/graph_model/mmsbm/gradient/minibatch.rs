//! `minibatch`: the gradient as published, from sampled nodes and sampled non-edges.
//! Paper: "Stochastic optimization and mini-batch sampling".
//! Differs: phi and theta move from the same λ, the paper does not say otherwise; samples are with replacement; no list
//! of non-edges is ever stored. What the paper leaves undefined:
//! at |N(a)| ≥ n at least [`LEAST_OTHERS`] non-neighbours are sampled; where no fewer than all were asked for, or where
//! half of all nodes are neighbours, every non-neighbour is taken once; n ≥ N takes every node.
//! Symbols: n nodes per batch; others b of a are all neighbours and n − |N(a)| non-neighbours, scaled to all of these.

use super::{At, Gradient};
use crate::graph_model::blocks::memberships::LEAST_RATE;
use crate::graph_model::mmsbm::MmsbmParams;
use crate::kernels::mmsbm_pairs::{PairPass, inverse_sums};
use crate::rng::{Fast, Random as _};

/// Non-neighbours sampled where the neighbours alone fill the batch.
const LEAST_OTHERS: usize = 32;

/// The last batch, and scratch memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Minibatch {
    /// All nodes; those of the batch come first.
    order: Vec<u32>,
    batch: usize,
    others: Vec<u32>,
    /// `seen[b] == stamp` says that b is a neighbour of the present node or that node itself.
    seen: Vec<u32>,
    stamp: u32,
}

impl Minibatch {
    /// The nodes whose rows of phi the last gradient has.
    pub(crate) fn nodes(&self) -> &[u32] {
        &self.order[..self.batch]
    }

    /// Samples a batch and overwrites its rows of `out`, L and M; other rows of phi are left as they are.
    pub(crate) fn gradient(&mut self, at: At<'_>, params: &MmsbmParams, random: &mut Fast, out: &mut Gradient) {
        let At { lambda, .. } = at;
        let (n, stride) = (lambda.n(), lambda.stride());
        let c = at.padded_c();
        let least = LEAST_RATE as f32;
        let pass = PairPass { pi: lambda.padded(), stride, c: &c, delta: lambda.delta() as f32, least };
        self.draw_batch(n, params.minibatch, random);
        let [mut rest, mut sampled] = [(); 2].map(|()| vec![0f32; stride]);
        for i in 0..self.batch {
            let a = self.order[i];
            let scale = self.draw_others(at, a, params.minibatch, random);
            inverse_sums(&pass, a as usize, (at.graph.neighbours(a), true), &mut rest);
            inverse_sums(&pass, a as usize, (&self.others, false), &mut sampled);
            rest.iter_mut().zip(&sampled).for_each(|(rest, x)| *rest -= scale * x);
            let p = &lambda.padded()[a as usize * stride..][..stride];
            let mean: f32 = p.iter().zip(&c).zip(&rest).map(|((p, c), rest)| p * c * rest).sum();
            let to = &mut out.phi[a as usize * stride..][..stride];
            for (l, to) in to.iter_mut().enumerate() {
                *to = p[l] * (c[l] * rest[l] - mean);
            }
        }
        self.responsibilities(at, &pass, (params.non_edge_share, random), out);
    }

    /// L from all edges, M from about `share` of the non-edges.
    fn responsibilities(
        &mut self,
        at: At<'_>,
        pass: &PairPass<'_>,
        (share, random): (f64, &mut Fast),
        out: &mut Gradient,
    ) {
        let At { graph, lambda } = at;
        let (n, k) = (lambda.n(), lambda.k());
        out.links.fill(0.0);
        out.non_links.fill(0.0);
        let mut sum = vec![0f32; pass.stride];
        // Every node meets this many others on average; each pair can be met from both its ends.
        let wanted = 0.5 * share * (n as f64 - 1.0).max(0.0);
        for a in 0..n as u32 {
            let p = lambda.row(a);
            let row = graph.neighbours(a);
            let upper = &row[row.partition_point(|&b| b < a)..];
            inverse_sums(pass, a as usize, (upper, true), &mut sum);
            (0..k).for_each(|i| out.links[i] += f64::from(p[i] * sum[i]));
            let scale = if share < 1.0 {
                let count = wanted as usize + usize::from(random.unit() < wanted.fract());
                self.draw_any(at, a, count, random);
                0.5 * (n as f64 - 1.0) / wanted
            } else {
                self.all_non_neighbours(at, a, a + 1);
                1.0
            };
            if !self.others.is_empty() {
                inverse_sums(pass, a as usize, (&self.others, false), &mut sum);
                (0..k).for_each(|i| out.non_links[i] += scale * f64::from(p[i] * sum[i]));
            }
        }
        for (i, beta) in lambda.beta().iter().enumerate() {
            out.links[i] *= beta;
            out.non_links[i] *= 1.0 - beta;
        }
    }

    /// Moves `batch` random nodes to the front of `order`.
    fn draw_batch(&mut self, n: usize, batch: usize, random: &mut Fast) {
        if self.order.len() != n {
            self.order = (0..n as u32).collect();
            self.seen = vec![0; n];
            self.stamp = 0;
        }
        self.batch = batch.min(n);
        if self.batch < n {
            for i in 0..self.batch {
                self.order.swap(i, i + random.below((n - i) as u64) as usize);
            }
        }
    }

    /// Non-neighbours of a into `others`; how many each stands for.
    fn draw_others(&mut self, at: At<'_>, a: u32, n: usize, random: &mut Fast) -> f32 {
        let nodes = at.graph.nodes();
        let degree = at.graph.degree(a);
        let available = nodes - 1 - degree;
        let wanted = n.saturating_sub(degree).max(LEAST_OTHERS);
        if wanted >= available || 2 * degree >= nodes {
            self.all_non_neighbours(at, a, 0);
            return 1.0;
        }
        self.mark(at, a);
        self.others.clear();
        while self.others.len() < wanted {
            let b = random.below(nodes as u64) as u32;
            if self.seen[b as usize] != self.stamp {
                self.others.push(b);
            }
        }
        available as f32 / wanted as f32
    }

    /// Keeps the non-neighbours among `count` nodes other than a: a neighbour drawn counts as a term of zero.
    fn draw_any(&mut self, at: At<'_>, a: u32, count: usize, random: &mut Fast) {
        self.others.clear();
        for _ in 0..count {
            let b = random.below(at.graph.nodes() as u64 - 1) as u32;
            let b = b + u32::from(b >= a);
            if at.graph.neighbours(a).binary_search(&b).is_err() {
                self.others.push(b);
            }
        }
    }

    fn all_non_neighbours(&mut self, at: At<'_>, a: u32, from: u32) {
        self.mark(at, a);
        self.others.clear();
        let (seen, stamp) = (&self.seen, self.stamp);
        self.others.extend((from..at.graph.nodes() as u32).filter(|b| seen[*b as usize] != stamp));
    }

    fn mark(&mut self, at: At<'_>, a: u32) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.seen.fill(0);
            self.stamp = 1;
        }
        self.seen[a as usize] = self.stamp;
        at.graph.neighbours(a).iter().for_each(|&b| self.seen[b as usize] = self.stamp);
    }
}
