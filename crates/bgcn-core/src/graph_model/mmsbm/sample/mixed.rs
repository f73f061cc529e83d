//! Graphs drawn with mixed memberships: p_ab = δ + Σ_k q_k, q_k = pi_ak pi_bk c_k, c_k = beta_k − δ.
//! Paper: the generative model of "Posterior inference for the MMSBM".
//! Differs: linear time. The background and each community propose pairs on their own, at an upper bound of what is
//! needed; a proposal is accepted with the exact ratio, and a pair accepted twice is one edge.
//! Symbols: `c` `[k]`; q_k as above; r_k the probability with which community k must join a pair.
//!
//! Independent proposals join a pair with probability 1 − Π(1 − r), so r is not q: taking the background first and
//! then the communities one after another, r_k = q_k / (1 − what came before) makes the total exactly δ + Σ q_k.
//! Each pair takes its largest q last. Then what came before is at most δ + max c / 4, however dense the communities,
//! because the roots of q_k / max c sum to at most 1 (Cauchy–Schwarz): the largest is m, so the others' squares sum
//! to at most m (1 − m). Hence q_k / (1 − δ) ≤ r_k ≤ q_k / (1 − δ − max c / 4): nearly every decision falls outside
//! this narrow range, and needs neither of the two rows of pi.
//!
//! Where some c_k < 0, those communities propose nothing; the pair's other q (and δ) shrink by the factor
//! p_ab / (δ + Σ_{c > 0} q), so that they sum to p_ab. It is exact, at the cost of the edges that a model with
//! beta_k raised to δ would draw. A background above ¼ makes the graph dense: then every pair is visited.

use super::super::Lambda;
use crate::graph_model::blocks::walk::{Grid, Source, Walk, pairs};

/// Above this background, at least an eighth of all pairs are edges (for c ≥ 0), and visiting all costs little more.
const DENSE: f64 = 0.25;

/// λ, and its nodes in buckets by size of membership.
#[derive(Clone, Debug)]
pub(super) struct Mixed {
    lambda: Lambda,
    c: Vec<f64>,
    /// Whether some c_k < 0.
    thinned: bool,
    /// Bounds of r_k / q_k.
    ratio: [f64; 2],
    /// (node, pi_ak), bucket after bucket; ascending nodes in each.
    entries: Vec<(u32, f32)>,
    buckets: Vec<Bucket>,
}

/// Nodes whose membership in a community lies within a factor of two, or below what matters.
#[derive(Clone, Debug)]
struct Bucket {
    community: usize,
    start: usize,
    end: usize,
    /// The largest pi_ak in it.
    largest: f32,
}

impl Mixed {
    pub(super) fn new(lambda: &Lambda) -> Self {
        let delta = lambda.delta();
        let c: Vec<f64> = lambda.beta().iter().map(|beta| beta - delta).collect();
        let greatest = c.iter().copied().fold(0.0, f64::max);
        let thinned = c.iter().any(|&c| c < 0.0);
        let least = if thinned { 0.0 } else { 1.0 / (1.0 - delta) };
        let ratio = [least, 1.0 / (1.0 - delta - greatest / 4.0)];
        let mut mixed = Self { lambda: lambda.clone(), c, thinned, ratio, entries: Vec::new(), buckets: Vec::new() };
        if delta <= DENSE {
            let sizes = lambda.sizes();
            for (community, size) in sizes.into_iter().enumerate() {
                if mixed.c[community] > 0.0 {
                    mixed.fill_buckets(community, size);
                }
            }
        }
        mixed
    }

