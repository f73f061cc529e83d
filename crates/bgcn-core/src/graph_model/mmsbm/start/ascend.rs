//! Coordinate ascent: each node in turn takes the memberships that are best given all the others.
//! Paper: not in it; the same likelihood as the equation labelled mmsbm_posterior.
//! Differs: log(1 − p) of a non-edge is −p, its first order; sums over non-edges then need only S_k = Σ_b pi_bk.
//! Symbols: `pi` [n, k]; c_k = beta_k − delta; e_k the links of a that belong to k; d_k = c_k Σ_{b not linked} pi_bk.
//!
//! With Z_ab = delta + Σ_k pi_ak pi_bk c_k and e_k = pi_ak Σ_{b linked} (c_k pi_bk + delta) / Z_ab, concavity of the
//! logarithm bounds a node's part of the likelihood from below by Σ_k (e_k log pi_ak − d_k pi_ak), equal at the present
//! pi. Its maximum on the simplex is pi_ak = e_k / (mu + d_k), mu from Σ_k pi_ak = 1: one equation, solved by Newton.
//! Updating all nodes at once instead oscillates: everyone leaves a crowded community together, then returns.

use super::super::Lambda;
use crate::graph::Graph;
use crate::graph_model::Error;

const LANES: usize = 8;
type Block = [f32; LANES];

/// Settings of the ascent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ascent {
    /// Sweeps over all nodes; 20 come within 1 percent of the likelihood that 80 reach on ca-AstroPh.
    pub sweeps: usize,
    /// Links added to each community of a node: the prior Dir(1 + alpha) of its memberships.
    pub alpha: f64,
}

impl Default for Ascent {
    fn default() -> Self {
        Self { sweeps: 25, alpha: 0.01 }
    }
}

impl Ascent {
    /// λ from the memberships `pi` [n, k], with delta raised to the density of the graph, and beta by as much; O((E + N) K)
    /// per sweep.
    ///
    /// The likelihood drives delta towards zero, because memberships learn the links they are shown; links they are
    /// not shown then come as an infinite surprise. Two nodes of which nothing is known are joined with the density.
    pub fn run(&self, graph: &Graph, k: usize, pi: &[f32]) -> Result<Lambda, Error> {
        // Checks pi, and scales its rows.
        let start = Lambda::new(k, pi, vec![0.0; k], 0.0)?;
        if start.n() != graph.nodes() {
            let found = format!("memberships of {} nodes for a graph of {} nodes", start.n(), graph.nodes());
            return Err(Error::start(found));
        }
        let mut state = State::new(graph, &start);
        for _ in 0..self.sweeps {
            state.sweep(self.alpha);
        }
        let raised = (state.density - state.delta).max(0.0);
        let pi: Vec<f32> = (0..graph.nodes()).flat_map(|a| state.row(a).as_flattened()[..k].to_vec()).collect();
        let beta = state.beta.iter().map(|beta| (beta + raised).min(1.0)).collect();
        Lambda::new(k, &pi, beta, state.delta + raised)
    }
}

struct State<'a> {
    graph: &'a Graph,
    k: usize,
    /// Blocks in a row of `pi`.
    width: usize,
    pi: Vec<Block>, // [n, width]
    beta: Vec<f64>, // [k]
    delta: f64,
    density: f64,
    sums: Vec<f64>,    // [k] S
    squares: Vec<f64>, // [k] Σ_a pi_ak²
    // Sums of one node, and of a sweep.
    near: Near,
    e: Vec<f64>,
    d: Vec<f64>,
    inside: Vec<f64>, // [k] twice Σ_edges pi_ak pi_bk
    links: Vec<f64>,  // [k] twice the links that belong to k
}

/// What a node's neighbours add up to.
struct Near {
    v: Vec<Block>,      // pi_a ∘ c
    over_z: Vec<Block>, // Σ_b pi_b / Z_ab
    plain: Vec<Block>,  // Σ_b pi_b
}

