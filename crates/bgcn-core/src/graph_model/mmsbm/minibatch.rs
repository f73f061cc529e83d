//! `minibatch`: the gradient as published, from sampled nodes and sampled non-edges.
//! Paper: "Stochastic optimization and mini-batch sampling".
//! Differs: no list of non-edges is ever stored. As in the authors' code, theta moves after phi, at the memberships that
//! phi has just reached; nodes and their non-neighbours are sampled without replacement, the non-edges for theta with. What the paper
//! leaves undefined: at |N(a)| ≥ n at least [`LEAST_OTHERS`] non-neighbours are sampled; where no fewer than all were
//! asked for, every non-neighbour is taken once; n ≥ N takes every node.
//! Symbols: n nodes per batch; others b of a are all neighbours and n − |N(a)| non-neighbours, scaled to all of these.

use super::gradient::At;
use super::phi::phi_gradient;
use super::theta::theta_gradient;
use super::{Inference, Mmsbm, MmsbmParams};
use crate::graph::Graph;
use crate::graph_model::{Error, Report};
use crate::rng::{Fast, Random, Stream};

/// Non-neighbours sampled where the neighbours alone fill the batch.
const LEAST_OTHERS: usize = 32;

/// Which pairs an iteration visits: sampled ones, or those of a proof.
pub(crate) trait Visits {
    /// The nodes whose rows of phi move.
    fn nodes(&mut self) -> Vec<u32>;

    /// Non-neighbours of a into `into`; how many each stands for.
    fn others(&mut self, a: u32, into: &mut Vec<u32>) -> f64;

    /// Non-edges for theta, each once, to `visit` as a node and others; how many each stands for.
    fn non_edges(&mut self, visit: &mut dyn FnMut(u32, &[u32])) -> f64;
}

impl Mmsbm<'_> {
    /// A round with sampled pairs.
    pub(super) fn sampled_round(&mut self, stream: &mut Stream, report: &mut Report) -> Result<f32, Error> {
        let (mut memory, params) = (std::mem::take(&mut self.work.minibatch), self.params.clone());
        let mut visits = Sampled { graph: self.graph, params: &params, memory: &mut memory, random: stream.fast() };
        let moved = self.visiting_round(&mut visits, stream, report);
        self.work.minibatch = memory;
        moved
    }

    /// A round with the pairs that `visits` names: phi of some nodes, then theta.
    pub(super) fn visiting_round(
        &mut self,
        visits: &mut dyn Visits,
        noise: &mut impl Random,
        report: &mut Report,
    ) -> Result<f32, Error> {
        let sampling = self.params.inference == Inference::Langevin;
        let at = At { graph: self.graph, lambda: &self.lambda };
        let (nodes, visited) = phi_gradient(at, visits, &mut self.work.gradient);
        report.non_edges_visited += visited;
        let moved = if sampling { self.diffuse_batch(&nodes, noise)? } else { self.move_batch(&nodes)? };
        let at = At { graph: self.graph, lambda: &self.lambda };
        report.non_edges_visited += theta_gradient(at, visits, &mut self.work.gradient);
        if sampling {
            self.diffuse_strengths(noise)?
        } else {
            self.move_strengths()?
        }
        Ok(moved)
    }
}

/// Memory of the sampler, kept between iterations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Minibatch {
    /// All nodes; those of the batch come first.
    order: Vec<u32>,
    /// `seen[b] == stamp` marks that b cannot be sampled, or not again.
    seen: Vec<u32>,
    stamp: u32,
    /// How many non-edges of theta's sample start at each node.
    counts: Vec<u32>,
}

/// The published sampler.
pub(crate) struct Sampled<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) params: &'a MmsbmParams,
    pub(crate) memory: &'a mut Minibatch,
    pub(crate) random: Fast,
}

impl Minibatch {
    fn of(&mut self, n: usize) -> &mut Self {
        if self.order.len() != n {
            *self = Self { order: (0..n as u32).collect(), seen: vec![0; n], stamp: 0, counts: vec![0; n] };
        }
        self
    }

    /// `batch` of n nodes, without replacement.
    pub(crate) fn nodes(&mut self, n: usize, batch: usize, random: &mut Fast) -> Vec<u32> {
        let order = &mut self.of(n).order;
        let batch = batch.min(n);
        if batch < n {
            (0..batch).for_each(|i| order.swap(i, i + random.below((n - i) as u64) as usize));
        }
        order[..batch].to_vec()
    }

