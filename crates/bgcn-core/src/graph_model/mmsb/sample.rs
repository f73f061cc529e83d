//! p(G | λ): graphs of the mixed-membership block model in O(N K + edges drawn).
//! Paper: "G_i,v sampled from p(G | λ_v)" in the algorithm; the generative model of "Posterior inference for the
//! MMSBM".
//! Differs: pairs that stay apart are never visited. Every pair is still an exact, independent Bernoulli variable.
//! Symbols: p_ab = Σ_kl pi_ak B_kl pi_bl; h(p) = −log(1 − p) / p ≥ 1, rising in p; C = h(max B).
//!
//! `Hard` is a plain block model. `Mixed`: a pair is joined with probability p exactly where a Poisson number of mean
//! −log(1 − p) is not 0. So points are thrown at rate C p_ab, which is a sum of products, one for every two
//! communities, and each is kept with probability h(p_ab) / C. What is kept has the rate p_ab h(p_ab) = −log(1 − p_ab).
//! No p exceeds max B, and on a sparse graph C is just above 1: nearly every point is kept, without a look at its p.

use super::{Draw, Mmsb};
use crate::graph_model::GraphBuffer;
use crate::graph_model::blocks::grouped::Grouped;
use crate::graph_model::blocks::points::{Points, Table};
use crate::graph_model::blocks::walk::Source;
use crate::rng::Stream;

impl Mmsb<'_> {
    /// Draws a graph into `into`, reusing its memory. All randomness comes from `stream`.
    pub(super) fn draw(&self, mut stream: Stream, into: &mut GraphBuffer) {
        let mut random = Source::new(stream.fast());
        match self.params.draw {
            Draw::Hard => {
                let grouped = Grouped::new(&self.labels(), self.b.k());
                into.fill(grouped.nodes(), |edges| grouped.draw(&self.hard, &mut random, edges));
            }
            Draw::Mixed => into.fill_merging(self.pi.n(), |edges| self.draw_mixed(&mut random, edges)),
        }
    }

    /// Appends the edges of a draw; some may come twice.
    fn draw_mixed(&self, random: &mut Source, edges: &mut Vec<(u32, u32)>) {
        let column = |k: usize| (0..self.pi.n() as u32).map(move |a| (a, f64::from(self.pi.row(a)[k])));
        let tables: Vec<Table> = (0..self.b.k()).map(|k| Table::new(column(k))).collect();
        let most = excess(self.b.greatest());
        for (k, table) in tables.iter().enumerate() {
            for (l, other) in tables.iter().enumerate().skip(k) {
                let rate = most * self.b.get(k, l);
                let mut points = match l == k {
                    true => Points::within(table, rate),
                    false => Points::across([table, other], rate),
                };
                while let Some((a, b)) = points.next(random) {
                    let level = random.unit() * most;
                    if a != b && (level < 1.0 || level < excess(self.probability(a, b))) {
                        edges.push((a, b));
                    }
                }
            }
        }
    }

    /// p_ab of two nodes, also of one with itself.
    pub(super) fn probability(&self, a: u32, b: u32) -> f64 {
        self.b.probability(self.row(a), self.row(b), |rate| rate)
    }
}

/// h(p).
fn excess(p: f64) -> f64 {
    if p > 0.0 { -(-p).ln_1p() / p } else { 1.0 }
}