impl<'a> State<'a> {
    fn new(graph: &'a Graph, start: &Lambda) -> Self {
        let (n, k) = (start.n(), start.k());
        let width = k.div_ceil(LANES);
        let mut pi = vec![[0.0; LANES]; n * width];
        let (mut sums, mut squares) = (vec![0.0; k], vec![0.0; k]);
        for a in 0..n {
            let row = start.row(a as u32);
            pi[a * width..(a + 1) * width].as_flattened_mut()[..k].copy_from_slice(row);
            for j in 0..k {
                sums[j] += f64::from(row[j]);
                squares[j] += f64::from(row[j]).powi(2);
            }
        }
        let pairs = n as f64 * (n as f64 - 1.0) / 2.0;
        let density = if graph.edges() == 0 { 0.0 } else { graph.edges() as f64 / pairs };
        let block = || vec![[0.0; LANES]; width];
        let near = Near { v: block(), over_z: block(), plain: block() };
        let zero = || vec![0.0; k];
        // Ten times the density lets every community attract; a quarter of it is what lies between them.
        Self {
            graph,
            k,
            width,
            pi,
            beta: vec![(10.0 * density).min(0.5); k],
            delta: density / 4.0,
            density,
            sums,
            squares,
            near,
            e: zero(),
            d: zero(),
            inside: zero(),
            links: zero(),
        }
    }

    fn row(&self, a: usize) -> &[Block] {
        &self.pi[a * self.width..(a + 1) * self.width]
    }

    /// Every node once, then beta and delta by their EM updates.
    fn sweep(&mut self, alpha: f64) {
        self.inside.fill(0.0);
        self.links.fill(0.0);
        let mut background = 0.0;
        for a in 0..self.graph.nodes() {
            let over_z = self.gather(a);
            let mut shared = 0.0;
            for j in 0..self.k {
                let own = f64::from(self.row(a).as_flattened()[j]);
                let (near_z, plain) =
                    (f64::from(self.near.over_z.as_flattened()[j]), f64::from(self.near.plain.as_flattened()[j]));
                let c = (self.beta[j] - self.delta).max(0.0);
                self.e[j] = own * (c * near_z + self.delta * over_z) + alpha;
                self.d[j] = c * (self.sums[j] - own - plain).max(0.0);
                self.links[j] += self.beta[j] * own * near_z;
                self.inside[j] += own * plain;
                shared += own * near_z;
            }
            background += self.delta * (over_z - shared);
            if self.graph.degree(a as u32) > 0 {
                self.assign(a);
            }
        }
        self.update_rates(background / 2.0);
    }

    /// Sums over the neighbours of a into `near`; returns Σ_b 1 / Z_ab.
    fn gather(&mut self, a: usize) -> f64 {
        let row = &self.pi[a * self.width..(a + 1) * self.width];
        let Near { v, over_z, plain } = &mut self.near;
        for (j, v) in v.as_flattened_mut()[..self.k].iter_mut().enumerate() {
            *v = row.as_flattened()[j] * (self.beta[j] - self.delta).max(0.0) as f32;
        }
        over_z.fill([0.0; LANES]);
        plain.fill([0.0; LANES]);
        let delta = self.delta.max(f64::from(f32::MIN_POSITIVE)) as f32;
        let mut total = 0.0;
        for &b in self.graph.neighbours(a as u32) {
            let other = &self.pi[b as usize * self.width..(b as usize + 1) * self.width];
            let mut lanes = [0f32; LANES];
            for (x, y) in v.iter().zip(other) {
                for i in 0..LANES {
                    lanes[i] += x[i] * y[i];
                }
            }
            let inverse = 1.0 / (delta + lanes.iter().sum::<f32>());
            total += f64::from(inverse);
            for ((z, p), y) in over_z.iter_mut().zip(plain.iter_mut()).zip(other) {
                for i in 0..LANES {
                    z[i] += y[i] * inverse;
                    p[i] += y[i];
                }
            }
        }
        total
    }

    /// Gives node a the memberships e / (mu + d).
    fn assign(&mut self, a: usize) {
        let mu = multiplier(&self.e, &self.d);
        let share = |e: f64, d: f64| (e / (mu + d)).max(f64::from(f32::EPSILON));
        let total: f64 = self.e.iter().zip(&self.d).map(|(&e, &d)| share(e, d)).sum();
        let row = self.pi[a * self.width..(a + 1) * self.width].as_flattened_mut();
        for (j, entry) in row[..self.k].iter_mut().enumerate() {
            let (old, new) = (f64::from(*entry), (share(self.e[j], self.d[j]) / total) as f32);
            *entry = new;
            self.sums[j] += f64::from(new) - old;
            self.squares[j] += f64::from(new).powi(2) - old * old;
        }
    }