    /// Marks a and its neighbours as not to be sampled.
    fn mark(&mut self, graph: &Graph, a: u32) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.seen.fill(0);
            self.stamp = 1;
        }
        self.seen[a as usize] = self.stamp;
        graph.neighbours(a).iter().for_each(|&b| self.seen[b as usize] = self.stamp);
    }

    fn is_free(&self, b: u32) -> bool {
        self.seen[b as usize] != self.stamp
    }
}

impl Visits for Sampled<'_> {
    fn nodes(&mut self) -> Vec<u32> {
        self.memory.nodes(self.graph.nodes(), self.params.minibatch, &mut self.random)
    }

    fn others(&mut self, a: u32, into: &mut Vec<u32>) -> f64 {
        let Self { graph, memory, random, .. } = self;
        let (nodes, degree) = (graph.nodes(), graph.degree(a));
        let available = nodes - 1 - degree;
        let wanted = self.params.minibatch.saturating_sub(degree).max(LEAST_OTHERS);
        let memory = memory.of(nodes);
        memory.mark(graph, a);
        into.clear();
        // Rejection needs few tries while most nodes are free; else all of them, or a shuffled part.
        if 2 * wanted <= available {
            into.resize(wanted + 1, 0);
            let (mut taken, stamp, seen) = (0, memory.stamp, &mut memory.seen[..nodes]);
            while taken < wanted {
                // Without a branch on chance, which a processor cannot predict.
                let [a, b] = random.two_below(nodes as u32);
                into[taken] = a;
                taken += usize::from(seen[a as usize] != stamp);
                seen[a as usize] = stamp;
                into[taken] = b;
                taken += usize::from(seen[b as usize] != stamp);
                seen[b as usize] = stamp;
            }
            into.truncate(wanted);
            return available as f64 / wanted as f64;
        }
        into.extend((0..nodes as u32).filter(|&b| memory.is_free(b)));
        if wanted >= available {
            return 1.0;
        }
        (0..wanted).for_each(|i| into.swap(i, i + random.below((available - i) as u64) as usize));
        into.truncate(wanted);
        available as f64 / wanted as f64
    }

    /// A first node and then another, drawn again while they are joined: every non-edge with the same chance.
    fn non_edges(&mut self, visit: &mut dyn FnMut(u32, &[u32])) -> f64 {
        let Self { graph, memory, random, params } = self;
        let n = graph.nodes();
        let memory = memory.of(n);
        let all = n * n.saturating_sub(1) / 2 - graph.edges();
        let wanted = ((params.non_edge_share * all as f64) as usize).max(1).min(all);
        let mut others = Vec::new();
        if wanted == all {
            for a in 0..n as u32 {
                memory.mark(graph, a);
                others.clear();
                others.extend((a + 1..n as u32).filter(|&b| memory.is_free(b)));
                visit(a, &others);
            }
            return 1.0;
        }
        memory.counts.fill(0);
        for _ in 0..wanted / 2 {
            let [a, b] = random.two_below(n as u32);
            memory.counts[a as usize] += 1;
            memory.counts[b as usize] += 1;
        }
        (0..wanted % 2).for_each(|_| memory.counts[random.below(n as u64) as usize] += 1);
        let mut again = 0;
        for a in 0..n as u32 {
            let count = memory.counts[a as usize] as usize;
            if count == 0 {
                continue;
            }
            memory.mark(graph, a);
            let (mut kept, stamp, seen) = (0, memory.stamp, &memory.seen[..n]);
            others.resize(count + 1, 0);
            for i in 0..count.div_ceil(2) {
                let [x, y] = random.two_below(n as u32 - 1);
                let (x, y) = (x + u32::from(x >= a), y + u32::from(y >= a));
                others[kept] = x;
                kept += usize::from(seen[x as usize] != stamp);
                others[kept] = y;
                kept += usize::from(2 * i + 1 < count && seen[y as usize] != stamp);
            }
            again += count - kept;
            visit(a, &others[..kept]);
        }
        while again > 0 {
            let (a, b) = (random.below(n as u64) as u32, random.below(n as u64) as u32);
            if a != b && !graph.has_edge(a, b) {
                visit(a, &[b]);
                again -= 1;
            }
        }
        all as f64 / wanted as f64
    }
}
