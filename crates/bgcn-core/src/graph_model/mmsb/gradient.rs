//! The gradient of log p(G_obs | pi, B), and the responsibilities from which B follows: in closed form, or pair by
//! pair.
//! Paper: the sums in the equations labelled theta_update and phi_update, for a full block matrix.
//! Differs: 1/(1 − s) of non-edges is replaced by a straight line of each node's own, the closest over all s the node
//! can make.
//! Symbols: v = B pi_a, s_ab = v · pi_b, so s_ab lies between the least and the greatest v_k; S = Σ_b pi_b, M = Σ_b
//! pi_b pi_bᵀ; L_kl = Σ_edges pi_ak B_kl pi_bl / s_ab the expected links between picks k and l, and the same for
//! non-edges.
//!
//! With e = Σ_edges pi_b / s_ab and R = Σ_non-edges pi_b / (1 − s_ab), phi_ak g(phi_ak) = pi_ak ((B (e − R))_k − its
//! mean), and over all b, Σ_b pi_b u(s_ab) = u_0 S + u_1 M v: O(degree K + K²) for a row. Neighbours and a itself are
//! taken out again.
//!
//! How far off: |u(s) − 1/(1 − s)| ≤ error_a for every s that can occur, so
//! |error of phi_ak g| ≤ error_a pi_ak ((B S)_k + v · S), and of non-edges between picks, error_a (1 − B_kl) pi_ak S_l
//! summed over a.

use crate::graph::Graph;
use crate::graph_model::BlockMatrix;
use crate::graph_model::blocks::line::Line;
use crate::graph_model::blocks::matrix::Counts;
use crate::graph_model::blocks::memberships::{LEAST_RATE, Memberships};
use crate::graph_model::blocks::rows::Blocks;
use crate::kernels::Aligned;

/// The graph and where its gradient is taken.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) pi: &'a Memberships,
    pub(crate) b: &'a BlockMatrix,
}

/// A gradient, and the expected counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Gradient {
    /// phi ∘ dL/dphi [n, stride]; rows sum to 0.
    pub(crate) phi: Aligned,
    /// Expected links, and links and non-links together, between picks.
    pub(crate) counts: Option<Counts>,
    partial: Vec<f64>,
}

/// Lines end here: 1/(1 − s) grows without end, and the steep line that followed it would drown all other sums in
/// rounding. A node with a larger s, in a small and nearly complete block, gets less than its non-edges' due, and
/// see [`At::bound`].
const DENSEST: f64 = 0.99;

/// How the sum over non-edges is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NonEdges {
    /// By the moments; O(E K + N K²) in all.
    Closed,
    /// Pair by pair, O(N² K): the yardstick, and what small dense graphs get.
    Exact,
}

impl At<'_> {
    /// v of a node, the line for the s that it makes, and the least of these.
    pub(crate) fn reach(&self, a: u32, v: &mut [f64]) -> (Line, f64) {
        let p: Vec<f64> = self.pi.row(a).iter().map(|&p| f64::from(p)).collect();
        self.b.times(&p, v);
        let (low, high) = ends(v);
        let (low, high) = (low.min(DENSEST), high.min(DENSEST));
        (Line::over(1.0, low, high), low)
    }

    /// The largest error of the closed form at any node, relative to the weight 1/(1 − s) at its least s.
    pub(crate) fn bound(&self) -> f64 {
        // It rises with (1 − low) / (1 − high). A pure membership makes these the ends of a row of B, and a mixed one
        // quotients of weighted means of theirs, which are no larger than the largest quotient: K rows are enough for N
        // nodes.
        let row = |k: usize| {
            let (low, high) = ends(self.b.row(k));
            Line::over(1.0, low, high).relative_error(low)
        };
        (0..self.b.k()).map(row).fold(0.0, f64::max)
    }
}

impl Gradient {
    /// Overwrites this with the gradient at a point.
    pub(crate) fn find(&mut self, at: At<'_>, how: NonEdges) {
        let (n, k, stride) = (at.pi.n(), at.pi.k(), at.pi.stride());
        if self.phi.len() != n * stride {
            self.phi = Aligned::zeros(n * stride);
        }
        let moments = at.pi.moments(&mut self.partial);
        let width = 2 * k * k;
        let sums = Blocks::of(n).sum_rows((&mut self.phi, stride), (&mut self.partial, width), |first, rows, sums| {
            let mut row = Row::new(k);
            for (a, to) in (first as u32..).zip(rows.chunks_exact_mut(stride)) {
                row.add_links(at, a);
                match how {
                    NonEdges::Closed => row.add_moments(at, &moments),
                    NonEdges::Exact => row.add_pairs(at, a),
                }
                row.finish(at, a, to, sums);
            }
        });
        let links: Vec<f64> = (0..k * k).map(|i| at.b.get(i / k, i % k) * sums[i]).collect();
        let rest = (0..k * k).map(|i| (1.0 - at.b.get(i / k, i % k)) * sums[k * k + i]);
        // Rounding and the line may leave a little less than nothing where there are no non-edges.
        let all = rest.zip(&links).map(|(rest, links)| links + rest.max(0.0)).collect();
        self.counts = Some(Counts::of_ordered(k, links, all));
    }
}