    /// Sorts the nodes into buckets [½, 1], [¼, ½), … of their membership in `community`.
    ///
    /// The last bucket takes everything below an eighth of the mean: with it, as many proposals are lost as the
    /// community has edges, half of that at most, and the buckets number about log2(8 K).
    fn fill_buckets(&mut self, community: usize, size: f64) {
        let n = self.nodes();
        let last = (8.0 * n as f64 / size.max(f64::MIN_POSITIVE)).log2().ceil().clamp(0.0, 60.0) as usize;
        // pi = 1.m · 2^-e is in bucket e; 1 itself in bucket 0.
        let bucket = |pi: f32| (127 - (pi.to_bits() >> 23) as usize).min(last);
        let mut starts = vec![0usize; last + 2];
        let mut largest = vec![0f32; last + 1];
        let member = |a: u32| self.lambda.row(a)[community].min(1.0);
        for pi in (0..n as u32).map(member).filter(|&pi| pi > 0.0) {
            starts[bucket(pi) + 1] += 1;
            largest[bucket(pi)] = largest[bucket(pi)].max(pi);
        }
        for i in 0..=last {
            starts[i + 1] += starts[i];
        }
        let base = self.entries.len();
        let mut next = starts.clone();
        self.entries.resize(base + starts[last + 1], (0, 0.0));
        for a in 0..n as u32 {
            let pi = self.lambda.row(a)[community].min(1.0);
            if pi > 0.0 {
                let place = &mut next[bucket(pi)];
                self.entries[base + *place] = (a, pi);
                *place += 1;
            }
        }
        let found = starts.windows(2).zip(largest).filter(|(bounds, _)| bounds[0] < bounds[1]);
        self.buckets.extend(found.map(|(bounds, largest)| Bucket {
            community,
            start: base + bounds[0],
            end: base + bounds[1],
            largest,
        }));
    }

    pub(super) fn nodes(&self) -> usize {
        self.lambda.n()
    }

    /// Appends the edges of a draw; some may come twice.
    pub(super) fn draw(&self, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        if self.lambda.delta() > DENSE {
            return self.visit_all(random, edges);
        }
        let mut background = Walk::new(pairs(self.nodes()), self.lambda.delta());
        let mut grid = Grid::new(self.nodes());
        while let Some(number) = background.stop(random) {
            let (a, b) = grid.pair(number);
            if !self.thinned || random.unit() < self.shrinkage(a as u32, b as u32) {
                edges.push((a as u32, b as u32));
            }
        }
        for of_one in self.buckets.chunk_by(|x, y| x.community == y.community) {
            for (i, first) in of_one.iter().enumerate() {
                for second in &of_one[i..] {
                    self.propose(first, second, random, edges);
                }
            }
        }
    }

    /// Joins pairs of two buckets of a community, each with its probability r_k.
    fn propose(&self, first: &Bucket, second: &Bucket, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        let c = self.c[first.community];
        let bound = (c * f64::from(first.largest) * f64::from(second.largest) * self.ratio[1]).min(1.0);
        let (rows, columns) = (&self.entries[first.start..first.end], &self.entries[second.start..second.end]);
        let one = first.start == second.start;
        let count = if one { pairs(rows.len()) } else { rows.len() as u64 * columns.len() as u64 };
        let (mut walk, mut grid) = (Walk::new(count, bound), Grid::new(columns.len()));
        while let Some(number) = walk.stop(random) {
            let (i, j) = if one { grid.pair(number) } else { grid.at(number) };
            let ((a, pi_a), (b, pi_b)) = (rows[i], columns[j]);
            if a == b {
                continue;
            }
            let q = c * f64::from(pi_a) * f64::from(pi_b);
            let level = random.unit() * bound;
            if level < q * self.ratio[0] || (level < q * self.ratio[1] && level < self.firing(first.community, a, b)) {
                edges.push((a, b));
            }
        }
    }

