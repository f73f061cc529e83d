//! B, how strongly blocks are joined, and its closed-form maximum.
//! Paper: "the stochastic block model" of the related work; the paper's own model has a diagonal B and one background.
//! Differs: all K×K rates are free, so blocks may also avoid each other or themselves.
//! Symbols: `b` [k, k], symmetric; L_kl links and P_kl pairs (or what stands for them) between blocks k and l, each
//! pair once; ρ = ΣL / ΣP, the density; c pseudo-pairs of that density, the prior.

use super::memberships::{LEAST_RATE, Memberships};
use super::rows::Blocks;
use crate::graph::Graph;
use crate::graph_model::{Array, Parameters};
use serde::Deserialize;
use serde_json::json;

/// A symmetric matrix of rates between K blocks.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix {
    k: usize,
    rates: Vec<f64>, // [k, k]
}

impl BlockMatrix {
    /// From the entries with k ≤ l.
    pub(crate) fn from_upper(k: usize, upper: impl Fn(usize, usize) -> f64) -> Self {
        let entry = |i: usize| upper((i / k).min(i % k), (i / k).max(i % k));
        Self { k, rates: (0..k * k).map(entry).collect() }
    }

    /// K, the number of blocks.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The rate between a node of block `k` and one of block `l`. Panics when a block does not exist.
    pub fn get(&self, k: usize, l: usize) -> f64 {
        self.row(k)[l]
    }

    /// The rates of block `k` `[k]`.
    pub fn row(&self, k: usize) -> &[f64] {
        &self.rates[k * self.k..(k + 1) * self.k]
    }

    /// The greatest rate.
    pub(crate) fn greatest(&self) -> f64 {
        self.rates.iter().copied().fold(0.0, f64::max)
    }

    /// f of every rate, [k, k].
    pub(crate) fn map(&self, f: impl Fn(f64) -> f64) -> Vec<f64> {
        self.rates.iter().map(|&rate| f(rate)).collect()
    }

    /// The probability Σ_kl x_k y_l f(B_kl), to the last bit the same for (y, x), and rising in every number where f is
    /// not negative.
    pub(crate) fn probability(&self, x: &[f32], y: &[f32], f: impl Fn(f64) -> f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..self.k {
            let (row, x_k, y_k) = (self.row(k), f64::from(x[k]), f64::from(y[k]));
            sum += x_k * y_k * f(row[k]);
            for l in k + 1..self.k {
                sum += (x_k * f64::from(y[l]) + f64::from(x[l]) * y_k) * f(row[l]);
            }
        }
        // Rows sum to 1 up to single precision.
        sum.min(1.0)
    }

    /// λ of a model with this matrix, to be kept in files: `communities`, `b` [k, k], and the rows `name` [n, k].
    pub(crate) fn parameters(&self, name: &str, rows: &Memberships) -> Parameters {
        let b: Vec<&[f64]> = (0..self.k).map(|k| self.row(k)).collect();
        let small = [("communities".to_owned(), json!(self.k)), ("b".to_owned(), json!(b))].into_iter().collect();
        let values = (0..rows.n() as u32).flat_map(|a| rows.row(a)).copied().collect();
        let array = Array::Rows { columns: self.k, values };
        Parameters { nodes: rows.n(), small, arrays: [(name.to_owned(), array)].into() }
    }

    /// The matrix and the rows `name` [n, k] that [`BlockMatrix::parameters`] keeps, no rate above `most`; on failure
    /// what was found instead.
    pub(crate) fn of_parameters(parameters: &Parameters, name: &str, most: f64) -> Result<(Self, Memberships), String> {
        #[derive(Deserialize)]
        struct Small {
            communities: usize,
            b: Vec<Vec<f64>>,
        }
        let Small { communities: k, b } = parameters.small()?;
        let square = b.len() == k && b.iter().all(|row| row.len() == k);
        let fine = |i: usize, l: usize| (0.0..=most).contains(&b[i][l]) && b[i][l] == b[l][i];
        if !square || !(0..k * k).all(|at| fine(at / k, at % k)) {
            return Err(format!("b is no symmetric [{k}, {k}] matrix of rates from 0 to {most}"));
        }
        let rows = Memberships::new(k, parameters.rows(name, k)?).map_err(|error| error.to_string())?;
        Ok((Self::from_upper(k, |i, l| b[i][l].clamp(LEAST_RATE, most)), rows))
    }