/// Scratch memory for a node.
struct Row {
    v: Vec<f64>,
    line: Line,
    /// e.
    links: Vec<f64>,
    /// Σ over neighbours and the node itself of pi_b u(s_ab).
    known: Vec<f64>,
    /// R.
    rest: Vec<f64>,
    toward: Vec<f64>,
}

impl Row {
    fn new(k: usize) -> Self {
        let [v, links, known, rest, toward] = [(); 5].map(|()| vec![0.0; k]);
        Self { v, line: Line::over(1.0, 0.0, 0.0), links, known, rest, toward }
    }

    /// v, the line, e and what is known of the neighbours.
    fn add_links(&mut self, at: At<'_>, a: u32) {
        (self.line, _) = at.reach(a, &mut self.v);
        self.links.fill(0.0);
        self.known.fill(0.0);
        for &b in at.graph.neighbours(a) {
            let q = at.pi.row(b);
            let s = self.dot(q);
            add(&mut self.links, 1.0 / s.max(LEAST_RATE), q);
            add(&mut self.known, self.line.at(s), q);
        }
        let own = at.pi.row(a);
        let s = self.dot(own);
        add(&mut self.known, self.line.at(s), own);
    }

    /// R by the moments.
    fn add_moments(&mut self, at: At<'_>, moments: &[f64]) {
        let stride = at.pi.stride();
        let (s, m) = moments.split_at(stride);
        for (i, rest) in self.rest.iter_mut().enumerate() {
            let pull: f64 = m[i * stride..].iter().zip(&self.v).map(|(m, v)| m * v).sum();
            *rest = self.line.at_0 * s[i] + self.line.slope * pull - self.known[i];
        }
    }

    /// R pair by pair.
    fn add_pairs(&mut self, at: At<'_>, a: u32) {
        self.rest.fill(0.0);
        let mut neighbours = at.graph.neighbours(a).iter().peekable();
        for b in (0..at.pi.n() as u32).filter(|&b| b != a) {
            if neighbours.next_if(|&&next| next == b).is_none() {
                let q = at.pi.row(b);
                let s = self.dot(q);
                add(&mut self.rest, 1.0 / (1.0 - s).max(LEAST_RATE), q);
            }
        }
    }

    /// The row of the gradient; adds pi_ak e_l and pi_ak R_l to `sums` [2, k, k].
    fn finish(&mut self, at: At<'_>, a: u32, to: &mut [f32], sums: &mut [f64]) {
        let (p, k) = (at.pi.row(a), at.pi.k());
        let (links, non_links) = sums.split_at_mut(k * k);
        for (i, &p) in p.iter().enumerate() {
            for l in 0..k {
                links[i * k + l] += f64::from(p) * self.links[l];
                non_links[i * k + l] += f64::from(p) * self.rest[l];
            }
        }
        let difference: Vec<f64> = self.links.iter().zip(&self.rest).map(|(links, rest)| links - rest).collect();
        at.b.times(&difference, &mut self.toward);
        let mean: f64 = p.iter().zip(&self.toward).map(|(&p, toward)| f64::from(p) * toward).sum();
        for ((to, &p), toward) in to.iter_mut().zip(p).zip(&self.toward) {
            *to = (f64::from(p) * (toward - mean)) as f32;
        }
    }

    /// s of the node and one with memberships q.
    fn dot(&self, q: &[f32]) -> f64 {
        self.v.iter().zip(q).map(|(v, &q)| v * f64::from(q)).sum()
    }
}

/// The least and the greatest of some numbers.
pub(crate) fn ends(numbers: &[f64]) -> (f64, f64) {
    numbers.iter().fold((f64::MAX, f64::MIN), |(low, high), &x| (low.min(x), high.max(x)))
}

fn add(to: &mut [f64], weight: f64, q: &[f32]) {
    to.iter_mut().zip(q).for_each(|(to, &q)| *to += weight * f64::from(q));
}