    /// r_k of a pair, exactly.
    fn firing(&self, community: usize, a: u32, b: u32) -> f64 {
        let products = self.lambda.row(a).iter().zip(self.lambda.row(b)).map(|(&x, &y)| f64::from(x) * f64::from(y));
        let q = products.zip(&self.c).map(|(product, &c)| product * c.max(0.0));
        let (mut largest, mut before, mut others, mut own) = ((0, f64::MIN), 0.0, 0.0, 0.0);
        for (k, q) in q.enumerate() {
            own = if k == community { q } else { own };
            // The largest so far comes last: what it replaces joins the others.
            let joins = if q > largest.1 { std::mem::replace(&mut largest, (k, q)) } else { (k, q) };
            if joins.1 > f64::MIN {
                others += joins.1;
                before += if joins.0 < community { joins.1 } else { 0.0 };
            }
        }
        let before = self.lambda.delta() + if largest.0 == community { others } else { before };
        let shrinkage = if self.thinned { self.shrinkage(a, b) } else { 1.0 };
        shrinkage * own / (1.0 - shrinkage * before)
    }

    /// p_ab / (δ + Σ_{c > 0} q): 1 unless some c < 0.
    fn shrinkage(&self, a: u32, b: u32) -> f64 {
        let (mut p, mut raised) = (self.lambda.delta(), self.lambda.delta());
        for ((&x, &y), &c) in self.lambda.row(a).iter().zip(self.lambda.row(b)).zip(&self.c) {
            let q = f64::from(x) * f64::from(y) * c;
            p += q;
            raised += q.max(0.0);
        }
        if raised > 0.0 { (p / raised).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// Tries every pair: O(N²), for dense graphs.
    fn visit_all(&self, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        for b in 0..self.nodes() as u32 {
            edges.extend((0..b).filter(|&a| random.unit() < self.lambda.edge_probability(a, b)).map(|a| (a, b)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_probabilities, lambda};
    use crate::graph_model::mmsbm::Draw;
    use crate::rng::{For, Random, Seed};

    fn check(k: usize, pi: &[f32], beta: &[f64], delta: f64) {
        let lambda = lambda(k, pi, beta, delta);
        assert_probabilities(&lambda, Draw::Mixed, |a, b| lambda.edge_probability(a, b));
    }

    fn memberships(n: usize, k: usize, shape: f64) -> Vec<f32> {
        let mut random = Seed::new(3).at(For::Generate, [0; 3]);
        (0..n * k).map(|_| random.gamma(shape) as f32 + 1e-6).collect()
    }

    #[test]
    fn pairs_have_the_probability_of_the_formula() {
        check(3, &memberships(14, 3, 0.5), &[0.1, 0.05, 0.3], 0.01);
    }

    #[test]
    fn dense_communities_stay_exact() {
        check(4, &memberships(12, 4, 2.0), &[0.999, 1.0, 0.9, 0.95], 0.2);
        check(2, &memberships(12, 2, 0.5), &[1.0, 1.0], 0.0);
    }

    #[test]
    fn a_dense_background_visits_every_pair() {
        check(2, &memberships(10, 2, 1.0), &[0.9, 0.1], 0.6);
    }

    #[test]
    fn communities_below_the_background_thin_it_exactly() {
        check(3, &memberships(12, 3, 1.0), &[0.01, 0.6, 0.02], 0.2);
        check(2, &memberships(12, 2, 1.0), &[0.0, 0.0], 0.15);
    }

    #[test]
    fn one_community_empty_communities_and_no_background_are_ordinary_cases() {
        check(1, &[1.0; 12], &[0.3], 0.0);
        check(1, &[1.0; 12], &[0.001], 0.1);
        let pi: Vec<f32> = (0..12).flat_map(|a| [1.0 - a as f32 / 20.0, a as f32 / 20.0, 0.0]).collect();
        check(3, &pi, &[0.4, 0.001, 0.9], 0.0);
        check(2, &[1.0, 0.0], &[0.5, 0.5], 0.1);
        check(2, &[], &[0.5, 0.5], 0.1);
    }

    #[test]
    fn memberships_over_many_sizes_fill_many_buckets() {
        let pi: Vec<f32> = (0..14).flat_map(|a| [1.0, 0.5f32.powi(a), 0.25f32.powi(a)]).collect();
        check(3, &pi, &[0.2, 0.9, 0.7], 0.001);
    }
}