    /// B x into `to` `[k]`.
    pub(crate) fn times(&self, x: &[f64], to: &mut [f64]) {
        for (to, row) in to.iter_mut().zip(self.rates.chunks_exact(self.k)) {
            *to = row.iter().zip(x).map(|(rate, x)| rate * x).sum();
        }
    }
}

/// L and P between all blocks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Counts {
    pub(crate) k: usize,
    /// L [k, k], symmetric, each link once.
    pub(crate) links: Vec<f64>,
    /// P [k, k], symmetric, each pair once.
    pub(crate) pairs: Vec<f64>,
}

impl Counts {
    /// Expected counts when node a is in block k with probability q_ak, on its own; a pair a, b stands for theta_a
    /// theta_b pairs.
    ///
    /// O(E K + N K²): Σ_{a<b} q_ak q_bl over all pairs is (T_k T_l − Σ_a theta_a² q_ak q_al), halved for k = l.
    pub(crate) fn expected(graph: &Graph, q: &Memberships, theta: &[f32]) -> Self {
        let k = q.k();
        let sums = Blocks::of(q.n()).sum_parts((&mut Vec::new(), 2 * k * k + k), |rows, sums| {
            let (links, rest) = sums.split_at_mut(k * k);
            let (own, total) = rest.split_at_mut(k * k);
            let mut near = vec![0.0; k];
            for a in rows.start as u32..rows.end as u32 {
                near.fill(0.0);
                for &b in graph.neighbours(a) {
                    near.iter_mut().zip(q.row(b)).for_each(|(near, &q)| *near += f64::from(q));
                }
                let theta = f64::from(theta[a as usize]);
                for (i, &x) in q.row(a).iter().enumerate() {
                    let x = f64::from(x);
                    total[i] += theta * x;
                    for (l, &y) in q.row(a).iter().enumerate() {
                        links[i * k + l] += x * near[l];
                        own[i * k + l] += theta * theta * x * f64::from(y);
                    }
                }
            }
        });
        let (links, own, total) = (&sums[..k * k], &sums[k * k..2 * k * k], &sums[2 * k * k..]);
        Self::of_ordered(k, links.to_vec(), (0..k * k).map(|i| total[i / k] * total[i % k] - own[i]).collect())
    }

    /// Counts when every node is in the block of its label; O(E + N + K²).
    pub(crate) fn given(graph: &Graph, labels: &[u32], k: usize, theta: &[f32]) -> Self {
        let (mut links, mut own, mut total) = (vec![0.0; k * k], vec![0.0; k], vec![0.0; k]);
        for (a, (&label, &theta)) in labels.iter().zip(theta).enumerate() {
            let (label, theta) = (label as usize, f64::from(theta));
            total[label] += theta;
            own[label] += theta * theta;
            graph.neighbours(a as u32).iter().for_each(|&b| links[label * k + labels[b as usize] as usize] += 1.0);
        }
        let pairs = |i: usize| total[i / k] * total[i % k] - if i / k == i % k { own[i / k] } else { 0.0 };
        Self::of_ordered(k, links, (0..k * k).map(pairs).collect())
    }

    /// From sums over all ordered pairs: within a block each pair was met twice.
    pub(crate) fn of_ordered(k: usize, mut links: Vec<f64>, mut pairs: Vec<f64>) -> Self {
        for counts in [&mut links, &mut pairs] {
            let symmetric = BlockMatrix::from_upper(k, |i, l| {
                let both = 0.5 * (counts[i * k + l] + counts[l * k + i]);
                // Rounding can leave a little less than nothing.
                (if i == l { 0.5 * both } else { both }).max(0.0)
            });
            *counts = symmetric.rates;
        }
        Self { k, links, pairs }
    }

    /// Entries with k ≤ l, in which every pair of nodes is counted once.
    pub(crate) fn upper(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let k = self.k;
        (0..k).flat_map(move |i| (i..k).map(move |l| (i, l)))
    }

    /// ρ of these pairs; 0 without any.
    pub(crate) fn density(&self) -> f64 {
        let sum = |counts: &[f64]| self.upper().map(|(i, l)| counts[i * self.k + l]).sum::<f64>();
        sum(&self.links) / sum(&self.pairs).max(f64::MIN_POSITIVE)
    }