    /// beta_k = L_k / (L_k + M_k), and delta likewise over pairs in different communities; both stay where 0/0.
    fn update_rates(&mut self, background: f64) {
        let mut same = 0.0;
        for j in 0..self.k {
            let pairs = 0.5 * (self.sums[j].powi(2) - self.squares[j]).max(0.0);
            same += pairs;
            let links = self.links[j] / 2.0;
            let all = links + (pairs - self.inside[j] / 2.0).max(0.0);
            if all > 0.0 {
                self.beta[j] = (links / all).min(1.0);
            }
        }
        let n = self.graph.nodes() as f64;
        let apart = n * (n - 1.0) / 2.0 - same;
        // The floor keeps a link between communities possible, so that it can still pull its ends together.
        if apart > 0.0 {
            self.delta = (background / apart).clamp(1e-4 * self.density, self.density);
        }
    }
}

/// mu with Σ_k e_k / (mu + d_k) = 1, for e > 0 somewhere and d ≥ 0.
///
/// No term may exceed 1, which bounds mu from below; from there Newton climbs without overshooting, the sum being
/// convex.
pub(in super::super) fn multiplier(e: &[f64], d: &[f64]) -> f64 {
    let mut mu = e.iter().zip(d).map(|(e, d)| e - d).fold(f64::MIN, f64::max);
    for _ in 0..30 {
        let (mut excess, mut slope) = (-1.0, 0.0);
        for (e, d) in e.iter().zip(d).filter(|(e, _)| **e > 0.0) {
            let inverse = 1.0 / (mu + d);
            excess += e * inverse;
            slope += e * inverse * inverse;
        }
        let step = excess / slope;
        mu += step;
        if step <= 1e-6 * mu.abs() {
            break;
        }
    }
    mu
}

#[cfg(test)]
mod tests {
    use super::super::FromGraph;
    use super::super::tests::cliques;
    use super::*;
    use crate::rng::{For, Seed};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn memberships_of_the_multiplier_sum_to_one(
            rows in prop::collection::vec((0.0f64..50.0, 0.0f64..200.0), 1..20), first in 0.01f64..10.0,
        ) {
            let (mut e, d): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
            e[0] += first;
            let mu = multiplier(&e, &d);
            let total: f64 = e.iter().zip(&d).filter(|(e, _)| **e > 0.0).map(|(e, d)| e / (mu + d)).sum();
            prop_assert!((total - 1.0).abs() < 1e-4, "{total}");
        }
    }

    /// Log-likelihood per link: Σ_edges (log p + p) − Σ_pairs p.
    fn objective(state: &State<'_>) -> f64 {
        let c: Vec<f64> = state.beta.iter().map(|beta| beta - state.delta).collect();
        let mut total = 0.0;
        for (a, b) in state.graph.edge_list() {
            let (x, y) = (state.row(a as usize).as_flattened(), state.row(b as usize).as_flattened());
            let shared: f64 = (0..state.k).map(|j| f64::from(x[j]) * f64::from(y[j]) * c[j]).sum();
            let p = (state.delta + shared).max(f64::MIN_POSITIVE);
            total += p.ln() + p;
        }
        let n = state.graph.nodes() as f64;
        let within: f64 = (0..state.k).map(|j| 0.5 * c[j] * (state.sums[j].powi(2) - state.squares[j])).sum();
        (total - n * (n - 1.0) / 2.0 * state.delta - within) / state.graph.edges().max(1) as f64
    }

    #[test]
    fn the_likelihood_never_falls() {
        let graph = cliques(5, 12);
        let pi = FromGraph::Random.memberships(&graph, 5, Seed::new(4).at(For::Lambda, [0; 3]));
        let start = Lambda::new(5, &pi, vec![0.0; 5], 0.0).unwrap();
        let mut state = State::new(&graph, &start);
        let mut before = objective(&state);
        for sweep in 0..40 {
            state.sweep(0.0);
            let now = objective(&state);
            assert!(now > before - 1e-3 * before.abs(), "sweep {sweep}: {before} fell to {now}");
            before = now;
        }
    }

    #[test]
    fn cliques_are_found_and_dense() {
        let graph = cliques(5, 12);
        let pi = FromGraph::Agglomerate.memberships(&graph, 5, Seed::new(4).at(For::Lambda, [0; 3]));
        let lambda = Ascent::default().run(&graph, 5, &pi).unwrap();
        let labels = lambda.labels();
        assert!(labels.chunks(12).all(|clique| clique.iter().all(|l| *l == clique[0])));
        assert!(lambda.beta().iter().all(|beta| *beta > 0.9), "{:?}", lambda.beta());
    }

    #[test]
    fn memberships_of_another_graph_are_refused() {
        assert!(Ascent::default().run(&cliques(2, 3), 2, &[0.5; 4]).is_err());
    }
}