    /// The maximum of Π B^L (1 − B)^(P − L) (or of its Poisson twin, Π B^L e^(−P B)) under the prior of c pseudo-pairs
    /// at density ρ: B = (L + c ρ) / (P + c), no rate above `most`. 0/0, a pair of blocks without a pair of nodes at c
    /// = 0, gives ρ.
    pub(crate) fn rates(&self, prior: BlockPrior, most: f64) -> BlockMatrix {
        let BlockPrior { density, pseudo_pairs } = prior;
        BlockMatrix::from_upper(self.k, |i, l| {
            let pairs = self.pairs[i * self.k + l] + pseudo_pairs;
            let links = self.links[i * self.k + l] + pseudo_pairs * density;
            (if pairs > f64::MIN_POSITIVE { links / pairs } else { density }).clamp(LEAST_RATE, most)
        })
    }
}

/// The prior of a rate: Beta(1 + c ρ, 1 + c (1 − ρ)), or Gamma(1 + c ρ, c) for Poisson
/// rates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BlockPrior {
    /// ρ.
    pub(crate) density: f64,
    /// c.
    pub(crate) pseudo_pairs: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{For, Random as _, Seed};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_those_of_visiting_every_pair(
            n in 1usize..25, k in 1usize..5, raw in prop::collection::vec((0u32..25, 0u32..25), 0..60),
            seed in 0u64..100,
        ) {
            let edges: Vec<_> = raw.iter().map(|&(a, b)| (a % n as u32, b % n as u32)).collect();
            let graph = Graph::from_edges(n, &edges).unwrap();
            let mut random = Seed::new(seed).at(For::Generate, [0; 3]);
            let rows: Vec<f32> = (0..n * k).map(|_| random.unit() as f32 + 0.01).collect();
            let theta: Vec<f32> = (0..n).map(|_| 2.0 * random.unit() as f32).collect();
            let q = Memberships::new(k, &rows).unwrap();
            let labels = q.labels();
            let hard: Vec<f32> = labels.iter().flat_map(|&z| (0..k).map(move |i| f32::from(i == z as usize))).collect();
            // Hard memberships are kept 1e-7 above zero, which is what the two ways of counting may differ by.
            for (found, rows) in [
                (Counts::expected(&graph, &q, &theta), q.clone()),
                (Counts::given(&graph, &labels, k, &theta), Memberships::new(k, &hard).unwrap()),
            ] {
                let (mut links, mut pairs) = (vec![0.0; k * k], vec![0.0; k * k]);
                for a in 0..n as u32 {
                    for b in (0..n as u32).filter(|&b| b != a) {
                        for (i, &x) in rows.row(a).iter().enumerate() {
                            for (l, &y) in rows.row(b).iter().enumerate() {
                                // Within a block, each of the two orders of a pair is half of it.
                                let weight = f64::from(x) * f64::from(y) * if i == l { 0.5 } else { 1.0 };
                                links[i * k + l] += weight * f64::from(u8::from(graph.has_edge(a, b)));
                                let [of_a, of_b] = [a, b].map(|node| f64::from(theta[node as usize]));
                                pairs[i * k + l] += weight * of_a * of_b;
                            }
                        }
                    }
                }
                for i in 0..k * k {
                    prop_assert!((found.links[i] - links[i]).abs() < 1e-3 && (found.pairs[i] - pairs[i]).abs() < 1e-3);
                }
            }
        }
    }

    #[test]
    fn a_pair_of_blocks_without_nodes_gets_the_density() {
        let graph = Graph::from_edges(4, &[(0, 1), (2, 3), (1, 2)]).unwrap();
        let counts = Counts::given(&graph, &[0, 0, 1, 1], 3, &[1.0; 4]);
        assert_eq!(counts.density(), 0.5);
        for pseudo_pairs in [0.0, 2.0] {
            let b = counts.rates(BlockPrior { density: 0.5, pseudo_pairs }, 1.0 - LEAST_RATE);
            assert_eq!([b.get(0, 2), b.get(2, 2)], [0.5; 2]);
        }
        let b = counts.rates(BlockPrior { density: 0.5, pseudo_pairs: 0.0 }, 1.0 - LEAST_RATE);
        assert_eq!([b.get(0, 0), b.get(0, 1), b.get(1, 0)], [1.0 - LEAST_RATE, 0.25, 0.25]);
        let b = counts.rates(BlockPrior { density: 0.5, pseudo_pairs: 2.0 }, 1.0 - LEAST_RATE);
        assert!((b.get(0, 0) - 2.0 / 3.0).abs() < 1e-15);
    }
}
